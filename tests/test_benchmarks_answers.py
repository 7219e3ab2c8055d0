"""The streams of answers that assembling is measured on hold what they say."""

from __future__ import annotations

import json
from typing import Any

import answers
import pytest

from untorn import Event
from untorn.deltas import DeltaAssembler, TextDelta, ToolCallDelta


@pytest.mark.parametrize("name", answers.NAMES)
def test_an_answer_comes_to_its_text_and_is_the_same_each_time(name: str) -> None:
    made = answers.answer(name)
    format: Any = made.format
    assembler = DeltaAssembler(format)
    events = map(Event, made.payloads, made.types)
    deltas = [delta for event in events for delta in assembler.feed(event)]
    assembler.close()
    message = assembler.message

    assert message.intact
    if name.endswith("-call"):
        (call,) = message.tool_calls
        assert (message.text, call.arguments, call.name) == ("", made.text, "save")
        assert len(json.loads(made.text)["rows"]) > 100
    else:
        assert (message.text, message.tool_calls) == (made.text, ())
        assert len(made.text.split()) == answers.DELTAS
    pieces = [delta for delta in deltas if isinstance(delta, (TextDelta, ToolCallDelta))]
    assert answers.DELTAS <= len(pieces) <= answers.DELTAS * 1.05
    assert made == answers.answer(name)


@pytest.mark.parametrize("name", answers.NAMES)
def test_an_answer_is_named_after_its_format(name: str) -> None:
    made = answers.answer(name)

    assert made.name == name
    assert made.format in ("openai-chat", "openai-responses", "anthropic")
    assert name in (made.format, f"{made.format}-call")
    assert len(made.types) == len(made.payloads)


def test_events_have_types_where_the_format_gives_them() -> None:
    assert set(answers.answer("openai-chat").types) == {"message"}
    assert answers.answer("anthropic-call").types[:3] == (
        "message_start",
        "content_block_start",
        "content_block_delta",
    )
    assert answers.answer("openai-responses").types[-1] == "response.completed"


def test_there_is_no_answer_of_another_name() -> None:
    with pytest.raises(KeyError, match="gemini"):
        answers.answer("gemini")
