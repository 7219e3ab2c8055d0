"""What the reads of a recording end inside, and what naive readers lose there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from untorn.cli._facts import Loss
from untorn.cli._naive import DECODER, EVENTS, LINES, Reads
from untorn.recording import Read, Recording
from untorn.testing import Boundary, boundaries
from untorn.testing.strategies import cuts, wires


def losses(*reads: bytes) -> list[Loss]:
    return [*Reads(Recording.of(reads)).losses()]


def test_the_reads_and_what_they_end_inside() -> None:
    reads = Reads(Recording((Read(b"data: a", 0.5), Read(b"", 0.6), Read(b"\n\n", 0.7))))

    assert [(read.number, read.start, read.end, read.time) for read in reads.seen] == [
        (1, 0, 7, 0.5),
        (2, 7, 7, 0.6),
        (3, 7, 9, 0.7),
    ]
    assert [read.inside for read in reads.seen[:2]] == [Boundary.LINE] * 2
    assert [read.last for read in reads.seen] == [False, False, True]
    assert reads.size == 9
    assert reads.counts() == {
        "character": 0,
        "CRLF": 0,
        "JSON text": 0,
        "line": 2,
        "event": 0,
        "nothing": 0,
    }


def test_no_reads_at_all() -> None:
    reads = Reads(Recording())
    assert (reads.seen, [*reads.losses()], sum(reads.counts().values())) == ([], [], 0)


@pytest.mark.parametrize(
    ("reads", "text", "given"),
    [
        ((b"data: \xe7", b"\x81\xab\n\n"), "火", "���"),
        ((b"data: \xe7\x81", b"\xab\n\n"), "火", "��"),
        ((b"data: \xf0\x9f", b"\xa6", b"\x8a\n\n"), "🦊", "���"),
        ((b"data: \xc3", b"\xa9"), "é", "��"),
        ((b"data: \xc3", b"\xa9\x80\n\n"), "é", "��"),
        ((b"\xef\xbb\xbfdata: \xc3", b"\xa9\n\n"), "é", "��"),
    ],
)
def test_a_decoder_for_each_read_loses_a_character(
    reads: tuple[bytes, ...], text: str, given: str
) -> None:
    place, number = len(reads[0]), 1
    assert losses(*reads)[0] == Loss(place, number, DECODER, text, given)


@pytest.mark.parametrize(
    ("reads", "text"),
    [
        ((b"data: ab", b"cd\r\n\r\n"), "cd"),
        ((b"data: ab", b"cd\rdata: x\n\n"), "cd"),
        ((b"data: ab", b"cd"), "cd"),
        ((b'data: {"a": ', b'"\xff"}\n\n'), '"\ufffd"}'),
    ],
)
def test_a_reader_of_whole_lines_loses_the_rest(reads: tuple[bytes, ...], text: str) -> None:
    assert losses(*reads) == [Loss(len(reads[0]), 1, LINES, text, "")]


@pytest.mark.parametrize(
    ("reads", "text"),
    [
        ((b"event: x\n", b"data: one\n", b"data: two\n", b"\n"), "one\ntwo"),
        ((b"data: one\r\n", b": c\r\ndata:two\r\nid: 7\r\ndata\r\n\r\ndata: x"), "two\n"),
        ((b"data: one\r", b"data:  \xff"), " \ufffd"),
    ],
)
def test_a_reader_of_whole_events_loses_the_rest(reads: tuple[bytes, ...], text: str) -> None:
    assert losses(*reads) == [Loss(len(reads[0]), 1, EVENTS, text, "")]


@pytest.mark.parametrize(
    "reads",
    [
        (b"data: a\n\n", b"data: b\n\n"),
        (b"data: a\n", b"\n"),
        (b"data: a\n", b"id: 7\n\n"),
        (b"data: a\r", b"\n\r\n"),
        (b": comm", b"ent\n\n"),
        (b": \xc3", b"\xa9\n\n"),
        (b"da", b"ta: a\n\n"),
        (b"event: \xc3", b"\xa9\ndata: a\n\n"),
        (b"data: a\n\n: \xe7", b""),
        (b"data: a", b"\n\n"),
    ],
)
def test_where_no_text_is_lost(reads: tuple[bytes, ...]) -> None:
    assert losses(*reads) == []


def test_the_first_of_each_habit() -> None:
    assert losses(b"data: \xc3", b"\xa9", b"b\n\ndata: \xc3", b"\xa9\n\n") == [
        Loss(7, 1, DECODER, "é", "��"),
        Loss(8, 2, LINES, "b", ""),
    ]


@given(wires().flatmap(lambda wire: st.tuples(st.just(wire), cuts(wire))))
def test_every_read_is_told_as_every_cut_is(pair: tuple[bytes, list[bytes]]) -> None:
    wire, chunks = pair
    reads = Reads(Recording.of(chunks))
    everywhere = boundaries(wire)

    assert [read.inside for read in reads.seen] == [everywhere[read.end] for read in reads.seen]
    for loss in reads.losses():
        assert loss.place in {read.end for read in reads.seen[:-1]}
        assert loss.text
        assert loss.given != loss.text
