"""Own the test that anyone can run on their parser: what comes out never depends on the cuts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, TypeVar

from ._boundaries import Boundary, Kind, article, boundaries
from ._cuts import SEED, ways

T = TypeVar("T")

_SHOWN = 12  # bytes on each side of a cut
_LISTED = 20  # cuts of a kind
_MOST = 4_000  # characters of a value

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

    Every cut in two, byte by byte, and some cuts by chance are tried; of more than 1,200 cuts in
    two a sample, of each kind of boundary. What ``parse`` raises for a cut wire is a failure like
    any other.

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
        TypeError: What ``parse`` gives cannot be compared, such as a generator or a coroutine.

    Example:
        >>> from untorn import iter_events
        >>> from untorn.testing import assert_cut_invariant
        >>> def parse(chunks):
        ...     with iter_events(chunks) as events:
        ...         return [event.data for event in events]
        >>> assert_cut_invariant(parse, "data: 火\n\ndata: 水\n\n".encode(), expected=["火", "水"])
    """
    wire = _as_bytes(wire)
    marks = boundaries(wire)
    _require(marks, must_cut)
    whole = _uncut(parse, wire)
    right = whole if expected is UNSET else expected
    if not _same(whole, right):
        raise AssertionError(f"even uncut, the result is not the expected one{_both(right, whole)}")
    tried = {how: _tried(parse, how, chunks, right) for how, chunks in ways(wire, seed)}
    failures = [failure for failure in tried.values() if failure is not None]
    if failures:
        cuts = sum(how.isdigit() for how in tried)
        said = f"{_report(failures, wire, marks, cuts)}\nseed of the random cuts: {seed}"
        raise AssertionError(said + _both(right, failures[0].got))


def _as_bytes(wire: object) -> bytes:
    if isinstance(wire, (bytes, bytearray, memoryview)):
        return bytes(wire)
    raise TypeError(f"the wire is bytes, not {type(wire).__name__}: .encode() a text")


def _uncut(parse: Callable[[Iterable[bytes]], T], wire: bytes) -> T:
    """Parse the body uncut, twice: what differs then has nothing to do with cuts."""
    result = parse([wire])
    if isinstance(result, (Iterator, AsyncIterator, Awaitable)):
        close = getattr(result, "close", None)
        if close is not None:
            close()
        raise TypeError(
            f"parse gives a {type(result).__name__}, which is nothing to compare: return a list, "
            "and run what is asynchronous, as in lambda chunks: asyncio.run(read(chunks))"
        )
    # A copy, since a parser may give the same list each time, and go on filling it.
    first = deepcopy(result)
    again = parse([wire])
    if not _same(first, again):
        raise AssertionError(
            "two runs over the same uncut body differ: the parser keeps state from one to the "
            f"next, or its results have no __eq__{_both(first, again)}"
        )
    return first


def _same(one: object, other: object) -> bool:
    try:
        return bool(one == other)
    except Exception as error:
        raise TypeError(f"the results cannot be compared with ==: {error!r}") from error


def _require(marks: list[Boundary], must_cut: Sequence[Kind]) -> None:
    there = {mark.value for mark in marks[1:-1]}
    for kind in [must_cut] if isinstance(must_cut, str) else must_cut:
        if kind not in _WHY:
            raise ValueError(f"{kind!r} is no boundary; there are: {', '.join(_WHY)}")
        if kind not in there:
            raise ValueError(f"no cut of this wire falls inside {article(kind)}: {_WHY[kind]}")


def _tried(parse: Callable[[Iterable[bytes]], T], how: str, chunks: list[bytes], right: T) -> Any:
    try:
        got: Any = parse(list(chunks))
    except Exception as error:
        got = error
    return None if _same(got, right) else _Failure(how, chunks, got)


def _report(failures: list[_Failure], wire: bytes, marks: list[Boundary], tried: int) -> str:
    by_kind: dict[str, list[str]] = defaultdict(list)
    others = []
    for failure in failures:
        if failure.how.isdigit():
            by_kind[marks[int(failure.how)].value].append(failure.how)
        else:
            others.append(failure.how)
    cuts = sum(map(len, by_kind.values()))
    lines = [f"the result depends on the cuts: {cuts} of {tried} cuts in two fail"]
    lines += [f"inside {article(kind)}: {_listed(places)}" for kind, places in by_kind.items()]
    lines += [f"also: {_listed(others)}"] if others else []
    return "\n".join([*lines, *_first(failures[0], wire, marks)])


def _first(failure: _Failure, wire: bytes, marks: list[Boundary]) -> list[str]:
    if not failure.how.isdigit():
        return [f"first: {failure.how}", "to repeat:", f"    parse({_shown(failure.chunks)})"]
    place = int(failure.how)
    before, after = wire[max(place - _SHOWN, 0) : place], wire[place : place + _SHOWN]
    return [
        f"first: at byte {place}, inside {article(marks[place].value)}",
        f"    {before.hex(' ')} | {after.hex(' ')}",
        f"    {before!r} | {after!r}",
        "to repeat:",
        f"    wire = {_shown(wire)}",
        f"    parse([wire[:{place}], wire[{place}:]])",
    ]


def _listed(places: list[str]) -> str:
    more = f" and {len(places) - _LISTED} more" if len(places) > _LISTED else ""
    return ", ".join(places[:_LISTED]) + more


def _both(right: Any, got: Any) -> str:
    return f"\nexpected: {_shown(right)}\ngot:      {_shown(got)}"


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _MOST else f"{text[:_MOST]} … {len(text):,} characters in all"
