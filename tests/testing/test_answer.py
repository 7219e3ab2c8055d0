"""An HTTP answer as bytes: the head that goes with the body, gzip, and how the body is framed."""

from __future__ import annotations

import gzip
import zlib
from itertools import islice
from typing import Any

import pytest

from untorn.recording import Recording
from untorn.testing import Stream
from untorn.testing._answer import PROMISED, body, check, ends_well, head

WIRE = "data: 火\n\ndata: b\n\n".encode()


def written(stream: Stream) -> bytes:
    return b"".join(data for _, data in body(stream, ""))


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        (Stream(WIRE), {"Transfer-Encoding": "chunked"}),
        (Stream(WIRE, transfer="content-length"), {"Content-Length": "20"}),
        (Stream(WIRE, transfer="content-length", stop_at=7), {"Content-Length": "7"}),
        (Stream(WIRE, transfer="close"), {"Connection": "close"}),
        (
            Stream(WIRE, transfer="content-length", stop="stall"),
            {"Content-Length": str(PROMISED), "Connection": "close"},
        ),
        (
            Stream(WIRE, stop="reset", gzip=True),
            {"Content-Encoding": "gzip", "Transfer-Encoding": "chunked", "Connection": "close"},
        ),
    ],
)
def test_the_head(stream: Stream, expected: dict[str, str]) -> None:
    always = {"Content-Type": "text/event-stream", "Cache-Control": "no-cache"}
    assert dict(head(stream, "")) == always | expected


def test_the_head_says_what_it_is_told_to() -> None:
    stream = Stream(content_type="text/event-stream; charset=latin-1", headers={"X-Id": "7"})
    assert ("Content-Type", "text/event-stream; charset=latin-1") in head(stream, "")
    assert [*head(stream, "")][-1] == ("X-Id", "7")


@pytest.mark.parametrize("status", [204, 304])
def test_an_answer_without_a_body(status: int) -> None:
    stream = Stream(WIRE, status=status, headers={"X-Id": "7"})
    assert ([*head(stream, "")], written(stream)) == ([("X-Id", "7")], b"")


def test_each_write_is_a_chunk() -> None:
    stream = Stream(WIRE, cut=[8, 11])
    assert written(stream) == (
        b"8\r\ndata: \xe7\x81\r\n3\r\n\xab\n\n\r\n9\r\ndata: b\n\n\r\n0\r\n\r\n"
    )
    assert written(Stream(WIRE, cut=[8, 11], stop="close")) == written(stream).removesuffix(
        b"0\r\n\r\n"
    )


def test_chunks_that_end_elsewhere() -> None:
    stream = Stream(b"data: abc\n\n", piece=4, chunk_sizes=[1, 3, 5])
    assert [data for _, data in body(stream, "")] == [
        b"1\r\nd\r\n3\r\nata\r\n",
        b"5\r\n: ab",
        b"c\r\n1\r\n\n\r\n1\r\n\n\r\n",
        b"0\r\n\r\n",
    ]
    torn = Stream(b"data: abc\n\n", piece=8, chunk_sizes=[9], stop="close")
    assert [data for _, data in body(torn, "")] == [b"9\r\ndata: ab", b"c\r\n9\r\n\n\n"]


def test_each_write_can_be_unzipped_at_once() -> None:
    stream = Stream(WIRE, cut=[8], gzip=True, transfer="close", delay=0.5)
    unzip = zlib.decompressobj(wbits=31)
    parts = [(wait, unzip.decompress(data)) for wait, data in body(stream, "")]

    assert parts == [(0.0, WIRE[:8]), (0.5, WIRE[8:]), (0.0, b"")]
    assert gzip.decompress(written(stream)) == WIRE
    assert ("Content-Length", str(len(written(stream)))) in head(
        Stream(WIRE, cut=[8], gzip=True, transfer="content-length"), ""
    )


def test_gzip_that_is_cut_has_no_end() -> None:
    with pytest.raises(EOFError):
        gzip.decompress(written(Stream(WIRE, gzip=True, transfer="close", stop="close")))


@pytest.mark.parametrize(
    ("stream", "pause"),
    [
        (Stream(WIRE, stop="keep-alive", delay=0.25, transfer="close"), 0.25),
        (Stream(WIRE, stop="keep-alive", transfer="close"), 1.0),
        (Stream(Recording.of([WIRE]), stop="keep-alive", delay="recorded", transfer="close"), 1.0),
    ],
)
def test_comments_that_go_on(stream: Stream, pause: float) -> None:
    first, *more = islice(body(stream, ""), 4)
    assert first == (0.0, WIRE)
    assert more == [(pause, b": keep-alive\n\n")] * 3


@pytest.mark.parametrize(
    ("stream", "well"),
    [
        (Stream(WIRE), True),
        (Stream(WIRE, transfer="content-length"), True),
        (Stream(WIRE, transfer="close"), False),
        (Stream(WIRE, stop="close"), False),
    ],
)
def test_whether_the_connection_can_be_used_again(stream: Stream, well: bool) -> None:
    assert ends_well(stream) is well


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"headers": {"x": "火"}}, "no header can carry 'x': '火'"),
        (
            {"headers": {"x": "a\r\nSet-Cookie: b"}},
            r"no header can carry 'x': 'a\r\nSet-Cookie: b'",
        ),
        ({"content_type": "text/事"}, "no header can carry 'Content-Type': 'text/事'"),
        ({"retry": -1}, "retry must be a whole number"),
        ({"cut": ["CRLF"]}, "the body has no CRLF to be cut inside"),
    ],
)
def test_a_stream_that_cannot_be_sent(options: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=r"carry|must|has no") as raised:
        check(Stream(WIRE, **options))
    assert str(raised.value).startswith(fault)


def test_a_stream_that_can_be_sent() -> None:
    check(Stream(WIRE, cut=["character"], headers={"x": "é"}))


def test_a_header_of_ones_own_is_sent_once() -> None:
    stream = Stream(WIRE, headers={"content-TYPE": "text/plain", "Cache-Control": "no-store"})
    assert [*head(stream, "")] == [
        ("Transfer-Encoding", "chunked"),
        ("content-TYPE", "text/plain"),
        ("Cache-Control", "no-store"),
    ]
