"""Read OpenAI's Responses stream: items and parts, each streamed, and repeated when it is done.

The type in the JSON counts, since gateways drop or reorder the event's name. Parts are keyed by
``output_index`` and the index within the item, since ids change under way (Copilot, LiteLLM).
Text is built from deltas; a snapshot (``.done``, and the terminal response) adds what was never
streamed, and never takes anything away: it may come too early, or empty.

Source: OpenAI's API reference, "Responses streaming events".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .._format import JSONFormat
from .._payload import PayloadReader
from .._register import EndRule, Pieces, Register
from .._reported import reported
from .._types import Delta, EndMarker, Finish, UsageUpdate
from ._get import mapping, number, objects, text
from ._items import CALL_TEXTS, NO_PART, Items, OpenPart, index_key

_TEXTS = {
    "response.output_text": ("text", "text"),
    "response.refusal": ("refusal", "refusal"),
    "response.reasoning_text": ("reasoning", "text"),
    "response.reasoning_summary_text": ("summary", "text"),
}
_CALLS = {
    "response.function_call_arguments": ("function_call", "arguments"),
    "response.custom_tool_call_input": ("custom_tool_call", "input"),
    "response.mcp_call_arguments": ("mcp_call", "arguments"),
    "response.code_interpreter_call_code": ("code_interpreter_call", "code"),
}
_PARTS = {
    "output_text": ("text", "text"),
    "refusal": ("refusal", "refusal"),
    "reasoning_text": ("reasoning", "text"),
}
_GROWN = {  # by the type of an event that appends: the kind of its part
    **{f"{stem}.delta": kind for stem, (kind, _) in _TEXTS.items()},
    **{f"{stem}.delta": "tool_call" for stem in _CALLS},
}
MAX_SEEN = 100_000  # events
_TERMINAL = ("response.completed", "response.incomplete", "response.failed", "response.cancelled")


class ResponsesReader:
    """Read the events of one stream."""

    def __init__(self, register: Register) -> None:
        self._register = register
        self._items = Items(register)
        self._last = NO_PART  # to which the event before appended
        self._seen: dict[int, int] = {}  # by sequence number, what came
        self._highest = -1
        self._is_replay = False  # numbers fell back, and have not risen above the highest since
        self._handlers: dict[str, Callable[[dict[str, Any]], Iterator[Delta]]] = {
            "response.output_item.added": self._item_added,
            "response.output_item.done": self._item_done,
            "response.content_part.done": self._part_done,
            "response.reasoning_summary_part.done": self._summary_done,
            "response.output_text.annotation.added": self._annotation,
            "response.audio.delta": self._audio,
            "response.audio.transcript.delta": self._audio,
            **dict.fromkeys(_TERMINAL, self._terminal),
        }

    def __call__(self, payload: dict[str, Any], name: str) -> Iterator[Delta]:
        """Give the deltas of an event."""
        self._last = NO_PART  # what is read here may give its names to another
        kind = text(payload.get("type")) or name
        if not kind.startswith("response.") or self._is_repeated(payload):
            return
        self._register.started = True
        response = mapping(payload.get("response"))
        self._register.name(response.get("id"), response.get("model"))
        handler = self._handlers.get(kind)
        if handler is not None:
            yield from handler({**payload, "type": kind})
            return
        stem, _, step = kind.rpartition(".")
        if stem in _TEXTS:
            yield from self._text(payload, *_TEXTS[stem], step)
        elif stem in _CALLS:
            yield from self._call(payload, *_CALLS[stem], step)

    def simple(self, payload: dict[str, Any]) -> Delta | None:
        """Give the delta of an event that only appends to a known part, as most events do."""
        words = payload.get("delta")
        if not words or type(words) is not str or "error" in payload or "response" in payload:
            return None
        part = self._last if self._last.is_named_by(payload) else self._known_part(payload)
        if part is None or self._is_repeated(payload):
            return None
        self._last = part
        return self._items.append(part.kind, part.slot, part.place, words, payload)

    def _known_part(self, payload: dict[str, Any]) -> OpenPart | None:
        kind = _GROWN.get(text(payload.get("type")))
        if kind is None:
            return None
        place = self._items.place(payload)
        index = number(payload.get(index_key(kind))) or 0
        slot = self._items.parts.get((kind, place, index))
        return None if slot is None else OpenPart(payload, kind, slot, place)

    def _is_repeated(self, payload: dict[str, Any]) -> bool:
        """Tell whether an event came before: a stream that was resumed may send some again.

        The number alone does not tell it, since there are hosts that send a constant one.
        """
        sequence = payload.get("sequence_number")
        sequence = sequence if type(sequence) is int else number(sequence)
        register = self._register
        if sequence is None or register.event is None:
            return False
        told = hash(register.event.data)
        if sequence < self._highest or (sequence == self._highest and self._is_replay):
            self._is_replay = True
            return self._seen.get(sequence) == told
        self._highest, self._is_replay = sequence, False
        self._seen[sequence] = told
        if len(self._seen) > MAX_SEEN:
            del self._seen[next(iter(self._seen))]
        register.about["sequence_number"] = sequence  # what to resume after
        return False

    def _text(self, payload: dict[str, Any], kind: str, key: str, step: str) -> Iterator[Delta]:
        place = self._items.place(payload), number(payload.get(index_key(kind))) or 0
        if step == "delta":
            yield from self._items.grow(kind, *place, text(payload.get("delta")), payload)
        elif step == "done":
            yield from self._items.fill(kind, *place, text(payload.get(key)), payload)

    def _call(self, payload: dict[str, Any], kind: str, key: str, step: str) -> Iterator[Delta]:
        place = self._items.place(payload)
        if step == "delta":
            yield from self._items.grow_call(kind, place, text(payload.get("delta")), payload)
        elif step == "done":
            item = {"type": kind, "name": payload.get("name"), key: payload.get(key)}
            yield from self._items.end_call(place, item, payload)

    def _item_added(self, payload: dict[str, Any]) -> Iterator[Delta]:
        item = mapping(payload.get("item"))
        place = self._items.place(payload)
        self._items.note(place, item)
        if text(item.get("type")) in CALL_TEXTS or text(item.get("type")).endswith("_call"):
            yield from self._items.open_call(place, item, payload)

    def _item_done(self, payload: dict[str, Any]) -> Iterator[Delta]:
        yield from self._whole(self._items.place(payload), mapping(payload.get("item")), payload)

    def _part_done(self, payload: dict[str, Any]) -> Iterator[Delta]:
        place = self._items.place(payload)
        index = number(payload.get("content_index")) or 0
        yield from self._part(place, index, mapping(payload.get("part")), payload)

    def _summary_done(self, payload: dict[str, Any]) -> Iterator[Delta]:
        index = number(payload.get("summary_index")) or 0
        words = text(mapping(payload.get("part")).get("text"))
        place = self._items.place(payload)
        yield from self._items.fill("summary", place, index, words, payload)

    def _part(
        self, place: int | str, index: int, part: dict[str, Any], payload: dict[str, Any]
    ) -> Iterator[Delta]:
        known = _PARTS.get(text(part.get("type")))
        if known is not None:
            kind, key = known
            yield from self._items.fill(kind, place, index, text(part.get(key)), payload)
            self._items.annotate(kind, place, index, objects(part.get("annotations")))

    def _whole(
        self, place: int | str, item: dict[str, Any], payload: dict[str, Any]
    ) -> Iterator[Delta]:
        """Take a whole item, done or in the terminal response: add what was never streamed."""
        kind = text(item.get("type"))
        self._items.note(place, item)
        if kind == "message":
            for index, part in enumerate(_list(item.get("content"))):
                yield from self._part(place, index, mapping(part), payload)
        elif kind == "reasoning":
            for index, part in enumerate(_list(item.get("summary"))):
                words = text(mapping(part).get("text"))
                yield from self._items.fill("summary", place, index, words, payload)
            for index, part in enumerate(_list(item.get("content"))):
                yield from self._part(place, index, mapping(part), payload)
            self._items.keep(place, item)
        elif kind in CALL_TEXTS or kind.endswith("_call"):
            yield from self._items.end_call(place, item, payload)
        elif kind:
            self._items.keep(place, item)

    def _annotation(self, payload: dict[str, Any]) -> Iterator[Delta]:
        index = number(payload.get("content_index")) or 0
        annotation = mapping(payload.get("annotation"))
        if annotation:
            slot = self._items.slot("text", self._items.place(payload), index)
            slot.append("annotations", annotation)
        yield from ()

    def _audio(self, payload: dict[str, Any]) -> Iterator[Delta]:
        key = "transcript" if "transcript" in text(payload.get("type")) else "data"
        if text(payload.get("delta")):
            metadata = self._register.slot("other", "audio").metadata
            metadata["type"] = "audio"
            metadata.setdefault(key, Pieces()).append(payload["delta"])
        yield from ()

    def _terminal(self, payload: dict[str, Any]) -> Iterator[Delta]:
        response = mapping(payload.get("response"))
        signal = text(payload.get("type"))
        output = [mapping(item) for item in _list(response.get("output"))]
        for place, item in self._items.places_in_output(output):
            yield from self._whole(place, item, payload)
        yield from self._items.end_untold(payload)
        if mapping(response.get("usage")):
            yield UsageUpdate(response["usage"], payload)
        status = text(response.get("status"))
        if f"response.{status}" not in _TERMINAL:
            status = signal.removeprefix("response.")
        error = reported({"error": response.get("error")})
        if error is None and status == "failed":
            error = reported({"error": "the response failed"})
        if error is not None:
            yield error
        self._register.shortened = status == "incomplete"
        reason = text(mapping(response.get("incomplete_details")).get("reason")) or status
        self._register.interrupted = status == "cancelled"
        yield Finish(reason, 0, payload)
        yield EndMarker(signal, status == "cancelled", payload)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _read(register: Register) -> PayloadReader:
    return ResponsesReader(register)


OPENAI_RESPONSES = JSONFormat(
    "openai-responses",
    EndRule(
        marker_follows=True,
        calls_end=True,
        shortened=frozenset({"max_output_tokens", "content_filter"}),
    ),
    _read,
)
