"""Own the race from events to a message: untorn, ``json.loads`` alone, the helpers of two SDKs.

Each of them is held to the answer: a helper that gives another text is not timed.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import answers
from contenders import OURS, Contender, Reader, ours
from shapes import Shape

LOADS = "json.loads"
NAMES = answers.NAMES


def shape(name: str) -> Shape:
    """Make the events of an answer; the reader has to give its length, in characters."""
    # Only the inner run has it on its path.
    from untorn import Event

    made = answers.answer(name)
    events = tuple(map(Event, made.payloads, made.types))
    return Shape(name, f"{made.format}, {len(events):,} events", events, len(made.text))


def lineup(name: str) -> list[Contender]:
    """Give who reads the answers of a name."""
    format = name.removesuffix("-call")
    made = [Contender(OURS, ours().version, _untorn(format)), Contender(LOADS, "", _loads(name))]
    package, helper = _HELPERS[format]
    version = str(importlib.import_module(package).__version__)
    return [*made, Contender(f"{package} helper", version, helper())]


def _untorn(format: Any) -> Reader:
    from untorn.deltas import DeltaAssembler

    def read(events: Sequence[Any]) -> int:
        assembler = DeltaAssembler(format)
        for event in events:
            assembler.feed(event)
        assembler.close()
        message = assembler.message
        assert message.intact
        return len(message.text) or len(message.tool_calls[0].arguments)

    return read


def _loads(name: str) -> Reader:
    """Parse the payloads and nothing else; what they come to is known."""
    length = len(answers.answer(name).text)

    def read(events: Sequence[Any]) -> int:
        for event in events:
            json.loads(event.data)
        return length

    return read


def _payloads(events: Iterable[Any]) -> Iterable[Any]:
    return (json.loads(event.data) for event in events)


def _openai_chat() -> Reader:
    """Its state of a chat stream, which its client's own stream helper fills, chunk by chunk."""
    state_of = importlib.import_module("openai.lib.streaming.chat").ChatCompletionStreamState
    construct = importlib.import_module("openai._models").construct_type
    chunk = importlib.import_module("openai.types.chat").ChatCompletionChunk

    def read(events: Sequence[Any]) -> int:
        state = state_of()
        for payload in _payloads(events):
            for _ in state.handle_chunk(construct(type_=chunk, value=payload)):
                pass
        message = state.get_final_completion().choices[0].message
        return len(message.content or "") or len(message.tool_calls[0].function.arguments)

    return read


def _openai_responses() -> Reader:
    """Its state of a Responses stream, as its client's own stream helper fills it."""
    streaming = importlib.import_module("openai.lib.streaming.responses._responses")
    construct = importlib.import_module("openai._models").construct_type
    event_type = importlib.import_module("openai.types.responses").ResponseStreamEvent
    omit = importlib.import_module("openai._types").omit

    def read(events: Sequence[Any]) -> int:
        state = streaming.ResponseStreamState(text_format=omit, input_tools=omit)
        for payload in _payloads(events):
            state.handle_event(construct(type_=event_type, value=payload))
        response = state._completed_response
        item = response.output[0]
        return len(response.output_text) or len(item.arguments)

    return read


def _anthropic() -> Reader:
    """Its functions that add an event to the message so far, and make of it what users see."""
    streaming = importlib.import_module("anthropic.lib.streaming._messages")
    construct = importlib.import_module("anthropic._models").construct_type
    event_type = importlib.import_module("anthropic.types").RawMessageStreamEvent

    def read(events: Sequence[Any]) -> int:
        snapshot: Any = None
        buffers: dict[int, bytes] = {}
        for payload in _payloads(events):
            event = construct(type_=event_type, value=payload)
            snapshot = streaming.accumulate_event(
                event=event, current_snapshot=snapshot, json_bufs=buffers
            )
            streaming.build_events(event=event, message_snapshot=snapshot)
        block = snapshot.content[0]
        return len(block.text) if block.type == "text" else len(buffers[0].decode())

    return read


_HELPERS: dict[str, tuple[str, Callable[[], Reader]]] = {
    "openai-chat": ("openai", _openai_chat),
    "openai-responses": ("openai", _openai_responses),
    "anthropic": ("anthropic", _anthropic),
}
