"""The calls of a chat stream, piece by piece; whose call a piece is: test_routes.py."""

from __future__ import annotations

from typing import Any

import pytest

from untorn.deltas import Delta, ToolCallDelta, ToolCallEnd, ToolCallStart
from untorn.deltas._register import Options, Register
from untorn.deltas.formats._chat_calls import Calls


def piece(arguments: Any = None, **more: Any) -> dict[str, Any]:
    function = {} if arguments is None else {"arguments": arguments}
    return {"index": 0, "function": function, **more}


def opened() -> Calls:
    calls = Calls(Register(Options()))
    begun = {"index": 0, "id": "c1", "function": {"name": "f", "arguments": ""}}
    assert [*calls.read(begun, 0, {})] == [ToolCallStart(0, "c1", "f")]
    return calls


def read(calls: Calls, call: dict[str, Any]) -> list[Delta]:
    return [*calls.read(call, 0, {})]


def test_a_piece_appends_to_its_call() -> None:
    calls = opened()
    assert read(calls, piece("{")) == [ToolCallDelta(0, "{")]
    assert read(calls, piece("}", id="null")) == [ToolCallDelta(0, "}")]
    assert read(calls, piece("")) == []
    assert read(calls, piece()) == []


def test_a_piece_of_a_call_that_nobody_opened_opens_one() -> None:
    calls = Calls(Register(Options()))
    assert read(calls, piece()) == []
    assert read(calls, piece("{")) == [ToolCallStart(0), ToolCallDelta(0, "{")]


def test_an_id_or_a_name_that_comes_late_is_news() -> None:
    calls = Calls(Register(Options()))
    read(calls, piece("{"))
    named = {"index": 0, "id": "c1", "function": {"name": "f"}}
    assert read(calls, named) == [ToolCallStart(0, "c1", "f")]


def test_arguments_may_be_an_object_and_free_text_is_a_custom_call() -> None:
    calls = opened()
    assert read(calls, piece({"a": 1})) == [ToolCallDelta(0, '{"a":1}')]
    assert read(calls, piece({"a": 2})) == [ToolCallEnd(0, '{"a":2}')]
    custom = {"index": 1, "id": "c2", "custom": {"name": "g", "input": "x"}}
    assert read(calls, custom) == [
        ToolCallStart(1, "c2", "g", custom=True),
        ToolCallDelta(1, "x"),
    ]


def test_what_a_gateway_adds_is_kept() -> None:
    register = Register(Options())
    calls = Calls(register)
    [*calls.read(piece("{", id="c1", extra_content={"signature": "s"}), 0, {})]
    assert register.slots[0].metadata["extra_content"] == {"signature": "s"}


def test_one_more_piece_of_an_open_call_has_a_short_way() -> None:
    calls, payload = opened(), {"a": "payload"}
    delta = calls.simple([piece("{", type="function", id=None)], 0, payload)

    assert delta == ToolCallDelta(0, "{")
    assert isinstance(delta, ToolCallDelta)
    assert delta.raw is payload
    # As after the long way, the call has arguments now, so that a whole object ends it.
    assert read(calls, piece({})) == [ToolCallEnd(0, "{}")]


@pytest.mark.parametrize(
    "calls",
    [
        None,
        [],
        [None],
        {"index": 0, "function": {"arguments": "x"}},
        [piece("x"), piece("y")],
        [piece("")],
        [piece({"a": 1})],
        [piece("x", index=1)],
        [piece("x", index="0")],
        [piece("x", id="c2")],
        [piece("x", custom={})],
        [piece("x", extra_content={})],
        [{"index": 0, "function": {"name": "f", "arguments": "x"}}],
        [{"index": 0, "function": None}],
    ],
)
def test_any_other_list_of_calls_has_none(calls: Any) -> None:
    assert opened().simple(calls, 0, {}) is None
    assert opened().simple([piece("x")], 1, {}) is None
