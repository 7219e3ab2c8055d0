"""Following a stream over many connections, sync and async, through scripted failures."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from scripted import ClientError, Script, Way, async_way, sync_way

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
    follow,
)
from untorn._rounds import apause, pause

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
@pytest.mark.parametrize("drops", [(ClientError,), ClientError, (KeyError, ClientError)])
def test_what_the_client_raises_is_named_or_passes(way: Way, drops: object) -> None:
    fault = ClientError("broken")
    got, error = way(Script([[ONE, fault], [TWO]]))
    assert ([event.data for event in got], error) == (["one"], fault)

    script = Script([[ONE, fault], fault, [TWO]])
    got, error = way(script, drops=drops)
    assert ([event.data for event in got], error) == (["one", "two"], None)
    assert script.asked == ["", "1", "1", "2"]


@BOTH
def test_an_event_over_the_limit_is_not_fetched_again_and_again(way: Way) -> None:
    script = Script([[ONE + b"data: " + b"x" * 50 + b"\n\n"], [TWO]])
    got, error = way(script, parser=lambda last: SSEParser(last_event_id=last, max_event_size=20))

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


# What closing a connection raises.


@BOTH
def test_what_closing_raises_is_a_drop_after_the_stream(way: Way) -> None:
    script = Script([[ONE], [TWO]], closing=[OSError("late"), None])
    got, error = way(script)
    assert ([event.id for event in got], error) == (["1", "2"], None)
    assert script.asked == ["", "1", "2"]


@BOTH
def test_what_closing_raises_changes_no_answer(way: Way) -> None:
    script = Script([204, [ONE]], closing=[OSError("late")])
    assert (way(script), script.asked) == (([], None), [""])
    got, error = way(Script([500, [ONE]], closing=[OSError("late")]))
    assert (got, type(error)) == ([], StatusError)
    state = Reconnect(retry_statuses=(503,), max_attempts=3)
    script = Script([503, 503, 503, 503], closing=[OSError("late")] * 4)
    got, error = way(script, reconnect=state)
    assert (got, type(error), len(script.asked)) == ([], GaveUpError, 3)


def test_what_closing_raises_while_the_loop_is_left_advances_no_id() -> None:
    script = Script([[ONE + TWO + b"id: 3\ndata: three\n\n"]], closing=[OSError("late")])
    events = follow(script.connect)
    assert [next(events).id, next(events).id] == ["1", "2"]
    with pytest.raises(OSError, match="late"):
        events.close()
    assert events.reconnect.last_event_id == "1"


def test_what_closing_raises_while_the_loop_is_left_advances_no_id_asynchronously() -> None:
    async def main() -> str:
        script = Script([[ONE + TWO]], closing=[OSError("late")])
        events = afollow(script.aconnect)
        assert (await anext(events)).id == "1"
        with pytest.raises(OSError, match="late"):
            await events.aclose()
        return events.reconnect.last_event_id

    assert asyncio.run(main()) == ""


# What is taken over from the parser.


@BOTH
@pytest.mark.parametrize("fault", [OSError("dropped"), ClientError("other")])
def test_what_no_event_carries_is_taken_over_whatever_ends_the_connection(
    way: Way, fault: Exception
) -> None:
    state = Reconnect()
    script = Script([[b"retry: 9\n" + ONE + b"id: 5\n\n", fault]])
    way(script, reconnect=state)
    assert (state.retry, state.last_event_id) == (9, "5")


@BOTH
def test_a_parser_that_starts_with_another_id_is_refused(way: Way) -> None:
    def parser(last_event_id: str) -> SSEParser:
        return SSEParser(max_event_size=1_000)

    got, error = way(Script([[ONE], [TWO]]), parser=parser)
    assert [event.id for event in got] == ["1"]
    assert isinstance(error, ValueError)
    assert "must start with the last event ID" in str(error)


@BOTH
def test_a_body_cut_within_its_first_line_warns_of_nothing(way: Way) -> None:
    assert way(Script([[b"id: 1"], [ONE]]))[1] is None


def test_the_clocks_wait() -> None:
    start = time.monotonic()
    pause(0.01)
    asyncio.run(apause(0.01))
    assert time.monotonic() - start >= 0.02
