"""The UI message stream of Vercel's AI SDK: parts by id, the input's authority, what ends it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from llm import Run, assemble, check_sums, sse

from untorn import Event
from untorn.deltas import (
    DeltaAssembler,
    EndMarker,
    ErrorUpdate,
    Finish,
    Outcome,
    ToolCallDelta,
    ToolCallEnd,
)

FINISH: dict[str, Any] = {"type": "finish"}


def part(kind: str, id: Any = "1", **more: Any) -> dict[str, Any]:
    return {"type": kind, "id": id, **more}


def text(id: Any, delta: Any) -> dict[str, Any]:
    return part("text-delta", id, delta=delta)


def tool(kind: str, id: Any = "t1", **more: Any) -> dict[str, Any]:
    return {"type": f"tool-{kind}", "toolCallId": id, **more}


def run(*payloads: dict[str, Any]) -> Run:
    made = assemble(sse(*payloads, "[DONE]"), "vercel-ui")
    check_sums(made)
    return made


def parts(made: Run) -> list[tuple[str, str, dict[str, Any]]]:
    return [(part.kind, part.text, part.metadata) for part in made.message.parts]


def test_a_message_of_thought_text_and_a_call() -> None:
    made = run(
        {"type": "start", "messageId": "m-א"},
        {"type": "start-step"},
        *(part("reasoning-start"), part("reasoning-delta", delta="考え"), part("reasoning-end")),
        *(part("text-start", "2"), text("2", "Добрый "), text("2", "день"), part("text-end", "2")),
        tool("input-start", toolName="आज"),
        tool("input-delta", inputTextDelta='{"तारीख":'),
        tool("input-delta", inputTextDelta=" 1}"),
        tool("input-available", toolName="आज", input={"तारीख": 1}),
        {"type": "finish-step"},
        {"type": "finish", "finishReason": "tool-calls"},
    )
    message = made.message
    [call] = message.tool_calls

    assert (message.id, message.reasoning, message.text) == ("m-א", "考え", "Добрый день")
    assert (call.id, call.name, call.json()) == ("t1", "आज", {"तारीख": 1})
    assert call.arguments == '{"तारीख": 1}'
    assert (message.finish_reason, message.ended_by) == ("tool-calls", "finish")
    assert (message.intact, message.problems) == (True, ())


def test_texts_that_overlap_are_apart_by_id() -> None:
    made = run(text("a", "eins "), text("b", "zwei "), text("a", "drei"), FINISH)

    assert parts(made) == [("text", "eins drei", {}), ("text", "zwei ", {})]
    assert made.message.text == "eins zwei drei"


def test_parts_are_in_the_order_in_which_they_were_started() -> None:
    started = part("reasoning-start", "r"), part("text-start", "t")
    made = run(*started, text("t", "후"), part("reasoning-delta", "r", delta="전"), FINISH)

    assert parts(made) == [("reasoning", "전", {}), ("text", "후", {})]


@pytest.mark.parametrize("kind", ["text", "reasoning"])
@pytest.mark.parametrize("step", ["start", "delta", "end"])
def test_what_the_provider_says_about_a_part_is_kept(kind: str, step: str) -> None:
    given = {"acme": {"signature": "c2ln"}}
    payloads = [part(f"{kind}-{each}", delta="ą") for each in ("start", "delta", "end")]
    [told] = [payload for payload in payloads if payload["type"].endswith(step)]
    told["providerMetadata"] = given

    assert parts(run(*payloads, FINISH)) == [(kind, "ą", {"providerMetadata": given})]


def test_the_input_that_is_available_is_the_authority() -> None:
    streamed = [tool("input-start", toolName="f"), tool("input-delta", inputTextDelta='{"n": 1}')]
    same = run(*streamed, tool("input-available", input={"n": 1}), FINISH)
    other = run(*streamed, tool("input-available", input={"n": 2}), FINISH)

    assert same.message.intact
    assert same.message.tool_calls[0].arguments == '{"n": 1}'
    assert other.message.tool_calls[0].json() == {"n": 2}
    assert other.message.problems == (
        "a call's final arguments differ from those that were streamed",
    )


def test_a_call_may_come_without_deltas_and_deltas_without_a_start() -> None:
    given = {"providerMetadata": {"acme": {"id": "x"}}}
    whole = run(tool("input-available", toolName="f", input={"ό": [1]}, **given), FINISH)
    delta = run(tool("input-delta", "t2", inputTextDelta='{"ό": 2}'), FINISH)

    assert [d for d in whole.deltas if isinstance(d, (ToolCallDelta, ToolCallEnd))] == [
        ToolCallDelta(0, '{"ό":[1]}'),
        ToolCallEnd(0, '{"ό":[1]}'),
    ]
    assert parts(whole) == [("tool_call", '{"ό":[1]}', given)]
    assert [(c.id, c.name, c.json()) for c in delta.message.tool_calls] == [("t2", None, {"ό": 2})]


def test_an_empty_input_is_no_arguments_and_none_at_all_cannot_be_run() -> None:
    [empty] = run(tool("input-available", toolName="f", input={}), FINISH).message.tool_calls
    [none] = run(tool("input-available", toolName="f", input=None), FINISH).message.tool_calls
    streamed = tool("input-delta", inputTextDelta='{"n": 1}'), tool("input-available", input=None)
    [grown] = run(*streamed, FINISH).message.tool_calls

    assert (empty.json(), grown.json()) == ({}, {"n": 1})
    assert not none.complete


@pytest.mark.parametrize("given", [[1], "texte", 5, True])
def test_an_input_that_is_no_object_cannot_be_run(given: Any) -> None:
    message = run(tool("input-available", toolName="f", input=given), FINISH).message

    assert not message.tool_calls[0].complete
    assert not message.intact


def test_an_input_with_an_error_cannot_be_run() -> None:
    bad = tool("input-error", toolName="f", input={"n": 1}, errorText="nie ma n")
    message = run(bad, FINISH).message

    assert not message.tool_calls[0].complete
    assert not message.intact


def test_calls_of_the_provider_and_outputs() -> None:
    made = run(
        tool("input-available", "a", toolName="f", input={}, providerExecuted=True),
        tool("input-available", "b", toolName="g", input={}, providerExecuted="yes"),
        tool("output-available", "a", output=["half"], preliminary=True),
        tool("output-available", "a", output=["ganz"]),
        tool("output-error", "b", errorText="не вышло", output=None),
        tool("output-denied", "b"),
        FINISH,
    )

    assert [call.id for call in made.message.server_calls] == ["a"]
    assert [call.id for call in made.message.tool_calls] == ["b"]
    assert parts(made) == [
        ("tool_call", "{}", {"output": ["ganz"]}),
        ("tool_call", "{}", {"errorText": "не вышло"}),
    ]


def test_an_output_for_a_call_of_an_earlier_message_is_kept_and_is_no_call() -> None:
    made = run(tool("output-available", "früher", output={"ok": True}), FINISH)

    assert made.message.tool_calls == ()
    assert parts(made) == [("tool_call", "", {"output": {"ok": True}})]


def test_sources_files_and_data_are_kept_in_their_places() -> None:
    source = {"type": "source-url", "sourceId": "s", "url": "https://example.org/ü"}
    file = {"type": "file", "url": "data:,x", "mediaType": "image/png"}
    data = {"type": "data-погода", "data": 3}
    made = run(source, text("1", "中"), file, source, data, FINISH)

    assert [metadata for _, _, metadata in parts(made)] == [source, {}, file, source, data]


def test_data_under_an_id_replaces_what_came_under_it_before() -> None:
    before = part("data-wetter", "w", data={"grad": 3}, transient=True)
    after, other = part("data-wetter", "w", data={"luft": 1}), part("data-wind", "w", data={})
    made = run(before, other, after, FINISH)

    assert [metadata for _, _, metadata in parts(made)] == [after, other]


def test_metadata_of_the_message_is_collected_and_comes_last() -> None:
    def told(kind: str, **metadata: Any) -> dict[str, Any]:
        return {"type": kind, "messageMetadata": metadata}

    made = run(
        told("start", model="ม"),
        told("message-metadata", step=1),
        text("1", "x"),
        told("finish", step=2),
    )

    assert parts(made) == [
        ("text", "x", {}),
        ("other", "", {"messageMetadata": {"model": "ม", "step": 2}}),
    ]


def test_a_message_stays_as_it_was_when_more_metadata_comes() -> None:
    assembler, messages = DeltaAssembler("vercel-ui"), []
    for value in (1, 2):
        payload = {"type": "message-metadata", "messageMetadata": {"n": value}}
        assembler.feed(Event(json.dumps(payload)))
        messages.append(assembler.message)

    assert [message.parts[0].metadata for message in messages] == [
        {"messageMetadata": {"n": 1}},
        {"messageMetadata": {"n": 2}},
    ]


def test_a_step_that_is_reset_stays_in_the_text_and_its_calls_cannot_be_run() -> None:
    made = run(
        *({"type": "start-step"}, tool("input-available", "a", toolName="f", input={})),
        *({"type": "start-step"}, tool("input-available", "b", toolName="f", input={})),
        *(text("1", "verworfen"), {"type": "reset-step"}, text("2", "!"), FINISH),
    )

    assert (made.message.text, made.message.intact) == ("verworfen!", False)
    assert {c.id: c.complete for c in made.message.tool_calls} == {"a": True, "b": False}
    assert "what it had streamed is still in the text" in made.message.problems[0]


def test_an_id_that_starts_again_is_another_part() -> None:
    again = part("text-start", "1"), text("1", "deux")
    made = run(part("text-start", "1"), text("1", "un "), part("text-end", "1"), *again, FINISH)

    assert parts(made) == [("text", "un ", {}), ("text", "deux", {})]


def test_a_finish_reason_that_is_an_error_is_one() -> None:
    message = run(text("1", "a"), {"type": "finish", "finishReason": "error"}).message

    assert (message.outcome, message.finish_reason) == (Outcome.PROVIDER_ERROR, "error")
    assert message.error == ErrorUpdate('the finish reason is "error"')


@pytest.mark.parametrize("reason", ["length", "content-filter"])
def test_reasons_that_say_that_the_provider_stopped_early(reason: str) -> None:
    assert run(text("1", "…"), {"type": "finish", "finishReason": reason}).message.shortened


def test_an_abort_cancels() -> None:
    made = run(text("1", "جز"), {"type": "abort", "reason": "user"})

    assert made.deltas[-1] == EndMarker("abort", cancelled=True)
    assert (made.message.outcome, made.message.intact) == (Outcome.CANCELLED, False)


def test_an_error_does_not_end_the_stream_and_is_the_outcome() -> None:
    made = run(text("1", "a"), {"type": "error", "errorText": "lỗi"}, text("1", "b"), FINISH)

    assert made.message.error == ErrorUpdate("lỗi")
    assert (made.message.text, made.message.outcome) == ("ab", Outcome.PROVIDER_ERROR)


def test_without_finish_the_stream_is_cut_and_done_alone_ends_nothing() -> None:
    message = run(text("1", "a"), tool("input-delta", inputTextDelta='{"a"')).message

    assert (message.outcome, message.ended_by) == (Outcome.TRUNCATED, None)
    assert not message.tool_calls[0].complete


@pytest.mark.parametrize(
    "payload",
    [
        {"type": "start", "messageId": 5, "messageMetadata": None},
        {"type": "message-metadata", "messageMetadata": ["x"]},
        text("1", None),
        text(None, ["x"]),
        part("reasoning-delta", delta=5, providerMetadata="x"),
        tool("output-available", output=None, errorText=None),
        {"type": "text-of-tomorrow", "delta": "x"},
        {"type": ["text-delta"], "delta": "x"},
        {"delta": "x"},
    ],
)
def test_absent_null_and_wrong_types_give_nothing(payload: dict[str, Any]) -> None:
    made = assemble(sse(payload), "vercel-ui")

    assert made.deltas == []
    assert (made.message.text, made.message.reasoning, made.message.id) == ("", "", None)
    assert made.message.problems == ()


def test_of_a_finish_and_a_call_too() -> None:
    made = run(tool("input-start", 5, toolName=None), {"type": "finish", "finishReason": 5})

    assert [(call.id, call.name) for call in made.message.tool_calls] == [(None, None)]
    assert not [delta for delta in made.deltas if isinstance(delta, Finish)]
    assert made.message.ended_by == "finish"
