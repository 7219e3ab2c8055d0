"""Home-made streams: the payload itself, as it is, or one field of it, and what ends them."""

from __future__ import annotations

from typing import Any

import pytest
from llm import assemble, check_sums, named, sse

from untorn import Event
from untorn.deltas import (
    DeltaAssembler,
    EndMarker,
    ErrorUpdate,
    JSONField,
    Outcome,
    Plain,
    TextDelta,
)


def test_plain_takes_each_payload_as_it_is() -> None:
    made = assemble(sse("  Ναι", "", " \n", "وقت ", '{"a": 1}', "null", "[DONE]"), "plain")

    assert made.message.text == '  Ναι \nوقت {"a": 1}null'
    assert [d.text for d in made.deltas if isinstance(d, TextDelta)] == [
        "  Ναι",
        " \n",
        "وقت ",
        '{"a": 1}',
        "null",
    ]
    assert (made.message.ended_by, made.message.intact) == ("[DONE]", True)
    check_sums(made)


def test_the_raw_payload_of_a_text_is_the_text() -> None:
    assembler = named("plain")
    [delta] = assembler.feed(Event("слово"))

    assert isinstance(delta, TextDelta)
    assert delta.raw == "слово"


@pytest.mark.parametrize("marker", ["[DONE]", " [DONE]", "[DONE] "])
def test_plain_ends_at_its_marker_whatever_space_is_around_it(marker: str) -> None:
    message = assemble(sse("a", marker), "plain").message

    assert (message.text, message.ended_by, message.intact) == ("a", "[DONE]", True)


@pytest.mark.parametrize("data", ['"[DONE]"', "[done]", "[DONE]!", "END", "data: [DONE]"])
def test_plain_ends_at_its_marker_alone(data: str) -> None:
    message = assemble(sse("a", data), "plain").message

    assert (message.text, message.outcome) == (f"a{data}", Outcome.TRUNCATED)


def test_plain_may_have_a_marker_of_its_own() -> None:
    made = assemble(sse("a", "[DONE]", "終"), Plain(done="終"))

    assert made.message.text == "a[DONE]"
    assert made.deltas[-1] == EndMarker("終")
    assert (made.message.ended_by, made.message.intact) == ("終", True)
    assert made.assembler.done


def test_without_a_marker_a_clean_end_has_to_do() -> None:
    clean = assemble(sse("a", "[DONE]"), Plain(done=None)).message
    cut = assemble(sse("a") + b"data: b", Plain(done=None)).message

    assert (clean.text, clean.ended_by, clean.intact) == ("a[DONE]", "close", True)
    assert (cut.text, cut.ended_by, cut.intact) == ("a", None, False)


def test_without_a_marker_nothing_at_all_is_no_answer() -> None:
    message = assemble(b": ping\n\n", Plain(done=None)).message

    assert (message.outcome, message.intact) == (Outcome.TRUNCATED, False)


@pytest.mark.parametrize("format", [Plain(done="終"), JSONField("t", done="終")])
@pytest.mark.parametrize("rest", ["", "\n"])
def test_a_marker_of_its_own_counts_without_its_blank_line_too(format: Any, rest: str) -> None:
    message = assemble(sse('{"t": "a"}') + f"data: 終{rest}".encode(), format).message

    assert (message.ended_by, message.tail_used, message.intact) == ("終", True, True)


def test_an_error_event_is_an_error_wherever_it_comes() -> None:
    message = assemble(sse("a") + sse("занято", event="error"), "plain").message

    assert message.error == ErrorUpdate("занято")
    assert (message.text, message.outcome) == ("a", Outcome.PROVIDER_ERROR)


def test_an_error_object_is_an_error_where_it_comes_first() -> None:
    first = assemble(sse({"error": {"message": "עמוס", "code": 503}}), "plain").message
    later = assemble(sse("a", {"error": "עמוס"}, "[DONE]"), "plain").message

    assert first.error == ErrorUpdate("עמוס", 503)
    assert (first.text, first.outcome) == ("", Outcome.PROVIDER_ERROR)
    assert (later.text, later.intact) == ('a{"error": "עמוס"}', True)


@pytest.mark.parametrize(
    "data",
    ['{"error": ""}', '{"error": null}', '{"error"', '[{"error": "x"}]', "{} {}", '{"a":' * 50_000],
    ids=range(6),
)
def test_what_is_no_error_object_is_text(data: str) -> None:
    message = assemble(sse(data, "[DONE]"), "plain").message

    assert message.text == data
    assert message.intact


def test_an_error_event_says_what_its_object_says_where_it_comes_first() -> None:
    wire = sse({"error": {"message": "สาย"}}, event="error")

    assert assemble(wire, "plain").message.error == ErrorUpdate("สาย")


@pytest.mark.parametrize(
    ("path", "payload", "text"),
    [
        ("part", {"part": "Grüezi"}, "Grüezi"),
        ("data.текст", {"data": {"текст": "да"}}, "да"),
        ("choices.0.text", {"choices": [{"text": "हाँ"}]}, "हाँ"),
        ("rows.1.0", {"rows": ["a", ["ใช่", "b"]]}, "ใช่"),
        ("1", {"1": "key"}, "key"),
        ("a..b", {"a": {"": {"b": "empty key"}}}, "empty key"),
        ("n", {"n": 42}, "42"),
        ("n", {"n": 0}, "0"),
        ("n", {"n": -2.5}, "-2.5"),
    ],
)
def test_a_field_stands_at_a_path(path: str, payload: dict[str, Any], text: str) -> None:
    made = assemble(sse(payload, "[DONE]"), JSONField(path))

    assert made.message.text == text
    assert made.message.intact
    check_sums(made)


