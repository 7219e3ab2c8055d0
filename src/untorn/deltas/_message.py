"""Own the message as a value: what the answer is so far, and whether one can trust it."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal

from ._faults import IncompleteToolCallError, TornMessageError
from ._growing import NOTHING
from ._halves import clean, has_surrogates
from ._partial import PartialJSON, PartialJSONError
from ._types import ErrorUpdate


class Outcome(Enum):
    """How the stream of an answer ended.

    A shortened answer is no torn one: ``COMPLETED`` with the finish reason "length" is a whole
    stream of an answer that the provider stopped early; see ``Message.shortened``.
    """

    COMPLETED = "completed"
    """The format's own end signal was seen."""
    TRUNCATED = "truncated"
    """The stream ended before it, or has not ended yet."""
    PROVIDER_ERROR = "provider_error"
    """An error was reported, whatever end signal came before it or after it."""
    CANCELLED = "cancelled"
    """The caller stopped before the end signal, or the stream said that somebody did."""


PartKind = Literal["text", "reasoning", "refusal", "tool_call", "other"]


@dataclass(frozen=True, slots=True)
class Part:
    """Hold one part of a message.

    Args:
        kind: What it is; "other" for what has no text of its own, such as search results.
        slot: The number that its deltas carry.
        text: Its text; for a tool call, the raw arguments.
        choice: Which of several answers it belongs to.
        metadata: What else the provider sent with it, in its own words: the block type,
            signatures and encrypted pieces that the next turn must send back, citations.
    """

    kind: PartKind
    slot: int
    text: str
    choice: int = 0
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """Hold one tool call; only ``json()`` gives arguments to run it with.

    Args:
        slot: The number that its deltas carry.
        id: The provider's id, with which to answer; None where it sent none.
        name: The tool's name; None where none came.
        arguments: The raw argument text. Empty means no arguments, where the call is complete.
        complete: Whether the call was ended and its arguments are one whole JSON object (free
            text, for a custom call).
        server: Whether the provider ran, or runs, it itself.
        custom: Whether the arguments are free text, not JSON.

    Example:
        >>> from untorn.deltas import ToolCall
        >>> cut = ToolCall(slot=0, id="call_1", name="pay", arguments='{"amount": 1')
        >>> cut.partial
        {}
        >>> cut.json()
        Traceback (most recent call last):
        untorn.deltas._faults.IncompleteToolCallError: the call of 'pay' cannot be run: it was cut
    """

    slot: int
    id: str | None = None
    name: str | None = None
    arguments: str = ""
    complete: bool = False
    server: bool = False
    custom: bool = False
    _live: Any = field(default=NOTHING, repr=False, compare=False)

    @property
    def partial(self) -> Any:
        """The arguments so far, open strings included: to show, never to run.

        None before anything came; the text itself for a custom call. Parsed anew each time, but
        for a call that ``DeltaAssembler.call`` gave: that one is a view that grows with the stream.
        """
        if self.custom:
            return self.arguments
        if self._live is not NOTHING:
            shown = self._live
            return whole_text(shown) if has_lone_escape(self.arguments, shown) else shown
        view = PartialJSON()
        with suppress(PartialJSONError):  # what came before the fault is still worth showing
            view.feed(self.arguments)
        shown = None if view.value is NOTHING else view.value
        return whole_text(shown) if has_lone_escape(self.arguments, shown) else shown

    def json(self) -> dict[str, Any]:
        """Parse the arguments, to run the tool with them.

        Raises:
            IncompleteToolCallError: They are not one whole JSON object. A fragment is never
                completed, and never taken for no arguments.
        """
        if not self.complete:
            raise IncompleteToolCallError(self, "it was cut" if self._is_cut() else "it is damaged")
        if self.custom:
            raise IncompleteToolCallError(self, "its input is free text: read arguments")
        value: dict[str, Any] = json.loads(self.arguments) if self.arguments.strip() else {}
        return whole_text(value) if has_lone_escape(self.arguments, value) else value

    def _is_cut(self) -> bool:
        view = PartialJSON()
        try:
            view.feed(self.arguments)
        except PartialJSONError:
            return self.custom
        return self.custom or not view.complete or isinstance(view.value, dict)


