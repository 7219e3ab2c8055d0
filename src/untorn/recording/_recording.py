"""Own a recording as a value: the reads of a body as they came, loaded, saved and played again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from ._file import MAGIC, RecordingError, is_recording, parse, written
from ._read import Read
from ._redact import Progress, redact_wire
from ._substitute import Substitution


def _silent(done: int, of: int) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class Recording:
    r"""Hold the reads of a body as they came, with their times.

    Args:
        reads: The reads, in order.
        cut_short: Whether the file ended inside a read: whatever wrote it was stopped.

    Example:
        >>> from untorn.recording import Recording
        >>> recording = Recording.of([b"data: \xe7\x81", b"\xab\n\n"])
        >>> print(recording.text(), end="")
        untorn recording 1
        @ 0.000000 hex 8
        |64 61 74 61 3a 20 e7 81
        @ 0.000000 hex 3
        |ab 0a 0a
        >>> b"".join(recording.chunks()).decode()
        'data: 火\n\n'
    """

    reads: tuple[Read, ...] = ()
    cut_short: bool = False

    @classmethod
    def of(cls, chunks: Iterable[bytes]) -> Recording:
        """Make a recording of reads that came all at once, such as those of a test."""
        return cls(tuple(Read(bytes(chunk)) for chunk in chunks))

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Recording:
        """Load a recording; any other file, such as a saved body, is a recording of one read.

        Args:
            path: The file.

        Raises:
            RecordingError: The file begins as a recording does, and is damaged further on.
            OSError: It cannot be read.
        """
        return cls.from_bytes(Path(path).read_bytes())

    @classmethod
    def from_bytes(cls, data: bytes) -> Recording:
        """Read what a file holds, as ``load`` does.

        Args:
            data: A recording; or a saved body, which is a recording of one read.

        Raises:
            RecordingError: It begins as a recording does, and is damaged further on.
        """
        if not is_recording(data):
            return cls.of([data])
        end = data.rindex(b"\n") + 1 if b"\n" in data else len(data)
        try:
            # A line that was cut may end inside a character.
            reads, cut_short = parse(data[:end].decode("utf-8"))
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise RecordingError(line, "a recording is UTF-8 text") from None
        return cls(tuple(reads), cut_short or end < len(data))

    @property
    def wire(self) -> bytes:
        """The whole body."""
        return b"".join(read.data for read in self.reads)

    def text(self) -> str:
        """Write the recording as the text of its file."""
        return "".join([MAGIC, "\n", *map(written, self.reads)])

    def save(self, path: str | PathLike[str]) -> None:
        """Save the recording.

        Args:
            path: The file; one that is there is replaced.

        Raises:
            OSError: It cannot be written.
        """
        Path(path).write_text(self.text(), "utf-8", newline="\n")

    def redact(self, *, seed: int | None = None, progress: Progress = _silent) -> Recording:
        r"""Give a recording that can be shared: other words, and the same faults.

        Letters and digits of payloads become others of the same script and number of bytes, the
        same word always the same word. The JSON structure, keys, indexes, and the formats' words of
        types, roles and finish reasons stay, and so do the framing, line ends, bad bytes, times,
        and where each read ends.
        It hides text from readers; it is no cipher, so look at the result before you share it.

        Args:
            seed: What the choice of words depends on; chance, where it is None.
            progress: Told how many characters are done, and of how many; 2 MB take a second.

        Example:
            >>> secret = Recording.of([b'data: {"role": "x", "t": "Gr\xc3', b'\xbc\xc3\x9f"}\n\n'])
            >>> redacted = secret.redact(seed=1)
            >>> redacted.wire != secret.wire, [len(read.data) for read in redacted.reads]
            (True, [29, 7])
        """
        wire = redact_wire(self.wire, Substitution(seed), progress)
        reads, start = [], 0
        for read in self.reads:
            end = start + len(read.data)
            reads.append(Read(wire[start:end], read.time))
            start = end
        return Recording(tuple(reads), self.cut_short)

    def chunks(
        self, timing: bool = False, *, sleep: Callable[[float], object] = time.sleep
    ) -> Iterator[bytes]:
        """Give the reads again.

        Args:
            timing: Whether to wait between them as long as it took them to come.
            sleep: What to wait with, for so many seconds.
        """
        before = 0.0
        for read in self.reads:
            if timing and read.time > before:
                sleep(read.time - before)
                before = read.time
            yield read.data
