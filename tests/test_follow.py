"""Following a stream over many connections, sync and async, through scripted failures."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted import ClientError, Script

import untorn
from untorn import (
    Connection,
    ContentTypeError,
    Event,
    EventTooLargeError,
    GaveUpError,
    Reconnect,
    SSEParser,
    StatusError,
    afollow,
    encode_events,
    follow,
)

Got = tuple[list[Event], "BaseException | None"]
Way = Callable[..., Got]


def sync_way(script: Script, **options: Any) -> Got:
    got: list[Event] = []
    with follow(script.connect, sleep=script.waits.append, **options) as events:
        try:
            got.extend(iter_all(events, got))
        except Exception as error:
            return got, error
    return got, None


def iter_all(events: Iterator[Event], got: list[Event]) -> Iterator[Event]:
    """Note each event as it comes, since one that is followed by an error must not be lost."""
    for event in events:
        got.append(event)
    yield from ()


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


BOTH = pytest.mark.parametrize("way", [sync_way, async_way])
ONE, TWO = b"id: 1\ndata: one\n\n", b"id: 2\ndata: two\n\n"


@BOTH
def test_what_was_lost_is_asked_for_again(way: Way) -> None:
    script = Script([[b"retry: 20\n", ONE + TWO[:8]], OSError("no route"), [TWO, OSError()], 204])
    got, error = way(script, reconnect=Reconnect(random=lambda: 0.5, backoff=100))

    assert [event.data for event in got] == ["one", "two"]
    assert (error, script.asked) == (None, ["", "1", "1", "2"])
    assert script.waits == [0.02, 0.07, 0.02]
    assert script.closed == 3


@BOTH
def test_no_content_is_the_end(way: Way) -> None:
    script = Script([204])
    assert way(script) == ([], None)
    assert (script.waits, script.closed) == ([], 1)


@BOTH
def test_another_status_or_type_is_an_error(way: Way) -> None:
    got, error = way(Script([[ONE], 500]))
    assert [event.data for event in got] == ["one"]
    assert isinstance(error, StatusError)
    assert error.status == 500


def test_another_type_is_an_error() -> None:
    @contextmanager
    def connect(headers: dict[str, str]) -> Iterator[Connection]:
        yield Connection([b"<html>"], content_type="text/html")

    with follow(connect) as events, pytest.raises(ContentTypeError, match="'text/html'"):
        next(events)


@BOTH
def test_what_the_client_raises_is_named_or_passes(way: Way) -> None:
    fault = ClientError("broken")
    got, error = way(Script([[ONE, fault], [TWO]]))
    assert ([event.data for event in got], error) == (["one"], fault)

    script = Script([[ONE, fault], fault, [TWO]])
    got, error = way(script, drops=(ClientError,))
    assert ([event.data for event in got], error) == (["one", "two"], None)
    assert script.asked == ["", "1", "1", "2"]


@BOTH
def test_an_event_over_the_limit_is_not_fetched_again_and_again(way: Way) -> None:
    script = Script([[ONE + b"data: " + b"x" * 50 + b"\n\n"], [TWO]])
    got, error = way(script, parser=lambda last: SSEParser(max_event_size=20))

    assert [event.data for event in got] == ["one"]
    assert isinstance(error, EventTooLargeError)
    assert script.asked == [""]


@BOTH
def test_giving_up_has_the_last_fault_as_its_cause(way: Way) -> None:
    faults = [OSError(number) for number in range(3)]
    got, error = way(Script([*faults]), reconnect=Reconnect(max_attempts=3))

    assert got == []
    assert isinstance(error, GaveUpError)
    assert error.__cause__ is faults[2]


@BOTH
def test_the_parser_is_made_with_the_last_id(way: Way) -> None:
    made: list[str] = []

    def parser(last_event_id: str) -> SSEParser:
        made.append(last_event_id)
        return SSEParser(last_event_id=last_event_id)

    got, _ = way(
        Script([[ONE], [b"data: more\n\n"]]),
        parser=parser,
        reconnect=Reconnect(last_event_id="0"),
    )
    assert made == ["0", "1", "1"]
    assert got == [Event("one", id="1"), Event("more", id="1")]


@BOTH
def test_events_that_come_again_are_dropped_where_the_caller_asks_for_it(way: Way) -> None:
    again = [[ONE], [ONE + TWO], [b"data: more\n\n" + TWO]]
    got, _ = way(Script([*again]))
    assert [event.id for event in got] == ["1", "1", "2", "2", "2"]
    got, _ = way(Script([*again]), reconnect=Reconnect(remember=10))
    assert got == [Event("one", id="1"), Event("two", id="2"), Event("more", id="2")]


@BOTH
def test_an_id_without_an_event_and_an_empty_event_count(way: Way) -> None:
    script = Script([[b"id: 5\n\n"], [b"id: 6\ndata\n\n"], [b"id: 7\ndata: cut"]])
    got, _ = way(script)

    assert got == [Event("", id="6")]
    assert script.asked == ["", "5", "6", "6"]


def test_an_event_that_the_caller_is_not_done_with_is_not_delivered() -> None:
    script = Script([[ONE + TWO]])
    with follow(script.connect) as events:
        for event in events:
            if event.id == "2":
                break
    assert events.reconnect.last_event_id == "1"
    assert script.closed == 1
    assert list(events) == []


def test_leaving_the_block_closes_the_connection_asynchronously() -> None:
    async def main() -> None:
        script = Script([[ONE, TWO]])
        async with afollow(script.aconnect) as events:
            assert (await anext(events)).id == "1"
            assert script.closed == 0
        assert script.closed == 1
        assert [event async for event in events] == []

    asyncio.run(main())


def test_a_cancelled_task_closes_the_connection() -> None:
    async def main() -> Script:
        script = Script([[ONE], [TWO]])
        waiting = asyncio.Event()

        async def sleep(seconds: float) -> None:
            waiting.set()
            await asyncio.sleep(3_600)

        async def read() -> None:
            async with afollow(script.aconnect, sleep=sleep) as events:
                async for _ in events:
                    pass

        task = asyncio.create_task(read())
        await waiting.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return script

    assert asyncio.run(main()).closed == 1


def test_the_clocks_of_the_standard_library_are_the_default() -> None:
    script = Script([[b"retry: 1\n" + ONE]])
    assert [event.id for event in follow(script.connect)] == ["1"]

    async def main() -> list[str]:
        again = Script([[b"retry: 1\n" + ONE]])
        return [event.id async for event in afollow(again.aconnect)]

    assert asyncio.run(main()) == ["1"]


def test_both_have_the_same_public_names() -> None:
    def names(kind: type) -> set[str]:
        return {name.removeprefix("a") for name in vars(kind) if not name.startswith("_")}

    assert names(untorn.Following) == names(untorn.AsyncFollowing)


SENT = [Event(f"event {number}", id=str(number)) for number in range(1, 9)]
FAULTS = st.one_of(
    st.just("refused"), st.tuples(st.sampled_from(["ends", "drops"]), st.integers(0, 220))
)


# Of bodies that are cut within their first line.
@pytest.mark.filterwarnings("ignore:the stream had bytes:RuntimeWarning")
@settings(max_examples=max(3_000, settings().max_examples))
@given(
    st.lists(FAULTS, max_size=12),
    st.sampled_from([1, 3, 7, 500]),
    st.sampled_from(["resumes", "sends the last one again", "sends all again"]),
    st.sampled_from([sync_way, async_way]),
)
def test_every_event_with_an_id_arrives_once_and_in_order(
    faults: list[Any], size: int, server: str, way: Way
) -> None:
    """A server that has all events; connections that are refused, end or drop anywhere."""

    class Server(Script):
        def _step(self, headers: dict[str, str]) -> tuple[list[Any], int]:
            last = headers.get("Last-Event-ID", "0")
            self.asked.append(last)
            if int(last) == len(SENT):
                return [], 204
            first = {"resumes": int(last), "sends all again": 0}.get(server, max(int(last) - 1, 0))
            wire = b"".join(encode_events(SENT[first:]))
            fault = faults.pop(0) if faults else ("ends", len(wire))
            if fault == "refused":
                raise OSError("refused")
            wire = wire[: fault[1]]
            reads: list[Any] = [wire[at : at + size] for at in range(0, len(wire), size)]
            return [*reads, *([OSError("dropped")] if fault[0] == "drops" else [])], 200

    script = Server([])
    remember = 0 if server == "resumes" else len(SENT)
    got, error = way(script, reconnect=Reconnect(remember=remember))

    assert (got, error) == (SENT, None)
    assert script.asked == sorted(script.asked)
