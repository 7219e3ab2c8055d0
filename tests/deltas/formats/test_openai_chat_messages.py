"""Chat choices with a whole message instead of deltas, or with a text of another format."""

from __future__ import annotations

from typing import Any

import pytest
from llm import assemble, chat, check_sums, sse

from untorn.deltas import Message


def read(*choices: dict[str, Any], format: str = "openai-chat") -> Message:
    run = assemble(sse(*[{"choices": [choice]} for choice in choices], "[DONE]"), format)
    check_sums(run)
    return run.message


def whole(content: Any, **more: Any) -> dict[str, Any]:
    return {"message": {"content": content}, **more}


@pytest.mark.parametrize(
    ("contents", "text"),
    [
        (["Hej"], "Hej"),
        (["Hej", "Hej"], "Hej"),
        (["He", "Hej då"], "Hej då"),
        ([None, "Hej"], "Hej"),
    ],
)
def test_a_message_that_grows_is_one_text(contents: list[Any], text: str) -> None:
    made = read(*map(whole, contents))
    assert (made.text, made.intact) == (text, True)


def test_another_message_is_damage() -> None:
    made = read(whole("Hej"), whole("Nej"))
    assert (made.text, made.problems) == ("Hej", ("a choice has two messages",))


def test_an_empty_delta_is_none() -> None:
    assert read(whole("Hej", delta={})).text == "Hej"
    assert read({"delta": {"content": "a"}}, whole("ab", delta={})).text == "a"


def test_a_text_alone_is_of_another_format() -> None:
    made = read({"text": "Hej"})
    assert (made.text, made.intact) == ("", False)
    assert made.problems == ("a choice has a text alone: openai-completions?",)
    assert read({"text": "Hej", "delta": {"content": "Hej"}}).intact


def test_a_delta_is_of_another_format_than_completions() -> None:
    made = assemble(sse(chat({"content": "Hej"}, "stop")), "openai-completions").message
    assert (made.text, made.problems) == ("", ("a choice has a delta: openai-chat?",))


@pytest.mark.parametrize("reason", ["MAX_TOKENS", "SAFETY", "sensitive", "network_error"])
def test_what_other_hosts_call_an_early_end(reason: str) -> None:
    made = read({"delta": {"content": "a"}, "finishReason": reason})
    assert (made.shortened, made.finish_reason) == (True, reason)
