"""Own what a cut falls inside: a character, a CRLF, a JSON text, a line, an event, or nothing."""

from __future__ import annotations

import re
from enum import Enum

_LINE = re.compile(rb"([^\r\n]*)(\r\n|\r|\n|$)")
_JSON = re.compile(rb"data: ?(?=[\[{])")


class Boundary(Enum):
    """What a cut falls inside, the narrowest first."""

    CHARACTER = "character"
    CRLF = "CRLF"
    JSON = "JSON text"
    LINE = "line"
    EVENT = "event"
    NONE = "nothing"


def boundaries(wire: bytes) -> list[Boundary]:
    r"""Give for each offset of a body what a cut there falls inside; the narrowest counts.

    Args:
        wire: The body. Its first and last offset are no cuts.

    Example:
        >>> from untorn.testing import boundaries
        >>> [boundary.value for boundary in boundaries("é\n\n".encode())]
        ['nothing', 'character', 'line', 'event', 'nothing']
    """
    found = [Boundary.NONE] * (len(wire) + 1)
    block_start = 0
    for match in _LINE.finditer(wire):
        start, end = match.span(1)
        after = match.end()
        if start == end:
            _mark(found, block_start + 1, start, Boundary.EVENT)
            block_start = after
        _mark(found, start + 1, end, Boundary.LINE)
        # Behind the whole text, before its line end, the line is what is cut.
        json = _JSON.match(wire, start, end)
        if json is not None:
            _mark(found, json.end() + 1, end - 1, Boundary.JSON)
        if after - end == 2:
            found[end + 1] = Boundary.CRLF
    _mark(found, block_start + 1, len(wire) - 1, Boundary.EVENT)
    for place in range(1, len(wire)):
        if _inside_a_character(wire, place):
            found[place] = Boundary.CHARACTER
    return found


def _mark(found: list[Boundary], start: int, end: int, boundary: Boundary) -> None:
    """Mark the offsets from start to end, both included, that are marked more widely or not yet."""
    order = list(Boundary)
    for place in range(start, end + 1):
        if order.index(boundary) < order.index(found[place]):
            found[place] = boundary


def _inside_a_character(wire: bytes, place: int) -> bool:
    start = max(place - 4, 0)
    for length in (2, 3, 4):
        for begin in range(max(start, place - length + 1), place):
            piece = wire[begin : begin + length]
            if _is_character(piece, length):
                return True
    return False


def _is_character(piece: bytes, length: int) -> bool:
    try:
        return len(piece) == length and len(piece.decode("utf-8")) == 1
    except UnicodeDecodeError:
        return False
