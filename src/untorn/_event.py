"""Own the event as a value: what a dispatch hands out; know nothing of how it was read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ._wire import block

# A name that checkers know. What only they need is not loaded: with typing, importing untorn takes
# 1.44 times as long as importing dataclasses, without it 1.26 (CPython 3.11, medians).
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar, overload

    T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Event:
    """Hold one dispatched event (HTML Standard, 9.2.6).

    Args:
        data: The data lines, joined with LF, without the last LF.
        event: The event type; "message" where the stream named none.
        id: The last event ID as of this event. It outlives the event that brought it.
        retry: The reconnection time in milliseconds that this event's own block gave, if any.

    Example:
        >>> from untorn import Event
        >>> Event('{"part": "火"}').json()
        {'part': '火'}
    """

    data: str
    event: str = "message"
    id: str = ""
    retry: int | None = None

    if TYPE_CHECKING:

        @overload
        def json(self, loads: None = None) -> Any: ...
        @overload
        def json(self, loads: Callable[[str], T]) -> T: ...

    def json(self, loads: Callable[[str], Any] | None = None) -> Any:
        """Parse ``data`` as JSON.

        Args:
            loads: What to parse with, such as ``orjson.loads``; the standard library's by default.
                The result has the type that it returns.

        Raises:
            ValueError: What ``json.loads`` (or the given function) raises on other text.
        """
        if loads is not None:
            return loads(self.data)
        # Here, and not above: who never asks for JSON does not pay for loading it.
        from json import loads as json_loads

        return json_loads(self.data)

    def encode(self) -> bytes:
        r"""Write the event as an event stream carries it, blank line included.

        An id of "" writes no ``id`` line. To write several events, where a later empty id has to
        take an earlier one back, use ``encode_events``.

        Raises:
            EncodeError: CR in data, CR or LF in event or id, NUL in id, half of a surrogate pair,
                or a retry that is no whole number of milliseconds.

        Example:
            >>> Event("one\ntwo", event="note", id="7").encode()
            b'event: note\nid: 7\ndata: one\ndata: two\n\n'
        """
        return block(self.data, event=self.event, last_event_id=self.id or None, retry=self.retry)


class EventDraft:
    """The form in which a parser fills an event, before it gives it the class ``Event``.

    The constructor of a frozen dataclass sets each field through ``object.__setattr__``: 400 ns an
    event, where this way takes 150 (CPython 3.11). The slots must be those of ``Event``.
    """

    __slots__ = ("data", "event", "id", "retry")
    data: str
    event: str
    id: str
    retry: int | None
