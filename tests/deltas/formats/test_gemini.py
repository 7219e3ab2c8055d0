"""Gemini's responses: parts appended, calls whole or by paths, finish reasons not the last word."""

from __future__ import annotations

import json
from typing import Any

import pytest
from llm import Run, assemble, check_sums, sse

from untorn import Event
from untorn.deltas import (
    AssemblyLimitError,
    DeltaAssembler,
    ErrorUpdate,
    Outcome,
    ToolCallDelta,
    ToolCallEnd,
    ToolCallStart,
)


def response(*parts: Any, finish: Any = None, index: Any = None, **more: Any) -> dict[str, Any]:
    candidate = {"content": {"role": "model", "parts": [*parts]}, "index": index, **more}
    return {"candidates": [{**candidate, "finishReason": finish}]}


def calling(*pieces: dict[str, Any], **call: Any) -> dict[str, Any]:
    return {"functionCall": {"partialArgs": [*pieces], **call} if pieces else call}


def at(path: str, value: str, on: bool = False) -> dict[str, Any]:
    return {"jsonPath": path, "stringValue": value, "willContinue": on}


def run(*payloads: Any, **options: Any) -> Run:
    made = assemble(sse(*payloads).replace(b"\n", b"\r\n"), "gemini", **options)
    check_sums(made)
    return made


def fed(*payloads: Any) -> DeltaAssembler:
    assembler = DeltaAssembler("gemini")
    for payload in payloads:
        assembler.feed(Event(json.dumps(payload)))
    return assembler


def parts(made: Run) -> list[tuple[str, str, dict[str, Any]]]:
    return [(part.kind, part.text, part.metadata) for part in made.message.parts]


STOP = response(finish="STOP")
OPEN = response(calling(name="f", willContinue=True))
GOING = response(calling(at("$.a", "ب"), willContinue=True))
CLOSE = response(calling())


def test_an_answer_with_thoughts_and_text() -> None:
    usage = {"totalTokenCount": 9}
    names = {"responseId": "r-ж", "modelVersion": "g-1", "usageMetadata": {"totalTokenCount": 4}}
    message = run(
        {**response({"text": "Hmm, ", "thought": True}), **names},
        {**response({"text": "כן", "thought": True}), "usageMetadata": usage},
        response({"text": "Olá"}, {"text": ", você"}),
        response({"text": "!"}, finish="STOP"),
    ).message

    assert (message.reasoning, message.text) == ("Hmm, כן", "Olá, você!")
    assert (message.id, message.model, message.usage) == ("r-ж", "g-1", usage)
    assert (message.finish_reason, message.ended_by) == ("STOP", "finish reason")
    assert message.intact


def test_each_change_between_text_thought_and_call_starts_a_new_part() -> None:
    thought = {"text": "三", "thought": True}
    made = run(
        response({"text": "一"}, {"text": "二"}, thought, {"text": "四"}),
        response(calling(name="f", args={}), {"text": "五"}, finish="STOP"),
    )
    kinds = [(kind, text) for kind, text, _ in parts(made)]

    assert kinds[:3] == [("text", "一二"), ("reasoning", "三"), ("text", "四")]
    assert kinds[3:] == [("tool_call", "{}"), ("text", "五")]


def test_a_call_comes_whole_and_is_written_compactly_in_its_own_script() -> None:
    args = {"город": "Пермь", "tage": 3, "x": None}
    made = run(response(calling(name="погода", args=args, id="c1")), STOP)
    [start, end] = [d for d in made.deltas if isinstance(d, (ToolCallStart, ToolCallEnd))]

    assert start == ToolCallStart(0, "c1", "погода")
    assert end == ToolCallEnd(0, '{"город":"Пермь","tage":3,"x":null}')


def test_streamed_arguments_are_built_and_written_when_the_call_ends() -> None:
    start = response(calling(at("$.ort", "Zü", True), name="buche", willContinue=True))
    number = {"jsonPath": "$.n[0]", "numberValue": 2}
    made = run(start, response(calling(at("$.ort", "rich"), number)), CLOSE, STOP)
    [call] = made.message.tool_calls

    assert call.arguments == '{"ort":"Zürich","n":[2]}'
    assert [d.text for d in made.deltas if isinstance(d, ToolCallDelta)] == [call.arguments]
    assert made.message.intact


def test_a_nameless_part_goes_on_with_the_open_call_and_a_name_opens_another_one() -> None:
    other = response(calling(name="g", args={"b": 1}, willContinue=True))
    f, g = run(OPEN, GOING, other, GOING, STOP).message.tool_calls

    assert (f.name, f.json()) == ("f", {"a": "ب"})
    assert (g.name, g.json()) == ("g", {"b": 1, "a": "ب"})


