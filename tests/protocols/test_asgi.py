"""What is encoded here and sent by ASGI applications arrives: in Chromium, and in untorn itself."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

pytest.importorskip("sse_starlette", reason="needs the sse-starlette package (group tests)")
pytest.importorskip("uvicorn", reason="needs the uvicorn package (group tests)")

from loopback import Message, Receive, Send, served
from sse_starlette import EventSourceResponse, ServerSentEvent
from support import triples

from untorn import Event, encode_comment, encode_events, encode_retry, iter_events

BROWSER = Path(__file__).parents[1] / "browser"  # a folder of tests: on the path for its own alone
NAMED = [
    Event('{"part": "café 火 🌅 ู"}', id="1"),
    Event("two\nlines\n", "note", id="火 2"),
    Event("  שלום \u2028\u2029\x85 no line ends: \x0b\x0c\0", "日本", id="3"),
    Event("", "error", id="4"),
    Event("[DONE]", "message", id="4"),
]
# With IDs that come, stay and go, which Event.encode() cannot say on its own.
CARRIED = [Event("none yet"), *NAMED, Event("taken back"), Event("and again", "note", id="5")]

Events = list[tuple[str, str, str]]
Sender = Callable[[Message, Receive, Send], Awaitable[None]]


def plain(parts: Sequence[bytes]) -> Sender:
    """Send parts without any framework."""

    async def app(scope: Message, receive: Receive, send: Send) -> None:
        headers = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        for part in parts:
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body"})

    return app


def starlette(content: Callable[[], AsyncIterator[Any]], **options: Any) -> Sender:
    """Send through sse-starlette, which is an ASGI application for each request."""

    async def app(scope: Message, receive: Receive, send: Send) -> None:
        await EventSourceResponse(content(), **options)(scope, receive, send)

    return app


async def encoded() -> AsyncIterator[bytes]:
    for event in NAMED:
        yield event.encode()


async def carried() -> AsyncIterator[bytes]:
    for part in encode_events(CARRIED):
        yield part


async def theirs() -> AsyncIterator[ServerSentEvent]:
    for event in CARRIED:
        yield ServerSentEvent(event.data, event=event.event, id=event.id)
        yield ServerSentEvent(comment="ping")


async def named() -> AsyncIterator[dict[str, str]]:
    for event in CARRIED:
        yield {"data": event.data, "event": event.event, "id": event.id}


def bytewise(parts: Iterator[bytes]) -> list[bytes]:
    return [bytes([byte]) for part in parts for byte in part]


AROUND = [encode_retry(60_000), encode_comment(" hello\nthere"), *encode_events(CARRIED)]
SENDERS: dict[str, tuple[Sender, list[Event]]] = {
    "plain, Event.encode()": (plain([event.encode() for event in NAMED]), NAMED),
    "plain, encode_events()": (plain([*encode_events(CARRIED)]), CARRIED),
    "plain, with a comment and a time": (plain(AROUND), CARRIED),
    "plain, byte by byte": (plain(bytewise(encode_events(CARRIED))), CARRIED),
    "sse-starlette, Event.encode()": (starlette(encoded), NAMED),
    "sse-starlette, encode_events()": (starlette(carried), CARRIED),
    "sse-starlette, its own events": (starlette(theirs), CARRIED),
    "sse-starlette, its dictionaries, CR": (starlette(named, sep="\r"), CARRIED),
}


class Site:
    """Serve the browser's page, what it asks for, and the senders; take what it reports."""

    def __init__(self, page: bytes, take: Callable[[str, Any], None]) -> None:
        self._take = take
        jobs = [
            {"number": number, "names": sorted({event.event for event in events})}
            for number, (_, events) in enumerate(SENDERS.values())
        ]
        self._pages = {"/": ("text/html", page), "/jobs": ("application/json", json.dumps(jobs))}

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        path = scope["path"]
        if path.startswith("/wire/"):
            sender, _ = list(SENDERS.values())[int(path.removeprefix("/wire/"))]
            await sender(scope, receive, send)
            return
        if scope["method"] == "POST":
            self._take(path, json.loads(await _body(receive)))
        kind, page = self._pages.get(path, ("text/plain", b""))
        headers = [(b"content-type", kind.encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        body = page.encode() if isinstance(page, str) else page
        await send({"type": "http.response.body", "body": body})


async def _body(receive: Receive) -> bytes:
    body = b""
    while True:
        message = await receive()
        part: bytes = message.get("body", b"")
        body += part
        if not message.get("more_body"):
            return body


def read(url: str) -> Events:
    with httpx.stream("GET", url) as response, iter_events(response.iter_bytes()) as events:
        got = triples(list(events))
    assert events.end is not None
    assert events.end.tail is None
    return got


def test_untorn_reads_what_was_sent() -> None:
    with served(Site(b"", lambda path, value: None)) as url:
        for number, (name, (_, sent)) in enumerate(SENDERS.items()):
            assert (name, read(f"{url}/wire/{number}")) == (name, triples(sent))


def test_a_browser_reads_what_was_sent_and_what_untorn_reads(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.syspath_prepend(BROWSER)
    import chromium
    from browser_server import PAGE, Exchange, Job

    program = chromium.find()
    exchange = Exchange([Job(name, (), frozenset()) for name in SENDERS])
    with served(Site(PAGE.read_bytes(), exchange.take)) as url:
        with chromium.started([program], f"{url}/", tmp_path) as browser:
            exchange.wait(browser)
        for number, (name, (_, sent)) in enumerate(SENDERS.items()):
            assert (name, exchange.answers[number]) == (name, triples(sent))
            assert exchange.answers[number] == read(f"{url}/wire/{number}")
