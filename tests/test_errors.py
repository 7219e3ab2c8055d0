"""The error tree: its shape, the facts on each error, and that errors survive pickling."""

from __future__ import annotations

import pickle

import pytest

from untorn import (
    ContentTypeError,
    DecodeError,
    EncodeError,
    Event,
    EventTooLargeError,
    GaveUpError,
    ParserClosedError,
    StatusError,
    Tail,
    TornStreamError,
    UntornError,
)

TAIL = Tail(Event("cut"), "data: cut", b"")
EVERY = [
    (DecodeError(7, b"\xe2\x82"), "not UTF-8 at byte 7: e2 82"),
    (EventTooLargeError(65536), "an event is larger than 65,536 bytes; raise max_event_size, "),
    (TornStreamError(TAIL), "an event is open, the unfinished line is 'data: cut'"),
    (TornStreamError(Tail(None, "x" * 99, b"")), f"no event is open, .* '{'x' * 80}…'"),
    (ParserClosedError(), "the parser is closed: a new stream"),
    (EncodeError("id", "a\nb", "must not hold '\\n'"), r"id must not hold '\\n': 'a\\nb'"),
]


@pytest.mark.parametrize(("error", "message"), EVERY)
def test_each_error_hangs_below_the_root_and_says_what_happened(
    error: UntornError, message: str
) -> None:
    with pytest.raises(UntornError, match=message):
        raise error


def test_a_message_does_not_hold_a_value_of_megabytes() -> None:
    assert len(str(EncodeError("data", "x" * 10**6, "must not"))) < 120


@pytest.mark.parametrize("error", [error for error, _ in EVERY])
def test_errors_survive_pickling_with_their_facts_and_events(error: UntornError) -> None:
    error.events = (Event("good"),)
    again = pickle.loads(pickle.dumps(error))

    assert type(again) is type(error)
    assert (again.args, again.__dict__) == (error.args, error.__dict__)


def test_bad_values_are_value_errors_too() -> None:
    kinds = {type(error) for error, _ in EVERY}

    assert {kind for kind in kinds if issubclass(kind, ValueError)} == {DecodeError, EncodeError}


def test_an_error_carries_no_events_unless_it_is_told() -> None:
    assert EventTooLargeError(1).events == ()


def test_what_a_response_that_is_no_stream_says() -> None:
    assert (
        str(StatusError(404)) == "the response has status 404, and only 200 brings an event stream"
    )
    assert str(ContentTypeError(None)).startswith("the response is without a type and no event")
    assert str(ContentTypeError("text/html")).startswith("the response is 'text/html' and no event")
    assert str(GaveUpError(3)) == "gave up: 3 connections in a row delivered nothing"
    assert (StatusError(404).status, GaveUpError(3).attempts) == (404, 3)
