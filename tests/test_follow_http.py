"""Following over real connections: a server that drops, resets, refuses, stalls and comes back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import httpx
import pytest

from untorn import (
    AsyncConnection,
    Connection,
    ContentTypeError,
    Event,
    Reconnect,
    afollow,
    follow,
)
from untorn.testing import HTML_ERROR, HostileServer, Stream

SENT = [Event(f"événement {number}", id=f"é{number}") for number in range(1, 6)]
DROPS = (httpx.TransportError,)
HOSTILE = [
    Stream(SENT, stop_at=60, stop="reset", retry=1),
    Stream(SENT, stop_at=70, stop="close", piece=1),
    Stream(status=503),
    Stream(SENT, stop_at="character", stop="stall", gzip=True),
    Stream(SENT, stop_at=15, line_end="CR"),
    Stream(SENT, line_end="mixed", comments=1, cut=["character"]),
    Stream(status=204),
]
ASKED = ["", "é1", "é3", "é3", "é4", "é4", "é5"]


def state() -> Reconnect:
    return Reconnect(retry_statuses=(503,), backoff=1)


def test_follow_with_httpx() -> None:
    with HostileServer(*HOSTILE) as server, httpx.Client(timeout=0.3) as client:

        @contextmanager
        def connect(headers: dict[str, str]) -> Iterator[Connection]:
            with client.stream("GET", server.url, headers=headers) as response:
                kind = response.headers.get("content-type")
                yield Connection(response.iter_bytes(), response.status_code, kind)

        with follow(connect, drops=DROPS, reconnect=state()) as events:
            assert [*events] == SENT
        assert [request.last_event_id for request in server.requests] == ASKED


def test_afollow_with_httpx() -> None:
    async def main() -> None:
        with HostileServer(*HOSTILE) as server:
            async with httpx.AsyncClient(timeout=0.3) as client:

                @asynccontextmanager
                async def connect(headers: dict[str, str]) -> AsyncIterator[AsyncConnection]:
                    async with client.stream("GET", server.url, headers=headers) as response:
                        kind = response.headers.get("content-type")
                        yield AsyncConnection(response.aiter_bytes(), response.status_code, kind)

                async with afollow(connect, drops=DROPS, reconnect=state()) as events:
                    assert [event async for event in events] == SENT
            assert [request.last_event_id for request in server.requests] == ASKED

    asyncio.run(main())


def test_an_html_page_under_200_is_an_error() -> None:
    with HostileServer(Stream(HTML_ERROR, content_type="text/html")) as server:

        @contextmanager
        def connect(headers: dict[str, str]) -> Iterator[Connection]:
            with httpx.stream("GET", server.url, headers=headers) as response:
                kind = response.headers.get("content-type")
                yield Connection(response.iter_bytes(), response.status_code, kind)

        with follow(connect) as events, pytest.raises(ContentTypeError, match="text/html"):
            next(events)
