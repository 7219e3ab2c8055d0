"""Own the scalars of JSON where they may be cut: literals, numbers, and escapes in strings.

Each function says None where the text may go on, so that the caller holds it back.
"""

from __future__ import annotations

import re
from typing import Any

LITERALS: dict[str, Any] = {
    "true": True,
    "false": False,
    "null": None,
    "NaN": float("nan"),
    "Infinity": float("inf"),
    "-Infinity": float("-inf"),
}
ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_NUMBER_START = re.compile(r"-?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?(?:(?<=[0-9])[eE][+-]?[0-9]*)?)?")
_UNICODE = re.compile(r"\\u([0-9A-Fa-f]{4})")
_UNICODE_START = re.compile(r"\\(?:u[0-9A-Fa-f]{0,3})?\Z")


class BadScalarError(Exception):
    """Say how far into the text it stops being JSON, and why."""

    def __init__(self, position: int, reason: str) -> None:
        super().__init__(position, reason)
        self.position = position
        self.reason = reason


def literal(text: str, start: int) -> tuple[str, Any] | None:
    """Read true, false, null, NaN, Infinity or -Infinity; give its text and value."""
    for name, value in LITERALS.items():
        if text.startswith(name, start):
            return name, value
    rest = text[start : start + len("-Infinity")]
    if any(name.startswith(rest) for name in LITERALS):
        return None
    raise BadScalarError(start, "not a value")


def number(text: str, *, whole: bool) -> float | int | None:
    """Read a number; ``whole`` where no more of its characters can follow.

    json.loads gives an int where there is neither fraction nor exponent, and refuses one of more
    digits than ``int`` takes; so does this.
    """
    match = _NUMBER.fullmatch(text)
    if match is not None and whole:
        if match[1] or match[2]:
            return float(text)
        try:
            return int(text)
        except ValueError:
            raise BadScalarError(0, "a number of too many digits") from None
    begun = _NUMBER_START.match(text)
    end = begun.end() if begun else 0
    if end < len(text):
        raise BadScalarError(end, "not a number")
    return None


def unescaped(text: str, start: int) -> tuple[int, str] | None:
    """Read the escape at ``start``; give where it ends and what it stands for.

    Two escapes that are the halves of a surrogate pair are one character, so a first half is held
    back until it is clear whether the second follows.
    """
    if _UNICODE_START.match(text, start):
        return None
    if text[start + 1] != "u":
        character = ESCAPES.get(text[start + 1])
        if character is None:
            raise BadScalarError(start, "not an escape")
        return start + 2, character
    first = _UNICODE.match(text, start)
    if first is None:
        raise BadScalarError(start, "not an escape")
    end = first.end()
    high = int(first[1], 16)
    if not 0xD800 <= high < 0xDC00:
        return end, chr(high)
    if end == len(text) or _UNICODE_START.match(text, end):
        return None
    second = _UNICODE.match(text, end)
    low = int(second[1], 16) if second else 0
    if not 0xDC00 <= low < 0xE000:
        return end, chr(high)
    return end + 6, chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
