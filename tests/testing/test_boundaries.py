"""What a cut falls inside: the narrowest thing counts."""

from __future__ import annotations

import pytest

from untorn.testing._boundaries import Boundary, article, boundaries, boundaries_at, lines_of

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


def test_some_offsets_are_told_as_all_are() -> None:
    wire = 'id: 1\r\ndata: {"火": 1}\r\n\r\ndata: b'.encode()
    everywhere = boundaries(wire)

    for step in (1, 2, 5, 11):
        places = [*range(0, len(wire) + 1, step)]
        assert [*boundaries_at(wire, places)] == [everywhere[place] for place in places]


def test_lines_know_their_block() -> None:
    assert [*lines_of(b"a\n\nb\r\nc")] == [
        (0, 0, 1, 2),
        (0, 2, 2, 3),
        (3, 3, 4, 6),
        (3, 6, 7, 7),
        (3, 7, 7, 7),
    ]


def test_boundaries_have_articles() -> None:
    assert [article(boundary.value) for boundary in Boundary] == [
        "a character",
        "a CRLF",
        "a JSON text",
        "a line",
        "an event",
        "nothing",
    ]
