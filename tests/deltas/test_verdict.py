"""The verdict: what ended a stream, what of it was lost, and whether the provider stopped early."""

from __future__ import annotations

from typing import Any

import pytest
from llm import Run, assemble, call, chat, sse, typed

from untorn import SSEParser
from untorn.deltas import DeltaAssembler, JSONField, Message, Outcome, TextDelta

TEXT = sse(chat({"content": "γειά"}))
STOP = sse(chat(finish="stop"))
DONE = sse("[DONE]")
ERROR = sse({"error": {"message": "weg"}})
START = {"type": "message_start", "message": {"id": "m1", "content": []}}
BLOCK = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "да"}}
STOPPED = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}}
MESSAGE_STOP = {"type": "message_stop"}


def of(wire: bytes, format: str = "openai-chat", **options: Any) -> Message:
    return assemble(wire, format, **options).message


def facts(message: Message) -> tuple[str, str | None, bool]:
    return message.outcome.value, message.ended_by, message.intact


@pytest.mark.parametrize(
    ("wire", "outcome", "ended_by", "intact"),
    [
        (TEXT + STOP + DONE, "completed", "[DONE]", True),
        (TEXT + STOP, "completed", "finish reason", True),
        (TEXT + DONE, "completed", "[DONE]", True),
        (TEXT, "truncated", None, False),
        (STOP + TEXT, "truncated", None, False),
        (STOP + TEXT + STOP, "completed", "finish reason", True),
        (DONE, "truncated", None, False),
        (b"", "truncated", None, False),
        (TEXT + ERROR, "provider_error", None, False),
        (TEXT + ERROR + DONE, "provider_error", "[DONE]", False),
        (TEXT + STOP + DONE + ERROR, "provider_error", "[DONE]", False),
        (TEXT + sse("{") + STOP + DONE, "completed", "[DONE]", False),
    ],
)
def test_how_a_chat_ends(wire: bytes, outcome: str, ended_by: str | None, intact: bool) -> None:
    assert facts(of(wire)) == (outcome, ended_by, intact)


@pytest.mark.parametrize(
    ("wire", "outcome"),
    [
        (TEXT + STOP + DONE, "completed"),
        (TEXT + STOP, "truncated"),
        (TEXT + DONE, "truncated"),
        (TEXT + STOP + DONE[:-1], "truncated"),
    ],
)
def test_strict_wants_both_signals_of_a_chat(wire: bytes, outcome: str) -> None:
    message = of(wire, strict=True)
    assert message.outcome.value == outcome
    assert message.intact is (outcome == "completed")


def test_every_choice_that_was_seen_has_to_finish() -> None:
    roles = sse(chat({"role": "assistant"}, index=1)) + TEXT + STOP
    assert facts(of(roles)) == ("truncated", None, False)
    assert facts(of(roles + sse(chat(finish="stop", index=1)))) == (
        "completed",
        "finish reason",
        True,
    )


def test_an_answer_that_lacks_its_end_signal_alone_is_truncated_and_intact() -> None:
    """Nothing of it is missing, and yet Anthropic did not say that it is over."""
    wire = typed(START, BLOCK, STOPPED)

    assert facts(of(wire, "anthropic")) == ("truncated", None, True)
    assert facts(of(wire, "anthropic", strict=True)) == ("truncated", None, False)
    assert facts(of(wire + typed(MESSAGE_STOP), "anthropic")) == (
        "completed",
        "message_stop",
        True,
    )
    assert not of(wire + b"<html>\n\n", "anthropic").intact


def test_a_format_without_an_end_signal_ends_with_the_stream() -> None:
    format = JSONField("part", done=None)
    wire = sse({"part": "火"})

    assert facts(assemble(wire, format).message) == ("completed", "close", True)
    assert facts(assemble(wire + b"data: {", format).message) == ("truncated", None, False)
    assert facts(assemble(b"", format).message) == ("truncated", None, False)
    for how in ({"cancelled": True}, {"cause": OSError("weg")}, {"end": None}):
        assembler = DeltaAssembler(format)
        parser = SSEParser()
        assembler.feed(parser.feed(wire)[0])
        assembler.close(**{"end": parser.close(), **how})  # type: ignore[arg-type]
        assert not assembler.message.intact


@pytest.mark.parametrize(
    ("wire", "outcome"),
    [(TEXT, Outcome.CANCELLED), (TEXT + STOP, Outcome.COMPLETED), (ERROR, Outcome.PROVIDER_ERROR)],
)
def test_a_caller_who_stops_cancels_only_what_was_not_over(wire: bytes, outcome: Outcome) -> None:
    assembler = DeltaAssembler("openai-chat")
    for event in SSEParser().feed(wire):
        assembler.feed(event)
    assembler.close(cancelled=True)

    assert assembler.message.outcome is outcome
    assert assembler.message.intact is (outcome is Outcome.COMPLETED)


def test_a_cancel_on_the_wire() -> None:
    message = of(sse({"type": "start"}, {"type": "abort"}), "vercel-ui")
    assert facts(message) == ("cancelled", "abort", False)


