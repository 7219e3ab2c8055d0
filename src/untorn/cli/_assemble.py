"""Own ``untorn assemble``: the answer of an LLM's stream as it comes, and a verdict in lines."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ..deltas import Choice, Delta, Format, FormatName, Message, TextDelta, ToolCall
from ..deltas.formats._get import compact
from ._show import counted, escaped, printable, quoted

ARGUMENTS_SHOWN = 200  # characters


def pieces(deltas: Iterator[Delta]) -> Iterator[str]:
    """Give the text of the answer, as a terminal may show it."""
    for delta in deltas:
        if isinstance(delta, TextDelta) and not delta.choice:
            yield printable(delta.text)


def verdict(message: Message, format: FormatName | Format) -> list[str]:
    """Say in lines what else came, and whether the answer can be trusted."""
    ended = (
        f", ended by {escaped(message.ended_by)}" if message.ended_by else ": no end signal came"
    )
    tail = " (its event had no blank line)" if message.tail_used else ""
    lines = [
        f"outcome   {message.outcome.value}{ended}{tail}",
        f"intact    {'yes' if message.intact else 'no'}",
        f"format    {format}",
    ]
    if message.finish_reason is not None:
        early = " (the provider stopped early)" if message.shortened else ""
        lines.append(f"finish    {escaped(message.finish_reason)}{early}")
    for choice in message.choices:
        lines += _choice(choice)
    if message.usage is not None:
        lines.append(f"usage     {escaped(compact(message.usage))}")
    if message.error is not None:
        code = "" if message.error.code is None else f"  code {quoted(str(message.error.code))}"
        lines.append(f"error     {escaped(message.error.message)}{code}")
    return lines + [f"problem   {escaped(problem)}" for problem in message.problems]


def document(message: Message, format: FormatName | Format) -> str:
    """Write the same as JSON, in ASCII, for a script."""
    error = message.error
    return as_json(
        {
            "format": str(format),
            "outcome": message.outcome.value,
            "intact": message.intact,
            "shortened": message.shortened,
            "ended_by": message.ended_by,
            "tail_used": message.tail_used,
            "finish_reason": message.finish_reason,
            "id": message.id,
            "model": message.model,
            "text": message.text,
            "reasoning": message.reasoning,
            "refusal": message.refusal,
            "tool_calls": [_call_object(call) for call in message.tool_calls],
            "server_calls": [_call_object(call) for call in message.server_calls],
            "choices": [_choice_object(choice) for choice in message.choices],
            "parts": [
                {"kind": p.kind, "choice": p.choice, "text": p.text, "metadata": p.metadata}
                for p in message.parts
            ],
            "usage": message.usage,
            "error": None if error is None else {"message": error.message, "code": error.code},
            "problems": message.problems,
        }
    )


def as_json(value: object) -> str:
    """Write a value as JSON, in ASCII; NaN and Infinity, which JSON does not have, become null."""
    return json.dumps(json.loads(compact(value)), indent=2)


def _choice(choice: Choice) -> list[str]:
    lines = []
    if choice.index:
        lines.append(f"choice {choice.index}  {counted(len(choice.text), 'character')} of text")
    if choice.reasoning:
        lines.append(f"thought   {counted(len(choice.reasoning), 'character')}")
    if choice.refusal:
        lines.append(f"refusal   {escaped(choice.refusal)}")
    lines += [f"call      {_call(call)}" for call in choice.tool_calls]
    return lines + [f"ran       {_call(call)}" for call in choice.server_calls]


def _choice_object(choice: Choice) -> dict[str, object]:
    return {
        "index": choice.index,
        "text": choice.text,
        "reasoning": choice.reasoning,
        "refusal": choice.refusal,
        "finish_reason": choice.finish_reason,
        "shortened": choice.shortened,
        "tool_calls": [_call_object(call) for call in choice.tool_calls],
        "server_calls": [_call_object(call) for call in choice.server_calls],
    }


def _call(call: ToolCall) -> str:
    state = "" if call.complete else "  INCOMPLETE: do not run it"
    arguments = call.arguments
    if len(arguments) > ARGUMENTS_SHOWN:
        arguments = arguments[:ARGUMENTS_SHOWN] + "…"
    name = escaped(call.name or "(unnamed)")
    return f"{name} {escaped(arguments)}  id {quoted(call.id or '')}{state}"


def _call_object(call: ToolCall) -> dict[str, object]:
    return {
        "id": call.id,
        "name": call.name,
        "arguments": call.arguments,
        "complete": call.complete,
        "custom": call.custom,
    }
