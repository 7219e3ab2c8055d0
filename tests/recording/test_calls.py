"""The arguments of calls: put together from their pieces before they are redacted."""

from __future__ import annotations

import json
from typing import Any

import pytest

from untorn.recording._calls import Arguments


def redacted(*payloads: Any) -> list[list[str | None]]:
    """Redact by counting: each character becomes its place in the arguments as a whole."""
    arguments = Arguments(lambda text: "".join(str(i % 10) for i in range(len(text))))
    texts = [p if isinstance(p, str) else json.dumps(p) for p in payloads]
    taken = [arguments.take(text) for text in texts]
    return [[piece and piece() for piece in pieces] for pieces in taken]


def piece(arguments: str, **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {"tool_calls": [call(arguments, **more)]}}]}


def call(arguments: str, **more: Any) -> dict[str, Any]:
    return {"function": {"arguments": arguments}, **more}


def test_a_call_goes_on_over_payloads() -> None:
    assert redacted(piece("abc"), "[DONE]", piece("de"), piece("")) == [["012"], [], ["34"], [""]]


def test_calls_are_told_apart_by_index_and_by_a_new_id() -> None:
    assert redacted(
        piece("ab", index=0, id="c0"),
        piece("ab", index=1),
        piece("c", index=0),
        piece("abc", index=0, id="c2"),
        piece("d", index=0, id="c2"),
        piece("ef", index=0, id=""),
    ) == [["01"], ["01"], ["2"], ["012"], ["3"], ["45"]]


def test_calls_without_an_index_are_told_apart_by_where_they_stand() -> None:
    output = {"output": [{"arguments": "abc"}, "x", [1], {"arguments": "ab"}]}
    assert redacted(output, output) == [["012", "01"], ["345", "23"]]


@pytest.mark.parametrize(
    ("payload", "is_json"),
    [
        ({"type": "response.function_call_arguments.delta", "delta": "a"}, True),
        ({"type": "response.output_text.delta", "delta": "a"}, False),
        ({"type": "TOOL_CALL_ARGS", "delta": "a"}, True),
        ({"type": "tool-input-error", "input": "a"}, True),
        ({"type": "custom_tool_call", "input": "a"}, False),
        ({"delta": "a"}, False),
        ({"partial_json": "a"}, True),
        ({"inputTextDelta": "a"}, True),
    ],
)
def test_some_keys_hold_json_in_some_events(payload: dict[str, Any], is_json: bool) -> None:
    assert redacted(payload) == [["0" if is_json else None]]


def test_each_text_is_told_in_order_also_where_a_key_comes_twice() -> None:
    payload = '{"arguments": "a", "delta": "b", "arguments": "cd", "x": {"arguments": "e"}}'
    assert redacted(payload) == [["0", None, "12", "0"]]


@pytest.mark.parametrize(
    "payload",
    [
        "",
        "word",
        '{"arguments": 7, "delta": null, "input": ["a"]}',
        '{"arguments": "cut',
        "[" * 100_000 + '{"arguments": "a"}',
        '{"text": "arguments"}',
    ],
)
def test_what_holds_none_is_passed_by(payload: str) -> None:
    assert redacted(payload) == [[]]
