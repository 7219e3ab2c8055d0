"""Chat completion chunks: what the reference says, each host's difference, and wrong values."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
from llm import Run, assemble, call, chat, check_sums, sse

from untorn import Event
from untorn.deltas import (
    DeltaAssembler,
    EndMarker,
    ErrorUpdate,
    Finish,
    Outcome,
    Part,
    ReasoningDelta,
    RefusalDelta,
    TextDelta,
    ToolCall,
    ToolCallDelta,
    ToolCallEnd,
    ToolCallStart,
    UsageUpdate,
)
from untorn.deltas.formats.openai_chat import OPENAI_CHAT

HUGE = 999_999_999
USAGE = {"prompt_tokens": 2, "completion_tokens": 3}
WRONG: list[Any] = [None, False, True, [], [None, 1, []], {}, ""]


def run(*payloads: Any, **options: Any) -> Run:
    made = assemble(sse(*payloads), "openai-chat", **options)
    check_sums(made)
    return made


def test_a_whole_stream() -> None:
    made = run(
        chat({"role": "assistant", "content": ""}, id="", model=""),  # Azure's first names
        chat({"content": "Grüße, "}, id="cc-1", model="m-1"),
        chat({"content": "Ελλάδα 🦊"}, id="cc-2", model="m-2"),
        chat(None, "stop"),
        {"choices": [], "usage": USAGE},
        "[DONE]",
    )

    assert made.deltas == [
        TextDelta("Grüße, "),
        TextDelta("Ελλάδα 🦊"),
        Finish("stop"),
        UsageUpdate(USAGE),
        EndMarker("[DONE]"),
    ]
    message = made.message
    assert (message.id, message.model, message.usage) == ("cc-1", "m-1", USAGE)
    assert (message.intact, message.ended_by, message.problems) == (True, "[DONE]", ())


def test_each_delta_of_a_chunk_carries_it() -> None:
    delta = {"content": "a", "reasoning": "b", "refusal": "c", **call("{", name="f")}
    payload = chat(delta, "length", usage=USAGE)

    made = [delta for delta in run(payload).deltas if not isinstance(delta, ToolCallEnd)]
    assert [getattr(delta, "raw", None) for delta in made] == [payload] * 7


def test_each_choice_has_slots_of_its_own_and_keeps_them() -> None:
    full = {"reasoning": "想", "content": "א", "refusal": "لا", **call("{}", id="x", name="f")}
    order = (1, 0, HUGE)
    made = run(*(chat(full, index=i) for i in order * 2))

    texts = [d for d in made.deltas if isinstance(d, (ReasoningDelta, TextDelta, RefusalDelta))]
    first = [(choice, place * 4 + slot) for place, choice in enumerate(order) for slot in range(3)]
    assert [(delta.choice, delta.slot) for delta in texts] == first * 2
    for choice, index in zip(made.message.choices, (0, 1, HUGE), strict=True):
        assert (choice.index, choice.text, choice.reasoning) == (index, "אא", "想想")
        assert (choice.refusal, len(choice.tool_calls)) == ("لالا", 1)
    assert [part.slot for part in made.message.parts] == [4, 5, 6, 7, 0, 1, 2, 3, 8, 9, 10, 11]


@pytest.mark.parametrize(
    "spelt", ["42", "1.50", "-0", "0.10", "1E5", "123456789012345678.0", "NaN"]
)
def test_a_number_is_the_text_that_was_spelt(spelt: str) -> None:
    chunk = (
        '{"choices":[{"index":1,"delta":{"content":%s}},null,{"index":0,"delta":{"content":%s}}]}'
    )

    assert run(chunk % ("7", spelt)).deltas == [TextDelta("7", 1), TextDelta(spelt, 0, 1)]


def test_a_number_is_read_by_a_reader_of_its_own_too() -> None:
    event = Event('{"choices":[{"delta":{"content":1.50}}]}')

    assert [*OPENAI_CHAT.reader()(event)] == [TextDelta("1.50")]


def test_a_number_in_an_event_that_is_used_again_is_the_new_one() -> None:
    event, assembler = SimpleNamespace(event=None, data=""), DeltaAssembler("openai-chat")
    for spelt in ("1", "2.0"):
        event.data = f'{{"choices":[{{"delta":{{"content":{spelt}}}}}]}}'
        assert assembler.feed(event) == [TextDelta(spelt)]


def test_a_number_in_a_whole_message_is_not_lost() -> None:
    assert run('{"choices":[{"message":{"content":1.50}}]}').message.text == "1.50"


@pytest.mark.parametrize("data", ["{choices: lenient}", "[" * 3_000], ids=["odd", "deep"])
def test_a_number_that_only_a_parser_of_ones_own_can_read_is_not_lost(data: str) -> None:
    def loads(_: str) -> Any:
        return {"choices": [{"delta": {"content": 42}}]}

    assert run(data, loads=loads).message.text == "42"


@pytest.mark.parametrize("thinking", ["дума", [{"text": "ду"}, {"text": "ма"}], {"text": "дума"}])
def test_typed_parts_are_thinking_texts_and_things_to_keep(thinking: Any) -> None:
    thought, reference = {"type": "thinking", "thinking": thinking}, {"type": "reference", "n": [1]}
    parts = [[thought, {"type": "text", "text": "สวัส"}], {"text": "ดี"}, reference, [reference, "!"]]
    made = run(*(chat({"content": part}) for part in parts))

    assert (made.message.reasoning, made.message.text) == ("дума", "สวัสดี!")
    assert made.message.parts == (
        Part("reasoning", 0, "дума"),
        Part("text", 1, "สวัสดี!"),
        Part("other", 2, "", metadata={"content": [reference, reference]}),
    )


@pytest.mark.parametrize(
    ("delta", "thought"),
    [
        ({"reasoning_content": "a", "reasoning": "b", "reasoning_details": [{"text": "c"}]}, "a"),
        ({"reasoning_content": None, "reasoning": "b", "reasoning_details": [{"text": "c"}]}, "b"),
        ({"reasoning": "", "reasoning_details": [{"text": "c"}, {"summary": "d"}, {}]}, "cd"),
        ({"reasoning_details": {"text": "c"}}, "c"),
        ({"reasoning_details": [{"text": 5, "summary": "d"}]}, "d"),
        ({"reasoning_content": ["a"], "reasoning": {"a": 1}, "reasoning_details": "c"}, ""),
    ],
)
def test_one_thought_under_several_keys_counts_once(delta: dict[str, Any], thought: str) -> None:
    assert run(chat({**delta, "content": "x"})).message.reasoning == thought


def test_the_details_of_thinking_are_kept_as_they_came_for_the_next_turn() -> None:
    one = {"type": "reasoning.text", "text": "想う", "signature": None}
    two = {"type": "reasoning.encrypted", "data": "b3BhcXVl"}
    first = chat({"reasoning": "想う", "reasoning_details": [one]})
    made = run(first, chat({"reasoning_details": [two]}))

    assert made.deltas == [ReasoningDelta("想う")]
    [part] = made.message.parts
    assert part == Part("reasoning", 0, "想う", metadata={"reasoning_details": [one, two]})


def test_sound_is_a_part_of_its_own_with_pieces_joined() -> None:
    made = run(
        chat({"audio": {"id": "au-1", "transcript": "नम"}}),
        chat({"audio": {"data": "QUJD", "transcript": "स्ते"}}),
        chat({"audio": {"data": "REVG", "transcript": 7}}, index=1),
        chat({"audio": {"data": "REVG", "expires_at": 99, "id": None}}),
    )

    sound = {"type": "audio", "id": "au-1", "data": "QUJDREVG", "expires_at": 99}
    assert made.message.parts == (
        Part("other", 0, "", metadata={**sound, "transcript": "नमस्ते"}),
        Part("other", 1, "", 1, {"type": "audio", "data": "REVG"}),
    )
    assert made.deltas == []


def test_a_character_cut_in_a_transcript_is_whole_again() -> None:
    halves = [json.dumps(chat({"audio": {"transcript": half}})) for half in "\ud83e\udd8a"]

    [part] = run(*halves).message.parts
    assert part.metadata["transcript"] == "🦊"


def test_arguments_that_come_as_an_object_are_written() -> None:
    made = run(chat(call({"ville": "Orléans", "n": [1, None]}, id="c", name="f"), "stop"))

    assert made.deltas[1] == ToolCallDelta(0, '{"ville":"Orléans","n":[1,null]}')
    assert made.message.tool_calls[0].json() == {"ville": "Orléans", "n": [1, None]}


@pytest.mark.parametrize("first", ['{"a":', '{"a":1}', {"a": 1}])
def test_an_object_is_the_last_word_on_what_was_streamed(first: Any) -> None:
    made = run(chat(call(first, id="c", name="f")), chat(call({"b": 2}, index=0, id="c")))

    assert made.deltas[-1] == ToolCallEnd(0, '{"b":2}')
    assert made.message.tool_calls == (ToolCall(0, "c", "f", '{"b":2}', complete=True),)


@pytest.mark.parametrize("wrong", [*WRONG, 0, 5, 1.5], ids=repr)
def test_a_wrong_value_in_a_later_piece_adds_nothing(wrong: Any) -> None:
    functions = [{"name": wrong, "arguments": nothing} for nothing in (None, "")]
    later = [{"index": 0, "id": wrong, "custom": None, "function": f} for f in functions]
    made = run(
        chat(call('{"a":1}', id="c", name="f", index=0)), chat({"tool_calls": [*later, wrong]})
    )

    assert made.deltas == [ToolCallStart(0, "c", "f"), ToolCallDelta(0, '{"a":1}')]


def test_a_custom_call_takes_free_text() -> None:
    opened = {"index": 0, "id": "c", "type": "custom", "custom": {"name": "run", "input": "σύν "}}
    later = {"index": 0, "custom": {"input": "{τ"}}
    made = run(chat({"tool_calls": [opened]}), chat({"tool_calls": [later]}, "stop"))

    assert made.message.tool_calls == (ToolCall(0, "c", "run", "σύν {τ", True, custom=True),)


def test_the_legacy_function_call_is_a_call_without_an_id() -> None:
    made = run(
        chat({"function_call": {"name": "погода", "arguments": '{"к":'}}),
        chat({"function_call": {"name": "погода", "arguments": "1}"}}),
        chat({"function_call": None}, "function_call"),
    )

    assert made.message.tool_calls == (ToolCall(0, None, "погода", '{"к":1}', complete=True),)


def test_extra_content_of_a_call_is_kept_for_the_next_turn() -> None:
    extra = {"google": {"thought_signature": "c2ln"}}
    calls = {"a": extra, "b": "c2ln"}
    made = run(*(chat(call("{}", id=id, name="f", extra_content=x)) for id, x in calls.items()))

    assert [part.metadata for part in made.message.parts] == [{"extra_content": extra}, {}]


@pytest.mark.parametrize("key", ["finish_reason", "finishReason"])
def test_the_last_finish_reason_that_is_one_counts(key: str) -> None:
    reasons: list[Any] = ["length", None, "", "null", 0, [], {}]
    made = run(*({"choices": [{key: reason}]} for reason in reasons))

    assert made.deltas == [Finish("length")]
    assert (made.message.finish_reason, made.message.shortened) == ("length", True)


@pytest.mark.parametrize("error", [None, {}, ""], ids=repr)
def test_the_finish_reason_error_is_an_error_where_no_other_is_reported(error: Any) -> None:
    made = run(chat({"content": "a"}, "error", error=error), "[DONE]")

    assert made.message.error == ErrorUpdate('the finish reason is "error"')
    assert (made.message.outcome, made.message.text) == (Outcome.PROVIDER_ERROR, "a")


def test_an_error_may_stand_at_the_top_in_a_choice_or_with_groqs_own() -> None:
    error = {"message": "поломка", "code": 502}
    made = run(
        chat(None, "error", error=error),
        {"choices": [{"finish_reason": "error", "error": error}]},
        {"x_groq": {"error": "трещина", "usage": USAGE}},
    )

    told = [ErrorUpdate("поломка", 502), Finish("error")]
    assert made.deltas == [*told, *told, ErrorUpdate("трещина"), UsageUpdate(USAGE)]


def test_usage_is_read_in_three_places_in_this_order() -> None:
    own, groq, moonshot = {"a": 1}, {"a": 2}, {"a": 3}
    choice = {"index": 0, "delta": {}, "usage": moonshot}
    whole = {"usage": own, "x_groq": {"usage": groq}, "choices": [choice]}
    made = run(whole, {**whole, "usage": None}, {"usage": 7, "x_groq": [], "choices": choice}, {})

    assert made.deltas == [UsageUpdate(own), UsageUpdate(groq), UsageUpdate(moonshot)]
    assert made.message.usage == moonshot


def test_a_message_counts_where_its_choice_never_had_a_delta() -> None:
    whole = {"reasoning": "思", "content": "הכל", **call("{}", id="c", name="f")}
    both = {"delta": {"content": "נ"}, "message": whole}
    made = run(chat({}), {"choices": [both]}, {"choices": [{"delta": None, "message": whole}]})
    alone = run({"object": "chat.completion", "choices": [{"message": whole}]}).message

    assert made.deltas == [TextDelta("נ")]
    assert (alone.reasoning, alone.text, len(alone.tool_calls)) == ("思", "הכל", 1)


@pytest.mark.parametrize("wrong", WRONG, ids=repr)
def test_wrong_values_everywhere_give_nothing(wrong: Any) -> None:
    keys = ["content", "refusal", "reasoning", "reasoning_content", "audio", "function_call"]
    parts = [{}, {"type": "text", "text": wrong}, {"type": "thinking", "thinking": wrong}, wrong]
    calls = [{"id": wrong, "index": wrong, "custom": wrong}, wrong]
    details = wrong or None  # an object alone is a list of it
    made = run(
        *({"choices": [{"index": wrong, "delta": {key: wrong}}]} for key in keys),
        *({"choices": [{key: wrong}]} for key in ("delta", "message", "usage", "finish_reason")),
        *({key: wrong} for key in ("choices", "usage", "x_groq", "id", "model")),
        chat({"content": parts, "tool_calls": calls, "reasoning_details": details}),
    )

    assert (made.deltas, made.message.parts, made.message.problems) == ([], (), ())
