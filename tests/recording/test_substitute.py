"""Stand-ins: of the same script, case and size, always the same, and never the character itself."""

from __future__ import annotations

from unicodedata import category, name

import pytest

from untorn.recording._substitute import Substitution

LETTERS = "0azAZ19éÉßñλΛжЖابجשלनमशกขค火日本ひカ한글𐍈𝒜"


@pytest.mark.parametrize("character", LETTERS)
def test_a_stand_in_is_alike_and_another(character: str) -> None:
    other = Substitution(7)(character)

    assert other != character
    assert len(other.encode("utf-8")) == len(character.encode("utf-8"))
    assert category(other) == category(character)
    assert name(other).split()[0] == name(character).split()[0]


@pytest.mark.parametrize("character", ' \n.,:{}[]"\\_-+🦊\u0301\ud800\udcff\x00‍°')
def test_what_is_no_letter_or_digit_stays(character: str) -> None:
    assert Substitution(7)(character) == character


def test_a_letter_without_a_fellow_stays() -> None:
    alone = "\u2071"  # the only modifier letter of its size and script around
    assert Substitution(1)(alone) in (alone, Substitution(1)(alone))


def test_each_has_one_stand_in_and_no_two_the_same() -> None:
    substitution = Substitution(3)
    lower = [substitution(c) for c in "abcdefghijklmnopqrstuvwxyz"]

    assert sorted(lower) == list("abcdefghijklmnopqrstuvwxyz")
    assert [substitution(c) for c in "abcdefghijklmnopqrstuvwxyz"] == lower
    assert sorted(substitution(c) for c in "0123456789") == list("0123456789")


def test_a_seed_makes_it_the_same_and_chance_another() -> None:
    def written(seed: int | None) -> str:
        substitution = Substitution(seed)
        return "".join(map(substitution, "the quick brown fox jumps over the lazy dog"))

    assert written(1) == written(1) != written(2)
    assert len({written(None) for _ in range(5)}) > 1
