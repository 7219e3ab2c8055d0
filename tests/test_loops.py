"""When the loops feed, close and raise; most cases run sync and async and must come out alike."""

from __future__ import annotations

import asyncio
import gc
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from untorn import (
    AsyncEventStream,
    DecodeError,
    Event,
    EventStream,
    SSEParser,
    StreamEnd,
    TornStreamError,
    aiter_events,
    iter_events,
)

ONE, TWO = b"data: 1\n\n", b"data: 2\n\n"


class DroppedError(Exception):
    """What a client raises when the connection goes."""


@dataclass
class Source:
    """Reads that may end in an error; counts how often it is closed, and may fail then as well."""

    reads: list[bytes]
    error: BaseException | None = None
    close_error: Exception | None = None
    closed: int = 0
    given: int = 0

    def __iter__(self) -> Source:
        return self

    def __next__(self) -> bytes:
        if self.given < len(self.reads):
            self.given += 1
            return self.reads[self.given - 1]
        raise self.error or StopIteration

    def close(self) -> None:
        self.closed += 1
        if self.close_error is not None:
            raise self.close_error

    def __aiter__(self) -> Source:
        return self

    async def __anext__(self) -> bytes:
        await asyncio.sleep(0)
        try:
            return next(self)
        except StopIteration:
            raise StopAsyncIteration from None

    async def aclose(self) -> None:
        await asyncio.sleep(0)
        self.close()


@dataclass
class Log:
    data: list[str] = field(default_factory=list)
    error: BaseException | None = None
    end: StreamEnd | None = None


def run_sync(source: Source, body: Callable[[Event], None], **options: Any) -> Log:
    log = Log()
    stream = iter_events(SyncOnly(source), **options)
    try:
        with stream as events:
            for event in events:
                log.data.append(event.data)
                body(event)
    except BaseException as error:
        log.error = error
    log.end = stream.end
    return log


def run_async(source: Source, body: Callable[[Event], None], **options: Any) -> Log:
    async def main() -> Log:
        log = Log()
        stream = aiter_events(AsyncOnly(source), **options)
        try:
            async with stream as events:
                async for event in events:
                    log.data.append(event.data)
                    body(event)
        except BaseException as error:
            log.error = error
        log.end = stream.end
        return log

    return asyncio.run(main())


class SyncOnly:
    """One face of a source."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.source)


class AsyncOnly(SyncOnly):
    __iter__ = None  # type: ignore[assignment]

    def __aiter__(self) -> AsyncIterator[bytes]:
        return aiter(self.source)


Run = Callable[..., Log]
both = pytest.mark.parametrize("run", [run_sync, run_async])


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
    assert caught[0].filename == __file__


@both
def test_no_bytes_and_no_line_end_is_nothing_to_warn_of(run: Run) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert run(Source([b""]), nothing).error is None
        assert run(Source([b"\n"]), nothing).error is None


@both
def test_a_warning_made_an_error_closes_all_the_same(run: Run) -> None:
    source = Source([b"data: 1"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        log = run(source, nothing)

    assert (type(log.error), source.closed) == (RuntimeWarning, 1)


def test_rule_11_break_inside_with_closes() -> None:
    source = Source([ONE + TWO, ONE])
    with iter_events(source) as events:
        for event in events:
            assert event == Event("1")
            break
        assert (source.closed, events.end) == (0, None)

    assert source.closed == 1
    assert events.end is not None
    assert list(events) == []


def test_rule_11_break_inside_async_with_closes() -> None:
    async def main() -> None:
        source = Source([ONE + TWO, ONE])
        async with aiter_events(AsyncOnly(source)) as events:
            async for event in events:
                assert event == Event("1")
                break
            assert (source.closed, events.end) == (0, None)
        assert source.closed == 1
        assert events.end is not None
        assert [event async for event in events] == []

    asyncio.run(main())


def test_close_before_during_and_after() -> None:
    for steps in range(4):
        source = Source([ONE, TWO])
        stream = iter_events(source)
        for _ in range(steps):
            next(stream, None)
        stream.close()
        stream.close()
        assert (source.closed, list(stream)) == (1, [])
        assert stream.end is stream.parser.end is not None


def test_aclose_before_during_and_after() -> None:
    async def main(steps: int) -> None:
        source = Source([ONE, TWO])
        stream = aiter_events(AsyncOnly(source))
        for _ in range(steps):
            await anext(stream, None)
        await stream.aclose()
        await stream.aclose()
        assert (source.closed, [event async for event in stream]) == (1, [])
        assert stream.end is stream.parser.end is not None

    for steps in range(4):
        asyncio.run(main(steps))


def test_a_stream_out_of_use_closes_its_source_without_a_garbage_collection() -> None:
    gc.disable()
    try:
        source = Source([ONE, TWO])
        for event in iter_events(source):
            assert event == Event("1")
            break
        assert source.closed == 1
    finally:
        gc.enable()


def test_rule_11_cancelling_the_task_closes_and_loses_no_event_before_it() -> None:
    async def main() -> None:
        waiting = asyncio.Event()
        closed: list[str] = []

        async def reads() -> AsyncIterator[bytes]:
            try:
                yield ONE + b"data: cut"
                waiting.set()
                await asyncio.sleep(60)
            finally:
                closed.append("source")

        got: list[Event] = []
        streams: list[AsyncEventStream] = []

        async def consume() -> None:
            async with aiter_events(reads()) as stream:
                streams.append(stream)
                async for event in stream:
                    got.append(event)

        task = asyncio.create_task(consume())
        await waiting.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (got, closed) == ([Event("1")], ["source"])
        end = streams[0].end
        assert end is not None
        assert end.tail is not None
        assert end.tail.line == "data: cut"

    asyncio.run(main())


def test_the_iterator_is_closed_and_not_the_iterable() -> None:
    class Body:
        def __init__(self) -> None:
            self.iterator = Source([ONE])

        def __iter__(self) -> Source:
            return self.iterator

        def close(self) -> None:
            raise AssertionError("the caller's to close")

    body = Body()
    assert list(iter_events(body)) == [Event("1")]
    assert body.iterator.closed == 1


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


@pytest.mark.parametrize("later", [None, asyncio.sleep(0)])
def test_an_async_source_with_close_only(later: Awaitable[None] | None) -> None:
    calls: list[str] = []

    class Reads:
        def __aiter__(self) -> Reads:
            return self

        async def __anext__(self) -> bytes:
            raise StopAsyncIteration

        def close(self) -> Awaitable[None] | None:
            calls.append("close")
            return later

    async def main() -> None:
        async with aiter_events(Reads()) as stream:
            assert [event async for event in stream] == []

    asyncio.run(main())
    assert calls == ["close"]


def test_a_closed_parser_is_an_error_and_closes_the_source() -> None:
    parser = SSEParser()
    parser.close()
    source = Source([ONE])

    with pytest.raises(Exception, match="the parser is closed"):
        list(iter_events(source, parser=parser))
    assert source.closed == 1


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
