"""Own the making of the deltas that come by the thousand, without their frozen constructors.

A frozen dataclass sets each field through ``object.__setattr__``: 460 ns a delta, where filling a
draft and then giving it the class takes 140 (CPython 3.11). The slots must be those of the class.
"""

from __future__ import annotations

from typing import Any

from ._types import ReasoningDelta, TextDelta, ToolCallDelta


class TextDraft:
    """The form in which a ``TextDelta`` is filled."""

    __slots__ = ("choice", "raw", "slot", "text")
    text: str
    choice: int
    slot: int
    raw: Any


class ReasoningDraft:
    """The form in which a ``ReasoningDelta`` is filled."""

    __slots__ = ("choice", "raw", "slot", "summary", "text")
    text: str
    choice: int
    slot: int
    summary: bool
    raw: Any


class ArgumentsDraft:
    """The form in which a ``ToolCallDelta`` is filled."""

    __slots__ = ("raw", "slot", "text")
    slot: int
    text: str
    raw: Any


def text_delta(text: str, choice: int, slot: int, raw: Any) -> TextDelta:
    """Make a ``TextDelta``."""
    draft = TextDraft()
    draft.text = text
    draft.choice = choice
    draft.slot = slot
    draft.raw = raw
    draft.__class__ = TextDelta  # type: ignore[assignment]
    return draft  # type: ignore[return-value]


def reasoning_delta(
    text: str, choice: int, slot: int, raw: Any, *, summary: bool = False
) -> ReasoningDelta:
    """Make a ``ReasoningDelta``."""
    draft = ReasoningDraft()
    draft.text = text
    draft.choice = choice
    draft.slot = slot
    draft.summary = summary
    draft.raw = raw
    draft.__class__ = ReasoningDelta  # type: ignore[assignment]
    return draft  # type: ignore[return-value]


def arguments_delta(slot: int, text: str, raw: Any) -> ToolCallDelta:
    """Make a ``ToolCallDelta``."""
    draft = ArgumentsDraft()
    draft.slot = slot
    draft.text = text
    draft.raw = raw
    draft.__class__ = ToolCallDelta  # type: ignore[assignment]
    return draft  # type: ignore[return-value]
