"""Own what the reads of a recording end inside, and what a naive reader would have lost there."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate, pairwise, takewhile

from ..recording import Recording
from ..testing import Boundary
from ..testing._boundaries import boundaries_at
from ._facts import Loss, ReadSeen

DECODER = "a decoder for each read"
LINES = "a reader that takes each read for whole lines"
EVENTS = "a reader that takes each read for whole events"
_LINE = re.compile(rb"([^\r\n]*)(?:\r\n|\r|\n|\Z)")


class Reads:
    """Tell where the reads of a recording end, and what that does to naive readers.

    Args:
        recording: The recording.
    """

    def __init__(self, recording: Recording) -> None:
        self._wire = recording.wire
        ends = [*accumulate(len(read.data) for read in recording.reads)]
        inside = [*boundaries_at(self._wire, ends)]
        self.seen = [
            ReadSeen(number, end - len(read.data), end, read.time, boundary, number == len(ends))
            for number, (read, end, boundary) in enumerate(
                zip(recording.reads, ends, inside, strict=True), 1
            )
        ]
        self._ends = ends
        self.size = len(self._wire)

    def counts(self) -> dict[str, int]:
        """Give how many reads end inside each thing; the last one ends with the stream."""
        found = Counter(read.inside.value for read in self.seen[:-1])
        return {boundary.value: found[boundary.value] for boundary in Boundary}

    def losses(self) -> Iterator[Loss]:
        """Give the first text of the data that each naive habit would have lost."""
        for lost in (self._character, self._rest_of_line, self._rest_of_event):
            found = next(filter(None, map(lost, self.seen[:-1])), None)
            if found is not None:
                yield found

    def _character(self, read: ReadSeen) -> Loss | None:
        if read.inside is not Boundary.CHARACTER or not self._is_data(read.end):
            return None
        start = next(n for n in range(read.end - 1, -1, -1) if self._wire[n] & 0xC0 != 0x80)
        end = start + bisect_right((0x00, 0x80, 0xE0, 0xF0), self._wire[start])
        between = self._ends[bisect_right(self._ends, start) : bisect_left(self._ends, end)]
        pieces = (self._wire[a:b] for a, b in pairwise([start, *between, end]))
        given = "".join(piece.decode("utf-8", "replace") for piece in pieces)
        return Loss(read.end, read.number, DECODER, self._wire[start:end].decode(), given)

    def _rest_of_line(self, read: ReadSeen) -> Loss | None:
        if read.inside not in (Boundary.JSON, Boundary.LINE) or not self._is_data(read.end):
            return None
        rest = self._wire[read.end : self._line_end(read.end)].decode("utf-8", "replace")
        return Loss(read.end, read.number, LINES, rest, "") if rest else None

    def _rest_of_event(self, read: ReadSeen) -> Loss | None:
        if read.inside is not Boundary.EVENT:
            return None
        lines = takewhile(bool, (match[1] for match in _LINE.finditer(self._wire, read.end)))
        fields = (line.partition(b":") for line in lines)
        values = [value.removeprefix(b" ") for name, _, value in fields if name == b"data"]
        rest = b"\n".join(values).decode("utf-8", "replace")
        return Loss(read.end, read.number, EVENTS, rest, "") if rest else None

    def _is_data(self, place: int) -> bool:
        """Tell whether the line here is one of data, and is cut behind the name of its field."""
        start = max(self._wire.rfind(end, 0, place) for end in (b"\n", b"\r")) + 1
        return self._wire.startswith((b"data:", b"\xef\xbb\xbfdata:"), start, place)

    def _line_end(self, place: int) -> int:
        found = [self._wire.find(end, place) for end in (b"\n", b"\r")]
        return min((at for at in found if at >= 0), default=len(self._wire))
