"""AG-UI's events: triples, and chunks that imply them; what ends a call, a message and a run."""

from __future__ import annotations

from typing import Any

import pytest
from llm import Run, assemble, check_sums, sse

from untorn.deltas import (
    EndMarker,
    ErrorUpdate,
    Finish,
    Outcome,
    ReasoningDelta,
    TextDelta,
    ToolCallDelta,
    ToolCallEnd,
    ToolCallStart,
)

STARTED = {"type": "RUN_STARTED", "threadId": "t", "runId": "run-ß"}
FINISHED: dict[str, Any] = {"type": "RUN_FINISHED"}


def message(kind: str, id: Any = None, delta: Any = None) -> dict[str, Any]:
    return {"type": kind, "messageId": id, "delta": delta}


def said(id: Any, delta: Any) -> dict[str, Any]:
    return message("TEXT_MESSAGE_CONTENT", id, delta)


def tool(step: str, id: Any = None, delta: Any = None, name: Any = None) -> dict[str, Any]:
    return {"type": f"TOOL_CALL_{step}", "toolCallId": id, "delta": delta, "toolCallName": name}


def run(*payloads: dict[str, Any]) -> Run:
    made = assemble(sse(STARTED, *payloads), "ag-ui")
    check_sums(made)
    return made


def parts(made: Run) -> list[tuple[str, str, dict[str, Any]]]:
    return [(part.kind, part.text, part.metadata) for part in made.message.parts]


def ends(made: Run) -> list[ToolCallEnd]:
    return [delta for delta in made.deltas if isinstance(delta, ToolCallEnd)]


def test_a_run_of_triples() -> None:
    made = run(
        {"type": "STEP_STARTED", "stepName": "s"},
        *(message("REASONING_MESSAGE_START", "r"), message("REASONING_MESSAGE_CONTENT", "r", "ฟัง")),
        message("TEXT_MESSAGE_START", "m"),
        *(said("m", "Ще "), said("m", "не"), message("TEXT_MESSAGE_END", "m")),
        tool("START", "c", name="wyślij"),
        *(tool("ARGS", "c", '{"do":'), tool("ARGS", "c", '"Łódź"}'), tool("END", "c")),
        {"type": "RUN_FINISHED", "outcome": {"type": "success"}, "usage": {"total": 3}},
    )
    [call] = made.message.tool_calls

    assert (made.message.id, made.message.reasoning, made.message.text) == ("run-ß", "ฟัง", "Ще не")
    assert (call.id, call.name, call.json()) == ("c", "wyślij", {"do": "Łódź"})
    assert ends(made) == [ToolCallEnd(call.slot, '{"do":"Łódź"}')]
    assert (made.message.usage, made.message.finish_reason) == ({"total": 3}, "success")
    assert made.message.ended_by == "RUN_FINISHED"
    assert made.message.intact


def test_the_older_name_of_thinking_is_read_too() -> None:
    made = run({"type": "THINKING_TEXT_MESSAGE_CONTENT", "delta": "думаю"}, FINISHED)

    assert made.message.reasoning == "думаю"


def test_chunks_give_their_ids_and_the_name_once() -> None:
    made = run(
        message("REASONING_MESSAGE_CHUNK", "r", "想"),
        message("REASONING_MESSAGE_CHUNK", None, "想"),
        message("TEXT_MESSAGE_CHUNK", "m", "好"),
        message("TEXT_MESSAGE_CHUNK", None, "的"),
        tool("CHUNK", "c", '{"a"', name="f"),
        tool("CHUNK", None, ": 1}"),
        FINISHED,
    )
    [call] = made.message.tool_calls

    assert parts(made)[:2] == [("reasoning", "想想", {}), ("text", "好的", {})]
    assert (call.id, call.name, call.json()) == ("c", "f", {"a": 1})
    assert len([delta for delta in made.deltas if isinstance(delta, ToolCallStart)]) == 1


