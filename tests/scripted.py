"""Own a server and a client of it that do what a script says, for tests of what comes back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any

from untorn import AsyncConnection, Connection, Event, afollow, follow


class ClientError(Exception):
    """What a client raises that derives from nothing of use."""


@dataclass
class Script:
    """A server, and a client of it, that do what they are told to, connection by connection.

    A step is a body in reads, which may hold an exception; an exception, raised while connecting;
    or a status. What is asked for, how long is waited, and what is closed, is noted.
    """

    steps: list[Any]
    asked: list[str] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    closed: int = 0
    closing: list[Exception | None] = field(default_factory=list)  # what closing raises

    def _close(self) -> None:
        self.closed += 1
        fault = self.closing.pop(0) if self.closing else None
        if fault is not None:
            raise fault

    def _step(self, headers: dict[str, str]) -> tuple[list[Any], int]:
        self.asked.append(headers.get("Last-Event-ID", ""))
        step = self.steps.pop(0) if self.steps else 204
        if isinstance(step, Exception):
            raise step
        return (step, 200) if isinstance(step, list) else ([], step)

    @contextmanager
    def connect(self, headers: dict[str, str]) -> Iterator[Connection]:
        body, status = self._step(headers)
        try:
            yield Connection(map(_raised, body), status)
        finally:
            self._close()

    @asynccontextmanager
    async def aconnect(self, headers: dict[str, str]) -> AsyncIterator[AsyncConnection]:
        body, status = self._step(headers)

        async def reads() -> AsyncIterator[bytes]:
            for part in body:
                yield _raised(part)

        try:
            yield AsyncConnection(reads(), status)
        finally:
            self._close()

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)


def _raised(part: Any) -> bytes:
    if isinstance(part, Exception):
        raise part
    assert isinstance(part, bytes)
    return part


Got = tuple[list[Event], "BaseException | None"]
Way = Callable[..., Got]


def sync_way(script: Script, **options: Any) -> Got:
    got: list[Event] = []
    with follow(script.connect, sleep=script.waits.append, **options) as events:
        try:
            for event in events:
                got.append(event)  # one by one: an error must not take those before it along
        except Exception as error:
            return got, error
    return got, None


def async_way(script: Script, **options: Any) -> Got:
    async def main() -> Got:
        got: list[Event] = []
        async with afollow(script.aconnect, sleep=script.sleep, **options) as events:
            try:
                async for event in events:
                    got.append(event)
            except Exception as error:
                return got, error
        return got, None

    return asyncio.run(main())
