"""Read the stream of a run of OpenAI's Assistants, by now legacy.

The data is the object itself and has no type inside: here the event's name is needed. Calls of the
code interpreter are the provider's own. A run that requires action ends the stream as well.

Source: OpenAI's API reference, "Assistants streaming".
"""

from __future__ import annotations

from collections.abc import Iterator
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
    RefusalDelta,
    TextDelta,
    ToolCallDelta,
    ToolCallEnd,
    ToolCallStart,
    UsageUpdate,
)
from ._get import mapping, number, objects, text

SHORTENED = frozenset({"incomplete", "expired"})
_OVER = ("completed", "incomplete", "failed", "cancelled", "expired", "requires_action")


class RunStreamReader:
    """Read the events of one stream."""

    def __init__(self, register: Register) -> None:
        self._register = register
        self._calls: dict[str, Slot] = {}  # by id
        self._types: dict[tuple[str, int], str] = {}

    def __call__(self, payload: dict[str, Any], name: str) -> Iterator[Delta]:
        """Give the deltas of an event."""
        register = self._register
        if name.startswith("thread."):
            register.started = True
        if name == "thread.message.delta":
            yield from self._message(payload)
        elif name == "thread.run.step.delta":
            details = mapping(mapping(payload.get("delta")).get("step_details"))
            for call in objects(details.get("tool_calls")):
                yield from self._call(text(payload.get("id")), call, payload)
        elif name.startswith("thread.run.") and not name.startswith("thread.run.step."):
            register.name(payload.get("id"), payload.get("model"))
            yield from self._run(name.removeprefix("thread.run."), payload)

    def _message(self, payload: dict[str, Any]) -> Iterator[Delta]:
        message = text(payload.get("id"))
        for part in objects(mapping(payload.get("delta")).get("content")):
            key = (message, number(part.get("index")) or 0)
            words = mapping(part.get("text"))
            if text(words.get("value")):
                slot = self._register.slot("text", key)
                yield TextDelta(words["value"], 0, slot.number, payload)
            for annotation in objects(words.get("annotations")):
                self._register.slot("text", key).append("annotations", annotation)
            if text(part.get("refusal")):
                slot = self._register.slot("refusal", key)
                yield RefusalDelta(part["refusal"], 0, slot.number, payload)

    def _call(self, step: str, call: dict[str, Any], payload: dict[str, Any]) -> Iterator[Delta]:
        key = (step, number(call.get("index")) or 0)
        kind = self._types[key] = text(call.get("type")) or self._types.get(key, "")
        function = mapping(call.get("function"))
        own = mapping(call.get(kind)) if kind != "function" else {}
        slot = self._register.slot("tool_call", key)
        server = kind not in ("function", "")
        if text(call.get("id")):
            self._calls[call["id"]] = slot
        yield ToolCallStart(
            slot.number,
            text(call.get("id")) or None,
            (kind if server else text(function.get("name"))) or None,
            server=server,
            custom=server,
            raw=payload,
        )
        for output in objects(own.get("outputs")):
            slot.append("outputs", output)
        words = text(own.get("input")) if server else text(function.get("arguments"))
        yield ToolCallDelta(slot.number, words, payload)

    def _run(self, status: str, payload: dict[str, Any]) -> Iterator[Delta]:
        if status not in _OVER:
            return
        if mapping(payload.get("usage")):
            yield UsageUpdate(payload["usage"], payload)
        error = reported({"error": payload.get("last_error")})
        if error is None and status == "failed":
            error = ErrorUpdate("the run failed", None, payload)
        if error is not None:
            yield error
        if status == "requires_action":
            yield from self._required(mapping(payload.get("required_action")), payload)
        self._register.interrupted = status == "cancelled"
        yield Finish(status, 0, payload)
        if status == "cancelled":
            yield EndMarker("thread.run.cancelled", True, payload)

    def _required(self, action: dict[str, Any], payload: dict[str, Any]) -> Iterator[Delta]:
        """Take the calls that the run waits for, streamed or not."""
        for call in objects(mapping(action.get("submit_tool_outputs")).get("tool_calls")):
            id = text(call.get("id"))
            function = mapping(call.get("function"))
            slot = self._calls.get(id) or self._register.slot("tool_call", ("required", id))
            name = text(function.get("name"))
            yield ToolCallStart(slot.number, id or None, name or None, raw=payload)
            yield ToolCallEnd(slot.number, text(function.get("arguments")), raw=payload)


def _read(register: Register) -> PayloadReader:
    return RunStreamReader(register)


OPENAI_ASSISTANTS = JSONFormat(
    "openai-assistants",
    EndRule(marker_follows=True, shortened=SHORTENED),
    _read,
    done_ends=True,
)
