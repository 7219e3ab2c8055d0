"""The items of a Responses stream: where each stands, what was streamed of it, and what is new."""

from __future__ import annotations

from typing import Any

import pytest

from untorn.deltas import (
    Delta,
    ReasoningDelta,
    RefusalDelta,
    TextDelta,
    ToolCallDelta,
    ToolCallEnd,
    ToolCallStart,
)
from untorn.deltas._register import Options, Register
from untorn.deltas.formats._items import CALL_TEXTS, Items

HUGE = 999_999_999
RAW = {"type": "response.test"}


def made() -> tuple[Items, Register]:
    register = Register(Options())
    return Items(register), register


def item(kind: str, id: str | None = None, **more: Any) -> dict[str, Any]:
    return {"type": kind, "id": id, **more}


@pytest.mark.parametrize(
    ("payload", "place"),
    [
        ({"output_index": HUGE, "item_id": "m1"}, HUGE),
        ({"item_id": "m1"}, "m1"),
        ({"output_index": None, "item_id": "m1"}, "m1"),
        ({"output_index": True, "item_id": "m1"}, "m1"),
        ({"output_index": "0", "item_id": 7}, 0),
        ({"output_index": [], "item_id": 7, "item": ["m1"]}, ""),
        ({"item": {"id": "m1"}}, "m1"),
        ({}, ""),
    ],
)
def test_an_item_is_known_by_its_index_else_by_its_id(payload: Any, place: int | str) -> None:
    assert made()[0].place(payload) == place


def test_an_id_that_was_seen_leads_to_the_place_of_its_item() -> None:
    items, _ = made()
    items.note(3, item("message", "m1"))
    items.place({"item_id": "m2"})

    assert items.place({"item_id": "m1"}) == 3
    assert items.place({"output_index": 7, "item_id": "m1"}) == 7
    assert items.place({"output_index": 7, "item_id": "m2"}) == "m2"


def placed(items: Items, *output: dict[str, Any]) -> list[int | str | None]:
    """Give the place of each item, None for those that are left out."""
    found = items.places_in_output([*output])
    return [next((place for place, item in found if item is each), None) for each in output]


def test_an_item_of_the_output_stands_where_its_id_was_noted() -> None:
    items, _ = made()
    items.note(4, item("message", "m1"))

    assert placed(items, item("message", "m1")) == [4]
    assert placed(items, item("reasoning", "m1")) == [0]


def test_with_other_ids_it_stands_at_its_index_where_the_output_is_complete() -> None:
    items, _ = made()
    items.note(0, item("reasoning", "r1"))
    items.note(1, item("message", "m1"))

    assert placed(items, item("reasoning", "r9"), item("message", None)) == [0, 1]


def test_with_other_ids_items_are_told_by_their_order_where_none_of_the_type_is_missing() -> None:
    items, _ = made()
    items.note(0, item("reasoning", "r1"))
    items.note(1, item("message", "m1"))

    assert placed(items, item("message", "m9")) == [1]
    assert placed(items, item("message", "m9"), item("reasoning", "r9")) == [1, 0]
    items.note(2, item("message", "m2"))
    assert placed(items, item("message", "m9")) == [None]


def test_it_has_a_new_place_where_nothing_of_its_type_was_streamed() -> None:
    items, _ = made()
    items.note(0, item("message", "m1"))

    before, after = placed(items, item("reasoning"), item("function_call"))
    assert after == 1
    assert before not in (0, 1, None)


def test_an_item_without_type_and_id_is_nothing_to_note() -> None:
    items, _ = made()
    for wrong in ({}, {"type": None, "id": None}, {"type": ["message"], "id": {}}):
        items.note(0, wrong)

    assert placed(items, item("message", "m1")) == [0]


