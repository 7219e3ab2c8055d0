"""Anthropic's Messages stream: blocks by index, usage overlaid, what a next turn needs is kept."""

from __future__ import annotations

from typing import Any

import pytest
from llm import Run, assemble, check_sums, sse, typed

from untorn.deltas import ErrorUpdate, Outcome, UsageUpdate

STOP: dict[str, Any] = {"type": "message_stop"}


def start(**message: Any) -> dict[str, Any]:
    shown = {"id": "msg_α", "model": "m-1", "content": [], **message}
    return {"type": "message_start", "message": shown}


def opened(index: Any, kind: Any = None, /, **block: Any) -> dict[str, Any]:
    shown = {"type": kind, **block}
    return {"type": "content_block_start", "index": index, "content_block": shown}


def grown(index: Any, kind: Any = None, /, **delta: Any) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **delta}}


def said(index: Any, text: str) -> dict[str, Any]:
    return grown(index, "text_delta", text=text)


def typing(index: int, piece: Any) -> dict[str, Any]:
    return grown(index, "input_json_delta", partial_json=piece)


def stopped(index: Any) -> dict[str, Any]:
    return {"type": "content_block_stop", "index": index}


def finished(reason: str, **more: Any) -> dict[str, Any]:
    return {"type": "message_delta", "delta": {"stop_reason": reason}, **more}


def run(*payloads: dict[str, Any]) -> Run:
    made = assemble(typed(*payloads), "anthropic")
    check_sums(made)
    return made


def metadata(made: Run) -> list[dict[str, Any]]:
    return [part.metadata for part in made.message.parts]


def test_a_message_of_thought_text_and_a_call() -> None:
    thoughts = [grown(0, "thinking_delta", thinking=piece) for piece in ("Σκέψου ", "πρώτα.")]
    pieces = [typing(2, piece) for piece in ("", '{"город":', '"Омск"}')]
    message = run(
        start(usage={"input_tokens": 9, "output_tokens": 1}),
        {"type": "ping"},
        *(opened(0, "thinking", thinking="", signature=""), *thoughts, stopped(0)),
        *(opened(1, "text", text="Я "), said(1, "посмотрю."), stopped(1)),
        *(opened(2, "tool_use", id="toolu_1", name="погода", input={}), *pieces, stopped(2)),
        finished("tool_use", usage={"output_tokens": 30}),
        STOP,
    ).message

    assert (message.id, message.model) == ("msg_α", "m-1")
    assert (message.reasoning, message.text) == ("Σκέψου πρώτα.", "Я посмотрю.")
    [call] = message.tool_calls
    assert (call.id, call.name, call.json()) == ("toolu_1", "погода", {"город": "Омск"})
    assert message.usage == {"input_tokens": 9, "output_tokens": 30}
    assert (message.finish_reason, message.ended_by) == ("tool_use", "message_stop")
    assert message.intact


def test_the_type_in_the_json_counts_and_the_name_of_the_event_does_where_there_is_none() -> None:
    nameless = sse(start(), said(0, "ありが"))
    other_name = sse(said(0, "とう"), event="ping")
    untyped = sse({"delta": {"stop_reason": "end_turn"}}, event="message_delta")
    message = assemble(nameless + other_name + untyped + typed(STOP), "anthropic").message

    assert message.text == "ありがとう"
    assert message.finish_reason == "end_turn"
    assert message.intact


def test_usage_is_overlaid_key_by_key_and_null_takes_nothing_away() -> None:
    made = run(
        start(usage={"input_tokens": 5, "cache_read_input_tokens": 2}),
        finished("", usage={"input_tokens": None, "output_tokens": 3}),
        finished("end_turn", usage={"output_tokens": 4}),
        STOP,
    )
    read = {"input_tokens": 5, "cache_read_input_tokens": 2}
    updates = [delta.usage for delta in made.deltas if isinstance(delta, UsageUpdate)]

    assert updates == [read, {**read, "output_tokens": 3}, {**read, "output_tokens": 4}]
    assert made.message.usage == updates[-1]


