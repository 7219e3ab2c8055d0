"""The legacy text completions: texts by choice, why each stopped, usage, nothing of the rest."""

from __future__ import annotations

from typing import Any

import pytest
from llm import Run, assemble, check_sums, sse

from untorn.deltas import (
    Choice,
    EndMarker,
    ErrorUpdate,
    Finish,
    Outcome,
    Part,
    TextDelta,
    UsageUpdate,
    get_format,
)
from untorn.deltas.formats.openai_completions import OPENAI_COMPLETIONS

HUGE = 999_999_999
WRONG: list[Any] = [None, True, 7, 1.5, [], ["a"], {}, [None, 3, [{"text": "a"}]]]


def piece(text: Any, finish: Any = None, index: Any = 0, **more: Any) -> dict[str, Any]:
    choice = {"index": index, "text": text, "finish_reason": finish, "logprobs": None}
    return {"object": "text_completion", "choices": [choice], **more}


def run(*payloads: Any, **options: Any) -> Run:
    made = assemble(sse(*payloads), "openai-completions", **options)
    check_sums(made)
    return made


def test_the_format_has_its_name() -> None:
    assert OPENAI_COMPLETIONS.name == "openai-completions"
    assert get_format("openai-completions") is OPENAI_COMPLETIONS


def test_a_whole_stream() -> None:
    usage = {"prompt_tokens": 3, "completion_tokens": 2}
    first = piece("Καλη", id="cmpl-1", model="m-1")
    made = run(first, piece("μέρα"), piece("", "stop"), {"choices": [], "usage": usage}, "[DONE]")

    assert made.deltas == [
        TextDelta("Καλη"),
        TextDelta("μέρα"),
        Finish("stop"),
        UsageUpdate(usage),
        EndMarker("[DONE]"),
    ]
    message = made.message
    assert (message.text, message.id, message.model) == ("Καλημέρα", "cmpl-1", "m-1")
    assert (message.finish_reason, message.usage, message.intact) == ("stop", usage, True)
    assert (message.outcome, message.ended_by) == (Outcome.COMPLETED, "[DONE]")
    assert message.parts == (Part("text", 0, "Καλημέρα"),)


def test_each_delta_carries_its_payload() -> None:
    payload = piece("ก", "stop", usage={"total_tokens": 1})

    deltas = run(payload).deltas
    assert [type(delta) for delta in deltas] == [TextDelta, Finish, UsageUpdate]
    assert [getattr(delta, "raw", None) for delta in deltas] == [payload] * 3


def test_choices_have_a_slot_each_and_keep_it() -> None:
    made = run(
        piece("二", index=1),
        piece("零", index=0),
        piece("二", index=1),
        piece("大", "stop", index=HUGE),
        piece("", "stop", index=0),
        piece("", "length", index=1),
    )

    texts = [(d.choice, d.slot) for d in made.deltas if isinstance(d, TextDelta)]
    assert texts == [(1, 0), (0, 1), (1, 0), (HUGE, 2)]
    assert made.message.choices == (
        Choice(0, "零", finish_reason="stop"),
        Choice(1, "二二", finish_reason="length", shortened=True),
        Choice(HUGE, "大", finish_reason="stop"),
    )
    assert [(part.choice, part.slot) for part in made.message.parts] == [(0, 1), (1, 0), (HUGE, 2)]


def test_one_event_may_hold_several_choices() -> None:
    both = [{"index": 0, "text": "да"}, {"index": 1, "text": "нет"}]

    assert [choice.text for choice in run({"choices": both}).message.choices] == ["да", "нет"]


@pytest.mark.parametrize("reason", ["length", "content_filter"])
def test_an_answer_that_the_provider_stopped_early_is_shortened_and_intact(reason: str) -> None:
    message = run(piece("à", reason), "[DONE]").message

    assert (message.finish_reason, message.shortened, message.intact) == (reason, True, True)


@pytest.mark.parametrize("error", [None, {}, ""])
def test_the_finish_reason_error_is_an_error(error: Any) -> None:
    made = run(piece("a", "error", error=error), "[DONE]")

    assert made.message.error == ErrorUpdate('the finish reason is "error"')
    assert (made.message.outcome, made.message.text) == (Outcome.PROVIDER_ERROR, "a")


def test_an_error_at_the_top_or_in_a_choice_counts_once() -> None:
    own = {"index": 0, "text": "", "finish_reason": "error", "error": {"message": "κακό"}}
    made = run(piece("", "error", error="обрыв"), {"choices": [own]})

    errors = [ErrorUpdate("обрыв"), Finish("error"), ErrorUpdate("κακό"), Finish("error")]
    assert made.deltas == errors


def test_a_finish_reason_alone_ends_the_stream_unless_strict() -> None:
    wire = piece("é", "stop")

    assert run(wire).message.ended_by == "finish reason"
    assert run(wire, strict=True).message.outcome is Outcome.TRUNCATED
    assert run(wire, "[DONE]", strict=True).message.outcome is Outcome.COMPLETED


def test_an_end_marker_without_a_finish_reason_ends_the_stream_unless_strict() -> None:
    wire = piece("é"), "[DONE]"

    assert run(*wire).message.ended_by == "[DONE]"
    assert run(*wire, strict=True).message.outcome is Outcome.TRUNCATED


def test_a_stream_that_is_cut_keeps_its_text_and_usage() -> None:
    usage = {"total_tokens": 9}
    message = run(piece("ครึ่ง", usage=usage), piece(None, usage=None)).message

    assert (message.text, message.usage, message.outcome) == ("ครึ่ง", usage, Outcome.TRUNCATED)


def test_a_first_choice_of_no_text_is_the_start_of_an_answer() -> None:
    assert run(piece(""), "[DONE]").message.outcome is Outcome.COMPLETED
    assert not run({"choices": []}, "[DONE]").message.intact


@pytest.mark.parametrize("wrong", WRONG, ids=repr)
@pytest.mark.parametrize("key", ["id", "model", "choices", "usage"])
def test_a_wrong_value_in_a_payload_gives_nothing(key: str, wrong: Any) -> None:
    made = run({"id": "", "model": "", "choices": [], "usage": None} | {key: wrong})

    assert made.deltas == []
    assert (made.message.id, made.message.model, made.message.usage) == (None, None, None)


@pytest.mark.parametrize("wrong", [*WRONG, {"text": "a"}], ids=repr)
@pytest.mark.parametrize("key", ["text", "finish_reason"])
def test_a_wrong_value_in_a_choice_gives_nothing(key: str, wrong: Any) -> None:
    assert run({"choices": [{"index": 0, key: wrong}]}).deltas == []


@pytest.mark.parametrize("wrong", [None, True, "x", 1.5, [1], {"index": 1}], ids=repr)
def test_a_choice_whose_index_is_no_number_counts_by_its_place(wrong: Any) -> None:
    choices = [{"index": wrong, "text": "а"}, {"index": wrong, "text": "б"}]

    assert run({"choices": choices}).deltas == [TextDelta("а", 0, 0), TextDelta("б", 1, 1)]


def test_a_choice_without_any_key_gives_nothing_and_others_are_read() -> None:
    assert run({}, {"choices": [None, {}]}, {"choices": {"text": "अ"}}).deltas == [TextDelta("अ")]


@pytest.mark.parametrize("reason", ["", "null"])
def test_a_reason_that_says_nothing_is_none(reason: str) -> None:
    assert run(piece("a", reason), "[DONE]").message.finish_reason is None


def test_the_deltas_of_a_chat_are_not_this_formats() -> None:
    assert run({"choices": [{"index": 0, "delta": {"content": "a"}}]}).deltas == []
