"""Assembling is linear in the events for every shape, also where a call is watched on the way.

The same shape eight times as long may cost about eight times as much, and 64 if it is quadratic.
"""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from llm import call, chat
from timing import is_linear, least_time

from untorn import Event
from untorn.deltas import DeltaAssembler

Shape = Callable[[int], list[Any]]


def typed(*payloads: dict[str, Any]) -> list[Any]:
    return list(payloads)


def pieces(n: int) -> list[Any]:
    opened = [chat(call('{"text": "', id="c", name="f", index=0))]
    return opened + [chat(call("abcd", index=0)) for _ in range(4 * n)]


def texts_done(n: int) -> list[Any]:
    at = {"output_index": 0, "content_index": 0}
    kind = "response.output_text"
    deltas = [{"type": f"{kind}.delta", "delta": "word ", **at} for _ in range(4 * n)]
    return [*deltas, {"type": f"{kind}.done", "text": "word " * 4 * n, **at}]


def blocks(n: int) -> list[Any]:
    delta = {"type": "content_block_delta", "index": 0}
    return [{**delta, "delta": {"type": "text_delta", "text": "word "}} for _ in range(4 * n)]


def call_pieces(n: int) -> list[Any]:
    at = {"type": "response.function_call_arguments.delta", "output_index": 0, "item_id": "i"}
    return [{**at, "sequence_number": i, "delta": "abcd"} for i in range(4 * n)]


def paths(n: int) -> list[Any]:
    def event(**function: Any) -> Any:
        part = {"functionCall": {"willContinue": True, **function}}
        return {"candidates": [{"content": {"parts": [part]}}]}

    rows = [{"jsonPath": f"$.rows[{i}]", "stringValue": "x"} for i in range(n)]
    return [event(name="f"), *[event(partialArgs=[row]) for row in rows]]


def long_text(n: int) -> list[Any]:
    def event(**function: Any) -> Any:
        part = {"functionCall": {"willContinue": True, **function}}
        return {"candidates": [{"content": {"parts": [part]}}]}

    piece = {"jsonPath": "$.a", "stringValue": "x" * 40, "willContinue": True}
    return [event(name="f"), *[event(partialArgs=[piece]) for _ in range(4 * n)]]


def finishing(n: int) -> list[Any]:
    """A finish reason with every piece of a call, as one host gives it with every chunk."""
    opened = [chat(call('{"text": "', id="c", name="f", index=0))]
    return opened + [chat(call("x" * 40, index=0), "tool_calls") for _ in range(4 * n)]


SHAPES: dict[str, tuple[str, Shape]] = {
    "text": ("openai-chat", lambda n: [chat({"content": "word "}) for _ in range(4 * n)]),
    "halves": ("openai-chat", lambda n: [chat({"content": "\ud83e"}) for _ in range(4 * n)]),
    "calls": ("openai-chat", lambda n: [chat(call("{}", id=f"c{i}", name="f")) for i in range(n)]),
    "pieces of a call": ("openai-chat", pieces),
    "choices": ("openai-chat", lambda n: [chat({"content": "a"}, index=i) for i in range(n // 4)]),
    "finish reasons": ("openai-chat", lambda n: [chat({"content": "a"}, "stop")] * (4 * n)),
    "finish reasons in a call": ("openai-chat", finishing),
    "numbers": ("openai-chat", lambda n: [{"choices": [{"delta": {"content": 1}}] * (n // 2)}]),
    "a long text at a path": ("gemini", long_text),
    "snapshots": ("openai-responses", texts_done),
    "paths": ("gemini", paths),
    "text of a block": ("anthropic", blocks),
    "pieces of a function call": ("openai-responses", call_pieces),
    "unknown events": ("anthropic", lambda n: typed(*[{"type": f"x{i}"} for i in range(4 * n)])),
    "bad payloads": ("openai-chat", lambda n: ["{"] * (4 * n)),
}


def events(payloads: list[Any]) -> list[Event]:
    return [Event(p if isinstance(p, str) else json.dumps(p)) for p in payloads]


@pytest.mark.parametrize("watched", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_work_grows_with_the_events(shape: str, watched: bool) -> None:
    format, make = SHAPES[shape]

    def assemble(stream: list[Event]) -> None:
        assembler: Any = DeltaAssembler(format)  # type: ignore[arg-type]
        for event in stream:
            deltas = assembler.feed(event)
            if watched and deltas and hasattr(deltas[0], "slot") and "pieces" in shape:
                assembler.call(deltas[0].slot)
        assembler.close()
        _ = assembler.message

    def cost(n: int) -> float:
        return least_time(assemble, events(make(n)))

    assert is_linear(cost, 200)


def test_an_index_is_a_key_and_never_a_size() -> None:
    huge = 999_999_999
    wires = {
        "openai-chat": chat(call("{}", id="c", name="f", index=huge), index=huge),
        "anthropic": {"type": "content_block_start", "index": huge, "content_block": {}},
        "openai-responses": {
            "type": "response.output_text.delta",
            "delta": "a",
            "output_index": huge,
        },
        "gemini": {"candidates": [{"index": huge, "content": {"parts": [{"text": "a"}]}}]},
    }
    for format, payload in wires.items():
        [event] = events([payload])
        assembler = DeltaAssembler(format)  # type: ignore[arg-type]
        tracemalloc.start()
        assembler.feed(event)
        _ = assembler.message
        assert tracemalloc.get_traced_memory()[1] < 200_000, format
        tracemalloc.stop()
