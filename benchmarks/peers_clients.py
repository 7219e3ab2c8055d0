"""Own how parsers that live in a client of HTTP are driven: over a response that is made up.

No socket is opened. Where a parser would connect again at the end of the body, ``StreamEndError``
stops it. Each function imports its package when it is called.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace
from typing import Any, NoReturn

from contenders import Reader, Reads
from peers_bytes import counted

EVENT_STREAM = {"content-type": "text/event-stream"}
URL = "http://localhost/"


class StreamEndError(Exception):
    """The body is over, and its reader would go on."""


def stop(*given: object) -> NoReturn:
    """Say that the body is over."""
    raise StreamEndError


def httpx_sse_response() -> Reader:
    """Use httpx-sse as its users do, over a response of httpx."""
    response = importlib.import_module("httpx").Response
    source = importlib.import_module("httpx_sse").EventSource

    def read(reads: Reads) -> int:
        body = response(200, headers=EVENT_STREAM, content=iter(reads))
        return counted(source(body).iter_sse())

    return read


def niquests() -> Reader:
    """Its extension for event streams, which is all that reads the body."""
    module = importlib.import_module("urllib3_future.contrib.webextensions.sse")

    def read(reads: Reads) -> int:
        extension = module.ServerSideEventExtensionFromHTTP()
        extension.start(
            SimpleNamespace(
                stream=lambda size, decode_content: iter(reads),
                _fp=SimpleNamespace(_dsa=None),
                _police_officer=None,
            )
        )
        return counted(iter(extension.next_payload, None))

    return read


def requests_sse() -> Reader:
    """Its event source over a response of requests, which finds the lines."""
    response = importlib.import_module("requests").Response
    source = importlib.import_module("requests_sse").EventSource

    def read(reads: Reads) -> int:
        body = response()
        body.status_code, body.url, body.raw = 200, URL, Raw(reads)
        body.headers.update(EVENT_STREAM)
        session = SimpleNamespace(request=lambda **given: body)
        with source(URL, session=session, on_error=stop) as events:
            return counted(until_end(events))

    return read


def sseclient() -> Reader:
    """Its client, over a session that gives a response whose body has an end."""
    module = single_file("sseclient")

    def read(reads: Reads) -> int:
        body = SimpleNamespace(encoding="utf-8", raw=Raw(reads), raise_for_status=lambda: None)
        session = SimpleNamespace(get=lambda url, **given: body)
        return counted(until_end(module.SSEClient(URL, session=session)))

    return read


class Raw:
    """What is below a response of requests."""

    def __init__(self, reads: Reads) -> None:
        self._reads: Iterator[bytes] = iter(reads)

    def stream(self, size: int, decode_content: bool) -> Iterator[bytes]:
        """Give the reads."""
        return self._reads

    def read(self, size: int) -> bytes:
        """Give the next read."""
        return next(self._reads, None) or stop()

    def close(self) -> None:
        """Do nothing: there is no connection."""


def until_end(events: Any) -> Iterator[object]:
    """Give events until their reader would connect again."""
    try:
        yield from events
    except StreamEndError:
        return


def single_file(package: str) -> ModuleType:
    """Load the module of a package that is one file, where a folder of that name hides it."""
    path = importlib.metadata.distribution(package).locate_file(f"{package}.py")
    spec = importlib.util.spec_from_file_location(f"{package}_file", str(path))
    if spec is None or spec.loader is None:
        raise ImportError(package)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
