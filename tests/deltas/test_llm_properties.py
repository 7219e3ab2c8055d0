"""What holds for every stream of every format: sums, growth over prefixes, nothing that raises."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llm import LLM_FILES, Case, Run, assemble, cases, chat, check_sums, sse

from untorn import SSEParser
from untorn.deltas import (
    DeltaAssembler,
    EventLike,
    Finish,
    Message,
    ReasoningDelta,
    TextDelta,
    ToolCallStart,
    get_format,
)

ALL = cases(*LLM_FILES)
WRONG: list[Any] = [None, 7, -1, 1.5, True, "", "x", "\ud83d", [], [None], {}, {"a": 1}, [{}]]
REPLACED = "a call's final arguments differ from those that were streamed"
CUTS = 40  # mutations of each case


class Changed:
    """An event with other data; any object with ``data`` and ``event`` will do."""

    def __init__(self, data: str, event: str | None) -> None:
        self.data = data
        self.event = event


def events_of(case: Case) -> list[EventLike]:
    return [*SSEParser().feed(case.wire)]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Give the path of every key and item in a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in inner:
        yield (*path, key)
        if isinstance(item, (dict, list)):
            yield from places(item, (*path, key))


def changed(payload: Any, path: tuple[Any, ...], random: Random) -> Any:
    """Delete what stands at a path, or put something of another type there."""
    copy = json.loads(json.dumps(payload))
    holder = copy
    for step in path[:-1]:
        holder = holder[step]
    if random.random() < 0.4:
        del holder[path[-1]]
    else:
        holder[path[-1]] = random.choice(WRONG)
    return copy


def mutations(case: Case) -> Iterator[list[EventLike]]:
    """Give the case's events with one key of one payload deleted, nulled or retyped."""
    random = Random(case.name)
    events = events_of(case)
    spots = []
    for number, event in enumerate(events):
        try:
            payload = json.loads(event.data)
        except ValueError:
            continue
        if isinstance(payload, (dict, list)):
            spots += [(number, payload, path) for path in places(payload)]
    for number, payload, path in random.sample(spots, min(CUTS, len(spots))):
        data = json.dumps(changed(payload, path, random))
        yield [*events[:number], Changed(data, events[number].event), *events[number + 1 :]]


def check_text(message: Message) -> None:
    """All text that a message hands out can be encoded."""
    texts = [message.text, message.reasoning, message.refusal, *message.problems]
    texts += [part.text for part in message.parts]
    for call in (*message.tool_calls, *message.server_calls):
        texts += [call.arguments, call.name or "", call.id or ""]
    error = message.error
    for text in (*texts, message.id, message.model, message.finish_reason, error and error.message):
        (text or "").encode("utf-8")


@pytest.mark.parametrize("case", ALL, ids=str)
def test_no_payload_raises(case: Case) -> None:
    for events in mutations(case):
        assembler = DeltaAssembler(get_format(case.format))
        deltas = [delta for event in events for delta in assembler.feed(event)]
        deltas += assembler.close()
        check_text(assembler.message)
        check_sums(Run(assembler, deltas))


@pytest.mark.parametrize("case", ALL, ids=str)
def test_values_only_grow_over_the_prefixes(case: Case) -> None:
    assembler = DeltaAssembler(get_format(case.format))
    before = assembler.message
    for event in events_of(case):
        assembler.feed(event)
        message = assembler.message
        assert message.text.startswith(before.text)
        assert message.reasoning.startswith(before.reasoning)
        assert message.refusal.startswith(before.refusal)
        slots = {call.slot: call for call in (*message.tool_calls, *message.server_calls)}
        replaced = REPLACED in message.problems
        for call in () if replaced else (*before.tool_calls, *before.server_calls):
            assert slots[call.slot].arguments.startswith(call.arguments)
            assert call.id in (None, slots[call.slot].id)
            assert call.name in (None, slots[call.slot].name)
        before = message
    assembler.close()
    assert assembler.message.text.startswith(before.text)


def finishes_early(case: Case) -> bool:
    """Tell whether content follows a finish reason of its choice."""
    finished: set[int] = set()
    for delta in assemble(case.wire, case.format).deltas:
        if isinstance(delta, Finish):
            finished.add(delta.choice)
        elif (
            isinstance(delta, (TextDelta, ReasoningDelta, ToolCallStart))
            and delta.choice in finished
        ):
            return True
    return False


@pytest.mark.parametrize("case", ALL, ids=str)
def test_a_prefix_is_intact_only_where_the_end_was_seen(case: Case) -> None:
    """A stream that ends early keeps its text, and its calls cannot be run by mistake.

    But where a host puts a finish reason on every chunk: then nobody can see a cut.
    """
    events = events_of(case)
    end = SSEParser().close()
    whole = assemble(case.wire, case.format).message
    for count in range(len(events)):
        assembler = DeltaAssembler(get_format(case.format))
        for event in events[:count]:
            assembler.feed(event)
        assembler.close(end)
        message = assembler.message
        if message.intact and not finishes_early(case):
            assert (message.text, message.tool_calls) == (whole.text, whole.tool_calls)
        if message.outcome.value == "truncated" and not message.intact:
            open_calls = [call for call in message.tool_calls if not call.complete]
            for call in open_calls:
                with pytest.raises(ValueError, match="cannot be run"):
                    call.json()


@given(st.lists(st.text(st.characters(exclude_categories=())), max_size=8))
def test_halves_of_pairs_are_joined_over_deltas(pieces: list[str]) -> None:
    """Half of a pair may stand in each of two deltas; alone, it becomes U+FFFD."""
    lines = [sse(json.dumps(chat({"content": piece}))) for piece in pieces]
    run = assemble(b"".join(lines) + sse(chat(finish="stop"), "[DONE]"), "openai-chat")

    joined = "".join(pieces).encode("utf-16-le", "surrogatepass")
    whole = joined.decode("utf-16-le", "surrogatepass")
    halves = [character for character in whole if "\ud800" <= character <= "\udfff"]
    right = whole.translate(dict.fromkeys(map(ord, halves), "\ufffd"))
    assert run.text == run.message.text == right
    assert run.message.intact is not bool(halves)


def test_sums_hold_where_a_pair_is_cut_in_each_kind_of_text() -> None:
    halves = ("\ud83e", "\udd8a")
    deltas = [{"content": h, "reasoning": h, "refusal": h} for h in halves]
    calls = [
        {"tool_calls": [{"index": 0, "id": "c", "function": {"name": "f", "arguments": a}}]}
        for a in ('{"t":"\ud83e', '\udd8a"}')
    ]
    wire = b"".join(sse(json.dumps(chat(delta))) for delta in (*deltas, *calls))
    run = assemble(wire + sse("[DONE]"), "openai-chat")

    message = run.message
    assert (message.text, message.reasoning, message.refusal) == ("🦊", "🦊", "🦊")
    assert message.tool_calls[0].json() == {"t": "🦊"}
    assert message.intact
    check_sums(run)
