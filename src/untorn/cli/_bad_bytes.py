"""Own the search for ill-formed UTF-8 in a stream, with offsets; knows nothing of lines."""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Iterator

# CPython copies all that it was given into each error, so a read of nothing but bad bytes would
# cost its square; in windows, each error costs a window at most.
WINDOW = 256


class BadBytes:
    """Find ill-formed sequences in bytes that come in pieces, cut anywhere."""

    def __init__(self) -> None:
        self._codec = getincrementaldecoder("utf-8")("strict")
        self._offset = 0

    def find(self, piece: bytes) -> Iterator[tuple[int, bytes]]:
        """Give each run of neighbouring ill-formed sequences in this piece, with its offset."""
        run_start, run = 0, b""
        for offset, bad in self._sequences(piece):
            if run and offset == run_start + len(run):
                run += bad
                continue
            if run:
                yield run_start, run
            run_start, run = offset, bad
        if run:
            yield run_start, run

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
                    yield offset, bad
                    # The codec keeps what it held before the error: it starts afresh behind it.
                    self._codec.reset()
                    self._offset = offset + len(bad)
                    data = error.object[error.end :]
