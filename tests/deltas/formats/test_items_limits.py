"""The items of a Responses stream: snapshots that add, and how many there may be."""

from __future__ import annotations

import pytest

from untorn.deltas import AssemblyLimitError
from untorn.deltas._register import Options, Register
from untorn.deltas.formats._items import Items


def made(**options: int) -> tuple[Items, Register]:
    register = Register(Options(**options))  # type: ignore[arg-type]
    return Items(register), register


def test_so_many_items_may_be_noted_and_no_more() -> None:
    items, _ = made(max_slots=2)
    for place in range(2):
        items.note(place, {"type": "message"})
    with pytest.raises(AssemblyLimitError, match="max_slots=2"):
        items.note(2, {"type": "message"})


def test_so_many_ids_may_be_noted_and_no_more() -> None:
    items, _ = made(max_slots=1)
    for number in range(2):
        items.note(0, {"type": "message", "id": f"x{number}"})
    with pytest.raises(AssemblyLimitError, match="max_slots=1"):
        items.note(0, {"type": "message", "id": "x2"})


def test_a_short_snapshot_of_a_long_text_is_passed_by() -> None:
    items, register = made()
    list(items.grow("text", 0, 0, "hundert Wörter", None))
    list(items.fill("text", 0, 0, "hundert Wörter", None))

    assert list(items.fill("text", 0, 0, "h", None)) == []
    assert list(items.fill("text", 0, 0, "x", None)) == []
    assert register.damages == []


def test_a_snapshot_adds_annotations_and_takes_none_away() -> None:
    items, register = made()
    for kind, count in (("text", 0), ("refusal", 1), ("text", 2), ("text", 1)):
        items.annotate(kind, 0, 0, [{"n": count}] * count)

    assert [slot.metadata for slot in register.slots] == [{"annotations": [{"n": 2}] * 2}]