@dataclass(frozen=True, slots=True)
class Choice:
    """Hold one of several answers (``n`` in a chat request, ``candidateCount`` in Gemini's).

    Args:
        index: The provider's number of it.
        text: The answer.
        reasoning: The thinking.
        refusal: The refusal.
        tool_calls: Calls for the client to run.
        server_calls: Calls that the provider runs itself.
        finish_reason: The provider's own word for why it stopped; None where it said nothing.
        shortened: Whether the provider itself stopped early: a limit, a filter, a pause.
    """

    index: int
    text: str = ""
    reasoning: str = ""
    refusal: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    server_calls: tuple[ToolCall, ...] = ()
    finish_reason: str | None = None
    shortened: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """Hold a message as it is at one moment; what a ``Choice`` has too is that of choice 0.

    Args:
        text: The answer: the sum of the text deltas, always.
        reasoning: The thinking.
        refusal: The refusal.
        tool_calls: Calls for the client to run, in the provider's order; look at ``intact`` first.
        server_calls: Calls that the provider runs itself: never run these.
        finish_reason: The provider's own word for why it stopped.
        usage: The provider's own mapping of token counts, the last one; never summed.
        choices: All answers, by their index.
        id: The provider's id of the response.
        model: The model that answered, as the stream names it.
        parts: All parts in the provider's order; a last one may hold what belongs to none, such as
            Anthropic's ``stop_sequence`` or the last ``sequence_number`` of a Responses stream.
        outcome: How the stream ended.
        ended_by: The signal that ended it: "[DONE]", "finish reason", "message_stop", or the name
            of the event or field; None where there was none.
        tail_used: Whether the end came in an event that had no blank line after it.
        error: The first error reported, or what stood in place of an answer.
        problems: What else is worth knowing, for people; not all of it is damage.
        intact: Whether nothing was lost on the way: the end was seen (of Anthropic's streams, the
            stop reason at least), no payload was bad, no character was damaged, and no call is
            left half.
        shortened: Whether the provider itself stopped early: a limit, a filter, a pause.
    """

    text: str = ""
    reasoning: str = ""
    refusal: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    server_calls: tuple[ToolCall, ...] = ()
    finish_reason: str | None = None
    usage: dict[str, Any] | None = None
    choices: tuple[Choice, ...] = ()
    id: str | None = None
    model: str | None = None
    parts: tuple[Part, ...] = ()
    outcome: Outcome = Outcome.TRUNCATED
    ended_by: str | None = None
    tail_used: bool = False
    error: ErrorUpdate | None = None
    problems: tuple[str, ...] = ()
    intact: bool = False
    shortened: bool = False

    def require_intact(self) -> Message:
        """Give the message itself, where nothing of it was lost.

        Raises:
            TornMessageError: It is not intact; the error carries the message.
        """
        if not self.intact:
            raise TornMessageError(self)
        return self


def has_lone_escape(arguments: str, value: Any) -> bool:
    """Tell whether a JSON text holds half of a surrogate pair as an escape, as in ``"\\ud83d"``.

    Args:
        arguments: The text.
        value: What it parses to.
    """
    if "\\ud" not in arguments and "\\uD" not in arguments:
        return False
    try:
        return has_surrogates(json.dumps(value, ensure_ascii=False))
    except RecursionError:
        return True


def whole_text(value: Any) -> Any:
    """Give a JSON value whose texts can be encoded: U+FFFD for halves that stay alone."""
    try:
        return json.loads(clean(json.dumps(value, ensure_ascii=False)))
    except RecursionError:
        return None  # too deep to be looked at: nothing of it is shown
