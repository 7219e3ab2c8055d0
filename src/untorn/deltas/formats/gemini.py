"""Read Gemini's streamGenerateContent, as its own API and Vertex AI send it with ``alt=sse``.

Each event is a whole response of which everything is optional. Text is a delta, usage a snapshot,
a call comes whole, but for Vertex's streamed arguments. There is no end signal but the finish
reason, which may come early: parts after it open the stream again.

Source: Google's API reference, "models.streamGenerateContent"; Vertex AI, "FunctionCall".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .._faults import AssemblyLimitError
from .._format import JSONFormat
from .._payload import PayloadReader
from .._register import EndRule, Register, Slot
from .._types import (
    Delta,
    ErrorUpdate,
    Finish,
    ReasoningDelta,
    TextDelta,
    ToolCallDelta,
    ToolCallEnd,
    ToolCallStart,
    UsageUpdate,
)
from ._get import compact, mapping, number, objects, text
from ._json_path import BadPathError, PathArguments

SHORTENED = frozenset(
    {
        "MAX_TOKENS",
        "SAFETY",
        "RECITATION",
        "LANGUAGE",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
        "MALFORMED_FUNCTION_CALL",
        "UNEXPECTED_TOOL_CALL",
        "TOO_MANY_TOOL_CALLS",
        "MISSING_THOUGHT_SIGNATURE",
        "MODEL_ARMOR",
        "NO_IMAGE",
        "IMAGE_SAFETY",
        "IMAGE_PROHIBITED_CONTENT",
        "IMAGE_RECITATION",
        "IMAGE_OTHER",
        "OTHER",
    }
)
_ABOUT = ("finishMessage", "groundingMetadata", "citationMetadata", "urlContextMetadata")


@dataclass(slots=True)
class _Candidate:
    """What is open in one candidate."""

    index: int
    part: Slot | None = None  # the text or thought that goes on
    call: Slot | None = None  # the call whose arguments go on
    arguments: PathArguments = field(default_factory=PathArguments)
    payload: Any = None


class GenerateContentReader:
    """Read the responses of one stream."""

    def __init__(self, register: Register) -> None:
        self._register = register
        self._candidates: dict[int, _Candidate] = {}
        self._opened = 0
        self._chars = 0

    def __call__(self, payload: dict[str, Any], name: str) -> Iterator[Delta]:
        """Give the deltas of a response."""
        register = self._register
        register.name(payload.get("responseId"), payload.get("modelVersion"))
        unnumbered = 0
        for position, item in enumerate(objects(payload.get("candidates"))):
            register.started = True
            told = number(item.get("index"))
            # An index of 0 may be left out; a second candidate without one is another.
            index = register.choice(told if told is not None else position if unnumbered else 0)
            unnumbered += told is None
            candidate = self._candidates.setdefault(index, _Candidate(index))
            candidate.payload = payload
            yield from self._candidate(candidate, item)
        if mapping(payload.get("usageMetadata")):
            yield UsageUpdate(payload["usageMetadata"], payload)
        reason = text(mapping(payload.get("promptFeedback")).get("blockReason"))
        if reason:
            yield ErrorUpdate(f"blocked: {reason}", reason, payload["promptFeedback"])

    def _candidate(self, candidate: _Candidate, item: dict[str, Any]) -> Iterator[Delta]:
        for part in objects(mapping(item.get("content")).get("parts")):
            yield from self._part(candidate, part)
        for key in _ABOUT:
            if item.get(key) is not None:
                about = ("about", candidate.index)
                slot = self._register.slot("other", about, choice=candidate.index, order=(1 << 62,))
                slot.metadata[key] = item[key]
        reason = text(item.get("finishReason"))
        if reason and reason != "FINISH_REASON_UNSPECIFIED":
            yield from self._end_call(candidate, cut=reason in SHORTENED)
            yield Finish(reason, candidate.index, candidate.payload)

    def _part(self, candidate: _Candidate, part: dict[str, Any]) -> Iterator[Delta]:
        call = part.get("functionCall")
        slot: Slot | None
        if isinstance(call, dict):
            yield from self._function_call(candidate, call)
            slot = candidate.call or candidate.part
        elif isinstance(part.get("text"), str):
            yield from self._text(candidate, part)
            slot = candidate.part
        else:
            yield from self._other(candidate, part)
            slot = candidate.part
        if slot is not None and text(part.get("thoughtSignature")):
            slot.metadata["thoughtSignature"] = part["thoughtSignature"]

    def _text(self, candidate: _Candidate, part: dict[str, Any]) -> Iterator[Delta]:
        kind = "reasoning" if part.get("thought") is True else "text"
        words: str = part["text"]
        if not words and not text(part.get("thoughtSignature")):
            return
        if words:
            yield from self._end_call(candidate)
        signed = bool(text(part.get("thoughtSignature")))
        if self._is_other(candidate.part, kind, signed=signed):
            candidate.part = self._open(candidate, kind)
        slot = candidate.part
        assert slot is not None
        if words and kind == "text":
            yield TextDelta(words, candidate.index, slot.number, candidate.payload)
        elif words:
            yield ReasoningDelta(words, candidate.index, slot.number, raw=candidate.payload)

    def _is_other(self, part: Slot | None, kind: str, *, signed: bool) -> bool:
        """Tell whether a text begins another part: each may be signed once."""
        return part is None or part.kind != kind or (signed and "thoughtSignature" in part.metadata)

    def _function_call(self, candidate: _Candidate, call: dict[str, Any]) -> Iterator[Delta]:
        name = text(call.get("name"))
        slot = candidate.call
        if name or slot is None:
            if not name and call.get("args") is None and not call.get("partialArgs"):
                return  # the end of a call that is over
            yield from self._end_call(candidate)
            candidate.call = candidate.part = slot = self._open(candidate, "tool_call")
            # There is no text of them yet, and somebody may want to show them.
            candidate.arguments = slot.metadata["partialArgs"] = PathArguments()
            yield ToolCallStart(
                slot.number,
                text(call.get("id")) or None,
                name or None,
                candidate.index,
                raw=candidate.payload,
            )
        self._put(candidate.arguments, call)
        if call.get("willContinue") is not True:
            yield from self._end_call(candidate)

    def _put(self, arguments: PathArguments, call: dict[str, Any]) -> None:
        if call.get("args") is not None:
            arguments.take(call["args"])
        for piece in objects(call.get("partialArgs")):
            try:
                self._chars += arguments.put(piece)
            except BadPathError as error:
                arguments.is_damaged = True
                self._register.problem(f"streamed arguments: {error}", damage=True)
        limit = self._register.options.max_argument_chars
        if self._chars > limit:
            raise AssemblyLimitError("max_argument_chars", limit)

    def _end_call(self, candidate: _Candidate, *, cut: bool = False) -> Iterator[Delta]:
        slot, candidate.call = candidate.call, None
        if slot is not None:
            slot.metadata.pop("partialArgs", None)
            arguments = candidate.arguments
            whole = compact(arguments.snapshot())
            complete = not (cut or arguments.is_open or arguments.is_damaged)
            yield ToolCallEnd(slot.number, whole, complete, candidate.payload)

    def _other(self, candidate: _Candidate, part: dict[str, Any]) -> Iterator[Delta]:
        code = mapping(part.get("executableCode"))
        kept = {k: v for k, v in part.items() if k not in ("thoughtSignature", "thought")}
        if not kept:
            if candidate.part is None:
                candidate.part = self._open(candidate, "other")
            return
        self._register.finished.discard(candidate.index)  # it was not the end, then
        if not code:
            candidate.part = self._open(candidate, "other")
            candidate.part.metadata.update(kept)
            return
        candidate.part = slot = self._open(candidate, "tool_call")
        slot.metadata.update(kept)
        yield ToolCallStart(
            slot.number,
            name="executableCode",
            choice=candidate.index,
            server=True,
            custom=True,
            raw=candidate.payload,
        )
        yield ToolCallDelta(slot.number, text(code.get("code")), candidate.payload)
        yield ToolCallEnd(slot.number, raw=candidate.payload)

    def _open(self, candidate: _Candidate, kind: Any) -> Slot:
        self._opened += 1
        return self._register.slot(kind, self._opened, choice=candidate.index)


def _read(register: Register) -> PayloadReader:
    return GenerateContentReader(register)


GEMINI = JSONFormat("gemini", EndRule(calls_end=True, shortened=SHORTENED), _read)