@pytest.mark.parametrize(
    ("path", "payload"),
    [
        ("part", {}),
        ("part", {"part": None}),
        ("part", {"part": True}),
        ("part", {"part": ["x"]}),
        ("part", {"part": {"text": "x"}}),
        ("part", {"part": ""}),
        ("a.b", {"a": "x"}),
        ("a.b", {"a": None}),
        ("a.b", {"a": ["x"]}),
        ("a.1", {"a": ["x"]}),
        ("a.-1", {"a": ["x"]}),
        ("a.²", {"a": ["x", "x", "x"]}),
        ("a.٠", {"a": ["x"]}),
        ("a.", {"a": ["x"]}),
        ("a.999999999", {"a": ["x"]}),
        ("a." + "9" * 5_000, {"a": ["x"]}),
    ],
)
def test_a_payload_without_the_field_is_passed_by(path: str, payload: dict[str, Any]) -> None:
    made = assemble(sse(payload), JSONField(path))

    assert made.deltas == []
    assert made.message.text == ""


def test_a_stream_without_the_field_anywhere_is_no_answer() -> None:
    empty = assemble(sse({"t": ""}, {"other": 1}, "[DONE]"), JSONField("t")).message
    none = assemble(sse({"other": 1}, "[DONE]"), JSONField("t")).message
    closed = assemble(sse({"other": 1}), JSONField("t", done=None)).message

    assert (empty.text, empty.intact, empty.problems) == ("", True, ())
    assert none.problems == ("no chunk before the end marker", "no payload has the field 't'")
    assert closed.problems == ("no payload has the field 't'",)
    assert (none.intact, closed.intact) == (False, False)


def test_a_marker_alone_says_nothing_of_the_field() -> None:
    alone = assemble(sse("[DONE]"), JSONField("t")).message

    assert alone.problems == ("no chunk before the end marker",)


def test_the_field_of_each_payload_is_appended() -> None:
    made = assemble(
        sse({"t": "один "}, {"x": 1}, {"t": 2}, {"t": " три"}, "[DONE]"), JSONField("t")
    )

    assert [d.text for d in made.deltas if isinstance(d, TextDelta)] == ["один ", "2", " три"]
    assert made.message.text == "один 2 три"


@pytest.mark.parametrize("read", [1, 2, 3, 7, None])
@pytest.mark.parametrize(
    ("field", "pieces"),
    [
        ("part", ["火"]),
        ("text", ["Good morning 🌅 café"]),
        ("text", list("Good morning 🌅 café")),
    ],
)
def test_a_field_is_whole_however_its_bytes_are_cut(
    field: str, pieces: list[str], read: int | None
) -> None:
    wire = sse(*({field: piece} for piece in pieces), "[DONE]")

    made = assemble(wire, JSONField(field), read=read)

    assert [d.text for d in made.deltas if isinstance(d, TextDelta)] == pieces
    assert (made.message.text, made.message.ended_by) == ("".join(pieces), "[DONE]")
    assert made.message.intact is True


@pytest.mark.parametrize("marker", ["[DONE]", '"[DONE]"', " [DONE] "])
def test_a_field_ends_at_done(marker: str) -> None:
    message = assemble(sse({"t": "a"}, marker), JSONField("t")).message

    assert (message.text, message.ended_by, message.intact) == ("a", "[DONE]", True)


@pytest.mark.parametrize("marker", ["終", '{"end": true}', '"stop"', "null"])
def test_a_field_may_have_a_marker_of_its_own(marker: str) -> None:
    made = assemble(sse({"t": "a"}, "[DONE]", f" {marker} "), JSONField("t", done=marker))

    assert made.deltas == [TextDelta("a"), EndMarker(marker)]
    assert (made.message.ended_by, made.message.intact) == (marker, True)


def test_done_is_no_end_where_the_marker_is_another_one() -> None:
    message = assemble(sse({"t": "a"}, "[DONE]"), JSONField("t", done="終")).message

    assert (message.outcome, message.problems) == (Outcome.TRUNCATED, ())


def test_a_field_without_a_marker_ends_with_the_stream() -> None:
    format = JSONField("t", done=None)
    clean = assemble(sse({"t": "a"}, "[DONE]"), format).message
    cut = assemble(sse({"t": "a"}) + b'data: {"t": "b', format).message

    assert (clean.text, clean.ended_by, clean.intact) == ("a", "close", True)
    assert (cut.text, cut.ended_by, cut.intact) == ("a", None, False)


def test_errors_and_bad_payloads_are_told_as_in_any_json_format() -> None:
    wrong = assemble(sse({"t": "a"}, {"error": "trop tard"}, "[DONE]"), JSONField("t")).message
    bad = assemble(sse({"t": "a"}, "{", "[DONE]"), JSONField("t")).message

    assert (wrong.text, wrong.error) == ("a", ErrorUpdate("trop tard"))
    assert wrong.outcome is Outcome.PROVIDER_ERROR
    assert (bad.text, bad.outcome, bad.intact) == ("a", Outcome.COMPLETED, False)


def test_the_format_of_an_assembler_is_the_name_or_the_object() -> None:
    field = JSONField("t")

    assert named("plain").format == "plain"
    assert DeltaAssembler(field).format is field
    assert repr(Plain(done=None)) == "Plain(done=None)"
    assert repr(field) == "JSONField(path='t', done='[DONE]')"


@pytest.mark.parametrize("format", [Plain(), JSONField("t")])
def test_each_reader_starts_afresh(format: Any) -> None:
    text, error = Event('{"t": "y"}'), Event('{"error": "x"}')
    used, fresh = format.reader(), format.reader()

    assert [type(delta) for delta in used(text)] == [TextDelta]
    assert list(fresh(error)) == [ErrorUpdate("x")]
