"""Own the client's half of the MCP tests: a session, and a call: sent once, and come back to."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import count
from typing import Any

import httpx
from clients import soon
from mcp_bench import Bench

from untorn import Connection, Event, Following, SSEParser, follow, iter_events

BOTH = "application/json, text/event-stream"
PRIMED = ("primed",)

numbers = count(100)  # of requests, of one length, so that all bodies are


def shown(event: Event) -> tuple[Any, ...]:
    """Give what an event says; a JSON layer has to pass over the ones without data."""
    if not event.data:
        return PRIMED
    message = event.json()
    if "result" in message:
        return "result", message["result"]["content"][0]["text"]
    return "progress", message["params"]["progress"], message["params"]["message"]


class Session:
    """Hold a session that is initialized, and open its connections."""

    def __init__(self, bench: Bench, client: httpx.Client) -> None:
        self.bench = bench
        self.client = client
        self.headers = {"Accept": BOTH, "MCP-Protocol-Version": "2025-11-25"}
        asked = {"protocolVersion": "2025-11-25", "capabilities": {}}
        asked["clientInfo"] = {"name": "untorn", "version": "1"}
        hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": asked}
        with self.post(hello) as response:
            self.headers["Mcp-Session-Id"] = response.headers["Mcp-Session-Id"]
            with iter_events(response.iter_bytes()) as events:
                self.hello = list(events)
        ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        with self.post(ready) as response:
            assert response.status_code == 202
        bench.asked.clear()

    def post(self, message: Any) -> AbstractContextManager[httpx.Response]:
        return self.client.stream("POST", self.bench.url, headers=self.headers, json=message)

    def get(self, headers: dict[str, str]) -> AbstractContextManager[httpx.Response]:
        asked = {**self.headers, **headers}
        return self.client.stream("GET", self.bench.url, headers=asked)


def calling(number: int, **meta: Any) -> dict[str, Any]:
    params = {"name": "count", "arguments": {}, "_meta": {"progressToken": "token", **meta}}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


class Call:
    """Call the tool once, and come back to it: what ``follow`` connects with."""

    def __init__(self, session: Session, tear: int | None = None) -> None:
        self.session = session
        self.number = next(numbers)
        self.tear = tear  # after how many bytes the first connection breaks
        self.socket: socket.socket | None = None

    @contextmanager
    def connect(self, headers: dict[str, str]) -> Iterator[Connection]:
        session = self.session
        if "Last-Event-ID" in headers:
            opened = session.get(headers)
        elif self.socket is None:
            opened = session.post(calling(self.number))
        else:
            raise RuntimeError("the call was sent, and nothing says where to go on")
        with opened as response:
            torn = self.socket is None and self.tear is not None
            network = response.extensions["network_stream"]
            self.socket = network.get_extra_info("socket")
            reads = self.torn(response) if torn else response.iter_bytes()
            kind = response.headers.get("Content-Type")
            yield Connection(reads, response.status_code, kind)

    def torn(self, response: httpx.Response) -> Iterator[bytes]:
        """Break the connection after some bytes, when the answer is ready to be fetched."""
        body = b"".join(response.iter_bytes())
        yield body[: self.tear]
        assert soon(lambda: self.session.bench.answered(self.number))
        raise httpx.ReadError("broken")

    def drop(self) -> None:
        """Break the connection that is open, for both sides."""
        assert self.socket is not None
        self.socket.shutdown(socket.SHUT_RDWR)
        assert soon(lambda: self.session.bench.open == 0)

    def follow(
        self,
        on_comment: Callable[[str], None] | None = None,
        sleep: Callable[[float], None] | None = None,
    ) -> Following:
        def parser(last_event_id: str) -> SSEParser:
            return SSEParser(last_event_id=last_event_id, on_comment=on_comment)

        drops = (httpx.NetworkError, httpx.TimeoutException, httpx.RemoteProtocolError)
        return follow(self.connect, drops=drops, parser=parser, sleep=sleep)

    def messages(self, events: Iterator[Event]) -> Iterator[tuple[Any, ...]]:
        """Give what comes, up to the answer."""
        for event in events:
            yield shown(event)
            if event.data and event.json().get("id") == self.number:
                return
