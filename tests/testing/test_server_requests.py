"""The hostile server and requests of all kinds: none of them breaks the server itself."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import httpx
import pytest
from clients import PATIENCE, port, soon

from untorn import Event
from untorn.recording import Read, Recording
from untorn.testing import HostileServer, Stream

WIRE = "data: 火\n\ndata: zwei\n\n".encode()


def raw(server: HostileServer, *requests: bytes, until: bytes = b"") -> bytes:
    """Write bytes to the server, and give what comes back, up to its end or some bytes."""
    with socket.create_connection(("127.0.0.1", port(server.url)), timeout=PATIENCE) as client:
        for request in requests:
            client.sendall(request)
        got = b""
        while part := client.recv(65_536):
            got += part
            if until and got.endswith(until):
                break
    return got


def test_waits_too_short_for_a_clock_tear_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    recording = Recording(tuple(Read(b"data: %d\n\n" % n, n * 1e-6) for n in range(300)))
    streams = [Stream(WIRE * 50, piece=1, delay=delay) for delay in (1e-5, 3e-6, 1e-9)]
    for stream in (Stream(recording, delay="recorded"), *streams):
        whole = recording.wire if stream.delay == "recorded" else WIRE * 50
        with HostileServer(stream) as server:
            assert httpx.get(server.url, timeout=PATIENCE).content == whole
    assert capfd.readouterr().err == ""


def test_a_body_in_chunks_is_read() -> None:
    def parts() -> Iterator[bytes]:
        yield b'{"a": '
        yield b"1}"

    with HostileServer(Stream(WIRE)) as server, httpx.Client() as client:
        for _ in range(2):
            assert client.post(server.url, content=parts()).content == WIRE
        assert [request.body for request in server.requests] == [b'{"a": 1}'] * 2
        sent = b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        raw(server, sent + b"2;a=b\r\nhi\r\n0\r\nTrailer: x\r\n\r\n")
        assert server.requests[-1].body == b"hi"


@pytest.mark.parametrize("length", [b"abc", b"-1", "²".encode()])
def test_a_body_without_a_size_is_a_bad_request(
    length: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    with HostileServer(Stream(WIRE)) as server:
        got = raw(server, b"POST / HTTP/1.1\r\nContent-Length: %s\r\n\r\n" % length)
    assert got.startswith(b"HTTP/1.1 400 This body has no size\r\n")
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("chunks", [b"zz\r\n", b"-5\r\nhello\r\n", b"1\r\nab\r\n\r\n"])
def test_chunks_without_a_size_are_a_bad_request(
    chunks: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    with HostileServer(Stream(WIRE)) as server:
        got = raw(server, b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)
    assert got.startswith(b"HTTP/1.1 400 This body has no size\r\n")
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_every_method_is_answered(method: str) -> None:
    with HostileServer(Stream(WIRE)) as server:
        assert httpx.request(method, server.url).content == WIRE
        assert server.requests[0].method == method
        assert soon(lambda: server.answered == 1)


def test_a_client_that_knows_no_chunks_gets_none() -> None:
    with HostileServer(Stream(WIRE, chunk_sizes=[3])) as server:
        head, _, body = raw(server, b"GET / HTTP/1.0\r\n\r\n").partition(b"\r\n\r\n")
    assert (b"chunked" in head, body) == (False, WIRE)


def test_a_request_that_comes_while_another_is_answered_is_next() -> None:
    slow = Stream(WIRE, cut=[8], delay=0.1)
    with HostileServer(slow, Stream(b"data: next\n\n")) as server:
        request = b"GET / HTTP/1.1\r\n\r\n"
        got = raw(server, request, request, until=b"data: next\n\n\r\n0\r\n\r\n")
        assert got.count(b"HTTP/1.1 200 OK") == 2
        assert soon(lambda: server.answered == 2)


def test_leaving_the_block_ends_a_wait_that_another_request_waits_for() -> None:
    with HostileServer(Stream(WIRE, cut=[8], delay=3_600)) as server:
        client = socket.create_connection(("127.0.0.1", port(server.url)), timeout=PATIENCE)
        client.sendall(b"GET / HTTP/1.1\r\n\r\n")
        assert client.recv(15) == b"HTTP/1.1 200 OK"
        client.sendall(b"GET / HTTP/1.1\r\n\r\n")
        assert soon(lambda: b"\xe7\x81" in client.recv(4096, socket.MSG_PEEK))
    while client.recv(4096):
        pass
    client.close()


def test_a_stream_that_cannot_be_sent_is_refused_when_it_is_given() -> None:
    ascii_only = Stream(b"data: a\n\n", cut=["character"])
    with pytest.raises(ValueError, match="the body has no character to be cut inside"):
        HostileServer(ascii_only)
    with HostileServer() as server, pytest.raises(ValueError, match="id must not hold"):
        server.add(Stream([Event("a", id="1\r2")]))
