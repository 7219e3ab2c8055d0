"""The push object where a reader fails, or more comes than should: nothing is lost unsaid."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from llm import assemble, chat, sse

from untorn import Event, SSEParser
from untorn.deltas import Delta, DeltaAssembler, EventLike, TextDelta

DONE = sse("[DONE]")


class Broken:
    """A format whose reader fails on a payload without the key that it wants."""

    def reader(self) -> Any:
        def read(event: EventLike) -> Iterator[Delta]:
            yield TextDelta("seen ")
            yield TextDelta(json.loads(event.data)["t"])

        return read


def test_a_reader_that_fails_is_a_problem_and_keeps_what_it_gave() -> None:
    assembler = DeltaAssembler(Broken())
    with pytest.raises(KeyError):
        assembler.feed(Event("{}"))

    assert assembler.message.text == "seen "
    assert assembler.message.problems == ("the format's reader failed: KeyError('t')",)


def test_a_reader_that_fails_on_the_tail_does_not_raise_from_close() -> None:
    parser, assembler = SSEParser(), DeltaAssembler(Broken())
    parser.feed(b"data: {}")

    assert assembler.close(parser.close()) == [TextDelta("seen ")]
    assert assembler.close() == []
    assert not assembler.message.intact
    assert assembler.message.problems == ("the format's reader failed: KeyError('t')",)


def test_whoever_stops_early_gets_no_tail() -> None:
    parser, assembler = SSEParser(), DeltaAssembler("openai-chat")
    parser.feed(b"data: [DONE]\n")
    assembler.feed(Event(json.dumps(chat({"content": "a"}))))

    assert assembler.close(parser.close(), cancelled=True) == []
    assert (assembler.message.outcome.value, assembler.message.tail_used) == ("cancelled", False)


def test_a_second_answer_behind_the_end_is_damage() -> None:
    answer = sse(chat({"content": "a"}, "stop"), "[DONE]")
    message = assemble(answer + answer, "openai-chat").message
    assert (message.text, message.intact) == ("aa", False)


def test_usage_behind_the_end_is_none() -> None:
    usage = sse({"choices": [], "usage": {"n": 1}})
    wire = sse(chat({"content": "a"}, "stop")) + DONE + usage
    assert assemble(wire, "openai-chat").message.intact


def test_bad_bytes_behind_the_end_are_nobodys_loss() -> None:
    wire = sse(chat({"content": "a"}, "stop")) + DONE + b": \xff\n"
    assert assemble(wire, "openai-chat").message.intact
    torn = wire.replace(b'"a"', b'"\xff"')
    assert not assemble(torn, "openai-chat").message.intact


@pytest.mark.parametrize(
    ("arguments", "name", "problem"),
    [("{}", None, "a call has no name"), ('{"a', "f", "the call of 'f' is incomplete")],
)
def test_a_call_that_cannot_be_run_is_a_problem(
    arguments: str, name: str | None, problem: str
) -> None:
    function = {"arguments": arguments} | ({"name": name} if name else {})
    delta = {"tool_calls": [{"id": "c", "function": function}]}
    message = assemble(sse(chat(delta), chat(finish="stop"), "[DONE]"), "openai-chat").message

    assert not message.intact
    assert message.problems == (problem,)
