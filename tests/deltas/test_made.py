"""Deltas that are made without their constructors are what their constructors make."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, fields

import pytest

from untorn.deltas import Delta, ReasoningDelta, TextDelta, ToolCallDelta
from untorn.deltas._made import arguments_delta, reasoning_delta, text_delta

RAW = {"a": 1}
MADE: list[tuple[Delta, Delta]] = [
    (text_delta("x", 1, 2, RAW), TextDelta("x", 1, 2, RAW)),
    (reasoning_delta("x", 1, 2, RAW), ReasoningDelta("x", 1, 2, raw=RAW)),
    (reasoning_delta("x", 0, 2, None, summary=True), ReasoningDelta("x", 0, 2, summary=True)),
    (arguments_delta(3, "{", RAW), ToolCallDelta(3, "{", RAW)),
]


@pytest.mark.parametrize(("made", "constructed"), MADE)
def test_one_is_as_the_constructor_makes_it(made: Delta, constructed: Delta) -> None:
    assert type(made) is type(constructed)
    assert (made, repr(made), hash(made)) == (constructed, repr(constructed), hash(constructed))
    for each in fields(made):
        assert getattr(made, each.name) == getattr(constructed, each.name)
    assert pickle.loads(pickle.dumps(made)) == constructed


@pytest.mark.parametrize(("made", "constructed"), MADE)
def test_one_is_frozen(made: Delta, constructed: Delta) -> None:
    with pytest.raises(FrozenInstanceError):
        made.text = "y"  # type: ignore[union-attr, misc]
