"""Texts, calls and choices while they grow."""

from __future__ import annotations

import pytest

from untorn.deltas._parts import CallState, ChoiceState, GrowingText, TextState, parsed


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
