"""The short ways through feed: whatever they take, they give what the long way does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from untorn import Event, EventTooLargeError, SSEParser, StreamEnd
from untorn._lines import LineBuffer
from untorn._utf8 import Utf8Decoder
from untorn.testing.strategies import cuts, wires

SIMPLE = "data: 火\n\n".encode()


def facts(parser: SSEParser) -> tuple[object, ...]:
    return (parser.last_event_id, parser.retry, parser.byte_count, parser.event_count)


def long_way(reads: list[bytes], limit: int | None) -> tuple[list[object], StreamEnd]:
    """Feed bytearrays, which no short way takes."""
    parser = SSEParser(max_event_size=limit)
    seen: list[object] = []
    for read in reads:
        try:
            seen.append((parser.feed(bytearray(read)), *facts(parser)))
        except EventTooLargeError as error:
            seen.append((list(error.events), "too large", *facts(parser)))
    return seen, parser.close()


def any_way(reads: list[bytes], limit: int | None) -> tuple[list[object], StreamEnd]:
    parser = SSEParser(max_event_size=limit)
    seen: list[object] = []
    for read in reads:
        try:
            seen.append((parser.feed(read), *facts(parser)))
        except EventTooLargeError as error:
            seen.append((list(error.events), "too large", *facts(parser)))
    return seen, parser.close()


@given(
    wires().flatmap(lambda wire: st.tuples(st.just(wire), cuts(wire))),
    st.sampled_from([None, 1, 7, 20, 60]),
)
def test_both_ways_give_the_same_after_each_read(
    pair: tuple[bytes, list[bytes]], limit: int | None
) -> None:
    assert any_way(pair[1], limit) == long_way(pair[1], limit)


@given(
    st.lists(
        st.sampled_from(
            [
                *(SIMPLE, b"data: a\n\n", b"data: \xff\n\n", b"data: a\r\n\r\n", b"data: a\rb\n\n"),
                *(b"data: a\n", b"\n", b"id: 7\n", b"event: e\n", b"retry: 5\n", b": c\n\n", b"x"),
                *(b"\r", b"\n\r", b"\n\n\r", b"\r\n", b"\n\nevent: f", b"data: b\n" * 150),
                *(b"data: a\n\ndata: b\n\n", b"data: " + b"x" * 30 + b"\n\n", b"data", b"data: x"),
            ]
        ),
        max_size=12,
    ),
    st.sampled_from([None, 9, 30, 700]),
)
def test_both_ways_give_the_same_for_what_the_short_ones_are_made_for(
    reads: list[bytes], limit: int | None
) -> None:
    assert any_way(reads, limit) == long_way(reads, limit)


def test_the_events_of_a_failed_read_are_given_once() -> None:
    parser = SSEParser(max_event_size=20)
    with pytest.raises(EventTooLargeError) as raised:
        parser.feed(SIMPLE + b"data: " + b"x" * 30)
    assert raised.value.events == (Event("火"),)
    assert parser._given == [Event("火")]
    with pytest.raises(EventTooLargeError) as again:
        parser.feed(SIMPLE)
    assert (again.value.events, parser._given) == ((), [])


def test_a_gathered_line_that_passes_the_limit_fails_with_its_read() -> None:
    parser = SSEParser(max_event_size=10)
    assert parser.feed(SIMPLE[:0] + b"\n") == []
    assert parser.feed(b"data: abcd") == []
    with pytest.raises(EventTooLargeError):
        parser.feed(b"e")
    assert parser.close().byte_count == 12


@pytest.mark.parametrize(
    "reads",
    [
        # What ends an event and has more behind it, in reads that are small.
        [b"data: x", b"\n\n\rdata: y\n\n"],
        [b"data: x", b"\n\n\r", b"\ndata: y\n\n"],
        [b"data: x", b"\r\n\r\n\r", b"\ndata: y\r\n\r\n"],
        [b"data: x\r", b"\n\r\n", b"data: y\n\n"],
        [b"data: x", b"\n\ndata: y", b"\n\n"],
        [b"event: e", b"\ndata: x\n\nevent: f", b"\ndata: y\n\n"],
        [b"data: x", b"\n\n" + "é".encode(), b"\n\n"],
        # An event of many lines, in reads that are large.
        [b"data: a\n", b"data: b\n" * 200, b"data: c\n\n"],
        [b"data: a\nda", b"ta: b\n" + b"data: c\n" * 200 + b"da", b"ta: d\n\n"],
        [b"data: a\n", b"data: b\n" * 200 + b"data:c\n", b"\n"],
        [b"data: a\n", b"data: b\n" * 200 + b"\ndata: c\n\n"],
        [b"data: a\n", b"data: b\r\n" * 200, b"\r\n"],
        [b"data: a\n", b"data: data: b\n" * 200, b"\n"],
        [b"data: a\n", b"data: \ndata: b\n" * 200 + b"id: 7\n", b"\n"],
        [b"event: e\n", b"data: b\n" * 200, b"\n"],
        [b"data: a\n", "data: 火\n".encode() * 200, b"\n"],
        [b"data: a\n", b"data: b\n" * 200 + b"x" * 2_000, b"\n\n"],
    ],
)
@pytest.mark.parametrize("limit", [None, 100, 1_000, 3_000])
def test_both_ways_give_the_same_over_an_event_in_several_reads(
    reads: list[bytes], limit: int | None
) -> None:
    begun = [b"data: first\n\n", *reads]
    assert any_way(begun, limit) == long_way(begun, limit)


def test_a_read_without_a_line_end_is_only_gathered(monkeypatch: pytest.MonkeyPatch) -> None:
    parser = SSEParser()
    parser.feed(b"data: a\n\nda")
    monkeypatch.delattr(LineBuffer, "cut")

    assert parser.feed(b"ta: b") == []
    assert bytes(parser._lines.pending) == b"data: b"


def test_a_read_of_whole_characters_needs_no_decoder(monkeypatch: pytest.MonkeyPatch) -> None:
    parser = SSEParser()
    parser.feed(b"data: a\n\n")
    monkeypatch.delattr(Utf8Decoder, "decode")

    assert parser.feed("data: 火\r\n\r".encode()) == [Event("火")]
    assert parser.feed(b"\ndata: ") == parser.feed("火".encode()) == []
    assert parser.feed(b"\n\n") == [Event("火")]
