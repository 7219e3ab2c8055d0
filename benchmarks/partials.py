"""Own the race of partial JSON: a text in pieces of four characters, its value asked after each.

Two texts: one long string, as code in a tool call is, and rows of small objects. A reader gives the
size of the last value, so that one with another value is not timed.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.metadata
import json
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from contenders import OURS, Contender, Reader, ours
from shapes import Shape

PIECE = 4
CODE = 'def greet(name):\n    return "naïve " + name  # 火\n'
SIZES = {"1k": 1_000, "5k": 5_000, "20k": 20_000}
NAMES = tuple(f"{kind}-{size}" for kind in ("code", "rows") for size in SIZES)
JITER = "jiter"
INCREMENTAL = ("jsonriver", "partial-json-stream", "streaming-json-parser")
# What takes time by the square of its input, and would take the whole run.
QUADRATIC = {
    ("code-20k", "streaming-json-parser"),
    ("rows-5k", "partial-json-stream"),
    ("rows-20k", "partial-json-stream"),
}


def shape(name: str) -> Shape:
    """Make a text in pieces."""
    kind, _, size = name.partition("-")
    text = _code(SIZES[size]) if kind == "code" else _rows(SIZES[size])
    pieces = tuple(text[at : at + PIECE] for at in range(0, len(text), PIECE))
    return Shape(name, f"{len(text):,} characters, {kind}", pieces, _size(json.loads(text)))


def lineup(name: str) -> list[Contender]:
    """Give who reads a text of this name."""
    made = [Contender(OURS, ours().version, _untorn())]
    for peer, reader in _PEERS.items():
        if (name, peer) not in QUADRATIC:
            made.append(Contender(peer, importlib.metadata.version(peer), reader()))
    return made


def _code(size: int) -> str:
    code = (CODE * (size // len(CODE) + 1))[: size * 9 // 10]
    return json.dumps({"path": "greet.py", "code": code}, ensure_ascii=False)


def _rows(size: int) -> str:
    rows = [{"id": n, "name": "a name", "done": n % 2 == 0, "part": 1.5} for n in range(size // 53)]
    return json.dumps({"rows": rows})


def _size(value: Any) -> int:
    """Count the characters and the other values; 1 and 1.0 are alike, as one peer has no ints."""
    if isinstance(value, dict):
        return sum(len(key) + _size(item) for key, item in value.items())
    if isinstance(value, list):
        return len(value) + sum(map(_size, value))
    return len(value) if isinstance(value, str) else 1


def _untorn() -> Reader:
    from untorn.deltas import PartialJSON

    def read(pieces: Sequence[Any]) -> int:
        reader = PartialJSON()
        for piece in pieces:
            reader.feed(piece)
            value = reader.value
        return _size(value)

    return read


def _jiter() -> Reader:
    """Parse all that came each time, with the open string left out, as anthropic's helper does."""
    jiter = importlib.import_module("jiter")

    def read(pieces: Sequence[Any]) -> int:
        buffer = b""
        for piece in pieces:
            buffer += piece.encode()
            value = jiter.from_json(buffer, partial_mode=True)
        return _size(value)

    return read


def _jsonriver() -> Reader:
    """Its one way in is an async generator."""
    parse = importlib.import_module("jsonriver").parse

    def read(pieces: Sequence[Any]) -> int:
        async def source() -> AsyncIterator[str]:
            for piece in pieces:
                yield piece

        async def last() -> Any:
            value = None
            async for value in parse(source()):  # noqa: B007 (the last one is what is wanted)
                pass
            return value

        return _size(asyncio.run(last()))

    return read


def _partial_json_stream() -> Reader:
    parser_type = importlib.import_module("partial_json_stream").JsonStreamParser

    def read(pieces: Sequence[Any]) -> int:
        parser = parser_type()
        for piece in pieces:
            parser.push(piece)
            value = parser.snapshot().value
        return _size(value)

    return read


def _streaming_json_parser() -> Reader:
    parser_type = importlib.import_module("streaming_json_parser").StreamingJsonParser

    def read(pieces: Sequence[Any]) -> int:
        parser = parser_type()
        for piece in pieces:
            value = parser.feed(piece).value
        return _size(value)

    return read


_PEERS: dict[str, Callable[[], Reader]] = {
    JITER: _jiter,
    "jsonriver": _jsonriver,
    "partial-json-stream": _partial_json_stream,
    "streaming-json-parser": _streaming_json_parser,
}
