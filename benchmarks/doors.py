"""Own how each package is called, and how what it gives is written: (event, data, id) triples.

A door is what ``tests/support.py`` calls one: a function from reads to a ``Result``. A package is
imported by name when its door is asked for, so that type checkers and tests need none of them.
Nothing here knows what is right.
"""

from __future__ import annotations

import importlib
import importlib.metadata
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from support import Door, Result, feed_door

import untorn
from untorn import Chunk

Opened = Callable[[Sequence[Chunk]], Iterable[Any]]


def door(peer: str) -> Door:
    """Give the door of a package.

    Raises:
        KeyError: There is none of this name.
    """
    return feed_door() if peer == "untorn" else _mapped(_OPEN[peer]())


def version(peer: str) -> str:
    """Give the version that is measured; untorn's is that of the source, which is not installed."""
    return untorn.__version__ if peer == "untorn" else importlib.metadata.version(peer)


def _mapped(events: Opened) -> Door:
    """Write each package's own word for "no type" and "no ID" as the standard does."""

    def read(chunks: Sequence[Chunk]) -> Result:
        given = events(chunks)
        return Result([(each.event or "message", each.data, each.id or "") for each in given])

    return read


def _httpx_sse() -> Opened:
    httpx = importlib.import_module("httpx")
    httpx_sse = importlib.import_module("httpx_sse")

    def events(chunks: Sequence[Chunk]) -> Iterable[Any]:
        headers = {"content-type": "text/event-stream"}
        response = httpx.Response(200, headers=headers, content=iter(chunks))
        given: Iterable[Any] = httpx_sse.EventSource(response).iter_sse()
        return given

    return events


def _sseclient_py() -> Opened:
    sseclient = importlib.import_module("sseclient")

    def events(chunks: Sequence[Chunk]) -> Iterable[Any]:
        given: Iterable[Any] = sseclient.SSEClient(iter(chunks)).events()
        return given

    return events


def _openai() -> Opened:
    streaming = importlib.import_module("openai._streaming")

    def events(chunks: Sequence[Chunk]) -> Iterable[Any]:
        given: Iterable[Any] = streaming.SSEDecoder().iter_bytes(iter(chunks))
        return given

    return events


_OPEN: dict[str, Callable[[], Opened]] = {
    "httpx-sse": _httpx_sse,
    "sseclient-py": _sseclient_py,
    "openai": _openai,
}
