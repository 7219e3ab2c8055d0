"""When the loops feed, close and raise; most cases run sync and async and must come out alike."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Awaitable, Callable

import pytest
import sources
from sources import ONE, TWO, DroppedError, Run, Source, both

from untorn import (
    DecodeError,
    Event,
    EventStream,
    SSEParser,
    TornStreamError,
    aiter_events,
    iter_events,
)


def nothing(event: Event) -> None:
    pass


@both
def test_rule_11_at_the_end_all_is_closed(run: Run) -> None:
    source = Source([ONE, TWO[:3], b"", TWO[3:]])
    parser = SSEParser()
    log = run(source, nothing, parser=parser)

    assert (log.data, log.error, source.closed) == (["1", "2"], None, 1)
    assert log.end is not None
    assert log.end is parser.end
    assert log.end.tail is None


@both
def test_rule_11_an_exception_in_the_loop_closes(run: Run) -> None:
    def body(event: Event) -> None:
        raise DroppedError("the loop's")

    source = Source([ONE + TWO, ONE], close_error=ValueError("on close"))
    log = run(source, body)

    assert (log.data, repr(log.error), source.closed) == (["1"], 'DroppedError("the loop\'s")', 1)
    assert log.end is not None
    assert log.end.event_count == 2


@both
@pytest.mark.parametrize("tail", ["discard", "dispatch", "raise"])
@pytest.mark.parametrize("close_error", [None, ValueError("on close")])
def test_rule_11_an_error_of_the_source_comes_unchanged_after_the_events_and_beats_tail(
    run: Run, tail: str, close_error: Exception | None
) -> None:
    source = Source([ONE, b"data: cut"], error=DroppedError("gone"), close_error=close_error)
    log = run(source, nothing, tail=tail)

    assert (log.data, source.closed) == (["1"], 1)
    assert log.error is source.error
    assert log.end is not None
    assert log.end.tail is not None
    assert log.end.tail.line == "data: cut"


@both
def test_rule_11_a_fault_comes_after_the_events_before_it_and_carries_them_no_more(
    run: Run,
) -> None:
    source = Source([ONE + TWO + b"data: \xff\n\n", ONE])
    log = run(source, nothing, parser=SSEParser(errors="strict"), tail="dispatch")

    assert (log.data, source.closed, source.given) == (["1", "2"], 1, 1)
    assert isinstance(log.error, DecodeError)
    assert (log.error.offset, log.error.events) == (24, ())
    assert log.end is not None
    assert log.end.tail is None


@both
def test_rule_10_what_a_callback_raises_comes_after_the_events_before_it(run: Run) -> None:
    def on_comment(text: str) -> None:
        raise DroppedError(text)

    log = run(Source([ONE + b": c\n" + TWO]), nothing, parser=SSEParser(on_comment=on_comment))

    assert (log.data, repr(log.error)) == (["1"], "DroppedError(' c')")


@both
def test_an_interrupt_on_close_is_heard_even_where_an_error_passes(run: Run) -> None:
    source = Source([ONE], error=DroppedError("gone"), close_error=KeyboardInterrupt())
    log = run(source, nothing)

    assert (log.data, log.error, source.closed) == (["1"], source.close_error, 1)


@both
def test_an_error_on_close_is_heard_where_no_other_passes(run: Run) -> None:
    source = Source([ONE], close_error=ValueError("on close"))
    log = run(source, nothing)

    assert (log.data, log.error, source.closed) == (["1"], source.close_error, 1)


@both
@pytest.mark.parametrize(
    ("tail", "data", "torn"),
    [("discard", ["1"], False), ("dispatch", ["1", "cut"], False), ("raise", ["1"], True)],
)
def test_rule_11_what_tail_makes_of_an_unfinished_event(
    run: Run, tail: str, data: list[str], torn: bool
) -> None:
    source = Source([ONE, b"id: 7\ndata: cut"])
    parser = SSEParser()
    log = run(source, nothing, tail=tail, parser=parser)

    assert (log.data, source.closed, isinstance(log.error, TornStreamError)) == (data, 1, torn)
    assert (parser.event_count, parser.last_event_id) == (1, "")
    if isinstance(log.error, TornStreamError):
        assert log.error.tail == parser.close().tail


@both
@pytest.mark.parametrize("tail", ["dispatch", "raise"])
def test_tail_means_nothing_where_nothing_is_unfinished(run: Run, tail: str) -> None:
    assert run(Source([ONE]), nothing, tail=tail).data == ["1"]
    assert run(Source([ONE, b"id: 7\n"]), nothing, tail="dispatch").data == ["1"]


@both
@pytest.mark.parametrize("reads", [[b"data: 1", b"", b"data: 2", b""], [b'{"error": 1}']])
def test_rule_11_bytes_without_a_line_end_are_warned_of_once(run: Run, reads: list[bytes]) -> None:
    with pytest.warns(RuntimeWarning, match=r"no line end.*iter_lines") as caught:
        log = run(Source(reads), nothing)

    assert (len(caught), log.data) == (1, [])
    assert caught[0].filename == sources.__file__


@both
@pytest.mark.parametrize(
    "body",
    [b"<html>\n<h1>502 Bad Gateway</h1>\n", b'{\n  "error": "no key"\n}\n', b'{"a": 1}\n\n{'],
)
@pytest.mark.parametrize("tail", ["discard", "raise"])
def test_a_body_that_holds_no_event_but_other_lines_is_warned_of(
    run: Run, body: bytes, tail: str
) -> None:
    with pytest.warns(RuntimeWarning, match=r"no event.*end\.ignored_text") as caught:
        log = run(Source([body]), nothing, tail=tail)

    assert (len(caught), log.data) == (1, [])
    assert caught[0].filename == sources.__file__


@both
@pytest.mark.parametrize(
    "body", [b"", b"\n", b": ping\n\n", b"retry: 5\nid: 7\n\n", ONE + b"<html>\n", b"data: 1\n"]
)
def test_other_streams_are_nothing_to_warn_of(run: Run, body: bytes) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert run(Source([body]), nothing).error is None


@both
def test_a_warning_made_an_error_closes_all_the_same(run: Run) -> None:
    source = Source([b"data: 1"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        log = run(source, nothing)

    assert (type(log.error), source.closed) == (RuntimeWarning, 1)


def test_sources_that_cannot_be_closed_are_let_be() -> None:
    class Reads:
        def __init__(self) -> None:
            self.left = [ONE]

        def __aiter__(self) -> Reads:
            return self

        async def __anext__(self) -> bytes:
            if self.left:
                return self.left.pop()
            raise StopAsyncIteration

    async def main() -> list[Event]:
        return [event async for event in aiter_events(Reads())]

    assert list(iter_events([ONE])) == asyncio.run(main()) == [Event("1")]


@pytest.mark.parametrize("later", [lambda: None, lambda: asyncio.sleep(0)])
def test_an_async_source_with_close_only(later: Callable[[], Awaitable[None] | None]) -> None:
    calls: list[str] = []

    class Reads:
        def __aiter__(self) -> Reads:
            return self

        async def __anext__(self) -> bytes:
            raise StopAsyncIteration

        def close(self) -> Awaitable[None] | None:
            calls.append("close")
            return later()

    async def main() -> None:
        async with aiter_events(Reads()) as stream:
            assert [event async for event in stream] == []

    asyncio.run(main())
    assert calls == ["close"]


def test_a_parser_that_was_reset_goes_on_where_it_was() -> None:
    parser = SSEParser()
    assert [e.id for e in iter_events([b"id: 7\n" + ONE], parser=parser)] == ["7"]
    parser.reset()

    assert [e.id for e in iter_events([ONE], parser=parser)] == ["7"]


def test_an_unknown_tail_is_refused() -> None:
    with pytest.raises(ValueError, match='tail must be "discard", "dispatch" or "raise"'):
        iter_events([], tail="drop")  # type: ignore[arg-type]


def test_streams_know_their_parser() -> None:
    parser = SSEParser()

    assert iter_events([], parser=parser).parser is parser
    assert isinstance(iter_events([]), EventStream)
