"""Own the loopback server that sends hostile streams: its routes, connections and life."""

from __future__ import annotations

import re
import socket
import struct
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from types import TracebackType
from typing import Any, cast

from ._answer import WITHOUT_BODY, body, check, ends_well, head
from ._streams import Stream

_LAST_WORDS = 0.05  # seconds for the client to read what came before a reset
_SIZE = re.compile(rb"[0-9A-Fa-f]{1,8}")  # of a chunk
_RESET = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)  # linger on, for no time


@dataclass(frozen=True, slots=True)
class Request:
    """Hold a request that the server got.

    Args:
        method: Such as "GET".
        path: With the query, as the client wrote it.
        headers: By name in lower case.
        body: The bytes of the body.
    """

    method: str
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def last_event_id(self) -> str:
        """The Last-Event-ID, read as UTF-8; empty for none."""
        given = self.headers.get("last-event-id", "")
        return given.encode("latin-1").decode("utf-8", "replace")


class HostileServer:
    r"""Serve streams that break readers, to any number of clients at once, on this machine.

    A context manager, which waits for nobody: what is still open when its block ends is closed.
    Each request to an address gets the next of its streams, and the last one again and again.

    Args:
        streams: What to send at ``url``.
        host: The interface; the loopback one by default.
        port: Of TCP; 0 takes a free one.

    Raises:
        OSError: The address cannot be taken.
        ValueError: A stream cannot be sent, as ``add`` says.

    Example:
        >>> from urllib.request import urlopen
        >>> from untorn import iter_events
        >>> from untorn.testing import HostileServer, Stream
        >>> with HostileServer(Stream("data: 火\n\n".encode(), piece=1)) as server:
        ...     with urlopen(server.url) as response:
        ...         with iter_events(iter(response.read1, b"")) as events:
        ...             print([event.data for event in events])
        ['火']
    """

    def __init__(self, *streams: Stream, host: str = "127.0.0.1", port: int = 0) -> None:
        self._server = _Server(host, port)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._routes = 0
        self.url: str = f"http://{f'[{host}]' if ':' in host else host}:{self._server.server_port}"
        try:
            if streams:
                self._server.routes[""] = _Route(streams)
        except BaseException:
            self._server.server_close()
            raise

    def add(self, *streams: Stream) -> str:
        """Serve streams at an address of their own, and at all paths below it.

        Args:
            streams: What to send: the first one to the first request, and so on; the last one
                again and again.

        Returns:
            The URL.

        Raises:
            ValueError: There is no stream, or one that cannot be sent, such as one that is to be
                cut inside a character and has none beyond ASCII.
        """
        if not streams:
            raise ValueError("give at least one stream to send")
        self._routes += 1
        self._server.routes[f"/{self._routes}"] = _Route(streams)
        return f"{self.url}/{self._routes}"

    @property
    def requests(self) -> tuple[Request, ...]:
        """The requests so far."""
        return tuple(self._server.requests)

    @property
    def answered(self) -> int:
        """How many requests have been answered, to the end, or until the client left."""
        return self._server.answered

    @property
    def open_connections(self) -> int:
        """How many connections are open here; it takes a moment to see that a client left."""
        return len(self._server.connections)

    def __enter__(self) -> HostileServer:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._server.closing.set()
        self._server.shutdown()
        self._thread.join()
        for connection in [*self._server.connections]:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self._server.server_close()


