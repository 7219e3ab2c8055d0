"""Own the decoder for SDKs as docs/adopt.md shows it; tests hold the two together."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Generic, TypeVar

from untorn import Event, aiter_events, iter_events

T = TypeVar("T")


class Decoder(Generic[T]):
    def __init__(self, make: Callable[..., T]) -> None:
        self.make = make  # the SDK's own class of events

    def theirs(self, event: Event) -> T:
        kind = None if event.event == "message" else event.event
        return self.make(event=kind, data=event.data, id=event.id or None, retry=event.retry)

    def iter_bytes(self, iterator: Iterator[bytes]) -> Iterator[T]:
        with iter_events(iterator, tail="dispatch") as events:
            for event in events:
                yield self.theirs(event)

    async def aiter_bytes(self, iterator: AsyncIterator[bytes]) -> AsyncIterator[T]:
        async with aiter_events(iterator, tail="dispatch") as events:
            async for event in events:
                yield self.theirs(event)