@pytest.mark.parametrize("then", [CLOSE, response({"text": "และ"}), STOP])
def test_text_an_empty_call_or_the_finish_ends_an_open_call(then: Any) -> None:
    ends = [delta for delta in run(OPEN, GOING, then).deltas if isinstance(delta, ToolCallEnd)]

    assert ends == [ToolCallEnd(0, '{"a":"ب"}', complete=True)]


def test_a_call_that_is_open_where_the_provider_or_the_stream_stops_is_cut() -> None:
    limit, cut = run(OPEN, GOING, response(finish="MAX_TOKENS")), run(OPEN, GOING)

    assert limit.message.shortened
    assert not limit.message.tool_calls[0].complete
    assert not cut.message.tool_calls[0].complete
    assert parts(cut) == [("tool_call", "", {"partialArgs": {"a": "ب"}})]


def test_a_call_whose_text_was_to_go_on_or_whose_arguments_are_no_object_cannot_be_run() -> None:
    open_text = calling(at("$.a", "½", True), name="f")
    made = run(response(open_text, calling(name="g", args=[1]), calling(args="x")), STOP)

    assert [(call.arguments, call.complete) for call in made.message.tool_calls] == [
        ('{"a":"½"}', False),
        ("[1]", False),
        ('"x"', False),
    ]


def test_arguments_so_far_are_shown_and_a_message_stays_as_it_was() -> None:
    start, end = response(calling(at("$.a", "1"), willContinue=True)), calling(at("$.b", "2"))
    assembler = fed(OPEN, start)
    before = assembler.message
    assembler.feed(Event(json.dumps(response(end))))

    assert before.parts[0].metadata == {"partialArgs": {"a": "1"}}
    assert assembler.message.parts[0].metadata == {}
    assert assembler.message.tool_calls[0].json() == {"a": "1", "b": "2"}


def test_halves_of_a_character_that_two_pieces_hold_are_joined() -> None:
    halves = [at("$.a", "\ud83e", True), at("$.a", "\udd8a")]
    [call] = fed(response(calling(*halves, name="f"))).message.tool_calls

    assert call.json() == {"a": "🦊"}


def test_a_path_with_a_giant_index_allocates_nothing_and_is_damage_to_report() -> None:
    bad = [at("$.a[0]", "v"), at("$.a[999999999]", "x"), at("nowhere", "y"), at("$.b", "z")]
    made = run(response(calling(*bad, name="f")), STOP)
    [call] = made.message.tool_calls

    assert (call.arguments, call.complete) == ('{"a":["v"],"b":"z"}', False)
    assert not made.message.intact
    assert "a path leads past the end of a list" in made.message.problems[0]
    assert "a path cannot be read" in made.message.problems[1]


def test_the_limit_of_argument_text_holds_for_streamed_arguments() -> None:
    payload = response(calling(at("$.a", "123"), at("$.b", "456"), willContinue=True, name="f"))

    assert run(payload, STOP, max_argument_chars=21).message.intact
    with pytest.raises(AssemblyLimitError, match="max_argument_chars=5") as caught:
        run(payload, STOP, max_argument_chars=5)
    assert [type(delta) for delta in caught.value.deltas] == [ToolCallStart]


def test_signatures_stay_with_their_part_and_make_no_output() -> None:
    made = run(
        response({"text": "", "thoughtSignature": "c2lnMA=="}),
        response({"text": "मौन", "thought": True}, {"text": "", "thoughtSignature": "c2lnMQ=="}),
        response({**calling(name="f", args={}), "thoughtSignature": "c2lnMg=="}),
        response({**calling(name="g", willContinue=True), "thoughtSignature": "c2lnMw=="}),
        response({**calling(), "thoughtSignature": None}, {"text": ""}),
        STOP,
    )

    assert parts(made) == [
        ("text", "", {"thoughtSignature": "c2lnMA=="}),
        ("reasoning", "मौन", {}),
        ("text", "", {"thoughtSignature": "c2lnMQ=="}),
        ("tool_call", "{}", {"thoughtSignature": "c2lnMg=="}),
        ("tool_call", "{}", {"thoughtSignature": "c2lnMw=="}),
    ]
    assert made.message.text == ""


def test_no_signature_is_lost_to_a_later_one() -> None:
    signed = [{"text": letter, "thoughtSignature": f"{letter}Q=="} for letter in "XY"]
    made = run(*map(response, signed), STOP)

    assert made.message.text == "XY"
    assert [m["thoughtSignature"] for _, _, m in parts(made)] == ["XQ==", "YQ=="]


