"""The helper that judges the parser is judged here: it must catch parsers that are wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from support import (
    Case,
    Result,
    all_cuts,
    each_byte,
    failing_cuts,
    load,
    many_way,
    pieces,
    tail_facts,
    two_way,
    wrong_facts,
)

from untorn import Chunk, SSEParser

FIRE = 'data: {"part":"A"}\n\ndata: {"part":"火"}\n\ndata: {"part":"B"}\n\n'


def case(wire: str, *data: str) -> Case:
    return Case(
        name="made",
        why="made for this test",
        wire=wire.encode(),
        events=[("message", text, "") for text in data],
        retry=None,
        gives_retry=True,
        last_event_id="",
        ready_at=None,
        comments=[],
        tail={"line": "", "pending_data": False},
        with_tail=None,
        reads=(),
    )


def naive(chunks: Sequence[Chunk]) -> Result:
    """Decode each read by itself: the tutorials' way."""
    text = "".join(bytes(chunk).decode("utf-8", "replace") for chunk in chunks)
    return _blocks(text)


def strict_naive(chunks: Sequence[Chunk]) -> Result:
    """Decode each read by itself, raising on a cut character."""
    return _blocks("".join(bytes(chunk).decode() for chunk in chunks))


def lf_only(chunks: Sequence[Chunk]) -> Result:
    """Decode as one, but know no line end other than LF."""
    return _blocks(b"".join(bytes(chunk) for chunk in chunks).decode())


def line_a_read(chunks: Sequence[Chunk]) -> Result:
    """Cut lines read by read, as if no read ended inside one."""
    lines = [
        line for chunk in chunks for line in bytes(chunk).decode("utf-8", "replace").split("\n")
    ]
    data = [line.removeprefix("data: ") for line in lines if line.startswith("data: ")]
    return Result([("message", text, "") for text in data])


def _blocks(text: str) -> Result:
    blocks = text.split("\n\n")[:-1]
    return Result([("message", block.removeprefix("data: "), "") for block in blocks])


def test_a_fresh_decoder_a_read_fails_at_two_of_the_61_cuts() -> None:
    fire = case(FIRE, '{"part":"A"}', '{"part":"火"}', '{"part":"B"}')
    cuts = two_way(fire.wire)

    assert (len(fire.wire), len(cuts)) == (62, 61)
    assert failing_cuts(fire, naive, cuts) == [(36,), (37,)]
    assert failing_cuts(fire, strict_naive, cuts) == [(36,), (37,)]
    assert failing_cuts(fire, naive, [each_byte(fire.wire)]) == [each_byte(fire.wire)]


def test_an_lf_only_framer_fails_under_every_cut_of_a_crlf_wire() -> None:
    crlf = case(FIRE.replace("\n", "\r\n"), '{"part":"A"}', '{"part":"火"}', '{"part":"B"}')
    cuts = all_cuts(crlf)

    assert failing_cuts(crlf, lf_only, cuts) == cuts
    assert (
        failing_cuts(case(FIRE, '{"part":"A"}', '{"part":"火"}', '{"part":"B"}'), lf_only, cuts)
        == []
    )


def test_a_reader_that_cuts_lines_read_by_read_fails_inside_each_data_line() -> None:
    wire = case("data: ab\n\n", "ab")

    assert failing_cuts(wire, line_a_read, two_way(wire.wire)) == [(n,) for n in range(1, 8)]


@pytest.mark.parametrize("door", [naive, strict_naive, lf_only, line_a_read])
def test_no_wrong_parser_passes_the_files(door: Callable[[Sequence[Chunk]], Result]) -> None:
    failing = [c.name for c in load("spec", "bugreports_sse") if failing_cuts(c, door, [()])]

    assert len(failing) > 200


@pytest.mark.parametrize(
    ("wire", "fact"),
    [
        ("data: y\n\n", "events"),
        ("data: x\n\ndata: x\n\n", "event_count"),
        (": c\ndata: x\n\n", "comments"),
        ("retry: 5\ndata: x\n\n", "retry"),
        ("data: x\n\nid: 5\n\n", "last_event_id"),
        ("data: x\n\ndata: z", "tail"),
    ],
)
def test_every_kind_of_fact_is_compared(wire: str, fact: str) -> None:
    comments: list[str] = []
    parser = SSEParser(on_comment=comments.append)
    events = [(e.event, e.data, e.id) for e in parser.feed(wire.encode())]
    facts = wrong_facts(case("data: x\n\n", "x"), Result(events, comments, parser.close()))

    assert fact in [text.split()[0] for text in facts]


def test_waiting_data_is_told_from_an_unfinished_data_line() -> None:
    def facts(wire: bytes) -> dict[str, object]:
        parser = SSEParser()
        parser.feed(wire)
        return tail_facts(parser.close())

    assert facts(b"data: a\ndata: b") == {"line": "data: b", "pending_data": True}
    assert facts(b"data: b") == {"line": "data: b", "pending_data": False}
    assert facts(b"data: a\nid") == {"line": "id", "pending_data": True}


def test_cuts_are_complete_and_lose_nothing() -> None:
    wire = bytes(range(256)) * 10
    short = wire[:50]

    assert two_way(short) == [(n,) for n in range(1, 50)]
    assert each_byte(short) == tuple(range(1, 50))
    assert pieces(short, (0, 10, 10)) == [b"", short[:10], b"", short[10:]]
    assert all(b"".join(pieces(wire, cut)) == wire for cut in [*two_way(wire), *many_way(wire)])
    assert len(set(many_way(wire))) == 5
    assert {cut[0] for cut in two_way(wire)} >= {
        n + 256 * k for n in range(9, 16) for k in range(10)
    }
