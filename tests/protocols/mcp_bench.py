"""Own the real MCP server that is tested against: its tool, its store, and what a test may ask.

The tool goes on only as far as a test lets it, so that a test knows what was sent when.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from loopback import Message, Receive, Send, served
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.streamable_http import EventCallback, EventMessage, EventStore
from mcp_types import JSONRPCMessage, JSONRPCResponse

STEPS = 4
ALL = STEPS + 1  # with the answer
RETRY = 20  # ms


class Store(EventStore):
    """Keep all events. An ID is the request's, and the place: equally long for all in a test."""

    def __init__(self) -> None:
        self.streams: dict[str, list[JSONRPCMessage | None]] = {}

    async def store_event(self, stream_id: str, message: JSONRPCMessage | None) -> str:
        stream = self.streams.setdefault(stream_id, [])
        stream.append(message)
        return f"{stream_id}/{len(stream)}"

    async def replay_events_after(
        self, last_event_id: str, send_callback: EventCallback
    ) -> str | None:
        stream_id, _, place = last_event_id.rpartition("/")
        for at, message in enumerate(self.streams[stream_id][:], 1):
            if at > int(place) and message is not None:  # None is what primed a connection
                await send_callback(EventMessage(message, f"{stream_id}/{at}"))
        return stream_id


@dataclass
class Bench:
    """The server as a test sees it: what it may do, has done, and was asked."""

    url: str = ""
    allowed: int = ALL  # how many steps a call may go
    leaves: bool = False  # whether the tool closes its connection before its first step
    calls: int = 0
    open: int = 0  # connections that are being answered
    store: Store = field(default_factory=Store)
    asked: list[tuple[str, str]] = field(default_factory=list)  # methods and Last-Event-IDs

    def stored(self, request: int) -> int:
        """Give how many messages the tool has sent for a request."""
        return sum(message is not None for message in self.store.streams.get(str(request), []))

    def answered(self, request: int) -> bool:
        """Tell whether the answer to a request is there to be fetched."""
        messages = self.store.streams.get(str(request), [])
        return any(isinstance(message, JSONRPCResponse) for message in messages)


@contextmanager
def running() -> Iterator[Bench]:
    """Run the server for one block."""
    bench = Bench()
    server = MCPServer("bench", log_level="CRITICAL")

    async def allowed(step: int) -> None:
        while bench.allowed <= step:
            await asyncio.sleep(0.002)

    @server.tool()
    async def count(ctx: Context[Any, Any]) -> str:
        bench.calls += 1
        if bench.leaves:
            await ctx.close_sse_stream()
        for step in range(STEPS):
            await allowed(step)
            await ctx.report_progress(step, STEPS, f"火 {step}")
        await allowed(STEPS)
        return "counted 🌅"

    app = server.streamable_http_app(event_store=bench.store, retry_interval=RETRY)

    async def watched(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        bench.asked.append((scope["method"], headers.get(b"last-event-id", b"").decode()))
        bench.open += 1
        try:
            await app(scope, receive, send)
        finally:
            bench.open -= 1

    with served(watched) as url:
        bench.url = f"{url}/mcp"
        yield bench
