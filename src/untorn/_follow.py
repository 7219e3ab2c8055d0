"""Own the public doors to a stream over many connections: follow and afollow, and what they give.

The two are alike but for ``await``; a test holds their public names together.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Generator, Iterator
from types import TracebackType

from ._event import Event
from ._parser import SSEParser
from ._reconnect import Reconnect
from ._rounds import AsyncConnection, Connection, Rounds, apause, arun, pause, run

TYPE_CHECKING = False  # a name that checkers know; see _event.py
if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable
    from contextlib import AbstractAsyncContextManager, AbstractContextManager


def _parser(last_event_id: str) -> SSEParser:
    return SSEParser(last_event_id=last_event_id)


def follow(
    connect: Callable[[dict[str, str]], AbstractContextManager[Connection]],
    *,
    drops: type[Exception] | tuple[type[Exception], ...] = OSError,
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
        drops: What your client raises where a connection breaks or does not come about: a class, or
            several, such as
            ``(httpx.NetworkError, httpx.TimeoutException, httpx.RemoteProtocolError)``; all else
            reaches you unchanged, so leave out what a mistake of yours raises.
        reconnect: The state, with options of your own.
        parser: Make the parser of a connection, given the last event ID that it is to start with;
            with ``remember`` that is one of ``Reconnect``'s own.
        sleep: Wait, for so many seconds; ``time.sleep`` by default. What it is called with is also
            how to see that a connection was lost.

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
    rounds = Rounds(drops, reconnect or Reconnect(), parser)
    return Following(run(rounds, connect, sleep or pause), rounds.state)


def afollow(
    connect: Callable[[dict[str, str]], AbstractAsyncContextManager[AsyncConnection]],
    *,
    drops: type[Exception] | tuple[type[Exception], ...] = OSError,
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
    rounds = Rounds(drops, reconnect or Reconnect(), parser)
    return AsyncFollowing(arun(rounds, connect, sleep or apause), rounds.state)


class Following(Iterator[Event]):
    """Iterate over the events of a stream over many connections; a context manager.

    Made by ``follow``. Leaving it closes the connection.
    """

    __slots__ = ("_events", "reconnect")

    def __init__(self, events: Generator[Event, None, None], reconnect: Reconnect) -> None:
        self._events = events
        self.reconnect: Reconnect = reconnect  #: The state, such as the last event ID.

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


class AsyncFollowing(AsyncIterator[Event]):
    """Iterate over the events of a stream over many connections; an async context manager.

    Made by ``afollow``. Leaving it closes the connection.
    """

    __slots__ = ("_events", "reconnect")

    def __init__(self, events: AsyncGenerator[Event, None], reconnect: Reconnect) -> None:
        self._events = events
        self.reconnect: Reconnect = reconnect  #: The state, such as the last event ID.

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