class _Route:
    """Give the streams of an address one after another."""

    def __init__(self, streams: tuple[Stream, ...]) -> None:
        for stream in streams:
            check(stream)
        self._streams = streams
        self._next = 0
        self._lock = threading.Lock()

    def take(self) -> Stream:
        """Give the stream for the next request."""
        with self._lock:
            stream = self._streams[min(self._next, len(self._streams) - 1)]
            self._next += 1
        return stream


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # or else closing would not wait for them
    request_queue_size = 128

    def __init__(self, host: str, port: int) -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.routes: dict[str, _Route] = {}
        self.requests: list[Request] = []
        self.connections: set[Any] = set()
        self.answered = 0
        self.closing = threading.Event()
        self.lock = threading.Lock()
        super().__init__((host, port), _Handler)

    def server_bind(self) -> None:
        TCPServer.server_bind(self)  # the parent's asks the name service who it is
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment]

    def process_request(self, request: Any, client_address: Any) -> None:
        self.connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self.connections.discard(request)
        super().shutdown_request(request)

    def stream(self, path: str) -> Stream | None:
        """Give what to send at a path: that of the longest address which it is at or below."""
        parts = path.partition("?")[0].rstrip("/")
        while parts not in self.routes and parts:
            parts = parts.rpartition("/")[0]
        route = self.routes.get(parts)
        return None if route is None else route.take()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # or else the kernel gathers small writes into larger ones

    def handle(self) -> None:
        with suppress(OSError):  # the client left
            super().handle()

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        sent = self._sent(headers)
        if sent is None:
            self.send_error(400, "This body has no size")
            return
        request = Request(self.command, self.path, headers, sent)
        server = cast(_Server, self.server)
        server.requests.append(request)
        stream = server.stream(self.path)
        if stream is None:
            self.send_error(404, "No stream here")
            return
        try:
            self._answer(stream, request.last_event_id)
        finally:
            with server.lock:
                server.answered += 1

    # The names are the base class's.
    do_DELETE = do_HEAD = do_OPTIONS = do_PATCH = do_POST = do_PUT = do_GET  # noqa: N815

    def _sent(self, headers: Mapping[str, str]) -> bytes | None:
        """Give the body of the request; None where nothing tells its size."""
        if headers.get("transfer-encoding", "").lower() == "chunked":
            return self._sent_in_chunks()
        length = headers.get("content-length", "0")
        return self.rfile.read(int(length)) if length.isascii() and length.isdigit() else None

    def _sent_in_chunks(self) -> bytes | None:
        parts: list[bytes] = []
        while _SIZE.fullmatch(size := self.rfile.readline().partition(b";")[0].strip()):
            if int(size, 16) == 0:
                while self.rfile.readline().strip():
                    pass  # trailers
                return b"".join(parts)
            parts.append(self.rfile.read(int(size, 16)))
            self.rfile.readline()
        return None

    def _answer(self, stream: Stream, last_event_id: str) -> None:
        if self.request_version == "HTTP/1.0" and stream.transfer == "chunked":
            stream = replace(stream, transfer="close", chunk_sizes=())  # it knows no chunks
        if stream.transfer == "close":
            self.protocol_version = "HTTP/1.0"
        self.close_connection = self.close_connection or not ends_well(stream)
        self.send_response(stream.status)
        for name, value in head(stream, last_event_id):
            self.send_header(name, value)
        self.end_headers()
        if self.command == "HEAD" or stream.status in WITHOUT_BODY:
            return
        for wait, data in body(stream, last_event_id):
            if self._leaves_within(wait):
                return
            self.wfile.write(data)
        if stream.stop == "stall":
            self._leaves_within(None)
        if stream.stop == "reset":
            self._reset()

    def _leaves_within(self, seconds: float | None) -> bool:
        """Wait, and tell whether the client has left, or the server is closed meanwhile."""
        end = None if seconds is None else time.monotonic() + seconds
        try:
            while (left := None if end is None else end - time.monotonic()) is None or left > 0:
                self.connection.settimeout(left)
                # Looked at, and not taken: it may be the next request.
                if not self.connection.recv(1, socket.MSG_PEEK):
                    return True
                if cast(_Server, self.server).closing.wait(left):
                    return True
        except TimeoutError:
            pass
        finally:
            self.connection.settimeout(None)
        return False

    def _reset(self) -> None:
        time.sleep(_LAST_WORDS)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self.rfile.close()  # it holds the socket open
        self.connection.close()
