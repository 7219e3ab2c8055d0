"""The hostile server, as real clients see it: each thing that it does to a stream."""

from __future__ import annotations

import http.client
import time

import httpx
import pytest
from clients import PATIENCE, opened

from untorn import Event, iter_events
from untorn.recording import Read, Recording
from untorn.testing import HTML_ERROR, JSON_ERROR, HostileServer, Request, Stream

WIRE = "id: 1\ndata: 火\n\nid: 2\ndata: zwei\n\n".encode()
EVENTS = [Event("火", id="1"), Event("zwei", id="2")]


def reads(url: str) -> list[bytes]:
    with httpx.stream("GET", url, timeout=PATIENCE) as response:
        return [*response.iter_raw()]


def events(url: str, **headers: str) -> list[Event]:
    with (
        httpx.stream("GET", url, headers=headers, timeout=PATIENCE) as response,
        iter_events(response.iter_bytes()) as stream,
    ):
        return [*stream]


@pytest.mark.parametrize(
    "stream",
    [
        Stream(WIRE),
        Stream(WIRE, piece=1),
        Stream(WIRE, piece=3, chunk_sizes=[1, 7, 2]),
        Stream(WIRE, transfer="content-length"),
        Stream(WIRE, transfer="close"),
        Stream(WIRE, gzip=True, cut=["character"]),
        Stream(WIRE, gzip=True, transfer="content-length", piece=5),
        Stream(WIRE, line_end="mixed", byte_order_mark=True, comments=1, retry=5),
        Stream(WIRE, content_type="text/event-stream; charset=iso-8859-1"),
        Stream(EVENTS),
        Stream(Recording.of([WIRE[:9], WIRE[9:]])),
    ],
)
def test_a_right_reader_gets_the_events(stream: Stream) -> None:
    with HostileServer(stream) as server:
        assert [(event.data, event.id) for event in events(server.url)] == [
            ("火", "1"),
            ("zwei", "2"),
        ]


def test_each_write_is_a_read() -> None:
    cut = Stream(WIRE, line_end="CRLF", cut=["character", "CRLF", "event"])
    with HostileServer(cut) as server:
        got = reads(server.url)
    assert b"".join(got) == WIRE.replace(b"\n", b"\r\n")
    assert [read[-1:] for read in got[:5]] == [b"\r", b"\n", b"\x81", b"\r", b"\n"]


def test_odd_chunks_are_reads_that_end_elsewhere() -> None:
    with HostileServer(Stream(b"data: abc\n\n", chunk_sizes=[1, 3])) as server:
        assert reads(server.url) == [b"d", b"ata", b":", b" ab", b"c", b"\n\n"]


@pytest.mark.parametrize("transfer", ["content-length", "close"])
def test_a_drip_is_a_read_a_write_without_chunks(transfer: str) -> None:
    stream = Stream(b"data: a\n\n", piece=3, delay=0.2, transfer=transfer)  # type: ignore[arg-type]
    with HostileServer(stream) as server:
        start = time.monotonic()
        assert reads(server.url) == [b"dat", b"a: ", b"a\n\n"]
        assert time.monotonic() - start >= 0.4


def test_a_recording_in_its_own_time() -> None:
    recording = Recording((Read(b"data", 0.1), Read(b": a\n\n", 0.3)))
    with HostileServer(Stream(recording, delay="recorded", transfer="close")) as server:
        start = time.monotonic()
        assert reads(server.url) == [b"data", b": a\n\n"]
        assert time.monotonic() - start >= 0.3


def test_the_first_event_is_out_before_the_second_is_sent() -> None:
    with (
        HostileServer(Stream(WIRE, cut=[17], delay=3_600)) as server,
        httpx.stream("GET", server.url, timeout=PATIENCE) as response,
        iter_events(response.iter_bytes()) as stream,
    ):
        assert next(stream) == EVENTS[0]


def test_a_stall_is_a_timeout_of_the_client() -> None:
    with (
        HostileServer(Stream(WIRE, stop_at="event", stop="stall")) as server,
        httpx.stream("GET", server.url, timeout=0.2) as response,
        iter_events(response.iter_bytes()) as stream,
    ):
        assert next(stream) == EVENTS[0]
        with pytest.raises(httpx.ReadTimeout):
            next(stream)


