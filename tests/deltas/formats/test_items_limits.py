"""The items of a Responses stream: snapshots that add, and how many there may be."""

from __future__ import annotations

import pytest

from untorn.deltas import AssemblyLimitError
from untorn.deltas._register import Options, Register
from untorn.deltas.formats._items import NO_PART, Items, OpenPart


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


NAMED = {"type": "t", "item_id": "i1", "output_index": 1, "content_index": 0, "delta": "x"}


@pytest.mark.parametrize(
    ("more", "same"),
    [
        ({"delta": "y", "sequence_number": 7, "summary_index": 5}, True),
        ({"type": "u"}, False),
        ({"item_id": "i2"}, False),
        ({"output_index": True}, False),  # equal to 1, and no index
        ({"content_index": 1}, False),
        ({"content_index": None}, False),
    ],
)
def test_a_part_is_known_again_by_how_it_was_named(more: dict[str, object], same: bool) -> None:
    slot = made()[0].slot("text", 1, 0)
    part = OpenPart(NAMED, "text", slot, 1)

    assert part.is_named_by({**NAMED, **more}) is same
    assert not NO_PART.is_named_by({**NAMED, **more})


def test_a_summary_is_told_by_its_own_index() -> None:
    named = {**NAMED, "summary_index": 2}
    part = OpenPart(named, "summary", made()[0].slot("summary", 1, 2), 1)

    assert part.is_named_by({**named, "content_index": 9})
    assert not part.is_named_by({**named, "summary_index": 3})


@pytest.mark.parametrize("type_", ["", None, "response.output_text.delta"])
def test_before_any_part_nothing_names_one(type_: str | None) -> None:
    assert not NO_PART.is_named_by({"type": type_, "delta": "x"})
    assert not NO_PART.is_named_by({"delta": "x"})
