"""Where ill-formed UTF-8 stands."""

from __future__ import annotations

from collections.abc import Iterable

import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

from untorn.cli._bad_bytes import WINDOW, BadBytes


def find(pieces: Iterable[bytes]) -> list[tuple[int, bytes]]:
    finder = BadBytes()
    return [found for piece in pieces for found in finder.find(piece)]


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