@pytest.mark.parametrize(
    "other",
    [
        said("m", "x"),
        {"type": "STATE_DELTA", "delta": []},
        {"type": "RUN_FINISHED"},
        {"type": "RUN_ERROR", "message": "x"},
        tool("CHUNK", "d", "{}", name="g"),
        tool("RESULT", "c"),
    ],
)
def test_any_other_event_ends_the_call_that_chunks_held_open(other: dict[str, Any]) -> None:
    made = run(tool("CHUNK", "c", '{"a": 1}', name="f"), other)

    assert ends(made)[0] == ToolCallEnd(0, '{"a": 1}', complete=True)
    assert made.message.tool_calls[0].complete


def test_a_chunk_of_the_same_call_goes_on() -> None:
    made = run(*[tool("CHUNK", "c", piece, name="f") for piece in ('{"a"', ": 1}")])

    assert ends(made) == []
    assert not made.message.tool_calls[0].complete


@pytest.mark.parametrize(
    "other",
    [
        {"type": "STEP_FINISHED"},
        tool("CHUNK", "c", "{}", name="f"),
        message("REASONING_MESSAGE_CHUNK", "r", "c"),
    ],
)
def test_a_message_that_another_event_closed_is_not_gone_on_with(other: dict[str, Any]) -> None:
    first, second = message("TEXT_MESSAGE_CHUNK", "m", "a"), message("TEXT_MESSAGE_CHUNK", "", "b")
    made = run(first, other, second, FINISHED)

    assert [text for kind, text, _ in parts(made) if kind == "text"] == ["a", "b"]


def test_calls_of_triples_interleave_and_end_apart() -> None:
    made = run(
        *(tool("START", "a", name="f"), tool("START", "b", name="g"), tool("ARGS", "b", '{"b"')),
        *(tool("ARGS", "a", '{"a": 1}'), tool("END", "a"), tool("ARGS", "b", ": 2")),
    )

    assert [call.arguments for call in made.message.tool_calls] == ['{"a": 1}', '{"b": 2']
    assert [end.slot for end in ends(made)] == [0]


def test_arguments_of_a_call_that_never_started_open_it_once() -> None:
    made = run(tool("ARGS", "c", '{"n":'), tool("ARGS", "c", "1}"), tool("END", "c"), FINISHED)

    assert made.deltas[:3] == [
        ToolCallStart(0, "c"),
        ToolCallDelta(0, '{"n":'),
        ToolCallDelta(0, "1}"),
    ]
    assert made.message.tool_calls[0].json() == {"n": 1}


def test_parts_are_in_the_order_in_which_they_were_started() -> None:
    start = message("TEXT_MESSAGE_START", "m")
    made = run(start, tool("START", "c", name="f"), said("m", "زود"), FINISHED)

    assert [kind for kind, _, _ in parts(made)] == ["text", "tool_call"]


def test_the_result_of_a_call_is_kept_with_it() -> None:
    result = {"type": "TOOL_CALL_RESULT", "toolCallId": "c", "content": "16 °C"}
    unknown = {"type": "TOOL_CALL_RESULT", "toolCallId": "d", "content": "?"}
    made = run(tool("START", "c", name="f"), tool("END", "c"), result, unknown, FINISHED)

    assert parts(made) == [("tool_call", "", {"result": "16 °C"})]


@pytest.mark.parametrize("result", [{}, {"content": None}])
def test_a_result_without_content_is_nothing(result: dict[str, Any]) -> None:
    made = run(tool("START", "c"), {"type": "TOOL_CALL_RESULT", "toolCallId": "c", **result})

    assert parts(made) == [("tool_call", "", {})]


def test_encrypted_thinking_is_kept_in_its_place() -> None:
    secret = {"type": "REASONING_ENCRYPTED_VALUE", "entityId": "r", "encryptedValue": "Z2Vo"}
    made = run(message("REASONING_MESSAGE_CONTENT", "r", "geh"), secret, said("m", "los"), FINISHED)

    assert parts(made) == [("reasoning", "geh", {}), ("other", "", secret), ("text", "los", {})]


