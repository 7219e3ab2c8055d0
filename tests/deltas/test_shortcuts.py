"""The one-liners: what they give, and that no torn answer passes for a whole one."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

import pytest
from llm import chat, sse
from sources import AsyncOnly, DroppedError, Source, SyncOnly

from untorn.deltas import (
    JSONField,
    Message,
    TornMessageError,
    UnknownFormatError,
    aiter_text,
    aread_message,
    iter_text,
    read_message,
)

A, B = sse(chat({"content": "你"})), sse(chat({"content": "好"}))
OTHER = sse(chat({"content": "x"}, "stop", index=1))
STOP, DONE = sse(chat(finish="stop")), sse("[DONE]")


def text_sync(source: Source, format: Any = "openai-chat", **options: Any) -> list[str]:
    return list(iter_text(SyncOnly(source), format, **options))


def text_async(source: Source, format: Any = "openai-chat", **options: Any) -> list[str]:
    async def main() -> list[str]:
        return [text async for text in aiter_text(AsyncOnly(source), format, **options)]

    return asyncio.run(main())


def message_sync(source: Source, format: Any = "openai-chat", **options: Any) -> list[str]:
    return pieces(read_message(SyncOnly(source), format, **options))


def message_async(source: Source, format: Any = "openai-chat", **options: Any) -> list[str]:
    return pieces(asyncio.run(aread_message(AsyncOnly(source), format, **options)))


def pieces(message: Message) -> list[str]:
    return list(message.text)


OneLiner = Callable[..., list[str]]
each = pytest.mark.parametrize("read", [text_sync, text_async, message_sync, message_async])


@each
def test_an_intact_answer(read: OneLiner) -> None:
    source = Source([A + OTHER, B + STOP + DONE])
    assert read(source) == ["你", "好"]
    assert source.closed == 1


@each
@pytest.mark.parametrize(
    ("wire", "outcome"),
    [
        (A, "truncated"),
        (A + sse("{") + STOP, "completed"),
        (A + sse({"error": {"message": "weg"}}), "provider_error"),
    ],
)
def test_a_torn_answer_raises_with_what_there_is(read: OneLiner, wire: bytes, outcome: str) -> None:
    with pytest.raises(TornMessageError) as caught:
        read(Source([wire]))

    assert caught.value.message.text == "你"
    assert caught.value.message.outcome.value == outcome
    assert caught.value.__cause__ is None


@each
def test_what_the_source_raised_is_the_cause(read: OneLiner) -> None:
    error = DroppedError("gone")
    with pytest.raises(TornMessageError, match="the source failed") as caught:
        read(Source([A], error=error))

    assert caught.value.__cause__ is error


@each
def test_what_the_source_raised_after_the_end_is_no_matter(read: OneLiner) -> None:
    assert read(Source([A + STOP], error=DroppedError("timeout"))) == ["你"]


@each
def test_reads_that_are_no_bytes_are_a_mistake_and_no_torn_answer(read: OneLiner) -> None:
    with pytest.raises(TypeError, match="feed\\(\\) takes bytes") as caught:
        read(Source([A, "data: text"]))  # type: ignore[list-item]

    assert type(caught.value) is TypeError


@each
@pytest.mark.parametrize("format", [JSONField, b"openai-chat", None, [b"data: 1"]])
def test_what_is_no_format_is_a_type_error(read: OneLiner, format: Any) -> None:
    with pytest.raises(TypeError, match=r"a name, or an object with reader\(\), not"):
        read(Source([A]), format)


@each
def test_a_reader_that_fails_is_told_once(read: OneLiner) -> None:
    class Broken:
        def reader(self) -> Any:
            return {"no": "event"}.__getitem__

    with pytest.raises(TornMessageError) as caught:
        read(Source([sse({"a": 1})]), Broken())

    assert isinstance(caught.value.__cause__, KeyError)
    (problem,) = caught.value.message.problems
    assert problem.startswith("the format's reader failed: KeyError(")


@each
def test_a_body_that_is_no_event_stream_is_shown(read: OneLiner) -> None:
    body = b"upstream connect error or disconnect/reset before headers\n"
    with pytest.raises(TornMessageError, match="no event came, but 'upstream connect error"):
        read(Source([body]))


@each
def test_an_interruption_passes(read: OneLiner) -> None:
    with pytest.raises(KeyboardInterrupt):
        read(Source([A], error=KeyboardInterrupt()))


@each
def test_auto_that_cannot_tell_lists_the_names(read: OneLiner) -> None:
    with pytest.raises(UnknownFormatError) as caught:
        read(Source([sse({"hello": 1})]), "auto")

    assert "openai-chat" in caught.value.names
    assert "auto" not in caught.value.names


@each
def test_auto_that_can_tell(read: OneLiner) -> None:
    assert read(Source([A + DONE]), "auto") == ["你"]


@each
def test_auto_reports_an_error_that_comes_first(read: OneLiner) -> None:
    with pytest.raises(TornMessageError, match="weg"):
        read(Source([sse({"error": {"message": "weg"}})]), "auto")


@each
def test_a_shortened_answer_is_not_torn(read: OneLiner) -> None:
    assert read(Source([A + sse(chat(finish="length")) + DONE])) == ["你"]


@each
def test_options_are_passed_on(read: OneLiner) -> None:
    with pytest.raises(TornMessageError):
        read(Source([A + STOP]), strict=True)
    with pytest.raises(UnknownFormatError):
        read(Source([]), "opanai")


def test_a_text_that_is_left_early_closes_its_source() -> None:
    source = Source([A, B])
    texts = iter_text(SyncOnly(source), "openai-chat")

    assert next(texts) == "你"
    texts.close()
    assert source.closed == 1


def test_an_async_text_that_is_left_early_closes_its_source() -> None:
    async def main() -> int:
        source = Source([A, B])
        texts = aiter_text(AsyncOnly(source), "openai-chat")
        assert await anext(texts) == "你"
        await texts.aclose()
        return source.closed

    assert asyncio.run(main()) == 1


def test_a_wrong_source_is_refused_at_once() -> None:
    with pytest.raises(TypeError):
        iter_text(b"data", "openai-chat")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        aiter_text([b"data"], "openai-chat")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("sync", "other"), [(iter_text, aiter_text), (read_message, aread_message)]
)
def test_both_worlds_take_the_same(sync: Any, other: Any) -> None:
    assert list(inspect.signature(sync).parameters) == list(inspect.signature(other).parameters)
