"""Real input: an ASGI server streams over loopback, a real client reads, and nothing is torn."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Generator, Iterator
from inspect import GEN_CLOSED, GEN_SUSPENDED, getgeneratorstate

import httpx
import pytest
import uvicorn
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from untorn import Event, SSEParser, aiter_events, encode_comment, encode_events, iter_events

EVENTS = [
    Event('{"part": "café 火 🌅 ู"}', id="1"),
    Event("two\nlines\n", "note", id="1"),
    Event("שלום \u2028 not a line end", id="2"),
    Event("", id="2"),
    Event("[DONE]", id="2"),
]


async def own(request: Request) -> Response:
    """Send what ``encode_events`` gives, one byte at a time."""

    async def body() -> AsyncIterator[bytes]:
        for part in (encode_comment(" hello"), *encode_events(EVENTS)):
            for byte in part:
                yield bytes([byte])
                await asyncio.sleep(0)

    return StreamingResponse(body(), media_type="text/event-stream")


async def theirs(request: Request) -> Response:
    """Send the same through sse-starlette, which writes CRLF and pings."""

    async def body() -> AsyncIterator[ServerSentEvent]:
        for event in EVENTS:
            kind = None if event.event == "message" else event.event
            yield ServerSentEvent(event.data, event=kind, id=event.id)

    return EventSourceResponse(body(), ping=1)


async def torn(request: Request) -> Response:
    """End in the middle of a character of the second event."""

    async def body() -> AsyncIterator[bytes]:
        yield b"".join(encode_events(EVENTS))
        yield "data: 火".encode()[:-1]

    return StreamingResponse(body(), media_type="text/event-stream; charset=iso-8859-1")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    app = Starlette(routes=[Route("/own", own), Route("/theirs", theirs), Route("/torn", torn)])
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", ws="none"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        thread.join(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join()


@pytest.mark.parametrize("path", ["/own", "/theirs"])
def test_httpx_reads_what_was_sent(url: str, path: str) -> None:
    with httpx.stream("GET", url + path) as response, iter_events(response.iter_bytes()) as events:
        assert list(events) == EVENTS

    assert events.end is not None
    assert (events.end.tail, events.end.last_event_id, events.end.replacements) == (None, "2", 0)


@pytest.mark.parametrize("path", ["/own", "/theirs"])
def test_async_httpx_reads_what_was_sent(url: str, path: str) -> None:
    async def main() -> list[Event]:
        async with (
            httpx.AsyncClient() as client,
            client.stream("GET", url + path) as response,
            aiter_events(response.aiter_bytes()) as events,
        ):
            return [event async for event in events]

    assert asyncio.run(main()) == EVENTS


def test_a_torn_stream_says_where(url: str) -> None:
    comments: list[str] = []
    parser = SSEParser(on_comment=comments.append)
    with httpx.stream("GET", url + "/torn") as response:
        assert list(iter_events(response.iter_raw(), parser=parser)) == EVENTS

    tail = parser.close().tail
    assert tail is not None
    assert (tail.line, tail.undecoded) == ("data: \ufffd", "火".encode()[:2])


def test_break_inside_with_closes_the_clients_iterator(url: str) -> None:
    with httpx.Client() as client:
        with client.stream("GET", url + "/own") as response:
            body = response.iter_bytes()
            assert isinstance(body, Generator)
            with iter_events(body) as events:
                assert next(events) == EVENTS[0]
                assert getgeneratorstate(body) == GEN_SUSPENDED
            # Our doing, since the client's own block is still open; the response is the client's.
            assert getgeneratorstate(body) == GEN_CLOSED
        assert response.is_closed
