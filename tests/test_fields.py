"""What a line means: the rules of section 9.2.6, one by one."""

from __future__ import annotations

import pytest

from untorn import Event, Tail
from untorn._fields import FieldReader


def reader(last_event_id: str = "") -> FieldReader:
    return FieldReader(last_event_id=last_event_id, retry=None, on_comment=None)


def read(*lines: bytes, fields: FieldReader | None = None) -> list[Event]:
    return (fields or reader()).read("".join(line.decode() + "\n" for line in lines))


def test_data_lines_are_joined_with_lf_and_lose_the_last_one() -> None:
    assert read(b"data: a", b"data", b"data:b", b"data:", b"") == [Event("a\n\nb\n")]
    assert read(b"data", b"") == [Event("")]
    assert read(b"data", b"data", b"") == [Event("\n")]


@pytest.mark.parametrize(
    ("line", "data"),
    [
        (b"data: x", "x"),
        (b"data:x", "x"),
        (b"data:  x", " x"),  # one space only
        (b"data:\tx", "\tx"),  # and nothing but U+0020
        (b"data: x ", "x "),
        (b"data::x", ":x"),
        (b"data:x: y", "x: y"),  # the first colon parts, even where ": " comes later
        (b"data: 17:15:00Z", "17:15:00Z"),
    ],
)
def test_the_first_colon_parts_and_one_space_goes(line: bytes, data: str) -> None:
    assert read(line, b"") == [Event(data)]


@pytest.mark.parametrize(
    "line", [b"Data: x", b" data: x", b"data : x", b"dat", b"datas: x", b"\0data: x", b"#x", b" "]
)
def test_other_names_are_ignored_and_counted(line: bytes) -> None:
    fields = reader()

    assert read(line, b"", fields=fields) == []
    assert (fields.ignored_lines, fields.ignored_text) == (1, line.decode())


def test_the_last_type_wins_and_every_blank_line_empties_it() -> None:
    assert read(b"event: a", b"event: b", b"data: x", b"", b"data: y", b"") == [
        Event("x", "b"),
        Event("y"),
    ]
    assert read(b"event: a", b"event", b"data: x", b"") == [Event("x")]
    assert read(b"event:a", b"data: x", b"") == [Event("x", "a")]
    assert read(b"event: a", b"", b"data: x", b"") == [Event("x")]


def test_what_is_held_is_the_data_buffer_with_one_lf_a_line() -> None:
    fields = reader()
    sizes = []
    for line in (b"event: e", b"data: abc", b"data", b"data:d", b": c", b""):
        read(line, fields=fields)
        sizes.append(len(fields.held))

    assert sizes == [0, 4, 5, 7, 7, 0]


def test_blocks_without_data_give_no_event_but_commit_the_id() -> None:
    fields = reader("0")

    assert read(b"id: 7", fields=fields) == []
    assert fields.last_event_id == "0"
    assert read(b"", fields=fields) == []
    assert fields.last_event_id == "7"
    assert read(b"data: x", b"", b"id", b"data: y", b"", fields=fields) == [
        Event("x", id="7"),
        Event("y"),
    ]


def test_an_id_with_nul_leaves_the_buffer_alone() -> None:
    assert read(b"id: 7", b"id: 8\x009", b"data: x", b"") == [Event("x", id="7")]


@pytest.mark.parametrize(
    ("value", "ms"),
    [
        (b"0", 0),
        (b"3000", 3000),
        (b"007", 7),
        (b"000", 0),
        (b"10000000000", 10**10),
        (b"10000000001", 10**10),
        (b"99999999999", 10**10),
        (b"9" * 4301, 10**10),
        (b"0" * 4301 + b"5", 5),
        (b"9" * 100_000, 10**10),
    ],
)
def test_rule_5_retry_takes_any_number_of_ascii_digits(value: bytes, ms: int) -> None:
    fields = reader()

    assert read(b"retry: " + value, b"data: x", b"", fields=fields) == [Event("x", retry=ms)]
    assert fields.retry == ms


@pytest.mark.parametrize(
    "value", ["", "+5", "-5", "1_0", "1 0", " 7", "7 ", "٣", "３", "²", "0x1", "1.0", "5\0"]
)
def test_rule_5_retry_takes_nothing_else(value: str) -> None:
    fields = reader()

    assert read(b"retry: " + value.encode(), b"data: x", b"", fields=fields) == [Event("x")]
    assert (fields.retry, fields.ignored_lines) == (None, 0)


def test_retry_is_set_on_its_line_and_belongs_to_its_own_block() -> None:
    fields = reader()

    assert read(b"retry: 5", fields=fields) == []
    assert fields.retry == 5
    assert read(b"", b"data: x", b"", b"retry: 6", b"data: y", b"", fields=fields) == [
        Event("x"),
        Event("y", retry=6),
    ]


def test_ignored_text_is_the_first_thousand_characters_joined_with_lf() -> None:
    fields = reader()
    lines = ["<html>", "火" * 600, "é" * 600, "never"]
    read(*(line.encode() for line in lines), fields=fields)

    assert fields.ignored_text == "\n".join(lines)[:1_000]
    assert (fields.ignored_lines, fields.line_count) == (4, 4)


def test_comments_go_to_the_callback_with_all_that_follows_the_colon() -> None:
    comments: list[str] = []
    fields = FieldReader(last_event_id="", retry=None, on_comment=comments.append)
    for line in (b":", b": keep-alive", b":a: b", b"", ":火".encode()):
        read(line, fields=fields)

    assert comments == ["", " keep-alive", "a: b", "火"]
    assert fields.ignored_lines == 0


def test_comments_that_nobody_watches_are_passed_over() -> None:
    fields = reader()

    assert read(b": keep-alive", b"data: x", b"", fields=fields) == [Event("x")]
    assert (fields.line_count, fields.ignored_lines) == (3, 0)


def test_rule_8_the_tail_takes_an_unfinished_line_as_whole_and_commits_nothing() -> None:
    fields = reader("0")
    read(b"data: a", fields=fields)

    assert fields.tail("id: 7", b"") == Tail(Event("a", id="7"), "id: 7", b"")
    assert fields.last_event_id == "0"
    assert fields.tail("", b"") == Tail(Event("a", id="7"), "", b"")
    assert reader().tail("", b"") is None
    assert reader().tail(": half a comment", b"") is None
    assert reader().tail("noise", b"") == Tail(None, "noise", b"")


def test_rule_8_an_unfinished_line_sets_no_retry() -> None:
    fields = reader()

    assert fields.tail("retry: 5", b"") == Tail(None, "retry: 5", b"")
    assert fields.retry is None


def test_other_lines_stand_between_data_and_change_nothing_in_it() -> None:
    fields = reader()
    assert (
        read(b": c", b"data: a", b"data: b", b"id: 7", b"data:c", b"data: d", fields=fields) == []
    )
    assert read(b"data", b"retry: 5", b"", b"data: e", b"", fields=fields) == [
        Event("a\nb\nc\nd\n", id="7", retry=5),
        Event("e", id="7"),
    ]


@pytest.mark.parametrize("line", [b":", b":c", b": c", b":: c", b":data: x"])
def test_a_comment_that_nobody_watches_is_no_line_that_is_ignored(line: bytes) -> None:
    fields = reader()
    assert read(b"data: a", line, b"", fields=fields) == [Event("a")]
    assert (fields.ignored_lines, fields.line_count) == (0, 3)
