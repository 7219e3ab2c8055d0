"""Read Anthropic's Messages stream: blocks that open, grow by typed deltas, and close.

The type is repeated in the JSON, and that is what counts: gateways drop the event's name. Usage is
cumulative and overlaid key by key. What a block holds beside its text, such as signatures and
results of the provider's own tools, is in the part's metadata, for the next turn.

Source: Anthropic's API reference, "Streaming Messages".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .._format import JSONFormat
from .._made import arguments_delta, reasoning_delta, text_delta
from .._payload import PayloadReader
from .._register import EndRule, Pieces, Register, Slot
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

SHORTENED = frozenset(
    {"max_tokens", "model_context_window_exceeded", "refusal", "pause_turn", "compaction"}
)
_CALLS = {"tool_use": False, "server_tool_use": True, "mcp_tool_use": True}  # run by the server?
_THOUGHTS = ("thinking", "redacted_thinking")
_GROWN = {  # by the type of a delta: the part, and its own key
    "text_delta": ("text", "text"),
    "thinking_delta": ("reasoning", "thinking"),
    "input_json_delta": ("tool_call", "partial_json"),
}
_SPLICED = "message_start for another message while one is open"


class MessagesReader:
    """Read the events of one stream."""

    def __init__(self, register: Register) -> None:
        self._register = register
        self._blocks: dict[int, Slot] = {}
        self._closed: set[int] = set()  # indexes whose block is over
        self._begun: dict[int, tuple[str, ...]] = {}  # how each block began
        self._opened = 0
        self._inputs: dict[int, Any] = {}  # whole inputs of calls, until a fragment comes
        self._usage: dict[str, Any] = {}
        self._spliced = False
        self._handlers: dict[str, Callable[[dict[str, Any]], Iterator[Delta]]] = {
            "message_start": self._message_start,
            "content_block_start": self._block_start,
            "content_block_delta": self._block_delta,
            "content_block_stop": self._block_stop,
            "message_delta": self._message_delta,
            "message_stop": self._message_stop,
        }

    def __call__(self, payload: dict[str, Any], name: str) -> Iterator[Delta]:
        """Give the deltas of an event."""
        handler = self._handlers.get(text(payload.get("type")) or name)
        if handler is not None and not self._spliced:
            yield from handler(payload)

    def simple(self, payload: dict[str, Any]) -> Delta | None:
        """Give the delta of an event that only appends to an open block, as most events do."""
        delta, index = payload.get("delta"), payload.get("index")
        if type(delta) is not dict or type(index) is not int or "error" in payload or self._spliced:
            return None
        slot, grown = self._blocks.get(index), _GROWN.get(text(delta.get("type")))
        if slot is None or grown is None or payload.get("type") != "content_block_delta":
            return None
        kind, key = grown
        words = delta.get(key)
        if slot.kind != kind or not words or type(words) is not str:
            return None
        if kind == "text":
            return text_delta(words, 0, slot.number, payload)
        if kind == "reasoning":
            return reasoning_delta(words, 0, slot.number, payload)
        self._inputs.pop(index, None)
        return arguments_delta(slot.number, words, payload)

    def _message_start(self, payload: dict[str, Any]) -> Iterator[Delta]:
        register = self._register
        message = mapping(payload.get("message"))
        if register.started:
            # The same one again is a gateway's echo. Another one was joined on after a retry:
            # adding it up would make one call of two halves.
            same = text(message.get("id")) == register.id
            if not same and (register.id or self._blocks):
                self._spliced = True
                yield ErrorUpdate(_SPLICED, "protocol_error", payload)
            return
        register.started = True
        register.choice(0)
        register.name(message.get("id"), message.get("model"))
        content = message.get("content")
        for index, block in enumerate(content if isinstance(content, list) else []):
            # A turn that only calls tools from code has all its blocks here.
            yield from self._open(index, mapping(block), payload)
            yield from self._block_stop({**payload, "index": index})
        yield from self._stopped(message, payload)

    def _block_start(self, payload: dict[str, Any]) -> Iterator[Delta]:
        index = number(payload.get("index"))
        block = mapping(payload.get("content_block"))
        if index is None:
            self._register.problem("a block has no index", damage=True)
            return
        begun = tuple(text(block.get(key)) for key in ("type", "id", "name"))
        open_block = self._blocks.get(index)
        if open_block is not None and index not in self._closed:
            if self._begun.get(index) == begun:
                return  # an echo
            self._register.problem("a block began where another was open", damage=True)
            if open_block.kind == "tool_call":
                yield ToolCallEnd(open_block.number, complete=False, raw=payload)
        # Nothing says that an index is used once; what it held is over.
        self._closed.discard(index)
        self._blocks.pop(index, None)
        self._inputs.pop(index, None)
        self._begun[index] = begun
        yield from self._open(index, block, payload)

    def _open(self, index: int, block: dict[str, Any], payload: dict[str, Any]) -> Iterator[Delta]:
        kind = text(block.get("type"))
        if kind in _CALLS:
            yield from self._open_call(index, kind, block, payload)
        elif kind == "text":
            slot = self._slot("text", index, kind)
            for citation in objects(block.get("citations")):
                slot.append("citations", citation)
            yield from self._text(index, {"text": block.get("text")}, payload)
        elif kind in _THOUGHTS:
            slot = self._slot("reasoning", index, kind)
            if text(block.get("data")):
                slot.metadata["data"] = block["data"]
            self._sign(slot, block)
            yield from self._thought(index, block, payload)
        elif kind:
            # Results of the provider's tools and kinds yet unknown: kept whole, for the next turn.
            self._slot("other", index, kind).metadata["block"] = block

    def _open_call(
        self, index: int, kind: str, block: dict[str, Any], payload: dict[str, Any]
    ) -> Iterator[Delta]:
        slot = self._slot("tool_call", index, kind)
        slot.metadata.update(
            {key: block[key] for key in ("caller", "server_name") if block.get(key) is not None}
        )
        if block.get("input") not in (None, {}, ""):
            self._inputs[index] = block.get("input")
        id, name = text(block.get("id")), text(block.get("name"))
        yield ToolCallStart(slot.number, id or None, name or None, server=_CALLS[kind], raw=payload)

    def _block_delta(self, payload: dict[str, Any]) -> Iterator[Delta]:
        index = number(payload.get("index"))
        delta = mapping(payload.get("delta"))
        kind = text(delta.get("type"))
        if index is None:
            self._register.problem("a block has no index", damage=True)
            return
        slot = self._blocks.get(index)
        if slot is not None and slot.kind == "other":
            slot.append("deltas", delta)  # of a block yet unknown
        elif kind == "text_delta":
            yield from self._text(index, delta, payload)
        elif kind == "thinking_delta":
            yield from self._thought(index, delta, payload)
        elif kind == "input_json_delta":
            yield from self._input(index, text(delta.get("partial_json")), payload)
        elif slot is not None and kind == "signature_delta":
            self._sign(slot, delta)
        elif slot is not None and kind == "citations_delta":
            for citation in objects(delta.get("citation")):
                slot.append("citations", citation)
        elif slot is not None and kind:
            slot.append("deltas", delta)  # of a kind yet unknown

    def _text(self, index: int, delta: dict[str, Any], payload: dict[str, Any]) -> Iterator[Delta]:
        if text(delta.get("text")):
            slot = self._slot("text", index, "text")
            yield TextDelta(delta["text"], 0, slot.number, payload)

    def _thought(
        self, index: int, delta: dict[str, Any], payload: dict[str, Any]
    ) -> Iterator[Delta]:
        if text(delta.get("thinking")):
            slot = self._slot("reasoning", index, "thinking")
            yield ReasoningDelta(delta["thinking"], 0, slot.number, raw=payload)

    def _input(self, index: int, fragment: str, payload: dict[str, Any]) -> Iterator[Delta]:
        if fragment:
            self._inputs.pop(index, None)
            slot = self._slot("tool_call", index, "tool_use")
            yield ToolCallDelta(slot.number, fragment, payload)

    def _block_stop(self, payload: dict[str, Any]) -> Iterator[Delta]:
        index = number(payload.get("index"))
        slot = None if index is None else self._blocks.get(index)
        if index is None or slot is None:
            return
        self._closed.add(index)
        if slot.kind == "tool_call":
            whole = argument_text(self._inputs.pop(index, None))
            yield ToolCallEnd(slot.number, whole, raw=payload)

    def _message_delta(self, payload: dict[str, Any]) -> Iterator[Delta]:
        delta = mapping(payload.get("delta"))
        yield from self._stopped({**delta, "usage": payload.get("usage")}, payload)

    def _stopped(self, fields: dict[str, Any], payload: dict[str, Any]) -> Iterator[Delta]:
        usage = mapping(fields.get("usage"))
        if usage:
            self._usage |= {key: value for key, value in usage.items() if value is not None}
            yield UsageUpdate(dict(self._usage), payload)
        for key in ("stop_sequence", "stop_details", "container"):
            if fields.get(key) is not None:
                self._register.about[key] = fields[key]
        if text(fields.get("stop_reason")):
            for index in list(self._inputs):  # whole inputs whose blocks were never closed
                yield from self._block_stop({**payload, "index": index})
            yield Finish(fields["stop_reason"], 0, payload)

    def _message_stop(self, payload: dict[str, Any]) -> Iterator[Delta]:
        yield EndMarker("message_stop", raw=payload)

    def _slot(self, kind: Any, index: int, block_type: str) -> Slot:
        # A delta whose block never opened, or opened as another kind, opens one.
        slot = self._blocks.get(index)
        if slot is None or slot.kind != kind:
            self._opened += 1
            slot = self._register.slot(kind, self._opened, order=(index,))
            slot.metadata["type"] = block_type
            self._blocks[index] = slot
            self._register.latest = slot.number
        return slot

    def _sign(self, slot: Slot, fields: dict[str, Any]) -> None:
        # Some gateways send a signature in pieces, Anthropic in one.
        if text(fields.get("signature")):
            slot.metadata.setdefault("signature", Pieces()).append(fields["signature"])


def _read(register: Register) -> PayloadReader:
    return MessagesReader(register)


ANTHROPIC = JSONFormat(
    "anthropic",
    EndRule(
        finish_ends=False,
        marker_follows=True,
        finish_precedes=True,
        calls_end=True,
        shortened=SHORTENED,
    ),
    _read,
)
