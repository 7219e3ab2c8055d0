"""Read home-made streams: the payload itself is the text, or it is one field of a JSON object."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .._format import BuiltIn, EventReader
from .._payload import DONE, JSONReader
from .._register import EndRule, Register
from .._reported import reported
from .._types import Delta, EndMarker, ErrorUpdate, EventLike, TextDelta
from ._get import compact, is_number, text


def _ending(done: str | None) -> EndRule:
    if done is None:
        return EndRule(finish_ends=False, close_ends=True)
    return EndRule(finish_ends=False, marker_follows=True, marker=done)


@dataclass(frozen=True, slots=True)
class Plain(BuiltIn):
    """Take each payload as text, as it is: leading spaces and newlines count.

    An event of the type "error" is an error, and so is an error object that comes first.

    Args:
        done: The payload that ends the stream. None says that there is none: a stream that ends
            between two events is then complete, though nothing can tell it from a cut one.
    """

    done: str | None = "[DONE]"
    name: str = field(default="plain", init=False, repr=False)

    def ending(self) -> EndRule:
        """Say what ends a stream of this format."""
        return _ending(self.done)

    def open(self, register: Register) -> EventReader:
        """Give a reader of events."""

        def read(event: EventLike) -> Iterator[Delta]:
            data = event.data
            error = None if register.started else _error_object(data)
            if event.event == "error" or error is not None:
                yield error or ErrorUpdate(data, None, data)
            elif data.strip() == self.done:
                yield EndMarker(self.done)
            else:
                register.started = True
                yield TextDelta(data, 0, register.slot("text", 0).number, data)

        return read


@dataclass(frozen=True, slots=True)
class JSONField(BuiltIn):
    """Take one field of each payload as text.

    Args:
        path: Where it stands: keys, and indexes of lists, joined with dots, such as "part" or
            "choices.0.text". Payloads without it are passed by; a number is written as JSON.
        done: The payload that ends the stream; None says that there is none, as for ``Plain``.

    Example:
        >>> from untorn.deltas import JSONField, read_message
        >>> wire = 'data: {"part": "Good "}\\n\\ndata: {"part": "morning"}\\n\\ndata: [DONE]\\n\\n'
        >>> read_message([wire.encode()], JSONField("part")).text
        'Good morning'
    """

    path: str
    done: str | None = "[DONE]"
    name: str = field(default="", init=False, repr=False)

    def ending(self) -> EndRule:
        """Say what ends a stream of this format."""
        return _ending(self.done)

    def open(self, register: Register) -> EventReader:
        """Give a reader of events."""
        steps = self.path.split(".")

        def read_payload(payload: dict[str, Any], name: str) -> Iterator[Delta]:
            value = _follow(payload, steps)
            register.started = register.started or value is not None
            if is_number(value):
                value = compact(value)
            if text(value):
                yield TextDelta(value, 0, register.slot("text", 0).number, payload)

        read_json = JSONReader(register, read_payload, done_ends=self.done in DONE)

        def read(event: EventLike) -> Iterator[Delta]:
            if self.done is not None and event.data.strip() == self.done:
                yield EndMarker(self.done)
            else:
                yield from read_json(event)

        return read


def _follow(value: Any, steps: list[str]) -> Any:
    for step in steps:
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and step.isascii() and step.isdigit() and len(step) < 10:
            value = value[int(step)] if int(step) < len(value) else None
        else:
            return None
    return value


def _error_object(data: str) -> ErrorUpdate | None:
    if not data.lstrip().startswith("{"):
        return None
    try:
        payload = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return reported(payload)
