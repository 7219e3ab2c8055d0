"""Calls of a UI message stream that have no ids: each start is another one."""

from __future__ import annotations

from llm import assemble, sse


def test_calls_without_ids_are_apart() -> None:
    wire = sse(
        {"type": "tool-input-available", "toolName": "a", "input": {"n": 1}},
        {"type": "tool-input-available", "toolName": "b", "input": {"n": 2}},
        {"type": "tool-input-start", "toolName": "c"},
        {"type": "tool-input-delta", "inputTextDelta": '{"n": 3}'},
        {"type": "tool-input-available", "toolName": "c", "input": {"n": 3}},
        {"type": "tool-input-start", "toolName": "d"},
        {"type": "tool-input-delta", "inputTextDelta": '{"n": 4}'},
        {"type": "tool-input-available", "toolName": "d", "input": {"n": 4}},
        {"type": "finish"},
    )
    message = assemble(wire, "vercel-ui").message

    got = [(call.name, call.json()) for call in message.tool_calls]
    assert got == [("a", {"n": 1}), ("b", {"n": 2}), ("c", {"n": 3}), ("d", {"n": 4})]
    assert message.intact
