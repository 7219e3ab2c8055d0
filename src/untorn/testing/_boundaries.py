"""Own what a cut falls inside: a character, a CRLF, a JSON text, a line, an event, or nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["character", "CRLF", "JSON text", "line", "event"]

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


def article(kind: str) -> str:
    """Give the name of a boundary with its article."""
    return kind if kind == "nothing" else f"{'an' if kind == 'event' else 'a'} {kind}"


class Line(NamedTuple):
    """Where a line stands: its text, its line end, and the block that it is in."""

    block: int
    start: int
    end: int
    after: int


def boundaries(wire: bytes) -> list[Boundary]:
    r"""Give for each offset of a body what a cut there falls inside; the narrowest counts.

    Args:
        wire: The body. Its first and last offset are no cuts.

    Example:
        >>> from untorn.testing import boundaries
        >>> [boundary.value for boundary in boundaries("é\n\n".encode())]
        ['nothing', 'character', 'line', 'event', 'nothing']
    """
    return [*boundaries_at(wire, range(len(wire) + 1))]


def boundaries_at(wire: bytes, places: Iterable[int]) -> Iterator[Boundary]:
    """Give what cuts at some offsets fall inside, in time linear in the body and the offsets.

    Args:
        wire: The body.
        places: The offsets, in rising order.
    """
    lines = lines_of(wire)
    line = next(lines)
    for place in places:
        while place >= line.after > line.end:
            line = next(lines)
        yield _inside(wire, line, place)


def lines_of(wire: bytes) -> Iterator[Line]:
    """Give the lines of a body; a last empty one, too, where it ends with a line end."""
    block = 0
    for match in _LINE.finditer(wire):
        (start, end), after = match.span(1), match.end()
        yield Line(block, start, end, after)
        if start == end:
            block = after


def _inside(wire: bytes, line: Line, place: int) -> Boundary:
    if _inside_a_character(wire, place):
        return Boundary.CHARACTER
    if place > line.end:
        return Boundary.CRLF
    if place == line.start:
        return Boundary.EVENT if place > line.block else Boundary.NONE
    json = _JSON.match(wire, line.start, line.end)
    # Behind the whole text, before its line end, the line is what is cut.
    if json is not None and json.end() < place < line.end:
        return Boundary.JSON
    return Boundary.LINE


def _inside_a_character(wire: bytes, place: int) -> bool:
    for length in (2, 3, 4):
        for begin in range(max(place - length + 1, 0), place):
            if _is_character(wire[begin : begin + length], length):
                return True
    return False


def _is_character(piece: bytes, length: int) -> bool:
    try:
        return len(piece) == length and len(piece.decode("utf-8")) == 1
    except UnicodeDecodeError:
        return False
