"""The Responses stream: items and parts, streamed and repeated, and how the response ends."""

from __future__ import annotations

import json
from typing import Any

import pytest
from llm import Run, assemble, check_sums, sse, typed

from untorn.deltas import (
    EndMarker,
    ErrorUpdate,
    Finish,
    Message,
    Outcome,
    Part,
    ReasoningDelta,
    RefusalDelta,
    TextDelta,
    ToolCall,
    ToolCallDelta,
    ToolCallEnd,
    ToolCallStart,
    UsageUpdate,
)
from untorn.deltas.formats.openai_responses import OPENAI_RESPONSES

HUGE = 999_999_999
USAGE = {"input_tokens": 2, "output_tokens": 3}
WRONG: list[Any] = [None, True, 7, 1.5, "", [], [None, 1, "a", []], {}]


def event(kind: str, index: Any = None, **more: Any) -> dict[str, Any]:
    place = {} if index is None else {"output_index": index}
    return {"type": f"response.{kind}", **place, **more}


def over(status: str = "completed", *output: Any, **more: Any) -> dict[str, Any]:
    return event(status, response={"status": status, "output": [*output], **more})


def said(words: Any, id: str | None = None, **more: Any) -> dict[str, Any]:
    part = {"type": "output_text", "text": words, **more}
    return {"type": "message", "id": id, "content": [part]}


def called(name: str, id: str | None = None, **more: Any) -> dict[str, Any]:
    arguments = {"arguments": "{}", "call_id": f"to-{name}"}
    return {"type": "function_call", "id": id, "name": name, **arguments, **more}


def run(*payloads: Any, **options: Any) -> Run:
    made = assemble(sse(*payloads), "openai-responses", **options)
    check_sums(made)
    return made


def message(*payloads: Any, **options: Any) -> Message:
    return run(*payloads, **options).message


def test_a_whole_stream_says_everything_once() -> None:
    thought = {
        "type": "reasoning",
        "id": "r",
        "summary": [{"text": "план"}],
        "encrypted_content": "Zm",
    }
    sent, asked = said("γεια", "m"), called("погода", "f", arguments='{"a":1}')
    frame = {"id": "resp-1", "model": "m-1", "status": "in_progress"}
    payloads = [
        event("created", response=frame),
        event("output_item.added", 0, item={"type": "reasoning", "id": "r", "summary": []}),
        event("reasoning_summary_text.delta", 0, summary_index=0, delta="план"),
        event("reasoning_summary_text.done", 0, summary_index=0, text="план"),
        event("output_item.done", 0, item=thought),
        event("output_item.added", 1, item={"type": "message", "id": "m", "content": []}),
        event("content_part.added", 1, content_index=0, part={"type": "output_text", "text": ""}),
        event("output_text.delta", 1, content_index=0, delta="γει"),
        event("output_text.delta", 1, content_index=0, delta="α"),
        event("output_text.done", 1, content_index=0, text="γεια"),
        event("content_part.done", 1, content_index=0, part=sent["content"][0]),
        event("output_item.done", 1, item=sent),
        event("output_item.added", 2, item={**asked, "arguments": ""}),
        event("function_call_arguments.delta", 2, delta='{"a":'),
        event("function_call_arguments.delta", 2, delta="1}"),
        event("function_call_arguments.done", 2, arguments='{"a":1}'),
        event("output_item.done", 2, item=asked),
        over("completed", thought, sent, asked, usage=USAGE, id="resp-2", model="m-2"),
    ]
    made = assemble(typed(*payloads), "openai-responses")

    assert made.deltas == [
        ReasoningDelta("план", summary=True),
        TextDelta("γει", slot=1),
        TextDelta("α", slot=1),
        ToolCallStart(2, "to-погода", "погода"),
        ToolCallDelta(2, '{"a":'),
        ToolCallDelta(2, "1}"),
        ToolCallEnd(2, '{"a":1}'),
        UsageUpdate(USAGE),
        Finish("completed"),
        EndMarker("response.completed"),
    ]
    whole = made.message
    assert (whole.id, whole.model, whole.usage, whole.intact) == ("resp-1", "m-1", USAGE, True)
    assert whole.parts == (
        Part("reasoning", 0, "план", metadata={"id": "r", "encrypted_content": "Zm"}),
        Part("text", 1, "γεια"),
        Part("tool_call", 2, '{"a":1}', metadata={"type": "function_call"}),
    )


def test_each_delta_carries_its_payload() -> None:
    spoken, done = event("output_text.delta", 0, delta="ก"), over(usage=USAGE)

    raws = [getattr(delta, "raw", None) for delta in run(spoken, done).deltas]
    assert raws == [spoken, done, done, done]
    assert OPENAI_RESPONSES.name == "openai-responses"


