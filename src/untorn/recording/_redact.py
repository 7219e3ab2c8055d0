"""Own the redaction of a body: its lines are told apart, and only payloads are changed.

Every byte stays where it was: letters and digits become others of as many bytes, so that reads end
inside the same characters and lines as before, and bad bytes are as bad.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from ._payloads import Payloads
from ._substitute import Substitution

_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\r|\n|$)")
_STANDARD = ("data", "event", "id", "retry")

Progress: TypeAlias = Callable[[int, int], object]


def redact_wire(wire: bytes, substitution: Substitution, progress: Progress) -> bytes:
    """Redact a whole body.

    Args:
        wire: The body.
        substitution: What stands for what.
        progress: Told after each line how many characters are done, and of how many.
    """
    body = _Body(wire.decode("utf-8", "surrogateescape"), Payloads(substitution))
    return body.redacted(progress).encode("utf-8", "surrogateescape")


class _Body:
    """Redact the text of a body, in which each bad byte is a surrogate."""

    def __init__(self, text: str, payloads: Payloads) -> None:
        self._text = text
        self._payloads = payloads
        self._out = list(text)
        self._data: list[tuple[int, int]] = []  # where the values of the open event's data stand
        self._unknown: list[tuple[int, int]] = []  # lines in a row that the standard does not know

    def redacted(self, progress: Progress) -> str:
        """Give the body with other payloads."""
        for match in _LINE.finditer(self._text):
            start, end = match.span(1)
            if start == 0 and self._text.startswith("\ufeff"):
                start = 1
            self._line(start, end)
            progress(match.end(), len(self._text))
        self._flush(self._unknown)
        self._flush(self._data)
        return "".join(self._out)

    def _line(self, start: int, end: int) -> None:
        line = self._text[start:end]
        name, colon, value = line.partition(":")
        if line and name and name not in _STANDARD:
            self._unknown.append((start, end))
            return
        self._flush(self._unknown)
        begin = start + len(name) + len(colon) + value.startswith(" ")
        if not line:
            self._flush(self._data)
        elif name == "data":
            self._data.append((begin, end))
        elif name in ("", "id"):
            self._put([(begin, end)], self._payloads.plain(self._text[begin:end]))

    def _flush(self, places: list[tuple[int, int]]) -> None:
        joined = "\n".join(self._text[start:end] for start, end in places)
        if joined and places is self._unknown and joined.lstrip()[0] not in "{[":
            for start, end in places:
                self._field(start, end)
        elif joined:
            self._put(places, self._payloads.payload(joined))
        places.clear()

    def _field(self, start: int, end: int) -> None:
        """Redact a field of an unknown name, or a line of a text that is no event stream."""
        line = self._text[start:end]
        name, colon, value = line.partition(":")
        if colon and " " not in name:
            self._put([(end - len(value), end)], self._payloads.payload(value))
            return
        other = self._payloads.plain(line)
        if other.partition(":")[0] not in _STANDARD:
            self._put([(start, end)], other)

    def _put(self, places: list[tuple[int, int]], redacted: str) -> None:
        position = 0
        for start, end in places:
            self._out[start:end] = redacted[position : position + end - start]
            position += end - start + 1
