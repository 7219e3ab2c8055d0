"""The vocabulary as values: one closed union, frozen, equal by what they say."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from typing import Any, get_args

import pytest

from untorn import deltas
from untorn.deltas import Delta, TextDelta, ToolCallStart, UsageUpdate


def test_the_union_holds_every_delta_and_nothing_else() -> None:
    assert {kind.__name__ for kind in get_args(Delta)} == {
        "TextDelta",
        "ReasoningDelta",
        "RefusalDelta",
        "ToolCallStart",
        "ToolCallDelta",
        "ToolCallEnd",
        "UsageUpdate",
        "Finish",
        "ErrorUpdate",
        "EndMarker",
        "BadPayload",
    }
    assert {kind.__name__ for kind in get_args(Delta)} <= set(deltas.__all__)


@pytest.mark.parametrize("kind", get_args(Delta))
def test_a_delta_is_frozen_and_slotted(kind: Any) -> None:
    names = [field.name for field in fields(kind)]
    delta = kind(*[None for _ in names])

    with pytest.raises(FrozenInstanceError):
        setattr(delta, names[0], 1)
    assert not hasattr(delta, "__dict__")


def test_equality_is_about_what_a_delta_says_not_where_it_came_from() -> None:
    assert TextDelta("a", raw={"x": 1}) == TextDelta("a", raw={"x": 2})
    assert TextDelta("a") != TextDelta("a", choice=1)
    assert UsageUpdate({"n": 1}) != UsageUpdate({"n": 2})
    assert "raw" not in repr(ToolCallStart(0, raw={"x": 1}))
