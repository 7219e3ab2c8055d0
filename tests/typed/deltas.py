"""The surface of ``untorn.deltas`` as a type checker sees it; checked by mypy, never run."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

from typing_extensions import assert_never, assert_type

from untorn import Event, SSEParser, StreamEnd
from untorn.deltas import (
    AsyncDeltaStream,
    BadPayload,
    Choice,
    Delta,
    DeltaAssembler,
    DeltaStream,
    EndMarker,
    ErrorUpdate,
    EventLike,
    EventReader,
    Finish,
    Format,
    JSONField,
    Message,
    Outcome,
    Part,
    Plain,
    ReasoningDelta,
    RefusalDelta,
    TextDelta,
    ToolCall,
    ToolCallDelta,
    ToolCallEnd,
    ToolCallStart,
    UsageUpdate,
    aiter_deltas,
    aiter_text,
    aread_message,
    get_format,
    iter_deltas,
    iter_text,
    read_message,
)


class Foreign:
    """An event of somebody else's."""

    @property
    def data(self) -> str:
        return ""

    @property
    def event(self) -> str | None:
        return None


class Words:
    def reader(self) -> EventReader:
        def read(event: EventLike) -> list[Delta]:
            return [TextDelta(event.data)]

        return read


class Typed:
    """Any iterable of deltas will do, and a reader may ask for less than an event."""

    def reader(self) -> EventReader:
        def read(event: EventLike) -> Iterable[TextDelta]:
            yield TextDelta(event.data)

        return read


def the_union_is_closed(delta: Delta) -> str:
    match delta:
        case TextDelta(text=text) | ReasoningDelta(text=text) | RefusalDelta(text=text):
            assert_type(text, str)
        case ToolCallStart(id=id, name=name):
            assert_type(id, str | None)
            assert_type(name, str | None)
        case ToolCallDelta(text=text) | ToolCallEnd(arguments=text):
            assert_type(text, str)
        case Finish(reason=reason):
            assert_type(reason, str)
        case ErrorUpdate(code=code):
            assert_type(code, str | int | None)
        case BadPayload(event=event):
            assert_type(event, EventLike)
        case UsageUpdate() | EndMarker():
            pass
        case _:
            assert_never(delta)
    return ""


def a_name_that_is_none_is_an_error(reads: list[bytes]) -> None:
    iter_text(reads, "opanai-chat")  # type: ignore[arg-type]
    iter_deltas(reads, "claude")  # type: ignore[arg-type]
    DeltaAssembler("openai")  # type: ignore[arg-type]
    get_format("from outside")


def values(message: Message, call: ToolCall) -> None:
    assert_type(message.text, str)
    assert_type(message.tool_calls, tuple[ToolCall, ...])
    assert_type(message.finish_reason, str | None)
    assert_type(message.usage, dict[str, Any] | None)
    assert_type(message.choices, tuple[Choice, ...])
    assert_type(message.parts, tuple[Part, ...])
    assert_type(message.outcome, Outcome)
    assert_type(message.error, ErrorUpdate | None)
    assert_type(message.require_intact(), Message)
    assert_type(call.json(), dict[str, Any])
    message.text = "no"  # type: ignore[misc]


def doors(reads: Iterator[bytes], loads: Any) -> None:
    stream = iter_deltas(reads, "auto", parser=SSEParser(), loads=loads, strict=True)
    assert_type(stream, DeltaStream)
    assert_type(next(stream), Delta)
    assert_type(stream.message, Message)
    assert_type(stream.end, StreamEnd | None)
    assert_type(read_message(reads, JSONField("part", done=None)), Message)
    for text in iter_text(reads, Plain()):
        assert_type(text, str)
    formats: list[Format] = [Words(), Typed(), get_format("anthropic"), JSONField("a.0.b")]
    for format in formats:
        read_message(reads, format)


async def async_doors(reads: AsyncIterator[bytes]) -> None:
    stream = aiter_deltas(reads, "openai-responses")
    assert_type(stream, AsyncDeltaStream)
    async for delta in stream:
        assert_type(delta, Delta)
    async for text in aiter_text(reads, "gemini"):
        assert_type(text, str)
    assert_type(await aread_message(reads, Words()), Message)


def push(assembler: DeltaAssembler, parser: SSEParser) -> None:
    assert_type(assembler.feed(Event("x")), list[Delta])
    assert_type(assembler.feed(Foreign()), list[Delta])
    assert_type(assembler.close(parser.close(), cancelled=True), list[Delta])
    assert_type(assembler.call(0), ToolCall)
    assert_type(assembler.done, bool)
    assembler.feed("data: x")  # type: ignore[arg-type]
