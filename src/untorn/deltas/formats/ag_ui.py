"""Read AG-UI's events: texts, thinking and calls as triples, or as chunks that imply them.

A chunk may leave out ids and name after the first one; a chunk with another id, or any other event,
ends what was open. State and activity events carry no part of the answer.

Source: AG-UI documentation, "Events".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

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
    UsageUpdate,
)
from ._get import argument_text, mapping, number, text


class RunReader:
    """Read the events of one run."""

    def __init__(self, register: Register) -> None:
        self._register = register
        self._open_call = ""  # the id of the call that chunks go on with
        self._others: set[str] = set()  # messages that are not the answer's
        self._anonymous = 0  # calls without an id
        self._open_message = ("", "")  # the kind and id of the message that chunks go on with
        self._handlers: dict[str, Callable[[dict[str, Any]], Iterator[Delta]]] = {
            "RUN_STARTED": self._run_started,
            "TEXT_MESSAGE_START": self._start,
            "REASONING_MESSAGE_START": self._start,
            "TEXT_MESSAGE_CONTENT": self._text,
            "TEXT_MESSAGE_CHUNK": self._text,
            "REASONING_MESSAGE_CONTENT": self._reasoning,
            "REASONING_MESSAGE_CHUNK": self._reasoning,
            "THINKING_TEXT_MESSAGE_CONTENT": self._reasoning,  # its older name
            "REASONING_ENCRYPTED_VALUE": self._encrypted,
            "TOOL_CALL_START": self._call_start,
            "TOOL_CALL_ARGS": self._call_args,
            "TOOL_CALL_CHUNK": self._call_args,
            "TOOL_CALL_END": self._call_end,
            "TOOL_CALL_RESULT": self._result,
            "RUN_FINISHED": self._run_finished,
            "RUN_ERROR": self._run_error,
        }

    def __call__(self, payload: dict[str, Any], name: str) -> Iterator[Delta]:
        """Give the deltas of an event."""
        kind = text(payload.get("type"))
        id = text(payload.get("toolCallId"))
        if self._open_call and not (kind == "TOOL_CALL_CHUNK" and id in ("", self._open_call)):
            slot = self._call(self._open_call)
            self._open_call = ""
            yield ToolCallEnd(slot.number, raw=payload)
        if kind != self._open_message[0]:
            self._open_message = ("", "")
        handler = self._handlers.get(kind)
        if handler is not None:
            self._register.started = True
            yield from handler(payload)

    def _run_started(self, payload: dict[str, Any]) -> Iterator[Delta]:
        self._register.name(payload.get("runId"), None)
        yield from ()

    def _start(self, payload: dict[str, Any]) -> Iterator[Delta]:
        if text(payload.get("role")) not in ("", "assistant", "reasoning"):
            self._others.add(text(payload.get("messageId")))
            return
        # Its place among the parts is where it starts.
        kind: Any = "text" if text(payload["type"]).startswith("TEXT") else "reasoning"
        self._register.slot(kind, text(payload.get("messageId")))
        yield from ()

    def _text(self, payload: dict[str, Any]) -> Iterator[Delta]:
        id = self._message(payload)
        if id not in self._others and text(payload.get("role")) in ("", "assistant"):
            slot = self._register.slot("text", id)
            yield TextDelta(text(payload.get("delta")), 0, slot.number, payload)

    def _reasoning(self, payload: dict[str, Any]) -> Iterator[Delta]:
        slot = self._register.slot("reasoning", self._message(payload))
        yield ReasoningDelta(text(payload.get("delta")), 0, slot.number, raw=payload)

    def _message(self, payload: dict[str, Any]) -> str:
        """Give the id of a message; a chunk may leave it out while its message is open."""
        kind, id = text(payload.get("type")), text(payload.get("messageId"))
        if kind.endswith("_CHUNK"):
            id = id or self._open_message[1] or f"message {self._register.slot_count}"
            self._open_message = (kind, id)
        return id

    def _encrypted(self, payload: dict[str, Any]) -> Iterator[Delta]:
        key = ("encrypted", text(payload.get("entityId")))
        self._register.slot("other", key).metadata.update(payload)
        yield from ()

    def _call_start(self, payload: dict[str, Any]) -> Iterator[Delta]:
        id = text(payload.get("toolCallId"))
        if not id and payload.get("type") == "TOOL_CALL_START":
            self._anonymous += 1  # another one, to which what has no id belongs
        name = text(payload.get("toolCallName"))
        yield ToolCallStart(self._call(id).number, id or None, name or None, raw=payload)

    def _call_args(self, payload: dict[str, Any]) -> Iterator[Delta]:
        id = text(payload.get("toolCallId")) or self._open_call
        chunk = payload.get("type") == "TOOL_CALL_CHUNK"
        if chunk and not id:
            return
        if chunk:
            self._open_call = id
        if chunk or self._register.known("tool_call", id or self._anonymous) is None:
            yield from self._call_start({**payload, "toolCallId": id})
        words = argument_text(payload.get("delta"))
        yield ToolCallDelta(self._call(id).number, words, payload)

    def _call_end(self, payload: dict[str, Any]) -> Iterator[Delta]:
        slot = self._register.known("tool_call", text(payload.get("toolCallId")) or self._anonymous)
        if slot is not None:
            yield ToolCallEnd(slot.number, raw=payload)

    def _result(self, payload: dict[str, Any]) -> Iterator[Delta]:
        slot = self._register.known("tool_call", text(payload.get("toolCallId")) or self._anonymous)
        if slot is not None and payload.get("content") is not None:
            slot.metadata["result"] = payload["content"]
        yield from ()

    def _run_finished(self, payload: dict[str, Any]) -> Iterator[Delta]:
        if mapping(payload.get("usage")):
            yield UsageUpdate(payload["usage"], payload)
        outcome = payload.get("outcome")
        kind = text(mapping(outcome).get("type")) or text(outcome)
        self._register.interrupted = kind == "cancelled"
        if kind:
            yield Finish(kind, 0, payload)
        yield EndMarker("RUN_FINISHED", kind == "cancelled", payload)

    def _run_error(self, payload: dict[str, Any]) -> Iterator[Delta]:
        code = text(payload.get("code")) or number(payload.get("code"))
        yield ErrorUpdate(text(payload.get("message")) or "the run failed", code, payload)
        yield EndMarker("RUN_ERROR", raw=payload)

    def _call(self, id: str) -> Slot:
        return self._register.slot("tool_call", id or self._anonymous)


def _read(register: Register) -> PayloadReader:
    return RunReader(register)


AG_UI = JSONFormat(
    "ag-ui", EndRule(marker_follows=True, calls_end=True, shortened=frozenset({"interrupt"})), _read
)
