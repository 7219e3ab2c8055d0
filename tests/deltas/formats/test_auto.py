"""Finding out a format: by the first event that tells it, with what came before; never a guess."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from llm import Run, assemble, chat, check_sums, named, sse, typed

from untorn import Event, SSEParser
from untorn.deltas import (
    BadPayload,
    DeltaAssembler,
    ErrorUpdate,
    FormatName,
    Outcome,
    TextDelta,
    UnknownFormatError,
    UsageUpdate,
    get_format,
    read_message,
)
from untorn.deltas.formats.auto import MAX_KEPT, telling

NAMELESS = ("message", "")  # what an event is called that no name was sent for
ANTHROPIC = typed(
    {"type": "message_start", "message": {"id": "m"}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Ω"}},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}},
    {"type": "message_stop"},
)
WIRES: dict[str, bytes] = {
    "ag-ui": sse(
        {"type": "RUN_STARTED", "runId": "r"},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "Ω"},
        {"type": "RUN_FINISHED"},
    ),
    "anthropic": typed({"type": "ping"}) + ANTHROPIC,
    "cohere": sse({"type": "debug", "prompt": "?"})
    + typed(
        {"type": "message-start", "id": "m"},
        {"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": "Ω"}}}},
        {"type": "message-end", "delta": {"finish_reason": "COMPLETE"}},
    ),
    "gemini": sse(
        {"responseId": "r", "usageMetadata": {"totalTokenCount": 1}},
        {"candidates": [{"content": {"parts": [{"text": "Ω"}]}, "finishReason": "STOP"}]},
    ),
    "openai-assistants": sse({"id": "t", "object": "thread"}, event="thread.created")
    + sse(
        {"id": "m", "delta": {"content": [{"text": {"value": "Ω"}}]}}, event="thread.message.delta"
    )
    + sse({"id": "run", "object": "thread.run"}, event="thread.run.completed")
    + sse("[DONE]", event="done"),
    "openai-chat": sse(
        {"id": "c", "object": "", "choices": [], "prompt_filter_results": []},
        chat({"content": "Ω"}),
        chat(finish="stop"),
        "[DONE]",
    ),
    "openai-completions": sse(
        {"object": "text_completion", "choices": [{"text": "Ω"}]},
        {"object": "text_completion", "choices": [{"text": "", "finish_reason": "stop"}]},
        "[DONE]",
    ),
    "openai-responses": typed(
        {"type": "response.created", "response": {"id": "resp"}},
        {"type": "response.output_text.delta", "output_index": 0, "delta": "Ω"},
        {"type": "response.completed", "response": {"status": "completed"}},
    ),
    "vercel-ui": sse(
        {"type": "start", "messageId": "m", "messageMetadata": {"a": 1}},
        {"type": "text-delta", "id": "1", "delta": "Ω"},
        {"type": "finish"},
        "[DONE]",
    ),
}
TELLING: list[tuple[str, dict[str, Any], str]] = [
    ("ag-ui", {"type": "RUN_STARTED"}, ""),
    ("ag-ui", {"type": "RUN_ERROR", "message": "x"}, ""),
    ("ag-ui", {"type": "TEXT_MESSAGE_CHUNK"}, ""),
    ("ag-ui", {"type": "TOOL_CALL_START"}, ""),
    ("anthropic", {"type": "message_start"}, ""),
    ("anthropic", {"type": "content_block_delta"}, "other"),
    ("anthropic", {"type": "message_stop"}, ""),
    ("cohere", {"type": "message-start"}, ""),
    ("cohere", {"type": "message-end"}, ""),
    ("gemini", {"candidates": []}, ""),
    ("gemini", {"promptFeedback": {"blockReason": "OTHER"}}, ""),
    ("openai-assistants", {"object": "thread"}, "thread.created"),
    ("openai-assistants", {"object": "thread.run.step.delta"}, "thread.run.step.delta"),
    ("openai-chat", {"object": "chat.completion.chunk"}, ""),
    ("openai-chat", {"object": "chat.completion.done", "choices": None}, ""),
    ("openai-chat", {"choices": [{"delta": {}}]}, ""),
    ("openai-chat", {"choices": [{"delta": {"content": "x"}, "text": "x"}]}, ""),
    ("openai-chat", {"choices": ["?", {}, {"delta": {}}]}, ""),
    ("openai-completions", {"object": "text_completion"}, ""),
    ("openai-completions", {"choices": [{"delta": None, "text": ""}]}, ""),
    ("openai-responses", {"type": "response.created"}, ""),
    ("openai-responses", {"type": "response.of.tomorrow"}, ""),
    ("vercel-ui", {"type": "start-step"}, ""),
    ("vercel-ui", {"type": "reasoning-start"}, ""),
    ("vercel-ui", {"type": "tool-input-available"}, ""),
]
UNTOLD: list[tuple[dict[str, Any], str]] = [
    ({}, ""),
    ({}, "message_start"),
    ({"type": None}, ""),
    ({"type": ["message_start"]}, ""),
    ({"type": "ping"}, "ping"),
    ({"type": "start", "messageId": "m"}, ""),
    ({"type": "finish"}, ""),
    ({"type": "response"}, ""),
    ({"candidates": None, "promptFeedback": {}}, ""),
    ({"candidates": {"0": "x"}, "promptFeedback": "x"}, ""),
    ({"object": "thread"}, ""),
    ({"object": 5}, "thread.created"),
    ({"object": "assistant"}, "thread.created"),
    ({"object": "list", "choices": []}, ""),
    ({"choices": [{"delta": None, "text": None}]}, ""),
    ({"choices": [{"message": {"content": "x"}}]}, ""),
    ({"choices": "delta"}, ""),
    ({"text": "x", "content": "x", "delta": "x"}, ""),
]


def auto(*wire: bytes, **options: Any) -> Run:
    made = assemble(b"".join(wire), "auto", **options)
    check_sums(made)
    return made


@pytest.mark.parametrize(("format", "payload", "name"), TELLING)
def test_an_event_tells_its_format(format: str, payload: dict[str, Any], name: str) -> None:
    for each in [name] if name else NAMELESS:
        assert telling(payload, each) == format


@pytest.mark.parametrize(("payload", "name"), UNTOLD)
def test_what_several_formats_may_have_tells_none(payload: dict[str, Any], name: str) -> None:
    for each in [name] if name else NAMELESS:
        assert telling(payload, each) is None


def test_the_stream_of_each_format_but_plain_is_told() -> None:
    assert {*WIRES} == {*get_args(FormatName)} - {"auto", "plain"}


@pytest.mark.parametrize("read", [None, 1])
@pytest.mark.parametrize("format", WIRES)
def test_a_stream_is_read_as_by_its_format(format: str, read: int | None) -> None:
    told, known = auto(WIRES[format], read=read), assemble(WIRES[format], format)

    assert told.assembler.format == format
    assert told.message == known.message
    assert told.deltas == known.deltas
    assert (told.text, told.message.intact, told.message.problems) == ("Ω", True, ())


def test_the_format_is_auto_until_an_event_tells() -> None:
    parser, assembler = SSEParser(), named("auto")
    formats = []
    for event in parser.feed(WIRES["vercel-ui"]):
        assembler.feed(event)
        formats.append(assembler.format)

    assert formats == ["auto", *["vercel-ui"] * 3]


def test_events_before_the_telling_one_are_replayed_with_it() -> None:
    assembler = named("auto")
    early = assembler.feed(Event("nicht JSON")) + assembler.feed(Event('{"usage": {"n": 1}}'))
    deltas = assembler.feed(Event('{"choices": [{"delta": {"content": "ё"}}]}'))

    assert early == []
    assert [type(delta) for delta in deltas] == [BadPayload, UsageUpdate, TextDelta]


def test_a_replayed_event_is_read_with_its_own_spelling() -> None:
    number = b'data: {"choices": [{"delta": {"content": 1.50}}]}\n\n'

    assert auto(sse({"x": 1}), number, sse(chat(finish="stop"), "[DONE]")).text == "1.50"


def test_what_ends_the_stream_is_the_rule_of_the_format_that_was_chosen() -> None:
    cut = b"event: message_stop"
    message = auto(ANTHROPIC[: ANTHROPIC.index(cut)]).message

    assert (message.outcome, message.intact) == (Outcome.TRUNCATED, True)
    assert (
        auto(sse(chat({"content": "a"}), chat(finish="stop"))).message.ended_by == "finish reason"
    )


def test_the_last_event_may_tell_without_its_blank_line() -> None:
    wire = sse(
        {"object": "chat.completion.chunk", "choices": [{"delta": {}, "finish_reason": "stop"}]}
    )
    made = auto(wire.rstrip())

    assert made.assembler.format == "openai-chat"
    assert (made.message.tail_used, made.message.intact) == (True, True)


@pytest.mark.parametrize(
    ("wire", "error"),
    [
        (sse({"error": {"message": "عطل", "code": 500}}), ErrorUpdate("عطل", 500)),
        (sse({"type": "error", "error": {"type": "x", "message": "عطل"}}), ErrorUpdate("عطل", "x")),
        (sse({"type": "error", "errorText": "عطل"}), ErrorUpdate("عطل")),
        (sse({"message": "عطل"}, event="error"), ErrorUpdate("عطل")),
        (sse("عطل", event="error"), ErrorUpdate("عطل")),
        (sse([{"error": {"message": "عطل", "code": 503}}]), ErrorUpdate("عطل", 503)),
    ],
)
def test_an_error_first_is_an_error_in_any_format(wire: bytes, error: ErrorUpdate) -> None:
    made = auto(wire)

    assert made.deltas == [error]
    assert (made.message.error, made.message.outcome) == (error, Outcome.PROVIDER_ERROR)
    assert made.message.problems == ()
    assert made.assembler.format == "auto"


def test_after_an_error_or_beside_one_a_format_can_still_be_told() -> None:
    after = auto(sse({"error": "ج"}), ANTHROPIC)
    beside = auto(sse({**chat({"content": "a"}), "error": {"message": "ج"}}))

    assert (after.text, after.assembler.format) == ("Ω", "anthropic")
    assert (beside.text, beside.assembler.format) == ("a", "openai-chat")
    assert after.message.error == beside.message.error == ErrorUpdate("ج")


@pytest.mark.parametrize(
    "wire",
    [
        sse({"text": "Здравствуй"}, {"text": "!"}),
        sse("just", "words"),
        sse("[1, 2]", "null", '"x"', "5"),
        sse("{" * 3, '{"a":' * 50_000),
        sse({"text": "x"}, "[DONE]"),
    ],
    ids=range(5),
)
def test_a_stream_that_tells_nothing_is_a_problem_and_never_a_guess(wire: bytes) -> None:
    made = auto(wire)
    [problem] = made.message.problems

    assert "does not tell its format" in problem
    assert "openai-chat" in problem
    assert (made.message.text, made.message.parts) == ("", ())
    assert (made.message.outcome, made.message.intact) == (Outcome.TRUNCATED, False)
    assert made.assembler.format == "auto"
    with pytest.raises(UnknownFormatError, match="does not tell"):
        read_message([wire], "auto")


def test_the_problem_names_the_formats_to_choose_from() -> None:
    [problem] = auto(sse("words")).message.problems

    assert problem.rpartition("name one of: ")[2].split(", ") == [
        name for name in get_args(FormatName) if name != "auto"
    ]


def test_closing_without_an_end_says_so_too_and_where_nothing_came_nothing_was_to_tell() -> None:
    told, empty = named("auto"), named("auto")
    told.feed(Event("words"))
    told.close()
    empty.close()

    assert "does not tell its format" in told.message.problems[0]
    assert (empty.message.problems, empty.message.intact) == ((), False)
    assert auto(b": ping\n\n").message.problems == ("no event came",)
    assert not auto(sse("", "null", " ")).message.intact


@pytest.mark.parametrize("done", ["[DONE]", '"[DONE]"', " [DONE] "])
def test_done_alone_is_an_end_without_an_answer(done: str) -> None:
    made = auto(sse(done))

    assert made.assembler.done
    assert made.message.problems == ("no chunk before the end marker",)
    assert not made.message.intact


def test_a_stream_that_has_told_nothing_for_long_tells_nothing() -> None:
    within = auto(sse(*[{"type": "ping"}] * (MAX_KEPT - 1)), ANTHROPIC)
    beyond = auto(sse(*[{"type": "ping"}] * MAX_KEPT), ANTHROPIC)

    assert (within.text, within.message.intact) == ("Ω", True)
    assert (beyond.text, beyond.message.intact) == ("", False)


def test_each_reader_starts_afresh() -> None:
    format = get_format("auto")
    one, two = DeltaAssembler(format), DeltaAssembler(format)
    one.feed(Event('{"type": "message_start"}'))

    assert (one.format, two.format) == ("anthropic", "auto")
