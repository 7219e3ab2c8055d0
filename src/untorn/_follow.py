"""Own the loops that follow a stream over many connections: ``Reconnect`` says what, they do it.

The two are alike but for ``await``; a test holds their public names together.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from types import TracebackType

from ._errors import UntornError
from ._event import Event
from ._iterate import aiter_events, iter_events
from ._parser import Chunk, SSEParser
from ._reconnect import Again, Reconnect, Stop

TYPE_CHECKING = False  # a name that checkers know; see _event.py
if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable
    from contextlib import AbstractAsyncContextManager, AbstractContextManager


@dataclass(frozen=True, slots=True)
class Connection:
    """Hold what following needs to know of a response.

    Args:
        chunks: The reads of its body, as they arrive.
        status: The HTTP status.
        content_type: The ``Content-Type`` that it says it has; None for none.
    """

    chunks: Iterable[Chunk]
    status: int = 200
    content_type: str | None = "text/event-stream"


@dataclass(frozen=True, slots=True)
class AsyncConnection:
    """Hold what following asynchronously needs to know of a response, as ``Connection`` does."""

    chunks: AsyncIterable[Chunk]
    status: int = 200
    content_type: str | None = "text/event-stream"


def _parser(last_event_id: str) -> SSEParser:
    return SSEParser(last_event_id=last_event_id)


def follow(
    connect: Callable[[dict[str, str]], AbstractContextManager[Connection]],
    *,
    drops: tuple[type[Exception], ...] = (OSError,),
    reconnect: Reconnect | None = None,
    parser: Callable[[str], SSEParser] = _parser,
    sleep: Callable[[float], object] | None = None,
) -> Following:
    r"""Iterate over the events of a stream that is opened again when it ends or drops.

    What asks for something anew each time must not be followed: an LLM would be asked, and paid,
    once more. Follow what a GET gives, and what a server can resume.

    Args:
        connect: Open the stream: a function from headers to a context manager that gives the
            ``Connection`` and closes it.
        drops: What your client raises where a connection breaks or does not come about, such as
            ``(httpx.TransportError,)``; all else reaches you unchanged.
        reconnect: The state, with options of your own.
        parser: Make the parser of a connection, given the last event ID.
        sleep: Wait, for so many seconds; ``time.sleep`` by default.

    While iterating: ``StatusError`` and ``ContentTypeError`` for a response that is no event stream
    (status 204 is the end), ``GaveUpError`` where ``max_attempts`` is set, and what the parser
    raises, such as ``EventTooLargeError``: the same event would come again.

    Example:
        >>> from contextlib import contextmanager
        >>> from untorn import Connection, Reconnect, follow
        >>> bodies = [[b"retry: 0\nid: 1\ndata: one\n\nid: 2\nda"], [b"id: 2\ndata: two\n\n"]]
        >>> @contextmanager
        ... def connect(headers):
        ...     print("last event ID:", headers.get("Last-Event-ID"))
        ...     yield Connection(bodies.pop(0)) if bodies else Connection([], status=204)
        >>> with follow(connect) as events:
        ...     for event in events:
        ...         print(event.data)
        last event ID: None
        one
        last event ID: 1
        two
        last event ID: 2
    """
    return Following(connect, drops, reconnect or Reconnect(), parser, sleep)


def afollow(
    connect: Callable[[dict[str, str]], AbstractAsyncContextManager[AsyncConnection]],
    *,
    drops: tuple[type[Exception], ...] = (OSError,),
    reconnect: Reconnect | None = None,
    parser: Callable[[str], SSEParser] = _parser,
    sleep: Callable[[float], Awaitable[object]] | None = None,
) -> AsyncFollowing:
    """Iterate over the events of a stream that is opened again, asynchronously.

    All that ``follow`` says holds, with ``async with``, ``async for`` and ``aclose``.

    Args:
        connect: A function from headers to an asynchronous context manager that gives the
            ``AsyncConnection`` and closes it.
        drops: What your client raises where a connection breaks or does not come about.
        reconnect: The state, with options of your own.
        parser: Make the parser of a connection, given the last event ID.
        sleep: Wait, for so many seconds; ``asyncio.sleep`` by default.
    """
    return AsyncFollowing(connect, drops, reconnect or Reconnect(), parser, sleep)


class Following(Iterator[Event]):
    """Iterate over the events of a stream over many connections; a context manager.

    Made by ``follow``. Leaving it closes the connection.
    """

    __slots__ = ("_answer", "_connect", "_drops", "_events", "_parser", "_sleep", "reconnect")

    def __init__(
        self,
        connect: Callable[[dict[str, str]], AbstractContextManager[Connection]],
        drops: tuple[type[Exception], ...],
        reconnect: Reconnect,
        parser: Callable[[str], SSEParser],
        sleep: Callable[[float], object] | None,
    ) -> None:
        self._connect = connect
        self._drops: tuple[type[Exception], ...] = (UntornError, *drops)
        self.reconnect = reconnect  #: The state, such as the last event ID.
        self._parser = parser
        self._sleep = sleep
        self._answer: Again | Stop = Stop("nothing was read yet")
        self._events = self._run()

    def close(self) -> None:
        """Stop here, and close the connection. Further iteration gives nothing."""
        self._events.close()

    def __next__(self) -> Event:
        return next(self._events)

    def __enter__(self) -> Following:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _run(self) -> Generator[Event, None, None]:
        headers = self.reconnect.headers
        while True:
            yield from self._read(headers)
            answer = self._answer
            if isinstance(answer, Stop):
                if answer.error is not None:
                    raise answer.error
                return
            self._wait(answer.delay / 1_000)
            headers = answer.headers

    def _read(self, headers: dict[str, str]) -> Generator[Event, None, None]:
        """Give the events of one connection, and note what to do after it."""
        state = self.reconnect
        parser = self._parser(state.parser_id)
        try:
            with self._connect(headers) as connection:
                refused = state.opened(connection.status, connection.content_type)
                if refused is not None:
                    self._answer = refused
                    return
                with iter_events(connection.chunks, parser=parser) as events:
                    for given in events:
                        event = state.accept(given)
                        if event is not None:
                            yield event
                            state.delivered(event)
        except self._drops as error:
            state.read(parser)  # all events that came before an error have been given
            self._answer = state.dropped(error)
            return
        state.read(parser)
        self._answer = state.ended()

    def _wait(self, seconds: float) -> None:
        if self._sleep is None:
            from time import sleep

            self._sleep = sleep
        self._sleep(seconds)


class AsyncFollowing(AsyncIterator[Event]):
    """Iterate over the events of a stream over many connections; an async context manager.

    Made by ``afollow``. Leaving it closes the connection.
    """

    __slots__ = ("_answer", "_connect", "_drops", "_events", "_parser", "_sleep", "reconnect")

    def __init__(
        self,
        connect: Callable[[dict[str, str]], AbstractAsyncContextManager[AsyncConnection]],
        drops: tuple[type[Exception], ...],
        reconnect: Reconnect,
        parser: Callable[[str], SSEParser],
        sleep: Callable[[float], Awaitable[object]] | None,
    ) -> None:
        self._connect = connect
        self._drops: tuple[type[Exception], ...] = (UntornError, *drops)
        self.reconnect = reconnect  #: The state, such as the last event ID.
        self._parser = parser
        self._sleep = sleep
        self._answer: Again | Stop = Stop("nothing was read yet")
        self._events = self._run()

    async def aclose(self) -> None:
        """Stop here, and close the connection. Further iteration gives nothing."""
        await self._events.aclose()

    async def __anext__(self) -> Event:
        return await anext(self._events)

    async def __aenter__(self) -> AsyncFollowing:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def _run(self) -> AsyncGenerator[Event, None]:
        headers = self.reconnect.headers
        while True:
            reading = self._read(headers)
            try:
                async for event in reading:
                    yield event
            finally:
                await reading.aclose()  # "async for" leaves it open, where it is left itself
            answer = self._answer
            if isinstance(answer, Stop):
                if answer.error is not None:
                    raise answer.error
                return
            await self._wait(answer.delay / 1_000)
            headers = answer.headers

    async def _read(self, headers: dict[str, str]) -> AsyncGenerator[Event, None]:
        """Give the events of one connection, and note what to do after it."""
        state = self.reconnect
        parser = self._parser(state.parser_id)
        try:
            async with self._connect(headers) as connection:
                refused = state.opened(connection.status, connection.content_type)
                if refused is not None:
                    self._answer = refused
                    return
                async with aiter_events(connection.chunks, parser=parser) as events:
                    async for given in events:
                        event = state.accept(given)
                        if event is not None:
                            yield event
                            state.delivered(event)
        except self._drops as error:
            state.read(parser)
            self._answer = state.dropped(error)
            return
        state.read(parser)
        self._answer = state.ended()

    async def _wait(self, seconds: float) -> None:
        if self._sleep is None:
            from asyncio import sleep

            self._sleep = sleep
        await self._sleep(seconds)
