"""Own whether, when and with what to connect again; know no clock, no sleep and no client.

The rules are those of section 9.2.3 of the HTML Standard, where a stream that ends or drops is
opened again after its reconnection time, and any status but 200, or another type, is the end. The
standard lets a client wait longer if it fails again and again: that is the backoff here.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from ._errors import ContentTypeError, GaveUpError, StatusError, UntornError
from ._event import Event
from ._http import check_content_type, request_headers
from ._parser import SSEParser

RETRY = 3_000  # ms: "a few seconds", says the standard
BACKOFF = 1_000  # ms
MAX_DELAY = 60_000  # ms
NO_CONTENT = 204
# An ID that no stream can set, since one with NUL is ignored: an event that carries it has none of
# its own from this connection.
INHERITED = "\0"


@dataclass(frozen=True, slots=True)
class Again:
    """Say: connect again.

    Args:
        delay: After so many milliseconds.
        headers: With these.
    """

    delay: int
    headers: dict[str, str]


@dataclass(frozen=True, slots=True)
class Stop:
    """Say: do not connect again.

    Args:
        reason: Why, in words.
        error: What to raise for it; None where the server wanted it so.
    """

    reason: str
    error: BaseException | None = None


class Reconnect:
    r"""Keep what a client has to know between two connections, and say what to do after each.

    Tell it what happens: ``begin`` before each connection, ``opened`` when a response has come,
    ``accept`` and ``delivered`` for each event, ``read`` when all events that the parser gave are
    delivered, and ``ended`` or ``dropped`` at last. ``follow`` and ``afollow`` do so.

    Args:
        last_event_id: Where to go on, from an earlier run.
        retry: The reconnection time until the server gives one, in milliseconds.
        backoff: How much longer than that to wait at most, in milliseconds, after a connection that
            delivered nothing; it doubles with each further one in a row, and chance takes from none
            to all of it ("full jitter").
        max_delay: Where the doubling ends, in milliseconds; a server may ask for more.
        max_attempts: After how many connections in a row that delivered nothing to give up.
        retry_statuses: Statuses that are worth another try, such as (429, 502, 503, 504); the
            standard has none.
        remember: Of how many event IDs, the last ones, to know that earlier connections delivered
            them, so that a server that sends them again after a resume does no harm; at least as
            many as it may send again.
        random: What gives chance, from 0 up to 1.

    Raises:
        ValueError: A number is less than it can be.

    Example:
        >>> from untorn import Event, Reconnect
        >>> state = Reconnect(random=lambda: 0.5)
        >>> state.opened(200, "text/event-stream")
        >>> state.delivered(Event("hello", id="7"))
        >>> again = state.ended()
        >>> again.delay, again.headers["Last-Event-ID"]
        (3000, '7')
        >>> state.opened(204)
        Stop(reason='the server wants no more connections: status 204', error=None)
    """

    __slots__ = (
        *("_backoff", "_delivered", "_delivers", "_max_attempts", "_max_delay", "_random"),
        *("_remember", "_repeating", "_retry_statuses", "_skip", "attempts", "last_event_id"),
        "retry",
    )

    def __init__(
        self,
        *,
        last_event_id: str = "",
        retry: int = RETRY,
        backoff: int = BACKOFF,
        max_delay: int = MAX_DELAY,
        max_attempts: int | None = None,
        retry_statuses: Collection[int] = (),
        remember: int = 0,
        random: Callable[[], float] | None = None,
    ) -> None:
        for number in (retry, backoff, max_delay, remember):
            if number < 0:
                raise ValueError(f"retry, backoff, max_delay, remember must be >= 0, not {number}")
        if max_attempts is not None and max_attempts < 1:
            raise ValueError(f"max_attempts must be at least 1, or None, not {max_attempts}")
        self.last_event_id: str = last_event_id  #: Of the last event that was delivered.
        self.retry: int = retry  #: The reconnection time, in milliseconds.
        self.attempts: int = 0  #: How many connections in a row have delivered nothing.
        self._backoff = backoff
        self._max_delay = max_delay
        self._max_attempts = max_attempts
        self._retry_statuses = frozenset(retry_statuses)
        self._remember = remember
        self._random = random
        self._delivers = False  # whether this connection has delivered an event
        self._repeating = False  # whether its last event was one that came before
        # Of each ID how many events were delivered, the latest last; and how many are to be skipped
        # if this connection sends them again.
        self._delivered: OrderedDict[str, int] = OrderedDict()
        self._skip: dict[str, int] = {}
        self._note(last_event_id)

    @property
    def headers(self) -> dict[str, str]:
        """The headers for the next request."""
        return request_headers(self.last_event_id)

    @property
    def parser_id(self) -> str:
        """The last event ID for the parser of the next connection to start with.

        With ``remember`` it is one that no stream can set, so that ``accept`` can tell an event
        without an ID of its own.
        """
        return INHERITED if self._remember else self.last_event_id

    def begin(self) -> dict[str, str]:
        """Say that a connection begins, and give the headers to ask with."""
        self._delivers = self._repeating = False
        return self.headers

    def opened(
        self, status: int = 200, content_type: str | None = "text/event-stream"
    ) -> Again | Stop | None:
        """Take the head of a response, after redirects, which are the client's.

        Args:
            status: The HTTP status.
            content_type: The type that it says it has; None for none.

        Returns:
            What to do instead of reading it; None to read it.
        """
        self.begin()
        self._skip = dict(self._delivered)
        if status == NO_CONTENT:
            return Stop("the server wants no more connections: status 204")
        if status in self._retry_statuses:
            return self._again(StatusError(status))
        if status != 200:
            return _stop(StatusError(status))
        try:
            check_content_type(content_type)
        except ContentTypeError as error:
            return _stop(error)
        return None

    def accept(self, event: Event) -> Event | None:
        """Give the event to deliver; None for one that an earlier connection delivered.

        Of each ID as many are passed over as were delivered. An event without an ID of its own
        has that of the one before it.

        Args:
            event: What the parser gave.
        """
        if not self._remember:
            return event
        if event.id == INHERITED:
            return replace(event, id=self.last_event_id)
        left = self._skip.get(event.id, 0)
        self._repeating = left > 0
        if self._repeating:
            self._skip[event.id] = left - 1
            return None
        return event

    def delivered(self, event: Event) -> None:
        """Note that the caller is done with an event: only then does its ID count.

        Args:
            event: What ``accept`` gave.
        """
        self._delivers = True
        self.attempts = 0
        if event.id != INHERITED:
            self.last_event_id = event.id
        self._note(self.last_event_id)

    def read(self, parser: SSEParser) -> None:
        """Take over what no event carries, when all events that the parser gave are delivered.

        That is the reconnection time, and the ID of a block without data.

        Args:
            parser: The parser of this connection.
        """
        if parser.retry is not None:
            self.retry = parser.retry
        # What comes among events that came before may have come before as well.
        if parser.last_event_id != INHERITED and not self._repeating:
            self.last_event_id = parser.last_event_id

    def ended(self) -> Again | Stop:
        """Say what to do after a stream that ended, as streams do."""
        return self._again(None)

    def dropped(self, error: BaseException | None = None) -> Again | Stop:
        """Say what to do after a connection that broke, or never came about.

        Args:
            error: What was raised. What the parser raises is no reason to try again: the same
                event would come, and be too large once more.
        """
        return _stop(error) if isinstance(error, UntornError) else self._again(error)

    def _note(self, last_event_id: str) -> None:
        if self._remember and last_event_id:
            self._delivered[last_event_id] = self._delivered.get(last_event_id, 0) + 1
            self._delivered.move_to_end(last_event_id)
            if len(self._delivered) > self._remember:
                self._delivered.popitem(last=False)

    def _again(self, error: BaseException | None) -> Again | Stop:
        self.attempts += not self._delivers
        self._delivers = False
        if self._max_attempts is not None and self.attempts >= self._max_attempts:
            gave_up = GaveUpError(self.attempts)
            gave_up.__cause__ = error
            return Stop(str(gave_up), gave_up)
        window = 0
        if self.attempts:
            doubled = self._backoff << min(self.attempts - 1, 32)
            window = min(doubled, max(self._max_delay - self.retry, 0))
        return Again(self.retry + int(self._chance() * window), self.headers)

    def _chance(self) -> float:
        if self._random is None:
            from random import random  # costs as much as all of `import untorn`

            self._random = random
        return self._random()


def _stop(error: UntornError) -> Stop:
    return Stop(str(error), error)
