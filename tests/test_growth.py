"""Cost is linear in the bytes and memory is what is pending (design rule 7).

Work is compared as a ratio: the same shape eight times as long may cost about eight times as much,
and 64 times if something is quadratic. Memory is counted by the allocator.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator, Sequence

import pytest
from timing import is_linear, least_time

from untorn import SSEParser

Shape = Callable[[int], tuple[bytes, int]]


# Each shape gives a wire whose length grows with n, and the size of the reads it comes in.
SHAPES: dict[str, Shape] = {
    "one long line in tiny reads": lambda n: (b"data: " + b"x" * (40 * n) + b"\n\n", 4),
    "one long line of cut characters": lambda n: (("火" * 4 * n).encode(), 1),
    "one event of many lines": lambda n: (b"data: 1234567890\n" * (4 * n) + b"\n", 16),
    "one event of many lines in one read": lambda n: (b"data: x\n" * (60 * n) + b"\n", 1 << 30),
    "comments": lambda n: (b": keep-alive\n\n" * (4 * n), 7),
    "blank lines": lambda n: (b"\n" * (20 * n), 3),
    "carriage returns": lambda n: (b"\r" * (20 * n), 3),
    "unknown fields": lambda n: (b"unknown: field\n" * (4 * n), 8),
    "one long unknown field": lambda n: (b"unknown" * (20 * n), 8),
    "bad bytes in tiny reads": lambda n: (b"\xff" * (12 * n), 3),
    "bad bytes in one read": lambda n: (b"\xff\xe2\x82" * (100 * n), 1 << 30),
    "one long line in large reads": lambda n: (b"data: " + b"x" * (400 * n) + b"\n\n", 1 << 10),
    "one event of many lines in large reads": lambda n: (b"data: x\n" * (400 * n) + b"\n", 1 << 14),
    "events, one a read": lambda n: (b'data: {"t": "x"}\n\n' * (8 * n), 18),
    "named events, CRLF, one a read": lambda n: (b"event: e\r\ndata: x\r\n\r\n" * (8 * n), 21),
    "events in small reads": lambda n: (b'data: {"text": "a word"}\n\n' * (8 * n), 7),
    "events byte by byte": lambda n: (b"data: x\n\n" * (2 * n), 1),
    "events in many scripts": lambda n: ("data: 火 привет 🦊\n\n".encode() * (20 * n), 1 << 14),
    "small events in one read": lambda n: (b"data: x\n\n" * (60 * n), 1 << 30),
}


def reads_of(wire: bytes, size: int) -> list[bytes]:
    return [wire[i : i + size] for i in range(0, len(wire), size)]


def cost(reads: Sequence[bytes | bytearray], limit: int | None) -> float:
    """Give the least time of three runs."""

    def once() -> None:
        parser = SSEParser(max_event_size=limit)
        for read in reads:
            parser.feed(read)
        parser.close()

    return least_time(once)


@pytest.mark.parametrize("limit", [None, 1 << 30])
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_rule_7_work_grows_with_the_bytes(shape: Shape, limit: int | None) -> None:
    assert is_linear(lambda n: cost(reads_of(*shape(n)), limit), 300)


@pytest.mark.parametrize("size", [10, 4096])
def test_rule_7_work_grows_with_the_bytes_close_to_the_limit(size: int) -> None:
    def near(lines: int) -> float:
        wire = b"data: 1234567890\n" * lines
        return cost(reads_of(wire, size), 11 * lines + 20)

    assert is_linear(near, 1_000)


@pytest.mark.parametrize("kind", [bytes, bytearray])
def test_rule_7_work_grows_with_the_bytes_of_a_line_that_began_in_a_large_read(
    kind: type[bytes] | type[bytearray],
) -> None:
    def begun(n: int) -> float:
        return cost([b"data: x\n" + b"x" * (600 * n), *[kind("é".encode())] * n], None)

    assert is_linear(begun, 300)


def peak(reads: Iterator[bytes], parser: SSEParser) -> int:
    """Give the most bytes that were allocated while the reads were fed."""
    tracemalloc.start()
    try:
        for read in reads:
            parser.feed(read)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "block",
    [b"data: x\n\n", b": c\n\n", b"\n", b"\r", b"unknown: field\n", b"id: 1\n\n", b"\xff\n"],
)
def test_rule_7_an_endless_stream_takes_no_memory(block: bytes) -> None:
    assert peak((block for _ in range(20_000)), SSEParser()) < 30_000


@pytest.mark.parametrize("piece", [b"x", "é".encode(), b"data: x\n", b"data\n", b"data:12345678\n"])
def test_rule_7_memory_is_what_is_pending(piece: bytes) -> None:
    count = 100_000
    parser = SSEParser(max_event_size=None)
    used = peak((piece for _ in range(count)), parser)

    assert used < 1.5 * count * len(piece) + 30_000
