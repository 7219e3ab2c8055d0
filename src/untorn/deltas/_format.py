"""Own what a format is: the one method of a user's own, and what the built-in ones add to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, Protocol, TypeAlias

from ._payload import JSONReader, PayloadReader
from ._register import EndRule, Options, Register
from ._types import Delta, EventLike

FormatName: TypeAlias = Literal[
    "ag-ui",
    "anthropic",
    "auto",
    "cohere",
    "gemini",
    "openai-assistants",
    "openai-chat",
    "openai-completions",
    "openai-responses",
    "plain",
    "vercel-ui",
]
EventReader: TypeAlias = Callable[[EventLike], Iterable[Delta]]


class Format(Protocol):
    """Say what the events of a stream mean: a user's own format is any object with ``reader``.

    Example:
        >>> from untorn import Event
        >>> from untorn.deltas import DeltaAssembler, EndMarker, TextDelta
        >>> class Words:
        ...     def reader(self):
        ...         def read(event):
        ...             if event.event == "over":
        ...                 yield EndMarker("over")
        ...             else:
        ...                 yield TextDelta(event.data)
        ...         return read
        >>> assembler = DeltaAssembler(Words())
        >>> deltas = assembler.feed(Event("Hello")) + assembler.feed(Event("", "over"))
        >>> assembler.message.text, assembler.message.outcome.value
        ('Hello', 'completed')
    """

    def reader(self) -> EventReader:
        """Give a function from an event to its deltas, with fresh state for one stream."""


class BuiltIn:
    """Be the base of the built-in formats: each opens a reader on the register of a stream."""

    __slots__ = ()

    name: str

    def ending(self) -> EndRule:
        """Say what ends a stream of this format."""
        raise NotImplementedError

    def open(self, register: Register) -> EventReader:
        """Give a reader that tells the register what it knows beside its deltas."""
        raise NotImplementedError

    def reader(self) -> EventReader:
        """Give a function from an event to its deltas, with fresh state for one stream."""
        return self.open(Register(Options()))


class JSONFormat(BuiltIn):
    """Be a format whose payloads are JSON objects: a name, what ends it, and how to read one.

    Args:
        name: The format's name.
        ends: What ends a stream of it.
        read: Makes the reader of payloads for one stream.
        done_ends: Whether "[DONE]" is its end marker.
    """

    __slots__ = ("_done_ends", "_ends", "_read", "name")

    def __init__(
        self,
        name: str,
        ends: EndRule,
        read: Callable[[Register], PayloadReader],
        *,
        done_ends: bool = False,
    ) -> None:
        self.name: str = name
        self._ends, self._read, self._done_ends = ends, read, done_ends

    def ending(self) -> EndRule:
        """Say what ends a stream of this format."""
        return self._ends

    def open(self, register: Register) -> EventReader:
        """Give a reader that tells the register what it knows beside its deltas."""
        return JSONReader(register, self._read(register), done_ends=self._done_ends)
