"""Own how long work shows its progress: on standard error, where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator


class Progress:
    """Show how much is done, on one line that is written anew.

    Args:
        noun: What is counted.
        silent: Whether to show nothing, since the output shows it.
    """

    def __init__(self, noun: str, *, silent: bool = False) -> None:
        self._noun = noun
        self._shows = not silent and sys.stderr is not None and sys.stderr.isatty()
        self._percent = -1

    def __call__(self, done: int, of: int) -> None:
        """Say how much is done, at each per cent of it."""
        percent = 100 if done >= of else done * 100 // of
        if self._shows and percent != self._percent:
            self._percent = percent
            end = "\n" if done >= of else ""
            print(f"\r{done:,} of {of:,} {self._noun}", end=end, file=sys.stderr, flush=True)

    def of_reads(self, reads: Iterable[bytes], size: int) -> Iterator[bytes]:
        """Pass reads through, and say how many bytes of them are done."""
        done = 0
        for read in reads:
            yield read
            done += len(read)
            self(done, size)
