"""The register of a stream: slots by a provider's key, names once, limits by name."""

from __future__ import annotations

import pytest

from untorn.deltas import NOTHING, AssemblyLimitError
from untorn.deltas._register import EndRule, Options, Pieces, Register


def register(**options: int) -> Register:
    return Register(Options(**options))  # type: ignore[arg-type]


def test_slots_are_numbered_as_they_appear() -> None:
    names = register()

    first = names.slot("text", 7)
    assert (names.slot("tool_call", 7).number, names.slot("text", 999_999_999).number) == (1, 2)
    assert names.slot("text", 7) is first
    assert [slot.number for slot in names.slots] == [0, 1, 2]
    assert names.slot_count == 3


def test_a_slot_knows_its_choice_and_place() -> None:
    names = register()
    slot = names.slot("text", 0, choice=3, order=(5, 1))

    assert (slot.choice, slot.order, names.choices) == (3, (5, 1), {3})
    assert names.slot("text", 1).order == (1,)
    assert names.known("text", 0) is slot
    assert names.known("tool_call", 0) is None


def test_lists_in_the_metadata_grow() -> None:
    slot = register().slot("text", 0)
    slot.append("citations", 1)
    slot.append("citations", 2)

    assert slot.metadata == {"citations": [1, 2]}


def test_slots_and_choices_are_bounded() -> None:
    names = register(max_slots=2, max_choices=1)
    names.slot("text", 0)
    names.slot("text", 1)

    with pytest.raises(AssemblyLimitError, match="max_slots=2") as caught:
        names.slot("text", 2)
    assert (caught.value.name, caught.value.limit) == ("max_slots", 2)
    with pytest.raises(AssemblyLimitError, match="max_choices=1"):
        names.choice(999_999_999)
    assert names.choice(0) == 0


def test_the_first_name_that_is_one_counts() -> None:
    names = register()
    for id, model in (("", None), (7, "m\ud83d"), ("r1", "other"), ("r2", "")):
        names.name(id, model)

    assert (names.id, names.model) == ("r1", "m\ufffd")


def test_a_problem_is_noted_once_and_damage_apart() -> None:
    names = register()
    for _ in range(2):
        names.problem("odd")
        names.problem("lost", damage=True)

    assert (names.problems, names.damages) == (["odd"], ["lost"])


def test_problems_are_bounded() -> None:
    names = register()
    for number in range(1_000):
        names.problem(f"odd {number}")

    assert len(names.problems) == 100


def test_what_counts_as_shortened() -> None:
    names = register()
    names.rule = EndRule(shortened=frozenset({"length"}))

    assert names.is_shortened("length")
    assert not names.is_shortened("stop")
    assert not names.is_shortened(None)
    names.shortened = True
    assert names.is_shortened("stop")


def test_pieces_are_joined_when_they_are_asked_for() -> None:
    pieces = Pieces(["Ab", "C="])
    before = pieces.snapshot()
    pieces.append("d")

    assert (before, pieces.snapshot()) == ("AbC=", "AbC=d")


def test_arguments_without_a_text_can_be_shown() -> None:
    names = register()
    slot = names.slot("tool_call", 0)
    names.slot("text", 0)
    slot.metadata["partialArgs"] = Pieces(["{", "}"])

    shown = [names.shown_arguments(number) for number in (0, 1, 2, -1)]
    assert shown == ["{}", NOTHING, NOTHING, NOTHING]
