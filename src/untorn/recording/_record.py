"""Own recording as it happens: reads pass through unchanged while they are written."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Generator, Iterable
from os import PathLike
from pathlib import Path
from typing import TextIO

from .._parser import Chunk
from ._file import MAGIC, written
from ._read import Read


def record(
    chunks: Iterable[Chunk],
    path: str | PathLike[str],
    *,
    clock: Callable[[], float] = time.monotonic,
) -> Generator[Chunk, None, None]:
    r"""Pass reads through unchanged, and write each of them down before it is handed on.

    After a crash the file is valid up to the last read. Closing this closes the source, as
    ``iter_events`` does with what it is given.

    Args:
        chunks: The reads as they arrive, such as ``response.iter_bytes()`` of httpx.
        path: The file; one that is there is replaced, with the first read that is asked for.
        clock: What tells the time, in seconds.

    Raises:
        OSError: The file cannot be written.

    Example:
        >>> import tempfile, os
        >>> from untorn import iter_events
        >>> from untorn.recording import Recording, record
        >>> path = os.path.join(tempfile.mkdtemp(), "answer.rec")
        >>> with iter_events(record([b"data: a", b"\n\n"], path)) as events:
        ...     [event.data for event in events]
        ['a']
        >>> [read.data for read in Recording.load(path).reads]
        [b'data: a', b'\n\n']
    """
    source = iter(chunks)
    start = clock()
    try:
        with _opened(path) as file:
            _begin(file)
            for chunk in source:
                _write(file, chunk, clock() - start)
                yield chunk
    finally:
        close = getattr(source, "close", None)
        if close is not None:
            close()


async def arecord(
    chunks: AsyncIterable[Chunk],
    path: str | PathLike[str],
    *,
    clock: Callable[[], float] = time.monotonic,
) -> AsyncGenerator[Chunk, None]:
    """Pass reads through unchanged while they are written, asynchronously.

    All that ``record`` says holds. The file is written without ``await``: a line or two a read.

    Args:
        chunks: The reads as they arrive, such as ``response.aiter_bytes()`` of httpx.
        path: The file; one that is there is replaced, with the first read that is asked for.
        clock: What tells the time, in seconds.

    Raises:
        OSError: The file cannot be written.
    """
    source = aiter(chunks)
    start = clock()
    try:
        with _opened(path) as file:
            _begin(file)
            async for chunk in source:
                _write(file, chunk, clock() - start)
                yield chunk
    finally:
        close = getattr(source, "aclose", None)
        if close is not None:
            await close()


def _opened(path: str | PathLike[str]) -> TextIO:
    return Path(path).open("w", encoding="utf-8", newline="\n")


def _begin(file: TextIO) -> None:
    file.write(f"{MAGIC}\n")
    file.flush()


def _write(file: TextIO, chunk: Chunk, seconds: float) -> None:
    file.write(written(Read(bytes(chunk), max(seconds, 0.0))))
    file.flush()  # a crash must not take what came before it
