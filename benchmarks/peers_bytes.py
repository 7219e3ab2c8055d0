"""Own how parsers that stand by themselves are driven: bytes in, the number of events out.

Each function imports its package when it is called, so that tests need none of them. The shortest
way in is taken, private or not.
"""

from __future__ import annotations

import importlib
import io
from codecs import getincrementaldecoder
from collections.abc import Iterable
from typing import Any

from contenders import Reader, Reads


def counted(events: Iterable[object]) -> int:
    """Give how many there are, and keep none of them."""
    return sum(1 for _ in events)


def launchdarkly() -> Reader:
    """Its internal reader of lines, and of events; its client counts no comment as an event."""
    reader = importlib.import_module("ld_eventsource.reader")
    event = importlib.import_module("ld_eventsource.actions").Event

    def read(reads: Reads) -> int:
        lines = reader._BufferedLineReader.lines_from(iter(reads))
        given = reader._SSEReader(lines).events_and_comments()
        return sum(isinstance(each, event) for each in given)

    return read


def httpx_sse() -> Reader:
    """Its bare decoders, which are faster than the way over a response of httpx."""
    decoders = importlib.import_module("httpx_sse._decoders")

    def read(reads: Reads) -> int:
        utf8 = getincrementaldecoder("utf-8")("replace")
        lines, events = decoders.SSELineDecoder(), decoders.SSEDecoder()
        texts = map(utf8.decode, reads)
        found = (events.decode(line) for text in texts for line in lines.decode(text))
        return sum(event is not None for event in found)

    return read


def httpx2() -> Reader:
    """Its bare parser, without the limit of 1 MiB for an event."""
    sse = importlib.import_module("httpx2._sse")

    def read(reads: Reads) -> int:
        utf8 = getincrementaldecoder("utf-8")("replace")
        parser = sse._SSEParser(None)
        return sum(counted(parser.decode(utf8.decode(each))) for each in reads)

    return read


def sseclient_py() -> Reader:
    """Its public client, which takes any iterable of bytes."""
    sseclient = importlib.import_module("sseclient")
    return lambda reads: counted(sseclient.SSEClient(iter(reads)).events())


def assel() -> Reader:
    """Its public push parser."""
    parser = importlib.import_module("assel").Parser
    return lambda reads: sum(map(len, map(parser().receive_bytes, reads)))


def axio_sse() -> Reader:
    """Its public push parser, without the call that ends the stream."""
    decoder = importlib.import_module("axio_sse").Decoder
    return lambda reads: sum(map(len, map(decoder().decode, reads)))


def llmstream() -> Reader:
    """Its inner push parser, without the call that hands out an unfinished event."""
    decoder = importlib.import_module("llmstream.decoders").SSEDecoder
    return lambda reads: sum(map(len, map(decoder().feed, reads)))


def sseurl() -> Reader:
    """Its inner push parser; the comments that it gives as well are not counted."""
    sse = importlib.import_module("sseurl.sse")

    def read(reads: Reads) -> int:
        feed = sse.SSEParser().feed
        return sum(isinstance(item, sse.SSEvent) for each in reads for item in feed(each))

    return read


def larzsse() -> Reader:
    """Its public function over ``readline``, which is C's here, as that of a connection is."""
    parse_events = importlib.import_module("larzsse").parse_events

    def read(reads: Reads) -> int:
        # As wide as four reads of 16 KiB: it asks for more only once it has found no line end.
        with io.BufferedReader(RawReads(reads), 65_536) as lines:
            return counted(parse_events(lines.readline))

    return read


class RawReads(io.RawIOBase):
    """Reads as a connection gives them: one a call, or the part of it there is room for."""

    def __init__(self, reads: Reads) -> None:
        self._reads = iter(reads)
        self._rest = b""

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Copy what comes next, and give how many bytes that are; 0 at the end."""
        now = self._rest or next(self._reads, b"")
        self._rest = now[len(buffer) :]
        now = now[: len(buffer)]
        buffer[: len(now)] = now
        return len(now)
