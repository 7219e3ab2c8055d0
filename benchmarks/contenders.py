"""Own what a contender of the race is, and the two that need no package: untorn and the floor.

Which others there are is said in ``lineup.py``, and how each is driven in the ``peers_*`` modules.
Nothing here knows a clock.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

Reads: TypeAlias = Sequence[Any]  # bytes, where parsers race
Reader: TypeAlias = Callable[[Reads], int]
Timed: TypeAlias = Callable[[Reads], tuple[int, float]]

FLOOR = "floor"
OURS = "untorn"


@dataclass(frozen=True, slots=True)
class Contender:
    """One parser.

    Args:
        name: What it is called; "floor" is what any of them must do at least.
        version: That is measured.
        read: Reads a body and gives how many events it held.
        timed: The same, and gives the seconds as well, where another process has the clock.
    """

    name: str
    version: str
    read: Reader
    timed: Timed | None = None


class Plain:
    """Hold four fields, as plainly as a class of slots can."""

    __slots__ = ("data", "event", "id", "retry")

    def __init__(self, data: str, event: str, id: str, retry: int | None) -> None:
        self.data = data
        self.event = event
        self.id = id
        self.retry = retry


def floor() -> Contender:
    """Decode each read, split it, build as many objects: no parsing at all."""

    def read(reads: Reads) -> int:
        built: list[Plain] = []
        for each in reads:
            blocks = each.decode("utf-8", "replace").split("\n\n")
            built += [Plain(block, "message", "", None) for block in blocks]
        return len(built)

    return Contender(FLOOR, "", read)


def ours() -> Contender:
    """Feed each read, as a program does that has its own loop."""
    # Only the inner run has it on its path.
    from untorn import SSEParser, __version__

    def read(reads: Reads) -> int:
        parser = SSEParser()
        events = 0
        for each in reads:
            events += len(parser.feed(each))
        return events

    return Contender(OURS, __version__, read)
