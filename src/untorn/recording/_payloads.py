"""Own what becomes of a payload: JSON keeps its structure and what steers, text keeps nothing.

In JSON the keys, literals, indexes, and the words that say what an event is stay. From where a
payload is no JSON it is text, of which nothing stays but what is no letter or digit.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

from ._calls import KEYS, Arguments, Piece, Pieces
from ._scan import tokens
from ._steering import (
    EVENT_NAME,
    IDENTIFIER,
    INDEXES,
    PATHS,
    STEERING,
    WORD,
    WORDS,
    is_index,
    is_path,
)

_KEPT = ("[DONE]", "null")
_TRIES = 9
_EXTREME = re.compile(r"[eE][-+]?[0-9]{3}")  # another would be 0, or too large for a float
_CHARACTER = re.compile(
    r"""\\u(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})
        |\\u(?P<hex>[0-9a-fA-F]{4})|\\.|.""",
    re.DOTALL | re.VERBOSE,
)
_MEANT = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
# That a body is a page of a proxy is a fault to see; any other word behind "<" is somebody's.
_TAG = re.compile(
    r"""</?(?:html|head|title|meta|link|style|script|body|div|span|p|h[1-6]|a|b|i|em|strong|br|hr
        |center|ul|ol|li|pre|code|table|tr|td|th|img|form|input)(?![^\s/>])|<!doctype(?=\s)""",
    re.IGNORECASE | re.VERBOSE,
)

Substitute = Callable[[str], str]


class Payloads:
    """Redact the payloads of one stream; each result has the length of what was given.

    Args:
        substitute: Gives the stand-in of a character, of the same number of bytes.
    """

    def __init__(self, substitute: Substitute) -> None:
        self._substitute = substitute
        self._arguments = Arguments(lambda text: self._redacted(text, None))

    def take(self, text: str) -> Callable[[], str]:
        """Take the data of an event, or a body that came without framing.

        Returns:
            What redacts it. All have to be taken, in their order, before any is redacted.
        """
        pieces = self._arguments.take(text)
        return lambda: text if _is_kept(text) else self._redacted(text, pieces)

    def event(self, name: str) -> str:
        """Redact what names an event; readers wait for words in lower case, and those stay."""
        return name if EVENT_NAME.fullmatch(name) else self._steering(name)

    def plain(self, text: str) -> str:
        """Redact a text that is no JSON; the names of HTML tags stay."""
        shown = self._text(text)
        if "<" not in text:
            return shown
        kept = list(shown)
        for tag in _TAG.finditer(text):
            kept[tag.start() : tag.end()] = tag[0]
        return "".join(kept)

    def unlike(self, text: str, is_taken: Callable[[str], bool]) -> str:
        """Redact a text, and by chance again, so that it becomes nothing that steers.

        Args:
            text: The text.
            is_taken: Tells what it must not become.
        """
        for _ in range(_TRIES):
            text = self.plain(text)
            if not is_taken(text):
                break
        return text

    def _redacted(self, text: str, pieces: Pieces | None) -> str:
        """Redact a payload; without a list of pieces it is arguments, in which nothing steers."""
        if text.lstrip()[:1] in ("{", "[", '"') or _is_json(text):
            return "".join(self._json(text, pieces))
        return self.unlike(text, _is_read)

    def _json(self, text: str, pieces: Pieces | None) -> Iterator[str]:
        done, left = 0, iter(pieces or ())
        for kind, start, end, key in tokens(text):
            yield text[done:start]
            done = end
            if kind == "rest":
                yield self._rest(text[:start], text[start:end])
                continue
            piece = next(left, None) if kind == "text" and key in KEYS else None
            change = self._string if kind == "text" else self._number
            yield change(text[start:end], "" if pieces is None else key, piece)
        yield text[done:]

    def _rest(self, start: str, rest: str) -> str:
        """Redact what is no JSON behind what is; both together must not become JSON."""
        return self.unlike(rest, lambda other: _is_read(start + other))

    def _number(self, number: str, key: str, piece: Piece | None) -> str:
        """Give another number: zeros stay, no others arise, and its exponent is its shape."""
        if (key in INDEXES and is_index(number)) or _EXTREME.search(number):
            return number
        mantissa = re.split("[eE]", number)[0]
        return "".join(map(self._digit, mantissa)) + number[len(mantissa) :]

    def _digit(self, character: str) -> str:
        if character == "0":
            return character
        other = self._substitute(character)
        return other if other != "0" else self._substitute(other)  # so that no two become one

    def _string(self, written: str, key: str, piece: Piece | None) -> str:
        """Redact the inside of a string, in which characters may be written as escapes."""
        if "\\" not in written:
            return self._value(written, key) if piece is None else piece()
        characters = [(match[0], _meant(match)) for match in _CHARACTER.finditer(written)]
        text = "".join(meant for _, meant in characters)
        others = self._value(text, key) if piece is None else piece()
        return "".join(
            raw if meant == other else other if len(raw) == 1 else _escaped(other)
            for (raw, meant), other in zip(characters, others, strict=True)
        )

    def _value(self, text: str, key: str) -> str:
        if text in _KEPT or (key in PATHS and is_path(text)) or (key in INDEXES and is_index(text)):
            return text
        return self._steering(text) if key in STEERING else self._text(text)

    def _steering(self, text: str) -> str:
        """Redact a value word by word, where it is an identifier at all."""
        if not IDENTIFIER.fullmatch(text):
            return self._text(text)
        return WORD.sub(self._word, text)

    def _word(self, match: re.Match[str]) -> str:
        return match[0] if _is_word(match[0]) else self.unlike(match[0], _is_word)

    def _text(self, text: str) -> str:
        return "".join(map(self._substitute, text))


def _is_kept(text: str) -> bool:
    """Tell whether a payload is a sign of the end, also one that was cut, or nothing."""
    bare = text.strip()
    return bare.strip('"') in _KEPT or _KEPT[0].startswith(bare)


def _is_read(text: str) -> bool:
    """Tell whether a reader makes more of a text than text."""
    return _is_kept(text) or _is_json(text)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _is_word(text: str) -> bool:
    return text.lower() in WORDS


def _meant(match: re.Match[str]) -> str:
    """Give the character that is written; both halves of a pair of escapes are one."""
    if match["high"] is not None:
        high, low = int(match["high"], 16), int(match["low"], 16)
        return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    if match["hex"] is not None:
        return chr(int(match["hex"], 16))
    raw = match[0]
    return raw if len(raw) == 1 else _MEANT.get(raw[1], raw[1])


def _escaped(character: str) -> str:
    units = character.encode("utf-16-be").hex()
    return "".join(f"\\u{units[i : i + 4]}" for i in range(0, len(units), 4))
