"""Own what is asked of every client: behaviours, each a function from a client to a short text.

The text is a cell of the matrix in docs/clients.md: "yes", "n/a", the names of exceptions, or "no"
and what came instead.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from clients import PATIENCE, soon
from http_client_values import AnyClient, Client, public_name
from http_visits import Visit, cancel, followed, visit

from untorn import Event
from untorn.testing import HostileServer, Stream

WIRE = "id: 1\ndata: one\n\nid: 2\ndata: 火\n\n".encode()
FIRST = 17  # bytes of the first event
NEVER = 3_600.0  # seconds: what is to come then never does
BRIEF = 0.5  # seconds: a client's timeout, where it is to fire
TRANSFERS = ("chunked", "content-length", "close")
PROMISING = TRANSFERS[:2]  # those which tell the client how much is to come


def read(
    client: AnyClient, stream: Stream, *, take: int | None = None, timeout: float = PATIENCE
) -> Visit:
    """Serve a stream, and read it."""
    with HostileServer(stream) as server:
        return visit(client, server.url, take=take, timeout=timeout)


def verdict(got: object, expected: object) -> str:
    """Say "yes", or what came instead."""
    return "yes" if got == expected else f"no: {got!r}"


def first_event(client: AnyClient, *, gzip: bool = False) -> str:
    """An event is out before the next one is sent, however the body is transferred."""
    visits = [
        read(
            client,
            Stream(WIRE, cut=[FIRST], delay=NEVER, transfer=transfer, gzip=gzip),  # type: ignore[arg-type]
            take=1,
        )
        for transfer in TRANSFERS
    ]
    return verdict([(each.events, each.error) for each in visits], [(["one"], None)] * 3)


def zipped(client: AnyClient) -> str:
    """The same where the body is gzip."""
    whole = read(client, Stream(WIRE, gzip=True, piece=1))
    if whole.events != ["one", "火"]:
        return f"no: {whole}"
    return first_event(client, gzip=True)


@cache
def stalled(client: AnyClient) -> Visit:
    """Read a stream that stops inside its second event, and inside a character, for ever."""
    return read(client, Stream(WIRE, stop_at="character", stop="stall"), timeout=BRIEF)


def cut_character(client: AnyClient) -> str:
    """A read that ends inside a character comes as it is, and the events are right."""
    end = stalled(client).end
    half = end and end.tail and end.tail.undecoded
    dripped = read(client, Stream(WIRE, piece=1))
    return verdict((half, dripped.events, dripped.error), (b"\xe7\x81", ["one", "火"], None))


def timeout(client: AnyClient) -> str:
    """Nothing more comes: the client's own timeout ends it."""
    return raised(client, stalled(client))


def closed(client: AnyClient) -> str:
    """The connection closes before the body's end."""
    return raised(client, *dropped(client, "close", *PROMISING))


def reset(client: AnyClient) -> str:
    """The connection is reset."""
    return raised(client, *dropped(client, "reset", *PROMISING))


def reset_unmarked(client: AnyClient) -> str:
    """The connection is reset, and the body is one that only ends with the connection."""
    [got] = dropped(client, "reset", "close")
    if got.error is None:
        return verdict(tail_of(got), (["one"], "火")).replace("yes", "nothing")
    return raised(client, got)


def dropped(client: AnyClient, stop: str, *transfers: str) -> list[Visit]:
    """Read streams that stop inside their second event."""
    return [
        read(client, Stream(WIRE, stop_at="event", stop=stop, transfer=transfer))  # type: ignore[arg-type]
        for transfer in transfers
    ]


def raised(client: AnyClient, *visits: Visit) -> str:
    """Name what ended visits that had the first event before it, if ``follow`` would know it."""
    classes = dict.fromkeys(type(each.error) for each in visits if each.error is not None)
    for each in visits:
        if each.events != ["one"] or not isinstance(each.error, client.drops()):
            return f"no: {each}"
    # One that is a kind of another says no more to who catches that.
    widest = [kind for kind in classes if not {*kind.__mro__[1:]} & {*classes}]
    return ", ".join(public_name(client, kind) for kind in widest)


def tail_of(got: Visit) -> tuple[list[str], str | None]:
    """Give the events, and the data of the one that was not finished."""
    tail = got.end and got.end.tail
    return got.events, tail.event.data if tail and tail.event else None


def unfinished(client: AnyClient) -> str:
    """What stands at an end without a blank line is no event, and is not lost."""
    visits = [
        read(client, Stream(WIRE, stop_at="event", transfer=transfer))  # type: ignore[arg-type]
        for transfer in TRANSFERS
    ]
    return verdict([tail_of(each) for each in visits], [(["one"], "火")] * 3)


def left_early(client: AnyClient) -> str:
    """A ``break`` inside ``with`` leaves no open connection."""
    with HostileServer(Stream(WIRE, cut=[FIRST], delay=NEVER)) as server:
        got = visit(client, server.url, take=1)
        alone = soon(lambda: server.open_connections == 0)
    return verdict((got.events, got.error, alone), (["one"], None, True))


def cancelled(client: AnyClient) -> str:
    """A task that is cancelled while it waits for an event leaves no open connection."""
    if isinstance(client, Client):
        return "n/a"
    with HostileServer(Stream(WIRE, cut=[FIRST], delay=NEVER)) as server:
        return verdict(cancel(client, server), True)


SENT = [Event("one", id="é1"), Event("two", id="火2"), Event("three", id="3")]


def comes_back(client: AnyClient) -> str:
    """``follow`` comes back after drops, with the last event ID in UTF-8: each event comes once."""
    first = Stream(SENT, stop_at=40, stop="close", retry=0)
    with HostileServer(first, Stream(SENT, stop_at="event", stop="reset"), Stream(SENT)) as server:
        got = followed(client, server.url, len(SENT))
        asked = [request.last_event_id for request in server.requests]
    return verdict((got, asked), (["one", "two", "three"], ["", "é1", "火2"]))


WHAT_COMES: dict[str, Callable[[AnyClient], str]] = {
    "Event out before the next is sent": first_event,
    "The same with gzip": zipped,
    "Character cut by a read": cut_character,
    "Unfinished event in `tail`": unfinished,
    "`break` leaves no connection": left_early,
    "Cancelling leaves no connection": cancelled,
    "`follow` comes back": comes_back,
}
WHAT_IS_RAISED: dict[str, Callable[[AnyClient], str]] = {
    "Closed too early": closed,
    "Reset": reset,
    "Reset, and no length was told": reset_unmarked,
    "Read timeout": timeout,
}
