"""Own which character stands for which: one of the same script, case and number of bytes.

Each character has one stand-in within a file, so that the same word becomes the same word, also
where it is cut over deltas, and a snapshot stays the sum of its deltas. That hides what was said
from a reader; it is no cipher that would withstand somebody who counts letters.
"""

from __future__ import annotations

import random
from unicodedata import category, name

_BLOCK = 128  # characters of one neighbourhood that may stand for each other
_ALIKE = ("Lu", "Ll", "Lt", "Lm", "Lo", "Nd", "Nl", "No")


class Substitution:
    """Give a stand-in for each letter and digit, and everything else as it is.

    Args:
        seed: What the choice depends on; chance, where it is None.
    """

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.SystemRandom() if seed is None else random.Random(seed)
        self._stand_ins: dict[str, str] = {}

    def __call__(self, character: str) -> str:
        """Give the stand-in of a character."""
        if character not in self._stand_ins:
            self._meet(character)
        return self._stand_ins[character]

    def _meet(self, character: str) -> None:
        kind = _kind(character)
        if kind is None:
            self._stand_ins[character] = character
            return
        start = ord(character) // _BLOCK * _BLOCK
        alike = [c for c in map(chr, range(start, start + _BLOCK)) if _kind(c) == kind]
        self._random.shuffle(alike)
        # A ring without fixed points: every word changes. One that has no fellow stays.
        self._stand_ins.update(zip(alike, alike[1:] + alike[:1], strict=True))


def _kind(character: str) -> tuple[str, str, int] | None:
    """Give what a stand-in has to share; None for what is no letter or digit."""
    kind = category(character)
    if kind not in _ALIKE:
        return None
    script = name(character, "").partition(" ")[0]
    return kind, script, len(character.encode("utf-8"))
