"""Own the loops over a source of reads, sync and async: when to feed, when to close, what to raise.

Both are the same steps around one parser and differ in ``await`` alone.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Generator, Iterator
from contextlib import suppress
from warnings import warn

from ._end import StreamEnd
from ._errors import TornStreamError, UntornError
from ._event import Event
from ._parser import Chunk, SSEParser

TYPE_CHECKING = False  # a name that checkers know; see _event.py
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    TailPolicy: TypeAlias = Literal["discard", "dispatch", "raise"]

_NO_LINE_END = (
    "the stream had bytes but no line end, so it cannot hold an event: pass raw reads, such as "
    "iter_bytes(), not iter_lines(); if the server sent no event stream, end.tail.line shows what "
    "it sent"
)
_NO_EVENT = (
    "the stream had bytes but no event, and lines that are no fields of one: end.ignored_text "
    "shows what the server sent in place of an event stream"
)


class Reading:
    """Hold what both streams share: the parser, how the stream ended, and what a tail means.

    Apart from the streams, so that their generators refer to this and not to them: a stream that
    goes out of use is then freed, and its source closed, without waiting for a garbage collection.
    """

    __slots__ = ("_fault", "_warns", "end", "parser", "tail")

    def __init__(self, parser: SSEParser | None, tail: TailPolicy, *, warns: bool = True) -> None:
        if tail not in ("discard", "dispatch", "raise"):
            raise ValueError(f'tail must be "discard", "dispatch" or "raise", not {tail!r}')
        self.parser: SSEParser = SSEParser() if parser is None else parser
        self.tail: TailPolicy = tail
        self.end: StreamEnd | None = None
        self._fault: BaseException | None = None
        self._warns = warns  # of a body that is no event stream, which a mere drop may leave

    def feed(self, chunk: Chunk) -> list[Event]:
        """Feed a read; a fault waits for ``raise_fault``, since the events before it come first."""
        try:
            return self.parser.feed(chunk)
        except BaseException as fault:
            self._fault = fault
            if isinstance(fault, UntornError):
                fault.events = ()  # they come from here, before it
            return self.parser._given

    def raise_fault(self) -> None:
        """Raise what went wrong in the last ``feed``, if anything did."""
        if self._fault is not None:
            try:
                raise self._fault
            finally:
                self._fault = None

    def finish(self) -> bool:
        """Close the parser; false where that was done before, and the source closed with it.

        Once only: the caller may have reset the parser since, for the next response.
        """
        if self.end is not None:
            return False
        self.end = self.parser.close()
        return True

    def last(self) -> list[Event]:
        """Give what ``tail`` makes of an exhausted stream, which is closed by now."""
        assert self.end is not None
        end = self.end
        if self._warns and end.byte_count and not end.line_count:
            warn(_NO_LINE_END, RuntimeWarning, stacklevel=3)
        elif self._warns and end.ignored_lines and not end.event_count:
            warn(_NO_EVENT, RuntimeWarning, stacklevel=3)
        if end.tail is None or self.tail == "discard":
            return []
        if self.tail == "raise":
            raise TornStreamError(end.tail)
        return [] if end.tail.event is None else [end.tail.event]


def run(source: Iterator[Chunk], reading: Reading) -> Generator[Event, None, None]:
    try:
        for chunk in source:
            yield from reading.feed(chunk)
            reading.raise_fault()
    except BaseException:
        shut(source, reading, quiet=True)
        raise
    shut(source, reading, quiet=False)
    yield from reading.last()


async def arun(source: AsyncIterator[Chunk], reading: Reading) -> AsyncGenerator[Event, None]:
    try:
        async for chunk in source:
            for event in reading.feed(chunk):
                yield event
            reading.raise_fault()
    except BaseException:
        await ashut(source, reading, quiet=True)
        raise
    await ashut(source, reading, quiet=False)
    for event in reading.last():
        yield event


def shut(source: object, reading: Reading, *, quiet: bool) -> None:
    """Close parser and source once; ``quiet`` where an error passes that must not be replaced."""
    if not reading.finish():
        return
    close = getattr(source, "close", None)
    if close is not None:
        with suppress(*_silenced(quiet)):
            close()


async def ashut(source: object, reading: Reading, *, quiet: bool) -> None:
    """Do what ``shut`` does, with ``aclose`` where the source has it, else ``close``."""
    if not reading.finish():
        return
    close = getattr(source, "aclose", None) or getattr(source, "close", None)
    if close is not None:
        with suppress(*_silenced(quiet)):
            pending = close()
            if isinstance(pending, Awaitable):
                await pending


def _silenced(quiet: bool) -> tuple[type[Exception], ...]:
    return (Exception,) if quiet else ()
