"""Own the way back: events, comments and reconnection times as the bytes of an event stream."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ._event import Event
from ._wire import block, carried, retry_line


def encode_events(events: Iterable[Event]) -> Iterator[bytes]:
    r"""Write events one by one, so that parsing gives back the same ones.

    The last event ID is carried along: an ``id`` line is written only where it changes, an empty
    one where an event takes it back. ``Event.encode`` writes one event for itself.

    Args:
        events: Events as a parser would give them, ``id`` being the last event ID as of the event.

    Raises:
        EncodeError: An event holds what a stream cannot carry: CR in data, CR or LF in event or id,
            NUL in id, half of a surrogate pair, or a retry that is no whole number of milliseconds.

    Example:
        >>> from untorn import Event, encode_events
        >>> list(encode_events([Event("one", id="7"), Event("two", id="7"), Event("three")]))
        [b'id: 7\ndata: one\n\n', b'data: two\n\n', b'id: \ndata: three\n\n']
    """
    last_event_id = ""
    for event in events:
        changed = event.id if event.id != last_event_id else None
        yield block(event.data, event=event.event, last_event_id=changed, retry=event.retry)
        last_event_id = event.id


def encode_comment(text: str) -> bytes:
    r"""Write a comment, which readers pass over: the usual way to keep a connection alive.

    Args:
        text: What follows the colon; each of its lines becomes a comment line.

    Raises:
        EncodeError: The text holds a CR or half of a surrogate pair.

    No blank line follows: many clients take one for an empty event.

    Example:
        >>> from untorn import encode_comment
        >>> encode_comment(" still thinking")
        b': still thinking\n'
    """
    return b":%s\n" % carried("comment", text, "\r").replace(b"\n", b"\n:")


def encode_retry(ms: int) -> bytes:
    r"""Write a reconnection time, in a block of its own, so that it belongs to no event.

    Args:
        ms: The time in milliseconds.

    Raises:
        EncodeError: It is negative or no whole number.

    Example:
        >>> from untorn import encode_retry
        >>> encode_retry(3000)
        b'retry: 3000\n\n'
    """
    return retry_line(ms) + b"\n"
