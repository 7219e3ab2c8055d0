"""What follow and afollow give: iterators that can be left, over connections that come and go."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from scripted import Script

import untorn
from untorn import Connection, Reconnect, afollow, follow

ONE, TWO = b"id: 1\ndata: one\n\n", b"id: 2\ndata: two\n\n"


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
        assert events.reconnect.last_event_id == ""

    asyncio.run(main())


def test_the_options_are_those_of_the_state_that_is_given() -> None:
    state = Reconnect(last_event_id="7")
    script = Script([204])
    with follow(script.connect, reconnect=state) as events:
        assert list(events) == []
    assert (script.asked, events.reconnect) == (["7"], state)


def test_the_clocks_of_the_standard_library_are_the_default() -> None:
    script = Script([[b"retry: 1\n" + ONE]])
    assert [event.id for event in follow(script.connect)] == ["1"]

    async def main() -> list[str]:
        again = Script([[b"retry: 1\n" + ONE]])
        return [event.id async for event in afollow(again.aconnect)]

    assert asyncio.run(main()) == ["1"]


def test_a_plain_loop_that_is_left_frees_its_connection_at_once() -> None:
    closed: list[str] = []

    @contextmanager
    def connect(headers: dict[str, str]) -> Iterator[Connection]:
        try:
            yield Connection([ONE, TWO])
        finally:
            closed.append("connection")

    gc.collect()
    gc.disable()
    try:
        events = follow(connect)
        assert next(events).id == "1"
        assert closed == []
        del events
        assert closed == ["connection"]
    finally:
        gc.enable()


def test_both_have_the_same_public_names() -> None:
    def names(kind: type) -> set[str]:
        return {name.removeprefix("a") for name in vars(kind) if not name.startswith("_")}

    assert names(untorn.Following) == names(untorn.AsyncFollowing)


def test_a_following_is_a_context_manager_that_lets_errors_pass() -> None:
    script = Script([[ONE]])

    def leave() -> None:
        with follow(script.connect) as events:
            raise KeyError(next(events).id)

    with pytest.raises(KeyError, match="1"):
        leave()
    assert script.closed == 1
