"""The hostile server's connections: many at once, used again, left, and closed."""

from __future__ import annotations

import socket
import threading

import httpx
import pytest
from clients import PATIENCE, opened, port, soon

from untorn import Event, iter_events
from untorn.testing import HostileServer, Stream

WIRE = "id: 1\ndata: 火\n\nid: 2\ndata: zwei\n\n".encode()
EVENTS = [Event("火", id="1"), Event("zwei", id="2")]


def test_many_streams_at_once() -> None:
    number = 60
    results: list[list[Event]] = []
    barrier = threading.Barrier(number)

    def client(url: str) -> None:
        with opened(url) as response:
            start = response.read1()
            barrier.wait(PATIENCE)  # all of them are open now
            with iter_events([start, *iter(response.read1, b"")]) as stream:
                results.append([*stream])

    with HostileServer(Stream(WIRE, piece=9, delay=0.05)) as server:
        threads = [threading.Thread(target=client, args=(server.url,)) for _ in range(number)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
    assert results == [EVENTS] * number


def test_a_connection_is_used_again_after_a_whole_body() -> None:
    with HostileServer(Stream(WIRE)) as server, httpx.Client() as client:
        assert [client.get(server.url).content for _ in range(3)] == [WIRE] * 3
        assert server.open_connections == 1
    with HostileServer(Stream(WIRE, transfer="close")) as server, httpx.Client() as client:
        assert [client.get(server.url).content for _ in range(2)] == [WIRE] * 2
        assert soon(lambda: server.open_connections == 0)


@pytest.mark.parametrize("stop", ["stall", "keep-alive"])
def test_a_client_that_leaves_is_noticed(stop: str) -> None:
    with HostileServer(Stream(WIRE, stop=stop, delay=0.01)) as server:  # type: ignore[arg-type]
        with opened(server.url) as response:
            assert response.read1() == WIRE
            assert server.open_connections == 1
        assert soon(lambda: server.open_connections == 0)


def test_leaving_the_block_closes_what_is_open() -> None:
    before = threading.active_count()
    with HostileServer(Stream(WIRE, stop="stall"), Stream(b"x" * 10**8)) as server:
        stalled, idle, full = (
            socket.create_connection(("127.0.0.1", port(server.url))) for _ in "123"
        )
        stalled.sendall(b"GET / HTTP/1.1\r\n\r\n")
        assert stalled.recv(15) == b"HTTP/1.1 200 OK"
        full.sendall(b"GET / HTTP/1.1\r\n\r\n")  # and nobody reads all of that
        assert full.recv(15) == b"HTTP/1.1 200 OK"
        assert soon(lambda: server.open_connections == 3)
    assert threading.active_count() == before
    for client in (stalled, idle, full):
        client.close()


def test_bytes_that_a_waiting_client_sends_are_let_be() -> None:
    stream = Stream(b"data: a\n\n", piece=5, delay=0.1, transfer="close")
    with (
        HostileServer(stream) as server,
        socket.create_connection(("127.0.0.1", port(server.url))) as client,
    ):
        client.sendall(b"GET / HTTP/1.1\r\n\r\n")
        got = client.recv(4096)
        client.sendall(b"more")
        while b"\n\n" not in got.partition(b"\r\n\r\n")[2]:
            got += client.recv(4096)
    assert got.endswith(b"\r\n\r\ndata: a\n\n")


def test_a_client_that_resets_its_connection_is_no_fault_of_ours(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with HostileServer(Stream(b"x" * 10**7)) as server:
        client = socket.create_connection(("127.0.0.1", port(server.url)))
        client.sendall(b"GET / HTTP/1.1\r\n\r\n")
        assert client.recv(15) == b"HTTP/1.1 200 OK"
        client.close()  # with bytes unread, this is a reset
        assert soon(lambda: server.open_connections == 0)
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(not socket.has_ipv6, reason="no IPv6 here")
def test_another_interface() -> None:
    try:
        server = HostileServer(Stream(WIRE), host="::1")
    except OSError:
        pytest.skip("no IPv6 loopback here")
    with server:
        assert server.url == f"http://[::1]:{port(server.url)}"
        response = httpx.get(server.url)
    assert response.content == WIRE
