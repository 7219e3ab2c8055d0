"""The stream of deltas over a source: when it stops, what it closes, what it raises, what it says.

Each case runs sync and async and must come out alike.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from llm import chat, sse
from sources import AsyncOnly, DroppedError, Source, SyncOnly

from untorn import DecodeError, SSEParser
from untorn.deltas import (
    AssemblyLimitError,
    AsyncDeltaStream,
    BadPayloadError,
    Delta,
    DeltaStream,
    EndMarker,
    Message,
    TextDelta,
    UsageUpdate,
    aiter_deltas,
    iter_deltas,
)

A, B = sse(chat({"content": "שלום"})), sse(chat({"content": " עולם"}))
HALF = b'data: {"choices": [{"delta": {"content": "\\ud83d"}}]}\n\n'
STOP, DONE = sse(chat(finish="stop")), sse("[DONE]")
USAGE = sse({"choices": [], "usage": {"total_tokens": 3}})


@dataclass
class Log:
    deltas: list[Delta] = field(default_factory=list)
    error: BaseException | None = None
    message: Message = field(default_factory=Message)
    closed: int = 0

    @property
    def text(self) -> str:
        return "".join(delta.text for delta in self.deltas if isinstance(delta, TextDelta))


Body = Callable[[Delta], Any]
Run = Callable[..., Log]


def run_sync(source: Source, body: Body = lambda delta: None, **options: Any) -> Log:
    log = Log()
    stream = iter_deltas(SyncOnly(source), options.pop("format", "openai-chat"), **options)
    try:
        with stream:
            for delta in stream:
                log.deltas.append(delta)
                if body(delta):
                    break
    except BaseException as error:
        log.error = error
    log.message, log.closed = stream.message, source.closed
    return log


def run_async(source: Source, body: Body = lambda delta: None, **options: Any) -> Log:
    async def main() -> Log:
        log = Log()
        stream = aiter_deltas(AsyncOnly(source), options.pop("format", "openai-chat"), **options)
        try:
            async with stream:
                async for delta in stream:
                    log.deltas.append(delta)
                    if body(delta):
                        break
        except BaseException as error:
            log.error = error
        log.message, log.closed = stream.message, source.closed
        return log

    return asyncio.run(main())


both = pytest.mark.parametrize("run", [run_sync, run_async])


@both
def test_a_whole_answer(run: Run) -> None:
    log = run(Source([A[:30], A[30:] + B, STOP + DONE]))

    assert (log.text, log.error, log.closed) == ("שלום עולם", None, 1)
    assert log.message.text == log.text
    assert log.message.intact


@both
def test_reading_stops_at_the_end_marker(run: Run) -> None:
    """A host may keep the connection open after it: another read would wait for ever."""
    source = Source([A + DONE], error=AssertionError("nothing more is read"))
    log = run(source)

    assert (log.deltas[-1], log.error, log.closed) == (EndMarker(), None, 1)
    assert log.message.ended_by == "[DONE]"


@both
def test_reading_goes_on_after_a_finish_reason(run: Run) -> None:
    log = run(Source([A + STOP, USAGE, DONE]))

    assert UsageUpdate({"total_tokens": 3}) in log.deltas
    assert log.message.usage == {"total_tokens": 3}


@both
def test_a_stream_that_just_ends_is_truncated(run: Run) -> None:
    assert run(Source([A])).message.outcome.value == "truncated"


@both
def test_closing_deltas_come_last(run: Run) -> None:
    log = run(Source([A + HALF]))
    assert (log.text, log.message.text) == ("שלום\ufffd", "שלום\ufffd")


@both
def test_a_last_event_without_its_blank_line_is_taken(run: Run) -> None:
    log = run(Source([A, STOP[:-2]]))
    assert (log.message.tail_used, log.message.intact) == (True, True)


@both
@pytest.mark.parametrize("close_error", [None, ValueError("on close")])
def test_an_error_of_the_source_comes_after_the_deltas(
    run: Run, close_error: Exception | None
) -> None:
    error = DroppedError("gone")
    log = run(Source([A + HALF], error=error, close_error=close_error))

    assert (log.text, log.error) == ("שלום\ufffd", error)
    assert log.message.outcome.value == "truncated"
    assert log.message.problems[0] == "the source failed: DroppedError('gone')"
    assert log.closed == 1


@both
def test_an_error_of_the_source_after_the_finish_reason_takes_nothing_away(run: Run) -> None:
    log = run(Source([A + STOP], error=DroppedError("timeout")))

    assert isinstance(log.error, DroppedError)
    assert (log.message.outcome.value, log.message.intact) == ("completed", True)


@both
def test_an_error_on_closing_is_raised_once_all_is_out(run: Run) -> None:
    log = run(Source([A + DONE], close_error=ValueError("on close")))

    assert (log.text, repr(log.error)) == ("שלום", "ValueError('on close')")
    assert log.message.outcome.value == "completed"


@both
def test_an_interruption_on_closing_leaves_a_closed_message(run: Run) -> None:
    log = run(Source([A + DONE], close_error=KeyboardInterrupt()))

    assert isinstance(log.error, KeyboardInterrupt)
    assert (log.message.outcome.value, log.message.text) == ("completed", "שלום")


@both
def test_a_users_reader_that_fails_loses_nothing(run: Run) -> None:
    class Broken:
        def reader(self) -> Any:
            def read(event: Any) -> Any:
                yield TextDelta(event.data)
                raise LookupError("the reader's")

            return read

    log = run(Source([sse("x")]), format=Broken())
    assert (log.text, repr(log.error)) == ("x", 'LookupError("the reader\'s")')


@both
def test_an_interruption_cancels(run: Run) -> None:
    log = run(Source([A], error=KeyboardInterrupt()))

    assert isinstance(log.error, KeyboardInterrupt)
    assert (log.message.outcome.value, log.closed) == ("cancelled", 1)


@both
def test_a_caller_who_leaves_cancels(run: Run) -> None:
    log = run(Source([A, B]), lambda delta: True)

    assert (log.text, log.error, log.closed) == ("שלום", None, 1)
    assert log.message.outcome.value == "cancelled"


@both
def test_a_caller_who_leaves_at_the_end_marker_does_not(run: Run) -> None:
    log = run(Source([A + DONE]), lambda delta: isinstance(delta, EndMarker))
    assert (log.message.outcome.value, log.message.intact) == ("completed", True)


@both
def test_a_fault_of_the_callers_own_passes_and_closes(run: Run) -> None:
    def body(delta: Delta) -> None:
        raise ZeroDivisionError

    log = run(Source([A, B]), body)
    assert isinstance(log.error, ZeroDivisionError)
    assert (log.message.outcome.value, log.closed) == ("cancelled", 1)


@both
def test_strict_raises_after_the_deltas_before_the_fault(run: Run) -> None:
    log = run(Source([A + sse("{") + B]), strict=True)

    assert isinstance(log.error, BadPayloadError)
    assert (log.text, log.closed) == ("שלום", 1)


@both
def test_a_limit_comes_after_the_deltas_before_it(run: Run) -> None:
    many = {"choices": [{"index": n, "delta": {"content": "a"}} for n in range(2_000)]}
    log = run(Source([sse(many)]))

    assert isinstance(log.error, AssemblyLimitError)
    assert log.text == "a" * 1_024
    assert not log.message.intact


@both
def test_a_parser_of_the_callers_own(run: Run) -> None:
    log = run(Source([A + b"data: \xff\n\n"]), parser=SSEParser(errors="strict"))

    assert isinstance(log.error, DecodeError)
    assert (log.text, log.message.outcome.value) == ("שלום", "truncated")


@both
def test_another_loads(run: Run) -> None:
    seen: list[str] = []

    def loads(data: str) -> Any:
        seen.append(data)
        return {"choices": [{"delta": {"content": data}}]}

    assert run(Source([sse("x")]), loads=loads).text == "x"
    assert seen == ["x"]


def test_a_stream_can_be_asked_on_the_way() -> None:
    source = Source([A, DONE])
    stream = iter_deltas(SyncOnly(source), "auto")

    assert [stream.end] == [None]
    assert next(stream) == TextDelta("שלום")
    assert (stream.message.text, stream.assembler.format) == ("שלום", "openai-chat")
    stream.close()
    assert stream.end is not None
    assert stream.message.outcome.value == "cancelled"
    assert (list(stream), source.closed) == ([], 1)


def test_an_async_stream_can_be_asked_on_the_way() -> None:
    async def main() -> None:
        source = Source([A, DONE])
        stream = aiter_deltas(AsyncOnly(source), "auto")

        assert [stream.end] == [None]
        assert await anext(stream) == TextDelta("שלום")
        assert (stream.message.text, stream.assembler.format) == ("שלום", "openai-chat")
        await stream.aclose()
        assert stream.end is not None
        assert stream.message.outcome.value == "cancelled"
        assert ([delta async for delta in stream], source.closed) == ([], 1)

    asyncio.run(main())


@pytest.mark.parametrize("wrong", [b"data: x\n\n", "text", 5])
@pytest.mark.parametrize("door", [iter_deltas, aiter_deltas])
def test_what_is_no_source_is_refused_at_once(door: Any, wrong: Any) -> None:
    with pytest.raises(TypeError):
        door(wrong, "openai-chat")


def test_both_streams_have_the_same_names() -> None:
    def names(kind: type) -> set[str]:
        public = {name for name in vars(kind) if not name.startswith("_")}
        return {name.removeprefix("a") if name == "aclose" else name for name in public}

    assert names(DeltaStream) == names(AsyncDeltaStream)
    sync, other = inspect.signature(iter_deltas), inspect.signature(aiter_deltas)
    assert list(sync.parameters) == list(other.parameters)
