"""Read OpenAI's legacy text completions: ``choices[].text``.

Source: OpenAI's API reference, "Completions".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .._format import JSONFormat
from .._payload import PayloadReader
from .._register import EndRule, Register
from .._types import Delta, Finish, TextDelta, UsageUpdate
from ._get import mapping, number, objects, text
from .openai_chat import SHORTENED, choice_errors, finish_reason


def _read(register: Register) -> PayloadReader:
    def read(payload: dict[str, Any], name: str) -> Iterator[Delta]:
        register.name(payload.get("id"), payload.get("model"))
        for position, choice in enumerate(objects(payload.get("choices"))):
            register.started = True
            told = number(choice.get("index"))
            index = register.choice(position if told is None else told)
            if text(choice.get("text")):
                slot = register.slot("text", index, choice=index)
                yield TextDelta(choice["text"], index, slot.number, payload)
            elif choice.get("delta"):
                register.problem("a choice has a delta: openai-chat?", damage=True)
            yield from choice_errors(choice, payload)
            reason = finish_reason(choice)
            if reason:
                yield Finish(reason, index, payload)
        if mapping(payload.get("usage")):
            yield UsageUpdate(payload["usage"], payload)

    return read


OPENAI_COMPLETIONS = JSONFormat(
    "openai-completions",
    EndRule(marker_follows=True, finish_precedes=True, shortened=SHORTENED),
    _read,
    done_ends=True,
)
