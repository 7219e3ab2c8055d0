"""Own the redaction of a body: its lines are told apart, and only payloads are changed.

Every byte stays where it was: letters and digits become others of as many bytes, so that reads end
inside the same characters and lines as before, and bad bytes are as bad.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from ._payloads import Payloads
from ._steering import is_field
from ._substitute import Substitution

_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\r|\n|$)")
_DIGITS = re.compile(r"[0-9]*")
_NAME = re.compile(r"[\w.-]+")
_STANDARD = ("data", "event", "id", "retry")

Progress: TypeAlias = Callable[[int, int], object]
Places: TypeAlias = list[tuple[int, int]]


def redact_wire(wire: bytes, substitution: Substitution, progress: Progress) -> bytes:
    """Redact a whole body.

    Args:
        wire: The body.
        substitution: What stands for what.
        progress: Told after each value how many characters are done, and of how many.
    """
    body = _Body(wire.decode("utf-8", "surrogateescape"), Payloads(substitution))
    return body.redacted(progress).encode("utf-8", "surrogateescape")


class _Body:
    """Redact the text of a body, in which each bad byte is a surrogate.

    All values are found before any is changed: the pieces of a call stand in many of them.
    """

    def __init__(self, text: str, payloads: Payloads) -> None:
        self._text = text
        self._payloads = payloads
        self._out = list(text)
        self._changes: list[tuple[Places, Callable[[], str]]] = []
        self._data: Places = []  # where the values of the open event's data stand
        self._unknown: Places = []  # lines in a row that the standard does not know

    def redacted(self, progress: Progress) -> str:
        """Give the body with other payloads."""
        for match in _LINE.finditer(self._text):
            start, end = match.span(1)
            if start == 0 and self._text.startswith("\ufeff"):
                start = 1
            self._line(start, end)
        self._flush_unknown()
        self._flush_data()
        for places, change in self._changes:
            self._put(places, change())
            progress(places[-1][1], len(self._text))
        progress(len(self._text), len(self._text))
        return "".join(self._out)

    def _line(self, start: int, end: int) -> None:
        line = self._text[start:end]
        name, colon, value = line.partition(":")
        if name and name not in _STANDARD:
            self._unknown.append((start, end))
            return
        self._flush_unknown()
        begin = start + len(name) + len(colon) + value.startswith(" ")
        value = self._text[begin:end]
        if not line:
            self._flush_data()
        elif name == "data":
            self._data.append((begin, end))
        elif name == "event":
            self._change(begin, end, lambda: self._payloads.event(value))
        elif name != "retry" or not _DIGITS.fullmatch(value):
            self._change(begin, end, lambda: self._payloads.plain(value))

    def _flush_data(self) -> None:
        if self._data:
            self._changes.append((self._data, self._payloads.take(self._joined(self._data))))
            self._data = []

    def _flush_unknown(self) -> None:
        places, self._unknown = self._unknown, []
        joined = self._joined(places)
        if joined.lstrip()[:1] in ("{", "["):  # a body of JSON, such as that of an error
            change = self._payloads.take(joined)
            self._changes.append((places, lambda: self._no_fields(change())))
            return
        for start, end in places:
            self._field(start, end)

    def _joined(self, places: Places) -> str:
        return "\n".join(self._text[start:end] for start, end in places)

    def _no_fields(self, redacted: str) -> str:
        return "\n".join(
            self._payloads.unlike(line, _begins_field) if _begins_field(line) else line
            for line in redacted.split("\n")
        )

    def _field(self, start: int, end: int) -> None:
        """Redact a field of an unknown name, or a line of a text that is no event stream."""
        line = self._text[start:end]
        name, colon, value = line.partition(":")
        middle = start + len(name)
        if not is_field(name) and not _NAME.fullmatch(name):
            self._change(start, end, lambda: self._payloads.unlike(line, _begins_field))
            return
        if not is_field(name):
            self._change(start, middle, lambda: self._payloads.unlike(name, is_field))
        if value:
            self._changes.append(([(middle + len(colon), end)], self._payloads.take(value)))

    def _change(self, start: int, end: int, change: Callable[[], str]) -> None:
        self._changes.append(([(start, end)], change))

    def _put(self, places: Places, redacted: str) -> None:
        position = 0
        for start, end in places:
            self._out[start:end] = redacted[position : position + end - start]
            position += end - start + 1


def _begins_field(line: str) -> bool:
    return line.partition(":")[0] in _STANDARD
