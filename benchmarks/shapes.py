"""Own the streams that speed is measured on: named, seeded, the same ones each time.

A shape is the reads of a body and how many events they hold, so that a reader can be checked before
it is timed.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

SEED = 20261130
KIB = 1024
WORDS = "the answer is that a stream comes in pieces and none of them may be lost".split()
_Made: TypeAlias = tuple[tuple[bytes, ...], int]
SCRIPTS = "今日は 良い天気 안녕하세요 Привет मौसम مرحبا 🌅 🦊 naïve Grüße สวัสดี 火".split()


@dataclass(frozen=True, slots=True)
class Shape:
    """One stream.

    Args:
        name: What it is called on the command line.
        about: What it stands for.
        reads: Its body, as it is read; of a race between others than parsers, what they take.
        events: How many events it holds, or what else its reader has to find.
    """

    name: str
    about: str
    reads: tuple[Any, ...]
    events: int


def cut(wire: bytes, size: int) -> tuple[bytes, ...]:
    """Give a body in reads of a size, in bytes."""
    return tuple(wire[start : start + size] for start in range(0, len(wire), size))


def chat_events(count: int, words: list[str]) -> list[bytes]:
    """Give chat events of about 250 bytes, as most of the many hosts of that format write them."""
    chance = random.Random(SEED)
    return [_data(chunk({"content": f" {chance.choice(words)}"})) for _ in range(count)]


def tool_call_payloads(size: int, piece: int = 4) -> list[str]:
    """Give the payloads of a chat stream that writes one tool call's arguments of about a size.

    Args:
        size: Characters of the arguments.
        piece: Characters in a delta.
    """
    arguments = tool_arguments(size)
    call = {"index": 0, "id": "call_1", "type": "function"}
    first = {"tool_calls": [{**call, "function": {"name": "save", "arguments": ""}}]}
    deltas = [
        {"tool_calls": [{"index": 0, "function": {"arguments": arguments[at : at + piece]}}]}
        for at in range(0, len(arguments), piece)
    ]
    return [json.dumps(chunk(delta), ensure_ascii=False) for delta in (first, *deltas)]


def tool_arguments(size: int) -> str:
    """Give a JSON text of about so many characters: rows of small objects, as tools take them."""
    chance = random.Random(SEED)
    rows: list[dict[str, object]] = []
    length = 0
    while length < size:
        rows.append(
            {"id": len(rows), "name": chance.choice(SCRIPTS), "done": chance.random() < 0.5}
        )
        length += len(json.dumps(rows[-1], ensure_ascii=False)) + 2
    return json.dumps({"rows": rows}, ensure_ascii=False)


def chunk(delta: Mapping[str, object], finish: str | None = None) -> dict[str, object]:
    """Give a chunk of a chat stream, as most of the many hosts of that format write it."""
    return {
        "id": "chatcmpl-BKx7mQ2vT9sLw4",
        "object": "chat.completion.chunk",
        "created": 1_796_000_000,
        "model": "a-model-2026-11",
        "system_fingerprint": "fp_0123456789",
        "choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}],
    }


def _data(payload: object, end: str = "\n") -> bytes:
    return f"data: {json.dumps(payload, ensure_ascii=False)}{end}{end}".encode()


def _named(count: int) -> list[bytes]:
    chance = random.Random(SEED)
    return [
        b"event: content_block_delta\r\n"
        + _data({"type": "content_block_delta", "text": f" {chance.choice(WORDS)}"}, "\r\n")
        for _ in range(count)
    ]


def _chat(words: list[str], size: int | None, count: int = 20_000) -> Callable[[], _Made]:
    def make() -> _Made:
        events = chat_events(count, words)
        return (tuple(events) if size is None else cut(b"".join(events), size)), count

    return make


def _wire(wire: Callable[[], bytes], size: int, events: int) -> Callable[[], _Made]:
    return lambda: (cut(wire(), size), events)


def _one_byte() -> _Made:
    events = chat_events(800, WORDS)
    return cut(b"".join(events), 1), len(events)


def _named_reads() -> _Made:
    events = _named(20_000)
    return tuple(events), len(events)


def _tool_call() -> _Made:
    events = [f"data: {payload}\n\n".encode() for payload in tool_call_payloads(20_000)]
    return tuple(events), len(events)


_MAKERS: dict[str, tuple[str, Callable[[], _Made]]] = {
    "chat-16k": ("chat events in 16 KiB reads", _chat(WORDS, 16 * KIB)),
    "chat-event": ("chat events, one a read", _chat(WORDS, None)),
    "chat-64": ("chat events in 64-byte reads", _chat(WORDS, 64)),
    "chat-1": ("chat events byte by byte", _one_byte),
    "named-crlf": ("named events, CRLF, one a read", _named_reads),
    "tool-call": ("a tool call's JSON in pieces of 4 characters, one a read", _tool_call),
    "multilingual": ("chat events in many scripts, 16 KiB reads", _chat(SCRIPTS * 3, 16 * KIB)),
    "long-line": (
        "one line of 10 MB in 1 KiB reads",
        _wire(lambda: b"data: " + b"x" * 10_000_000 + b"\n\n", KIB, 1),
    ),
    "many-lines": (
        "one event of 100,000 lines in 16 KiB reads",
        _wire(lambda: b"data: a line of a long text\n" * 100_000 + b"\n", 16 * KIB, 1),
    ),
    "comments": (
        "comments alone, 16 KiB reads",
        _wire(lambda: b": keep-alive\n\n" * 100_000, 16 * KIB, 0),
    ),
    "unknown-fields": (
        "fields that nobody knows, 16 KiB reads",
        _wire(lambda: b"unknown: field\n" * 100_000, 16 * KIB, 0),
    ),
    "blank-lines": (
        "blank lines alone, 16 KiB reads",
        _wire(lambda: b"\n" * 1_000_000, 16 * KIB, 0),
    ),
}
NAMES = tuple(_MAKERS)


def shape(name: str) -> Shape:
    """Make a shape.

    Raises:
        KeyError: There is none of this name.
    """
    about, make = _MAKERS[name]
    reads, events = make()
    return Shape(name, about, reads, events)
