"""The value that grows."""

from __future__ import annotations

from untorn.deltas import NOTHING, Nothing
from untorn.deltas._growing import GrowingValue


def test_nothing_is_one_value_and_not_none() -> None:
    assert GrowingValue().root is NOTHING is Nothing.NOTHING
    assert (repr(NOTHING), str(NOTHING)) == ("NOTHING", "NOTHING")


def test_a_string_grows_in_its_place() -> None:
    growing = GrowingValue()
    growing.open([])
    growing.put(1)
    for piece, shown in (("a", "a"), ("", "a"), ("bc", "abc")):
        growing.pieces.append(piece)
        growing.show_open_string()
        assert growing.root == [1, shown]
    growing.end_string()
    growing.put(2)

    assert growing.root == [1, "abc", 2]


def test_containers_nest_and_end() -> None:
    growing = GrowingValue()
    growing.open({})
    growing.pieces += ["ke", "y"]
    growing.end_key()
    growing.open([])

    assert (growing.depth, growing.in_object) == (2, False)
    growing.end_container()
    assert (growing.depth, growing.in_object, growing.root) == (1, True, {"key": []})
