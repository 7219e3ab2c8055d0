"""What a format is: a user's own, and what stands alone of the built-in ones."""

from __future__ import annotations

from typing import Any

import pytest
from formats_of_users import LangGraph, Replicate
from llm import assemble, sse

from untorn import Event
from untorn.deltas import DeltaAssembler, Outcome, TextDelta, get_format
from untorn.deltas._format import BuiltIn
from untorn.deltas._register import EndRule, Options, Register


def test_a_built_in_format_reads_alone_too() -> None:
    read = get_format("openai-chat").reader()
    [delta] = read(Event('{"choices": [{"delta": {"content": "ώρα"}}]}'))

    assert delta == TextDelta("ώρα")


def test_each_reader_has_a_state_of_its_own() -> None:
    format = get_format("anthropic")
    assert format.reader() is not format.reader()


def test_a_base_has_nothing_to_say() -> None:
    with pytest.raises(NotImplementedError):
        BuiltIn().open(Register(Options()))
    with pytest.raises(NotImplementedError):
        BuiltIn().ending()


def test_a_format_says_what_ends_it() -> None:
    auto: Any = get_format("auto")
    anthropic: Any = get_format("anthropic")
    assert auto.ending() == EndRule()
    assert anthropic.ending().finish_ends is False


WORDS = b"".join(sse(text, event="output") for text in ["Grüß", " dich,\n", "  Welt"])


def test_replicates_leading_spaces_and_newlines_count() -> None:
    run = assemble(WORDS + sse("{}", event="done"), Replicate())

    assert run.message.text == "Grüß dich,\n  Welt"
    assert (run.message.outcome, run.message.ended_by) == (Outcome.COMPLETED, "done")
    assert run.message.intact


@pytest.mark.parametrize(
    ("end", "outcome"),
    [
        (b"", Outcome.TRUNCATED),
        (sse('{"reason": "canceled"}', event="done"), Outcome.CANCELLED),
        (sse('{"reason": "error"}', event="done"), Outcome.PROVIDER_ERROR),
        (sse("out of memory", event="error"), Outcome.PROVIDER_ERROR),
        (sse("a log", event="logs"), Outcome.TRUNCATED),
    ],
)
def test_replicates_other_ends(end: bytes, outcome: Outcome) -> None:
    message = assemble(WORDS + end, Replicate()).message

    assert message.outcome is outcome
    assert message.text == "Grüß dich,\n  Welt"
    assert not message.intact


def graph_event(text: object, *, usage: object = None, stop: str | None = None) -> bytes:
    call = {"id": "call_1", "name": "सूची", "args": {"शहर": "पुणे"}}
    message = {
        "id": "m1",
        "content": text,
        "tool_calls": [call],
        "usage_metadata": usage,
        "response_metadata": {"stop_reason": stop} if stop else {},
    }
    return sse([message], event="messages/partial")


def test_langgraphs_messages_are_cumulative() -> None:
    blocks = [{"type": "text", "text": "नमस्ते दुनिया"}]
    wire = graph_event("नम") + graph_event("नमस्ते") + graph_event(blocks, usage={"n": 1}, stop="end")
    run = assemble(wire + sse("null", event="end"), LangGraph())

    message = run.message
    assert [d.text for d in run.deltas if isinstance(d, TextDelta)] == ["नम", "स्ते", " दुनिया"]
    assert message.tool_calls[0].json() == {"शहर": "पुणे"}
    assert message.usage == {"n": 1}
    assert message.intact


def test_langgraph_without_an_end_is_truncated() -> None:
    message = assemble(graph_event("नम", stop="end"), LangGraph()).message
    assert (message.outcome, message.intact) == (Outcome.TRUNCATED, False)
    assert assemble(sse("weg", event="error"), LangGraph()).message.error is not None


def test_a_users_format_is_shown_as_the_object_that_it_is() -> None:
    format = Replicate()
    assert DeltaAssembler(format).format is format
