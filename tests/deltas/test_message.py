"""The message as a value, and the calls in it: what may be run, and what is only to be shown."""

from __future__ import annotations

from typing import Any

import pytest

from untorn.deltas import IncompleteToolCallError, Message, Outcome, ToolCall, TornMessageError
from untorn.deltas._message import has_lone_escape


def tool_call(arguments: str, **more: Any) -> ToolCall:
    return ToolCall(slot=0, id="c", name="f", arguments=arguments, **more)


def test_a_complete_call_gives_its_arguments() -> None:
    assert tool_call('{"città": "Roma"}', complete=True).json() == {"città": "Roma"}


@pytest.mark.parametrize("arguments", ["", " ", "\n"])
def test_a_complete_call_without_arguments_gives_an_empty_object(arguments: str) -> None:
    assert tool_call(arguments, complete=True).json() == {}


@pytest.mark.parametrize("arguments", ["", "{}", '{"a": 1}', '{"a": 1'])
def test_a_cut_call_never_gives_arguments(arguments: str) -> None:
    call = tool_call(arguments)

    with pytest.raises(IncompleteToolCallError, match="it was cut") as caught:
        call.json()
    assert caught.value.call is call


@pytest.mark.parametrize("arguments", ["[1]", "12 ", '"x"', "{}{}", "{]", '{"a": tru}'])
def test_what_is_no_json_object_is_damaged_not_cut(arguments: str) -> None:
    with pytest.raises(IncompleteToolCallError, match="it is damaged"):
        tool_call(arguments).json()


def test_free_text_is_no_json() -> None:
    call = tool_call("SELECT 1", complete=True, custom=True)

    with pytest.raises(IncompleteToolCallError, match="free text"):
        call.json()
    assert call.partial == "SELECT 1"


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ("", None),
        ('{"a": "Zür', {"a": "Zür"}),
        ('{"a": [1, 2', {"a": [1]}),
        ('{"a": 1}', {"a": 1}),
        ('{"a": 1]', {"a": 1}),
        ("}", None),
    ],
)
def test_a_view_shows_what_there_is(arguments: str, shown: object) -> None:
    assert tool_call(arguments).partial == shown


def test_a_view_that_was_given_is_shown() -> None:
    assert tool_call("", _live={"a": 1}).partial == {"a": 1}


def test_a_message_that_is_not_intact_raises_itself() -> None:
    torn, whole = Message(text="a"), Message(text="b", intact=True)

    with pytest.raises(TornMessageError) as caught:
        torn.require_intact()
    assert caught.value.message is torn
    assert whole.require_intact() is whole


def test_outcomes_have_the_words_that_the_docs_use() -> None:
    assert [outcome.value for outcome in Outcome] == [
        "completed",
        "truncated",
        "provider_error",
        "cancelled",
    ]


@pytest.mark.parametrize("half", ["\\ud83d", "\\uDD8A"])
def test_half_of_a_pair_is_never_handed_out(half: str) -> None:
    arguments = f'{{"a": ["{half}", 1], "{half}": "x"}}'

    whole = tool_call(arguments, complete=True)
    right = {"a": ["\ufffd", 1], "\ufffd": "x"}
    assert (whole.json(), whole.partial) == (right, right)
    assert tool_call("", _live={"a": "b"}).partial == {"a": "b"}
    assert tool_call(arguments, _live={"a": "\ud83d"}).partial == {"a": "\ufffd"}


def test_a_pair_of_escapes_is_a_character() -> None:
    assert tool_call('{"a": "\\ud83e\\udd8a"}', complete=True).json() == {"a": "🦊"}


def test_what_cannot_be_written_again_counts_as_damaged() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert has_lone_escape('"\\ud83d"', deep)


def test_what_is_too_deep_to_be_looked_at_is_not_shown() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert tool_call('"\\ud83d"', _live=deep).partial is None
