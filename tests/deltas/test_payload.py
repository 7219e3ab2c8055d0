"""From an event to its payload: what is skipped, what is an error, what is bad."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import orjson
import pytest

from untorn import Event
from untorn.deltas import BadPayload, Delta, EndMarker, ErrorUpdate, TextDelta
from untorn.deltas._payload import JSONReader, is_whole
from untorn.deltas._register import Options, Register


def read(data: str, event: str = "message", **options: Any) -> list[Delta]:
    return read_with(Register(Options(**options)), Event(data, event))


def read_with(register: Register, event: Event, *, done_ends: bool = True) -> list[Delta]:
    def text(payload: dict[str, Any], name: str) -> Iterator[Delta]:
        yield TextDelta(payload.get("t", name))

    return [*JSONReader(register, text, done_ends=done_ends)(event)]


def test_an_object_is_read() -> None:
    assert read('{"t": "α"}') == [TextDelta("α")]
    assert read("{}", "named") == [TextDelta("named")]


def test_an_error_comes_before_what_else_is_in_the_payload() -> None:
    assert read('{"t": "a", "error": {"message": "m"}}') == [ErrorUpdate("m"), TextDelta("a")]


@pytest.mark.parametrize("data", ["", " ", "\n", "null", ": OPENROUTER PROCESSING"])
def test_keep_alives_are_skipped(data: str) -> None:
    register = Register(Options())

    assert read_with(register, Event(data)) == []
    assert register.problems == []


@pytest.mark.parametrize("data", ["[DONE]", " [DONE] ", '"[DONE]"'])
def test_the_end_marker(data: str) -> None:
    assert read(data) == [EndMarker("[DONE]")]
    assert read_with(Register(Options()), Event(data), done_ends=False) == []


@pytest.mark.parametrize("data", ["{", "[DON", "nonsense", '{"a": 1}{"b": 2}', "[" * 99_999])
def test_what_is_not_json_is_kept_with_its_event(data: str) -> None:
    [delta] = read(data)

    assert isinstance(delta, BadPayload)
    assert delta.event == Event(data)
    assert delta.reason.startswith("not JSON: ")


def test_strict_takes_no_comment_for_data() -> None:
    [delta] = read(": OPENROUTER PROCESSING", strict=True)
    assert isinstance(delta, BadPayload)


def test_an_error_event_need_not_be_json() -> None:
    assert read("kaputt", "error") == [ErrorUpdate("kaputt")]
    assert read("", "error") == []
    assert read('"kaputt"', "error") == [ErrorUpdate("kaputt")]
    assert read("[1]", "error") == [ErrorUpdate("[1]")]
    assert read("null", "error") == [ErrorUpdate("null")]


@pytest.mark.parametrize("data", ["7", "true", '"text"', "[1]", "[]"])
def test_json_that_is_no_object_is_noted(data: str) -> None:
    register = Register(Options())

    assert read_with(register, Event(data)) == []
    assert register.problems == ["a payload is JSON, but not an object"]
    assert register.damages == []


def test_an_error_in_an_array_is_an_error() -> None:
    data = '[1, {"error": {"message": "voll", "code": 503}}]'
    assert ErrorUpdate("voll", 503) in read(data)


def test_the_objects_in_an_array_are_read() -> None:
    assert read('[{"t": "a"}, {"t": "b"}]') == [TextDelta("a"), TextDelta("b")]


def test_what_is_nested_too_deeply_to_be_read_is_bad() -> None:
    def read_payload(payload: Any, name: str) -> Iterator[Delta]:
        yield TextDelta("a")
        raise RecursionError

    reader = JSONReader(Register(Options()), read_payload, done_ends=True)
    assert [*reader(Event("{}"))] == [TextDelta("a"), BadPayload(Event("{}"), "nested too deeply")]


@pytest.mark.parametrize("loads", [orjson.loads, msgspec.json.decode])
def test_another_loads_is_used_and_json_has_the_last_word(loads: Any) -> None:
    assert read('{"t": "火"}', loads=loads) == [TextDelta("火")]
    assert read('{"t": "\\ud83d"}', loads=loads) == [TextDelta("\ud83d")]  # both refuse it
    assert read('{"t": Infinity}', loads=loads) == read('{"t": Infinity}')
    [delta] = read("{", loads=loads)
    assert isinstance(delta, BadPayload)


def test_loads_is_asked_first() -> None:
    assert read("anything", loads=lambda data: {"t": data}) == [TextDelta("anything")]


@pytest.mark.parametrize(
    ("data", "whole"),
    [
        ('{"a": 1}', True),
        ('[{"error": 1}]', True),
        ("[DONE]", True),
        ('{"a": 1', False),
        ("12", False),
        ('"a"', False),
        ("[DON", False),
        ("[" * 99_999, False),
    ],
)
def test_what_of_an_unfinished_event_is_whole(data: str, whole: bool) -> None:
    assert is_whole(data) is whole


class Short:
    """A reader whose short way takes what has a "t", and nothing but that."""

    def __call__(self, payload: dict[str, Any], name: str) -> Iterator[Delta]:
        yield TextDelta("the long way")

    def simple(self, payload: dict[str, Any]) -> Delta | None:
        return TextDelta(payload["t"]) if [*payload] == ["t"] else None


@pytest.mark.parametrize(
    ("data", "event", "text"),
    [
        ('{"t": "short"}', "message", "short"),
        (' {"t": "short"} ', "message", "short"),
        ('{"t": "short", "a": 1}', "message", "the long way"),
        ('[{"t": "short"}]', "message", "the long way"),
    ],
)
def test_a_reader_may_have_a_short_way(data: str, event: str, text: str) -> None:
    reader = JSONReader(Register(Options()), Short(), done_ends=True)
    assert [*reader(Event(data, event))] == [TextDelta(text)]


def test_an_error_never_goes_the_short_way() -> None:
    reader = JSONReader(Register(Options()), Short(), done_ends=True)
    [error, _] = reader(Event('{"t": "short"}', "error"))
    assert isinstance(error, ErrorUpdate)
