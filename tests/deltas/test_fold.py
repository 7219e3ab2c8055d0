"""How deltas add up, whatever a reader gives: sums, ends, limits."""

from __future__ import annotations

from typing import Any

import pytest
from folding import fold, new_fold

from untorn import Event
from untorn.deltas import (
    AssemblyLimitError,
    BadPayload,
    Delta,
    EndMarker,
    ErrorUpdate,
    Finish,
    ReasoningDelta,
    RefusalDelta,
    TextDelta,
    ToolCallDelta,
    ToolCallEnd,
    ToolCallStart,
    UsageUpdate,
)


@pytest.mark.parametrize("kind", [TextDelta, ReasoningDelta, RefusalDelta])
def test_a_text_that_is_whole_passes_as_it_is(kind: Any) -> None:
    delta = kind("ночь")
    assert fold(delta)[0] is delta
    assert fold(kind("")) == []


@pytest.mark.parametrize("kind", [TextDelta, ReasoningDelta, RefusalDelta])
def test_halves_are_joined_for_each_slot(kind: Any) -> None:
    deltas = [kind("a\ud83e"), kind("\ud83d", slot=1), kind("\udd8a"), kind("\ude00", slot=1)]
    assert fold(*deltas) == [kind("a"), kind("🦊"), kind("😀", slot=1)]


@pytest.mark.parametrize("kind", [TextDelta, ReasoningDelta, RefusalDelta])
def test_a_half_that_waits_in_vain_comes_out_at_the_end(kind: Any) -> None:
    assert fold(kind("\ud83e"), close=True) == [kind("\ufffd")]


def test_what_is_held_back_comes_out_at_the_end() -> None:
    calls = [ToolCallDelta(0, "{}"), ToolCallDelta(1, '"\ud83e')]
    out = fold(TextDelta("a"), *calls, close=True)

    assert out[-2:] == [ToolCallDelta(0, "{}"), ToolCallDelta(1, "\ufffd")]


def test_a_closing_half_does_not_open_a_finished_choice() -> None:
    state = new_fold()
    fold(TextDelta("\ud83e"), Finish("stop"), into=state, close=True)

    assert state.register.finished == {0}


def test_one_slot_number_for_several_kinds_is_no_confusion() -> None:
    state = new_fold()
    fold(TextDelta("a"), ReasoningDelta("b"), TextDelta("c", choice=1), into=state)

    assert [str(state.choices[0].text), str(state.choices[0].reasoning)] == ["a", "b"]
    assert str(state.choices[1].text) == "c"


def test_a_call_starts_once_and_is_filled_in() -> None:
    out = fold(
        ToolCallStart(0),
        ToolCallStart(0),
        ToolCallStart(0, id="c1"),
        ToolCallStart(0, id="c2", name="suche\ud83d"),
        ToolCallStart(0, id="c1", name="other"),
    )

    assert out == [
        ToolCallStart(0),
        ToolCallStart(0, id="c1"),
        ToolCallStart(0, id="c1", name="suche\ufffd"),
    ]


def test_arguments_and_an_end_open_a_call_that_never_started() -> None:
    assert fold(ToolCallDelta(3, "{")) == [ToolCallStart(3), ToolCallDelta(3, "{")]
    assert fold(ToolCallEnd(3)) == [ToolCallStart(3), ToolCallEnd(3, "", True)]


def test_an_end_has_all_the_arguments() -> None:
    ends = [ToolCallEnd(0), ToolCallEnd(0), ToolCallEnd(0, '{"a": 1}')]
    out = fold(ToolCallDelta(0, '{"a"'), ToolCallDelta(0, ": 1}"), *ends)
    assert out[3:] == [ToolCallEnd(0, '{"a": 1}', True)]


@pytest.mark.parametrize("arguments", ['{"a"', "[1]", "{}{}"])
def test_an_end_of_what_is_no_object_is_not_complete(arguments: str) -> None:
    assert fold(ToolCallDelta(0, arguments), ToolCallEnd(0))[-1] == ToolCallEnd(0, arguments, False)


def test_free_text_is_complete_once_it_is_ended() -> None:
    out = fold(ToolCallStart(0, custom=True), ToolCallDelta(0, "SELECT"), ToolCallEnd(0))
    assert out[-1] == ToolCallEnd(0, "SELECT", True)


def test_an_end_adds_what_was_never_streamed() -> None:
    out = fold(ToolCallDelta(0, '{"a"'), ToolCallEnd(0, '{"a": 1}'))
    assert out[2:] == [ToolCallDelta(0, ": 1}"), ToolCallEnd(0, '{"a": 1}', True)]
    assert fold(ToolCallEnd(0, "{}"))[1:] == [ToolCallDelta(0, "{}"), ToolCallEnd(0, "{}", True)]


def test_the_same_arguments_written_otherwise_stay_as_streamed() -> None:
    out = fold(ToolCallDelta(0, '{"a": 1}'), ToolCallEnd(0, '{"a":1}'))
    assert out[2:] == [ToolCallEnd(0, '{"a": 1}', True)]


def test_other_final_arguments_replace_and_are_noted() -> None:
    state = new_fold()
    out = fold(ToolCallDelta(0, '{"a": 1}'), ToolCallEnd(0, '{"b": 2}'), into=state)

    assert out[2:] == [ToolCallEnd(0, '{"b": 2}', True)]
    assert state.register.problems == [
        "a call's final arguments differ from those that were streamed"
    ]


def test_a_final_object_takes_the_place_of_a_placeholder() -> None:
    out = fold(ToolCallDelta(0, "{}"), ToolCallEnd(0, '{"a": 1}'))
    assert out[1:] == [ToolCallDelta(0, '{"a": 1}'), ToolCallEnd(0, '{"a": 1}', True)]


