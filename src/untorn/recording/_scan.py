"""Own where the keys, texts and numbers of a JSON text are, and where it stops to be JSON.

Unlike ``json.loads`` this refuses nothing: what was read before a fault is known, the rest is one
piece. Whoever changes texts must not take that rest for structure, since it may be anybody's words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

# A string up to what cannot be in one; control characters may, since payloads have several lines.
_STRING = re.compile(
    r"""(?P<inside>[^"\\]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\]*)*)
        (?P<end>"|(?:\\(?:u[0-9a-fA-F]{0,3})?)?\Z)?""",
    re.VERBOSE,
)
# The last part is a number that was cut.
_NUMBER = re.compile(
    r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?(?:(?:\.|[eE][-+]?)\Z)?|-\Z"
)
_WORD = re.compile(r"-?[A-Za-z]+")
_LITERALS = ("true", "false", "null", "NaN", "Infinity", "-Infinity")
_SPACE = re.compile(r"[ \t\n\r]*")


class Token(NamedTuple):
    """Say where something stands that may be changed.

    Args:
        kind: "text" for the inside of a string that is a value, "number", or "rest" for all from
            the place on where the text is no JSON.
        start: Its first character.
        end: The character behind it.
        key: The key whose value it is; "" in a list.
    """

    kind: str
    start: int
    end: int
    key: str


def tokens(text: str) -> Iterator[Token]:
    """Give the texts and numbers of a JSON text, of several in a row, or of one that was cut.

    Args:
        text: The text, which need not be JSON.
    """
    scanner = _Scanner(text)
    while scanner.at < len(text):
        token = scanner.step()
        if token is not None:
            yield token


class _Scanner:
    """Follow a text, from one token to the next."""

    __slots__ = ("_expects", "_key", "_objects", "_text", "at")

    def __init__(self, text: str) -> None:
        self._text = text
        self._objects: list[bool] = []  # for each open container, whether it is an object
        self._key = ""
        self._expects: Callable[[str], Token | None] = self._value
        self.at = 0

    def step(self) -> Token | None:
        """Go on over one token; give it where it may be changed."""
        self.at = _end(_SPACE, self._text, self.at)
        character = self._text[self.at : self.at + 1]
        return self._expects(character) if character else None

    def _value(self, character: str) -> Token | None:
        if character in "{[":
            self._objects.append(character == "{")
            self._go_on(self._first_key if character == "{" else self._first_item)
            return None
        if character == '"':
            return self._string()
        start, key = self.at, self._key if self._objects and self._objects[-1] else ""
        self._expects = self._after
        number = _NUMBER.match(self._text, start)
        if number is not None:
            self.at = number.end()
            return Token("number", start, self.at, key)
        word = _WORD.match(self._text, start)
        if word is None or not self._is_literal(word[0], word.end()):
            return self._rest()
        self.at = word.end()
        return None

    def _is_literal(self, word: str, end: int) -> bool:
        is_cut = end == len(self._text)
        return any(word == other or (is_cut and other.startswith(word)) for other in _LITERALS)

    def _string(self) -> Token:
        start, key = self.at + 1, self._key if self._objects and self._objects[-1] else ""
        string = _STRING.match(self._text, start)
        assert string is not None  # since it may be empty
        self.at = string.end()
        # Behind an escape that is none, nobody knows what is inside a string.
        self._expects = self._after if string["end"] is not None else self._nothing
        return Token("text", start, string.end("inside"), key)

    def _first_item(self, character: str) -> Token | None:
        return self._after(character) if character == "]" else self._value(character)

    def _first_key(self, character: str) -> Token | None:
        return self._after(character) if character == "}" else self._name(character)

    def _name(self, character: str) -> Token | None:
        start = self.at + 1
        string = _STRING.match(self._text, start) if character == '"' else None
        if string is None:
            return self._rest()
        colon = _end(_SPACE, self._text, string.end())
        if string["end"] != '"' or self._text[colon : colon + 1] != ":":
            return self._rest()  # A key is what has a value.
        self._key = string["inside"]
        if "\\" in self._key:
            self._key = json.loads(f'"{self._key}"', strict=False)
        self.at = colon
        self._go_on(self._value)
        return None

    def _after(self, character: str) -> Token | None:
        closes = "" if not self._objects else "}" if self._objects[-1] else "]"
        if closes and character == closes:
            self._objects.pop()
            self._go_on(self._after)
        elif closes and character == ",":
            self._go_on(self._name if self._objects[-1] else self._value)
        elif not closes and character in "{[":
            self._expects = self._value
        else:
            return self._rest()
        return None

    def _nothing(self, character: str) -> Token:
        return self._rest()

    def _go_on(self, expects: Callable[[str], Token | None]) -> None:
        self.at += 1
        self._expects = expects

    def _rest(self) -> Token:
        start, self.at = self.at, len(self._text)
        return Token("rest", start, self.at, "")


def _end(pattern: re.Pattern[str], text: str, start: int) -> int:
    found = pattern.match(text, start)
    return start if found is None else found.end()
