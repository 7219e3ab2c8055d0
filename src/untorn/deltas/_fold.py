"""Own how deltas add up: each is checked, mended and entered into the state of the message.

What a reader gives may be uneven: halves of characters, ends that repeat themselves, calls that
nothing ends. What goes out adds up: the texts of the deltas of a choice are the message's text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ._faults import AssemblyLimitError
from ._halves import clean, mended, rest_of
from ._message import PartKind
from ._parts import CallState, ChoiceState, TextState, is_same
from ._register import Register
from ._types import (
    BadPayload,
    Delta,
    EndMarker,
    ErrorUpdate,
    Finish,
    ReasoningDelta,
    RefusalDelta,
    TextDelta,
    ToolCallDelta,
    ToolCallEnd,
    ToolCallStart,
    UsageUpdate,
)

NO_ANSWER = "no chunk before the end marker"
_KINDS: dict[type, PartKind] = {
    TextDelta: "text",
    ReasoningDelta: "reasoning",
    RefusalDelta: "refusal",
}


class Fold:
    """Add up the deltas of one stream."""

    def __init__(self, register: Register) -> None:
        self.register = register
        self.choices: dict[int, ChoiceState] = {}
        self.texts: dict[tuple[PartKind, int, int], TextState] = {}
        self.calls: dict[int, CallState] = {}
        self.usage: dict[str, Any] | None = None
        self.error: ErrorUpdate | None = None
        self.marker: EndMarker | None = None
        self.no_answer = False  # the end marker came, and nothing before it
        self.replacement_seen = False  # U+FFFD in what came; whose it is, only the end can tell
        self._chars_left = register.options.max_argument_chars
        self._folds: dict[type, Callable[[Any, list[Delta]], None]] = {
            **dict.fromkeys(_KINDS, self._grow),
            ToolCallStart: self._start,
            ToolCallDelta: self._arguments,
            ToolCallEnd: self._end,
            UsageUpdate: self._usage,
            Finish: self._finish,
            ErrorUpdate: self._error,
            EndMarker: self._end_marker,
            BadPayload: self._bad,
        }

    @property
    def is_empty(self) -> bool:
        """Whether nothing came that is of an answer in this format, nor an error."""
        return not (self.register.started or self.choices or self.calls or self.error)

    def add(self, delta: Delta, out: list[Delta]) -> None:
        """Enter a delta, and put what it comes to into ``out``: often itself, sometimes nothing."""
        fold = self._folds.get(type(delta))
        if fold is None:
            raise TypeError(f"a reader gives deltas, not {type(delta).__name__}")
        fold(delta, out)

    def close(self, out: list[Delta]) -> None:
        """Give what was held back, when nothing more comes."""
        for part in self.texts.values():
            if part.half:
                self._append(part, _delta_of(part), part.give_up_half(), out)
        for index in sorted(self.register.finished & self.choices.keys()):
            self._end_calls(index, self.choices[index].finish, out)
        for call in self.calls.values():
            self._settle(call, out)

    def choice(self, index: int) -> ChoiceState:
        """Give the state of a choice."""
        state = self.choices.get(index)
        if state is None:
            state = self.choices[self.register.choice(index)] = ChoiceState()
        return state

    def _grow(self, delta: TextDelta | ReasoningDelta | RefusalDelta, out: list[Delta]) -> None:
        text, key = delta.text, (_KINDS[type(delta)], delta.choice, delta.slot)
        part = self.texts.get(key)
        if part is None:
            self._limit_slots()
            part = self.texts[key] = TextState(*key)
        if text:
            choice = self.choices.get(delta.choice) or self.choice(delta.choice)
            choice.last_call = None
            if self.register.finished:
                self.register.finished.discard(delta.choice)
            if part.half or not text.isascii():
                self._note_replacement(text)
                text = part.admit(text)
            self._append(part, delta, text, out)

    def _append(
        self,
        part: TextState,
        delta: TextDelta | ReasoningDelta | RefusalDelta,
        text: str,
        out: list[Delta],
    ) -> None:
        if not text:
            return
        if part.total is None:
            part.total = self.choice(part.choice).sum_of(part.kind)
        part.pieces.append(text)
        part.total.pieces.append(text)
        out.append(delta if delta.text is text else replace(delta, text=text))

    def _start(self, delta: ToolCallStart, out: list[Delta]) -> None:
        call = self.calls.get(delta.slot)
        news = call is None
        if call is None:
            self._limit_slots()
            call = CallState(delta.slot, delta.choice, server=delta.server, custom=delta.custom)
            self.calls[delta.slot] = call
            self._touch(call)
        if call.id is None and delta.id:
            call.id, news = clean(delta.id), True
        if call.name is None and delta.name:
            call.name, news = clean(delta.name), True
        if (delta.server, delta.custom) > (call.server, call.custom):
            call.server, call.custom = call.server or delta.server, call.custom or delta.custom
            news = True
        if news:
            out.append(replace(delta, id=call.id, name=call.name))

    def _arguments(self, delta: ToolCallDelta, out: list[Delta]) -> None:
        call, text = self.calls.get(delta.slot), delta.text
        if call is None:
            self._start(ToolCallStart(delta.slot, raw=delta.raw), out)
            call = self.calls[delta.slot]
        if not text:
            return
        self._count(len(text))
        state = self.choices.get(call.choice)
        goes_on = state is not None and state.last_call is call and call.slot in state.touched
        if not goes_on or call.ended or self.register.finished:
            self._touch(call)
            call.ended = call.complete = False
        if not (call.pieces and text.isascii()) or call.half or call.placeholder:
            self._note_replacement(text)
            text = call.admit(text)
        if text:
            call.pieces.append(text)
            out.append(delta if delta.text is text else replace(delta, text=text))

    def _end(self, delta: ToolCallEnd, out: list[Delta]) -> None:
        if delta.slot not in self.calls:
            self._start(ToolCallStart(delta.slot, raw=delta.raw), out)
        call = self.calls[delta.slot]
        if call.ended and (call.complete <= delta.complete) and not delta.arguments:
            return
        changed = self._finalise(call, delta.arguments, out)
        complete = delta.complete and call.is_whole()
        if changed or not call.ended or complete is not call.complete:
            call.ended, call.complete = True, complete
            self.choice(call.choice).open_calls.pop(call.slot, None)
            out.append(replace(delta, arguments=str(call), complete=complete))

    def _finalise(self, call: CallState, final: str, out: list[Delta]) -> bool:
        """Bring what was streamed to the provider's final word; tell whether that differed."""
        if final:
            call.placeholder = ""
        rest = rest_of(str(call), call.half, final)
        if call.half and rest is not None:
            self._arguments(ToolCallDelta(call.slot, rest), out)
        self._settle(call, out)
        streamed = str(call)
        if final in ("", streamed) or is_same(final, streamed):
            return False
        if final.startswith(streamed):
            self._arguments(ToolCallDelta(call.slot, final[len(streamed) :]), out)
            self._settle(call, out)
            return True
        self._count(len(final))
        final, lone = mended(final)
        call.replace(final)
        call.lone += lone
        self.register.problem("a call's final arguments differ from those that were streamed")
        return True

    def _settle(self, call: CallState, out: list[Delta]) -> None:
        text = call.settle()
        if text:
            call.pieces.append(text)
            out.append(ToolCallDelta(call.slot, text))

    def _end_calls(
        self, choice: int, reason: str | None, out: list[Delta], *, over: bool = True
    ) -> None:
        """End what the provider left open, in a choice that is finished.

        A limit that struck before the first argument leaves a call that looks like one without
        any, and one that struck in free text leaves what looks like a whole one.
        """
        state = self.choice(choice)
        stopped = self.error is not None or self.register.interrupted
        shortened = self.register.is_shortened(reason)
        cut = self._cut_call(state) if shortened else None
        calls = list((state.open_calls if over else state.touched).values())
        state.touched.clear()
        for call in calls:
            if call.ended or not (over or call.may_be_whole()):
                continue  # a finish reason need not be the last word
            left = self.register.rule.calls_end and (call.is_empty() or call.custom)
            complete = not (stopped or left or call is cut or (shortened and call.custom))
            self._end(ToolCallEnd(call.slot, complete=complete), out)
        if cut is not None and cut.complete:  # it was ended as if it had no arguments
            self._end(ToolCallEnd(cut.slot, complete=False), out)

    def _cut_call(self, choice: ChoiceState) -> CallState | None:
        """Give the call that a limit cut, though it looks whole: the last thing that came."""
        last = choice.last_call
        if last is None or self.register.latest not in (None, last.slot):
            return None
        return last if last.is_empty() else None

    def _usage(self, delta: UsageUpdate, out: list[Delta]) -> None:
        self.usage = {**delta.usage}
        out.append(delta)

    def _finish(self, delta: Finish, out: list[Delta]) -> None:
        choice = self.choice(delta.choice)
        self._end_calls(delta.choice, delta.reason, out, over=False)
        choice.finish = clean(delta.reason)
        self.register.finished.add(delta.choice)
        out.append(replace(delta, reason=choice.finish))

    def _error(self, delta: ErrorUpdate, out: list[Delta]) -> None:
        code = clean(delta.code) if isinstance(delta.code, str) else delta.code
        delta = replace(delta, message=clean(delta.message), code=code)
        if self.error is None:
            self.error = delta
        out.append(delta)

    def _end_marker(self, delta: EndMarker, out: list[Delta]) -> None:
        if self.marker is not None:
            return
        self.marker = delta
        self.register.interrupted |= delta.cancelled
        if self.is_empty:
            self.no_answer = True
            self.register.problem(NO_ANSWER, damage=True)
        for index, choice in self.choices.items():
            self._end_calls(index, choice.finish, out)
        out.append(delta)

    def _bad(self, delta: BadPayload, out: list[Delta]) -> None:
        shown = delta.event.data[:80]
        self.register.problem(
            f"a payload could not be read ({delta.reason}): {shown!r}", damage=True
        )
        out.append(delta)

    def _touch(self, call: CallState) -> None:
        choice = self.choices.get(call.choice) or self.choice(call.choice)
        if self.register.finished:
            self.register.finished.discard(call.choice)
        choice.last_call = call
        choice.open_calls[call.slot] = choice.touched[call.slot] = call

    def _count(self, chars: int) -> None:
        self._chars_left -= chars
        if self._chars_left < 0:
            limit = self.register.options.max_argument_chars
            raise AssemblyLimitError("max_argument_chars", limit)

    def _limit_slots(self) -> None:
        if len(self.texts) + len(self.calls) >= self.register.options.max_slots:
            raise AssemblyLimitError("max_slots", self.register.options.max_slots)

    def _note_replacement(self, text: str) -> None:
        if not text.isascii() and "\ufffd" in text:
            self.replacement_seen = True


def _delta_of(part: TextState) -> TextDelta | ReasoningDelta | RefusalDelta:
    if part.kind == "text":
        return TextDelta("", part.choice, part.slot)
    if part.kind == "reasoning":
        return ReasoningDelta("", part.choice, part.slot)
    return RefusalDelta("", part.choice, part.slot)