def test_a_later_word_that_a_call_was_cut_counts() -> None:
    out = fold(ToolCallDelta(0, '{"a": 1}'), ToolCallEnd(0), ToolCallEnd(0, complete=False))
    assert out[-1] == ToolCallEnd(0, '{"a": 1}', False)


def test_more_arguments_open_an_ended_call_again() -> None:
    state = new_fold()
    fold(ToolCallDelta(0, '{"a": 1}'), Finish("stop"), ToolCallDelta(0, "x"), into=state)

    assert not state.calls[0].complete
    assert state.register.finished == set()


def test_a_finish_ends_the_calls_of_its_choice_alone() -> None:
    state = new_fold()
    start = [ToolCallStart(0), ToolCallStart(1, choice=1)]
    out = fold(*start, ToolCallDelta(0, "{}"), Finish("tool_calls"), into=state)

    assert out[2:] == [Finish("tool_calls")]  # the placeholder may make way yet
    assert fold(into=state, close=True) == [ToolCallDelta(0, "{}"), ToolCallEnd(0, "{}", True)]
    assert not state.calls[1].ended
    whole = [ToolCallStart(0), ToolCallDelta(0, '{"a": 1}'), Finish("stop")]
    assert fold(*whole)[2:] == [ToolCallEnd(0, '{"a": 1}', True), Finish("stop")]


@pytest.mark.parametrize("arguments", ["", "{}"])
def test_a_limit_before_the_first_argument_leaves_a_cut_call(arguments: str) -> None:
    whole = [ToolCallStart(0, name="now"), ToolCallStart(1, name="pay")]
    out = fold(*whole, ToolCallDelta(1, arguments), Finish("length"), close=True)

    ends = [delta for delta in out if isinstance(delta, ToolCallEnd)]
    assert [(end.slot, end.complete) for end in ends] == [(0, True), (1, False)]


def test_a_limit_after_the_call_was_ended_empty_cuts_it_too() -> None:
    out = fold(ToolCallStart(0), ToolCallEnd(0), Finish("length"))
    assert out[1:3] == [ToolCallEnd(0, "", True), ToolCallEnd(0, "", False)]


def test_a_limit_in_the_text_after_a_call_leaves_the_call_whole() -> None:
    out = fold(ToolCallStart(0), TextDelta("and"), Finish("length"), close=True)
    assert ToolCallEnd(0, "", True) in out


def test_usage_replaces() -> None:
    state = new_fold()
    usage = {"n": 1}
    fold(UsageUpdate(usage), UsageUpdate({"m": 2}), into=state)

    assert state.usage == {"m": 2}


def test_the_first_error_is_kept() -> None:
    state = new_fold()
    out = fold(ErrorUpdate("eins\ud83d"), ErrorUpdate("zwei"), into=state)

    assert out == [ErrorUpdate("eins\ufffd"), ErrorUpdate("zwei")]
    assert state.error == ErrorUpdate("eins\ufffd")


def test_the_end_marker_comes_out_once_and_ends_the_calls() -> None:
    out = fold(ToolCallStart(0, name="f"), EndMarker(), EndMarker("again"))
    assert out[1:] == [ToolCallEnd(0, "", True), EndMarker()]


def test_an_end_marker_alone_is_no_answer() -> None:
    state = new_fold()
    fold(UsageUpdate({"n": 1}), EndMarker(), into=state)

    assert state.no_answer
    assert state.register.damages == ["no chunk before the end marker"]


@pytest.mark.parametrize(
    "before", [TextDelta("a"), ToolCallStart(0), ErrorUpdate("e"), Finish("s")]
)
def test_an_end_marker_after_anything_is_an_end(before: Delta) -> None:
    state = new_fold()
    fold(before, EndMarker(), into=state)

    assert not state.no_answer


def test_a_bad_payload_is_damage() -> None:
    state = new_fold()
    out = fold(BadPayload(Event("{"), "not JSON"), into=state)

    assert out == [BadPayload(Event("{"), "not JSON")]
    assert state.register.damages == ["a payload could not be read (not JSON): '{'"]


def test_a_replacement_character_is_seen_wherever_it_comes() -> None:
    for delta in (TextDelta("a\ufffd"), ToolCallDelta(0, '"\ufffd')):
        state = new_fold()
        fold(TextDelta("火"), into=state)
        assert not state.replacement_seen
        fold(delta, into=state)
        assert state.replacement_seen


def test_slots_are_bounded_for_formats_of_users_too() -> None:
    state = new_fold(max_slots=2)
    fold(TextDelta("a"), ToolCallStart(5), into=state)

    with pytest.raises(AssemblyLimitError, match="max_slots=2"):
        fold(TextDelta("a", slot=1), into=state)
    with pytest.raises(AssemblyLimitError, match="max_slots=2"):
        fold(ToolCallStart(6), into=state)


def test_choices_and_arguments_are_bounded() -> None:
    state = new_fold(max_choices=1, max_argument_chars=3)
    fold(TextDelta("a"), ToolCallDelta(0, "{}"), ToolCallDelta(0, ""), into=state)

    with pytest.raises(AssemblyLimitError, match="max_choices=1"):
        fold(TextDelta("a", choice=999_999_999), into=state)
    with pytest.raises(AssemblyLimitError, match="max_argument_chars=3"):
        fold(ToolCallDelta(0, "{}"), into=state)


def test_what_is_no_delta_is_refused() -> None:
    with pytest.raises(TypeError, match="a reader gives deltas, not str"):
        fold("text")
