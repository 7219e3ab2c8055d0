"""What the message says of a stream that is whole, and of another format than the one named."""

from __future__ import annotations

from itertools import permutations

import pytest
from llm import assemble, chat, sse

from untorn.deltas import DeltaAssembler, FormatName, JSONField

STREAMS: dict[FormatName, bytes] = {
    "openai-chat": sse(chat({"content": "Γεια"}), chat(finish="stop"), "[DONE]"),
    "anthropic": sse(
        {"type": "message_start", "message": {"id": "m"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Γ"}},
        {"type": "message_stop"},
    ),
    "gemini": sse(
        {"candidates": [{"content": {"parts": [{"text": "Γ"}]}, "finishReason": "STOP"}]}
    ),
    "openai-responses": sse(
        {"type": "response.created", "response": {"id": "r"}},
        {"type": "response.output_text.delta", "output_index": 0, "delta": "Γ"},
        {"type": "response.completed", "response": {"id": "r", "status": "completed"}},
    ),
    "cohere": sse(
        {"type": "message-start", "id": "c"},
        {"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": "Γ"}}}},
        {"type": "message-end", "delta": {"finish_reason": "COMPLETE"}},
    ),
}


@pytest.mark.parametrize(("named", "other"), list(permutations(STREAMS, 2)))
def test_a_stream_of_another_format_is_told(named: FormatName, other: FormatName) -> None:
    message = assemble(STREAMS[other], named).message

    assert (message.text, message.intact) == ("", False)
    assert message.problems[-1] == f"the events look like {other!r}, and were read as {named!r}"


@pytest.mark.parametrize("named", STREAMS)
def test_a_stream_of_its_format_is_not(named: FormatName) -> None:
    message = assemble(STREAMS[named], named).message

    assert (message.text[:1], message.intact, message.problems) == ("Γ", True, ())


@pytest.mark.parametrize("named", STREAMS)
def test_events_that_tell_no_format_are_passed_by_in_silence(named: FormatName) -> None:
    message = assemble(sse({"hello": 1}), named).message

    assert (message.outcome.value, message.problems) == ("truncated", ())


def test_a_field_that_no_payload_has_is_named() -> None:
    assert assemble(sse({"a": 1}), JSONField("t")).message.problems == (
        "no payload has the field 't'",
    )
    assert assemble(sse("[DONE]"), JSONField("t")).message.problems == (
        "no chunk before the end marker",
    )


@pytest.mark.parametrize("format", [JSONField, None, b"openai-chat"])
def test_what_is_no_format_is_refused(format: object) -> None:
    with pytest.raises(TypeError, match="format is a name, or an object with reader"):
        DeltaAssembler(format)  # type: ignore[arg-type]
