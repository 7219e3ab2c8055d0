"""Cohere's v2 chat stream: contents and calls are numbered apart, the plan is its own thinking."""

from __future__ import annotations

from typing import Any

import pytest
from llm import Run, assemble, check_sums, sse, typed

from untorn.deltas import ErrorUpdate, Outcome, ToolCallEnd, ToolCallStart


def event(kind: str, index: Any = None, **message: Any) -> dict[str, Any]:
    return {"type": kind, "index": index, "delta": {"message": message}}


def content(index: Any, **content: Any) -> dict[str, Any]:
    return event("content-delta", index, content=content)


def piece(index: Any, arguments: Any, kind: str = "tool-call-delta", **call: Any) -> dict[str, Any]:
    function = {"arguments": arguments} | call.pop("function", {})
    return event(kind, index, tool_calls={"function": function, **call})


def opened(index: Any, name: str, arguments: Any = "", **call: Any) -> dict[str, Any]:
    return piece(index, arguments, "tool-call-start", function={"name": name}, **call)


def end(reason: Any = "COMPLETE", **delta: Any) -> dict[str, Any]:
    return {"type": "message-end", "delta": {"finish_reason": reason, **delta}}


def run(*payloads: dict[str, Any]) -> Run:
    made = assemble(typed(*payloads) + sse("[DONE]"), "cohere")
    check_sums(made)
    return made


START = {"type": "message-start", "id": "c14c80c3", "delta": {"message": {"content": []}}}


def test_an_answer_with_thinking_and_text() -> None:
    usage = {"billed_units": {"output_tokens": 4}, "tokens": {"output_tokens": 9}}
    made = run(
        START,
        event("content-start", 0, content={"type": "thinking", "thinking": "Ας "}),
        content(0, thinking="δούμε"),
        event("content-end", 0),
        event("content-start", 1, content={"type": "text", "text": ""}),
        content(1, text="Bună "),
        content(1, text="ziua"),
        end(usage=usage),
    )
    message = made.message

    assert (message.reasoning, message.text) == ("Ας δούμε", "Bună ziua")
    assert (message.id, message.usage, message.finish_reason) == ("c14c80c3", usage, "COMPLETE")
    assert (message.ended_by, message.outcome) == ("message-end", Outcome.COMPLETED)
    assert message.intact
    assert message.problems == ()


def test_the_plan_is_thinking_apart_from_the_other_and_its_part_says_so() -> None:
    plans = [event("tool-plan-delta", tool_plan=plan) for plan in ("Я ", "поищу.")]
    made = run(START, *plans, content(0, thinking="Хм."), end("TOOL_CALL"))

    assert made.message.reasoning == "Я поищу.Хм."
    assert [(p.kind, p.text, p.metadata) for p in made.message.parts] == [
        ("reasoning", "Я поищу.", {"type": "tool_plan"}),
        ("reasoning", "Хм.", {}),
    ]


def test_calls_and_contents_of_the_same_index_are_apart() -> None:
    made = run(
        START,
        opened(0, "खोज", id="t_0"),
        opened(1, "now", "{}", id="t_1"),
        piece(0, '{\n  "प्रश्न":'),
        content(0, text="देखें"),
        piece(0, ' "मौसम"\n}'),
        event("tool-call-end", 0),
        event("tool-call-end", 1),
        end("TOOL_CALL"),
    )
    one, two = made.message.tool_calls

    assert (one.id, one.name, one.json()) == ("t_0", "खोज", {"प्रश्न": "मौसम"})
    assert (two.id, two.name, two.json()) == ("t_1", "now", {})
    assert made.message.text == "देखें"
    assert [delta for delta in made.deltas if isinstance(delta, ToolCallStart)] == [
        ToolCallStart(0, "t_0", "खोज"),
        ToolCallStart(1, "t_1", "now"),
    ]
    assert made.message.intact


def test_a_call_may_come_as_a_list_too() -> None:
    calls = [{"id": "t", "function": {"name": "f", "arguments": '{"a": 1}'}}, None]
    made = run(START, event("tool-call-start", 3, tool_calls=calls), end())

    assert [(call.id, call.json()) for call in made.message.tool_calls] == [("t", {"a": 1})]


def test_a_call_ends_where_the_provider_says_so_and_not_where_the_stream_is_cut() -> None:
    whole = [START, opened(0, "f", '{"a": 1}')]
    ended = assemble(typed(*whole, event("tool-call-end", 0)), "cohere")
    cut = assemble(typed(*whole), "cohere")

    assert [delta for delta in ended.deltas if isinstance(delta, ToolCallEnd)] == [
        ToolCallEnd(0, '{"a": 1}', complete=True)
    ]
    assert ended.message.tool_calls[0].complete
    assert not cut.message.tool_calls[0].complete
    assert cut.message.outcome is Outcome.TRUNCATED


def test_citations_are_kept_in_their_place() -> None:
    cited = [{"start": 0, "end": 2, "text": "第1"}, {"start": 3, "end": 5, "text": "第2"}]
    starts = [event("citation-start", n, citations=citation) for n, citation in enumerate(cited)]
    made = run(START, content(0, text="第1、"), *starts, content(1, text="第2"), end())

    assert [(part.kind, part.text, part.metadata) for part in made.message.parts] == [
        ("text", "第1、", {}),
        ("other", "", {"citations": cited}),
        ("text", "第2", {}),
    ]


