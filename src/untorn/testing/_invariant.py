"""Own the test that anyone can run on their parser: what comes out never depends on the cuts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from ._boundaries import Boundary, Kind, boundaries
from ._cuts import SEED, ways

T = TypeVar("T")

_SHOWN = 12  # bytes on each side of a cut
_LISTED = 20  # cuts of a kind

_WHY = {
    "character": "a reader that decodes each read by itself passes it (use text beyond ASCII)",
    "CRLF": "a reader that takes CR and LF for two line ends passes it",
    "JSON text": "a reader that parses each read as JSON is not found out",
    "line": "a reader that takes each read for whole lines passes it",
    "event": "a reader that takes each read for whole events passes it",
}


class _Unset:
    def __repr__(self) -> str:
        return "…"


UNSET: Any = _Unset()


@dataclass(frozen=True, slots=True)
class _Failure:
    how: str
    chunks: list[bytes]
    got: Any


def assert_cut_invariant(
    parse: Callable[[Iterable[bytes]], T],
    wire: bytes,
    *,
    expected: T = UNSET,
    must_cut: Sequence[Kind] = ("character", "event"),
    seed: int = SEED,
) -> None:
    r"""Check that a function from reads to a value gives the same value under every cut.

    Every cut in two, byte by byte, and some cuts by chance are tried, so a wire of a few hundred
    bytes is best. What ``parse`` raises for a cut wire is a failure like any other.

    Args:
        parse: The function: your parser, wrapped.
        wire: The body to cut.
        expected: What is right. Without it, a parser that always gives nothing passes, and so does
            one that trims, or one that knows no CRLF: they are wrong in the same way each time.
        must_cut: Boundaries that the wire must have, so that cutting it proves something.
        seed: What the cuts by chance depend on.

    Raises:
        AssertionError: The value depends on the cuts, or is not the expected one. The message names
            the cuts that fail by what they fall inside, and has lines that repeat the first.
        ValueError: The wire has no boundary of a kind that it must have.

    Example:
        >>> from untorn import iter_events
        >>> from untorn.testing import assert_cut_invariant
        >>> def parse(chunks):
        ...     with iter_events(chunks) as events:
        ...         return [event.data for event in events]
        >>> assert_cut_invariant(parse, "data: 火\n\ndata: 水\n\n".encode(), expected=["火", "水"])
    """
    marks = boundaries(wire)
    _require(marks, must_cut)
    whole = parse([wire])
    right = whole if expected is UNSET else expected
    if whole != right:
        raise AssertionError(f"even uncut, the result is not the expected one{_both(right, whole)}")
    failures = [
        failure
        for how, chunks in ways(wire, seed)
        if (failure := _tried(parse, how, chunks, right)) is not None
    ]
    if failures:
        raise AssertionError(_report(failures, wire, marks, right))


def _require(marks: list[Boundary], must_cut: Sequence[Kind]) -> None:
    there = {mark.value for mark in marks[1:-1]}
    for kind in must_cut:
        if kind not in _WHY:
            raise ValueError(f"{kind!r} is no boundary; there are: {', '.join(_WHY)}")
        if kind not in there:
            raise ValueError(f"no cut of this wire falls inside {_article(kind)}: {_WHY[kind]}")


def _tried(parse: Callable[[Iterable[bytes]], T], how: str, chunks: list[bytes], right: T) -> Any:
    try:
        got: Any = parse(list(chunks))
    except Exception as error:
        got = error
    return None if got == right else _Failure(how, chunks, got)


def _report(failures: list[_Failure], wire: bytes, marks: list[Boundary], right: Any) -> str:
    by_kind: dict[str, list[str]] = defaultdict(list)
    others = []
    for failure in failures:
        if failure.how.isdigit():
            by_kind[marks[int(failure.how)].value].append(failure.how)
        else:
            others.append(failure.how)
    cuts = sum(map(len, by_kind.values()))
    lines = [f"the result depends on the cuts: {cuts} of {len(wire) - 1} cuts in two fail"]
    lines += [f"inside {_article(kind)}: {_listed(places)}" for kind, places in by_kind.items()]
    lines += [f"also: {_listed(others)}"] if others else []
    return "\n".join([*lines, *_first(failures[0], wire, marks)]) + _both(right, failures[0].got)


def _first(failure: _Failure, wire: bytes, marks: list[Boundary]) -> list[str]:
    if not failure.how.isdigit():
        return [f"first: {failure.how}", "to repeat:", f"    parse({failure.chunks!r})"]
    place = int(failure.how)
    before, after = wire[max(place - _SHOWN, 0) : place], wire[place : place + _SHOWN]
    return [
        f"first: at byte {place}, inside {_article(marks[place].value)}",
        f"    {before.hex(' ')} | {after.hex(' ')}",
        f"    {before!r} | {after!r}",
        "to repeat:",
        f"    wire = {wire!r}",
        f"    parse([wire[:{place}], wire[{place}:]])",
    ]


def _article(kind: str) -> str:
    return kind if kind == "nothing" else f"{'an' if kind == 'event' else 'a'} {kind}"


def _listed(places: list[str]) -> str:
    more = f" and {len(places) - _LISTED} more" if len(places) > _LISTED else ""
    return ", ".join(places[:_LISTED]) + more


def _both(right: Any, got: Any) -> str:
    return f"\nexpected: {right!r}\ngot:      {got!r}"
