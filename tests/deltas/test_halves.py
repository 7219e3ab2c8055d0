"""Halves of surrogate pairs: found, joined, and replaced where they stay alone."""

from __future__ import annotations

import pytest

from untorn.deltas._halves import clean, has_surrogates, mended, rest_of, split_half

HIGH, LOW = "\ud83e", "\udd8a"


@pytest.mark.parametrize(
    ("text", "found"),
    [("", False), ("abc", False), ("火🦊", False), (HIGH, True), ("a" + LOW, True)],
)
def test_halves_are_found(text: str, found: bool) -> None:
    assert has_surrogates(text) is found


@pytest.mark.parametrize(
    ("text", "whole", "lone"),
    [
        (HIGH + LOW, "🦊", 0),
        (f"a{HIGH}{LOW}b", "a🦊b", 0),
        (HIGH, "\ufffd", 1),
        (LOW, "\ufffd", 1),
        (LOW + HIGH, "\ufffd\ufffd", 2),
        (HIGH + HIGH + LOW, "\ufffd🦊", 1),
        (HIGH + LOW + LOW, "🦊\ufffd", 1),
        (f"{HIGH}x{LOW}", "\ufffdx\ufffd", 2),
        ("火", "火", 0),
        ("\ufeff\ufffd" + HIGH, "\ufeff\ufffd\ufffd", 1),  # only what is put there is counted
    ],
)
def test_pairs_are_joined_and_the_rest_replaced(text: str, whole: str, lone: int) -> None:
    assert mended(text) == (whole, lone)


def test_names_are_cleaned() -> None:
    assert clean("pay") == "pay"
    assert clean("pay" + HIGH) == "pay\ufffd"


@pytest.mark.parametrize(
    ("text", "parted"),
    [("", ("", "")), ("ab", ("ab", "")), ("a" + HIGH, ("a", HIGH)), ("a" + LOW, ("a" + LOW, ""))],
)
def test_a_high_half_at_the_end_waits(text: str, parted: tuple[str, str]) -> None:
    assert split_half(text) == parted


@pytest.mark.parametrize(
    ("start", "half", "whole", "rest"),
    [
        ("a", "", "ab", "b"),
        ("a", HIGH, "a🦊b", LOW + "b"),
        ("a", HIGH, "ab", "b"),
        ("a", HIGH, "a", ""),
        ("", HIGH, "😀", "😀"),
        ("a", "", "b", None),
    ],
)
def test_what_a_whole_text_has_beyond_its_start(
    start: str, half: str, whole: str, rest: str | None
) -> None:
    assert rest_of(start, half, whole) == rest
