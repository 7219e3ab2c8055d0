"""Texts, calls and choices while they grow."""

from __future__ import annotations

import pytest

from untorn.deltas._parts import (
    MAX_PARSED,
    CallState,
    ChoiceState,
    GrowingText,
    TextState,
    is_same,
    parsed,
)


def call_state(*pieces: str, custom: bool = False) -> CallState:
    call = CallState(0, 0, server=False, custom=custom)
    for piece in pieces:
        admitted = call.admit(piece)
        if admitted:
            call.pieces.append(admitted)
    return call


def test_a_text_is_the_sum_of_its_pieces() -> None:
    text = GrowingText()
    assert str(text) == ""
    text.pieces += ["Grü", "ße"]
    assert str(text) == "Grüße"
    assert text.pieces == ["Grüße"]


def test_a_half_waits_for_the_other_one() -> None:
    text = GrowingText()

    assert [text.admit("a\ud83e"), text.admit("\udd8ab")] == ["a", "🦊b"]
    assert (text.give_up_half(), text.lone) == ("", 0)


def test_a_half_that_stays_alone_is_given_up() -> None:
    text = GrowingText()

    assert [text.admit("\ud83e"), text.admit("b")] == ["", "\ufffdb"]
    assert text.admit("c\ud83e") == "c"
    assert (text.give_up_half(), text.lone) == ("\ufffd", 2)


def test_a_part_knows_its_place() -> None:
    part = TextState("reasoning", 1, 2)
    assert (part.kind, part.choice, part.slot) == ("reasoning", 1, 2)


@pytest.mark.parametrize(
    ("pieces", "arguments"),
    [
        (["{}", '{"a": 1}'], '{"a": 1}'),
        (["{}", "", ' {"a": 1}'], ' {"a": 1}'),
        (["{}", " "], "{} "),
        (["", "{}"], ""),
        (["{", "}"], "{}"),
        (['{"a": "', "{}", '"}'], '{"a": "{}"}'),
    ],
)
def test_a_placeholder_makes_way_for_the_real_object(pieces: list[str], arguments: str) -> None:
    assert str(call_state(*pieces)) == arguments


def test_a_placeholder_that_stays_alone_is_the_arguments() -> None:
    call = call_state("{}")

    assert (str(call), call.is_empty()) == ("", True)
    assert (call.settle(), call.settle()) == ("{}", "")


def test_free_text_has_no_placeholder() -> None:
    assert str(call_state("{}", custom=True)) == "{}"


@pytest.mark.parametrize(
    ("arguments", "whole"),
    [("", True), (" ", True), ('{"a": 1}', True), ("[1]", False), ('{"a"', False), ("1", False)],
)
def test_what_may_be_run(arguments: str, whole: bool) -> None:
    assert call_state(arguments).is_whole() is whole
    assert call_state(arguments, custom=True).is_whole()


def test_a_live_view_grows_with_the_call() -> None:
    call = call_state('{"a": "x')
    first = call.snapshot(live=True)
    assert first.partial == {"a": "x"}
    call.pieces.append('y", "b": 1}')
    assert call.snapshot(live=True).partial == {"a": "xy", "b": 1}
    assert call.snapshot().partial == {"a": "xy", "b": 1}


def test_a_live_view_of_damaged_arguments_stops_at_the_fault() -> None:
    call = call_state('{"a": 1]')
    call.snapshot(live=True)
    call.pieces.append('"b"')

    assert call.snapshot(live=True).partial == {"a": 1}


def test_a_final_word_replaces_what_was_streamed() -> None:
    call = call_state('{"a": 1')
    call.snapshot(live=True)
    call.replace('{"b": 2}')

    assert str(call) == '{"b": 2}'
    assert call.snapshot(live=True).partial == {"b": 2}


def test_a_live_view_of_free_text_is_the_text() -> None:
    call = call_state("SELECT", custom=True)
    assert call.snapshot(live=True).partial == "SELECT"


def test_a_choice_begins_unfinished() -> None:
    choice = ChoiceState()
    assert (choice.finish, choice.last_call, choice.open_calls) == (None, None, {})


@pytest.mark.parametrize(
    ("text", "value"), [('{"a": 1}', {"a": 1}), ("{", None), ("[" * 99_999, None)]
)
def test_parsing_never_raises(text: str, value: object) -> None:
    assert parsed(text) == value


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ('{"a": 1}', '{"a":1.0}', True),
        ('{"a": 1, "b": [null]}', '{"b": [null], "a": 1}', True),
        ('{"a": 1}', '{"a": true}', False),
        ('{"a": [0]}', '{"a": [false]}', False),
        ('{"a": 1}', '{"a": 2}', False),
        ('{"a": 1}', '{"a": 1', False),
        ("null", "null", False),
    ],
)
def test_the_same_value_written_otherwise(first: str, second: str, same: bool) -> None:
    assert is_same(first, second) is same


@pytest.mark.parametrize(
    ("pieces", "may"),
    [([], False), (["{", "}"], True), (['{"a": 1} '], True), (['{"a": 1}', ","], False)],
)
def test_what_may_be_whole_is_told_without_parsing(pieces: list[str], may: bool) -> None:
    assert call_state(*pieces).may_be_whole() is may
    assert not call_state(*pieces, custom=True).may_be_whole()


def test_parsing_over_and_over_has_a_bound() -> None:
    call = call_state('{"a": "}')
    assert not any(call.is_whole() for _ in range(MAX_PARSED))
    assert not call.may_be_whole()
    call.replace("{}")
    assert not call.is_whole()


def test_a_half_that_an_escape_holds_is_counted() -> None:
    call = call_state('{"a": "\\ud83d"}')
    assert (call.is_whole(), call.lone) == (True, 1)


def test_what_is_too_deep_to_be_compared_is_not_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def deep(text: str) -> object:
        value: list[object] = []
        for _ in range(100_000):
            value = [value]
        return value

    monkeypatch.setattr("untorn.deltas._parts.parsed", deep)
    assert not is_same("[", "[ ")


def test_a_choice_has_a_sum_for_each_kind_of_text() -> None:
    choice = ChoiceState()

    assert choice.sum_of("text") is choice.text
    assert choice.sum_of("reasoning") is choice.reasoning
    assert choice.sum_of("refusal") is choice.refusal
