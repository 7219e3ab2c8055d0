"""The line buffer: LF, CR and CRLF over any cut, and nothing else."""

from __future__ import annotations

import itertools
import re

import pytest

from untorn._lines import LineBuffer


def cut(*reads: str) -> tuple[list[str], str]:
    buffer = LineBuffer()
    found = [buffer.cut(read) for read in reads]
    return found, buffer.pending.decode()


@pytest.mark.parametrize(
    ("reads", "lines", "pending"),
    [
        (["a\nb\rc\r\nd"], ["a\nb\nc\n"], "d"),
        (["a", "b", "\n"], ["", "", "ab\n"], ""),
        (["a\r", "\nb\n"], ["a\n", "b\n"], ""),  # a cut CRLF is one line end
        (["a\r", "", "\n", "\n"], ["a\n", "", "", "\n"], ""),  # dropped once only
        (["a\r", "b\r", "\r"], ["a\n", "b\n", "\n"], ""),  # a CR is not held back
        (["a\r", "b", "\n"], ["a\n", "", "b\n"], ""),  # an LF that comes later is not its own
        (["a\r", "\n", "\r", "\n\n"], ["a\n", "", "\n", "\n"], ""),
        (["\r\r\n"], ["\n\n"], ""),
        (["\n\r"], ["\n\n"], ""),
        (["\r\n\n"], ["\n\n"], ""),
        (["ab", "c\nd", "e\n\nf"], ["", "abc\n", "de\n\n"], "f"),
        (["é", "火\n🌅"], ["", "é火\n"], "🌅"),
        ([""], [""], ""),
    ],
)
def test_lines_over_cuts(reads: list[str], lines: list[str], pending: str) -> None:
    assert cut(*reads) == (lines, pending)


def test_what_went_straight_into_the_buffer_parts_an_lf_from_the_cr_before_it() -> None:
    buffer = LineBuffer()
    assert buffer.cut("a\r") == "a\n"
    buffer.pending += b"b"

    assert (buffer.cut("\n"), buffer.cut("\n")) == ("b\n", "\n")


def test_the_unfinished_line_is_utf_8_in_one_buffer_for_good() -> None:
    buffer = LineBuffer()
    pending = buffer.pending
    sizes = []
    for read in ("ab", "c\nd火", "f", "\n"):
        buffer.cut(read)
        sizes.append(len(pending))

    assert sizes == [2, 4, 5, 0]
    assert buffer.pending is pending


def test_rule_2_nothing_else_ends_a_line() -> None:
    line = "a\v\f\x1c\x1d\x1e\x85\u2028\u2029b"

    assert cut(line + "\n") == ([line + "\n"], "")


def test_every_wire_of_six_symbols_under_every_cut_is_as_the_grammar_says() -> None:
    for length in range(7):
        for symbols in itertools.product("x\r\n", repeat=length):
            wire = "".join(symbols)
            *expected, rest = re.split(r"\r\n|\r|\n", wire)
            for n in range(length + 1):
                for m in range(n, length + 1):
                    lines, pending = cut(wire[:n], wire[n:m], wire[m:])
                    assert "".join(lines) == "".join(line + "\n" for line in expected)
                    assert pending == rest
