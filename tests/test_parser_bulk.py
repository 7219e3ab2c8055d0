"""Reads that are larger than what is taken apart at once, or than an event may be."""

from __future__ import annotations

import tracemalloc

import pytest
from support import Case, check, feed_door, few_cuts, load

from untorn import Event, EventTooLargeError, SSEParser, _parser
from untorn._fields import FieldReader

EVENT = "data: песня\n\n".encode()


@pytest.mark.parametrize("bulk", [8, 90])
@pytest.mark.parametrize("case", load("spec"), ids=lambda case: case.name)
def test_what_comes_out_does_not_depend_on_the_pieces(
    monkeypatch: pytest.MonkeyPatch, case: Case, bulk: int
) -> None:
    monkeypatch.setattr(_parser, "BULK", bulk)
    check(case, feed_door(), few_cuts(case))


@pytest.mark.parametrize("limit", [4_000, 100_000, None])
def test_a_read_beyond_the_limit_is_not_taken_line_by_line(
    monkeypatch: pytest.MonkeyPatch, limit: int | None
) -> None:
    pieces: list[int] = []
    read = FieldReader.read

    def counted(self: FieldReader, lines: str) -> list[Event]:
        pieces.append(len(lines))
        return read(self, lines)

    monkeypatch.setattr(FieldReader, "read", counted)
    parser = SSEParser(max_event_size=limit)
    events = parser.feed(EVENT * 20_000)

    assert events == [Event("песня")] * 20_000
    assert max(pieces) <= min(limit or 10**9, _parser.BULK) // 4
    assert len(pieces) <= 20_000 * len(EVENT.decode()) * 4 / min(limit or 10**9, _parser.BULK) * 1.1


def test_a_line_in_a_large_read_is_still_measured() -> None:
    parser = SSEParser(max_event_size=100)
    with pytest.raises(EventTooLargeError) as caught:
        parser.feed(EVENT * 1_000 + b"data: " + b"x" * 100 + b"\n\n" + EVENT)

    assert len(caught.value.events) == 1_000
    assert parser.close().line_count == 2_000


@pytest.mark.parametrize("block", [b"x\n\n", b"id: 1\n\n", b":\n\n"])
def test_a_large_read_takes_little_more_memory_than_it_has(block: bytes) -> None:
    body = block * (600_000 // len(block))
    parser = SSEParser()
    parser.feed(b"data: first\n\n")
    tracemalloc.start()
    try:
        assert parser.feed(body) == []
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert peak < 7_000_000
