"""Own the stream of deltas over a source of reads, sync and async; they differ in ``await`` alone.

The events are those of ``iter_events``, whose promises about closing the source hold here too.
Reading stops at the format's end marker, since some hosts keep the connection open after it.
"""

from __future__ import annotations

from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Callable,
    Generator,
    Iterable,
    Iterator,
)
from dataclasses import replace
from types import TracebackType
from typing import Any

from .._end import StreamEnd
from .._iterate import AsyncEventStream, EventStream, aopened, opened
from .._loops import Reading
from .._parser import Chunk, SSEParser
from ._assembler import DeltaAssembler
from ._format import Format, FormatName
from ._message import Message
from ._types import Delta, EventLike


def iter_deltas(
    chunks: Iterable[Chunk],
    format: FormatName | Format,
    *,
    parser: SSEParser | None = None,
    loads: Callable[[str], Any] | None = None,
    strict: bool = False,
) -> DeltaStream:
    r"""Iterate over the deltas of an LLM's answer that comes in reads.

    Leave it early by the end of a ``with``, which closes the source however the block is left::

        with iter_deltas(response.iter_bytes(), "openai-chat") as stream:
            for delta in stream: ...
        stream.message.require_intact()

    Args:
        chunks: The reads as they arrive, such as ``response.iter_bytes()`` of httpx.
        format: The name of a format, or an object of your own with a ``reader()``.
        parser: A parser with options of your own; it is closed together with the stream.
        loads: What to parse payloads with, such as ``orjson.loads``.
        strict: Turn the leniencies off, as ``DeltaAssembler`` says.

    Raises:
        TypeError: ``chunks`` is bytes, text, or not iterable.
        UnknownFormatError: No format has this name.

    While iterating, what the source or the parser raises, and in strict mode ``BadPayloadError``,
    comes after the deltas that came before it. All else is reported, in ``stream.message``.

    Example:
        >>> from untorn.deltas import TextDelta, iter_deltas
        >>> wire = b'data: {"choices": [{"delta": {"content": "Hi"}}]}\n\ndata: [DONE]\n\n'
        >>> with iter_deltas([wire], "openai-chat") as stream:
        ...     [delta.text for delta in stream if isinstance(delta, TextDelta)]
        ['Hi']
        >>> stream.message.intact, stream.message.ended_by
        (True, '[DONE]')
    """
    assembler = DeltaAssembler(format, strict=strict, loads=loads)
    return DeltaStream(opened(chunks, _reading(parser)), assembler)


def aiter_deltas(
    chunks: AsyncIterable[Chunk],
    format: FormatName | Format,
    *,
    parser: SSEParser | None = None,
    loads: Callable[[str], Any] | None = None,
    strict: bool = False,
) -> AsyncDeltaStream:
    """Iterate over the deltas of an LLM's answer, asynchronously.

    All that ``iter_deltas`` says holds, with ``async with``, ``async for`` and ``aclose``.

    Args:
        chunks: The reads as they arrive, such as ``response.aiter_bytes()`` of httpx.
        format: The name of a format, or an object of your own with a ``reader()``.
        parser: A parser with options of your own; it is closed together with the stream.
        loads: What to parse payloads with, such as ``orjson.loads``.
        strict: Turn the leniencies off, as ``DeltaAssembler`` says.

    Raises:
        TypeError: ``chunks`` is bytes, text, or not an asynchronous iterable.
        UnknownFormatError: No format has this name.

    Example:
        >>> import asyncio
        >>> from untorn.deltas import aiter_deltas
        >>> async def main():
        ...     async def reads():
        ...         yield b'data: {"choices": [{"delta": {"content": "Hi"}}]}\\n\\n'
        ...         yield b'data: [DONE]\\n\\n'
        ...     async with aiter_deltas(reads(), "openai-chat") as stream:
        ...         async for delta in stream:
        ...             pass
        ...     return stream.message.text
        >>> asyncio.run(main())
        'Hi'
    """
    assembler = DeltaAssembler(format, strict=strict, loads=loads)
    return AsyncDeltaStream(aopened(chunks, _reading(parser)), assembler)


