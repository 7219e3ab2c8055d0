"""The loopback server of the demonstration."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

import pytest

from untorn.cli import _drip
from untorn.cli._demo import reads
from untorn.cli._drip import DripServer

BODY = b"data: 0123456789\n\n"


def connect(url: str) -> socket.socket:
    address = urlsplit(url)
    return socket.create_connection(("127.0.0.1", address.port or 0), timeout=10)


def test_the_body_comes_whole_in_reads_of_a_size() -> None:
    with DripServer(BODY, chunk=4, delay=0) as server:
        got = list(reads(server.url, 4))

    assert got == [BODY[0:4], BODY[4:8], BODY[8:12], BODY[12:16], BODY[16:]]


def test_a_request_may_come_in_pieces() -> None:
    with DripServer(BODY, chunk=99, delay=0) as server, connect(server.url) as client:
        for byte in b"GET / HTTP/1.1\r\n\r\n":
            client.sendall(bytes([byte]))
        answer = b"".join(iter(lambda: client.recv(4096), b""))

    assert answer.startswith(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n")
    assert answer.endswith(b"\r\n\r\n" + BODY)


def test_a_client_that_asks_for_nothing_is_let_go() -> None:
    with DripServer(BODY, chunk=1, delay=0) as server, connect(server.url) as client:
        client.shutdown(socket.SHUT_WR)

        assert client.recv(4096) == b""


def test_a_server_that_nobody_asks_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_drip, "PATIENCE", 0.01)
    with DripServer(BODY, chunk=1, delay=0) as server:
        server._thread.join(60)

        assert not server._thread.is_alive()


def test_leaving_the_block_stops_a_server_that_would_go_on_for_minutes() -> None:
    with DripServer(BODY, chunk=1, delay=60) as server:
        body = reads(server.url, 1)
        assert next(body) == BODY[:1]
        thread = server._thread

    assert not thread.is_alive()
    body.close()


def test_leaving_the_reads_closes_the_socket() -> None:
    with DripServer(b"x" * 10**8, chunk=1 << 20, delay=0) as server:
        body = reads(server.url, 1)
        assert next(body) == b"x"
        body.close()
        server._thread.join(60)

        assert not server._thread.is_alive()
