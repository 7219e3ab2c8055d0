"""The errors of assembling: one root, facts as attributes, messages that say what to do."""

from __future__ import annotations

import pickle

import pytest

from untorn import Event, UntornError
from untorn.deltas import (
    AssemblerClosedError,
    AssemblyLimitError,
    BadPayloadError,
    ErrorUpdate,
    IncompleteToolCallError,
    Message,
    Outcome,
    TextDelta,
    ToolCall,
    TornMessageError,
    UnknownFormatError,
)

EVENT = Event("{" * 100)
ERRORS: list[UntornError] = [
    TornMessageError(Message(text="Grüße")),
    IncompleteToolCallError(ToolCall(0, name="pay"), "it was cut"),
    BadPayloadError(EVENT, "not JSON", (TextDelta("a"),)),
    AssemblyLimitError("max_slots", 10_000),
    AssemblerClosedError(),
    UnknownFormatError("openai", ("openai-chat", "plain")),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_survives_pickling(error: UntornError) -> None:
    copy = pickle.loads(pickle.dumps(error))

    assert type(copy) is type(error)
    assert copy.args == error.args
    assert str(copy) == str(error)


def test_what_is_no_value_is_a_value_error() -> None:
    kinds = (IncompleteToolCallError, BadPayloadError, UnknownFormatError)
    assert all(issubclass(kind, ValueError) for kind in kinds)


def test_a_torn_message_says_how_and_why() -> None:
    message = Message(error=ErrorUpdate("overloaded"), problems=("a payload could not be read",))

    assert str(TornMessageError(message)) == (
        "the answer is not intact: truncated: its end signal did not come; overloaded\n"
        "- a payload could not be read"
    )
    ended = Message(outcome=Outcome.COMPLETED, ended_by="[DONE]", problems=("a call has no name",))
    assert str(TornMessageError(ended)) == (
        "the answer is not intact: completed\n- a call has no name"
    )


def test_a_torn_message_says_nothing_twice() -> None:
    message = Message(ended_by="[DONE]", error=ErrorUpdate("no chunk"), problems=("no chunk", "b"))

    assert str(TornMessageError(message)) == "the answer is not intact: truncated; no chunk\n- b"


def test_an_incomplete_call_names_the_tool() -> None:
    assert str(ERRORS[1]) == "the call of 'pay' cannot be run: it was cut"
    unnamed = IncompleteToolCallError(ToolCall(0), "it was cut")
    assert str(unnamed) == "the call of 'an unnamed tool' cannot be run: it was cut"


def test_a_bad_payload_is_shown_up_to_80_characters() -> None:
    assert str(ERRORS[2]) == f"not JSON: {'{' * 80 + '…'!r}"
    assert str(BadPayloadError(Event("x"), "not JSON")) == "not JSON: 'x'"


def test_a_limit_is_named() -> None:
    assert (
        str(ERRORS[3]) == "the stream passed max_slots=10,000, which is an option of DeltaAssembler"
    )


def test_a_closed_assembler_says_what_to_do() -> None:
    assert str(ERRORS[4]) == "the assembler is closed; make a new one for another stream"


def test_an_unknown_format_lists_the_names() -> None:
    assert str(ERRORS[5]) == "no format is called 'openai'; name one of: openai-chat, plain"
    auto = UnknownFormatError("auto", ("plain",))
    assert (
        str(auto) == 'the stream does not tell its format, which "auto" needs; name one of: plain'
    )
