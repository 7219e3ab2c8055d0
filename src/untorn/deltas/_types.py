"""Own the vocabulary: the closed set of deltas to which every format is brought.

A delta says what an event added to the answer. Which wire field makes which delta is the business
of ``formats``; how deltas add up to a message is that of ``_fold``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias


class EventLike(Protocol):
    """Whatever has ``data`` and ``event``: an event of this parser, of another one, of an SDK."""

    @property
    def data(self) -> str:
        """The data of the event."""

    @property
    def event(self) -> str | None:
        """The type of the event, where it has one."""


@dataclass(frozen=True, slots=True)
class TextDelta:
    """Append to the answer.

    Args:
        text: What to append; it can always be encoded as UTF-8.
        choice: Which of several answers, where several were asked for.
        slot: Which part of the message, in order of first appearance.
        raw: The parsed payload that it was made of, if any.
    """

    text: str
    choice: int = 0
    slot: int = 0
    raw: Any = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """Append to the thinking text; signatures and encrypted pieces are in the part's metadata.

    Args:
        text: What to append.
        choice: Which of several answers.
        slot: Which part of the message.
        summary: Whether it is a summary that the provider made of the thinking.
        raw: The parsed payload that it was made of, if any.
    """

    text: str
    choice: int = 0
    slot: int = 0
    summary: bool = False
    raw: Any = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class RefusalDelta:
    """Append to the refusal text, where the provider streams one in a field of its own.

    Args:
        text: What to append.
        choice: Which of several answers.
        slot: Which part of the message.
        raw: The parsed payload that it was made of, if any.
    """

    text: str
    choice: int = 0
    slot: int = 0
    raw: Any = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class ToolCallStart:
    """A call is open; a later one for the same slot only fills in an id or name that was missing.

    Args:
        slot: Which call: number calls by this, never by id, index or name.
        id: The provider's id, with which to answer; None where it sent none.
        name: The tool's name; None where it is not known yet.
        choice: Which of several answers.
        server: Whether the provider runs the call itself.
        custom: Whether the input is free text, not JSON.
        raw: The parsed payload that it was made of, if any.
    """

    slot: int
    id: str | None = None
    name: str | None = None
    choice: int = 0
    server: bool = False
    custom: bool = False
    raw: Any = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class ToolCallDelta:
    """Append to the raw argument text of a call.

    Args:
        slot: Which call.
        text: What to append: a fragment, cut anywhere.
        raw: The parsed payload that it was made of, if any.
    """

    slot: int
    text: str
    raw: Any = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class ToolCallEnd:
    """No more arguments come: the provider ended the call, or the answer that it belongs to.

    A stream that is cut off ends no call.

    Args:
        slot: Which call.
        arguments: All of the argument text; where it differs from what was streamed, the provider's
            final word. A reader may leave it empty: what was streamed is filled in.
        complete: Whether the call may be run: its arguments are one whole JSON object (or free
            text, for a custom call) and nothing says that it was cut.
        raw: The parsed payload that it was made of, if any.
    """

    slot: int
    arguments: str = ""
    complete: bool = True
    raw: Any = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class UsageUpdate:
    """The token counts so far, in the provider's own words: each replaces the last one.

    Args:
        usage: The provider's own mapping.
        raw: The parsed payload that it was made of, if any.
    """

    usage: Mapping[str, Any]
    raw: Any = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Finish:
    """Why the provider stopped; usage, or even more text, may follow.

    Args:
        reason: The provider's own word.
        choice: Which of several answers.
        raw: The parsed payload that it was made of, if any.
    """

    reason: str
    choice: int = 0
    raw: Any = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class ErrorUpdate:
    """The provider, or something on the way to it, reported an error.

    Args:
        message: The error's own text.
        code: Its code, else its type or status, if it has any of them.
        raw: The error as it came.
    """

    message: str
    code: str | int | None = None
    raw: Any = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class EndMarker:
    """The format's own end signal: nothing that matters comes after it.

    Args:
        signal: What it was on the wire, such as "[DONE]" or "message_stop".
        cancelled: Whether it says that the answer was cancelled.
        raw: The parsed payload that it was made of, if any.
    """

    signal: str = "[DONE]"
    cancelled: bool = False
    raw: Any = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class BadPayload:
    """The payload of an event could not be read; the stream goes on.

    Args:
        event: The event as it came.
        reason: What is wrong with it.
    """

    event: EventLike
    reason: str


Delta: TypeAlias = (
    TextDelta
    | ReasoningDelta
    | RefusalDelta
    | ToolCallStart
    | ToolCallDelta
    | ToolCallEnd
    | UsageUpdate
    | Finish
    | ErrorUpdate
    | EndMarker
    | BadPayload
)
