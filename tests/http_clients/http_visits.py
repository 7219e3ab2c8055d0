"""Own how tests read a stream through a client, and leave it, synchronous or not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any

from clients import PATIENCE, soon
from http_client_values import AnyClient, AsyncClient, Client

from untorn import (
    AsyncConnection,
    Connection,
    StreamEnd,
    afollow,
    aiter_events,
    follow,
    iter_events,
    request_headers,
)
from untorn.testing import HostileServer


@dataclass(frozen=True, slots=True)
class Visit:
    """Hold what a client got of a stream: the data of its events, an error, and how it ended."""

    events: list[str]
    error: Exception | None
    end: StreamEnd | None


def visit(
    client: AnyClient, url: str, *, take: int | None = None, timeout: float = PATIENCE
) -> Visit:
    """Read a stream to its end, or leave it by ``break`` behind so many events."""
    if isinstance(client, Client):
        return _visit(client, url, take, timeout)
    return asyncio.run(_avisit(client, url, take, timeout))


def _visit(client: Client, url: str, take: int | None, timeout: float) -> Visit:
    got: list[str] = []
    events, fault = None, None
    try:
        with (
            client.opened(url, request_headers(), timeout) as response,
            iter_events(client.reads(response)) as events,
        ):
            for event in events:
                got.append(event.data)
                if len(got) == take:
                    break
    except Exception as error:
        fault = error
    return Visit(got, fault, None if events is None else events.end)


async def _avisit(client: AsyncClient, url: str, take: int | None, timeout: float) -> Visit:
    got: list[str] = []
    events, fault = None, None
    try:
        async with (
            client.opened(url, request_headers(), timeout) as response,
            aiter_events(client.reads(response)) as events,
        ):
            async for event in events:
                got.append(event.data)
                if len(got) == take:
                    break
    except Exception as error:
        fault = error
    return Visit(got, fault, None if events is None else events.end)


def cancel(client: AsyncClient, server: HostileServer) -> bool:
    """Cancel a task that waits for its second event, and tell whether its connection closes."""
    return asyncio.run(_cancel(client, server))


async def _cancel(client: AsyncClient, server: HostileServer) -> bool:
    got = asyncio.Event()

    async def read() -> None:
        async with (
            client.opened(server.url, request_headers(), PATIENCE) as response,
            aiter_events(client.reads(response)) as events,
        ):
            async for _ in events:
                got.set()

    task = asyncio.create_task(read())
    first = asyncio.create_task(got.wait())
    await asyncio.wait([task, first], timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
    first.cancel()
    task.cancel()
    await asyncio.wait([task], timeout=PATIENCE)
    # The loop must run on meanwhile: a connection is closed in its next turn.
    return task.cancelled() and await asyncio.to_thread(soon, lambda: server.open_connections == 0)


def followed(client: AnyClient, url: str, number: int) -> list[str]:
    """Give the data of so many events of a stream that is opened again and again."""
    if isinstance(client, Client):
        return _followed(client, url, number)
    return asyncio.run(_afollowed(client, url, number))


def _followed(client: Client, url: str, number: int) -> list[str]:
    @contextmanager
    def connect(headers: dict[str, str]) -> Iterator[Connection]:
        with client.opened(url, headers, PATIENCE) as response:
            yield Connection(client.reads(response), *_head(response))

    got: list[str] = []
    with follow(connect, drops=client.drops(), sleep=lambda _: None) as events:
        for event in events:
            got.append(event.data)
            if len(got) == number:
                break
    return got


async def _afollowed(client: AsyncClient, url: str, number: int) -> list[str]:
    @asynccontextmanager
    async def connect(headers: dict[str, str]) -> AsyncIterator[AsyncConnection]:
        async with client.opened(url, headers, PATIENCE) as response:
            yield AsyncConnection(client.reads(response), *_head(response))

    got: list[str] = []
    async with afollow(connect, drops=client.drops(), sleep=lambda _: asyncio.sleep(0)) as events:
        async for event in events:
            got.append(event.data)
            if len(got) == number:
                break
    return got


def _head(response: Any) -> tuple[int, str | None]:
    """Give the status and the content type of a response, of whatever client."""
    status: int = getattr(response, "status_code", None) or response.status
    return status, response.headers.get("Content-Type")
