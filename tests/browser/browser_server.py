"""Own the loopback server: it hands out page, jobs and wires, and takes what the page reports.

It knows nothing about events. A wire goes out read by read, with a pause after each, so that the
browser gets them apart.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from chromium import Browser

PAGE = Path(__file__).parent / "eventsource.html"
PATIENCE = 60.0  # seconds without a report: some hundred times what a report takes
TICK = 0.1  # seconds between looks at a browser that may have died
PAUSE = 0.001  # seconds: with less, Chromium was seen to read several packets as one

Events = list[tuple[str, str, str]]


@dataclass(frozen=True)
class Job:
    """One wire, as the reads that it is sent in, and the event names to listen for."""

    name: str
    reads: tuple[bytes, ...]
    names: frozenset[str]

    @property
    def wire(self) -> bytes:
        return b"".join(self.reads)


class Exchange:
    """What the page is given, and what it has reported so far: an answer is None if it failed."""

    def __init__(self, jobs: Sequence[Job]) -> None:
        self.jobs = jobs
        self.answers: dict[int, Events | None] = {}
        self.faults: list[str] = []
        self._over = threading.Event()
        self._heard = time.monotonic()

    def give(self, path: str) -> tuple[str, Sequence[bytes]]:
        """Give the media type and the reads of what is at a path."""
        if path == "/":
            return "text/html", [PAGE.read_bytes()]
        if path == "/jobs":
            asked = [
                {"number": number, "names": sorted(job.names)}
                for number, job in enumerate(self.jobs)
            ]
            return "application/json", [json.dumps(asked).encode()]
        return "text/event-stream", self.jobs[int(path.removeprefix("/wire/"))].reads

    def take(self, path: str, value: Any) -> None:
        """Take a report."""
        self._heard = time.monotonic()
        if path == "/answers":
            self.answers.update((answer["number"], _events(answer["events"])) for answer in value)
        elif path == "/over":
            self._over.set()
        else:
            self.fail(value)

    def fail(self, fault: str) -> None:
        self.faults.append(fault)
        self._over.set()

    def wait(self, browser: Browser, patience: float = PATIENCE) -> None:
        """Wait until the page is through; raise AssertionError if it will not be."""
        while not self._over.wait(TICK):
            code = browser.exit_code()
            if code is not None:
                raise self._broken(f"the browser ended with exit code {code}", browser)
            if time.monotonic() - self._heard > patience:
                raise self._broken(f"the browser was silent for {patience:g} s", browser)
        if self.faults:
            raise self._broken("\n".join(self.faults), browser)
        if len(self.answers) < len(self.jobs):
            raise self._broken("wires without an answer", browser)

    def _broken(self, what: str, browser: Browser) -> AssertionError:
        through = f"{len(self.answers)} of {len(self.jobs)} wires answered"
        return AssertionError(f"{what}; {through}; its last words:\n{browser.last_words()}")


def _events(reported: list[list[str]] | None) -> Events | None:
    return None if reported is None else [(kind, data, id) for kind, data, id in reported]


class Server(ThreadingHTTPServer):
    """A server whose threads are over when it is closed, and whose faults are the exchange's."""

    daemon_threads = False

    def __init__(self, exchange: Exchange) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.exchange = exchange

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        error = sys.exc_info()[1]
        if not isinstance(error, ConnectionError):  # a browser that ends drops its connections
            self.exchange.fail(f"the server failed: {error!r}")


class Handler(BaseHTTPRequestHandler):
    """Speak HTTP/1.1 with lengths, so that a connection serves many wires."""

    server: Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = PATIENCE

    def do_GET(self) -> None:
        self._answer(*self.server.exchange.give(self.path))

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.exchange.take(self.path, json.loads(body))
        self._answer("text/plain", [])

    def _answer(self, media_type: str, reads: Sequence[bytes]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(sum(map(len, reads))))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        for number, read in enumerate(reads):
            if number:
                time.sleep(PAUSE)
            self.wfile.write(read)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: thousands of wires would be thousands of lines."""


@contextmanager
def serving(exchange: Exchange) -> Iterator[str]:
    """Serve on a free port of the loopback, and give the page's URL."""
    with Server(exchange) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield server.url
        finally:
            server.shutdown()
            thread.join()
