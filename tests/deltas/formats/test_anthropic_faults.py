"""Anthropic's stream where a gateway has torn it: splices, indexes used twice, unknown blocks."""

from __future__ import annotations

from typing import Any

from llm import assemble, typed

from untorn.deltas import Message

STOP = {"type": "message_stop"}


def start(id: str | None = "m1") -> dict[str, Any]:
    return {"type": "message_start", "message": {"content": []} | ({"id": id} if id else {})}


def opened(kind: str, **block: Any) -> dict[str, Any]:
    return {"type": "content_block_start", "index": 0, "content_block": {"type": kind, **block}}


def grown(kind: str, **delta: Any) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": 0, "delta": {"type": kind, **delta}}


def read(*payloads: dict[str, Any]) -> Message:
    return assemble(typed(*payloads, STOP), "anthropic").message


STOPPED = {"type": "content_block_stop", "index": 0}


def test_a_block_that_begins_inside_another_cuts_it() -> None:
    one, two = (opened("tool_use", id=id, name=id) for id in "αβ")
    made = read(start(), one, two, grown("input_json_delta", partial_json='{"n":1}'), STOPPED)

    assert [(call.id, call.complete) for call in made.tool_calls] == [("α", False), ("β", True)]
    assert not made.intact
    text = read(start(), opened("text", text="a"), opened("thinking"))
    assert text.problems == ("a block began where another was open",)


def test_a_start_without_an_id_after_content_is_a_splice() -> None:
    for first, second in ((None, None), ("m", None), (None, "m"), ("m", "n")):
        said = [opened("text", text=""), grown("text_delta", text="א")]
        made = read(start(first), *said, start(second), grown("text_delta", text="ב"))
        assert (made.text, made.outcome.value) == ("א", "provider_error")


def test_a_start_without_an_id_before_content_is_an_echo() -> None:
    assert read(start(None), start(None), opened("text", text="א")).intact


def test_deltas_of_a_block_yet_unknown_are_kept_and_open_nothing() -> None:
    fragment = grown("input_json_delta", partial_json="{}")
    made = read(start(), opened("advisor_use", id="s"), fragment, STOPPED)

    assert (made.tool_calls, made.intact) == ((), True)
    assert made.parts[0].metadata["deltas"] == [fragment["delta"]]


def test_a_delta_of_a_kind_yet_unknown_is_kept_with_its_block() -> None:
    odd = grown("sparkle_delta", sparkle=1)
    made = read(start(), opened("text", text="א"), odd)
    assert made.parts[0].metadata["deltas"] == [odd["delta"]]