def test_an_error_ends_the_run() -> None:
    made = run(said("m", "Ô"), {"type": "RUN_ERROR", "message": "πτώση", "code": "E1"})

    assert made.deltas[-2:] == [ErrorUpdate("πτώση", "E1"), EndMarker("RUN_ERROR")]
    assert (made.message.outcome, made.message.text) == (Outcome.PROVIDER_ERROR, "Ô")


@pytest.mark.parametrize("error", [{}, {"message": None, "code": None}, {"message": 5, "code": []}])
def test_an_error_that_says_nothing_is_one(error: dict[str, Any]) -> None:
    assert run({"type": "RUN_ERROR", **error}).message.error == ErrorUpdate("the run failed")


@pytest.mark.parametrize("outcome", ["cancelled", {"type": "cancelled"}])
def test_a_run_that_was_cancelled_says_so_and_what_was_open_is_cut(outcome: Any) -> None:
    call = tool("START", "c", name="f"), tool("ARGS", "c", '{"a": 1}')
    made = run(*call, {"type": "RUN_FINISHED", "outcome": outcome})

    assert Finish("cancelled") in made.deltas
    assert made.deltas[-1] == EndMarker("RUN_FINISHED", cancelled=True)
    assert made.message.outcome is Outcome.CANCELLED
    assert not made.message.tool_calls[0].complete


def test_arguments_may_come_as_an_object() -> None:
    made = run(tool("START", "c", name="f"), tool("ARGS", "c", {"é": [1]}), tool("END", "c"))

    assert [call.arguments for call in made.message.tool_calls] == ['{"é":[1]}']


def test_a_run_that_was_interrupted_is_shortened() -> None:
    made = run(said("m", "ab"), {"type": "RUN_FINISHED", "outcome": {"type": "interrupt"}})

    assert (made.message.shortened, made.message.intact) == (True, True)


@pytest.mark.parametrize("outcome", [None, {}, 5, {"type": None}])
def test_a_run_needs_no_outcome_to_be_finished(outcome: Any) -> None:
    made = run(said("m", "ab"), {"type": "RUN_FINISHED", "outcome": outcome, "usage": "x"})

    assert (made.message.finish_reason, made.message.usage) == (None, None)
    assert (made.message.outcome, made.message.intact) == (Outcome.COMPLETED, True)


def test_a_stream_without_its_last_event_is_cut() -> None:
    message = run(said("m", "ab"), tool("CHUNK", "c", "{}", name="f")).message

    assert (message.outcome, message.intact) == (Outcome.TRUNCATED, False)
    assert not message.tool_calls[0].complete


@pytest.mark.parametrize(
    "payload",
    [
        {"type": "RUN_STARTED", "runId": 5},
        said("m", None),
        said(5, ["x"]),
        message("REASONING_MESSAGE_CONTENT", "r", {}),
        tool("CHUNK", None, "x", name="f"),
        tool("END", "c"),
        tool("RESULT", "c"),
        {"type": "STATE_SNAPSHOT", "snapshot": {"delta": "x"}},
        {"type": "MESSAGES_SNAPSHOT", "messages": [{"content": "x"}]},
        {"type": 5, "delta": "x"},
        {"delta": "x"},
    ],
)
def test_absent_null_and_wrong_types_give_nothing(payload: dict[str, Any]) -> None:
    made = assemble(sse(payload), "ag-ui")

    assert made.deltas == []
    assert (made.message.text, made.message.reasoning, made.message.id) == ("", "", None)
    assert (made.message.tool_calls, made.message.problems) == ((), ())


def test_content_and_calls_without_ids_are_read_as_one() -> None:
    pieces = [{"type": "TEXT_MESSAGE_CONTENT", "delta": delta} for delta in "אב"]
    thought = {"type": "REASONING_MESSAGE_CONTENT", "delta": "ה"}
    call = [tool("START", name="f"), tool("ARGS", None, "{}"), tool("END")]
    made = run(*pieces, thought, *call, FINISHED)

    assert made.deltas[:3] == [TextDelta("א"), TextDelta("ב"), ReasoningDelta("ה", slot=1)]
    assert [(call.id, call.name, call.json()) for call in made.message.tool_calls] == [
        (None, "f", {})
    ]
