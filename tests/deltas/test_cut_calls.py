"""No call that was cut, damaged or taken back can be run: in each format, and for each kind of cut.

Each of these once came out as a whole call, mostly as one without arguments.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from llm import assemble, call, chat, sse, typed

from untorn.deltas import IncompleteToolCallError, ToolCall

ERROR = sse({"error": {"message": "weg"}})
DONE = sse("[DONE]")
OPENED = sse(chat(call(id="a", name="pay", index=0)))
CUSTOM = {
    "index": 0,
    "id": "a",
    "custom": {"name": "sql", "input": "DELETE FROM"},
}
START = {"type": "message_start", "message": {"id": "m1", "content": []}}
STOP: list[dict[str, Any]] = [
    {"type": "message_delta", "delta": {"stop_reason": "tool_use"}},
    {"type": "message_stop"},
]


def block(index: int, name: str, **more: Any) -> dict[str, Any]:
    content = {"type": "tool_use", "id": name, "name": name, **more}
    return {"type": "content_block_start", "index": index, "content_block": content}


def item(kind: str, **more: Any) -> bytes:
    fields = {"type": "function_call", "call_id": "a", "name": "pay", **more}
    return typed({"type": f"response.output_item.{kind}", "output_index": 0, "item": fields})


def terminal(status: str, **more: Any) -> bytes:
    return typed({"type": f"response.{status}", "response": {"status": status, **more}})


def parts(*parts: Any, finish: str | None = None) -> bytes:
    return sse({"candidates": [{"content": {"parts": list(parts)}, "finishReason": finish}]})


def cohere(kind: str, id: str, arguments: Any = "", **more: Any) -> bytes:
    function = {"name": "pay", "arguments": arguments}
    message = {"tool_calls": {"id": id, "function": function}}
    return typed({"type": f"tool-call-{kind}", "delta": {"message": message}, **more})


def ended(reason: str) -> bytes:
    return typed({"type": "message-end", "delta": {"finish_reason": reason}})


UI_CALL = sse({"type": "tool-input-start", "toolCallId": "a", "toolName": "pay"})
AG_CALL = sse({"type": "TOOL_CALL_START", "toolCallId": "a", "toolCallName": "pay"})
RUN = "thread.run.step.delta"
RUN_CALL = sse(
    {"delta": {"step_details": {"tool_calls": [{"index": 0, "id": "a", "type": "function"}]}}},
    event=RUN,
)
GOES_ON = {"name": "pay", "willContinue": True}
HALF = {"jsonPath": "$.a", "stringValue": "half", "willContinue": True}

CUT: dict[str, tuple[str, bytes]] = {
    "an error": ("openai-chat", OPENED + ERROR + DONE),
    "an error finish": ("openai-chat", OPENED + sse(chat(finish="error")) + DONE),
    "an error after a placeholder": (
        "openai-chat",
        sse(chat(call("{}", id="a", name="pay"))) + ERROR + DONE,
    ),
    "a limit in free text": (
        "openai-chat",
        sse(chat({"tool_calls": [CUSTOM]}), chat(finish="length")) + DONE,
    ),
    "two empty objects": ("openai-chat", sse(chat(call("{}", id="a", name="pay"))) * 2 + DONE),
    "a list for arguments": ("openai-chat", sse(chat(call([1], id="a", name="pay"))) + DONE),
    "a failed response": ("openai-responses", item("added") + terminal("failed")),
    "a cancelled response": ("openai-responses", item("added") + terminal("cancelled")),
    "an open call of a response": ("openai-responses", item("added") + terminal("completed")),
    "a limit in an announced call": (
        "openai-responses",
        item("added") + terminal("incomplete"),
    ),
    "a list for input": ("anthropic", typed(START, block(0, "pay", input=[1]), *STOP)),
    "an open block": ("anthropic", typed(START, block(0, "pay"), *STOP)),
    "a text that was to go on": (
        "gemini",
        parts({"functionCall": {**GOES_ON, "partialArgs": [HALF]}}) + parts(finish="STOP"),
    ),
    "a path that cannot be read": (
        "gemini",
        parts({"functionCall": {"name": "pay", "partialArgs": [{"jsonPath": "x", "nullValue": 0}]}})
        + parts(finish="STOP"),
    ),
    "a value of no known kind": (
        "gemini",
        parts({"functionCall": {"name": "pay", "partialArgs": [{"jsonPath": "$.a", "odd": 1}]}})
        + parts(finish="STOP"),
    ),
    "a list for args": (
        "gemini",
        parts({"functionCall": {"name": "pay", "args": [1]}}, finish="STOP"),
    ),
    "a failed chat": ("cohere", cohere("start", "a") + ended("ERROR")),
    "a call of a chat that never ended": ("cohere", cohere("start", "a") + ended("TOOL_CALL")),
    "an abort": ("vercel-ui", UI_CALL + sse({"type": "abort"})),
    "an input that never came": (
        "vercel-ui",
        UI_CALL + sse({"type": "tool-input-available", "toolCallId": "a"}, {"type": "finish"}),
    ),
    "a list for an input": (
        "vercel-ui",
        sse({"type": "tool-input-available", "toolCallId": "a", "input": [1]}, {"type": "finish"}),
    ),
    "a step that was reset": (
        "vercel-ui",
        sse(
            {"type": "start-step"},
            {"type": "tool-input-available", "toolCallId": "a", "input": {"b": 1}},
            {"type": "reset-step"},
            {"type": "finish"},
        ),
    ),
    "a run that failed": ("ag-ui", AG_CALL + sse({"type": "RUN_ERROR", "message": "weg"})),
    "a run that was cancelled": (
        "ag-ui",
        AG_CALL + sse({"type": "RUN_FINISHED", "outcome": {"type": "cancelled"}}),
    ),
    "an assistant that failed": (
        "openai-assistants",
        RUN_CALL + sse({"last_error": {"message": "weg"}}, event="thread.run.failed"),
    ),
    "an assistant that was cancelled": (
        "openai-assistants",
        RUN_CALL + sse({}, event="thread.run.cancelled"),
    ),
}


@pytest.mark.parametrize("cut", CUT)
def test_a_call_that_was_cut_cannot_be_run(cut: str) -> None:
    format, wire = CUT[cut]
    message = assemble(wire, format).message

    assert not message.intact
    [made] = message.tool_calls
    with pytest.raises(IncompleteToolCallError):
        made.json()


def whole(format: str, wire: bytes) -> list[tuple[str | None, dict[str, Any]]]:
    message = assemble(wire, format).message
    assert message.intact, message.problems
    return [(made.id, made.json()) for made in message.tool_calls]


def test_a_whole_input_counts_without_the_end_of_its_block() -> None:
    wire = typed(START, block(0, "pay", input={"sum": 5}), *STOP)
    assert whole("anthropic", wire) == [("pay", {"sum": 5})]


def test_an_index_that_is_used_again_is_another_block() -> None:
    stop = {"type": "content_block_stop", "index": 0}
    text = {"type": "content_block_start", "index": 0, "content_block": {"type": "text"}}
    wire = typed(START, text, stop, block(0, "pay", input={"sum": 5}), stop, *STOP)
    assert whole("anthropic", wire) == [("pay", {"sum": 5})]


def test_an_item_without_an_index_is_told_by_its_id() -> None:
    delta = {"type": "response.function_call_arguments.delta", "item_id": "i1", "delta": '{"a": 1}'}
    wire = item("added", id="i1") + typed(delta) + item("done", id="i1", arguments='{"a": 1}')
    assert whole("openai-responses", wire + terminal("completed")) == [("a", {"a": 1})]


def test_an_item_that_was_first_named_by_its_id_stays_one() -> None:
    delta = {"type": "response.output_text.delta", "item_id": "m1", "delta": "Да"}
    part = {"type": "output_text", "text": "Да"}
    done = {"type": "message", "id": "m1", "content": [part]}
    end = {"type": "response.output_item.done", "output_index": 0, "item": done}
    message = assemble(typed(delta, end) + terminal("completed"), "openai-responses").message

    assert (message.text, message.intact) == ("Да", True)


def test_arguments_that_only_the_announcement_has_count() -> None:
    wire = item("added", arguments='{"a": 1}') + terminal("completed")
    assert whole("openai-responses", wire) == [("a", {"a": 1})]


def test_another_id_is_another_call() -> None:
    wire = b"".join(
        cohere("start", id, arguments) + cohere("end", id) for id, arguments in PIECES.items()
    )
    assert whole("cohere", wire + ended("TOOL_CALL")) == [("a", {}), ("b", {"n": 1})]


PIECES = {"a": "{}", "b": {"n": 1}}


@pytest.mark.parametrize("half", ["\\ud83d", "\\udd8a", "x\\ud83d\\ud83d"])
def test_a_half_in_the_arguments_is_damage_and_never_handed_out(half: str) -> None:
    made = ToolCall(0, name="f", arguments=f'{{"a": ["{half}"], "{half}": 1}}', complete=True)
    for value in (made.json(), made.partial):
        assert "\ufffd" in json.dumps(value, ensure_ascii=False)
        json.dumps(value, ensure_ascii=False).encode("utf-8")

    message = assemble(
        sse(chat(call(made.arguments, id="a", name="f")), "[DONE]"), "openai-chat"
    ).message
    assert not message.intact
    assert message.problems == (
        "half of a surrogate pair never got its other half: it is U+FFFD now",
    )


def test_a_pair_in_the_arguments_is_whole() -> None:
    wire = sse(chat(call('{"a": "\\ud83e\\udd8a"}', id="a", name="f")), "[DONE]")
    assert whole("openai-chat", wire) == [("a", {"a": "🦊"})]


def test_true_is_not_one() -> None:
    kind = "response.function_call_arguments.delta"
    delta = typed({"type": kind, "output_index": 0, "delta": '{"a": 1}'})
    done = item("done", arguments='{"a": true}') + terminal("completed")
    run = assemble(item("added") + delta + done, "openai-responses")
    assert run.message.tool_calls[0].json() == {"a": True}
