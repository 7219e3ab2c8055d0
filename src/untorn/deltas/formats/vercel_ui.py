"""Read the UI message stream of Vercel's AI SDK (version 1).

Parts are keyed by id and may overlap. What ``tool-input-available`` says is the authority on a
call's input. ``finish`` ends the stream and ``abort`` cancels it; an error does not end it.

Source: AI SDK documentation, "Stream Protocols".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

from .._format import JSONFormat
from .._payload import PayloadReader
from .._register import EndRule, Register, Slot
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
)
from ._get import argument_text, mapping, text

SHORTENED = frozenset({"length", "content-filter"})
_OUTPUTS = ("tool-output-available", "tool-output-error", "tool-output-denied")
_KEPT = ("source-url", "source-document", "file")


class UIMessageReader:
    """Read the parts of one stream."""

    def __init__(self, register: Register) -> None:
        self._register = register
        self._parts: dict[tuple[str, str], Slot] = {}
        self._grown: set[int] = set()  # calls whose input was streamed
        self._step_calls: list[int] = []
        self._anonymous = 0  # calls without an id
        self._handlers: dict[str, Callable[[dict[str, Any]], Iterator[Delta]]] = {
            "start": self._start,
            "start-step": self._start_step,
            "text-start": self._open,
            "text-delta": self._text,
            "text-end": self._end,
            "reasoning-start": self._open,
            "reasoning-delta": self._reasoning,
            "reasoning-end": self._end,
            "tool-input-start": self._call_start,
            "tool-input-delta": self._call_delta,
            "tool-input-available": self._call_end,
            "tool-input-error": self._call_end,
            "message-metadata": self._metadata,
            "reset-step": self._reset,
            "finish": self._finish,
            "abort": self._abort,
            **dict.fromkeys(_OUTPUTS, self._output),
            **dict.fromkeys(_KEPT, self._keep),
        }

    def __call__(self, payload: dict[str, Any], name: str) -> Iterator[Delta]:
        """Give the deltas of an event."""
        kind = text(payload.get("type"))
        handler = self._handlers.get(kind, self._keep if kind.startswith("data-") else None)
        if handler is not None:
            self._register.started = True
            yield from handler(payload)

    def _start(self, payload: dict[str, Any]) -> Iterator[Delta]:
        self._register.name(payload.get("messageId"), None)
        yield from self._metadata(payload)

    def _start_step(self, payload: dict[str, Any]) -> Iterator[Delta]:
        self._step_calls.clear()
        yield from ()

    def _open(self, payload: dict[str, Any]) -> Iterator[Delta]:
        # An id may come again in a later step: that is another part.
        self._parts.pop((_kind(payload), text(payload.get("id"))), None)
        self._part(payload)
        yield from ()

    def _end(self, payload: dict[str, Any]) -> Iterator[Delta]:
        self._part(payload)
        yield from ()

    def _text(self, payload: dict[str, Any]) -> Iterator[Delta]:
        yield TextDelta(text(payload.get("delta")), 0, self._part(payload).number, payload)

    def _reasoning(self, payload: dict[str, Any]) -> Iterator[Delta]:
        slot = self._part(payload)
        yield ReasoningDelta(text(payload.get("delta")), 0, slot.number, raw=payload)

    def _part(self, payload: dict[str, Any]) -> Slot:
        kind = _kind(payload)
        key = (kind, text(payload.get("id")))
        if key not in self._parts:
            self._parts[key] = self._register.slot(kind, self._register.slot_count)
        slot = self._parts[key]
        if mapping(payload.get("providerMetadata")):
            slot.metadata["providerMetadata"] = payload["providerMetadata"]
        return slot

    def _call_start(self, payload: dict[str, Any]) -> Iterator[Delta]:
        id = text(payload.get("toolCallId"))
        if not id and payload.get("type") == "tool-input-start":
            self._anonymous += 1  # another one, to which what has no id belongs
        slot = self._call(payload)
        self._step_calls.append(slot.number)
        yield ToolCallStart(
            slot.number,
            id or None,
            text(payload.get("toolName")) or None,
            server=payload.get("providerExecuted") is True,
            raw=payload,
        )

    def _call_delta(self, payload: dict[str, Any]) -> Iterator[Delta]:
        if self._register.known("tool_call", self._call_key(payload)) is None:
            yield from self._call_start(payload)
        self._grown.add(self._call(payload).number)
        words = text(payload.get("inputTextDelta"))
        yield ToolCallDelta(self._call(payload).number, words, payload)

    def _call_end(self, payload: dict[str, Any]) -> Iterator[Delta]:
        yield from self._call_start(payload)
        slot = self._call(payload)
        if not text(payload.get("toolCallId")):
            self._anonymous += 1
        if mapping(payload.get("providerMetadata")):
            slot.metadata["providerMetadata"] = payload["providerMetadata"]
        final = argument_text(payload.get("input"))
        failed = payload.get("type") == "tool-input-error"
        complete = not failed and bool(final or slot.number in self._grown)
        yield ToolCallEnd(slot.number, final, complete, payload)

    def _output(self, payload: dict[str, Any]) -> Iterator[Delta]:
        slot = self._call(payload)
        for key in ("output", "errorText"):
            if payload.get(key) is not None:
                slot.metadata[key] = payload[key]
        yield from ()

    def _keep(self, payload: dict[str, Any]) -> Iterator[Delta]:
        # The same data id replaces what came under it before.
        key = text(payload.get("type")), text(payload.get("id")) or self._register.slot_count
        slot = self._register.slot("other", key)
        slot.metadata = {**payload}
        yield from ()

    def _metadata(self, payload: dict[str, Any]) -> Iterator[Delta]:
        metadata = mapping(payload.get("messageMetadata"))
        if metadata:
            before = self._register.about.get("messageMetadata", {})
            self._register.about["messageMetadata"] = {**before, **metadata}
        yield from ()

    def _reset(self, payload: dict[str, Any]) -> Iterator[Delta]:
        # What was handed out cannot be taken back; its calls must not be run.
        self._register.problem(
            "a step was reset: what it had streamed is still in the text", damage=True
        )
        calls, self._step_calls = self._step_calls, []
        for slot in dict.fromkeys(calls):
            yield ToolCallEnd(slot, complete=False, raw=payload)

    def _finish(self, payload: dict[str, Any]) -> Iterator[Delta]:
        yield from self._metadata(payload)
        reason = text(payload.get("finishReason"))
        if reason == "error":
            yield ErrorUpdate('the finish reason is "error"', None, payload)
        if reason:
            yield Finish(reason, 0, payload)
        yield EndMarker("finish", raw=payload)

    def _abort(self, payload: dict[str, Any]) -> Iterator[Delta]:
        yield EndMarker("abort", True, payload)

    def _call(self, payload: dict[str, Any]) -> Slot:
        return self._register.slot("tool_call", self._call_key(payload))

    def _call_key(self, payload: dict[str, Any]) -> str | int:
        return text(payload.get("toolCallId")) or self._anonymous


def _kind(payload: dict[str, Any]) -> Literal["text", "reasoning"]:
    return "text" if text(payload.get("type")).startswith("text") else "reasoning"


def _read(register: Register) -> PayloadReader:
    return UIMessageReader(register)


VERCEL_UI = JSONFormat(
    "vercel-ui", EndRule(marker_follows=True, calls_end=True, shortened=SHORTENED), _read
)
