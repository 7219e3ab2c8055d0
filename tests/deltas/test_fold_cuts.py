"""What an error, a cancel or a later word makes of calls that are open."""

from __future__ import annotations

from folding import fold, new_fold

from untorn.deltas import (
    EndMarker,
    ErrorUpdate,
    Finish,
    TextDelta,
    ToolCallDelta,
    ToolCallEnd,
    ToolCallStart,
)


def test_an_error_cuts_what_is_open() -> None:
    out = fold(ToolCallStart(0, name="pay"), ErrorUpdate("weg"), EndMarker())
    assert ToolCallEnd(0, "", False) in out


def test_a_cancel_cuts_what_is_open() -> None:
    out = fold(ToolCallStart(0, name="pay"), EndMarker("abort", cancelled=True))
    assert ToolCallEnd(0, "", False) in out


def test_a_later_start_may_say_that_the_server_runs_the_call() -> None:
    state = new_fold()
    out = fold(ToolCallStart(0, "c"), ToolCallStart(0, "c", server=True), into=state)

    assert out == [ToolCallStart(0, "c"), ToolCallStart(0, "c", server=True)]
    assert state.calls[0].server


def test_a_call_that_is_half_at_a_finish_reason_is_ended_when_no_more_comes() -> None:
    start = [ToolCallStart(0), ToolCallDelta(0, '{"a'), Finish("stop")]
    assert fold(*start)[2:] == [Finish("stop")]
    assert fold(*start, close=True)[3:] == [ToolCallEnd(0, '{"a', False)]


def test_a_final_word_brings_the_other_half() -> None:
    state = new_fold()
    final = '{"a":"🦊"}'
    out = fold(ToolCallDelta(0, '{"a":"\ud83e'), ToolCallEnd(0, final), into=state)

    assert out[1:] == [
        ToolCallDelta(0, '{"a":"'),
        ToolCallDelta(0, '🦊"}'),
        ToolCallEnd(0, final, True),
    ]
    assert state.calls[0].lone == 0


def test_text_behind_a_finish_reason_takes_it_back() -> None:
    state = new_fold()
    fold(TextDelta("a"), Finish("stop"), into=state)
    assert state.register.finished == {0}

    assert fold(TextDelta("b"), into=state) == [TextDelta("b")]
    assert state.register.finished == set()
