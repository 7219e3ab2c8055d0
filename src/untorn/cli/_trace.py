"""Own how a stream is traced for an inspection: what each read brings out, and where it stands.

Offsets need no help of the parser: the reads are cut at line ends and fed line by line, and since
what comes out does not depend on the cuts, whatever a piece brings out ends where that piece ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from .. import EventTooLargeError, SSEParser
from ._bad_bytes import BadBytes
from ._facts import Broken, CommentSeen, Ending, EventSeen, Fact, ReadSeen
from ._layers import Layers

_PIECE = re.compile(rb"[^\r\n]*[\r\n]|[^\r\n]+")
_MARK = b"\xef\xbb\xbf"


def trace(
    reads: Iterable[bytes], max_event_size: int | None, seen: Sequence[ReadSeen] = ()
) -> Iterator[Fact]:
    """Give what each read brings out, once it is there, and at last how the stream ended.

    Memory is what the open event holds; and of an LLM's stream the answer.

    Args:
        reads: The reads, as they come.
        max_event_size: In bytes; None for no limit.
        seen: What is known of the reads of a recording: it comes before what a read brings out.
    """
    tracer = Tracer(max_event_size)
    for number, read in enumerate(reads):
        yield from seen[number : number + 1]
        try:
            for piece in _PIECE.findall(read):
                tracer.take(piece)
        except EventTooLargeError as error:
            yield from tracer.found
            yield from tracer.end(error.limit)
            return
        yield from tracer.found
        tracer.found = []
    yield from tracer.end()


class Tracer:
    """Trace a stream piece by piece, where a piece ends at a CR, at an LF, or with its read."""

    def __init__(self, max_event_size: int | None) -> None:
        self._parser = SSEParser(max_event_size=max_event_size, on_comment=self._comment)
        self._bad_bytes = BadBytes()
        self._layers = Layers()
        self._first = b""
        self._after_cr = False
        self._block_start = 0
        self._line_start = 0
        self._line_end = 0
        self._line_ends = {"LF": 0, "CRLF": 0, "CR": 0}
        self._comments = 0
        self._offset = 0
        self._bad_at: int | None = None
        self.found: list[Fact] = []

    def take(self, piece: bytes) -> None:
        """Feed a piece and note what it brings out."""
        ends = piece[-1:] in (b"\r", b"\n")
        rest_of_crlf = self._after_cr and piece == b"\n"
        start, self._offset = self._offset, self._offset + len(piece)
        self._line_end = self._offset - ends
        self._first = (self._first + piece)[:3]
        if start < 3 <= self._offset and self._first == _MARK:
            self._block_start = self._line_start = 3
        self._note_bad_bytes(piece)
        for event in self._parser.feed(piece):
            number = self._parser.event_count
            self._layers.take(event)
            self.found.append(EventSeen(number, self._block_start, self._offset, event))
        if rest_of_crlf:
            self._line_ends["CR"] -= 1
            self._line_ends["CRLF"] += 1
            self._block_start += self._block_start == start
        elif ends:
            self._line_ends["CR" if piece.endswith(b"\r") else "LF"] += 1
            if self._line_start == self._line_end:
                self._block_start = self._offset
        if ends:
            self._line_start = self._offset
        self._after_cr = piece.endswith(b"\r")

    def end(self, limit: int | None = None) -> list[Fact]:
        """Say how the stream ended, or which limit in bytes kept it from being read to its end."""
        end = self._parser.close()
        cut = self._bad_bytes.cut() if limit is None else (0, b"")
        last = self._bad_bytes.last()
        bad_at = self._bad_at if self._bad_at is not None or not last else last[0].start
        broken = self._layers.broken(end, bad_at)
        if limit is not None and broken.layer != "bytes":
            broken = Broken("framing", f"an event is larger than {limit:,} bytes")
        return [
            *last,
            Ending(
                end=end,
                line_ends=self._line_ends,
                comments=self._comments,
                marked=self._first == _MARK,
                cut=cut,
                broken=broken,
                too_large=None if limit is None else (self._block_start, limit),
            ),
        ]

    def _note_bad_bytes(self, piece: bytes) -> None:
        for run in self._bad_bytes.find(piece):
            self.found.append(run)
            if self._bad_at is None:
                self._bad_at = run.start

    def _comment(self, text: str) -> None:
        self._comments += 1
        self.found.append(CommentSeen(self._line_start, self._line_end, text))
