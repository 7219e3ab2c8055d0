"""Where ill-formed UTF-8 stands."""

from __future__ import annotations

from collections.abc import Sequence

import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

from untorn.cli._bad_bytes import SHOWN, WINDOW, BadBytes


def find(pieces: Sequence[bytes]) -> list[tuple[int, bytes]]:
    finder = BadBytes()
    runs = [run for piece in pieces for run in finder.find(piece)] + finder.last()
    wire = b"".join(pieces)
    assert all(run.first == wire[run.start : run.end][:SHOWN] for run in runs)
    return [(run.start, wire[run.start : run.end]) for run in runs]


@pytest.mark.parametrize(
    ("pieces", "found"),
    [
        ([b"plain", "é火🌅".encode()], []),
        ([b"a\xffb\xfe"], [(1, b"\xff"), (3, b"\xfe")]),
        ([b"a\xff\xfe\x80b"], [(1, b"\xff\xfe\x80")]),  # neighbours are one run
        ([b"a\xe7", b"\x81", b"b"], [(1, b"\xe7\x81")]),
        ([b"\xed", b"\xa0", b"x\xff"], [(0, b"\xed\xa0"), (3, b"\xff")]),
        ([b"x" * WINDOW + "火".encode() + b"\xff"], [(WINDOW + 3, b"\xff")]),
        ([b"x" * (WINDOW - 1) + "火".encode() + b"\xff"], [(WINDOW + 2, b"\xff")]),
        ([b"a\xff", b"\xfe", b"\xe7", b"\x81b"], [(1, b"\xff\xfe\xe7\x81")]),  # over reads too
        ([b"\xff" * (3 * WINDOW)], [(0, b"\xff" * (3 * WINDOW))]),
    ],
)
def test_runs_with_their_offsets(pieces: list[bytes], found: list[tuple[int, bytes]]) -> None:
    assert find(pieces) == found


fragments = st.sampled_from([b"a", b"\xff", b"\xe7\x81", b"\xed\xa0", b"\xf0\x9f\x98"])


@given(st.lists(fragments | st.binary(max_size=3)))
def test_the_same_bytes_are_bad_for_a_second_reading(pieces: list[bytes]) -> None:
    wire = b"".join(pieces) + b"."  # no character is cut by the end
    bad, offset = set(), 0
    for _, source, is_error in oracle.decode(wire):
        bad |= set(range(offset, offset + len(source))) if is_error else set()
        offset += len(source)

    for cut in ([wire], [*pieces, b"."], [bytes([byte]) for byte in wire]):
        assert {start + i for start, run in find(cut) for i in range(len(run))} == bad


def test_a_character_that_is_not_whole_yet() -> None:
    finder = BadBytes()

    assert list(finder.find(b"ab\xe7\x81")) == []
    assert finder.cut() == (2, b"\xe7\x81")
    assert list(finder.find(b"\xab")) == []
    assert finder.cut() == (5, b"")
