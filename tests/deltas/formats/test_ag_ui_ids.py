"""AG-UI's calls without ids, messages of others, and codes of errors."""

from __future__ import annotations

from typing import Any

import pytest
from llm import assemble, sse

from untorn.deltas import Message


def read(*payloads: dict[str, Any]) -> Message:
    wire = sse({"type": "RUN_STARTED"}, *payloads, {"type": "RUN_FINISHED"})
    return assemble(wire, "ag-ui").message


def test_calls_without_ids_are_apart() -> None:
    payloads: list[dict[str, Any]] = []
    for name in ("a", "b"):
        payloads += [
            {"type": "TOOL_CALL_START", "toolCallName": name},
            {"type": "TOOL_CALL_ARGS", "delta": f'{{"of": "{name}"}}'},
            {"type": "TOOL_CALL_END"},
        ]
    made = read(*payloads)

    got = [(call.name, call.json()) for call in made.tool_calls]
    assert got == [("a", {"of": "a"}), ("b", {"of": "b"})]


@pytest.mark.parametrize("role", ["user", "tool", "system", "developer"])
def test_a_message_of_another_role_is_not_the_answer(role: str) -> None:
    made = read(
        {"type": "TEXT_MESSAGE_START", "messageId": "q", "role": role},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "q", "delta": "question"},
        {"type": "TEXT_MESSAGE_CHUNK", "messageId": "r", "role": role, "delta": "question"},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "a", "delta": "answer"},
    )
    assert made.text == "answer"


@pytest.mark.parametrize(("code", "told"), [("E1", "E1"), (7, 7), (None, None)])
def test_the_code_of_an_error(code: Any, told: Any) -> None:
    error = read({"type": "RUN_ERROR", "message": "weg", "code": code}).error
    assert error is not None
    assert error.code == told
