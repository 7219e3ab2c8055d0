"""How partial JSON is read in the race, with stand-ins for the packages."""

from __future__ import annotations

import importlib.metadata
import json
import sys
from collections.abc import AsyncIterator
from types import ModuleType, SimpleNamespace
from typing import Any

import partials
import pytest
from contenders import OURS

PIECES = ('{"a":', " [1, ", '"bcd"', "]}")
WHOLE = "".join(PIECES)
FOUND = 1 + 2 + 1 + 3  # the key, the list's length, the number, the text
MODULES = {
    "jiter": "jiter",
    "jsonriver": "jsonriver",
    "partial-json-stream": "partial_json_stream",
    "streaming-json-parser": "streaming_json_parser",
}


def package(monkeypatch: pytest.MonkeyPatch, name: str, **content: object) -> None:
    module = ModuleType(name)
    vars(module).update(content)
    monkeypatch.setitem(sys.modules, name, module)


def value_of(text: str) -> Any:
    """Give the value of a whole text; of another, none that could be mistaken for it."""
    return json.loads(text) if text == WHOLE else {}


@pytest.mark.parametrize("name", partials.NAMES)
def test_a_text_is_of_the_size_that_its_name_says_in_pieces_of_four(name: str) -> None:
    made = partials.shape(name)
    text = "".join(made.reads)
    kind, _, size = name.partition("-")

    assert made.name == name
    assert len(text) == pytest.approx(1_000 * int(size.removesuffix("k")), rel=0.1)
    assert {len(piece) for piece in made.reads[:-1]} == {4}
    assert 1 <= len(made.reads[-1]) <= 4
    value = json.loads(text)
    if kind == "code":
        assert list(value) == ["path", "code"]
        assert made.events == len("pathgreet.pycode") + len(value["code"])
    else:
        # Of each row: its keys, its name, three other values, and itself in the list.
        each = len("idnamedonepart") + len("a name") + 3 + 1
        assert made.events == len("rows") + each * len(value["rows"])
    assert made == partials.shape(name)


@pytest.mark.parametrize("name", partials.NAMES)
def test_untorn_comes_to_the_value(name: str) -> None:
    made = partials.shape(name)

    assert partials._untorn()(made.reads) == made.events


def test_the_size_of_a_value_tells_others_from_it() -> None:
    assert partials._size(json.loads(WHOLE)) == FOUND
    assert partials._size({"a": 1}) == partials._size({"a": 1.0}) == 2
    assert partials._size({"a": "b", "c": None}) == 4
    assert (partials._size([]), partials._size(""), partials._size(True)) == (0, 0, 1)


def test_jiter_parses_all_that_came_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    got: list[bytes] = []

    def from_json(buffer: bytes, *, partial_mode: bool) -> Any:
        assert partial_mode is True
        got.append(buffer)
        return value_of(buffer.decode())

    package(monkeypatch, "jiter", from_json=from_json)

    assert partials._jiter()(PIECES) == FOUND
    assert got == ["".join(PIECES[:end]).encode() for end in range(1, 5)]


def test_jsonriver_is_given_each_piece_and_asked_for_each_value(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    got: list[str] = []

    async def parse(source: AsyncIterator[str]) -> AsyncIterator[Any]:
        async for piece in source:
            got.append(piece)
            yield value_of("".join(got))

    package(monkeypatch, "jsonriver", parse=parse)

    assert partials._jsonriver()(PIECES) == FOUND
    assert got == [*PIECES]


class Parser:
    """Stand for a parser; count how often its value is asked for."""

    made: list[Parser] = []  # noqa: RUF012 (of all of them)

    def __init__(self) -> None:
        self.got: list[str] = []
        self.asked = 0
        self.made.append(self)

    def push(self, piece: str) -> None:
        self.got.append(piece)

    def snapshot(self) -> Any:
        self.asked += 1
        return SimpleNamespace(value=value_of("".join(self.got)))

    def feed(self, piece: str) -> Any:
        self.push(piece)
        return self.snapshot()


@pytest.mark.parametrize(
    ("reader", "module", "name"),
    [
        (partials._partial_json_stream, "partial_json_stream", "JsonStreamParser"),
        (partials._streaming_json_parser, "streaming_json_parser", "StreamingJsonParser"),
    ],
)
def test_each_text_has_a_parser_of_its_own_that_is_asked_after_each_piece(
    monkeypatch: pytest.MonkeyPatch, reader: Any, module: str, name: str
) -> None:
    monkeypatch.setattr(Parser, "made", [])
    package(monkeypatch, module, **{name: Parser})
    read = reader()

    assert read(PIECES) == FOUND
    assert read(PIECES) == FOUND
    assert [(parser.got, parser.asked) for parser in Parser.made] == [([*PIECES], 4)] * 2


def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("from_json", "parse", "JsonStreamParser", "StreamingJsonParser")
    for module, name in zip(MODULES.values(), names, strict=True):
        package(monkeypatch, module, **{name: object})
    versions = {peer: f"1.{number}" for number, peer in enumerate(MODULES)}
    monkeypatch.setattr(importlib.metadata, "version", versions.__getitem__)


@pytest.mark.parametrize(
    ("name", "left_out"),
    [
        ("code-1k", set()),
        ("code-20k", {"streaming-json-parser"}),
        ("rows-1k", set()),
        ("rows-5k", {"partial-json-stream"}),
        ("rows-20k", {"partial-json-stream"}),
    ],
)
def test_who_is_quadratic_on_a_text_is_left_out(
    monkeypatch: pytest.MonkeyPatch, name: str, left_out: set[str]
) -> None:
    installed(monkeypatch)
    ours, *peers = partials.lineup(name)

    assert ours.name == OURS
    assert {(name, peer) for peer in left_out} <= partials.QUADRATIC
    assert [(peer.name, peer.version) for peer in peers] == [
        (peer, f"1.{number}") for number, peer in enumerate(MODULES) if peer not in left_out
    ]


def test_what_is_quadratic_is_of_a_text_and_a_peer_that_there_are() -> None:
    assert {name for name, _ in partials.QUADRATIC} <= {*partials.NAMES}
    assert {peer for _, peer in partials.QUADRATIC} <= {*partials.INCREMENTAL}
    assert {partials.JITER, *partials.INCREMENTAL} == {*partials._PEERS} == {*MODULES}
