"""Own the cases as data, the ways of cutting a wire, and the one check that puts both together.

A *door* is any function from reads to what came out of them; ``check`` runs a case through one
door under a list of cuts and names those that fail, so that it serves for other parsers too
(``test_support.py`` shows that it catches wrong ones).
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import untorn
from untorn import Chunk

VECTORS = Path(__file__).parent / "vectors"
RETRY_MAX = 10**10  # ms: design rule 5
LONG = 2_000  # bytes: a longer wire is cut at a sample of places
SEED = 20260801

T = TypeVar("T")
Cut = tuple[int, ...]


@dataclass(frozen=True)
class Case:
    """One case of a vector file; a fact that the file leaves open is None."""

    name: str
    why: str
    wire: bytes
    events: list[tuple[str, str, str]]
    retry: int | None
    gives_retry: bool
    last_event_id: str | None
    ready_at: list[int] | None
    comments: list[str] | None
    tail: dict[str, Any] | None
    with_tail: list[tuple[str, str, str]] | None
    reads: Cut


@dataclass(frozen=True)
class Result:
    """What came out of a door. A parser without comments or an end leaves those None."""

    events: list[tuple[str, str, str]]
    comments: list[str] | None = None
    end: Any = None


Door = Callable[[Sequence[Chunk]], Result]


def load(*names: str) -> list[Case]:
    """Read vector files."""
    return [
        _case(raw)
        for name in names
        for raw in json.loads((VECTORS / f"{name}.json").read_text("utf-8"))
    ]


def _case(raw: dict[str, Any]) -> Case:
    wire = bytes.fromhex(raw["wire_hex"]) if "wire_hex" in raw else raw["wire"].encode()
    return Case(
        name=raw["name"],
        why=raw["why"],
        wire=wire,
        events=_triples(raw["events"]),
        retry=raw.get("retry"),
        gives_retry="retry" in raw,
        last_event_id=raw.get("last_event_id"),
        ready_at=raw.get("ready_at"),
        comments=raw.get("comments"),
        tail=raw.get("tail"),
        with_tail=_triples(raw["eof_flush_events"]) if "eof_flush_events" in raw else None,
        reads=_boundaries(raw.get("chunks", [])),
    )


def _triples(events: list[dict[str, str]]) -> list[tuple[str, str, str]]:
    return [(event["event"], event["data"], event["id"]) for event in events]


def _boundaries(lengths: list[int]) -> Cut:
    ends = [sum(lengths[: i + 1]) for i in range(len(lengths))]
    return tuple(ends[:-1])


# Cuts: a cut is the tuple of offsets at which one read ends and the next begins.


def pieces(wire: bytes, cut: Cut) -> list[bytes]:
    """Cut a wire; equal offsets give an empty piece."""
    edges = [0, *cut, len(wire)]
    return [wire[a:b] for a, b in pairwise(edges)]


def each_byte(wire: bytes) -> Cut:
    return tuple(range(1, len(wire)))


def two_way(wire: bytes) -> list[Cut]:
    """Give every two-way cut; of a long wire those near a line end, and a seeded sample."""
    every = range(1, len(wire))
    if len(wire) > LONG:
        ends = [match.start() for match in re.finditer(rb"[\r\n]", wire)]
        near = {end + step for end in ends for step in (-1, 0, 1, 2)}
        sample = random.Random(SEED).sample(every, 200)
        return [(offset,) for offset in sorted(near.union(sample) & set(every))]
    return [(offset,) for offset in every]


def many_way(wire: bytes, count: int = 5) -> list[Cut]:
    """Give seeded random cuts, each into two to about a third as many pieces as bytes."""
    rng = random.Random(SEED + len(wire))
    most = max(1, min(len(wire) // 3, 200))
    return [
        tuple(sorted(rng.choices(range(len(wire) + 1), k=rng.randint(1, most))))
        for _ in range(count)
    ]


def all_cuts(case: Case) -> list[Cut]:
    """Whole, as reported, byte by byte, two-way, many-way, and with empty reads between."""
    single = each_byte(case.wire)
    return [
        (),
        case.reads,
        single,
        *two_way(case.wire),
        *many_way(case.wire),
        (0, 0, *(offset for offset in single for _ in range(2)), len(case.wire)),
    ]


def few_cuts(case: Case) -> list[Cut]:
    """Whole, byte by byte, and one random cut."""
    return [(), each_byte(case.wire), many_way(case.wire, 1)[0]]


# Doors: every public way from reads to events, of this package or of a copy of it.


def feed_door(package: Any = untorn, as_chunk: Callable[[bytes], Chunk] = bytes) -> Door:
    """``feed``, with the reads as bytes, bytearray or memoryview."""

    def read(chunks: Sequence[Chunk]) -> Result:
        comments: list[str] = []
        parser = package.SSEParser(on_comment=comments.append)
        events = [event for chunk in chunks for event in parser.feed(as_chunk(bytes(chunk)))]
        return Result(triples(events), comments, parser.close())

    return read


def iter_door(package: Any = untorn) -> Door:
    def read(chunks: Sequence[Chunk]) -> Result:
        comments: list[str] = []
        parser = package.SSEParser(on_comment=comments.append)
        with package.iter_events(chunks, parser=parser) as stream:
            events = list(stream)
        return Result(triples(events), comments, stream.end)

    return read


def aiter_door(package: Any = untorn) -> Door:
    async def run(chunks: Sequence[Chunk]) -> Result:
        comments: list[str] = []
        parser = package.SSEParser(on_comment=comments.append)
        async with package.aiter_events(areads(chunks), parser=parser) as stream:
            events = [event async for event in stream]
        return Result(triples(events), comments, stream.end)

    return lambda chunks: drive(run(chunks))


async def areads(chunks: Sequence[Chunk]) -> AsyncIterator[Chunk]:
    for chunk in chunks:
        yield chunk


def drive(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that never really waits; an event loop a case would cost seconds."""
    try:
        coroutine.send(None)
    except StopIteration as stop:
        result: T = stop.value
        return result
    raise AssertionError("the coroutine waits for something")


