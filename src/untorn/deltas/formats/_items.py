"""Own the items of a Responses stream: where each stands, what of it was streamed, what is new."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from .._faults import AssemblyLimitError
from .._halves import mended, rest_of, split_half
from .._register import Register, Slot
from .._types import (
    Delta,
    ReasoningDelta,
    RefusalDelta,
    TextDelta,
    ToolCallDelta,
    ToolCallEnd,
    ToolCallStart,
)
from ._get import compact, number, text

# What a call's input is called in its item, and whether the provider runs it, and whether it is
# free text. Calls of other types are the provider's own.
CALL_TEXTS: dict[str, tuple[str, bool, bool]] = {
    "function_call": ("arguments", False, False),
    "custom_tool_call": ("input", False, True),
    "computer_call": ("action", False, False),
    "local_shell_call": ("action", False, False),
    "apply_patch_call": ("operation", False, False),
    "mcp_call": ("arguments", True, False),
    "code_interpreter_call": ("code", True, True),
}
_OTHER_CALL = ("action", True, False)


class Items:
    """Keep the items of one stream."""

    def __init__(self, register: Register) -> None:
        self._register = register
        self._types: dict[int | str, str] = {}
        self._places: dict[str, int | str] = {}
        self._streamed: dict[int, list[str]] = {}
        self._announced: dict[int | str, str] = {}  # input that a call was announced with

    def place(self, payload: dict[str, Any]) -> int | str:
        """Give the key of the item that an event is about: its index, else what its id tells."""
        index = number(payload.get("output_index"))
        item = payload.get("item")
        id = text(payload.get("item_id")) or text(item.get("id") if isinstance(item, dict) else "")
        known = self._places.get(id)
        if index is None:
            return self._places.setdefault(id, id) if known is None else known
        return known if isinstance(known, str) else index

    def places_in_output(
        self, output: list[dict[str, Any]]
    ) -> list[tuple[int | str, dict[str, Any]]]:
        """Give the key of each item in the terminal response, whose list may lack some.

        Items are told by their ids, else, since hosts change those under way, by their order among
        those of their type; what is over was never streamed. Where a type has fewer than were
        streamed, nobody can tell which, and nothing of them is new.
        """
        known = [self._known(item) for item in output]
        told = set(known)
        left: dict[str, list[int | str]] = {}  # by type, those that no id told
        for place, kind in self._types.items():
            if place not in told:
                left.setdefault(kind, []).append(place)
        types = [text(item.get("type")) for item in output]
        wanted = Counter(kind for kind, p in zip(types, known, strict=True) if p is None)
        found: list[tuple[int | str, dict[str, Any]]] = []
        for index, item in enumerate(output):
            place_known, kind = known[index], types[index]
            rest = left.get(kind, [])
            if place_known is not None:
                found.append((place_known, item))
            elif wanted[kind] >= len(rest):
                wanted[kind] -= 1
                found.append((rest.pop(0) if rest else self._free(index), item))
        return found

    def _free(self, index: int) -> int | str:
        return index if index not in self._types else f"output {index}"

    def _known(self, item: dict[str, Any]) -> int | str | None:
        for key in ("call_id", "id"):
            place = self._places.get(text(item.get(key)))
            if place is not None and self._types.get(place) == text(item.get("type")):
                return place
        return None

    def note(self, place: int | str, item: dict[str, Any]) -> None:
        """Remember where an item stands."""
        if text(item.get("type")):
            self._types[place] = item["type"]
        for key in ("id", "call_id"):
            if text(item.get(key)):
                self._places[item[key]] = place
        limit = self._register.options.max_slots
        if len(self._types) > limit or len(self._places) > 2 * limit:
            raise AssemblyLimitError("max_slots", limit)

    def keep(self, place: int | str, item: dict[str, Any]) -> None:
        """Keep an item that is more than its text: the next turn must send it back."""
        kind = text(item.get("type"))
        if kind == "reasoning":
            held = self._register.known("reasoning", ("summary", place, 0)) or self.slot(
                "reasoning", place, 0
            )
            for key in ("id", "encrypted_content"):
                if item.get(key) is not None:
                    held.metadata[key] = item[key]
            return
        slot = self._register.slot("other", place, order=_order(place, 0))
        slot.metadata.update(type=kind, item=item)

    def slot(self, kind: str, place: int | str, index: int) -> Slot:
        """Give the slot of a text in an item."""
        of: Any = "reasoning" if kind == "summary" else kind
        self._types.setdefault(place, "reasoning" if of == "reasoning" else "message")
        return self._register.slot(of, (kind, place, index), order=_order(place, index))

    def grow(
        self, kind: str, place: int | str, index: int, words: str, raw: Any
    ) -> Iterator[Delta]:
        """Append a delta to a text."""
        if words:
            slot = self.slot(kind, place, index)
            self._streamed.setdefault(slot.number, [""]).append(words)
            yield _delta(kind, slot.number, words, raw)

    def fill(
        self, kind: str, place: int | str, index: int, whole: str, raw: Any
    ) -> Iterator[Delta]:
        """Compare a text with its snapshot: add what was not streamed."""
        if not whole:
            return
        slot = self.slot(kind, place, index)
        pieces = self._streamed.setdefault(slot.number, [""])
        if len(whole) + len(pieces) < sum(map(len, pieces[:1])):
            return  # too short to have anything new
        if len(pieces) > 1:
            start, half = split_half("".join(pieces))
            pieces[:] = [mended(start)[0], *half]
        streamed, half = pieces[0], "".join(pieces[1:])
        whole = mended(whole)[0]
        rest = rest_of(streamed, half, whole)
        if rest is not None:
            yield from self.grow(kind, place, index, rest, raw)
        elif not streamed.startswith(whole):
            # What was handed out cannot be taken back.
            slot.metadata["snapshot"] = whole
            self._register.problem(
                "a text differs from the provider's own snapshot of it", damage=True
            )

    def annotate(self, kind: str, place: int | str, index: int, given: list[Any]) -> None:
        """Take the annotations of a snapshot, where it has more than were streamed."""
        if given and kind == "text":
            metadata = self.slot(kind, place, index).metadata
            metadata["annotations"] = max(given, metadata.get("annotations", []), key=len)

    def open_call(self, place: int | str, item: dict[str, Any], raw: Any) -> Iterator[Delta]:
        """Open a call, or fill in its id and name."""
        kind = text(item.get("type"))
        _, server, custom = CALL_TEXTS.get(kind, _OTHER_CALL)
        slot = self._register.slot("tool_call", place, order=_order(place, 0))
        slot.metadata["type"] = kind
        self._types.setdefault(place, kind)
        # To a call of the client's one answers with call_id; the provider's have only their item's.
        id = text(item.get("id" if server else "call_id"))
        name = text(item.get("name"))
        if not name and kind not in ("function_call", "custom_tool_call", "mcp_call"):
            name = kind
        if _input(item):
            self._announced[place] = _input(item)
        yield ToolCallStart(
            slot.number, id or None, name or None, server=server, custom=custom, raw=raw
        )

    def grow_call(self, kind: str, place: int | str, words: str, raw: Any) -> Iterator[Delta]:
        """Append a delta to the input of a call, which may never have been announced."""
        slot = self._register.known("tool_call", place)
        if slot is None:
            yield from self.open_call(place, {"type": kind}, raw)
            slot = self._register.slot("tool_call", place)
        if words:
            self._announced.pop(place, None)
            yield ToolCallDelta(slot.number, words, raw)

    def end_call(self, place: int | str, item: dict[str, Any], raw: Any) -> Iterator[Delta]:
        """End a call with its snapshot."""
        kind = text(item.get("type"))
        yield from self.open_call(place, item, raw)
        self._announced.pop(place, None)
        slot = self._register.slot("tool_call", place)
        if CALL_TEXTS.get(kind, _OTHER_CALL)[1] and "id" in item:
            slot.metadata["item"] = item  # with its results
        cut = item.get("status") == "incomplete"
        yield ToolCallEnd(slot.number, _input(item), complete=not cut, raw=raw)

    def end_untold(self, raw: Any) -> Iterator[Delta]:
        """End the calls of which nothing came but what they were announced with."""
        announced, self._announced = self._announced, {}
        for place, whole in announced.items():
            yield ToolCallEnd(self._register.slot("tool_call", place).number, whole, raw=raw)


def _input(item: dict[str, Any]) -> str:
    value = item.get(CALL_TEXTS.get(text(item.get("type")), _OTHER_CALL)[0])
    return compact(value) if isinstance(value, dict) else text(value)


def _order(place: int | str, index: int) -> tuple[int, int]:
    return (place, index) if isinstance(place, int) else (1 << 61, index)


def _delta(kind: str, slot: int, words: str, raw: Any) -> Delta:
    if kind == "text":
        return TextDelta(words, 0, slot, raw)
    if kind == "refusal":
        return RefusalDelta(words, 0, slot, raw)
    return ReasoningDelta(words, 0, slot, kind == "summary", raw)