def test_signatures_in_pieces_are_joined_and_one_of_the_block_start_is_kept() -> None:
    made = run(
        *(start(), opened(0, "thinking", thinking="सोच", signature="c2ln"), stopped(0)),
        opened(1, "thinking", thinking=""),
        *[grown(1, "signature_delta", signature=piece) for piece in ("Zmly", "c3Q=")],
        *(stopped(1), opened(2, "redacted_thinking", data="b3BhcXVl"), stopped(2), STOP),
    )

    assert metadata(made) == [
        {"type": "thinking", "signature": "c2ln"},
        {"type": "thinking", "signature": "Zmlyc3Q="},
        {"type": "redacted_thinking", "data": "b3BhcXVl"},
    ]
    assert made.message.reasoning == "सोच"


def test_citations_are_collected_at_their_text() -> None:
    first, second = {"cited_text": "الأول"}, {"cited_text": "الثاني"}
    cited = [grown(0, "citations_delta", citation=citation) for citation in (first, second)]
    made = run(start(), opened(0, "text", text=""), said(0, "النص"), *cited, STOP)

    assert metadata(made) == [{"type": "text", "citations": [first, second]}]


def test_citations_that_the_block_start_holds_are_kept_too() -> None:
    given = [{"cited_text": "第一章"}]
    made = run(start(), opened(0, "text", text="引用", citations=given), stopped(0), STOP)

    assert metadata(made) == [{"type": "text", "citations": given}]


def test_calls_of_the_provider_are_apart_and_their_results_are_kept_whole() -> None:
    result = {"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": [{"a": 1}]}
    made = run(
        start(),
        opened(0, "server_tool_use", id="srv_1", name="web_search", input={"query": "กาแฟ"}),
        *(stopped(0), opened(1, **result), stopped(1)),
        opened(2, "mcp_tool_use", id="mcp_1", name="leer", server_name="archivo", input={}),
        *(stopped(2), opened(3, "tool_use", name="sumar", caller={"type": "code"}), stopped(3)),
        STOP,
    )
    calls = made.message.server_calls

    assert [(call.id, call.name) for call in calls] == [("srv_1", "web_search"), ("mcp_1", "leer")]
    assert calls[0].json() == {"query": "กาแฟ"}
    assert [call.name for call in made.message.tool_calls] == ["sumar"]
    assert metadata(made) == [
        {"type": "server_tool_use"},
        {"type": "web_search_tool_result", "block": result},
        {"type": "mcp_tool_use", "server_name": "archivo"},
        {"type": "tool_use", "caller": {"type": "code"}},
    ]


def test_blocks_and_deltas_of_kinds_yet_unknown_are_kept() -> None:
    piece = {"type": "compaction_delta", "content": "résumé"}
    made = run(start(), opened(0, "compaction"), grown(0, **piece), stopped(0), STOP)
    block = {"type": "compaction"}

    assert metadata(made) == [{"type": "compaction", "block": block, "deltas": [piece]}]


def test_parts_are_in_the_order_of_their_indexes() -> None:
    made = run(start(), said(7, "shtatë"), opened(2, "tool_use", name="dy"), said(0, "zero "), STOP)

    assert [part.text for part in made.message.parts] == ["zero ", "", "shtatë"]


def test_a_delta_whose_block_never_opened_or_is_of_another_kind_opens_one() -> None:
    thought = grown(0, "thinking_delta", thinking="หา")
    made = run(start(), thought, said(0, "พบ"), typing(1, '{"n": 1}'), STOP)
    [call] = made.message.tool_calls

    assert (made.message.reasoning, made.message.text) == ("หา", "พบ")
    assert (call.id, call.name, call.json()) == (None, None, {"n": 1})


def test_a_block_that_opens_twice_is_one_and_another_one_where_the_first_is_over() -> None:
    one, two = (opened(0, "tool_use", id=id, name="f", input={"n": id}) for id in "αβ")
    made = run(start(), one, one, stopped(0), two, stopped(0), opened(0, "text", text="γ"), STOP)

    assert [(c.id, c.json()) for c in made.message.tool_calls] == [
        ("α", {"n": "α"}),
        ("β", {"n": "β"}),
    ]


def test_the_whole_input_counts_until_a_fragment_comes() -> None:
    def arguments(*pieces: str) -> str:
        deltas = [typing(0, piece) for piece in pieces]
        whole = opened(0, "tool_use", id="t", name="f", input={"ville": "Zürich"})
        [call] = run(start(), whole, *deltas, stopped(0), STOP).message.tool_calls
        assert call.complete
        return call.arguments

    assert arguments() == arguments("") == '{"ville":"Zürich"}'
    assert arguments('{"ville":', '"Genève"}') == '{"ville":"Genève"}'


