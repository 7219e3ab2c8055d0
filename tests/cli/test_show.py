"""Text from a peer on a terminal."""

from __future__ import annotations

import pytest

from untorn.cli._show import counted, escaped, printable, quoted


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain 火 🌅 שלום", "plain 火 🌅 שלום"),
        ("\x1b[2J\x07\x9b", "\\x1b[2J\\x07\\x9b"),
        ("a\nb\tc\r\0\x7f", "a\\nb\\tc\\r\\x00\\x7f"),
        ("\u2028\u200e\u200f\u202e\ufeff", "\\u2028\\u200e\\u200f\\u202e\\ufeff"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("back\\slash", "back\\slash"),
    ],
)
def test_controls_are_escaped_and_text_is_not(text: str, shown: str) -> None:
    assert escaped(text) == shown


def test_a_text_keeps_its_lines_and_its_direction() -> None:
    assert printable("a\n\tb\u200f\x1b[2J\r") == "a\n\tb\u200f\\x1b[2J\\r"


def test_quoted_text_is_cut() -> None:
    assert quoted("a\n") == '"a\\n"'
    assert quoted('a"\\') == '"a\\"\\\\"'
    assert quoted("x" * 70) == f'"{"x" * 60}…"'
    assert quoted("x" * 60) == f'"{"x" * 60}"'


def test_a_number_and_its_noun() -> None:
    assert [counted(n, "line") for n in (0, 1, 1200)] == ["0 lines", "1 line", "1,200 lines"]
