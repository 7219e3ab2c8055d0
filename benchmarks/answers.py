"""Own the streams of answers that assembling is measured on: the events of a text and of a call.

They are whole and end well, so that whoever reads one can be held to the text that is in it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from shapes import SEED, WORDS, chunk, tool_arguments

DELTAS = 2_000
PIECE = 4  # characters in a piece of a call's arguments
Payload: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer.

    Args:
        name: What it is called: its format, and "-call" behind it for a call's arguments.
        format: The format's name.
        payloads: Of its events, as JSON texts.
        types: Of its events.
        text: What all of its pieces come to.
    """

    name: str
    format: str
    payloads: tuple[str, ...]
    types: tuple[str, ...]
    text: str


def answer(name: str) -> Answer:
    """Make an answer.

    Raises:
        KeyError: There is none of this name.
    """
    write = _WRITERS[name]
    pieces = _arguments() if name.endswith("-call") else _words()
    payloads = list(write(pieces))
    return Answer(
        name,
        name.removesuffix("-call"),
        tuple(json.dumps(payload, ensure_ascii=False) for payload in payloads),
        tuple(payload.get("type", "message") for payload in payloads),
        "".join(pieces),
    )


def _words() -> list[str]:
    chance = random.Random(SEED)
    return [f" {chance.choice(WORDS)}" for _ in range(DELTAS)]


def _arguments() -> list[str]:
    whole = tool_arguments(DELTAS * PIECE)
    return [whole[at : at + PIECE] for at in range(0, len(whole), PIECE)]


def _chat(pieces: list[str]) -> Iterator[Payload]:
    yield chunk({"role": "assistant", "content": "", "refusal": None})
    yield from (chunk({"content": piece}) for piece in pieces)
    yield chunk({}, "stop")


def _chat_call(pieces: list[str]) -> Iterator[Payload]:
    function = {"name": "save", "arguments": ""}
    call = {"index": 0, "id": "call_1", "type": "function", "function": function}
    yield chunk({"role": "assistant", "content": None, "tool_calls": [call]})
    for piece in pieces:
        yield chunk({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]})
    yield chunk({}, "tool_calls")


def _anthropic(pieces: list[str]) -> Iterator[Payload]:
    block = {"type": "text", "text": ""}
    yield from _messages(block, [{"type": "text_delta", "text": piece} for piece in pieces])


def _anthropic_call(pieces: list[str]) -> Iterator[Payload]:
    block = {"type": "tool_use", "id": "toolu_1", "name": "save", "input": {}}
    deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
    yield from _messages(block, deltas)


def _messages(block: Payload, deltas: list[Payload]) -> Iterator[Payload]:
    usage = {"input_tokens": 12, "output_tokens": 1}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "a-model"}
    open_end = {"stop_reason": None, "stop_sequence": None}
    begun: Payload = {**message, "content": [], **open_end, "usage": usage}
    yield {"type": "message_start", "message": begun}
    yield {"type": "content_block_start", "index": 0, "content_block": block}
    for delta in deltas:
        yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    stopped = {"stop_reason": "end_turn", "stop_sequence": None}
    yield {"type": "message_delta", "delta": stopped, "usage": {"output_tokens": len(deltas)}}
    yield {"type": "message_stop"}


def _responses(pieces: list[str]) -> Iterator[Payload]:
    text, at = "".join(pieces), {"item_id": "msg_1", "output_index": 0, "content_index": 0}
    item = {"id": "msg_1", "type": "message", "role": "assistant", "status": "in_progress"}
    part = {"type": "output_text", "text": "", "annotations": []}
    done = {**item, "status": "completed", "content": [{**part, "text": text}]}
    kind = "response.output_text"
    yield from _numbered(
        {"type": "response.output_item.added", "output_index": 0, "item": {**item, "content": []}},
        {"type": "response.content_part.added", **at, "part": part},
        *({"type": f"{kind}.delta", **at, "delta": piece, "logprobs": []} for piece in pieces),
        {"type": f"{kind}.done", **at, "text": text, "logprobs": []},
        {"type": "response.output_item.done", "output_index": 0, "item": done},
        output=done,
    )


def _responses_call(pieces: list[str]) -> Iterator[Payload]:
    text, at = "".join(pieces), {"item_id": "fc_1", "output_index": 0}
    item = {"id": "fc_1", "type": "function_call", "call_id": "call_1", "name": "save"}
    done = {**item, "status": "completed", "arguments": text}
    kind = "response.function_call_arguments"
    yield from _numbered(
        {
            "type": "response.output_item.added",
            "output_index": 0,
            "item": {**item, "arguments": ""},
        },
        *({"type": f"{kind}.delta", **at, "delta": piece} for piece in pieces),
        {"type": f"{kind}.done", **at, "arguments": text},
        {"type": "response.output_item.done", "output_index": 0, "item": done},
        output=done,
    )


def _numbered(*payloads: Payload, output: Payload) -> Iterator[Payload]:
    response = {"id": "resp_1", "object": "response", "model": "a-model", "output": []}
    yield {"type": "response.created", "sequence_number": 0, "response": response}
    for number, payload in enumerate(payloads, 1):
        yield {**payload, "sequence_number": number}
    usage = {"input_tokens": 12, "output_tokens": len(payloads), "total_tokens": 99}
    whole = {**response, "status": "completed", "output": [output], "usage": usage}
    yield {"type": "response.completed", "sequence_number": len(payloads) + 1, "response": whole}


_WRITERS: dict[str, Callable[[list[str]], Iterator[Payload]]] = {
    "openai-chat": _chat,
    "openai-chat-call": _chat_call,
    "anthropic": _anthropic,
    "anthropic-call": _anthropic_call,
    "openai-responses": _responses,
    "openai-responses-call": _responses_call,
}
NAMES = tuple(_WRITERS)