@pytest.mark.parametrize(
    ("end", "server_sent"), [(SSEParser().close(), True), (None, False)], ids=["end", "no end"]
)
def test_whose_replacement_character_it_is(end: Any, server_sent: bool) -> None:
    assembler = DeltaAssembler("openai-chat")
    for event in SSEParser().feed(sse(chat({"content": "a\ufffd"}, "stop"))):
        assembler.feed(event)
    assert (assembler.message.intact, assembler.message.problems) == (False, ())
    assembler.close(end)

    whose = "the server sent it" if server_sent else "and nothing tells who put it there"
    assert assembler.message.problems == (f"U+FFFD is in the text: {whose}",)
    assert assembler.message.intact is server_sent


def test_a_byte_that_the_decoder_replaced_is_damage() -> None:
    message = of(TEXT.replace("ά".encode(), b"\xce") + STOP + DONE)

    assert message.text == "γει\ufffd"
    assert facts(message) == ("completed", "[DONE]", False)
    assert message.problems == ("the bytes were not UTF-8 in one place: U+FFFD stands there now",)


def test_a_half_that_stays_alone_is_damage() -> None:
    escaped = b'data: {"choices": [{"delta": {"content": "a\\ud83d"}}]}\n\n'
    message = of(escaped + STOP + DONE)

    assert (message.text, message.intact) == ("a\ufffd", False)
    assert message.problems == (
        "half of a surrogate pair never got its other half: it is U+FFFD now",
    )


def test_a_half_in_the_arguments_is_damage() -> None:
    wire = b'data: {"choices": [{"delta": {"tool_calls": [{"id": "c", "function": {"name": "f", '
    wire += b'"arguments": "{\\"a\\": \\"\\ud83d\\"}"}}]}}]}\n\n'
    message = of(wire + STOP + DONE)

    assert message.tool_calls[0].json() == {"a": "\ufffd"}
    assert not message.intact


@pytest.mark.parametrize("finish", ["length", "stop", None])
def test_a_call_that_is_left_half_is_damage(finish: str | None) -> None:
    wire = sse(chat(call('{"a', id="c", name="f"))) + sse(chat(finish=finish)) + DONE
    assert facts(of(wire)) == ("completed", "[DONE]", False)


@pytest.mark.parametrize(
    ("finish", "shortened"), [("length", True), ("content_filter", True), ("stop", False)]
)
def test_shortened_is_another_question(finish: str, shortened: bool) -> None:
    message = of(TEXT + sse(chat(finish=finish)) + DONE)
    assert (message.shortened, message.intact) == (shortened, True)


def test_what_is_shortened_is_said_for_each_choice() -> None:
    wire = TEXT + STOP + sse(chat({"content": "b"}, "length", index=1))
    message = of(wire)

    assert message.shortened is False
    assert [choice.shortened for choice in message.choices] == [False, True]


BODY = b'{"error": {"message": "bad key"}}'


@pytest.mark.parametrize("before", [b"", TEXT, TEXT + STOP, TEXT + STOP + DONE])
@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        (BODY, "provider_error"),
        (BODY + b"\n", "provider_error"),
        (b'{\n  "error": {\n    "message": "bad key"\n  }\n}', "provider_error"),
        (b"<!DOCTYPE html>\n<h1>502</h1>\n", "truncated"),
        (b'{"error": {"mess', "truncated"),
    ],
)
def test_an_unframed_body_is_never_completed(before: bytes, body: bytes, outcome: str) -> None:
    message = of(before + body)

    assert (message.outcome.value, message.intact) == (outcome, False)
    assert message.text == ("γειά" if before else "")
    if outcome == "provider_error":
        assert message.error is not None
        assert message.error.message == "bad key"


def test_parts_are_in_the_providers_order_with_their_metadata() -> None:
    thinking = {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking"}}
    text = {**BLOCK, "index": 1}
    result = {**BLOCK, "index": 2, "content_block": {"type": "web_search_tool_result", "n": 1}}
    delta = {"type": "signature_delta", "signature": "sig"}
    signed = {"type": "content_block_delta", "index": 0, "delta": delta}
    run = assemble(typed(START, result, text, thinking, signed, MESSAGE_STOP), "anthropic")

    parts = run.message.parts
    assert [(part.kind, part.text) for part in parts] == [
        ("reasoning", ""),
        ("text", "да"),
        ("other", ""),
    ]
    assert parts[0].metadata == {"type": "thinking", "signature": "sig"}
    assert parts[2].metadata["block"] == {"type": "web_search_tool_result", "n": 1}


def test_a_snapshot_does_not_change_later() -> None:
    assembler = DeltaAssembler("anthropic")
    citation = {"type": "citations_delta", "citation": {"n": 1}}
    cited = {"type": "content_block_delta", "index": 0, "delta": citation}
    for event in SSEParser().feed(typed(START, BLOCK, cited)):
        assembler.feed(event)
    before = assembler.message
    for event in SSEParser().feed(typed(cited)):
        assembler.feed(event)

    assert before.parts[0].metadata["citations"] == [{"n": 1}]
    assert assembler.message.parts[0].metadata["citations"] == [{"n": 1}, {"n": 1}]


def test_a_format_of_a_user_has_parts_in_the_order_of_slots() -> None:
    class Words:
        def reader(self) -> Any:
            return lambda event: [TextDelta(event.data, 0, int(event.data))]

    run: Run = assemble(sse("2", "1", "2"), Words())
    assert [(part.slot, part.text) for part in run.message.parts] == [(1, "1"), (2, "22")]
    assert run.message.text == "212"