def test_texts_grow_in_slots_of_their_own_by_kind_item_and_index() -> None:
    items, register = made()
    keys: list[tuple[str, int | str, int]] = [
        ("text", 1, 0),
        ("text", 1, 1),
        ("refusal", 1, 0),
        ("reasoning", 0, 0),
        ("summary", 0, 0),
        ("text", "m1", 2),
        ("text", 1, 0),
    ]
    deltas = [delta for key in keys for delta in items.grow(*key, "語", RAW)]

    assert deltas == [
        TextDelta("語", 0, 0),
        TextDelta("語", 0, 1),
        RefusalDelta("語", 0, 2),
        ReasoningDelta("語", 0, 3),
        ReasoningDelta("語", 0, 4, summary=True),
        TextDelta("語", 0, 5),
        TextDelta("語", 0, 0),
    ]
    assert all(getattr(delta, "raw", None) is RAW for delta in deltas)
    placed = sorted(register.slots, key=lambda slot: slot.order)
    assert [slot.number for slot in placed] == [3, 4, 0, 2, 1, 5]


def test_no_words_open_no_slot() -> None:
    items, register = made()

    assert [*items.grow("text", 0, 0, "", RAW), *items.fill("text", 0, 0, "", RAW)] == []
    assert register.slots == []


@pytest.mark.parametrize(
    ("streamed", "whole", "added"),
    [
        ("", "κείμενο", "κείμενο"),
        ("κεί", "κείμενο", "μενο"),
        ("κείμενο", "κείμενο", ""),
        ("κείμενο", "κεί", ""),
        ("a", "a\ud83e\udd8a", "🦊"),
        ("a\ud83e", "a🦊b", "\udd8ab"),
    ],
)
def test_a_snapshot_adds_what_was_not_streamed(streamed: str, whole: str, added: str) -> None:
    items, register = made()
    list(items.grow("text", 0, 0, streamed, RAW))

    expected = [TextDelta(added)] if added else []
    assert list(items.fill("text", 0, 0, whole, RAW)) == expected
    assert list(items.fill("text", 0, 0, whole, RAW)) == []
    assert (register.damages, register.slots[0].metadata) == ([], {})


def test_a_snapshot_that_differs_is_kept_beside_the_text_and_told() -> None:
    items, register = made()
    list(items.grow("text", 0, 0, "עשר", RAW))

    assert list(items.fill("text", 0, 0, "תשע", RAW)) == []
    assert register.slots[0].metadata == {"snapshot": "תשע"}
    assert register.damages == ["a text differs from the provider's own snapshot of it"]


@pytest.mark.parametrize("between", ["", "a"])
def test_halves_of_a_character_are_one_also_around_a_snapshot(between: str) -> None:
    items, register = made()
    list(items.grow("text", 0, 0, "a\ud83e", RAW))
    list(items.fill("text", 0, 0, between, RAW))
    list(items.grow("text", 0, 0, "\udd8a", RAW))

    assert list(items.fill("text", 0, 0, "a🦊b", RAW)) == [TextDelta("b")]
    assert register.damages == []


def test_thinking_keeps_what_the_next_turn_sends_back_beside_its_text() -> None:
    items, register = made()
    reasoning = item("reasoning", "r1", encrypted_content="c2VjcmV0", status="completed")
    list(items.grow("summary", 0, 0, "думка", RAW))
    items.keep(0, reasoning)
    items.keep(1, {**reasoning, "encrypted_content": None, "id": None})

    kept = {"id": "r1", "encrypted_content": "c2VjcmV0"}
    assert [(slot.kind, slot.metadata) for slot in register.slots] == [
        ("reasoning", kept),
        ("reasoning", {}),
    ]


def test_an_item_of_another_kind_is_kept_whole_in_its_place() -> None:
    items, register = made()
    tools = item("mcp_list_tools", "l1", tools=[])
    items.keep(2, tools)
    items.keep("l2", tools)

    assert [slot.kind for slot in register.slots] == ["other", "other"]
    assert register.slots[0].metadata == {"type": "mcp_list_tools", "item": tools}
    assert register.slots[0].order < register.slots[1].order


