"""The server of the mcp package over Streamable HTTP: primed, pinged, dropped, and gone on with."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

pytest.importorskip("mcp", reason="needs the mcp package (group sdks)")

from clients import soon
from mcp.server import _streamable_http_modern as modern
from mcp_bench import ALL, RETRY, STEPS, Bench, running
from mcp_session import BOTH, PRIMED, Call, Session, calling, numbers, shown
from sse_starlette import EventSourceResponse

from untorn import AsyncConnection, Event, Reconnect, SSEParser, StatusError, afollow, iter_events

PROGRESS = [("progress", step, f"火 {step}") for step in range(STEPS)]
MESSAGES = [*PROGRESS, ("result", "counted 🌅")]


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with running() as bench:
        yield bench


@pytest.fixture
def session(bench: Bench) -> Iterator[Session]:
    bench.allowed, bench.leaves, bench.calls = ALL, False, 0
    with httpx.Client() as client:
        yield Session(bench, client)


def test_a_session_is_opened_by_a_stream_that_is_primed(session: Session) -> None:
    primed, answer = session.hello

    assert (primed.data, primed.event, primed.retry) == ("", "message", RETRY)
    assert (primed.id != "", answer.id != primed.id, answer.retry) == (True, True, None)
    assert answer.json()["result"]["protocolVersion"] == "2025-11-25"


def test_a_priming_event_is_nothing_for_a_json_layer(session: Session) -> None:
    call = Call(session)
    with session.post(calling(call.number)) as response:
        assert response.headers["Content-Type"] == "text/event-stream"
        with iter_events(response.iter_bytes()) as events:
            primed, *rest = events

    assert primed == Event("", id=f"{call.number}/1", retry=RETRY)
    with pytest.raises(ValueError, match="Expecting value"):
        primed.json()
    assert [shown(event) for event in rest] == MESSAGES
    assert [event.id for event in rest] == [f"{call.number}/{n}" for n in range(2, STEPS + 3)]
    assert events.end is not None
    assert (events.end.tail, events.end.retry) == (None, RETRY)


def test_pings_are_comments(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    pings: list[str] = []

    def ping(text: str) -> None:
        pings.append(text)
        session.bench.allowed = len(pings) // 2  # a step of the tool for every second ping

    monkeypatch.setattr(EventSourceResponse, "DEFAULT_PING_INTERVAL", 0.01)
    session.bench.allowed = 0
    call = Call(session)
    with call.follow(ping) as events:
        assert list(call.messages(events)) == [PRIMED, *MESSAGES]

    assert len(pings) >= 2 * ALL
    assert all(text.startswith(" ping - ") for text in pings)


@pytest.mark.parametrize("seen", range(STEPS + 1))
def test_what_was_missed_comes_once_and_in_order(session: Session, seen: int) -> None:
    bench, call = session.bench, Call(session)
    bench.allowed = seen
    with call.follow() as events:
        got = [shown(next(events)) for _ in range(1 + seen)]
        dropped_at = f"{call.number}/{1 + seen}"
        call.drop()
        bench.allowed = min(seen + 2, ALL)  # what nobody hears; all of it, near the end
        assert soon(lambda: bench.stored(call.number) >= bench.allowed)
        for message in call.messages(events):
            got.append(message)
            if message == PRIMED:
                bench.allowed = ALL  # what is heard as it happens

    assert [message for message in got if message != PRIMED] == MESSAGES
    assert bench.asked == [("POST", ""), ("GET", dropped_at)]
    assert bench.calls == 1
    assert events.reconnect.retry == RETRY


def test_a_tear_at_any_byte_loses_nothing_and_repeats_nothing(session: Session) -> None:
    with session.post(calling(next(numbers))) as response:
        body = b"".join(response.iter_bytes())
    primed = body.index(b"\r\n\r\n") + len(b"\r\n\r")  # the CR of the blank line is enough
    places = {*range(primed, len(body), 29), *range(body.index("火".encode()), primed + 150)}

    for tear in sorted(places):
        call = Call(session, tear)
        with call.follow() as events:
            got = [message for message in call.messages(events) if message != PRIMED]
        assert (tear, got) == (tear, MESSAGES)


def test_a_call_that_breaks_before_it_is_primed_is_not_sent_again(session: Session) -> None:
    call = Call(session, tear=12)
    waits: list[float] = []
    with (
        call.follow(sleep=waits.append) as events,
        pytest.raises(RuntimeError, match="nothing says where"),
    ):
        next(events)

    assert len(waits) == session.bench.calls == 1


def test_a_server_that_hangs_up_is_asked_again(session: Session) -> None:
    """Its polling: the tool closes the connection, and the client comes back when it is time."""
    session.bench.leaves = True
    session.bench.allowed = 0
    waits: list[float] = []

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        session.bench.allowed = ALL
        assert soon(lambda: session.bench.answered(call.number))

    call = Call(session)
    with call.follow(sleep=sleep) as events:
        assert list(call.messages(events)) == [PRIMED, *MESSAGES]

    assert waits == [RETRY / 1_000]
    assert session.bench.asked == [("POST", ""), ("GET", f"{call.number}/1")]


def test_an_earlier_run_is_gone_on_with_asynchronously(session: Session) -> None:
    bench, number = session.bench, next(numbers)
    with session.post(calling(number)) as response, iter_events(response.iter_bytes()) as events:
        assert [shown(next(events)) for _ in range(3)] == [PRIMED, *PROGRESS[:2]]
        last_event_id = events.parser.last_event_id
    assert soon(lambda: bench.answered(number) and bench.open == 0)

    async def main() -> list[tuple[Any, ...]]:
        @asynccontextmanager
        async def connect(headers: dict[str, str]) -> AsyncIterator[AsyncConnection]:
            asked = {**session.headers, **headers}
            async with client.stream("GET", bench.url, headers=asked) as response:
                kind = response.headers["Content-Type"]
                yield AsyncConnection(response.aiter_bytes(), response.status_code, kind)

        state = Reconnect(last_event_id=last_event_id)
        async with httpx.AsyncClient() as client, afollow(connect, reconnect=state) as events:
            return [shown(await anext(events)) for _ in MESSAGES[2:]]

    assert asyncio.run(main()) == MESSAGES[2:]


def test_the_revision_of_2026_streams_without_ids_and_cannot_be_resumed(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(modern, "_SSE_PING_INTERVAL", 0.01)
    bench.allowed = 0
    pings: list[str] = []

    def ping(text: str) -> None:
        pings.append(text)
        bench.allowed = ALL

    scope = "io.modelcontextprotocol"
    meta = {f"{scope}/protocolVersion": "2026-07-28", f"{scope}/clientCapabilities": {}}
    asked = {"Accept": BOTH, "MCP-Protocol-Version": "2026-07-28"}
    asked |= {"MCP-Method": "tools/call", "MCP-Name": "count"}
    with (
        httpx.Client(headers=asked) as client,
        client.stream("POST", bench.url, json=calling(1, **meta)) as response,
        iter_events(response.iter_bytes(), parser=SSEParser(on_comment=ping)) as events,
    ):
        got = list(events)
        again = client.get(bench.url, headers={"Last-Event-ID": "1/1"})

    assert [shown(event) for event in got] == MESSAGES
    assert {(event.id, event.retry) for event in got} == {("", None)}
    assert set(pings) == {" ping"}
    state = Reconnect(last_event_id="1/1")
    assert isinstance(getattr(state.opened(again.status_code), "error", None), StatusError)
