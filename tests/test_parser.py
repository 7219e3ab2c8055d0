"""The parser as its users hold it: the rules of the design that no single step owns."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from untorn import (
    Chunk,
    DecodeError,
    Event,
    EventTooLargeError,
    ParserClosedError,
    SSEParser,
    StreamEnd,
    Tail,
    UntornError,
)


def events_of(error: UntornError) -> list[str]:
    return [event.data for event in error.events]


class Read(bytes):
    """As some clients give."""


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, Read])
def test_rule_1_any_kind_of_bytes(kind: Callable[[bytes], Chunk]) -> None:
    parser = SSEParser()

    assert parser.feed(kind("data: 火\n".encode())) == []
    assert parser.feed(kind(b"\n")) == [Event("火")]


def test_rule_1_what_can_change_is_copied() -> None:
    read = bytearray(b"data: one")
    parser = SSEParser()
    parser.feed(read)
    read[:] = b"XXXXXXXXX"

    assert parser.feed(memoryview(b"--\n\n--")[:4]) == [Event("one--")]


@pytest.mark.parametrize("wrong", ["data: x\n\n", 5, None, [b"data"], 1.5])
def test_rule_1_anything_else_is_a_type_error_that_harms_nothing(wrong: object) -> None:
    parser = SSEParser()
    parser.feed(b"data: x\n")

    with pytest.raises(TypeError, match=r"bytes, bytearray or memoryview, not .*iter_bytes"):
        parser.feed(wrong)  # type: ignore[arg-type]
    assert parser.feed(b"\n") == [Event("x")]


def test_rule_2_a_cr_is_not_held_back() -> None:
    parser = SSEParser()

    assert parser.feed(b"data: x\r\r") == [Event("x")]
    assert parser.feed(b"\n\ndata: y\r\n\r") == [Event("y")]
    assert parser.close().tail is None


def test_rule_3_the_mark_counts_in_bytes_and_not_in_the_limit() -> None:
    parser = SSEParser(max_event_size=4)

    assert parser.feed(b"\xef\xbb\xbfdata\n\n") == [Event("")]
    assert parser.close().byte_count == 9


def test_rule_4_replaced_wherever_it_stands() -> None:
    comments: list[str] = []
    parser = SSEParser(on_comment=comments.append)
    events = parser.feed(b":\xff\nid: \xfe\nevent: \xc2\nd\xffta: no\ndata: \xe2\x82\n\n")

    assert events == [Event("\ufffd", "\ufffd", "\ufffd")]
    assert (comments, parser.replacements) == (["\ufffd"], 5)


def test_rule_4_strict_processes_what_stands_before_the_bad_byte() -> None:
    comments: list[str] = []
    parser = SSEParser(errors="strict", on_comment=comments.append)
    with pytest.raises(DecodeError) as caught:
        parser.feed(b"data: x\n\nid: 7\nretry: 9\n\n: c\ndata: \xff\n\ndata: y\n\n")

    assert (caught.value.offset, caught.value.bad_bytes) == (35, b"\xff")
    assert (events_of(caught.value), comments) == (["x"], [" c"])
    assert (parser.last_event_id, parser.retry, parser.event_count) == ("7", 9, 1)


def test_rule_4_a_limit_passed_earlier_in_the_line_wins() -> None:
    def fault(wire: bytes) -> UntornError:
        with pytest.raises(UntornError) as caught:
            SSEParser(errors="strict", max_event_size=8).feed(wire)
        return caught.value

    assert isinstance(fault(b"data: 123\xff"), EventTooLargeError)
    assert isinstance(fault(b"data: 12\xff"), DecodeError)
    assert isinstance(fault(b"data: 12\xff" + b"3" * 99), DecodeError)


@pytest.mark.parametrize(
    ("wire", "passes"),
    [
        (b"data: 1234\n\n", True),
        (b"data: 12345\n\n", False),
        (b"data: 12345", False),  # finished or not
        (b":123456789", True),
        (b":1234567890", False),  # comment or not
        (b"unknown: 12", False),
        ("data: é\ndata: 1\n\n".encode(), True),  # 3 held, then 7
        ("data: éé\ndata: 1\n\n".encode(), False),
        (b"data: \xff\n\n", True),  # U+FFFD is three bytes
        (b"data: \xff\xff\n\n", False),
        (b"data\ndata\ndata\ndata\ndata\ndata\ndata\n\n", True),  # each holds its LF
        (b"data\ndata\ndata\ndata\ndata\ndata\ndata\ndata\n\n", False),
        (b"data: 12\n\n" * 50, True),  # one event, not the stream
        (b"event: 12\nid: 12345\ndata: 12\n\n", True),
    ],
)
def test_rule_6_one_budget_for_data_and_line(wire: bytes, passes: bool) -> None:
    for size in (1, 2, 5, len(wire)):
        parser = SSEParser(max_event_size=10)
        reads = [wire[i : i + size] for i in range(0, len(wire), size)]
        if passes:
            assert sum(len(parser.feed(read)) for read in reads) == wire.count(b"\n\n")
            assert parser.close().tail is None or wire.startswith(b":")
        else:
            with pytest.raises(EventTooLargeError) as caught:
                [parser.feed(read) for read in reads]
            assert caught.value.limit == 10


def test_rule_6_none_is_off() -> None:
    parser = SSEParser(max_event_size=None, on_comment=print)

    assert parser.feed(b"data: " + b"x" * 10**6 + b"\n\n") == [Event("x" * 10**6)]


@pytest.mark.parametrize(
    ("wire", "tail"),
    [
        (b"", None),
        (b"data: x\n\n", None),
        (b": half a com", None),
        (b"id: 1\n\nid: 1\n", None),
        (b"retry: 5\n", None),
        (b"event\n", None),
        (b"unknown\n", None),
        (b"id: 1\n", Tail(None, "", b"")),
        (b"event: e\n", Tail(None, "", b"")),
        (b"id: 1\n: com", Tail(None, ": com", b"")),
        (b"data: a\nda", Tail(Event("a"), "da", b"")),
        (b"data: a\ndata: b", Tail(Event("a\nb"), "data: b", b"")),
        (b"id: 1\ndata: a\nevent: e", Tail(Event("a", "e", "1"), "event: e", b"")),
        (b"data: a\nid: 7", Tail(Event("a", id="7"), "id: 7", b"")),
        (b"data: a\nretry: 7", Tail(Event("a"), "retry: 7", b"")),
        (b"retry: 7\ndata: a\n", Tail(Event("a", retry=7), "", b"")),
        (b"data: a\n\xe7\x81", Tail(Event("a"), "\ufffd", b"\xe7\x81")),
        (b"data: \xe7\x81", Tail(Event("\ufffd"), "data: \ufffd", b"\xe7\x81")),
        (b"\xef\xbb", Tail(None, "\ufffd", b"\xef\xbb")),
        (b'{"error": 1}', Tail(None, '{"error": 1}', b"")),
    ],
)
def test_rule_8_the_tail(wire: bytes, tail: Tail | None) -> None:
    for errors in ("replace", "strict"):
        parser = SSEParser(errors=errors)
        parser.feed(wire)
        end = parser.close()

        assert end.tail == tail
        assert end.replacements == wire.decode("utf-8", "replace").count("\ufffd")
        assert parser.last_event_id == end.last_event_id != "7"
        assert end.retry == (int(wire[7:8]) if wire.startswith(b"retry") else None)


def test_rule_8_an_unfinished_line_counts_as_ignored_and_calls_nothing() -> None:
    comments: list[str] = []
    parser = SSEParser(on_comment=comments.append)
    parser.feed(b"<html>\n<p>\xe7")

    assert (parser.close().ignored_lines, parser.close().ignored_text) == (2, "<html>\n<p>\ufffd")
    parser.reset()
    parser.feed(b": half a com")
    assert (parser.close().ignored_lines, comments) == (0, [])


def test_the_end_says_all() -> None:
    parser = SSEParser()
    parser.feed(b"\xef\xbb\xbfid: 7\r\nretry: 30\r\ndata: \xff\r\n\r\n: c\r\nnoise\r\ndata: cu")

    assert parser.close() == StreamEnd(
        tail=Tail(Event("cu", id="7"), "data: cu", b""),
        byte_count=52,
        event_count=1,
        line_count=6,
        replacements=1,
        ignored_lines=1,
        ignored_text="noise",
        last_event_id="7",
        retry=30,
    )
    assert parser.end is parser.close()


@pytest.mark.parametrize(
    ("errors", "wire", "first"),
    [
        ("strict", b"data: x\n\nid: 1\ndata: \xff", DecodeError(21, b"\xff")),
        ("replace", b"data: x\n\nid: 1\ndata: 123456", EventTooLargeError(10)),
    ],
)
def test_rule_9_after_a_failure(errors: str, wire: bytes, first: UntornError) -> None:
    parser = SSEParser(errors=errors, max_event_size=10)  # type: ignore[arg-type]
    with pytest.raises(type(first)) as caught:
        parser.feed(wire)
    assert (events_of(caught.value), caught.value.args) == (["x"], first.args)

    for later in (b"", b"\n\ndata: y\n\n"):
        with pytest.raises(type(first)) as again:
            parser.feed(later)
        assert (again.value.args, again.value.events) == (first.args, ())
        assert again.value is not caught.value

    end = parser.close()
    assert (end.tail, end.event_count, end.line_count, end.last_event_id) == (None, 1, 3, "")
    with pytest.raises(ParserClosedError):
        parser.feed(b"data: y\n\n")
    parser.reset()
    assert parser.feed(b"data: y\n\n") == [Event("y")]


def test_rule_9_once_closed_feeding_is_an_error() -> None:
    parser = SSEParser()
    end = parser.close()

    with pytest.raises(ParserClosedError, match="reset"):
        parser.feed(b"data: x\n\n")
    assert parser.close() is end


def test_rule_9_reset_keeps_the_committed_id_and_retry_only() -> None:
    parser = SSEParser(last_event_id="0")
    parser.feed(b"\xef\xbb\xbfid: 1\nretry: 5\n\nid: 2\nevent: e\ndata: \xff\nnoise\n\xe7")
    parser.reset()

    assert parser.end is None
    assert (parser.last_event_id, parser.retry) == ("1", 5)
    assert (parser.byte_count, parser.event_count, parser.replacements) == (0, 0, 0)
    assert parser.feed(b"\xef\xbb\xbfdata: x\n\n") == [Event("x", id="1")]
    assert parser.close() == StreamEnd(None, 12, 1, 2, 0, 0, "", "1", 5)


def test_rule_9_reset_in_the_middle_of_a_crlf_forgets_the_cr() -> None:
    parser = SSEParser()
    parser.feed(b"data: x\r")
    parser.reset()
    parser.feed(b"\ndata: y\n\n")

    assert parser.close().line_count == 3


def test_rule_10_comments_come_in_stream_order_before_the_events_are_returned() -> None:
    seen: list[str] = []
    parser = SSEParser(on_comment=seen.append)
    seen += [event.data for event in parser.feed(b": 1\ndata: x\n: 2\n\n: 3\n")]

    assert seen == [" 1", " 2", " 3", "x"]


def test_rule_10_what_a_callback_raises_passes_unchanged_and_fails_the_parser() -> None:
    failure = KeyError("from the callback")

    def on_comment(text: str) -> None:
        raise failure

    parser = SSEParser(on_comment=on_comment)
    assert parser.feed(b"id: 1\ndata: x\n\n") == [Event("x", id="1")]
    for read in (b"id: 2\n: c\n\nid: 3\n\n", b"data: y\n\n"):
        with pytest.raises(KeyError) as caught:
            parser.feed(read)
        assert caught.value is failure
    assert parser.close() == StreamEnd(None, 33, 1, 5, 0, 0, "", "1", None)


@pytest.mark.parametrize(
    "options", [{"errors": "ignore"}, {"max_event_size": 0}, {"last_event_id": None}]
)
def test_wrong_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises((ValueError, TypeError), match=next(iter(options))):
        SSEParser(**options)  # type: ignore[arg-type]


def test_counts_are_there_while_the_stream_runs() -> None:
    parser = SSEParser()
    parser.feed(b"data: \xff\n\nda")

    assert (parser.byte_count, parser.event_count, parser.replacements) == (11, 1, 1)
    assert parser.end is None
