"""Own the verdict: what ended the stream, whether anything was lost, and the message as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from typing import Any

from .._end import StreamEnd
from ._fold import NO_ANSWER, Fold
from ._message import Choice, Message, Outcome, Part, ToolCall
from ._parts import CallState, ChoiceState
from ._register import Register, Slot
from ._types import ErrorUpdate


class Closing:
    """Hold what ``close()`` was told and found."""

    __slots__ = ("cancelled", "closed", "end", "failed", "tail_used", "unread")

    def __init__(self) -> None:
        self.closed = False
        self.end: StreamEnd | None = None
        self.cancelled = False
        self.failed = False  # the source raised
        self.tail_used = False
        self.unread = False  # a body that is no event stream, or a format that nothing told


class Verdict:
    """Judge the state of a stream."""

    __slots__ = ("closing", "fold")

    def __init__(self, fold: Fold, closing: Closing) -> None:
        self.fold, self.closing = fold, closing

    @property
    def register(self) -> Register:
        """The register of the stream."""
        return self.fold.register

    def message(self) -> Message:
        """Give the message as it is now."""
        fold, register = self.fold, self.register
        calls = self._calls()
        indexes = sorted({*fold.choices, *register.choices})
        choices = tuple(self._choice(index, calls.get(index, [])) for index in indexes)
        first = next((choice for choice in choices if choice.index == 0), Choice(0))
        ended_by = self._ended_by()
        outcome = self._outcome(ended_by)
        return Message(
            text=first.text,
            reasoning=first.reasoning,
            refusal=first.refusal,
            tool_calls=first.tool_calls,
            server_calls=first.server_calls,
            finish_reason=first.finish_reason,
            usage=copy(fold.usage),
            choices=choices,
            id=register.id,
            model=register.model,
            parts=tuple(self._parts()),
            outcome=outcome,
            ended_by=ended_by,
            tail_used=self.closing.tail_used,
            error=fold.error or (ErrorUpdate(NO_ANSWER) if fold.no_answer else None),
            problems=(*register.damages, *register.problems, *self._found()),
            intact=self._is_intact(outcome),
            shortened=first.shortened,
        )

    def _is_finished(self) -> bool:
        seen = {*self.fold.choices, *self.register.choices}
        return bool(seen) and seen <= self.register.finished

    def _ended_by(self) -> str | None:
        rule, marker = self.register.rule, self.fold.marker
        strict = self.register.options.strict
        finished = self._is_finished()
        if marker is not None and not self.fold.no_answer:
            return None if strict and rule.finish_precedes and not finished else marker.signal
        if finished and rule.finish_ends and not (strict and rule.marker_follows):
            return "finish reason"
        return "close" if rule.close_ends and self._closed_cleanly() else None

    def _closed_cleanly(self) -> bool:
        closing = self.closing
        if closing.end is None or closing.cancelled or closing.failed:
            return False
        return closing.end.tail is None and self.register.started

    def _outcome(self, ended_by: str | None) -> Outcome:
        marker = self.fold.marker
        if self.fold.error is not None:
            return Outcome.PROVIDER_ERROR
        if ended_by is not None and not self.closing.unread:
            said = marker is not None and marker.cancelled
            return Outcome.CANCELLED if said else Outcome.COMPLETED
        return Outcome.CANCELLED if self.closing.cancelled else Outcome.TRUNCATED

    def _is_intact(self, outcome: Outcome) -> bool:
        # Where a format has an end signal of its own after the finish reason, and that alone is
        # missing, the outcome says so, and yet nothing of the answer is.
        whole = outcome is Outcome.COMPLETED or (
            outcome is Outcome.TRUNCATED
            and self._is_finished()
            and not (self.register.rule.finish_ends or self.register.options.strict)
            and not (self.closing.unread or self.closing.failed or self.closing.cancelled)
        )
        return whole and not (
            self.register.damages
            or self._is_misread()
            or any(text.lone or text.half for text in self.fold.texts.values())
            or not all(_can_be_run(call) and not call.lone for call in self.fold.calls.values())
        )

    def _is_misread(self) -> bool:
        """Tell whether characters were lost between the server and here, or may have been."""
        end, seen = self.closing.end, self.fold.replacement_seen
        if end is None:
            return seen
        # What lies behind the end marker is nobody's loss.
        return end.replacements > 0 and (seen or self.fold.marker is None)

    def _found(self) -> Iterator[str]:
        """Say what is wrong with the texts and calls as they are now, once no more comes."""
        fold, closing = self.fold, self.closing
        for call in fold.calls.values():
            if closing.closed and not _can_be_run(call):
                lacks = "is incomplete" if not call.complete else "has no name"
                yield f"the call of {call.name!r} {lacks}" if call.name else f"a call {lacks}"
        if any(text.lone for text in (*fold.texts.values(), *fold.calls.values())):
            yield "half of a surrogate pair never got its other half: it is U+FFFD now"
        if closing.end is not None and closing.end.replacements:
            count = closing.end.replacements
            where = "one place" if count == 1 else f"{count:,} places"
            yield f"the bytes were not UTF-8 in {where}: U+FFFD stands there now"
        elif fold.replacement_seen and closing.closed:
            whose = "the server sent it" if closing.end else "and nothing tells who put it there"
            yield f"U+FFFD is in the text: {whose}"

    def _choice(self, index: int, calls: list[CallState]) -> Choice:
        state = self.fold.choices.get(index) or ChoiceState()
        return Choice(
            index=index,
            text=str(state.text),
            reasoning=str(state.reasoning),
            refusal=str(state.refusal),
            tool_calls=tuple(self._call(call) for call in calls if not call.server),
            server_calls=tuple(self._call(call) for call in calls if call.server),
            finish_reason=state.finish,
            shortened=self.register.is_shortened(state.finish),
        )

    def _call(self, call: CallState) -> ToolCall:
        return call.snapshot(shown=self.register.shown_arguments(call.slot))

    def _calls(self) -> dict[int, list[CallState]]:
        """Give the calls of each choice, in the provider's order."""
        order = {slot.number: slot.order for slot in self.register.slots}
        calls: dict[int, list[CallState]] = {}
        for call in sorted(
            self.fold.calls.values(), key=lambda call: (order.get(call.slot, ()), call.slot)
        ):
            calls.setdefault(call.choice, []).append(call)
        return calls

    def _parts(self) -> list[Part]:
        parts = [Part(t.kind, t.slot, str(t), t.choice) for t in self.fold.texts.values()]
        parts += [Part("tool_call", c.slot, str(c), c.choice) for c in self.fold.calls.values()]
        slots = {slot.number: slot for slot in self.register.slots}
        silent = set(slots) - {part.slot for part in parts}
        parts += [_silent(slots[number]) for number in silent if slots[number].metadata]

        def place(part: Part) -> tuple[int, tuple[int, ...], int]:
            slot = slots.get(part.slot)
            return part.choice, slot.order if slot else (part.slot,), part.slot

        placed = sorted((part for part in parts if part.text or part.slot in slots), key=place)
        parts = [
            replace(part, metadata=_joined(slots[part.slot].metadata))
            if part.slot in slots
            else part
            for part in placed
        ]
        about = _joined(self.register.about)
        return [*parts, Part("other", len(slots), "", metadata=about)] if about else parts


def _can_be_run(call: CallState) -> bool:
    return call.complete and (call.server or call.name is not None)


def _silent(slot: Slot) -> Part:
    return Part(slot.kind, slot.number, "", slot.choice)


def _joined(metadata: dict[str, Any]) -> dict[str, Any]:
    return {
        key: value.snapshot() if hasattr(value, "snapshot") else copy(value)
        for key, value in metadata.items()
    }
