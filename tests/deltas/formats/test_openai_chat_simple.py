"""The short way through a chat stream: which chunks take it; see also test_short_ways.py."""

from __future__ import annotations

from typing import Any

import pytest
from llm import call, chat

from untorn.deltas import TextDelta, ToolCallDelta
from untorn.deltas._register import Options, Register
from untorn.deltas.formats.openai_chat import ChatReader

NAMES: dict[str, Any] = {"id": "r1", "model": "m"}


def begun() -> ChatReader:
    reader = ChatReader(Register(Options()))
    for payload in (
        chat({"content": "a"}, **NAMES),
        chat(call("{", id="c", name="f", index=0), **NAMES),
    ):
        list(reader(payload, "message"))
    return reader


@pytest.mark.parametrize(
    ("delta", "expected"),
    [
        ({"content": " b"}, TextDelta(" b")),
        ({"role": "assistant", "content": " b", "tool_calls": [], "x": ""}, TextDelta(" b")),
        (call("}", index=0), ToolCallDelta(1, "}")),
        ({**call("}", index=0), "content": None}, ToolCallDelta(1, "}")),
    ],
)
def test_a_chunk_that_only_appends_is_taken(delta: Any, expected: Any) -> None:
    payload = chat(delta, **NAMES, usage=None)
    made = begun().simple(payload)
    assert made == expected
    assert getattr(made, "raw", None) is payload


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {**NAMES, "choices": None},
        {**NAMES, "choices": []},
        {**NAMES, "choices": ["x"]},
        {**NAMES, "choices": [{"delta": {"content": "x"}}]},
        {**NAMES, "choices": [{"index": 0, "delta": None}]},
        {**NAMES, "choices": [{"index": 0, "delta": {"content": "x"}}] * 2},
        chat({"content": "x"}, "stop", **NAMES),
        chat({"content": "x"}, index=1, **NAMES),
        chat({"content": "x"}, **NAMES, usage={"total_tokens": 1}),
        chat({"content": "x"}, **NAMES, error={"message": "no"}),
        chat({"content": "x", "reasoning": "y"}, **NAMES),
        chat({"content": 7}, **NAMES),
        chat({"reasoning": "x"}, **NAMES),
        chat({}, **NAMES),
        {**NAMES, "choices": [{"index": 0, "delta": {"content": "x"}, "error": "no"}]},
    ],
)
def test_any_other_is_not(payload: Any) -> None:
    assert begun().simple(payload) is None


def test_there_is_none_before_the_stream_has_names() -> None:
    reader = ChatReader(Register(Options()))
    list(reader(chat({"content": "a"}), "message"))
    assert reader.simple(chat({"content": "b"})) is None
