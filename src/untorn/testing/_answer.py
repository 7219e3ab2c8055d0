"""Own how writes become the bytes of an HTTP answer: its head, gzip, and how the body is framed.

Knows nothing of sockets.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from itertools import chain, cycle, repeat

from ._streams import Stream
from ._writes import KEEP_ALIVE, Write, writes

WITHOUT_BODY = (204, 304)
HEARTBEAT = 1.0  # seconds between keep-alive comments, where the stream has no delay
PROMISED = 1 << 30  # bytes: more than come, where a body is not to end as it should


def check(stream: Stream) -> None:
    """Refuse a stream that cannot be sent as it says, before a client is there to be surprised.

    Raises:
        ValueError: It has nowhere to be cut or to stop, or a header holds what it must not.
        EncodeError: An event cannot be written.
    """
    for _ in writes(stream, ""):
        pass
    for name, value in head(stream, ""):
        text = f"{name}{value}"
        if not text.isprintable() or max(text) > "\xff":
            raise ValueError(f"no header can carry {name!r}: {value!r}")


def head(stream: Stream, last_event_id: str) -> Iterator[tuple[str, str]]:
    """Give the headers of an answer.

    Args:
        stream: What to send, and how.
        last_event_id: That of the request; empty for none.
    """
    if stream.status in WITHOUT_BODY:
        yield from stream.headers.items()
        return
    own = {name.lower() for name in stream.headers}
    if "content-type" not in own:
        yield "Content-Type", stream.content_type
    if "cache-control" not in own:
        yield "Cache-Control", "no-cache"
    if stream.gzip:
        yield "Content-Encoding", "gzip"
    if stream.transfer == "chunked":
        yield "Transfer-Encoding", "chunked"
    elif stream.transfer == "content-length":
        yield "Content-Length", str(_size(stream, last_event_id))
    if not ends_well(stream):
        yield "Connection", "close"
    yield from stream.headers.items()


def body(stream: Stream, last_event_id: str) -> Iterator[Write]:
    """Give what to write behind the head; without an end, where comments go on.

    Args:
        stream: What to send, and how.
        last_event_id: That of the request; empty for none.
    """
    if stream.status in WITHOUT_BODY:
        return
    written = _encoded(stream, last_event_id)
    if stream.transfer != "chunked":
        yield from written
        return
    if stream.chunk_sizes:
        yield from _in_chunks(written, stream.chunk_sizes, _size(stream, last_event_id))
    else:
        yield from ((wait, b"%x\r\n%s\r\n" % (len(data), data)) for wait, data in written)
    if stream.stop == "end":
        yield 0.0, b"0\r\n\r\n"


def ends_well(stream: Stream) -> bool:
    """Tell whether the connection can be used once more after the answer."""
    return stream.stop == "end" and stream.transfer != "close"


def _size(stream: Stream, last_event_id: str) -> int:
    if stream.stop != "end":
        return PROMISED
    return sum(len(data) for _, data in _encoded(stream, last_event_id))


def _encoded(stream: Stream, last_event_id: str) -> Iterator[Write]:
    written: Iterable[Write] = writes(stream, last_event_id)
    if stream.stop == "keep-alive":
        pause = HEARTBEAT if stream.delay == "recorded" else stream.delay or HEARTBEAT
        written = chain(written, repeat((pause, KEEP_ALIVE)))
    return _zipped(written, stream.stop == "end") if stream.gzip else iter(written)


def _zipped(written: Iterable[Write], ends: bool) -> Iterator[Write]:
    squeeze = zlib.compressobj(wbits=31)  # 16 + 15: gzip
    for wait, data in written:
        yield wait, squeeze.compress(data) + squeeze.flush(zlib.Z_SYNC_FLUSH)
    if ends:
        yield 0.0, squeeze.flush()


def _in_chunks(written: Iterable[Write], sizes: Iterable[int], total: int) -> Iterator[Write]:
    """Frame writes in chunks that end elsewhere than they do."""
    following = cycle(sizes)
    left = 0  # bytes to come of the open chunk
    for wait, data in written:
        out = bytearray()
        start = 0
        while start < len(data):
            if not left:
                left = min(next(following), total)
                total -= left
                out += b"%x\r\n" % left
            part = data[start : start + left]
            start, left = start + len(part), left - len(part)
            out += part if left else part + b"\r\n"
        yield wait, bytes(out)