@pytest.mark.parametrize("kind", ["", "ping", "response", "responses.x", "error.x", 7, None])
def test_what_is_not_of_this_format_is_passed_by(kind: Any) -> None:
    other = {"type": kind, "delta": "a", "response": {"id": "resp-1", "output": [said("a")]}}

    made = run(other)
    assert (made.deltas, made.message.id, made.message.parts) == ([], None, ())


def test_a_frame_or_an_event_of_later_days_starts_an_answer_that_says_nothing() -> None:
    made = run(event("queued"), event("later.delta", 0, delta="a"), event("output_text.later"))

    assert (made.deltas, made.message.outcome) == ([], Outcome.TRUNCATED)


def test_the_type_in_the_data_counts_before_the_name_of_the_event() -> None:
    made = assemble(
        sse({"delta": "да"}, event="response.output_text.delta")
        + sse(event("refusal.delta", 0, delta="لا"), event="response.output_text.delta"),
        "openai-responses",
    )

    assert [type(delta) for delta in made.deltas] == [TextDelta, RefusalDelta]


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("response.completed", Outcome.COMPLETED),
        ("response.incomplete", Outcome.COMPLETED),
        ("response.failed", Outcome.PROVIDER_ERROR),
        ("response.cancelled", Outcome.CANCELLED),
    ],
)
@pytest.mark.parametrize("status", [None, "in_progress"])
def test_a_terminal_event_counts_by_its_type_where_no_status_ends_it(
    name: str, outcome: Outcome, status: str | None
) -> None:
    response = {"response": {"status": status}}
    for wire in (sse(response, event=name), sse({"type": name, **response})):
        made = assemble(wire, "openai-responses").message
        assert (made.outcome, made.ended_by) == (outcome, name)
        assert made.finish_reason == name.removeprefix("response.")
        assert made.shortened is (name == "response.incomplete")


def test_a_transcript_is_known_by_the_name_of_the_event_too() -> None:
    made = assemble(
        sse({"delta": "あ"}, event="response.audio.transcript.delta"), "openai-responses"
    )

    assert made.message.parts[0].metadata == {"type": "audio", "transcript": "あ"}


@pytest.mark.parametrize("kind", ["output_text", "refusal", "reasoning_text"])
def test_parts_stand_by_item_and_index_and_keep_their_slots(kind: str) -> None:
    places = [(HUGE, 0), (0, 1), (0, 0)]
    made = run(
        *(event(f"{kind}.delta", i, content_index=n, delta=f"{i}.{n} ") for i, n in places * 2),
        *(event(f"{kind}.done", i, content_index=n) for i, n in places),
    )

    assert [getattr(delta, "slot", None) for delta in made.deltas] == [0, 1, 2] * 2
    texts = [(part.slot, part.text) for part in made.message.parts]
    assert texts == [(2, "0.0 0.0 "), (1, "0.1 0.1 "), (0, f"{HUGE}.0 {HUGE}.0 ")]


def test_a_summary_stands_apart_from_the_thinking_itself() -> None:
    made = run(
        event("reasoning_text.delta", 0, content_index=0, delta="想"),
        event("reasoning_summary_text.delta", 0, summary_index=0, delta="a"),
        event("reasoning_summary_text.delta", 0, summary_index=1, delta="b"),
    )

    expected = [("想", 0, False), ("a", 1, True), ("b", 2, True)]
    deltas = [delta for delta in made.deltas if isinstance(delta, ReasoningDelta)]
    assert [(delta.text, delta.slot, delta.summary) for delta in deltas] == expected


@pytest.mark.parametrize(
    ("kind", "key"), [("output_text", "text"), ("refusal", "refusal"), ("reasoning_text", "text")]
)
@pytest.mark.parametrize("early", [False, True])
def test_a_snapshot_adds_what_was_never_streamed(kind: str, key: str, early: bool) -> None:
    streamed = [event(f"{kind}.delta", 0, content_index=0, delta="क")] if early else []
    part = {"type": kind, key: "कख"}
    for snapshot in (
        event(f"{kind}.done", 0, content_index=0, **{key: "कख"}),
        event("content_part.done", 0, content_index=0, part=part),
        event("output_item.done", 0, item={"type": "message", "content": [part]}),
        over("completed", {"type": "message", "content": [part]}),
    ):
        parts = message(*streamed, snapshot, snapshot).parts
        assert [part.text for part in parts] == ["कख"]


def test_ids_that_change_under_way_tell_nothing() -> None:
    made = message(
        event("output_item.added", 0, item={"type": "message", "id": "a"}),
        event("output_text.delta", 0, item_id="b", delta="שלום"),
        event("output_text.done", 0, item_id="c", text="שלום"),
        event("output_item.done", 0, item=said("שלום", "d")),
        over("completed", said("שלום", "e")),
    )

    assert (made.text, made.intact) == ("שלום", True)
