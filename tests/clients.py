"""Own how tests ask a server: with the standard library's client, and by waiting for facts."""

from __future__ import annotations

import http.client
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

PATIENCE = 20.0  # seconds


@contextmanager
def opened(url: str) -> Iterator[http.client.HTTPResponse]:
    """Ask with the standard library's client, which says what a connection does."""
    connection = http.client.HTTPConnection("127.0.0.1", port(url), timeout=PATIENCE)
    connection.request("GET", urlsplit(url).path or "/")
    with connection.getresponse() as response:
        yield response
    connection.close()


def port(url: str) -> int:
    """Give the port of a URL."""
    return urlsplit(url).port or 0


def soon(condition: Callable[[], bool]) -> bool:
    """Tell whether something comes true before patience is lost."""
    end = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < end:
        time.sleep(0.002)
    return condition()