class DeltaStream(Iterator[Delta]):
    """Iterate over deltas; a context manager that closes its source. Made by ``iter_deltas``."""

    __slots__ = ("_assembler", "_deltas", "_events")

    def __init__(self, events: EventStream, assembler: DeltaAssembler) -> None:
        self._events = events
        self._assembler = assembler
        self._deltas = _run(events, assembler)

    @property
    def assembler(self) -> DeltaAssembler:
        """What assembles the message: ``call(slot)`` and ``format`` are asked for there."""
        return self._assembler

    @property
    def message(self) -> Message:
        """The message as it is now."""
        return self._assembler.message

    @property
    def end(self) -> StreamEnd | None:
        """How the stream of events ended; None until it is over."""
        return self._events.end

    def close(self) -> None:
        """Stop here, and close the source; before the end marker, the message is cancelled."""
        try:
            self._events.close()
        finally:
            self._assembler.close(_end_of(self._events.end, self._assembler), cancelled=True)
            self._deltas.close()

    def __iter__(self) -> Iterator[Delta]:
        return self._deltas

    def __next__(self) -> Delta:
        return next(self._deltas)

    def __enter__(self) -> DeltaStream:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            self._events.__exit__(kind, error, traceback)
        finally:
            self._assembler.close(_end_of(self._events.end, self._assembler), cancelled=True)
            self._deltas.close()


class AsyncDeltaStream(AsyncIterator[Delta]):
    """Iterate over deltas asynchronously; an async context manager. Made by ``aiter_deltas``."""

    __slots__ = ("_assembler", "_deltas", "_events")

    def __init__(self, events: AsyncEventStream, assembler: DeltaAssembler) -> None:
        self._events = events
        self._assembler = assembler
        self._deltas = _arun(events, assembler)

    @property
    def assembler(self) -> DeltaAssembler:
        """What assembles the message: ``call(slot)`` and ``format`` are asked for there."""
        return self._assembler

    @property
    def message(self) -> Message:
        """The message as it is now."""
        return self._assembler.message

    @property
    def end(self) -> StreamEnd | None:
        """How the stream of events ended; None until it is over."""
        return self._events.end

    async def aclose(self) -> None:
        """Stop here, and close the source; before the end marker, the message is cancelled."""
        try:
            await self._events.aclose()
        finally:
            self._assembler.close(_end_of(self._events.end, self._assembler), cancelled=True)
            await self._deltas.aclose()

    def __aiter__(self) -> AsyncIterator[Delta]:
        return self._deltas

    async def __anext__(self) -> Delta:
        return await anext(self._deltas)

    async def __aenter__(self) -> AsyncDeltaStream:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            await self._events.__aexit__(kind, error, traceback)
        finally:
            self._assembler.close(_end_of(self._events.end, self._assembler), cancelled=True)
            await self._deltas.aclose()


def _run(events: EventStream, assembler: DeltaAssembler) -> Generator[Delta, None, None]:
    fault: BaseException | None = None
    try:
        for event in events:
            deltas, fault = _fed(assembler, event)
            yield from deltas
            if fault is not None or assembler.done:
                break
    except Exception as error:
        fault = error
    except BaseException as error:
        events.__exit__(type(error), error, None)
        assembler.close(_end_of(events.end, assembler), cancelled=True)
        raise
    try:
        events.__exit__(None if fault is None else type(fault), fault, None)
    except Exception as error:
        fault = error
    except BaseException:
        assembler.close(_end_of(events.end, assembler), cancelled=True)
        raise
    yield from assembler.close(_end_of(events.end, assembler), cause=fault)
    if fault is not None:
        raise fault


async def _arun(events: AsyncEventStream, assembler: DeltaAssembler) -> AsyncGenerator[Delta, None]:
    fault: BaseException | None = None
    try:
        async for event in events:
            deltas, fault = _fed(assembler, event)
            for delta in deltas:
                yield delta
            if fault is not None or assembler.done:
                break
    except Exception as error:
        fault = error
    except BaseException as error:
        await events.__aexit__(type(error), error, None)
        assembler.close(_end_of(events.end, assembler), cancelled=True)
        raise
    try:
        await events.__aexit__(None if fault is None else type(fault), fault, None)
    except Exception as error:
        fault = error
    except BaseException:
        assembler.close(_end_of(events.end, assembler), cancelled=True)
        raise
    for delta in assembler.close(_end_of(events.end, assembler), cause=fault):
        yield delta
    if fault is not None:
        raise fault


def _end_of(end: StreamEnd | None, assembler: DeltaAssembler) -> StreamEnd | None:
    """Leave out what lies behind the end marker: how much of it came is the network's choice."""
    return replace(end, tail=None) if end is not None and assembler.done else end


def _reading(parser: SSEParser | None) -> Reading:
    return Reading(parser, "discard", warns=False)  # the message says what it would warn of


def _fed(assembler: DeltaAssembler, event: EventLike) -> tuple[list[Delta], Exception | None]:
    """Feed an event; a fault waits, since the deltas before it come first."""
    out: list[Delta] = []
    try:
        assembler._feed_into(out, event)
    except Exception as fault:
        return out, fault
    return out, None
