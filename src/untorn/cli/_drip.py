"""Own a loopback server that sends one body, so many bytes at a time, to one client."""

from __future__ import annotations

import socket
import threading
from types import TracebackType

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
PATIENCE = 10.0  # seconds to wait for the client


class DripServer:
    """Serve ``body`` once, in pieces of ``chunk`` bytes, ``delay`` seconds apart.

    A context manager; ``url`` is there from the start.
    """

    def __init__(self, body: bytes, *, chunk: int, delay: float) -> None:
        self._body = body
        self._chunk = chunk
        self._delay = delay
        self._stopped = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(PATIENCE)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/"

    def __enter__(self) -> DripServer:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stopped.set()
        self._listener.close()
        self._thread.join(PATIENCE)

    def _serve(self) -> None:
        try:
            client, _ = self._listener.accept()
            with client:
                client.settimeout(PATIENCE)
                self._answer(client)
        except OSError:
            # No client came, or it left: either way nobody is there to be told.
            return

    def _answer(self, client: socket.socket) -> None:
        # Or else the kernel gathers small pieces into larger ones.
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        request = b""
        while b"\r\n\r\n" not in request:
            part = client.recv(4096)
            if not part:
                return
            request += part
        client.sendall(HEAD)
        for start in range(0, len(self._body), self._chunk):
            client.sendall(self._body[start : start + self._chunk])
            if self._stopped.wait(self._delay):
                return
