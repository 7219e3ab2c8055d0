"""Own the sources of the loop tests, and one way of running a case that is sync and async alike."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from untorn import Event, StreamEnd, aiter_events, iter_events

ONE, TWO = b"data: 1\n\n", b"data: 2\n\n"


class DroppedError(Exception):
    """What a client raises when the connection goes."""


@dataclass
class Source:
    """Reads that may end in an error; counts how often it is closed, and may fail then as well."""

    reads: list[bytes]
    error: BaseException | None = None
    close_error: BaseException | None = None
    closed: int = 0
    given: int = 0

    def __iter__(self) -> Source:
        return self

    def __next__(self) -> bytes:
        if self.given < len(self.reads):
            self.given += 1
            return self.reads[self.given - 1]
        raise self.error or StopIteration

    def close(self) -> None:
        self.closed += 1
        if self.close_error is not None:
            raise self.close_error

    def __aiter__(self) -> Source:
        return self

    async def __anext__(self) -> bytes:
        await asyncio.sleep(0)
        try:
            return next(self)
        except StopIteration:
            raise StopAsyncIteration from None

    async def aclose(self) -> None:
        await asyncio.sleep(0)
        self.close()


@dataclass
class Log:
    data: list[str] = field(default_factory=list)
    error: BaseException | None = None
    end: StreamEnd | None = None


def run_sync(source: Source, body: Callable[[Event], None], **options: Any) -> Log:
    log = Log()
    stream = iter_events(SyncOnly(source), **options)
    try:
        with stream as events:
            for event in events:
                log.data.append(event.data)
                body(event)
    except BaseException as error:
        log.error = error
    log.end = stream.end
    return log


def run_async(source: Source, body: Callable[[Event], None], **options: Any) -> Log:
    async def main() -> Log:
        log = Log()
        stream = aiter_events(AsyncOnly(source), **options)
        try:
            async with stream as events:
                async for event in events:
                    log.data.append(event.data)
                    body(event)
        except BaseException as error:
            log.error = error
        log.end = stream.end
        return log

    return asyncio.run(main())


class SyncOnly:
    """One face of a source."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.source)


class AsyncOnly(SyncOnly):
    __iter__ = None  # type: ignore[assignment]

    def __aiter__(self) -> AsyncIterator[bytes]:
        return aiter(self.source)


Run = Callable[..., Log]
both = pytest.mark.parametrize("run", [run_sync, run_async])
