"""The end of a stream as a value."""

from __future__ import annotations

import dataclasses

import pytest

from untorn import SSEParser, Tail


def test_the_end_is_a_frozen_slotted_value() -> None:
    one, other = SSEParser().close(), SSEParser().close()

    assert one == other
    assert hash(one) == hash(other)
    assert not hasattr(one, "__dict__")
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.retry = 5  # type: ignore[misc]


def test_a_tail_is_one_too() -> None:
    assert Tail(None, "", b"") == Tail(event=None, line="", undecoded=b"")
    assert not hasattr(Tail(None, "", b""), "__dict__")
