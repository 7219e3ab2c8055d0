"""Own the loops over many connections, sync and async: what to open, hand out, take and raise.

Both are the same steps around one ``Reconnect`` and differ in ``await`` alone.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator, Iterable
from dataclasses import dataclass

from ._errors import UntornError
from ._event import Event
from ._iterate import AsyncEventStream, EventStream, aopened, opened
from ._loops import Reading
from ._parser import Chunk, SSEParser
from ._reconnect import Again, Reconnect, Stop

TYPE_CHECKING = False  # a name that checkers know; see _event.py
if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Awaitable
    from contextlib import AbstractAsyncContextManager, AbstractContextManager


@dataclass(frozen=True, slots=True, eq=False)  # an iterator is equal to itself alone
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


if TYPE_CHECKING:

    @dataclass(frozen=True, slots=True, eq=False)
    class AsyncConnection:
        """Hold what following asynchronously needs to know of a response."""

        chunks: AsyncIterable[Chunk]
        status: int = 200
        content_type: str | None = "text/event-stream"

else:
    # To make one more dataclass takes 2 of the 100 parts of `import untorn`.
    class AsyncConnection(Connection):
        """Hold what following asynchronously needs to know of a response, as ``Connection`` does.

        Args:
            chunks: The reads of its body, as they arrive: an asynchronous iterable.
            status: The HTTP status.
            content_type: The ``Content-Type`` that it says it has; None for none.
        """

        __slots__ = ()


class Rounds:
    """Hold what both loops share, one connection after another.

    Apart from the objects that callers hold, so that one that goes out of use is freed, and its
    connection closed, without waiting for a garbage collection.

    Args:
        drops: What a broken connection raises.
        state: What to do next.
        make_parser: Make a parser that starts with an ID.
    """

    __slots__ = ("_answer", "_drops", "_make_parser", "_parser", "handed_out", "state")

    def __init__(
        self,
        drops: type[Exception] | tuple[type[Exception], ...],
        state: Reconnect,
        make_parser: Callable[[str], SSEParser],
    ) -> None:
        self._drops = UntornError, drops
        self.state = state
        self._make_parser = make_parser

    def begin(self) -> None:
        """Make ready for the next connection."""
        self._answer: Again | Stop | None = None
        self.handed_out = False  # whether the caller holds an event that it is not done with
        self._parser = self._make_parser(self.state.parser_id)
        if self._parser.last_event_id != self.state.parser_id:
            raise ValueError("parser= must start with the last event ID that it is called with")

    def events(self, connection: Connection) -> EventStream:
        """Give the events of a connection; none of one that is refused."""
        return opened(() if self._refuses(connection) else connection.chunks, self._reading())

    def aevents(self, connection: AsyncConnection) -> AsyncEventStream:
        """Do what ``events`` does, asynchronously."""
        chunks = _Nothing() if self._refuses(connection) else connection.chunks
        return aopened(chunks, self._reading())

    def takes(self, error: BaseException) -> bool:
        """Tell whether what came out of a connection is a matter of connecting again."""
        if self.handed_out:
            return False  # the caller has left, and this came of closing
        if self._answer is None:
            self.state.read(self._parser)  # all events that came before an error were given
        if not isinstance(error, self._drops):
            return False
        self._answer = self._answer or self.state.dropped(error)
        return True

    def next(self) -> Again | None:
        """Say when and with what to connect again; None where it is the end."""
        answer, self._answer = self._answer, None
        if answer is None:
            self.state.read(self._parser)
            answer = self.state.ended()
        if isinstance(answer, Again):
            return answer
        if answer.error is not None:
            raise answer.error
        return None

    def _refuses(self, connection: Connection | AsyncConnection) -> bool:
        self._answer = self.state.opened(connection.status, connection.content_type)
        return self._answer is not None

    def _reading(self) -> Reading:
        return Reading(self._parser, "discard", warns=False)


def run(
    rounds: Rounds,
    connect: Callable[[dict[str, str]], AbstractContextManager[Connection]],
    sleep: Callable[[float], object],
) -> Generator[Event, None, None]:
    headers = rounds.state.begin()
    while True:
        rounds.begin()
        try:
            yield from _delivery(rounds, connect, headers)
        except BaseException as error:
            if not rounds.takes(error):
                raise
        again = rounds.next()
        if again is None:
            return
        sleep(again.delay / 1_000)
        headers = rounds.state.begin()


def _delivery(
    rounds: Rounds,
    connect: Callable[[dict[str, str]], AbstractContextManager[Connection]],
    headers: dict[str, str],
) -> Generator[Event, None, None]:
    with connect(headers) as connection, rounds.events(connection) as events:
        for given in events:
            event = rounds.state.accept(given)
            if event is not None:
                rounds.handed_out = True
                yield event
                rounds.handed_out = False
                rounds.state.delivered(event)


async def arun(
    rounds: Rounds,
    connect: Callable[[dict[str, str]], AbstractAsyncContextManager[AsyncConnection]],
    sleep: Callable[[float], Awaitable[object]],
) -> AsyncGenerator[Event, None]:
    headers = rounds.state.begin()
    while True:
        rounds.begin()
        delivery = _adelivery(rounds, connect, headers)
        try:
            async for event in delivery:
                yield event
        except BaseException as error:
            if not rounds.takes(error):
                raise
        finally:
            await delivery.aclose()  # "async for" leaves it open, where it is left itself
        again = rounds.next()
        if again is None:
            return
        await sleep(again.delay / 1_000)
        headers = rounds.state.begin()


async def _adelivery(
    rounds: Rounds,
    connect: Callable[[dict[str, str]], AbstractAsyncContextManager[AsyncConnection]],
    headers: dict[str, str],
) -> AsyncGenerator[Event, None]:
    async with connect(headers) as connection, rounds.aevents(connection) as events:
        async for given in events:
            event = rounds.state.accept(given)
            if event is not None:
                rounds.handed_out = True
                yield event
                rounds.handed_out = False
                rounds.state.delivered(event)


class _Nothing:
    """Be the reads of a response that is not read."""

    def __aiter__(self) -> _Nothing:
        return self

    async def __anext__(self) -> Chunk:
        raise StopAsyncIteration


def pause(seconds: float) -> None:
    """Wait; loading a clock is for those who do."""
    from time import sleep

    sleep(seconds)


async def apause(seconds: float) -> None:
    """Wait on asyncio's loop."""
    from asyncio import sleep

    await sleep(seconds)
