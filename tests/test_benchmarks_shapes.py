"""The streams that speed is measured on hold what they say."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
import shapes

from untorn import SSEParser
from untorn.deltas import DeltaAssembler


@pytest.mark.parametrize("name", shapes.NAMES)
def test_a_shape_holds_what_it_says_and_is_the_same_each_time(name: str) -> None:
    made = shapes.shape(name)
    parser = SSEParser()
    events = [event for read in made.reads for event in parser.feed(read)]

    assert len(events) == made.events
    assert parser.close().tail is None
    assert made == shapes.shape(name)


def test_the_shapes_are_of_the_sizes_that_their_names_say() -> None:
    sizes = {name: [len(read) for read in shapes.shape(name).reads] for name in shapes.NAMES}

    assert set(sizes["chat-16k"][:-1]) == {16 * 1024}
    assert set(sizes["chat-64"][:-1]) == {64}
    assert set(sizes["chat-1"]) == {1}
    assert 230 < sum(sizes["chat-event"]) / 20_000 < 290
    assert sum(sizes["long-line"]) == 10_000_008
    assert len(sizes["tool-call"]) == len(shapes.tool_call_payloads(20_000))
    assert 4_900 < len(sizes["tool-call"]) < 5_100
    assert any(read[-1] > 0x7F for read in shapes.shape("multilingual").reads)


def test_tool_calls_in_pieces_are_a_whole_call() -> None:
    payloads = shapes.tool_call_payloads(500)
    assembler = DeltaAssembler("openai-chat")
    for payload in payloads:
        assembler.feed(SimpleNamespace(data=payload, event=None))
    [call] = assembler.message.tool_calls

    assert call.arguments == shapes.tool_arguments(500)
    assert len(json.loads(call.arguments)["rows"]) > 5
    assert len(payloads) == 1 + -(-len(call.arguments) // 4)
