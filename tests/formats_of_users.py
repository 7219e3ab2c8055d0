"""The two formats that the docs show how to write, as tests use them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from untorn.deltas import (
    Delta,
    EndMarker,
    ErrorUpdate,
    EventLike,
    EventReader,
    TextDelta,
    ToolCallDelta,
    ToolCallEnd,
    ToolCallStart,
    UsageUpdate,
)


class Replicate:
    """Plain text in events of the type "output"; leading spaces are part of it."""

    def reader(self) -> EventReader:
        def read(event: EventLike) -> Iterator[Delta]:
            if event.event == "output":
                yield TextDelta(event.data)
            elif event.event == "error":
                yield ErrorUpdate(event.data)
            elif event.event == "done":
                reason = json.loads(event.data or "{}").get("reason")
                if reason == "error":
                    yield ErrorUpdate("the prediction failed")
                yield EndMarker("done", cancelled=reason == "canceled")

        return read


class LangGraph:
    """Each event holds the whole message so far: what is new in it is the delta."""

    def reader(self) -> EventReader:
        shown: dict[str, str] = {}  # by message, the text that was handed out
        calls: dict[str, int] = {}  # by id, the slot of a call that was handed out

        def news(message: dict[str, Any]) -> str:
            content = message["content"]
            blocks = [{"text": content}] if isinstance(content, str) else content
            whole = "".join(block.get("text", "") for block in blocks)
            before = shown.get(message["id"], "")
            shown[message["id"]] = whole
            return whole.removeprefix(before)

        def finished(message: dict[str, Any]) -> Iterator[Delta]:
            for call in message["tool_calls"]:
                if call["id"] not in calls:
                    slot = calls[call["id"]] = len(calls) + 1
                    arguments = json.dumps(call["args"], ensure_ascii=False, separators=(",", ":"))
                    yield ToolCallStart(slot, call["id"], call["name"])
                    yield ToolCallDelta(slot, arguments)
                    yield ToolCallEnd(slot)

        def read(event: EventLike) -> Iterator[Delta]:
            if event.event == "end":
                yield EndMarker("end")
            elif event.event == "error":
                yield ErrorUpdate(event.data)
            elif event.event == "messages/partial":
                for message in json.loads(event.data):
                    yield TextDelta(news(message))
                    if message["response_metadata"].get("stop_reason"):
                        yield from finished(message)
                    if message["usage_metadata"]:
                        yield UsageUpdate(message["usage_metadata"])

        return read
