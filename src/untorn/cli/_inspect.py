"""Own ``untorn inspect``: what a stream holds and how it ended, as lines of plain text.

Offsets need no help of the parser: the reads are cut at line ends and fed line by line, and since
what comes out does not depend on the cuts, whatever a piece brings out ends where that piece ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .. import Event, EventTooLargeError, SSEParser, StreamEnd
from ._bad_bytes import BadBytes, Run
from ._show import counted, escaped, quoted

_PIECE = re.compile(rb"[^\r\n]*[\r\n]|[^\r\n]+")
_MARK = b"\xef\xbb\xbf"
DATA_SHOWN = 60  # characters


@dataclass(frozen=True)
class Report:
    """Lines to print together: after a read, live, and at the end."""

    lines: list[str]
    failed: bool = False


def inspect(reads: Iterable[bytes], max_event_size: int | None) -> Iterator[Report]:
    """Report on a stream while it comes; memory is what the open event holds."""
    inspection = Inspection(max_event_size)
    for read in reads:
        try:
            for piece in _PIECE.findall(read):
                inspection.take(piece)
        except EventTooLargeError as error:
            fault = f"larger than {error.limit:,} bytes; raise --max-event-size"
            yield Report([*inspection.lines, *inspection.end(fault)], failed=True)
            return
        if inspection.lines:
            yield Report(inspection.lines)
            inspection.lines = []
    yield Report([*inspection.lines, *inspection.end()])


class Inspection:
    """Follow a stream piece by piece, where a piece ends at a CR, at an LF, or with its read."""

    def __init__(self, max_event_size: int | None) -> None:
        self._parser = SSEParser(max_event_size=max_event_size, on_comment=self._comment)
        self._bad_bytes = BadBytes()
        self._first = b""
        self._after_cr = False
        self._block_start = 0
        self._line_start = 0
        self._line_end = 0
        self._line_ends = {"LF": 0, "CRLF": 0, "CR": 0}
        self._comments = 0
        self._offset = 0
        self.lines: list[str] = []

    def take(self, piece: bytes) -> None:
        """Feed a piece and note what it brings out."""
        ends = piece[-1:] in (b"\r", b"\n")
        rest_of_crlf = self._after_cr and piece == b"\n"
        start, self._offset = self._offset, self._offset + len(piece)
        self._line_end = self._offset - ends
        self._first = (self._first + piece)[:3]
        if start < 3 <= self._offset and self._first == _MARK:
            self._block_start = self._line_start = 3
        self.lines += map(_bad, self._bad_bytes.find(piece))
        for event in self._parser.feed(piece):
            self.lines.append(self._event(event))
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

    def end(self, fault: str | None = None) -> list[str]:
        """Say how the stream ended, or why it was not read to its end."""
        end = self._parser.close()
        cut = self._bad_bytes.cut() if fault is None else (0, b"")
        ends = ", ".join(f"{kind} {count:,}" for kind, count in self._line_ends.items())
        mark = ["mark      a byte order mark, dropped"] if self._first == _MARK else []
        return [
            *map(_bad, self._bad_bytes.last()),
            *mark,
            f"end       {_where(end, cut[1])}" if fault is None else self._fault(fault),
            f"bytes     {end.byte_count:,}",
            f"events    {end.event_count:,}",
            f"comments  {self._comments:,}",
            f"lines     {end.line_count:,} ({ends})",
            f"replaced  {counted(end.replacements, 'ill-formed sequence')}",
            f"ignored   {counted(end.ignored_lines, 'line')}{_sample(end.ignored_text)}",
            f"last id   {quoted(end.last_event_id)}",
            f"retry     {'none' if end.retry is None else f'{end.retry:,} ms'}",
            *_tail(end),
            *_cut(*cut),
        ]

    def _event(self, event: Event) -> str:
        return (
            f"event {self._parser.event_count:<3} {_range(self._block_start, self._offset)}  "
            f"type {quoted(event.event)}  id {quoted(event.id)}  "
            f"data {counted(len(event.data.encode()), 'byte')}  {_shown(event.data)}"
        )

    def _fault(self, fault: str) -> str:
        return f"fault     the event that begins at byte {self._block_start} is {fault}"

    def _comment(self, text: str) -> None:
        self._comments += 1
        place = _range(self._line_start, self._line_end)
        self.lines.append(f"comment   {place}  {_shown(text)}")


def _range(start: int, end: int) -> str:
    return f"bytes[{start}:{end}]"


def _shown(text: str) -> str:
    return escaped(text if len(text) <= DATA_SHOWN else text[:DATA_SHOWN] + "…")


def _bad(run: Run) -> str:
    size = run.end - run.start
    more = f" … {size:,} bytes" if size > len(run.first) else ""
    return f"bad       {_range(run.start, run.end)}  {run.first.hex(' ')}{more}"


def _sample(text: str) -> str:
    return f"  {quoted(text, 200)}" if text else ""


def _where(end: StreamEnd, cut: bytes) -> str:
    if cut:
        return "inside a character"
    if end.tail is None:
        return "between events"
    return "inside a line" if end.tail.line else "inside an event"


def _tail(end: StreamEnd) -> list[str]:
    if end.tail is None:
        return []
    lines = []
    if end.tail.event is not None:
        size = counted(len(end.tail.event.data.encode()), "byte")
        lines.append(f"tail      event not dispatched, data {size}  {_shown(end.tail.event.data)}")
    if end.tail.line:
        lines.append(f"tail      unfinished line  {quoted(end.tail.line)}")
    return lines


def _cut(offset: int, cut: bytes) -> list[str]:
    place = _range(offset, offset + len(cut))
    return [f"tail      cut character  {place}  {cut.hex(' ')}"] if cut else []
