"""Own the public doors to a source of reads: iter_events and aiter_events, and what they give.

The two are alike but for ``await``; a test holds their public names together.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from types import TracebackType

from ._end import StreamEnd
from ._event import Event
from ._loops import Reading, arun, ashut, run, shut
from ._parser import Chunk, SSEParser

TYPE_CHECKING = False  # a name that checkers know; see _event.py
if TYPE_CHECKING:
    from ._loops import TailPolicy


def iter_events(
    chunks: Iterable[Chunk],
    *,
    parser: SSEParser | None = None,
    tail: TailPolicy = "discard",
) -> EventStream:
    r"""Iterate over the events of a body that comes in reads.

    A plain ``for`` that is left by ``break`` cannot promise to close the connection, since Python
    does not tell the iterator. Use ``with``, which closes the source however the block is left::

        with iter_events(response.iter_bytes()) as events:
            for event in events: ...

    Args:
        chunks: The reads as they arrive, such as ``response.iter_bytes()`` of httpx: bytes, never
            lines or text.
        parser: A parser with options of your own; it is closed together with the stream. Close a
            stream that you leave early before you reset its parser for another one.
        tail: What an unfinished event at the end means: "discard" it as the standard says,
            "dispatch" it as the last event, or "raise" ``TornStreamError`` for anything unfinished.

    Raises:
        TypeError: ``chunks`` is bytes, text, or not iterable.

    While iterating, whatever the source, the parser or ``tail`` raises, the events before it come
    first.

    Example:
        >>> from untorn import iter_events
        >>> with iter_events([b"data: Hel", b"lo\n\ndata: cut"]) as events:
        ...     [event.data for event in events]
        ['Hello']
        >>> events.end.tail.line
        'data: cut'
    """
    return opened(chunks, Reading(parser, tail))


def aiter_events(
    chunks: AsyncIterable[Chunk],
    *,
    parser: SSEParser | None = None,
    tail: TailPolicy = "discard",
) -> AsyncEventStream:
    """Iterate over the events of a body that comes in reads, asynchronously.

    All that ``iter_events`` says holds, with ``async with``, ``async for`` and ``aclose``::

        async with aiter_events(response.aiter_bytes()) as events:
            async for event in events: ...

    Args:
        chunks: The reads as they arrive, such as ``response.aiter_bytes()`` of httpx.
        parser: A parser with options of your own; it is closed together with the stream.
        tail: "discard", "dispatch" or "raise".

    Raises:
        TypeError: ``chunks`` is bytes, text, or not an asynchronous iterable.

    Example:
        >>> import asyncio
        >>> from untorn import aiter_events
        >>> async def main():
        ...     async def reads():
        ...         yield b"data: Hel"
        ...         yield b"lo\\n\\n"
        ...     async with aiter_events(reads()) as events:
        ...         return [event.data async for event in events]
        >>> asyncio.run(main())
        ['Hello']
    """
    return aopened(chunks, Reading(parser, tail))


def opened(chunks: Iterable[Chunk], reading: Reading) -> EventStream:
    """Check what the reads come from, and begin to read it."""
    if isinstance(chunks, (bytes, bytearray, memoryview, str)):
        raise TypeError(f"a {type(chunks).__name__} is not an iterable of reads: wrap it in a list")
    # A source may well be both, as a body of httpx is; one that is neither is iter()'s to refuse.
    if isinstance(chunks, AsyncIterable) and not isinstance(chunks, Iterable):
        raise TypeError(
            "these reads come asynchronously: call what begins with an a, as aiter_events()"
        )
    return EventStream(iter(chunks), reading)


def aopened(chunks: AsyncIterable[Chunk], reading: Reading) -> AsyncEventStream:
    """Do what ``opened`` does, asynchronously."""
    if isinstance(chunks, Iterable) and not isinstance(chunks, AsyncIterable):
        raise TypeError(
            "these reads do not come asynchronously: call what has no a, as iter_events()"
        )
    return AsyncEventStream(aiter(chunks), reading)


class EventStream(Iterator[Event]):
    """Iterate over events; a context manager that closes its source.

    Made by ``iter_events``. Exhaustion, an error and the end of ``with`` close the parser and the
    iterator that was taken from the source.
    """

    __slots__ = ("_events", "_reading", "_source")

    def __init__(self, source: Iterator[Chunk], reading: Reading) -> None:
        self._source = source
        self._reading = reading
        self._events = run(source, reading)

    @property
    def parser(self) -> SSEParser:
        """The parser that reads this stream."""
        return self._reading.parser

    @property
    def end(self) -> StreamEnd | None:
        """How the stream ended; None until it is over."""
        return self._reading.end

    def close(self) -> None:
        """Stop here: close the source and the parser. Further iteration gives nothing."""
        try:
            shut(self._source, self._reading, quiet=False)
        finally:
            self._events.close()

    def __iter__(self) -> Iterator[Event]:
        # The generator itself, which spares a loop one call an event; both share one position.
        return self._events

    def __next__(self) -> Event:
        return next(self._events)

    def __enter__(self) -> EventStream:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            shut(self._source, self._reading, quiet=error is not None)
        finally:
            self._events.close()


class AsyncEventStream(AsyncIterator[Event]):
    """Iterate over events asynchronously; an async context manager that closes its source.

    Made by ``aiter_events``. Exhaustion, an error, cancellation and the end of ``async with`` close
    the parser and the iterator that was taken from the source.
    """

    __slots__ = ("_events", "_reading", "_source")

    def __init__(self, source: AsyncIterator[Chunk], reading: Reading) -> None:
        self._source = source
        self._reading = reading
        self._events = arun(source, reading)

    @property
    def parser(self) -> SSEParser:
        """The parser that reads this stream."""
        return self._reading.parser

    @property
    def end(self) -> StreamEnd | None:
        """How the stream ended; None until it is over."""
        return self._reading.end

    async def aclose(self) -> None:
        """Stop here: close the source and the parser. Further iteration gives nothing."""
        try:
            await ashut(self._source, self._reading, quiet=False)
        finally:
            await self._events.aclose()

    def __aiter__(self) -> AsyncIterator[Event]:
        return self._events

    async def __anext__(self) -> Event:
        return await anext(self._events)

    async def __aenter__(self) -> AsyncEventStream:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            await ashut(self._source, self._reading, quiet=error is not None)
        finally:
            await self._events.aclose()
