"""Own what an inspection finds, as values; how it is said, in lines or in JSON, others know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from .. import Event, StreamEnd
from ..testing import Boundary
from ._bad_bytes import Run

Layer: TypeAlias = Literal["bytes", "framing", "JSON", "provider", "none"]


@dataclass(frozen=True, slots=True)
class EventSeen:
    """An event, and where its block stands, up to the byte that completed it."""

    number: int
    start: int
    end: int
    event: Event


@dataclass(frozen=True, slots=True)
class CommentSeen:
    """A comment, and where its line stands."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class ReadSeen:
    """A read of a recording, when it came, and what its end falls inside."""

    number: int
    start: int
    end: int
    time: float
    inside: Boundary
    last: bool


@dataclass(frozen=True, slots=True)
class Loss:
    """What a naive reader would have lost first, and what it would have given instead.

    Args:
        place: The offset of the cut.
        read: The number of the read that ends there.
        habit: What makes the reader naive.
        text: What is lost.
        given: What it gives for that.
    """

    place: int
    read: int
    habit: str
    text: str
    given: str


@dataclass(frozen=True, slots=True)
class Broken:
    """The lowest layer that broke, and why one can tell."""

    layer: Layer
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a stream ended.

    Args:
        end: What the parser says of it.
        line_ends: How many of each kind there were.
        comments: How many.
        marked: Whether it began with a byte order mark.
        cut: The bytes of a character that was cut by the end, and where they stand.
        broken: Which layer broke.
        too_large: Where the event begins that passed the limit, and the limit in bytes.
    """

    end: StreamEnd
    line_ends: Mapping[str, int]
    comments: int
    marked: bool
    cut: tuple[int, bytes]
    broken: Broken
    too_large: tuple[int, int] | None = None

    @property
    def where(self) -> str:
        """Say what the end fell inside."""
        if self.cut[1]:
            return "inside a character"
        if self.end.tail is None:
            return "between events"
        return "inside a line" if self.end.tail.line else "inside an event"


Fact: TypeAlias = EventSeen | CommentSeen | Run | ReadSeen | Ending
