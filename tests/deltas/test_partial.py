"""A JSON text in pieces: whole it equals ``json.loads``, cut it shows what has come, no more."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from untorn import ParserClosedError
from untorn.deltas import NOTHING, PartialJSON, PartialJSONError

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["\ud83d", "\ude00", "🌅", 'q"\\\n\x7f'])
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)


@st.composite
def documents(draw: st.DrawFn) -> str:
    value = draw(values)
    space = draw(st.sampled_from(["", " ", "\n\t"]))
    indent = draw(st.sampled_from([None, 1]))
    return space + json.dumps(value, ensure_ascii=draw(st.booleans()), indent=indent) + space


def feed(reader: PartialJSON, pieces: Sequence[str]) -> PartialJSON:
    for piece in pieces:
        reader.feed(piece)
    return reader


def same(one: object, other: object) -> bool:
    """Compare by repr: NaN equals NaN, 1 is not 1.0, and the order of keys counts."""
    return repr(one) == repr(other)


@given(documents())
@example('"\\ud83d\\ude00"')
@example('{"a": 1, "a": "x"}')
@example("-Infinity")
def test_under_every_cut_the_value_is_that_of_json_loads(text: str) -> None:
    expected = json.loads(text)
    step = len(text) // 40 + 1  # every cut of most, forty of the long ones
    cuts = [[text], list(text), *([text[:n], "", text[n:]] for n in range(0, len(text), step))]

    for pieces in cuts:
        for policy in ("keep", "drop"):
            reader = feed(PartialJSON(open_strings=policy), pieces)
            assert same(reader.close(), expected)
            assert same(reader.value, expected)
            assert reader.complete


def is_begun(part: Any, whole: Any, open_strings: bool) -> bool:
    """Tell whether a value is an earlier state of another: only its last part may be unfinished."""
    if isinstance(part, list) and isinstance(whole, list) and part:
        finished = same(part[:-1], whole[: len(part) - 1])
        return finished and is_begun(part[-1], whole[len(part) - 1], open_strings)
    if isinstance(part, dict) and isinstance(whole, dict) and part:
        names, last = list(part), list(part)[-1]
        finished = all(same(part[name], whole[name]) for name in names[:-1])
        in_order = names == list(itertools.islice(whole, len(names)))
        return finished and in_order and is_begun(part[last], whole[last], open_strings)
    if isinstance(part, str) and isinstance(whole, str) and open_strings:
        return whole.startswith(part)
    return same(part, whole) or (part in ([], {}) and type(part) is type(whole))


@given(documents())
def test_every_prefix_shows_what_has_come_and_no_more(text: str) -> None:
    whole = json.loads(text)
    for policy in ("keep", "drop"):
        reader = PartialJSON(open_strings=policy)
        for character in text:
            reader.feed(character)
            value = reader.value
            assert value is NOTHING or is_begun(value, whole, policy == "keep")


@given(documents())
def test_looking_in_between_changes_nothing(text: str) -> None:
    looked, unseen = PartialJSON(), PartialJSON()
    for character in text:
        looked.feed(character)
        assert same(looked.value, looked.value)
        unseen.feed(character)

    assert same(looked.close(), unseen.close())


tokens = st.lists(
    st.sampled_from(
        [
            *'{}[],:"\\ \n\x01',
            "true",
            "nul",
            "null",
            "NaN",
            "-",
            "-I",
            "0",
            "12",
            ".",
            "e",
            "+",
            "\\u",
        ]
    ),
    max_size=8,
).map("".join)


@given(tokens)
@example("1.,")
@example('"\\ud83d\\x"')
@example("[1}")
def test_what_json_loads_refuses_is_refused_or_unfinished_at_one_offset(text: str) -> None:
    def outcome(pieces: Sequence[str]) -> tuple[Any, ...]:
        reader = PartialJSON()
        try:
            feed(reader, pieces)
            reader.close()
        except PartialJSONError as error:
            return error.offset, error.reason
        return (reader.complete, repr(reader.value))

    whole = outcome([text])
    try:
        assert whole == (True, repr(json.loads(text)))
    except ValueError:
        assert whole[0] is not True
    assert outcome(list(text)) == whole
    if isinstance(whole[1], str) and whole[0] is not False and whole[0] is not True:
        feed(PartialJSON(), list(text[: whole[0]]))


@pytest.mark.parametrize(
    ("text", "keep", "drop"),
    [
        ("", NOTHING, NOTHING),
        ("  ", NOTHING, NOTHING),
        ('"', "", NOTHING),
        ('"ab', "ab", NOTHING),
        ('"ab\\', "ab", NOTHING),
        ('"ab\\u00', "ab", NOTHING),
        ('"ab\\ud83d', "ab", NOTHING),
        ('"ab\\ud83d\\u', "ab", NOTHING),
        ("12", NOTHING, NOTHING),
        ("tru", NOTHING, NOTHING),
        ("-", NOTHING, NOTHING),
        ('{"a', {}, {}),
        ('{"a"', {}, {}),
        ('{"a": ', {}, {}),
        ('{"a": 1', {}, {}),
        ('{"a": 1,', {"a": 1}, {"a": 1}),
        ('{"a": "x', {"a": "x"}, {}),
        ('{"a": 1, "a": "x', {"a": "x"}, {"a": 1}),
        ('["x", "y', ["x", "y"], ["x"]),
        ('["x", "', ["x", ""], ["x"]),
        ("[[], {}, [nul", [[], {}, []], [[], {}, []]),
    ],
)
def test_what_is_cut_is_held_back(text: str, keep: object, drop: object) -> None:
    for reader, value in ((PartialJSON(), keep), (PartialJSON(open_strings="drop"), drop)):
        reader.feed(text)
        assert same(reader.value, value)
        assert not reader.complete


def test_a_bare_number_is_whole_once_the_text_is_closed() -> None:
    reader = feed(PartialJSON(), ["1", "2"])

    assert (reader.value, reader.complete) == (NOTHING, False)
    assert (reader.close(), reader.complete) == (12, True)
    assert reader.close() == 12


@pytest.mark.parametrize("text", ["", "[1", '{"a": 1', "1.", "-", "1e", '"x', "nul", '["a", 1'])
def test_an_incomplete_text_is_no_error_and_not_complete(text: str) -> None:
    reader = feed(PartialJSON(), [text])
    before = repr(reader.value)

    assert (repr(reader.close()), reader.complete) == (before, False)


@pytest.mark.parametrize(
    ("text", "offset", "reason"),
    [
        ("x", 0, "expected a value"),
        ("[1}", 2, "expected a comma or the end of the array or object"),
        ("[,]", 1, "expected a value or ]"),
        ("[1,]", 3, "expected a value"),
        ("{,}", 1, "expected a key or }"),
        ('{"a": 1,}', 8, "expected a key"),
        ('{"a" 1}', 5, "expected a colon"),
        ('{"a": 1]', 7, "expected a comma or the end of the array or object"),
        ("[]]", 2, "expected the end of the text"),
        ("1 2", 2, "expected the end of the text"),
        ("trux", 0, "expected a value"),
        ("[01]", 2, "not a number"),
        ("[1.]", 3, "a number that is cut short"),
        ("[-x]", 2, "a number that is cut short"),
        ('"a\nb"', 2, "a control character in a string"),
        ('"a\\x"', 2, "not an escape"),
        ("\ufeff1", 0, "expected a value"),
    ],
)
def test_invalid_json_is_reported_at_its_offset(text: str, offset: int, reason: str) -> None:
    for pieces in ([text], list(text)):
        reader = PartialJSON()
        with pytest.raises(PartialJSONError) as caught:
            feed(reader, pieces)
        assert (caught.value.offset, caught.value.reason) == (offset, reason)
        assert str(caught.value) == f"not JSON at character {offset}: {reason}"

        before = repr(reader.value)
        with pytest.raises(PartialJSONError) as again:
            reader.feed("")
        assert again.value.args == caught.value.args
        assert (repr(reader.close()), reader.complete) == (before, False)


def test_a_bad_last_number_is_found_on_close() -> None:
    for text, offset in (("01", 1), ("[1, 02", 5)):
        reader = feed(PartialJSON(), [text])
        with pytest.raises(PartialJSONError) as caught:
            reader.close()
        assert caught.value.offset == offset


def test_depth_costs_no_recursion() -> None:
    depth = 100_000
    reader = PartialJSON(max_depth=depth)
    reader.feed("[" * depth)
    reader.feed("]" * depth)

    assert reader.complete
    with pytest.raises(PartialJSONError, match="character 1000: nested deeper than 1,000"):
        PartialJSON().feed("[" * 1_001)
    with pytest.raises(PartialJSONError, match="nested deeper than 2"):
        PartialJSON(max_depth=2).feed('{"a": [[')


def test_wrong_use() -> None:
    reader = PartialJSON()
    reader.close()

    with pytest.raises(ParserClosedError):
        reader.feed("1")
    with pytest.raises(TypeError, match="takes text, not bytes"):
        PartialJSON().feed(b"1")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="open_strings must be"):
        PartialJSON(open_strings="maybe")  # type: ignore[arg-type]


def test_empty_pieces_of_an_open_string_are_not_kept() -> None:
    reader = PartialJSON()
    for piece in ('"a', "", "b", "", ""):
        reader.feed(piece)

    assert reader._growing.pieces == ["a", "b"]
    assert reader.value == "ab"
