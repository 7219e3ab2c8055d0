"""However a stream is left, its source and its parser are closed."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator

import pytest
from sources import ONE, TWO, AsyncOnly, Source

from untorn import AsyncEventStream, Event, SSEParser, aiter_events, iter_events


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


def test_a_closed_parser_is_an_error_and_closes_the_source() -> None:
    parser = SSEParser()
    parser.close()
    source = Source([ONE])

    with pytest.raises(Exception, match="the parser is closed"):
        list(iter_events(source, parser=parser))
    assert source.closed == 1


def test_a_parser_that_was_reset_inside_with_stays_open() -> None:
    async def main() -> None:
        parser = SSEParser()
        async with aiter_events(AsyncOnly(Source([ONE])), parser=parser) as stream:
            assert [event async for event in stream] == [Event("1")]
            parser.reset()
        await stream.aclose()
        assert parser.feed(TWO) == [Event("2")]

    parser = SSEParser()
    with iter_events(Source([ONE]), parser=parser) as stream:
        assert list(stream) == [Event("1")]
        parser.reset()
    stream.close()
    assert parser.feed(TWO) == [Event("2")]
    asyncio.run(main())


def test_nothing_comes_after_a_close_that_failed() -> None:
    async def main() -> None:
        stream = aiter_events(AsyncOnly(Source([ONE * 3, TWO], close_error=ValueError("on close"))))
        assert await anext(stream) == Event("1")
        with pytest.raises(ValueError, match="on close"):
            await stream.aclose()
        assert [event async for event in stream] == []

    stream = iter_events(Source([ONE * 3, TWO], close_error=ValueError("on close")))
    assert next(stream) == Event("1")
    with pytest.raises(ValueError, match="on close"):
        stream.close()
    assert list(stream) == []
    asyncio.run(main())
