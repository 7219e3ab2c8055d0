"""The stream of an Assistants run: the event's name tells, and "[DONE]" alone ends it."""

from __future__ import annotations

from typing import Any

import pytest
from llm import Run, assemble, check_sums, sse

from untorn.deltas import (
    EndMarker,
    ErrorUpdate,
    Outcome,
    RefusalDelta,
    TextDelta,
    ToolCallStart,
)

DONE = sse("[DONE]", event="done")


def message(*parts: Any, id: Any = "msg_1") -> bytes:
    return sse({"id": id, "delta": {"content": [*parts]}}, event="thread.message.delta")


def text(value: Any, index: Any = 0, **more: Any) -> dict[str, Any]:
    return {"index": index, "type": "text", "text": {"value": value, **more}}


def step(*calls: Any, id: Any = "step_1") -> bytes:
    details = {"type": "tool_calls", "tool_calls": [*calls]}
    return sse({"id": id, "delta": {"step_details": details}}, event="thread.run.step.delta")


def call(index: Any = 0, id: Any = None, kind: Any = "function", **own: Any) -> dict[str, Any]:
    return {"index": index, "id": id, "type": kind, kind: own}


def ran(status: str, **more: Any) -> bytes:
    return sse({"id": "run_é", "model": "m-1", **more}, event=f"thread.run.{status}")


def run(*wire: bytes) -> Run:
    made = assemble(b"".join(wire), "openai-assistants")
    check_sums(made)
    return made


def parts(made: Run) -> list[tuple[str, str, dict[str, Any]]]:
    return [(part.kind, part.text, part.metadata) for part in made.message.parts]


def test_a_run_that_answers() -> None:
    made = run(
        sse({"id": "thread_1", "object": "thread"}, event="thread.created"),
        *(ran("created"), ran("queued"), ran("in_progress")),
        sse({"id": "step_0"}, event="thread.run.step.created"),
        *(message(text("Γεια ")), message(text("σου"))),
        sse({"id": "msg_1", "content": [text("Γεια σου")]}, event="thread.message.completed"),
        ran("completed", usage={"total_tokens": 7}),
        DONE,
    )

    assert made.message.text == "Γεια σου"
    assert (made.message.id, made.message.model) == ("run_é", "m-1")
    assert (made.message.finish_reason, made.message.usage) == ("completed", {"total_tokens": 7})
    assert (made.message.ended_by, made.message.intact) == ("[DONE]", True)
    assert made.message.problems == ()


def test_parts_of_messages_are_keyed_by_message_and_index() -> None:
    made = run(
        message(text("一", 0), text("二", 1)),
        message(text("三", 0), id="msg_2"),
        message(text("!", 0)),
        DONE,
    )

    assert [text for _, text, _ in parts(made)] == ["一!", "二", "三"]
    assert made.message.text == "一二三!"


def test_annotations_are_kept_with_their_text() -> None:
    one, two = {"type": "file_citation", "index": 0}, {"type": "file_path", "index": 1}
    made = run(
        message(text("ž", annotations=[one, None])), message(text(None, annotations=[two])), DONE
    )

    assert parts(made) == [("text", "ž", {"annotations": [one, two]})]


def test_a_refusal_is_apart_from_the_text() -> None:
    made = run(message({"index": 0, "type": "refusal", "refusal": "нет"}, text("да", 1)), DONE)

    assert (made.message.refusal, made.message.text) == ("нет", "да")
    assert made.deltas[:2] == [RefusalDelta("нет"), TextDelta("да", slot=1)]


def test_a_run_that_wants_the_outputs_of_its_calls_ends_normally() -> None:
    made = run(
        step(call(0, "call_1", name="गणना", arguments="")),
        step(call(0, arguments='{"क": 1}'), call(1, "call_2", name="g", arguments="{")),
        step(call(1, arguments="}")),
        ran("requires_action"),
        DONE,
    )
    one, two = made.message.tool_calls

    assert (one.id, one.name, one.json()) == ("call_1", "गणना", {"क": 1})
    assert (two.id, two.name, two.json()) == ("call_2", "g", {})
    assert [delta for delta in made.deltas if isinstance(delta, ToolCallStart)] == [
        ToolCallStart(0, "call_1", "गणना"),
        ToolCallStart(1, "call_2", "g"),
    ]
    assert (made.message.finish_reason, made.message.intact) == ("requires_action", True)


def required(*calls: Any) -> bytes:
    outputs = {"tool_calls": [*calls]}
    action = {"type": "submit_tool_outputs", "submit_tool_outputs": outputs}
    return ran("requires_action", required_action=action)


def test_the_calls_that_the_run_waits_for_are_the_last_word_on_those_that_were_streamed() -> None:
    whole = {"id": "a", "function": {"name": "f", "arguments": '{"n": "ń"}'}}
    untold = {"id": "b", "function": {"name": "g", "arguments": "{}"}}
    made = run(step(call(0, "a", name="f", arguments='{"n"')), required(whole, untold, None), DONE)

    assert [(c.id, c.name, c.json()) for c in made.message.tool_calls] == [
        ("a", "f", {"n": "ń"}),
        ("b", "g", {}),
    ]
    assert (made.message.problems, made.message.intact) == ((), True)


@pytest.mark.parametrize("action", [None, "x", {"submit_tool_outputs": {"tool_calls": "x"}}])
def test_a_run_may_not_say_what_it_waits_for(action: Any) -> None:
    made = run(
        step(call(0, "a", name="f", arguments="{}")),
        ran("requires_action", required_action=action),
        DONE,
    )

    assert [(c.id, c.json()) for c in made.message.tool_calls] == [("a", {})]