def test_a_signature_alone_in_the_first_part_is_kept() -> None:
    made = run(response({"thoughtSignature": "QQ=="}), response({"text": "ok"}), STOP)

    assert [m["thoughtSignature"] for _, _, m in parts(made) if m] == ["QQ=="]
    assert made.message.text == "ok"


def test_code_that_the_provider_runs_is_its_own_call_and_its_result_is_kept() -> None:
    code = {"language": "PYTHON", "code": "print('ü')"}
    result, image = {"outcome": "OUTCOME_OK", "output": "ü\n"}, {"mimeType": "image/png"}
    made = run(
        response({"executableCode": code, "thoughtSignature": "QQ=="}),
        response({"codeExecutionResult": result}, {"inlineData": image, "thought": True}),
        STOP,
    )
    [call] = made.message.server_calls

    assert (call.name, call.arguments) == ("executableCode", "print('ü')")
    assert (call.custom, call.complete, made.message.tool_calls) == (True, True, ())
    assert parts(made) == [
        ("tool_call", "print('ü')", {"executableCode": code, "thoughtSignature": "QQ=="}),
        ("other", "", {"codeExecutionResult": result}),
        ("other", "", {"inlineData": image}),
    ]


def test_what_is_said_about_a_candidate_is_kept_after_its_parts() -> None:
    first = response(groundingMetadata={"a": 1}, citationMetadata={"c": 1})
    second = response(
        {"text": "ж"}, finish="SAFETY", finishMessage="ぶ", groundingMetadata={"b": 2}
    )
    about = {"groundingMetadata": {"b": 2}, "citationMetadata": {"c": 1}, "finishMessage": "ぶ"}

    assert parts(run(first, second)) == [("text", "ж", {}), ("other", "", about)]


def test_candidates_are_apart() -> None:
    pair = [*response({"text": "a"}, index=1)["candidates"], *response({"text": "b"})["candidates"]]
    call = response(calling(name="f", args={"n": 1}), finish="STOP", index=1)
    made = run({"candidates": pair}, call, response({"text": "c"}, finish="STOP", index=0))
    zero, one = made.message.choices

    assert (zero.text, zero.tool_calls, one.text) == ("bc", (), "a")
    assert one.tool_calls[0].json() == {"n": 1}
    assert made.message.intact


def test_parts_after_a_finish_reason_open_the_stream_again() -> None:
    more, vague = response({"text": "да"}), response(finish="FINISH_REASON_UNSPECIFIED")
    again = run(STOP, more).message

    assert (again.outcome, again.finish_reason) == (Outcome.TRUNCATED, "STOP")
    assert run(STOP, more, STOP).message.intact
    assert run(STOP).message.intact
    assert run(more, vague).message.finish_reason is None


def test_a_blocked_prompt_is_an_error() -> None:
    feedback = {"blockReason": "PROHIBITED_CONTENT"}
    made = run({"promptFeedback": feedback})

    assert made.deltas == [ErrorUpdate("blocked: PROHIBITED_CONTENT", "PROHIBITED_CONTENT")]
    assert made.message.outcome is Outcome.PROVIDER_ERROR


def test_the_end_of_a_call_that_is_over_opens_none_also_where_its_keys_are_null() -> None:
    nulls = calling(name=None, args=None, partialArgs=None, willContinue=None)
    made = run(response(calling(name="f", args={"a": 1})), response(calling(), nulls), STOP)

    assert [call.json() for call in made.message.tool_calls] == [{"a": 1}]


@pytest.mark.parametrize(
    "payload",
    [
        {"candidates": None, "usageMetadata": None, "promptFeedback": None},
        {"candidates": "x", "usageMetadata": [], "promptFeedback": {"blockReason": 5}},
        {"candidates": [None, 5, "x"], "responseId": 5, "modelVersion": {}},
        {"candidates": [{"content": None, "finishReason": 5, "finishMessage": None}]},
        {"candidates": [{"content": {"parts": None}}]},
        {"candidates": {"content": {"parts": ["x", None]}, "index": "1"}},
        response({}, {"text": ""}, {"text": "", "thought": True}, {"thought": True}),
        response(
            {"thoughtSignature": 5}, {"functionCall": {}}, {"text": "", "thoughtSignature": ""}
        ),
    ],
)
def test_absent_null_and_wrong_types_give_nothing(payload: dict[str, Any]) -> None:
    made = run(payload)

    assert made.deltas == []
    assert (made.message.parts, made.message.problems) == ((), ())
    assert (made.message.id, made.message.model, made.message.usage) == (None, None, None)
