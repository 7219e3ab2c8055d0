"""Own what the command reads: files, standard input, recordings; clear words where it cannot."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BufferedReader
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..recording import Recording

READ_SIZE = 64 * 1024  # bytes; a live pipe gives what it has


class CommandError(Exception):
    """Say in one line why a command cannot do its work."""


def opened(name: str) -> BufferedReader:
    """Open a file, or standard input for "-"."""
    try:
        if name == "-" and sys.platform != "win32":
            # Whoever made the pipe may have it non-blocking: "nothing yet" would look like the end.
            os.set_blocking(0, True)
        return open(0 if name == "-" else name, "rb", closefd=name != "-")
    except (OSError, ValueError) as error:
        raise CommandError(_reason(name, error)) from None


def reads(file: BufferedReader, name: str) -> Iterator[bytes]:
    """Give what there is, as it comes."""
    while True:
        try:
            # read1: what there is, without waiting for more, so that a live stream shows at once.
            chunk = file.read1(READ_SIZE)
        except OSError as error:
            raise CommandError(_reason(name, error)) from None
        if not chunk:
            return
        yield chunk


def told_apart(source: Iterable[bytes], name: str) -> Recording | Iterator[bytes]:
    """Give the recording that the reads of a file hold, or else the reads, still live.

    Args:
        source: The reads.
        name: That of the file.
    """
    from ..recording._file import STARTS

    rest = iter(source)
    begin = b""
    for chunk in rest:
        begin += chunk
        if len(begin) >= len(STARTS) or not STARTS.startswith(begin):
            break
    if begin.startswith(STARTS):
        return _recording(begin + b"".join(rest), name)
    return chain([begin] if begin else [], rest)


def loaded(name: str) -> Recording:
    """Load a recording, or a body as a recording of one read."""
    with opened(name) as file:
        return _recording(b"".join(reads(file, name)), name)


def is_same(one: str, other: str) -> bool:
    """Tell whether two names are of one file."""
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        return False  # one of them is none yet


@contextmanager
def writing(name: str) -> Iterator[None]:
    """Name the file in what is said where it cannot be opened for writing."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            raise  # another one: what is read, or where the output goes
        raise CommandError(f"cannot write {name!r}: {error.strerror}") from None


def _recording(data: bytes, name: str) -> Recording:
    from ..recording import Recording, RecordingError

    try:
        recording = Recording.from_bytes(data)
    except RecordingError as error:
        raise CommandError(f"{name!r} is no recording: {error}") from None
    if recording.cut_short:
        print(f"untorn: {name!r} was cut: its last read is missing", file=sys.stderr)
    return recording


def _reason(name: str, error: Exception) -> str:
    return f"cannot read {name!r}: {getattr(error, 'strerror', None) or error}"
