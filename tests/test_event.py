"""Events as values."""

from __future__ import annotations

import dataclasses
import json

import pytest

from untorn import Event


def test_an_event_is_a_frozen_slotted_value() -> None:
    event = Event("x")

    assert (event.event, event.id, event.retry) == ("message", "", None)
    assert event == Event("x", "message", "", None)
    assert {event, Event("x")} == {event}
    assert repr(event) == "Event(data='x', event='message', id='', retry=None)"
    with pytest.raises(dataclasses.FrozenInstanceError):
        event.data = "y"  # type: ignore[misc]
    assert not hasattr(event, "__dict__")


def test_json_parses_the_data() -> None:
    assert Event('{"part": "火", "n": [1, null]}').json() == {"part": "火", "n": [1, None]}


def test_json_with_a_function_of_ones_own() -> None:
    number: int = Event("17").json(int)

    assert number == 17


def test_json_of_other_text_raises_what_the_function_raises() -> None:
    with pytest.raises(json.JSONDecodeError):
        Event("[DONE]").json()
    with pytest.raises(ValueError, match="invalid literal"):
        Event("[DONE]").json(int)


def test_encode_writes_what_is_not_the_default() -> None:
    assert Event("").encode() == b"data: \n\n"
    assert Event("a\n", "e", "1", 5).encode() == b"event: e\nid: 1\nretry: 5\ndata: a\ndata: \n\n"