def triples(events: Sequence[Any]) -> list[tuple[str, str, str]]:
    return [(event.event, event.data, event.id) for event in events]


# The check.


def failing_cuts(case: Case, door: Door, cuts: Sequence[Cut]) -> list[Cut]:
    """Run a case through a door under each cut and give the cuts under which it is wrong.

    Wrong is what differs from the case's facts, or from the uncut wire in anything else. A door
    that raises is wrong as well: no byte string is an error in the standard.
    """
    whole = _attempt(door, [case.wire])
    if whole is None or list(wrong_facts(case, whole)):
        return list(cuts)
    return [cut for cut in cuts if _attempt(door, pieces(case.wire, cut)) != whole]


def _attempt(door: Door, reads: Sequence[bytes]) -> Result | None:
    try:
        return door(reads)
    except (ValueError, TypeError):
        return None


def wrong_facts(case: Case, result: Result) -> Iterator[str]:
    """Name what differs from the case's expectations."""
    if result.events != case.events:
        yield f"events {result.events!r}, not {case.events!r}"
    if None not in (case.comments, result.comments) and result.comments != case.comments:
        yield f"comments {result.comments!r}, not {case.comments!r}"
    end = result.end
    if end is None:
        return
    if end.event_count != len(case.events):
        yield f"event_count {end.event_count}"
    retry = None if case.retry is None else min(case.retry, RETRY_MAX)
    if case.gives_retry and end.retry != retry:
        yield f"retry {end.retry!r}, not {retry!r}"
    if case.last_event_id is not None and end.last_event_id != case.last_event_id:
        yield f"last_event_id {end.last_event_id!r}, not {case.last_event_id!r}"
    if case.tail is not None and tail_facts(end) != case.tail:
        yield f"tail {tail_facts(end)!r}, not {case.tail!r}"
    if case.with_tail is not None:
        extra = triples([end.tail.event]) if end.tail and end.tail.event else []
        if case.events + extra != case.with_tail:
            yield f"tail event {extra!r}, not the last of {case.with_tail!r}"


def tail_facts(end: Any) -> dict[str, Any]:
    """Say of a tail what the case files say: the line, and whether data of earlier lines waits."""
    if end.tail is None:
        return {"line": "", "pending_data": False}
    name = end.tail.line.partition(":")[0]
    data = end.tail.event.data if end.tail.event else None
    waiting = data is not None and (name != "data" or "\n" in data)
    return {"line": end.tail.line, "pending_data": waiting}


def ready_at(case: Case, package: Any = untorn) -> list[int]:
    """Feed byte by byte and give, for each event, how many bytes it took."""
    parser = package.SSEParser()
    return [
        offset + 1
        for offset in range(len(case.wire))
        for _ in parser.feed(case.wire[offset : offset + 1])
    ]


def check(case: Case, door: Door, cuts: Sequence[Cut]) -> None:
    """Assert that a case is right under each cut."""
    assert list(wrong_facts(case, door([case.wire]))) == [], case.why
    assert failing_cuts(case, door, cuts) == [], case.why