@pytest.mark.parametrize("reason", ["MAX_TOKENS", "ERROR_LIMIT", "ERROR_TOXIC", "USER_CANCEL"])
def test_reasons_that_say_that_the_provider_stopped_early(reason: str) -> None:
    message = run(START, content(0, text="ك"), end(reason)).message

    assert (message.finish_reason, message.shortened, message.intact) == (reason, True, True)


@pytest.mark.parametrize("reason", ["COMPLETE", "STOP_SEQUENCE", "TOOL_CALL", None])
def test_other_reasons_and_none_end_the_answer_as_well(reason: str | None) -> None:
    message = run(START, content(0, text="ك"), end(reason)).message

    assert (message.finish_reason, message.shortened, message.intact) == (reason, False, True)


@pytest.mark.parametrize("reason", ["ERROR", "TIMEOUT"])
def test_a_reason_that_is_an_error_is_one(reason: str) -> None:
    message = run(START, content(0, text="Půl"), end(reason)).message

    assert message.error == ErrorUpdate(f"the finish reason is {reason}", reason)
    assert (message.outcome, message.text) == (Outcome.PROVIDER_ERROR, "Půl")
    assert message.finish_reason == reason


@pytest.mark.parametrize("error", ["прервано", {"message": "прервано"}])
def test_an_error_in_the_end_says_more_than_the_reason(error: Any) -> None:
    made = run(START, end("ERROR", error=error))

    assert [d.message for d in made.deltas if isinstance(d, ErrorUpdate)] == ["прервано"]
    assert made.message.outcome is Outcome.PROVIDER_ERROR


def test_the_name_of_the_event_counts_where_the_json_has_no_type() -> None:
    payload = {"index": 0, "delta": {"message": {"content": {"text": "ไทย"}}}}
    message = assemble(sse(payload, event="content-delta"), "cohere").message

    assert message.text == "ไทย"


def test_done_alone_ends_nothing() -> None:
    message = run(START, content(0, text="半")).message

    assert (message.outcome, message.ended_by) == (Outcome.TRUNCATED, None)
    assert not message.intact


@pytest.mark.parametrize(
    "payload",
    [
        {"type": "message-start", "id": 5, "delta": None},
        content(0),
        content(0, text=None, thinking=5),
        content(0, text=["x"], thinking={}),
        event("content-start", 0, content="x"),
        {"type": "content-delta", "delta": {"message": "x"}},
        {"type": "content-delta", "delta": "x"},
        {"type": "content-delta"},
        event("tool-plan-delta", tool_plan=["x"]),
        event("tool-plan-delta"),
        event("tool-call-start", 0, tool_calls=None),
        event("tool-call-delta", 0, tool_calls=["x"]),
        event("tool-call-end", 0),
        event("citation-start", 0, citations=None),
        event("citation-start", 0, citations={}),
        event("citation-end", 0),
        {"type": "debug", "prompt": "x"},
        {"type": 5, "delta": {"message": {"content": {"text": "x"}}}},
    ],
)
def test_absent_null_and_wrong_types_give_nothing(payload: dict[str, Any]) -> None:
    made = assemble(sse(payload), "cohere")

    assert made.deltas == []
    assert (made.message.parts, made.message.problems) == ((), ())
    assert made.message.id is None


def test_what_is_missing_of_a_call_and_of_the_end_is_not_made_up() -> None:
    made = run(START, piece(None, None, id=["t"], function={"name": {}}), {"type": "message-end"})
    [call] = made.message.tool_calls

    assert (call.id, call.name, call.arguments, call.complete) == (None, None, "", False)
    assert (made.message.finish_reason, made.message.usage) == (None, None)
    assert made.message.ended_by == "message-end"


@pytest.mark.parametrize(
    ("arguments", "text", "complete"),
    [({"ц": 1}, '{"ц":1}', True), ([1], "[1]", False), (5, "5", False), ("5", "5", False)],
)
def test_arguments_of_any_type_are_shown_and_objects_alone_can_be_run(
    arguments: Any, text: str, complete: bool
) -> None:
    made = run(START, opened(0, "f", arguments), event("tool-call-end", 0), end("TOOL_CALL"))

    assert [(c.arguments, c.complete) for c in made.message.tool_calls] == [(text, complete)]


def test_another_id_under_an_index_that_is_taken_or_under_none_is_another_call() -> None:
    made = run(
        START,
        *(opened(0, "f", '{"n"', id="α"), piece(0, ": 1}", id="α"), event("tool-call-end", 0)),
        *(opened(None, "g", id="β"), piece(0, '{"n": 2}'), event("tool-call-end", None)),
        end("TOOL_CALL"),
    )

    assert [(c.id, c.name, c.json()) for c in made.message.tool_calls] == [
        ("α", "f", {"n": 1}),
        ("β", "g", {"n": 2}),
    ]


def test_a_call_that_is_left_open_and_empty_was_cut() -> None:
    made = run(START, opened(0, "f", id="t"), end("TOOL_CALL"))

    assert not made.message.tool_calls[0].complete
    assert not made.message.intact


@pytest.mark.parametrize("index", ["0", None, True, [0]])
def test_an_index_that_is_no_number_is_the_first(index: Any) -> None:
    made = run(START, content(0, text="a"), content(index, text="b"), end())

    assert [part.text for part in made.message.parts] == ["ab"]


def test_a_giant_index_takes_one_entry() -> None:
    made = run(START, content(999_999_999, text="ש"), opened(999_999_999, "f", "{}"), end())

    assert (made.message.text, len(made.message.tool_calls)) == ("ש", 1)
    assert [part.slot for part in made.message.parts] == [0, 1]
