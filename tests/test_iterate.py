"""The public doors to a source of reads: what they take and refuse, and that both are alike."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import Any

import pytest
from support import areads, drive

import untorn
from untorn import AsyncEventStream, Chunk, Event, EventStream, SSEParser, aiter_events, iter_events

ONE = b"data: 1\n\n"


@pytest.mark.parametrize("body", [ONE, bytearray(ONE), memoryview(ONE), "data: 1\n\n"])
def test_a_whole_body_is_refused_with_the_way_out(body: Any) -> None:
    with pytest.raises(
        TypeError, match=f"a {type(body).__name__} is not an iterable of reads.*list"
    ):
        iter_events(body)


def test_the_wrong_kind_of_source_names_the_twin() -> None:
    with pytest.raises(TypeError, match="begins with an a, as aiter_events"):
        iter_events(areads([ONE]))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="has no a, as iter_events"):
        aiter_events([ONE])  # type: ignore[arg-type]


def test_a_source_that_is_both_serves_both() -> None:
    class Body:
        def __iter__(self) -> Iterator[Chunk]:
            return iter([ONE])

        def __aiter__(self) -> AsyncIterator[Chunk]:
            return areads([ONE])

    async def main() -> list[Event]:
        return [event async for event in aiter_events(Body())]

    assert list(iter_events(Body())) == drive(main()) == [Event("1")]


@pytest.mark.parametrize("door", [iter_events, aiter_events])
def test_what_gives_no_reads_at_all_is_a_type_error(door: Any) -> None:
    with pytest.raises(TypeError, match="int"):
        door(5)


def test_text_from_a_source_is_a_type_error_that_says_what_to_pass() -> None:
    with pytest.raises(TypeError, match="not str: pass the raw reads"):
        list(iter_events(["data: 1\n\n"]))  # type: ignore[list-item]


def test_next_and_for_share_one_position() -> None:
    with iter_events([ONE * 3]) as stream:
        assert next(stream) == Event("1")
        assert len(list(stream)) == 2
        assert next(stream, None) is None

    async def main() -> None:
        async with aiter_events(areads([ONE * 3])) as stream:
            assert await anext(stream) == Event("1")
            assert len([event async for event in stream]) == 2
            assert await anext(stream, None) is None

    drive(main())


def test_the_end_is_there_once_it_is_over() -> None:
    async def main() -> None:
        stream = aiter_events(areads([ONE]), parser=parser)
        assert (stream.end, stream.parser) == (None, parser)
        assert [event async for event in stream] == [Event("1")]
        assert stream.end is parser.end

    parser = SSEParser()
    stream = iter_events([ONE], parser=parser)
    assert (stream.end, stream.parser) == (None, parser)
    assert list(stream) == [Event("1")]
    assert stream.end is parser.end
    parser.reset()
    drive(main())


def test_close_ends_the_iteration() -> None:
    async def main() -> None:
        stream = aiter_events(areads([ONE * 2]))
        assert await anext(stream) == Event("1")
        await stream.aclose()
        assert [event async for event in stream] == []
        assert stream.end is not None
        assert stream.end.event_count == 2

    stream = iter_events([ONE * 2])
    assert next(stream) == Event("1")
    stream.close()
    assert list(stream) == []
    assert stream.end is not None
    assert stream.end.event_count == 2
    drive(main())


def public(kind: type) -> set[str]:
    """Give the names of a class, async ones by their sync twin's."""
    twins = {"aclose": "close", "__aiter__": "__iter__", "__anext__": "__next__"}
    twins |= {"__aenter__": "__enter__", "__aexit__": "__exit__"}
    names = {name for name in vars(kind) if not name.startswith("_") or name in twins.values()}
    return {twins.get(name, name) for name in {*names, *(set(vars(kind)) & set(twins))}}


def test_sync_and_async_are_alike() -> None:
    assert public(EventStream) == public(AsyncEventStream)
    sync, twin = inspect.signature(iter_events), inspect.signature(aiter_events)
    assert [str(p) for p in list(sync.parameters.values())[1:]] == [
        str(p) for p in list(twin.parameters.values())[1:]
    ]
    assert {name for name in untorn.__all__ if name.startswith("aiter")} == {"aiter_events"}


def test_any_iterable_of_any_bytes_will_do() -> None:
    reads: Iterable[Chunk] = (kind(ONE) for kind in (bytes, bytearray, memoryview))
    later: AsyncIterable[Chunk] = areads([bytearray(ONE)])

    async def main() -> list[Event]:
        return [event async for event in aiter_events(later)]

    assert list(iter_events(reads)) == [Event("1")] * 3
    assert drive(main()) == [Event("1")]