def test_calls_of_two_steps_are_apart() -> None:
    made = run(step(call(0, "a", name="f")), step(call(0, "b", name="g"), id="step_2"), DONE)

    assert [call.id for call in made.message.tool_calls] == ["a", "b"]


def test_code_and_searches_are_the_providers_own_and_outputs_are_kept() -> None:
    logs = [{"index": 0, "type": "logs", "logs": "４"}, {"index": 1, "type": "image"}]
    made = run(
        step(call(0, "c", "code_interpreter", input="print(", outputs=[])),
        step(call(0, None, "code_interpreter", input='"๔")', outputs=[logs[0], "x"])),
        step(call(0, None, "code_interpreter", outputs=logs[1:])),
        step(call(1, "s", "file_search")),
        ran("completed"),
        DONE,
    )
    code, search = made.message.server_calls

    assert (code.id, code.name, code.arguments) == ("c", "code_interpreter", 'print("๔")')
    assert (code.custom, code.complete) == (True, True)
    assert (search.id, search.name, search.arguments) == ("s", "file_search", "")
    assert parts(made)[0] == ("tool_call", code.arguments, {"outputs": logs})
    assert made.message.tool_calls == ()


@pytest.mark.parametrize("status", ["incomplete", "expired"])
def test_a_run_that_stopped_early_is_shortened(status: str) -> None:
    made = run(message(text("tro")), ran(status), DONE)

    assert (made.message.finish_reason, made.message.shortened) == (status, True)
    assert made.message.outcome is Outcome.COMPLETED


@pytest.mark.parametrize(
    ("last_error", "error"),
    [
        ({"code": "rate_limit_exceeded", "message": "много"}, ("много", "rate_limit_exceeded")),
        ("много", ("много", None)),
        (None, ("the run failed", None)),
        ({}, ("the run failed", None)),
    ],
)
def test_a_run_that_failed_is_an_error(last_error: Any, error: tuple[str, str | None]) -> None:
    made = run(message(text("tro")), ran("failed", last_error=last_error), DONE)

    assert made.message.error == ErrorUpdate(*error)
    assert (made.message.outcome, made.message.text) == (Outcome.PROVIDER_ERROR, "tro")
    assert made.message.finish_reason == "failed"


def test_an_error_event_is_an_error() -> None:
    made = run(sse({"code": "server_error", "message": "βλάβη"}, event="error"), DONE)

    assert made.message.error == ErrorUpdate("βλάβη", "server_error")


def test_a_run_that_was_cancelled_says_so() -> None:
    made = run(message(text("tro")), ran("cancelling"), ran("cancelled"), DONE)

    assert EndMarker("thread.run.cancelled", cancelled=True) in made.deltas
    assert made.message.outcome is Outcome.CANCELLED
    assert not made.message.intact


def test_the_end_of_the_run_is_an_end_and_strict_mode_waits_for_done() -> None:
    wire = message(text("ok")) + ran("completed")
    over, cut = run(wire).message, run(message(text("ok"))).message
    strict = assemble(wire, "openai-assistants", strict=True).message

    assert (over.outcome, over.ended_by, over.intact) == (Outcome.COMPLETED, "finish reason", True)
    assert (strict.outcome, strict.ended_by, strict.intact) == (Outcome.TRUNCATED, None, False)
    assert (cut.outcome, cut.ended_by, cut.intact) == (Outcome.TRUNCATED, None, False)


def test_a_call_of_a_run_that_was_cut_is_not_complete() -> None:
    assert not run(step(call(0, "a", name="f", arguments="{}"))).message.tool_calls[0].complete


@pytest.mark.parametrize(
    "wire",
    [
        message(text(None)),
        message(text(["x"])),
        message({"text": "x", "refusal": None}, None, "x"),
        message({"text": {"annotations": [None]}, "refusal": ["x"]}),
        sse({"delta": None}, event="thread.message.delta"),
        sse({"delta": {"content": "x"}}, event="thread.message.delta"),
        sse({}, event="thread.run.step.delta"),
        sse({"delta": {"step_details": "x"}}, event="thread.run.step.delta"),
        step("x", None),
        sse({"status": "x", "usage": {"a": 1}}, event="thread.run.of_tomorrow"),
        sse({"id": "step_1", "usage": {"a": 1}}, event="thread.run.step.completed"),
        sse({"id": "msg_1", "delta": {"content": [text("x")]}}),
        sse({"id": "msg_1", "delta": {"content": [text("x")]}}, event="message.delta"),
    ],
)
def test_absent_null_and_wrong_types_give_nothing(wire: bytes) -> None:
    made = run(wire)

    assert made.deltas == []
    assert (made.message.parts, made.message.problems) == ((), ())


@pytest.mark.parametrize("kind", [None, 5, ""])
def test_a_call_of_no_kind_is_the_clients_and_lacks_what_is_no_text(kind: Any) -> None:
    made = run(step({"index": "0", "id": 5, "type": kind, "function": {"arguments": ["x"]}}), DONE)

    assert [(c.id, c.name, c.arguments) for c in made.message.tool_calls] == [(None, None, "")]
    assert made.message.server_calls == ()


def test_ids_and_indexes_of_wrong_types_are_the_first() -> None:
    made = run(message(text("a", "x"), id=5), message(text("b", None), id=None), DONE)

    assert [text for _, text, _ in parts(made)] == ["ab"]
