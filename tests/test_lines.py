"""The line buffer: LF, CR and CRLF over any cut, and nothing else."""

from __future__ import annotations

import itertools
import re

import pytest

from untorn._lines import LineBuffer


def cut(*reads: bytes) -> tuple[list[list[bytes]], bytes]:
    buffer = LineBuffer()
    found = [[line.encode() for line in buffer.cut(read)] for read in reads]
    return found, buffer.start + buffer.more


@pytest.mark.parametrize(
    ("reads", "lines", "pending"),
    [
        ([b"a\nb\rc\r\nd"], [[b"a", b"b", b"c"]], b"d"),
        ([b"a", b"b", b"\n"], [[], [], [b"ab"]], b""),
        ([b"a\r", b"\nb\n"], [[b"a"], [b"b"]], b""),  # a cut CRLF is one line end
        ([b"a\r", b"", b"\n", b"\n"], [[b"a"], [], [], [b""]], b""),  # dropped once only
        ([b"a\r", b"b\r", b"\r"], [[b"a"], [b"b"], [b""]], b""),  # a CR is not held back
        ([b"\r\r\n"], [[b"", b""]], b""),
        ([b"\n\r"], [[b"", b""]], b""),
        ([b"\r\n\n"], [[b"", b""]], b""),
        ([b"ab", b"c\nd", b"e\n\nf"], [[], [b"abc"], [b"de", b""]], b"f"),
        ([b""], [[]], b""),
    ],
)
def test_lines_over_cuts(reads: list[bytes], lines: list[list[bytes]], pending: bytes) -> None:
    assert cut(*reads) == (lines, pending)


def test_the_size_is_that_of_the_unfinished_line() -> None:
    buffer = LineBuffer()
    sizes = []
    for read in (b"ab", b"c\nde", b"f", b"\n"):
        buffer.cut(read)
        sizes.append(buffer.size)

    assert sizes == [2, 2, 3, 0]


def test_rule_2_nothing_else_ends_a_line() -> None:
    line = "a\v\f\x1c\x1d\x1e\x85\u2028\u2029b".encode()

    assert cut(line + b"\n") == ([[line]], b"")


def test_every_wire_of_six_symbols_under_every_cut_is_as_the_grammar_says() -> None:
    for length in range(7):
        for symbols in itertools.product(b"x\r\n", repeat=length):
            wire = bytes(symbols)
            *expected, rest = re.split(rb"\r\n|\r|\n", wire)
            for n in range(length + 1):
                for m in range(n, length + 1):
                    lines, pending = cut(wire[:n], wire[n:m], wire[m:])
                    assert (list(itertools.chain(*lines)), pending) == (expected, rest)
