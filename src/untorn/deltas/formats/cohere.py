"""Read Cohere's v2 chat stream.

Contents and calls are numbered apart, and ``tool_calls`` is one object under a plural name. The
plan before calls is thinking of its own type. "[DONE]" follows the end marker, and says no more.

Source: Cohere's API reference, "Chat with Streaming" (v2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .._format import JSONFormat
from .._payload import PayloadReader
from .._register import EndRule, Register, Slot
from .._reported import reported
from .._types import (
    Delta,
    EndMarker,
    ErrorUpdate,
    Finish,
    ReasoningDelta,
    TextDelta,
    ToolCallDelta,
    ToolCallEnd,
    ToolCallStart,
    UsageUpdate,
)
from ._get import argument_text, mapping, number, objects, text

SHORTENED = frozenset({"MAX_TOKENS", "ERROR_LIMIT", "ERROR_TOXIC", "USER_CANCEL"})
SPLICED = "message-start for another message while one is open"
_ERRORS = ("ERROR", "TIMEOUT")


class CohereReader:
    """Read the events of one stream."""

    def __init__(self, register: Register) -> None:
        self._register = register
        self._spliced = False  # another answer was joined on
        self._calls: dict[int, Slot] = {}  # by index
        self._ids: dict[int, str] = {}
        self._handlers: dict[str, Callable[[dict[str, Any]], Iterator[Delta]]] = {
            "message-start": self._message_start,
            "content-start": self._content,
            "content-delta": self._content,
            "tool-plan-delta": self._tool_plan,
            "tool-call-start": self._call,
            "tool-call-delta": self._call,
            "tool-call-end": self._call_end,
            "citation-start": self._citation,
            "message-end": self._message_end,
        }

    def __call__(self, payload: dict[str, Any], name: str) -> Iterator[Delta]:
        """Give the deltas of an event."""
        handler = self._handlers.get(text(payload.get("type")) or name)
        if handler is not None and not self._spliced:
            self._register.started = True
            yield from handler(payload)

    def _message_start(self, payload: dict[str, Any]) -> Iterator[Delta]:
        register = self._register
        id = text(payload.get("id"))
        if register.slot_count and id and id != (register.id or id):
            self._spliced = True
            yield ErrorUpdate(SPLICED, "protocol_error", payload)
        register.name(id, payload.get("model"))

    def _content(self, payload: dict[str, Any]) -> Iterator[Delta]:
        index = number(payload.get("index")) or 0
        content = mapping(_message(payload).get("content"))
        if text(content.get("text")):
            slot = self._register.slot("text", index)
            yield TextDelta(content["text"], 0, slot.number, payload)
        if text(content.get("thinking")):
            slot = self._register.slot("reasoning", index)
            yield ReasoningDelta(content["thinking"], 0, slot.number, raw=payload)

    def _tool_plan(self, payload: dict[str, Any]) -> Iterator[Delta]:
        plan = text(_message(payload).get("tool_plan"))
        if plan:
            slot = self._register.slot("reasoning", "tool_plan")
            slot.metadata["type"] = "tool_plan"
            yield ReasoningDelta(plan, 0, slot.number, raw=payload)

    def _call(self, payload: dict[str, Any]) -> Iterator[Delta]:
        index = number(payload.get("index")) or 0
        for call in objects(_message(payload).get("tool_calls")):
            function = mapping(call.get("function"))
            id = text(call.get("id"))
            if id and id != self._ids.setdefault(index, id):
                # Another call under an index that is taken, or under none.
                self._ids[index] = id
                self._calls[index] = self._register.slot("tool_call", (index, id))
            slot = self._calls.get(index) or self._register.slot("tool_call", (index, ""))
            self._calls[index] = slot
            name = text(function.get("name"))
            yield ToolCallStart(slot.number, id or None, name or None, raw=payload)
            words = argument_text(function.get("arguments"))
            yield ToolCallDelta(slot.number, words, payload)

    def _call_end(self, payload: dict[str, Any]) -> Iterator[Delta]:
        slot = self._calls.get(number(payload.get("index")) or 0)
        if slot is not None:
            yield ToolCallEnd(slot.number, raw=payload)

    def _citation(self, payload: dict[str, Any]) -> Iterator[Delta]:
        citation = _message(payload).get("citations")
        if citation:
            self._register.slot("other", "citations").append("citations", citation)
        yield from ()

    def _message_end(self, payload: dict[str, Any]) -> Iterator[Delta]:
        delta = mapping(payload.get("delta"))
        if mapping(delta.get("usage")):
            yield UsageUpdate(delta["usage"], payload)
        reason = text(delta.get("finish_reason"))
        error = reported({"error": delta.get("error")})
        if error is None and reason in _ERRORS:
            error = ErrorUpdate(f"the finish reason is {reason}", reason, payload)
        if error is not None:
            yield error
        if reason:
            yield Finish(reason, 0, payload)
        yield EndMarker("message-end", raw=payload)


def _message(payload: dict[str, Any]) -> dict[str, Any]:
    return mapping(mapping(payload.get("delta")).get("message"))


def _read(register: Register) -> PayloadReader:
    return CohereReader(register)


COHERE = JSONFormat(
    "cohere",
    EndRule(marker_follows=True, finish_precedes=True, calls_end=True, shortened=SHORTENED),
    _read,
)
