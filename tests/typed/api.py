"""The public surface as a type checker sees it; checked by mypy, never run."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

from typing_extensions import assert_type

from untorn import (
    AsyncEventStream,
    Chunk,
    DecodeError,
    Event,
    EventStream,
    SSEParser,
    StreamEnd,
    Tail,
    aiter_events,
    encode_comment,
    encode_events,
    encode_retry,
    iter_events,
)


class Message:
    @staticmethod
    def from_json(text: str) -> Message:
        raise NotImplementedError


def values(event: Event, end: StreamEnd, error: DecodeError) -> None:
    assert_type(event.data, str)
    assert_type(event.event, str)
    assert_type(event.id, str)
    assert_type(event.retry, int | None)
    assert_type(event.json(), Any)
    assert_type(event.json(Message.from_json), Message)
    assert_type(event.encode(), bytes)
    assert_type(end.tail, Tail | None)
    assert_type(error.events, tuple[Event, ...])
    event.data = ""  # type: ignore[misc]
    end.retry = None  # type: ignore[misc]


def parser(chunk: Chunk) -> None:
    parser = SSEParser(errors="strict", max_event_size=None, last_event_id="7", on_comment=print)
    assert_type(parser.feed(chunk), list[Event])
    assert_type(parser.close(), StreamEnd)
    assert_type(parser.end, StreamEnd | None)
    assert_type(parser.retry, int | None)
    parser.retry = 5  # type: ignore[misc]
    SSEParser(errors="ignore")  # type: ignore[arg-type]
    SSEParser("strict")  # type: ignore[call-arg]
    parser.feed("text")  # type: ignore[arg-type]
    parser.feed([b"bytes"])  # type: ignore[arg-type]


def iterators(chunks: Iterator[bytes], later: AsyncIterator[bytearray]) -> None:
    with iter_events(chunks, tail="raise") as stream:
        assert_type(stream, EventStream)
        for event in stream:
            assert_type(event, Event)
    assert_type(stream.end, StreamEnd | None)
    assert_type(aiter_events(later), AsyncEventStream)
    iter_events(chunks, tail="drop")  # type: ignore[arg-type]
    iter_events(later)  # type: ignore[arg-type]
    aiter_events(chunks)  # type: ignore[arg-type]


async def async_iterators(later: AsyncIterator[memoryview]) -> None:
    async with aiter_events(later) as stream:
        async for event in stream:
            assert_type(event, Event)
    await stream.aclose()


def encoding(events: list[Event]) -> None:
    assert_type(encode_events(events), Iterator[bytes])
    assert_type(encode_comment("x"), bytes)
    assert_type(encode_retry(5), bytes)
