"""untorn.text cuts streamed text where it may be cut: at sentences, and at stop phrases.

Text in, text out: it knows nothing of bytes, events or formats. Never look at one delta by itself:
a phrase, a sentence, even a word may be spread over many. What these tools give, put together,
never depends on how the text was cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

ABBREVIATIONS = frozenset(
    "Mr Mrs Ms Mx Dr Prof St Sr Jr Rev Hon Gen Col Capt Lt Sgt Messrs Mme Mlle Sra Dra Hr Fr "
    "vs e.g i.e cf al approx ca z.B d.h u.a bzw p.ex p.ej т.е т.д г".split()
)
"""Words that a full stop follows inside a sentence, without that stop."""

_BEFORE_NUMBERS = frozenset("No Nos Nr Fig Figs Eq Sec Ch Vol p pp art Art § №".split())
# Stops of scripts that write the next sentence without a space between.
_UNSPACED = "。！？｡︒﹒．"
_SPACED = ".!?…‼⁇⁈⁉؟۔।॥։።፧။៕᠃"
_STOPS = _SPACED + _UNSPACED
_CLOSING = "\"'”’»›)\\]}」』）】〉》〕］｝*_`"
_STOP = re.compile(
    rf"(?P<stop>[{_STOPS}]+)(?![{_STOPS}])[{_CLOSING}]*"
    rf"(?:(?P<space>\s+)|(?![{_STOPS}{_CLOSING}]))(?=\S)"
    rf"|(?P<gap>\s+)(?=\S)"
)
_LAST_WORD = re.compile(r"(?:[^\W_]+\.)*[^\W_]+$|[§№]$")


class Sentences:
    """Cut streamed text into sentences, for a voice or a screen reader's live region.

    A sentence ends at a stop of any script, with the quotation marks and brackets that close behind
    it, or at a blank line. It does not end at an abbreviation, an initial, a decimal point, the
    number of a list item, or where the text goes on in lower case. Since that depends on what comes
    next, a sentence is given with the first character of the next one. It keeps the white space
    behind it: joined, the sentences are the text.

    Args:
        abbreviations: Words that a full stop follows inside a sentence, without that stop.
        max_length: Characters after which text is cut without a stop, at a space if there is one.

    Example:
        >>> from untorn.text import Sentences
        >>> sentences = Sentences()
        >>> sentences.feed("Dr. Ko paid 3.50 for tea. W")
        ['Dr. Ko paid 3.50 for tea. ']
        >>> sentences.feed("hy? 火です。水")
        ['Why? ', '火です。']
        >>> sentences.close()
        ['水']
    """

    def __init__(
        self, *, abbreviations: Iterable[str] = ABBREVIATIONS, max_length: int = 500
    ) -> None:
        if max_length < 1:
            raise ValueError(f"max_length must be at least 1, not {max_length}")
        self._abbreviations = frozenset(abbreviations)
        self._max_length = max_length
        self._pending = ""

    def feed(self, text: str) -> list[str]:
        """Take the next text and give the sentences that are whole by now."""
        sentences: list[str] = []
        pending = self._pending + text
        start = 0
        while True:
            # Never more than what a sentence can have and the character behind it, so that whether
            # a cut is forced does not depend on how much text came at once.
            window = pending[start : start + self._max_length + 1]
            end = self._end(window)
            if end is None:
                break
            sentences.append(window[:end])
            start += end
        self._pending = pending[start:]
        return sentences

    def close(self) -> list[str]:
        """Give the rest: no more text comes."""
        rest, self._pending = self._pending, ""
        return [rest] if rest else []

    def _end(self, window: str) -> int | None:
        """Give where the first sentence ends, or None where that is not known yet."""
        for match in _STOP.finditer(window):
            if match.end() <= self._max_length and self._ends(window, match):
                return match.end()
        if len(window) <= self._max_length:
            return None
        last_space = max(window.rfind(space, 0, self._max_length) for space in " \n\t")
        return last_space + 1 if last_space >= 0 else self._max_length

    def _ends(self, window: str, match: re.Match[str]) -> bool:
        if match["gap"] is not None:
            return match.start() > 0 and match["gap"].count("\n") > 1
        stop, space, following = match["stop"], match["space"] or "", window[match.end()]
        if stop[-1] in _UNSPACED or space.count("\n") > 1:
            return True
        if not space or following.islower() or following in ",;:":
            return False
        return stop != "." or not self._is_inside(window[: match.start()], following)

    def _is_inside(self, before: str, following: str) -> bool:
        """Tell whether a full stop behind this text is part of a word or number."""
        found = _LAST_WORD.search(before)
        if found is None:
            return False
        word = found[0]
        initial = word.rpartition(".")[2]
        return (
            word in self._abbreviations
            or (len(initial) == 1 and initial.isupper())
            or (word in _BEFORE_NUMBERS and following.isdigit())
            or (word.isdigit() and not before[: found.start()].strip())
        )


@dataclass(frozen=True, slots=True)
class Shown:
    """What may be shown of streamed text.

    Args:
        text: Text that no stop phrase can begin in any more.
        phrase: The phrase that was met, once one was.
    """

    text: str
    phrase: str | None


class StopPhrases:
    """Find phrases in streamed text, also where they are spread over many deltas.

    The phrase that is whole first ends the text; of two that are whole at once, the longer one.
    Text that may yet become a phrase is held back, everything else is given at once.

    Args:
        phrases: What to look for.

    Raises:
        ValueError: A phrase is empty.

    Example:
        >>> from untorn.text import StopPhrases
        >>> stop = StopPhrases(["###", "Observation:"])
        >>> stop.feed("The answer is 17. Obs")
        Shown(text='The answer is 17. ', phrase=None)
        >>> stop.feed("ervation: it ")
        Shown(text='', phrase='Observation:')
    """

    def __init__(self, phrases: Iterable[str]) -> None:
        self._phrases = sorted(set(phrases), key=len, reverse=True)
        if "" in self._phrases:
            raise ValueError("a phrase must not be empty")
        self._longest = max(map(len, self._phrases), default=0)
        self._held = ""
        self._met: str | None = None

    def feed(self, text: str) -> Shown:
        """Take the next text; give what may be shown, and the phrase if it was met.

        Once a phrase was met, there is nothing more to show.
        """
        if self._met is not None:
            return Shown("", self._met)
        pending = self._held + text
        ends = [
            (start + len(phrase), -len(phrase), phrase)
            for phrase in self._phrases
            if (start := pending.find(phrase)) >= 0
        ]
        if ends:
            end, _, self._met = min(ends)
            self._held = ""
            return Shown(pending[: end - len(self._met)], self._met)
        held = self._begun(pending)
        self._held = pending[len(pending) - held :]
        return Shown(pending[: len(pending) - held], None)

    def close(self) -> str:
        """Give the text that was held back: no more comes, so it is no phrase."""
        held, self._held = self._held, ""
        return held

    def _begun(self, pending: str) -> int:
        """Give the length of the longest end of the text that begins a phrase."""
        for length in range(min(self._longest - 1, len(pending)), 0, -1):
            end = pending[len(pending) - length :]
            if any(phrase.startswith(end) for phrase in self._phrases):
                return length
        return 0
