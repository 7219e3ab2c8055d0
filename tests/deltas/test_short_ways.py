"""The short ways through the formats: whatever they take, they give what the long way does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llm import LLM_FILES, Case, call, cases, chat

from untorn import Event, SSEParser
from untorn.deltas import DeltaAssembler, get_format

ALL = [case for case in cases(*LLM_FILES) if case.format != "auto"]
NAMES: dict[str, Any] = {"id": "r1", "model": "m"}
ITEM = {"item_id": "i1", "output_index": 0}
BLOCK: dict[str, Any] = {"type": "content_block_delta", "index": 0}

# Of each format, how a stream begins, and what then appends to its parts.
BEGUN: dict[str, list[dict[str, Any]]] = {
    "openai-chat": [
        chat({"role": "assistant", "content": ""}, **NAMES),
        chat({"content": "a"}, **NAMES),
        chat({"reasoning": "b"}, **NAMES),
        chat(call("{", id="c1", name="f", index=0), **NAMES),
    ],
    "anthropic": [
        {"type": "message_start", "message": {**NAMES, "content": []}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_start", "index": 1, "content_block": {"type": "thinking"}},
        {
            "type": "content_block_start",
            "index": 2,
            "content_block": {"type": "tool_use", "id": "c1", "name": "f", "input": {"a": 1}},
        },
    ],
    "openai-responses": [
        {"type": "response.created", "sequence_number": 0, "response": NAMES},
        {
            "type": "response.output_item.added",
            "output_index": 1,
            "item": {"type": "function_call", "id": "i2", "call_id": "c1", "name": "f"},
        },
        {"type": "response.output_text.delta", "sequence_number": 2, **ITEM, "delta": "a"},
        {"type": "response.reasoning_summary_text.delta", "output_index": 2, "delta": "b"},
    ],
}
APPENDING: dict[str, list[dict[str, Any]]] = {
    "openai-chat": [
        chat({"content": " x"}, **NAMES),
        chat({"role": "assistant", "content": "é", "refusal": None, "tool_calls": []}, **NAMES),
        chat({"reasoning": "y"}, **NAMES),
        chat(call('"k":', index=0), **NAMES),
        chat({"content": "z"}, index=1, **NAMES),
    ],
    "anthropic": [
        {**BLOCK, "delta": {"type": "text_delta", "text": " x"}},
        {**BLOCK, "index": 1, "delta": {"type": "thinking_delta", "thinking": "y"}},
        {**BLOCK, "index": 2, "delta": {"type": "input_json_delta", "partial_json": '{"k":'}},
        {**BLOCK, "index": 2, "delta": {"type": "text_delta", "text": "in a call"}},
        {"type": "content_block_stop", "index": 2},
        {"type": "message_start", "message": {"id": "r2", "model": "m"}},
    ],
    "openai-responses": [
        {"type": "response.output_text.delta", "sequence_number": 3, **ITEM, "delta": " x"},
        {"type": "response.refusal.delta", **ITEM, "content_index": 1, "delta": "no"},
        {"type": "response.reasoning_text.delta", "output_index": 2, "delta": "y"},
        {"type": "response.reasoning_summary_text.delta", "output_index": 2, "delta": "z"},
        {
            "type": "response.function_call_arguments.delta",
            "sequence_number": 3,
            "output_index": 1,
            "delta": '{"k":',
        },
    ],
}
KEYS = (
    *("choices", "content", "custom", "delta", "error", "extra_content", "finishReason"),
    *("finish_reason", "function", "function_call", "arguments", "name", "id", "index", "input"),
    *("item_id", "output_index", "content_index", "summary_index", "sequence_number", "response"),
    *("message", "model", "partial_json", "reasoning", "refusal", "audio", "text", "thinking"),
    *("tool_calls", "type", "usage", "x_groq", "role"),
)
VALUES: list[Any] = [None, 0, 1, 1.0, True, "", "x", "\ud83d", [], [None], {}, {"a": 1}, [{}]]
VALUES += [{"message": "no"}, "error", "null", {"name": "g"}, {"total_tokens": 1}, "tool_calls"]


def run(format: Any, events: list[Event], *, short: bool) -> Iterator[object]:
    """Give all that can be seen after each event."""
    assembler = DeltaAssembler(get_format(format))
    if not short:
        assembler._read._simple = None  # type: ignore[attr-defined]
    for event in events:
        deltas = assembler.feed(event)
        yield [(delta, getattr(delta, "raw", None)) for delta in deltas]
        yield assembler.message
        yield sorted(assembler._register.finished), assembler._register.started
    yield assembler.close()
    yield assembler.message


def both_ways_agree(format: str, events: list[Event]) -> None:
    assert [*run(format, events, short=True)] == [*run(format, events, short=False)]


@st.composite
def streams(draw: st.DrawFn, format: str) -> list[Event]:
    """Give events that mostly append, with a few keys set to something else."""
    payloads = BEGUN[format] + draw(st.lists(st.sampled_from(APPENDING[format]), max_size=8))
    copies = json.loads(json.dumps(payloads))
    for number in draw(st.lists(st.integers(0, len(copies) - 1), max_size=3)):
        holder = draw(st.sampled_from([*holders(copies[number])]))
        key = draw(st.sampled_from([*holder, *KEYS] if isinstance(holder, dict) else [0]))
        holder[key] = json.loads(json.dumps(draw(st.sampled_from(VALUES))))
    names = st.sampled_from(["message", "message", "message", "error", "content_block_delta"])
    return [Event(json.dumps(copy), draw(names)) for copy in copies]


def holders(value: Any) -> Iterator[Any]:
    if isinstance(value, (dict, list)) and value:
        yield value
        for inner in value.values() if isinstance(value, dict) else value:
            yield from holders(inner)


@pytest.mark.parametrize("case", ALL, ids=str)
def test_both_ways_give_the_same_for_every_case(case: Case) -> None:
    both_ways_agree(case.format, [*SSEParser().feed(case.wire)])


@pytest.mark.parametrize("format", APPENDING)
@given(data=st.data())
def test_both_ways_give_the_same_for_whatever_comes(format: str, data: st.DataObject) -> None:
    both_ways_agree(format, data.draw(streams(format)))


@pytest.mark.parametrize("format", APPENDING)
def test_what_only_appends_takes_the_short_way(format: Any) -> None:
    assembler = DeltaAssembler(get_format(format))
    for payload in BEGUN[format]:
        assembler.feed(Event(json.dumps(payload)))
    short = assembler._read._simple  # type: ignore[attr-defined]

    taken = [short(payload) is not None for payload in APPENDING[format]]
    assert (
        taken
        == {
            "openai-chat": [True, True, False, True, False],
            "anthropic": [True, True, True, False, False, False],
            "openai-responses": [True, False, False, True, True],
        }[format]
    )
