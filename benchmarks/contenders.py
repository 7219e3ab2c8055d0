"""Own how each parser is driven for speed: a function from reads to the number of events.

A package is imported when its reader is asked for, so that tests need none of them. Nothing here
knows a clock.
"""

from __future__ import annotations

import importlib
import importlib.metadata
from codecs import getincrementaldecoder
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import untorn
from untorn import SSEParser

Reads: TypeAlias = Sequence[bytes]
Reader: TypeAlias = Callable[[Reads], int]

FLOOR = "floor"
OURS = "untorn"


@dataclass(frozen=True, slots=True)
class Contender:
    """One parser.

    Args:
        name: Its package; "floor" for what any of them must do at least.
        version: That is measured.
        read: Reads a body and gives how many events it held.
    """

    name: str
    version: str
    read: Reader


def contender(name: str) -> Contender:
    """Make a contender.

    Raises:
        KeyError: There is none of this name.
    """
    read = _READERS[name]()
    if name in (FLOOR, OURS):
        return Contender(name, "" if name == FLOOR else untorn.__version__, read)
    return Contender(name, importlib.metadata.version(name), read)


class Plain:
    """Hold four fields, as plainly as a class of slots can."""

    __slots__ = ("data", "event", "id", "retry")

    def __init__(self, data: str, event: str, id: str, retry: int | None) -> None:
        self.data = data
        self.event = event
        self.id = id
        self.retry = retry


def _floor() -> Reader:
    """Decode each read, split it, build as many objects: no parsing at all."""

    def read(reads: Reads) -> int:
        built: list[Plain] = []
        for each in reads:
            blocks = each.decode("utf-8", "replace").split("\n\n")
            built += [Plain(block, "message", "", None) for block in blocks]
        return len(built)

    return read


def _untorn() -> Reader:
    def read(reads: Reads) -> int:
        parser = SSEParser()
        events = 0
        for each in reads:
            events += len(parser.feed(each))
        return events

    return read


def _launchdarkly() -> Reader:
    reader = importlib.import_module("ld_eventsource.reader")
    event = importlib.import_module("ld_eventsource.actions").Event

    def read(reads: Reads) -> int:
        lines = reader._BufferedLineReader.lines_from(iter(reads))
        given = reader._SSEReader(lines).events_and_comments()
        return sum(isinstance(each, event) for each in given)

    return read


def _httpx_sse() -> Reader:
    """Drive its bare decoders, which are faster than the way over a response of httpx."""
    decoders = importlib.import_module("httpx_sse._decoders")

    def read(reads: Reads) -> int:
        utf8 = getincrementaldecoder("utf-8")("replace")
        lines, events = decoders.SSELineDecoder(), decoders.SSEDecoder()
        texts = map(utf8.decode, reads)
        found = (events.decode(line) for text in texts for line in lines.decode(text))
        return sum(event is not None for event in found)

    return read


def _sseclient_py() -> Reader:
    sseclient = importlib.import_module("sseclient")

    def read(reads: Reads) -> int:
        return _counted(sseclient.SSEClient(iter(reads)).events())

    return read


def _openai() -> Reader:
    streaming = importlib.import_module("openai._streaming")

    def read(reads: Reads) -> int:
        return _counted(streaming.SSEDecoder().iter_bytes(iter(reads)))

    return read


def _counted(events: Any) -> int:
    return sum(1 for _ in events)


_READERS: dict[str, Callable[[], Reader]] = {
    OURS: _untorn,
    FLOOR: _floor,
    "launchdarkly-eventsource": _launchdarkly,
    "httpx-sse": _httpx_sse,
    "sseclient-py": _sseclient_py,
    "openai": _openai,
}
NAMES = tuple(_READERS)
