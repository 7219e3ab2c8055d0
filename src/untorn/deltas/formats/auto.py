"""Find out the format of a stream from the first event that tells it; never guess.

What tells is a key or a type that one format alone has. Events before that are kept, and read once
the format is known. An error object is an error in any format.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from .._format import BuiltIn, EventReader
from .._payload import DONE
from .._register import EndRule, Register
from .._reported import reported
from .._types import Delta, EndMarker, ErrorUpdate, EventLike
from ._get import mapping, objects, text

MAX_KEPT = 100  # events; a stream that has told nothing by then tells nothing

_TYPES = {
    "anthropic": {
        "message_start",
        "message_delta",
        "message_stop",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
    },
    "cohere": {
        "message-start",
        "message-end",
        "content-start",
        "content-delta",
        "content-end",
        "tool-plan-delta",
        "tool-call-start",
        "tool-call-delta",
        "tool-call-end",
    },
    "vercel-ui": {
        "start-step",
        "finish-step",
        "text-start",
        "text-delta",
        "text-end",
        "reasoning-start",
        "reasoning-delta",
        "reasoning-end",
        "tool-input-start",
        "tool-input-delta",
        "tool-input-available",
    },
    "ag-ui": {
        "RUN_STARTED",
        "RUN_FINISHED",
        "RUN_ERROR",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_CHUNK",
        "TOOL_CALL_START",
        "TOOL_CALL_CHUNK",
        "REASONING_START",
        "REASONING_MESSAGE_CHUNK",
    },
}
_NAMES = {kind: name for name, kinds in _TYPES.items() for kind in kinds}


def telling(payload: dict[str, Any], name: str) -> str | None:
    """Give the name of the format that an event can only be of, if it tells one.

    Args:
        payload: The parsed data of the event.
        name: The event's type.
    """
    kind = text(payload.get("type"))
    if kind.startswith("response."):
        return "openai-responses"
    if kind in _NAMES:
        return _NAMES[kind]
    if isinstance(payload.get("candidates"), list) or mapping(payload.get("promptFeedback")):
        return "gemini"
    if name.startswith("thread.") and text(payload.get("object")).startswith("thread"):
        return "openai-assistants"
    return _of_choices(payload)


def looks_like(event: EventLike) -> str | None:
    """Give the name of the format that an event can only be of, if it tells one."""
    payloads = objects(_parsed(event.data.strip()))  # Google's errors come in an array
    return next(filter(None, (telling(each, event.event or "") for each in payloads)), None)


def _of_choices(payload: dict[str, Any]) -> str | None:
    object_type = text(payload.get("object"))
    if object_type.startswith("chat.completion"):
        return "openai-chat"
    if object_type == "text_completion":
        return "openai-completions"
    for choice in objects(payload.get("choices")):
        if isinstance(choice.get("delta"), dict):
            return "openai-chat"
        if isinstance(choice.get("text"), str):
            return "openai-completions"
    return None


class AutoReader:
    """Read a stream whose format is not known yet.

    Args:
        register: What is known of the stream.
        formats: Those that can be told apart.
    """

    def __init__(self, register: Register, formats: tuple[BuiltIn, ...]) -> None:
        self.chosen: BuiltIn | None = None
        self._register = register
        self._formats = {format.name: format for format in formats}
        self._read: EventReader | None = None
        self.kept: list[EventLike] = []  # what came before the event that tells

    def __call__(self, event: EventLike) -> Iterator[Delta]:
        """Give the deltas of an event, and those of the events before the one that told."""
        if self._read is None:
            yield from self._look(event)
        else:
            yield from self._read(event)

    def _look(self, event: EventLike) -> Iterator[Delta]:
        data = event.data.strip()
        if data in DONE:
            self._register.started = bool(self.kept)
            yield EndMarker()
            return
        told = looks_like(event)
        error = None if told else error_in(event)
        if error is not None:
            yield error
        elif data not in ("", "null") and len(self.kept) < MAX_KEPT:
            self.kept.append(event)
            if told is not None:
                yield from self._choose(self._formats[told])

    def _choose(self, format: BuiltIn) -> Iterator[Delta]:
        self.chosen = format
        self._register.rule = format.ending()
        self._read = read = format.open(self._register)
        kept, self.kept = self.kept, []
        for event in kept:
            self._register.event = event
            yield from read(event)


class Auto(BuiltIn):
    """Be the format that finds out which one it is.

    Args:
        formats: Those that can be told apart.
    """

    __slots__ = ("_formats",)

    name = "auto"

    def __init__(self, formats: tuple[BuiltIn, ...]) -> None:
        self._formats = formats

    def ending(self) -> EndRule:
        """Say what ends a stream; the format that is chosen says so anew."""
        return EndRule()

    def open(self, register: Register) -> AutoReader:
        """Give a reader that knows of no format yet."""
        return AutoReader(register, self._formats)


def error_in(event: EventLike) -> ErrorUpdate | None:
    """Give the error that an event reports in any format, if it does."""
    data, name = event.data.strip(), event.event or ""
    payloads = objects(_parsed(data))
    if name == "error" and data and not payloads:
        return ErrorUpdate(data, None, data)
    return next(filter(None, (reported(payload, name) for payload in payloads)), None)


def _parsed(data: str) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
