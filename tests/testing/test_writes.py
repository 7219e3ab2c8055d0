"""What a hostile server writes: the body as the stream says, cut, each write with its wait."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from untorn import Event, SSEParser
from untorn.recording import Read, Recording
from untorn.testing import Stream
from untorn.testing._streams import LineEnd
from untorn.testing._writes import writes
from untorn.testing.strategies import wires

WIRE = "data: 火\ndata: b\n\nevent: e\ndata: c\n\n".encode()
EVENTS = [Event("a", id="1"), Event("b", id="2"), Event("c"), Event("d", id="2"), Event("e")]


def written(stream: Stream, last_event_id: str = "") -> list[bytes]:
    return [data for _, data in writes(stream, last_event_id)]


def parsed(wire: bytes, last_event_id: str = "") -> list[Event]:
    return SSEParser(last_event_id=last_event_id).feed(wire)


def test_a_body_is_one_write() -> None:
    assert [*writes(Stream(WIRE, delay=9), "")] == [(0.0, WIRE)]
    assert written(Stream()) == []


def test_events_are_written_as_a_server_does() -> None:
    assert parsed(b"".join(written(Stream(EVENTS)))) == EVENTS


@pytest.mark.parametrize(
    ("last_event_id", "rest"), [("", EVENTS), ("1", EVENTS[1:]), ("2", EVENTS[4:]), ("9", EVENTS)]
)
def test_a_client_that_comes_back_gets_the_rest(last_event_id: str, rest: list[Event]) -> None:
    wire = b"".join(written(Stream(EVENTS), last_event_id))
    assert parsed(wire, last_event_id) == rest
    everything = written(Stream(EVENTS, resume=False), last_event_id)
    assert parsed(b"".join(everything), last_event_id) == EVENTS


def test_a_retry_line_comes_first() -> None:
    assert written(Stream(WIRE, retry=20)) == [b"retry: 20\n\n" + WIRE]


def test_comments_keep_alive() -> None:
    [every] = written(Stream(WIRE, comments=1))
    assert every.split(b": keep-alive\n\n") == [b"", WIRE[:19], WIRE[19:]]
    [second] = written(Stream(WIRE * 2 + b"data: open\n", comments=3))
    assert second == b": keep-alive\n\n" + WIRE + WIRE[:19] + (
        b": keep-alive\n\n" + WIRE[19:] + b"data: open\n"
    )


@pytest.mark.parametrize(
    ("line_end", "wire"),
    [
        ("LF", b"a\nb\n\nc\n\nd"),
        ("CR", b"a\rb\r\rc\r\rd"),
        ("CRLF", b"a\r\nb\r\n\r\nc\r\n\r\nd"),
        ("mixed", b"a\nb\r\n\rc\n\r\nd"),
    ],
)
def test_line_ends(line_end: LineEnd, wire: bytes) -> None:
    assert written(Stream(b"a\nb\r\n\r\nc\n\rd", line_end=line_end)) == [wire]


def test_mixed_line_ends_never_make_one_of_two() -> None:
    assert written(Stream(b"a\nb\nc\n\n", line_end="mixed")) == [b"a\nb\r\nc\r\r\n"]


@given(wires("well-formed"), st.sampled_from(["LF", "CR", "CRLF", "mixed"]))
def test_line_ends_change_no_event(wire: bytes, line_end: LineEnd) -> None:
    assert parsed(b"".join(written(Stream(wire, line_end=line_end)))) == parsed(wire)


def test_a_byte_order_mark_is_first_of_all() -> None:
    [wire] = written(Stream(WIRE, byte_order_mark=True, comments=1))
    assert wire.startswith(b"\xef\xbb\xbf: keep-alive\n\ndata: ")


@pytest.mark.parametrize(
    ("stop_at", "left"),
    [(None, 0), (5, 32), (-1, 1), ("event", 1), ("line", 2), ("character", 29)],
)
def test_where_it_stops(stop_at: None, left: int) -> None:
    assert written(Stream(WIRE, stop_at=stop_at)) == [WIRE[: len(WIRE) - left]]


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"stop_at": "CRLF"}, "the body has no CRLF to stop inside"),
        ({"stop_at": 38}, "the body has 37 bytes, and no byte 38"),
        ({"stop_at": -38}, "the body has 37 bytes, and no byte -38"),
        ({"cut": ["CRLF"]}, "the body has no CRLF to be cut inside"),
        ({"cut": ["event", "JSON text"]}, "the body has no JSON text to be cut inside"),
        ({"cut": [0]}, "the body has 37 bytes: it cannot be cut at 0"),
        ({"cut": [1, 37]}, "the body has 37 bytes: it cannot be cut at 37"),
    ],
)
def test_a_body_that_has_no_place_for_it(options: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match="the body has") as raised:
        written(Stream(WIRE, **options))
    assert str(raised.value) == fault


def test_what_is_left_for_a_client_that_comes_back_may_have_no_place_for_it() -> None:
    stream = Stream([Event("火", id="1"), Event("b", id="2")], cut=["character"], stop_at=20)
    assert written(stream, "1") == [b"id: 2\ndata: b\n\n"]


@pytest.mark.parametrize(
    ("cut", "ends"),
    [
        ([3, 3], [3]),
        (["character"], [8]),
        (["event"], [10, 18, 28, 36]),
        (["character", "line", 1], [1, 4, 8, 9, 14, 24, 32]),
    ],
)
def test_cuts(cut: list[int | str], ends: list[int]) -> None:
    parts = written(Stream(WIRE, cut=cut))  # type: ignore[arg-type]
    assert b"".join(parts) == WIRE
    assert [sum(map(len, parts[: n + 1])) for n in range(len(parts) - 1)] == ends


def test_pieces_and_delays() -> None:
    assert [*writes(Stream(b"data: a\n\n", piece=4, delay=0.5), "")] == [
        (0.0, b"data"),
        (0.5, b": a\n"),
        (0.5, b"\n"),
    ]


def test_a_recording_is_sent_in_its_reads() -> None:
    reads = (Read(b"da", 0.25), Read(b"", 0.5), Read(b"ta: a", 1.0), Read(b"\n\n", 0.75))
    recording = Recording(reads)

    assert [*writes(Stream(recording, delay="recorded"), "")] == [
        (0.25, b"da"),
        (0.5, b"ta: a"),
        (0.0, b"\n\n"),
    ]
    assert [*writes(Stream(recording, delay=2.0, stop_at=4), "")] == [(0.0, b"da"), (2.0, b"ta")]
    assert written(Stream(recording, piece=5)) == [b"data:", b" a\n\n"]
