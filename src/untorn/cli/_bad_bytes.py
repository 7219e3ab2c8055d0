"""Own the search for ill-formed UTF-8 in a stream, with offsets; knows nothing of lines."""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Iterator
from dataclasses import dataclass

# CPython copies all that it was given into each error, so a read of nothing but bad bytes would
# cost its square; in windows, each error costs a window at most.
WINDOW = 256
SHOWN = 16  # bytes of a run that are kept: a run may be as long as the stream


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring ill-formed sequences, from one offset to another, with their first bytes."""

    start: int
    end: int
    first: bytes


class BadBytes:
    """Find ill-formed sequences in bytes that come in pieces, cut anywhere."""

    def __init__(self) -> None:
        self._codec = getincrementaldecoder("utf-8")("strict")
        self._offset = 0
        self._run: Run | None = None

    def find(self, piece: bytes) -> Iterator[Run]:
        """Give the runs that are over with this piece; one that may go on is kept."""
        for offset, bad in self._sequences(piece):
            if self._run is not None and self._run.end == offset:
                first = (self._run.first + bad)[:SHOWN]
                self._run = Run(self._run.start, offset + len(bad), first)
                continue
            if self._run is not None:
                yield self._run
            self._run = Run(offset, offset + len(bad), bad)
        if self._run is not None and self._run.end < self.cut()[0]:
            yield self._run
            self._run = None

    def cut(self) -> tuple[int, bytes]:
        """Give the first bytes of a character that is not whole yet, and where they stand."""
        held = self._codec.getstate()[0]
        return self._offset - len(held), held

    def last(self) -> list[Run]:
        """Give the run that the end of the stream ended."""
        return [] if self._run is None else [self._run]

    def _sequences(self, piece: bytes) -> Iterator[tuple[int, bytes]]:
        for start in range(0, len(piece), WINDOW):
            data = piece[start : start + WINDOW]
            while data:
                try:
                    self._codec.decode(data)
                    self._offset += len(data)
                    data = b""
                except UnicodeDecodeError as error:
                    held = len(error.object) - len(data)
                    offset = self._offset - held + error.start
                    bad = error.object[error.start : error.end]
                    # The codec keeps what it held before the error: it starts afresh behind it.
                    self._codec.reset()
                    self._offset = offset + len(bad)
                    data = error.object[error.end :]
                    yield offset, bad