def test_the_whole_input_counts_where_its_block_never_closes() -> None:
    whole = opened(0, "tool_use", name="f", input={"q": "猫"})
    made = run(start(), whole, finished("tool_use"), STOP)
    [call] = made.message.tool_calls

    assert call.json() == {"q": "猫"}


def test_an_answer_may_stand_in_the_start_alone() -> None:
    block = {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {"ok": True}}
    content = [{"type": "text", "text": "Voilà"}, block, "?"]
    made = run(start(content=content, stop_reason="tool_use", usage={"output_tokens": 2}), STOP)
    [call] = made.message.tool_calls

    assert (made.message.text, call.json()) == ("Voilà", {"ok": True})
    assert (made.message.finish_reason, made.message.usage) == ("tool_use", {"output_tokens": 2})
    assert made.message.intact


def test_what_else_is_said_about_the_stop_is_kept_last() -> None:
    details, container = {"category": "cyber"}, {"id": "cntr_1"}
    delta = {"stop_reason": "refusal", "stop_sequence": "¶", "stop_details": details}
    stop = {"type": "message_delta", "delta": {**delta, "container": container}}
    made = run(start(), stop, said(3, "Nein"), STOP)

    assert metadata(made) == [
        {"type": "text"},
        {"stop_sequence": "¶", "stop_details": details, "container": container},
    ]
    assert made.message.shortened


def test_the_same_start_again_is_an_echo_and_another_one_is_an_error() -> None:
    echo = run(start(), said(0, "א"), start(), said(0, "ב"), STOP)
    spliced = run(start(), said(0, "א"), start(id="msg_β"), said(0, "ב"), STOP)
    codes = [delta.code for delta in spliced.deltas if isinstance(delta, ErrorUpdate)]

    assert (echo.message.text, echo.message.intact) == ("אב", True)
    assert (spliced.message.text, spliced.message.outcome) == ("א", Outcome.PROVIDER_ERROR)
    assert codes == ["protocol_error"]


@pytest.mark.parametrize(
    "payload",
    [
        start(content={}, usage=5, stop_reason=["x"]),
        start(content="텍스트", usage=None, stop_reason=None),
        {"type": "message_start", "message": None},
        {"type": "content_block_start", "index": 0, "content_block": None},
        opened(0, 5, text="x"),
        grown(0, "text_delta"),
        grown(0, "text_delta", text=["x"]),
        grown(0, "thinking_delta", thinking={}),
        typing(0, None),
        grown(0, "signature_delta", signature="x"),
        grown(0, "citations_delta", citation={"cited_text": "x"}),
        grown(0, "delta_of_tomorrow", words="x"),
        {"type": "content_block_delta", "index": 0, "delta": "x"},
        stopped(0),
        {"type": "message_delta", "delta": None, "usage": []},
        {"type": "message_delta", "delta": {"stop_reason": None, "stop_sequence": None}},
        {"type": "event_of_tomorrow", "delta": {"text": "x"}},
    ],
)
def test_absent_null_and_wrong_types_give_nothing(payload: dict[str, Any]) -> None:
    made = assemble(sse(payload), "anthropic")

    assert made.deltas == []
    assert made.message.parts == ()
    assert made.message.problems == ()


@pytest.mark.parametrize(
    "delta",
    [
        {"type": "signature_delta", "signature": None},
        {"type": "citations_delta"},
        {"type": "citations_delta", "citation": None},
        {"type": "", "text": "x"},
    ],
)
def test_in_an_open_block_they_are_nothing_too(delta: dict[str, Any]) -> None:
    made = run(start(), opened(0, "text", text="Ж"), grown(0, **delta), STOP)

    assert metadata(made) == [{"type": "text"}]


def test_ids_and_names_of_calls_that_are_no_texts_are_not_known() -> None:
    made = run(start(), opened(0, "tool_use", id=5, name=None, input=[1]), stopped(0), STOP)
    [call] = made.message.tool_calls

    assert (call.id, call.name, call.arguments, call.complete) == (None, None, "[1]", False)


@pytest.mark.parametrize("index", [None, True, "x", 1.5])
def test_what_has_no_index_is_not_taken_and_is_damage(index: Any) -> None:
    message = run(start(), opened(index, "text", text="x"), said(index, "x"), STOP).message

    assert (message.parts, message.problems) == ((), ("a block has no index",))
    assert not message.intact