@pytest.mark.parametrize(
    ("kind", "id", "name", "server", "custom"),
    [
        ("function_call", "call", "f", False, False),
        ("custom_tool_call", "call", "f", False, True),
        ("computer_call", "call", "f", False, False),
        ("mcp_call", "item", "f", True, False),
        ("code_interpreter_call", "item", "f", True, True),
        ("web_search_call", "item", "f", True, False),
    ],
)
def test_a_call_is_the_clients_or_the_providers_own(
    kind: str, id: str, name: str, server: bool, custom: bool
) -> None:
    items, register = made()
    opened = items.open_call(0, item(kind, "item", call_id="call", name=name), RAW)

    assert list(opened) == [ToolCallStart(0, id, name, server=server, custom=custom)]
    assert register.slots[0].metadata == {"type": kind}


@pytest.mark.parametrize("kind", [*CALL_TEXTS, "web_search_call"])
@pytest.mark.parametrize("wrong", [None, 7, "", {}], ids=repr)
def test_a_call_without_a_name_is_called_by_its_type_where_that_tells(
    kind: str, wrong: Any
) -> None:
    named = kind not in ("function_call", "custom_tool_call", "mcp_call")
    items, _ = made()
    [start] = items.open_call(0, {"type": kind, "name": wrong, "id": wrong, "call_id": wrong}, RAW)

    assert isinstance(start, ToolCallStart)
    assert (start.id, start.name) == (None, kind if named else None)


def test_input_of_a_call_that_was_never_announced_opens_it_once() -> None:
    items, _ = made()
    deltas: list[Delta] = []
    for words in ("", '{"β"', ":1}"):
        deltas += items.grow_call("function_call", 5, words, RAW)

    expected = [ToolCallStart(0), ToolCallDelta(0, '{"β"'), ToolCallDelta(0, ":1}")]
    assert deltas == expected


@pytest.mark.parametrize(
    ("kind", "more", "arguments", "complete"),
    [
        ("function_call", {"arguments": '{"a":1}'}, '{"a":1}', True),
        ("function_call", {"arguments": '{"a"', "status": "incomplete"}, '{"a"', False),
        ("function_call", {"arguments": None}, "", True),
        ("custom_tool_call", {"input": "จบ"}, "จบ", True),
        ("apply_patch_call", {"operation": {}}, "{}", True),
        ("code_interpreter_call", {"code": "1+1"}, "1+1", True),
        ("web_search_call", {"action": {"q": "ж"}}, '{"q":"ж"}', True),
    ],
)
def test_a_call_ends_with_its_input(
    kind: str, more: dict[str, Any], arguments: str, complete: bool
) -> None:
    items, _ = made()

    *_, end = items.end_call(0, item(kind, **more), RAW)
    assert end == ToolCallEnd(0, arguments, complete)


def test_input_that_only_the_announcement_had_ends_a_call_once() -> None:
    items, _ = made()
    for place, kind in enumerate(("function_call", "function_call", "mcp_call")):
        list(items.open_call(place, item(kind, arguments='{"γ":1}'), RAW))
    list(items.grow_call("function_call", 0, "{", RAW))
    list(items.end_call(1, item("function_call", arguments="{}"), RAW))

    assert list(items.end_untold(RAW)) == [ToolCallEnd(2, '{"γ":1}')]
    assert list(items.end_untold(RAW)) == []


def test_a_call_of_the_providers_own_is_kept_with_its_results() -> None:
    items, register = made()
    ended = item("mcp_call", "m1", status="completed", output="結果")
    list(items.end_call(0, ended, RAW))
    list(items.end_call(1, item("function_call", status="completed"), RAW))

    assert register.slots[0].metadata == {"type": "mcp_call", "item": ended}
    assert register.slots[1].metadata == {"type": "function_call"}
