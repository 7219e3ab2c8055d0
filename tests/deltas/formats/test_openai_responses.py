"""The Responses stream: items and parts, streamed and repeated, and how the response ends."""

from __future__ import annotations

import json
from typing import Any

import pytest
from llm import Run, assemble, check_sums, sse

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
    thought = {"type": "reasoning", "id": "r", "summary": [{"text": "план"}]}
    sent, asked = said("γεια", "m"), called("погода", "f", arguments='{"a":1}')
    made = run(
        event("created", response={"id": "resp-1", "model": "m-1", "status": "in_progress"}),
        event("output_item.added", 0, item={"type": "reasoning", "id": "r", "summary": []}),
        event("reasoning_summary_text.delta", 0, summary_index=0, delta="план"),
        event("reasoning_summary_text.done", 0, summary_index=0, text="план"),
        event("reasoning_summary_part.done", 0, summary_index=0, part={"text": "план"}),
        event("output_item.done", 0, item={**thought, "encrypted_content": "Zm"}),
        event("output_text.delta", 1, content_index=0, delta="γει"),
        event("output_text.delta", 1, content_index=0, delta="α"),
        event("content_part.done", 1, content_index=0, part=sent["content"][0]),
        event("output_item.done", 1, item=sent),
        event("output_item.added", 2, item={**asked, "arguments": ""}),
        event("function_call_arguments.delta", 2, delta='{"a":1}'),
        event("function_call_arguments.done", 2, arguments='{"a":1}'),
        event("output_item.done", 2, item=asked),
        over("completed", thought, sent, asked, usage=USAGE, id="resp-2", model="m-2"),
        "[DONE]",  # OpenRouter
    )

    assert made.deltas == [
        ReasoningDelta("план", summary=True),
        TextDelta("γει", slot=1),
        TextDelta("α", slot=1),
        ToolCallStart(2, "to-погода", "погода"),
        ToolCallDelta(2, '{"a":1}'),
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


def test_an_event_that_comes_again_is_not_folded_twice_but_a_number_alone_tells_nothing() -> None:
    events = [event("output_text.delta", 0, delta=str(n), sequence_number=n) for n in range(4)]
    same = [event("output_text.delta", 0, delta=words, sequence_number=3) for words in "éà"]

    made = message(*events[:3], *events[1:], *same)
    assert (made.text, made.parts[-1].metadata) == ("0123éà", {"sequence_number": 3})


def test_only_so_many_events_are_known_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("untorn.deltas.formats.openai_responses.MAX_SEEN", 2)
    a, b, c = (
        event("output_text.delta", 0, delta=w, sequence_number=n) for n, w in enumerate("abc")
    )

    assert message(a, b, c, a, b, c).text == "abca"


def test_a_frame_or_an_event_of_later_days_starts_an_answer_that_says_nothing() -> None:
    later = (event(kind, 0, delta="a") for kind in ("x.delta", "refusal.x", "mcp_call_arguments.x"))
    made = run(event("queued"), *later)

    assert (made.deltas, made.message.outcome) == ([], Outcome.TRUNCATED)


@pytest.mark.parametrize("status", [None, "in_progress"])
@pytest.mark.parametrize("word", ["completed", "incomplete", "failed", "cancelled"])
def test_a_terminal_event_counts_by_its_type_where_its_status_is_none(
    word: str, status: str | None
) -> None:
    outcomes = {"failed": Outcome.PROVIDER_ERROR, "cancelled": Outcome.CANCELLED}
    name, response = f"response.{word}", {"response": {"status": status}}
    for wire in (sse({"type": name, **response}), sse(response, event=name)):
        made = assemble(wire, "openai-responses").message
        assert made.outcome is outcomes.get(word, Outcome.COMPLETED)
        assert (made.ended_by, made.shortened) == (name, word == "incomplete")
        assert made.finish_reason in (word, status)


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
    content, summary = [{"type": "reasoning_text", "text": "想"}], [{"text": "α"}, {"text": "β"}]
    item = {"type": "reasoning", "content": content, "summary": summary}
    made = run(event("output_item.done", 0, item=item))

    assert made.deltas == [
        ReasoningDelta("α", 0, 0, summary=True),
        ReasoningDelta("β", 0, 1, summary=True),
        ReasoningDelta("想", 0, 2),
    ]


def test_an_incomplete_response_says_why() -> None:
    made = message(over("incomplete", incomplete_details={"reason": "max_output_tokens"}))

    assert (made.finish_reason, made.shortened, made.intact) == ("max_output_tokens", True, True)
    assert message(over("completed")).shortened is False


@pytest.mark.parametrize("error", [None, {}, ""])
def test_a_failed_response_is_an_error(error: Any) -> None:
    told = {"error": {"code": "server_error", "message": "обвал"}}
    ends = [Finish("failed"), EndMarker("response.failed")]

    assert run(over("failed", **told)).deltas == [ErrorUpdate("обвал", "server_error"), *ends]
    assert run(over("failed", error=error)).deltas == [ErrorUpdate("the response failed"), *ends]


def test_the_type_in_the_data_counts_before_the_name_of_the_event() -> None:
    refusal = sse(event("refusal.delta", 0, delta="لا"), event="response.output_text.delta")
    words = sse({"delta": "да"}, event="response.output_text.delta")
    sound = sse({"delta": "あ"}, event="response.audio.transcript.delta")
    made = assemble(refusal + words + sound, "openai-responses")

    assert made.deltas == [RefusalDelta("لا"), TextDelta("да", slot=1)]
    assert {"type": "audio", "transcript": "あ"} in [part.metadata for part in made.message.parts]


CALLS = {
    "function_call_arguments": ("function_call", "arguments", "f", False, False),
    "custom_tool_call_input": ("custom_tool_call", "input", "f", False, True),
    "mcp_call_arguments": ("mcp_call", "arguments", "f", True, False),
    "code_interpreter_call_code": ("code_interpreter_call", "code", None, True, True),
}


@pytest.mark.parametrize("stem", CALLS)
def test_the_input_of_each_call_streams_and_ends(stem: str) -> None:
    kind, key, name, server, custom = CALLS[stem]
    item = {"type": kind, "id": "i", "call_id": "c", "name": name, key: "{}"}
    deltas = [event(f"{stem}.delta", 7, delta=piece) for piece in ("{", "}")]
    made = message(*deltas, event(f"{stem}.done", 7), event("output_item.done", 7, item=item))

    call = ToolCall(0, "i" if server else "c", name or kind, "{}", True, server, custom)
    assert (made.server_calls if server else made.tool_calls) == (call,)


def test_calls_of_a_later_day_are_the_providers_and_other_items_are_kept() -> None:
    later = {"type": "teleport_call", "id": "t", "status": "completed", "result": "β"}
    tools = {"type": "mcp_list_tools", "tools": []}
    added = event("output_item.added", 0, item=later)
    made = message(added, event("output_item.done", 1, item=tools), over("completed", later))

    assert made.server_calls == (ToolCall(0, "t", "teleport_call", "", True, server=True),)
    assert made.parts[0].metadata == {"type": "teleport_call", "item": later}
    assert made.parts[1] == Part("other", 1, "", metadata={"type": "mcp_list_tools", "item": tools})


def test_an_action_as_deep_as_can_be_read_is_no_reason_to_raise() -> None:
    item = event("output_item.done", 0, item={"type": "computer_call", "action": {"a": 0}})
    for depth in range(800, 1_000):
        deep = "[" * depth + "]" * depth
        made = message(json.dumps(item).replace("0}}", deep + "}}"))
        assert made.tool_calls or made.problems


def test_citations_are_kept_with_their_text() -> None:
    one, two = {"type": "url_citation", "url": "https://a.example"}, {"type": "file_citation"}
    cited = [event("output_text.annotation.added", 0, annotation=each) for each in (one, two)]
    part = {"type": "output_text", "text": "หนึ่ง", "annotations": [one, None, two]}

    for payloads in (cited, [], cited[:1]):
        [kept] = message(*payloads, event("content_part.done", 0, part=part)).parts
        assert kept == Part("text", 0, "หนึ่ง", metadata={"annotations": [one, two]})


def test_sound_is_one_part_with_pieces_joined() -> None:
    data = [event("audio.delta", delta=each) for each in ("QUJD", None, "REVG")]
    words = [event("audio.transcript.delta", delta=each) for each in ("сло", 7, "во")]

    joined = {"type": "audio", "data": "QUJDREVG", "transcript": "слово"}
    assert message(*data, *words).parts == (Part("other", 0, "", metadata=joined),)


@pytest.mark.parametrize("wrong", WRONG, ids=repr)
def test_a_citation_or_a_sound_of_nothing_opens_no_part(wrong: Any) -> None:
    citation = event("output_text.annotation.added", 0, annotation=wrong or None)
    sounds = [event(kind, delta=wrong) for kind in ("audio.delta", "audio.transcript.delta")]

    assert message(citation, *sounds).parts == ()


KINDS = """output_item.added output_item.done content_part.done output_text.delta output_text.done
refusal.delta reasoning_text.done reasoning_summary_text.delta reasoning_summary_part.done created
later.delta""".split()
KEYS = "output_index item_id content_index summary_index delta text part item response".split()


@pytest.mark.parametrize("wrong", WRONG, ids=repr)
@pytest.mark.parametrize("kind", KINDS)
def test_wrong_values_give_nothing(kind: str, wrong: Any) -> None:
    part = {"type": wrong, "text": wrong}
    items: list[Any] = [
        {"type": each, "id": wrong, "content": wrong} for each in ("message", wrong)
    ]
    made = run(
        *(event(kind, **{key: wrong}) for key in KEYS),
        event(kind, **dict.fromkeys(KEYS, wrong)),
        *(event(kind, 0, item=item, part=part) for item in items),
    )

    assert (made.deltas, made.message.parts) == ([], ())
