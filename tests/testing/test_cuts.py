"""The ways to cut a body: complete, in order, and the same for the same seed."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from untorn.testing import Boundary, boundaries, each_byte, every_cut, random_cuts
from untorn.testing._cuts import ways


@given(st.binary(max_size=40))
def test_every_cut_is_there_once(wire: bytes) -> None:
    cuts = list(every_cut(wire))

    assert len(cuts) == max(len(wire) - 1, 0)
    assert all(b"".join(cut) == wire and all(cut) and len(cut) == 2 for cut in cuts)
    assert len({len(first) for first, _ in cuts}) == len(cuts)


@given(st.binary(max_size=40))
def test_each_byte_is_a_read(wire: bytes) -> None:
    assert [len(read) for read in each_byte(wire)] == [1] * len(wire)
    assert b"".join(each_byte(wire)) == wire


@given(st.binary(max_size=40), st.integers(1, 9), st.integers())
def test_cuts_by_chance_have_so_many_pieces(wire: bytes, pieces: int, seed: int) -> None:
    cuts = list(random_cuts(wire, pieces, seed, 3))

    assert [len(cut) for cut in cuts] == [pieces] * 3
    assert all(b"".join(cut) == wire for cut in cuts)
    assert cuts == list(random_cuts(wire, pieces, seed, 3))


def test_chance_is_another_for_another_seed() -> None:
    wire = bytes(range(200))
    assert list(random_cuts(wire, 5, 1, 3)) != list(random_cuts(wire, 5, 2, 3))


def test_no_pieces_are_refused() -> None:
    with pytest.raises(ValueError, match="pieces must be at least 1, not 0"):
        list(random_cuts(b"a", 0, 1, 1))


def test_all_ways_have_names_that_tell_them_apart() -> None:
    wire = b"data: a\n\n"
    named = list(ways(wire, 7))
    names = [how for how, _ in named]

    assert names[:9] == [*map(str, range(1, 9)), "byte by byte"]
    assert names[9:] == [f"random cut {number} of seed 7" for number in range(20)]
    assert [chunks for _, chunks in named[:9]] == [*every_cut(wire), each_byte(wire)]
    assert [chunks for _, chunks in named[9:]] == [*random_cuts(wire, 5, 7, 20)]


def test_a_long_body_is_cut_at_a_sample_of_each_kind() -> None:
    wire = 'data: {"t": "火山"}\r\ndata: b\r\n\r\n'.encode() * 200
    marks = boundaries(wire)
    cut = [int(how) for how, _ in ways(wire, 3) if how.isdigit()]

    assert cut == [int(how) for how, _ in ways(wire, 3) if how.isdigit()]
    assert cut != [int(how) for how, _ in ways(wire, 4) if how.isdigit()]
    assert cut == sorted(set(cut))
    assert Counter(marks[place] for place in cut) == {
        **dict.fromkeys([Boundary.CHARACTER, Boundary.CRLF, Boundary.JSON, Boundary.LINE], 200),
        **dict.fromkeys([Boundary.EVENT], 200),
        Boundary.NONE: 199,
    }
