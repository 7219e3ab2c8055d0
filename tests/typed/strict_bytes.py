"""Under mypy's strict-bytes mode, each kind of bytes is accepted by name; checked, never run."""

from __future__ import annotations

from untorn import SSEParser, iter_events


def each_kind(a: bytes, b: bytearray, c: memoryview) -> None:
    parser = SSEParser()
    for chunk in (a, b, c):
        parser.feed(chunk)
    iter_events([a])
    iter_events([b])
    iter_events([c])


def what_comes_out_is_bytes(parser: SSEParser) -> bytes:
    end = parser.close()
    return b"" if end.tail is None else end.tail.undecoded
