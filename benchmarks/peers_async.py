"""Own how parsers on top of aiohttp are driven: over its own reader of a body, in a loop.

The body comes as it does in use, one read in a turn of the loop, and the turns are timed with the
rest. No socket is opened. Each function imports its package when it is called.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import AsyncIterator, Callable
from types import SimpleNamespace
from typing import Any

from contenders import Reader, Reads
from peers_clients import URL, StreamEndError, stop


class Session:
    """What these clients use of a session: it answers any request with the body."""

    closed = False

    def __init__(self, response: Any) -> None:
        self._response = response

    async def __aenter__(self) -> Session:
        return self

    async def __aexit__(self, *raised: object) -> None:
        """Do nothing: there is no connection."""

    async def get(self, *asked: object, **options: object) -> Any:
        """Give the response."""
        return self._response

    async def request(self, *asked: object, **options: object) -> Any:
        """Give the response."""
        return self._response

    async def close(self) -> None:
        """Do nothing: there is no connection."""


class Flow:
    """Stand for the connection below a reader, which is told to hold back and does not."""

    connected = True

    def pause_reading(self) -> None:
        """Do nothing: what comes next comes in a turn of its own anyway."""

    def resume_reading(self, resume_parser: bool = True) -> None:
        """Do nothing."""


def aiosseclient() -> Reader:
    """Its generator, with a session of ours where it makes one of aiohttp's."""
    module: Any = importlib.import_module("aiosseclient")
    timeout = importlib.import_module("aiohttp").ClientTimeout

    def events(response: Any) -> AsyncIterator[object]:
        module.aiohttp = SimpleNamespace(
            ClientSession=lambda **options: Session(response), ClientTimeout=timeout
        )
        given: AsyncIterator[object] = module.aiosseclient(URL)
        return given

    return _reader(events)


def aiohttp_sse_client2() -> Reader:
    """Its event source over a session; at the end of the body it is stopped."""
    source = importlib.import_module("aiohttp_sse_client2.client").EventSource

    async def events(response: Any) -> AsyncIterator[object]:
        async with source(URL, session=Session(response), on_error=stop) as given:
            async for event in given:
                yield event

    return _reader(events)


def _reader(events: Callable[[Any], AsyncIterator[object]]) -> Reader:
    limit = importlib.import_module("aiohttp.client").DEFAULT_CHUNK_SIZE
    stream_reader = importlib.import_module("aiohttp").StreamReader

    async def read(reads: Reads) -> int:
        content = stream_reader(Flow(), limit, loop=asyncio.get_running_loop())
        feeding = asyncio.ensure_future(_feed(content, reads))
        found = 0
        try:
            async for _ in events(_response(content)):
                found += 1
        except StreamEndError:
            pass
        finally:
            feeding.cancel()
        return found

    return lambda reads: asyncio.run(read(reads))


async def _feed(content: Any, reads: Reads) -> None:
    for each in reads:
        content.feed_data(each)
        await asyncio.sleep(0)
    content.feed_eof()


def _response(content: Any) -> SimpleNamespace:
    return SimpleNamespace(
        status=200,
        content_type="text/event-stream",
        content=content,
        real_url=SimpleNamespace(origin=lambda: URL),
        close=lambda: None,
    )
