"""Own the one-liners: the shortest program is not the wrong one, it raises on a torn answer."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable, Callable, Generator, Iterable
from typing import Any

from .._parser import Chunk, SSEParser
from ._assembler import DeltaAssembler
from ._faults import TornMessageError, UnknownFormatError
from ._format import Format, FormatName
from ._message import Message
from ._names import CHOICES
from ._stream import AsyncDeltaStream, DeltaStream, aiter_deltas, iter_deltas
from ._types import TextDelta


def iter_text(
    chunks: Iterable[Chunk],
    format: FormatName | Format,
    *,
    parser: SSEParser | None = None,
    loads: Callable[[str], Any] | None = None,
    strict: bool = False,
) -> Generator[str, None, None]:
    r"""Iterate over the text of an answer (that of choice 0), and raise at the end if it is torn.

    Left early, once it has begun, it raises nothing, and closes the source when it is closed or
    freed.

    Args:
        chunks: The reads as they arrive, such as ``response.iter_bytes()`` of httpx.
        format: The name of a format, or an object of your own with a ``reader()``.
        parser: A parser with options of your own.
        loads: What to parse payloads with, such as ``orjson.loads``.
        strict: Turn the leniencies off, as ``DeltaAssembler`` says.

    Raises:
        TornMessageError: The answer is not intact; the error carries the message, and what the
            source raised is its ``__cause__``.
        TypeError: The reads are no bytes, or the format is none.
        UnknownFormatError: No format has this name, or "auto" could not tell.

    Example:
        >>> from untorn.deltas import TornMessageError, iter_text
        >>> try:
        ...     for text in iter_text([b'data: {"choices": [{"delta": {"content": "Hi"}}]}\n\n'],
        ...                           "openai-chat"):
        ...         print(text)
        ... except TornMessageError as error:
        ...     print("torn:", error.message.outcome.value)
        Hi
        torn: truncated
    """
    stream = iter_deltas(chunks, format, parser=parser, loads=loads, strict=strict)
    return _texts(stream)


def aiter_text(
    chunks: AsyncIterable[Chunk],
    format: FormatName | Format,
    *,
    parser: SSEParser | None = None,
    loads: Callable[[str], Any] | None = None,
    strict: bool = False,
) -> AsyncGenerator[str, None]:
    """Iterate over the text of an answer asynchronously, and raise at the end if it is torn.

    Args:
        chunks: The reads as they arrive, such as ``response.aiter_bytes()`` of httpx.
        format: The name of a format, or an object of your own with a ``reader()``.
        parser: A parser with options of your own.
        loads: What to parse payloads with, such as ``orjson.loads``.
        strict: Turn the leniencies off, as ``DeltaAssembler`` says.

    Raises:
        TornMessageError, TypeError: As ``iter_text`` says.
        UnknownFormatError: No format has this name, or "auto" could not tell.
    """
    stream = aiter_deltas(chunks, format, parser=parser, loads=loads, strict=strict)
    return _atexts(stream)


def read_message(
    chunks: Iterable[Chunk],
    format: FormatName | Format,
    *,
    parser: SSEParser | None = None,
    loads: Callable[[str], Any] | None = None,
    strict: bool = False,
) -> Message:
    """Read a whole answer.

    Args:
        chunks: The reads as they arrive, such as ``response.iter_bytes()`` of httpx.
        format: The name of a format, or an object of your own with a ``reader()``.
        parser: A parser with options of your own.
        loads: What to parse payloads with, such as ``orjson.loads``.
        strict: Turn the leniencies off, as ``DeltaAssembler`` says.

    Raises:
        TornMessageError: The answer is not intact; the error carries the message, and what the
            source raised is its ``__cause__``.
        TypeError: The reads are no bytes, or the format is none.
        UnknownFormatError: No format has this name, or "auto" could not tell.
    """
    cause: Exception | None = None
    with iter_deltas(chunks, format, parser=parser, loads=loads, strict=strict) as stream:
        try:
            for _ in stream:
                pass
        except Exception as error:
            cause = error
    return _intact(stream.assembler, cause)


async def aread_message(
    chunks: AsyncIterable[Chunk],
    format: FormatName | Format,
    *,
    parser: SSEParser | None = None,
    loads: Callable[[str], Any] | None = None,
    strict: bool = False,
) -> Message:
    """Read a whole answer, asynchronously.

    Args:
        chunks: The reads as they arrive, such as ``response.aiter_bytes()`` of httpx.
        format: The name of a format, or an object of your own with a ``reader()``.
        parser: A parser with options of your own.
        loads: What to parse payloads with, such as ``orjson.loads``.
        strict: Turn the leniencies off, as ``DeltaAssembler`` says.

    Raises:
        TornMessageError, TypeError: As ``read_message`` says.
        UnknownFormatError: No format has this name, or "auto" could not tell.
    """
    cause: Exception | None = None
    async with aiter_deltas(chunks, format, parser=parser, loads=loads, strict=strict) as stream:
        try:
            async for _ in stream:
                pass
        except Exception as error:
            cause = error
    return _intact(stream.assembler, cause)


def _texts(stream: DeltaStream) -> Generator[str, None, None]:
    cause: Exception | None = None
    with stream:
        try:
            for delta in stream:
                if isinstance(delta, TextDelta) and delta.choice == 0:
                    yield delta.text
        except Exception as error:
            cause = error
    _intact(stream.assembler, cause)


async def _atexts(stream: AsyncDeltaStream) -> AsyncGenerator[str, None]:
    cause: Exception | None = None
    async with stream:
        try:
            async for delta in stream:
                if isinstance(delta, TextDelta) and delta.choice == 0:
                    yield delta.text
        except Exception as error:
            cause = error
    _intact(stream.assembler, cause)


def _intact(assembler: DeltaAssembler, cause: Exception | None) -> Message:
    message = assembler.message
    if message.intact:
        return message  # a source that failed after the end took nothing away
    if assembler._untold and cause is None:
        raise UnknownFormatError("auto", CHOICES)
    if isinstance(cause, TypeError):
        raise cause  # text in place of bytes, say: a mistake of the program, and no torn answer
    raise TornMessageError(message) from cause
