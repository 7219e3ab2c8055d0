"""Own the race of making events: the parser's way, a plain class of slots, the constructor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from contenders import OURS, Contender, Plain, Reader, ours
from shapes import Shape

COUNT = 100_000
PLAIN = "plain slotted class"
CONSTRUCTOR = "Event(...)"
NAMES = ("event",)


def shape(name: str) -> Shape:
    """Make the data of events."""
    return Shape(name, f"{COUNT:,} events", tuple(map(str, range(COUNT))), COUNT)


def lineup(name: str) -> list[Contender]:
    """Give the ways of making events."""
    return [
        Contender(OURS, ours().version, _drafts()),
        Contender(PLAIN, "", _plain),
        Contender(CONSTRUCTOR, "", _constructor()),
    ]


def _drafts() -> Reader:
    """Fill a draft and give it the class, as the parser does in its loop."""
    from untorn._event import Event, EventDraft

    def read(texts: Sequence[Any]) -> int:
        made = []
        for text in texts:
            draft = EventDraft()
            draft.data = text
            draft.event = "message"
            draft.id = ""
            draft.retry = None
            draft.__class__ = Event  # type: ignore[assignment]
            made.append(draft)
        return len(made)

    return read


def _plain(texts: Sequence[Any]) -> int:
    made = []
    for text in texts:
        made.append(Plain(text, "message", "", None))
    return len(made)


def _constructor() -> Reader:
    from untorn import Event

    def read(texts: Sequence[Any]) -> int:
        made = []
        for text in texts:
            made.append(Event(text, "message", "", None))
        return len(made)

    return read
