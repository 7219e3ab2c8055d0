"""What a cut falls inside: the narrowest thing counts."""

from __future__ import annotations

import pytest

from untorn.testing._boundaries import Boundary, boundaries

SHORT = {
    "c": Boundary.CHARACTER,
    "r": Boundary.CRLF,
    "j": Boundary.JSON,
    "l": Boundary.LINE,
    "e": Boundary.EVENT,
    ".": Boundary.NONE,
}


@pytest.mark.parametrize(
    ("wire", "inside"),
    [
        ("", "."),
        ("a", ".l"),
        ("ab\n\ncd", ".lle.ll"),
        ("a\n\nb\n\n", ".le.le."),
        ("a\nb\n\n", ".lele."),
        ("a\r\n\r\n", ".lrer."),
        ("a\r\rb\r\r", ".le.le."),
        ("\n\n", "..."),
        ("é\n\n", ".cle."),
        ("火", ".ccl"),
        ("🦊", ".cccl"),
        ("aé", ".lcl"),
        ("data: {}\n\n", ".llllllj" + "le."),
        ("data:[1]\n\n", ".lllll" + "jjle."),
        ("data: x\n\n", "." + "l" * 7 + "e."),
        ('data: {"é"}\n\n', ".llllll" + "jjcjj" + "le."),
    ],
)
def test_what_each_cut_falls_inside(wire: str, inside: str) -> None:
    assert boundaries(wire.encode()) == [SHORT[letter] for letter in inside]


@pytest.mark.parametrize("wire", [b"\xff\xfe", b"\xe7\x81", b"\xed\xa0\xbd"])
def test_bad_bytes_are_no_characters(wire: bytes) -> None:
    assert Boundary.CHARACTER not in boundaries(wire)