def test_comments_go_on_behind_the_end() -> None:
    stream = Stream(WIRE, stop="keep-alive", delay=0.01)
    with HostileServer(stream) as server, opened(server.url) as response:
        assert response.read1() == WIRE
        assert [response.read1() for _ in range(3)] == [b": keep-alive\n\n"] * 3


@pytest.mark.parametrize("transfer", ["chunked", "content-length", "close"])
def test_a_reset_is_one(transfer: str) -> None:
    stream = Stream(WIRE, stop_at="event", stop="reset", transfer=transfer)  # type: ignore[arg-type]
    with HostileServer(stream) as server, opened(server.url) as response:
        assert response.read1() == WIRE[:-1]
        with pytest.raises(ConnectionResetError):
            response.read1()


@pytest.mark.parametrize("transfer", ["chunked", "content-length"])
def test_a_connection_that_closes_early(transfer: str) -> None:
    stream = Stream(WIRE, stop_at="character", stop="close", transfer=transfer)  # type: ignore[arg-type]
    with HostileServer(stream) as server, opened(server.url) as response:
        with pytest.raises(http.client.IncompleteRead) as raised:
            response.read()
        assert raised.value.partial == WIRE[:14]


@pytest.mark.parametrize(
    ("transfer", "version"), [("chunked", 11), ("content-length", 11), ("close", 10)]
)
def test_an_end_without_a_blank_line(transfer: str, version: int) -> None:
    stream = Stream(WIRE, stop_at="event", transfer=transfer)  # type: ignore[arg-type]
    with HostileServer(stream) as server, opened(server.url) as response:
        assert (response.version, response.read()) == (version, WIRE[:-1])


@pytest.mark.parametrize(
    ("body", "content_type"), [(JSON_ERROR, "application/json"), (HTML_ERROR, "text/html")]
)
def test_an_error_body_under_200(body: bytes, content_type: str) -> None:
    with HostileServer(Stream(body, content_type=content_type)) as server:
        response = httpx.get(server.url)
    assert (response.status_code, response.content) == (200, body)
    assert response.headers["content-type"] == content_type


def test_a_client_that_comes_back_with_its_last_id() -> None:
    first = Stream(EVENTS, stop_at="event", stop="close", retry=1)
    with HostileServer(first, Stream(EVENTS), Stream(status=204)) as server:
        with (
            httpx.stream("GET", server.url) as response,
            iter_events(response.iter_bytes()) as stream,
        ):
            assert next(stream) == EVENTS[0]
            with pytest.raises(httpx.RemoteProtocolError):
                next(stream)
        assert (stream.parser.last_event_id, stream.parser.retry) == ("1", 1)
        assert events(server.url, **{"Last-Event-ID": "1"}) == EVENTS[1:]
        assert [httpx.get(server.url).status_code for _ in range(2)] == [204, 204]
        assert [request.last_event_id for request in server.requests] == ["", "1", "", ""]


def test_ids_beyond_ascii_come_as_utf_8() -> None:
    with HostileServer(Stream([Event("a", id="é"), Event("b", id="火")])) as server:
        httpx.get(server.url, headers={b"Last-Event-ID": "é".encode()})
        [request] = server.requests
    assert request.last_event_id == "é"
    assert Request("GET", "/").last_event_id == ""


def test_each_stream_has_an_address_with_all_paths_below() -> None:
    with HostileServer(Stream(b"data: root\n\n")) as server:
        urls = [server.add(Stream(b"data: %d\n\n" % number)) for number in (1, 2)]
        got = [httpx.get(f"{url}/chat/completions?a=b").text for url in urls]
        assert got == ["data: 1\n\n", "data: 2\n\n"]
        assert httpx.post(f"{server.url}/other", content=b"{}").text == "data: root\n\n"
        last = server.requests[-1]
        assert (last.method, last.path, last.body) == ("POST", "/other", b"{}")
        assert last.headers["content-length"] == "2"
        with pytest.raises(ValueError, match="at least one stream"):
            server.add()


def test_an_address_that_nothing_is_at() -> None:
    with HostileServer() as server:
        assert httpx.get(server.url).status_code == 404


def test_a_head_has_no_body() -> None:
    with HostileServer(Stream(WIRE, transfer="content-length")) as server:
        response = httpx.head(server.url)
    assert (response.headers["content-length"], response.content) == (str(len(WIRE)), b"")
