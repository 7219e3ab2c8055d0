"""Read OpenAI's chat completion chunks, and those of the hosts that say they are compatible.

What differs between hosts is repaired here, and none of it changes a stream that conforms:

- Content may be a list of typed parts (Mistral) or a bare number (Cloudflare): ``_content``.
- Thinking is under ``reasoning_content`` (DeepSeek, vLLM once), ``reasoning`` (vLLM, Groq, Ollama)
  or ``reasoning_details`` (OpenRouter, beside the former): ``_reasoning``.
- Calls lack index or id, repeat them, or hold their arguments as an object: ``_chat_calls``.
- Usage is under ``usage``, ``x_groq.usage`` (Groq) or ``choices[0].usage`` (Moonshot): ``_usage``.
- A choice without ``delta`` (Azure), a whole ``message`` beside it or instead (Writer, Perplexity,
  MiniMax): ``_choice``.

Source: OpenAI's API reference, "Streaming" of chat completions.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from .._format import JSONFormat
from .._made import reasoning_delta, text_delta
from .._payload import PayloadReader
from .._register import EndRule, Pieces, Register
from .._reported import reported
from .._types import (
    Delta,
    ErrorUpdate,
    Finish,
    ReasoningDelta,
    RefusalDelta,
    TextDelta,
    UsageUpdate,
)
from ._chat_calls import Calls
from ._get import compact, is_number, mapping, number, objects, text
from .gemini import SHORTENED as GEMINI_SHORTENED

# Google's endpoint of this format has been seen to send Gemini's own reasons.
SHORTENED = (
    frozenset(
        {
            "length",
            "max_tokens",
            "model_length",
            "content_filter",
            "insufficient_system_resource",
            "abort",
            "sensitive",
            "network_error",
        }
    )
    | GEMINI_SHORTENED
)
# What a chunk that only appends does not have: errors, and usage in places of some hosts' own.
_RARE = frozenset({"error", "type", "x_groq"})
_RARE_IN_CHOICE = frozenset({"error", "finishReason", "usage"})
_NOTHING: tuple[Any, ...] = (None, "", [])


class ChatReader:
    """Read the chunks of one stream."""

    def __init__(self, register: Register) -> None:
        self._register = register
        self._calls = Calls(register)
        self._messages: dict[int, dict[str, Any]] = {}  # of choices that have no deltas
        self._streamed: set[int] = set()  # choices that had a delta: their message repeats it
        # The data of an event, and its choices with their numbers as text.
        self._spelt: tuple[str, list[dict[str, Any]]] | None = None

    def __call__(self, payload: dict[str, Any], name: str) -> Iterator[Delta]:
        """Give the deltas of a chunk."""
        register = self._register
        register.name(payload.get("id"), payload.get("model"))
        for position, choice in enumerate(objects(payload.get("choices"))):
            register.started = True
            yield from self._choice(choice, position, payload)
        yield from self._usage(payload)

    def simple(self, payload: dict[str, Any]) -> Delta | None:
        """Give the delta of a chunk whose one choice only appends, as most chunks do."""
        register, choices = self._register, payload.get("choices")
        if type(choices) is not list or len(choices) != 1 or payload.get("usage"):
            return None
        if register.id is None or register.model is None or not _RARE.isdisjoint(payload):
            return None
        choice = choices[0]
        key = _appended(choice)
        if not key or choice["index"] not in self._streamed:
            return None
        value, index = choice["delta"][key], choice["index"]
        if key == "tool_calls":
            return self._calls.simple(value, index, payload)
        slot = register.known("text", index) if key == "content" and type(value) is str else None
        return None if slot is None else text_delta(value, index, slot.number, payload)

    def _choice(
        self, choice: dict[str, Any], position: int, payload: dict[str, Any]
    ) -> Iterator[Delta]:
        told = number(choice.get("index"))
        index = self._register.choice(position if told is None else told)
        delta = mapping(choice.get("delta"))
        if delta:
            self._streamed.add(index)
        elif index not in self._streamed:
            delta = self._message(mapping(choice.get("message")), index)
        if text(choice.get("text")) and not delta and index not in self._streamed:
            self._register.problem("a choice has a text alone: openai-completions?", damage=True)
        yield from self._reasoning(delta, index, payload)
        yield from self._content(delta, index, position, payload)
        if text(delta.get("refusal")):
            slot = self._register.slot("refusal", index, choice=index)
            yield RefusalDelta(delta["refusal"], index, slot.number, payload)
        self._audio(mapping(delta.get("audio")), index)
        for call in objects(delta.get("tool_calls")):
            yield from self._calls.read(call, index, payload)
        if isinstance(delta.get("function_call"), dict):
            # A choice has one of these at most, and it has no index: -1 is nobody else's.
            legacy = {"index": -1, "function": delta["function_call"]}
            yield from self._calls.read(legacy, index, payload)
        yield from self._finish(choice, index, payload)

    def _message(self, message: dict[str, Any], index: int) -> dict[str, Any]:
        """Give what is new in a whole message, which comes instead of deltas, and may grow."""
        before = self._messages.get(index)
        if not message or before is None:
            self._messages[index] = message
            return message
        content = text(message.get("content"))
        if content.startswith(text(before.get("content"))):
            self._messages[index] = message
            return {"content": content[len(text(before.get("content"))) :]}
        self._register.problem("a choice has two messages", damage=True)
        return {}

    def _content(
        self, delta: dict[str, Any], index: int, position: int, payload: dict[str, Any]
    ) -> Iterator[Delta]:
        content = delta.get("content")
        if isinstance(content, (list, dict)):
            for part in content if isinstance(content, list) else [content]:
                typed = {"text": part} if isinstance(part, str) else mapping(part)
                yield from self._typed_part(typed, index, payload)
            return
        if is_number(content):
            content = self._spelling(position) or compact(content)
        if text(content):
            yield self._text(text(content), index, payload)

    def _typed_part(
        self, part: dict[str, Any], index: int, payload: dict[str, Any]
    ) -> Iterator[Delta]:
        if part.get("type") == "thinking":
            inner = part.get("thinking")
            thought = "".join(text(piece.get("text")) for piece in objects(inner)) or text(inner)
            if thought:
                yield self._thought(thought, index, payload)
        elif text(part.get("text")):
            yield self._text(part["text"], index, payload)
        elif part.get("type") not in (None, "text"):
            # References and images stand between texts: kept as they came.
            self._register.slot("other", ("content", index), choice=index).append("content", part)

    def _spelling(self, position: int) -> str:
        """Give a token that was sent as a number as it was spelt: 1.50 is not 1.5."""
        data = "" if self._register.event is None else self._register.event.data
        if self._spelt is None or self._spelt[0] != data:
            try:
                chunk = json.loads(data, parse_int=str, parse_float=str, parse_constant=str)
            except (ValueError, RecursionError):
                chunk = None  # the caller's own loads may read more
            self._spelt = data, objects(mapping(chunk).get("choices"))
        choices = self._spelt[1]
        choice = choices[position] if position < len(choices) else {}
        told = mapping(choice.get("delta")) or mapping(choice.get("message"))
        return text(told.get("content"))

    def _reasoning(
        self, delta: dict[str, Any], index: int, payload: dict[str, Any]
    ) -> Iterator[Delta]:
        details = objects(delta.get("reasoning_details"))
        for detail in details:
            self._register.slot("reasoning", index, choice=index).append(
                "reasoning_details", detail
            )
        thought = (
            text(delta.get("reasoning_content"))
            or text(delta.get("reasoning"))
            or "".join(text(each.get("text")) or text(each.get("summary")) for each in details)
        )
        if thought:
            yield self._thought(thought, index, payload)

    def _text(self, content: str, index: int, payload: dict[str, Any]) -> TextDelta:
        slot = self._register.slot("text", index, choice=index)
        return text_delta(content, index, slot.number, payload)

    def _thought(self, thought: str, index: int, payload: dict[str, Any]) -> ReasoningDelta:
        slot = self._register.slot("reasoning", index, choice=index)
        return reasoning_delta(thought, index, slot.number, payload)

    def _audio(self, audio: dict[str, Any], index: int) -> None:
        if not audio:
            return
        metadata = self._register.slot("other", ("audio", index), choice=index).metadata
        metadata["type"] = "audio"
        for key in ("data", "transcript"):
            if text(audio.get(key)):
                metadata.setdefault(key, Pieces()).append(audio[key])
        for key in ("id", "expires_at"):
            if audio.get(key) is not None:
                metadata[key] = audio[key]

    def _finish(
        self, choice: dict[str, Any], index: int, payload: dict[str, Any]
    ) -> Iterator[Delta]:
        yield from choice_errors(choice, payload)
        reason = finish_reason(choice)
        if reason:
            yield Finish(reason, index, payload)

    def _usage(self, payload: dict[str, Any]) -> Iterator[Delta]:
        groq = mapping(payload.get("x_groq"))
        error = reported({"error": groq.get("error")})
        if error is not None:
            yield error
        first = next(iter(objects(payload.get("choices"))), {})
        usage = (
            mapping(payload.get("usage"))
            or mapping(groq.get("usage"))
            or mapping(first.get("usage"))
        )
        if usage:
            yield UsageUpdate(usage, payload)


def _appended(choice: Any) -> str:
    """Give the one field of a choice's delta that holds something, if there is no more to it."""
    if type(choice) is not dict or type(choice.get("index")) is not int:
        return ""
    delta = choice.get("delta")
    if type(delta) is not dict or choice.get("finish_reason") is not None:
        return ""
    found = ""
    for key, value in delta.items():
        if value in _NOTHING or key == "role":
            continue
        if found:
            return ""
        found = key
    return found if _RARE_IN_CHOICE.isdisjoint(choice) else ""


def finish_reason(choice: dict[str, Any]) -> str:
    """Give a choice's finish reason; Google's endpoint has put it under its own name."""
    reason = text(choice.get("finish_reason")) or text(choice.get("finishReason"))
    return "" if reason == "null" else reason


def choice_errors(choice: dict[str, Any], payload: dict[str, Any]) -> Iterator[Delta]:
    """Give the error that a choice reports; one at the top is everybody's (``_reported``)."""
    error = reported({"error": choice.get("error")})
    if error is not None:
        yield error
    elif finish_reason(choice) == "error" and reported(payload) is None:
        yield ErrorUpdate('the finish reason is "error"', None, payload)


def _read(register: Register) -> PayloadReader:
    return ChatReader(register)


OPENAI_CHAT = JSONFormat(
    "openai-chat",
    EndRule(marker_follows=True, finish_precedes=True, shortened=SHORTENED),
    _read,
    done_ends=True,
)
