"""Recording as it happens: nothing is changed, all of it is written, and the source is closed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sources import AsyncOnly, DroppedError, Source, SyncOnly

from untorn.recording import Read, Recording, arecord, record

READS = [b"data: \xe7\x81", b"", b"\xab\n\n"]
Run = Callable[..., list[Any]]


def ticks() -> Callable[[], float]:
    times: Iterator[int] = iter(range(1_000))
    return lambda: next(times) / 4


def run_sync(source: Source, path: Path, most: int = 99) -> list[Any]:
    given: list[Any] = []
    reads = record(SyncOnly(source), path, clock=ticks())
    try:
        for chunk in reads:
            given.append(chunk)
            if len(given) == most:
                break
    finally:
        reads.close()
    return given


def run_async(source: Source, path: Path, most: int = 99) -> list[Any]:
    async def main() -> list[Any]:
        given: list[Any] = []
        reads = arecord(AsyncOnly(source), path, clock=ticks())
        try:
            async for chunk in reads:
                given.append(chunk)
                if len(given) == most:
                    break
        finally:
            await reads.aclose()
        return given

    return asyncio.run(main())


both = pytest.mark.parametrize("run", [run_sync, run_async])


@both
def test_reads_pass_through_and_are_written(run: Run, tmp_path: Path) -> None:
    source = Source(list(READS))
    given = run(source, tmp_path / "a.rec")

    assert all(mine is theirs for mine, theirs in zip(given, READS, strict=True))
    assert source.closed == 1
    assert Recording.load(tmp_path / "a.rec").reads == tuple(
        Read(data, (number + 1) / 4) for number, data in enumerate(READS)
    )


@both
def test_what_came_before_a_fault_is_written(run: Run, tmp_path: Path) -> None:
    source = Source(list(READS), error=DroppedError("gone"))
    with pytest.raises(DroppedError):
        run(source, tmp_path / "a.rec")

    assert source.closed == 1
    assert Recording.load(tmp_path / "a.rec").wire == b"".join(READS)


@both
def test_a_read_is_written_before_it_is_handed_on(run: Run, tmp_path: Path) -> None:
    source = Source(list(READS))
    run(source, tmp_path / "a.rec", most=1)

    assert source.closed == 1
    assert Recording.load(tmp_path / "a.rec").wire == READS[0]


@both
def test_a_file_that_cannot_be_written_is_an_error(run: Run, tmp_path: Path) -> None:
    source = Source(list(READS))
    with pytest.raises(OSError, match="none"):
        run(source, tmp_path / "none" / "a.rec")

    assert source.closed == 1


def test_sources_that_cannot_be_closed_will_do(tmp_path: Path) -> None:
    class Reads:
        def __init__(self) -> None:
            self.left = [b"a"]

        def __iter__(self) -> Reads:
            return self

        def __next__(self) -> bytes:
            if not self.left:
                raise StopIteration
            return self.left.pop()

        def __aiter__(self) -> Reads:
            return self

        async def __anext__(self) -> bytes:
            if not self.left:
                raise StopAsyncIteration
            return self.left.pop()

    async def main() -> list[Any]:
        return [chunk async for chunk in arecord(Reads(), tmp_path / "b.rec")]

    assert list(record(Reads(), tmp_path / "a.rec")) == asyncio.run(main()) == [b"a"]
    assert Recording.load(tmp_path / "a.rec").reads[0].time >= 0


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_every_kind_of_read_is_written(kind: Any, tmp_path: Path) -> None:
    list(record([kind(b"data: a")], tmp_path / "a.rec"))
    assert Recording.load(tmp_path / "a.rec").wire == b"data: a"
