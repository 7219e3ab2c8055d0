"""Sentences and stop phrases: right on whole text, and the same under every cut."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from untorn.text import Sentences, Shown, StopPhrases


def sentences(*pieces: str, max_length: int = 500) -> list[str]:
    cutter = Sentences(max_length=max_length)
    return [*itertools.chain(*(cutter.feed(piece) for piece in pieces)), *cutter.close()]


@pytest.mark.parametrize(
    "expected",
    [
        ["One. ", "Two! ", "Three? ", "Four"],
        ["Dr. Ko met Mrs. Ito vs. Mr. Roe. ", "Then left."],  # abbreviations
        ["J. R. R. Tolkien lived in the U.K. Then he wrote."],  # initials
        ["See e.g. the first, i.e. No. 5 and Fig. 3. ", "Done."],
        ["I said no. ", "He agreed etc. ", "So be it."],
        ["Pi is 3.14, v1.2.3 is out, at 17:15:00Z. ", "Yes."],  # decimals
        ["It was 2024. ", "Then came 2025."],
        ["1. First do this. ", "2. Then that."],  # list items
        ["Wait... what? ", "Well… ", "No."],  # ellipses
        ['"Really?" she said. ', '"Yes." ', "(It was.) ", "«Oui.» ", "Fin."],  # closing marks
        ["**Bold.** ", "_Done!_ ", "Next"],
        ["She asked: who?! ", "Nobody."],
        ["火は熱い。", "「水だ！」", "本当？！", "はい"],  # no spaces between
        ["他说：“好。”", "她走了。", "完"],
        ["ما اسمك؟ ", "أنا هنا۔ ", "نعم."],
        ["यह आग है। ", "वह पानी है॥ ", "हाँ"],
        ["A heading\n\n", "A paragraph\nthat is wrapped.\n\n", "- item"],
        ["See https://example.com/a.b?c=d! ", "Good."],
        ["  Leading space. ", "Then."],
        ["\n\nText"],
        ["?! ", "Ok"],
    ],
)
def test_text_is_cut_at_its_sentences(expected: list[str]) -> None:
    text = "".join(expected)

    assert sentences(text) == expected
    assert sentences(*text) == expected


def test_a_sentence_is_out_with_the_next_ones_first_character() -> None:
    cutter = Sentences()

    assert cutter.feed("One.") == []
    assert cutter.feed(" ") == []
    assert cutter.feed("T") == ["One. "]
    assert cutter.feed("火。水") == ["T火。"]
    assert (cutter.close(), cutter.close()) == (["水"], [])


def test_text_that_never_ends_is_cut_at_a_length() -> None:
    assert sentences("aaaa bbbb cccc dddd", max_length=10) == ["aaaa bbbb ", "cccc dddd"]
    assert sentences("x" * 25, max_length=10) == ["x" * 10, "x" * 10, "x" * 5]
    assert sentences("A. Bbbbbbbbbbbbbbbbb", max_length=10) == ["A. ", "Bbbbbbbbbb", "bbbbbbb"]
    with pytest.raises(ValueError, match="max_length must be at least 1"):
        Sentences(max_length=0)


def test_abbreviations_of_ones_own() -> None:
    cutter = Sentences(abbreviations=["Bros"])

    assert cutter.feed("Roe Bros. Ltd met Dr. Ko.") == ["Roe Bros. Ltd met Dr. "]


fragments = st.sampled_from(
    [
        "A",
        "a",
        "Dr",
        "No",
        "1",
        ".",
        "...",
        "!",
        "？",
        "。",
        "」",
        '"',
        ")",
        " ",
        "\n",
        "\n\n",
        ",",
        "火",
    ]
)
texts = st.lists(fragments, max_size=30).map("".join)


@given(texts, st.lists(st.integers(0, 60), max_size=8), st.sampled_from([3, 7, 500]))
@example("A. \n\n", [3], 500)
def test_sentences_do_not_depend_on_the_cuts_and_lose_nothing(
    text: str, offsets: list[int], max_length: int
) -> None:
    edges = [0, *sorted(min(offset, len(text)) for offset in offsets), len(text)]
    whole = sentences(text, max_length=max_length)

    assert "".join(whole) == text
    assert all(0 < len(sentence) <= max_length for sentence in whole)
    assert (
        sentences(*(text[a:b] for a, b in itertools.pairwise(edges)), max_length=max_length)
        == whole
    )
    assert sentences(*text, max_length=max_length) == whole


def stopped(phrases: list[str], *pieces: str) -> tuple[str, str | None]:
    stop = StopPhrases(phrases)
    shown = [stop.feed(piece) for piece in pieces]
    text = "".join(part.text for part in shown) + stop.close()
    return text, shown[-1].phrase if shown else None


def test_a_phrase_is_found_over_any_cut_and_nothing_of_it_is_shown() -> None:
    stop = StopPhrases(["<|end|>", "###"])

    assert stop.feed("Hello <") == Shown("Hello ", None)
    assert stop.feed("b> <|e") == Shown("<b> ", None)
    assert stop.feed("nd|") == Shown("", None)
    assert stop.feed("> more ###") == Shown("", "<|end|>")
    assert stop.feed("more") == Shown("", "<|end|>")
    assert stop.close() == ""


@pytest.mark.parametrize(
    ("phrases", "text", "expected"),
    [
        (["ab", "abc"], "xabc", ("x", "ab")),  # whole first
        (["abc", "bc"], "xabc", ("x", "abc")),  # whole at once: the longer one
        (["abcd", "bc"], "abcd", ("a", "bc")),
        (["aab"], "aaab", ("a", "aab")),
        (["火災"], "火火災", ("火", "火災")),
        ([], "anything", ("anything", None)),
        (["never"], "neve", ("neve", None)),
        (["x", "x"], "", ("", None)),
    ],
)
def test_which_phrase_ends_the_text(
    phrases: list[str], text: str, expected: tuple[str, str | None]
) -> None:
    assert stopped(phrases, text) == expected
    if text:
        assert stopped(phrases, *text) == expected


def test_an_empty_phrase_is_refused() -> None:
    with pytest.raises(ValueError, match="must not be empty"):
        StopPhrases(["a", ""])


@given(
    st.lists(st.text("ab", min_size=1, max_size=4), max_size=3),
    st.text("abc", max_size=20),
    st.lists(st.integers(0, 20), max_size=5),
)
def test_stop_phrases_as_looked_for_character_by_character(
    phrases: list[str], text: str, offsets: list[int]
) -> None:
    expected: tuple[str, str | None] = (text, None)
    for end in range(len(text), -1, -1):
        met = [phrase for phrase in phrases if text[:end].endswith(phrase)]
        if met:
            longest = max(met, key=len)
            expected = (text[: end - len(longest)], longest)
    edges = [0, *sorted(min(offset, len(text)) for offset in offsets), len(text)]

    assert stopped(phrases, *(text[a:b] for a, b in itertools.pairwise(edges))) == expected
