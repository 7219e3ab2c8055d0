"""Own the writes of a hostile answer: its body, changed as the stream says, cut, each with a wait.

Knows nothing of HTTP.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from itertools import cycle, groupby, pairwise

from .._encode import encode_comment, encode_events, encode_retry
from .._event import Event
from ..recording import Recording
from ._boundaries import boundaries
from ._streams import LineEnd, Stream

_MARK = b"\xef\xbb\xbf"
_LINE = re.compile(rb"([^\r\n]*)(?:\r\n|\r|\n)")
_BLOCK = re.compile(rb".+?(?:\r\n\r\n|\n\n|\r\r|\Z)", re.S)
_ENDS = {"LF": (b"\n",), "CR": (b"\r",), "CRLF": (b"\r\n",), "mixed": (b"\n", b"\r\n", b"\r")}
KEEP_ALIVE = encode_comment(" keep-alive") + b"\n"

Write = tuple[float, bytes]  # seconds to wait, and then what to write


def writes(stream: Stream, last_event_id: str) -> Iterator[Write]:
    """Give the writes of an answer.

    Args:
        stream: What to send, and how.
        last_event_id: That of the request; empty for none.

    Raises:
        ValueError: The body has nowhere to be cut or to stop as it should. What is left of it for a
            client that comes back may have nowhere, and is sent all the same.
    """
    wire = _wire(stream, last_event_id)
    try:
        wire = wire[: _stop(stream, wire)]
        places = [*_places(stream, wire)]
    except ValueError:
        if not last_event_id:
            raise
        places = []
    if isinstance(stream.body, Recording) and not (stream.cut or stream.piece):
        yield from _recorded(stream, stream.body, len(wire))
        return
    delay = 0.0 if stream.delay == "recorded" else stream.delay
    for start, end in pairwise([0, *places, len(wire)]):
        if start < end:  # an empty chunk would be the end of a chunked body
            yield delay if start else 0.0, wire[start:end]


def _wire(stream: Stream, last_event_id: str) -> bytes:
    wire = _body(stream, last_event_id)
    if stream.retry is not None:
        wire = encode_retry(stream.retry) + wire
    if stream.comments:
        blocks = _BLOCK.findall(wire)
        wire = b"".join(
            block if number % stream.comments else KEEP_ALIVE + block
            for number, block in enumerate(blocks)
        )
    if stream.line_end is not None:
        wire = _with_ends(wire, stream.line_end)
    return _MARK + wire if stream.byte_order_mark else wire


def _body(stream: Stream, last_event_id: str) -> bytes:
    body = stream.body
    if isinstance(body, Recording):
        return body.wire
    if isinstance(body, bytes):
        return body
    events = tuple(body)
    # Cut after it is written, so that an event behind the cut still says what its id is.
    first = _behind(events, last_event_id) if stream.resume else 0
    return b"".join([*encode_events(events)][first:])


def _behind(events: Sequence[Event], last_event_id: str) -> int:
    ids = [event.id for event in events]
    if not last_event_id or last_event_id not in ids:
        return 0
    return len(ids) - ids[::-1].index(last_event_id)


def _with_ends(wire: bytes, line_end: LineEnd) -> bytes:
    parts: list[bytes] = []
    after = 0
    for match, given in zip(_LINE.finditer(wire), cycle(_ENDS[line_end]), strict=False):
        # An LF alone behind a CR would be the rest of a CRLF, and no line end of its own.
        joins = given == b"\n" and not match[1] and parts[-1:] == [b"\r"]
        parts += [match[1], b"\r\n" if joins else given]
        after = match.end()
    return b"".join([*parts, wire[after:]])


def _stop(stream: Stream, wire: bytes) -> int:
    if stream.stop_at is None:
        return len(wire)
    if isinstance(stream.stop_at, int):
        if abs(stream.stop_at) > len(wire):
            raise ValueError(f"the body has {len(wire):,} bytes, and no byte {stream.stop_at}")
        return stream.stop_at
    inside = [boundary.value for boundary in boundaries(wire)][: len(wire)]
    if stream.stop_at not in inside:
        raise ValueError(f"the body has no {stream.stop_at} to stop inside")
    return len(inside) - 1 - inside[::-1].index(stream.stop_at)


def _places(stream: Stream, wire: bytes) -> Iterator[int]:
    if not stream.cut:
        yield from range(stream.piece, len(wire), stream.piece) if stream.piece else ()
        return
    offsets = {place for place in stream.cut if isinstance(place, int)}
    for place in offsets:
        if not 0 < place < len(wire):
            raise ValueError(f"the body has {len(wire):,} bytes: it cannot be cut at {place}")
    kinds = {kind for kind in stream.cut if isinstance(kind, str)}
    found = _inside(wire, kinds) if kinds else {}
    for kind in kinds - set(found):
        raise ValueError(f"the body has no {kind} to be cut inside")
    yield from sorted(offsets.union(*found.values()))


def _inside(wire: bytes, kinds: Set[str]) -> dict[str, list[int]]:
    """Give for each kind of boundary a place in each thing of it: the one in the middle."""
    found: dict[str, list[int]] = {}
    marks = enumerate(boundary.value for boundary in boundaries(wire)[: len(wire)])
    for kind, run in groupby(marks, lambda mark: mark[1]):
        places = [place for place, _ in run]
        if kind in kinds:
            found.setdefault(kind, []).append(places[len(places) // 2])
    return found


def _recorded(stream: Stream, recording: Recording, size: int) -> Iterator[Write]:
    before, sent = 0.0, 0
    for read in recording.reads:
        wait = read.time - before if stream.delay == "recorded" else stream.delay
        data = read.data[: size - sent]
        if data:
            yield (max(wait, 0.0) if sent or stream.delay == "recorded" else 0.0), data
        before, sent = max(read.time, before), sent + len(data)
