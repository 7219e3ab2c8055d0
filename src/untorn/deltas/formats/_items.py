"""Own the items of a Responses stream: where each stands, what of it was streamed, what is new."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from .._faults import AssemblyLimitError
from .._halves import mended, rest_of, split_half
from .._made import arguments_delta, reasoning_delta, text_delta
from .._register import Register, Slot
from .._types import (
    Delta,
    RefusalDelta,
    ToolCallEnd,
    ToolCallStart,
)
from ._get import compact, mapping, number, text

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


class OpenPart:
    """A part that grows, and how an event named it.

    Args:
        payload: The event's.
        kind: Of the part.
        slot: Of the part.
        place: The key of the item that it is in.
    """

    __slots__ = ("_index", "_item", "_key", "_output", "_type", "kind", "place", "slot")

    def __init__(self, payload: dict[str, Any], kind: str, slot: Slot, place: int | str) -> None:
        self.kind = kind
        self.slot = slot
        self.place = place
        self._type = payload.get("type")
        self._item = payload.get("item_id")
        self._output = payload.get("output_index")
        self._key = index_key(kind)
        self._index = payload.get(self._key)

    def is_named_by(self, payload: dict[str, Any]) -> bool:
        """Tell whether an event names this part, and in the same way."""
        named = payload.get
        return (
            named("type") == self._type
            and named("item_id") == self._item
            # Numbers by "is": True is equal to 1, and no index. A large one is looked up again.
            and named("output_index") is self._output
            and named(self._key) is self._index
        )


def index_key(kind: str) -> str:
    """Give the key under which an event has the index of a part within its item."""
    return "summary_index" if kind == "summary" else "content_index"


# Its type is equal to nothing that JSON has.
NO_PART = OpenPart({"type": object()}, "", Slot(-1, "other", 0, ()), -1)


class Items:
    """Keep the items of one stream."""

    def __init__(self, register: Register) -> None:
        self._register = register
        # By kind, item and index: the texts, and with index 0 the calls, that are open.
        self.parts: dict[tuple[str, int | str, int], Slot] = {}
        self._types: dict[int | str, str] = {}
        self._places: dict[str, int | str] = {}
        self._streamed: dict[int, list[str]] = {}
        self._announced: dict[int | str, str] = {}  # input that a call was announced with

    def place(self, payload: dict[str, Any]) -> int | str:
        """Give the key of the item that an event is about: its index, else what its id tells."""
        index, id = number(payload.get("output_index")), payload.get("item_id")
        if not id or type(id) is not str:
            id = text(mapping(payload.get("item")).get("id"))
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
        slot = self.parts.get((kind, place, index))
        if slot is None:
            of: Any = "reasoning" if kind == "summary" else kind
            self._types.setdefault(place, "reasoning" if of == "reasoning" else "message")
            slot = self._register.slot(of, (kind, place, index), order=_order(place, index))
            self.parts[kind, place, index] = slot
            self._streamed[slot.number] = [""]
        return slot

    def append(self, kind: str, slot: Slot, place: int | str, words: str, raw: Any) -> Delta:
        """Append words, at least one, to a part."""
        if kind == "tool_call":
            self._announced.pop(place, None)
            return arguments_delta(slot.number, words, raw)
        self._streamed[slot.number].append(words)
        if kind == "text":
            return text_delta(words, 0, slot.number, raw)
        if kind == "refusal":
            return RefusalDelta(words, 0, slot.number, raw)
        return reasoning_delta(words, 0, slot.number, raw, summary=kind == "summary")

    def grow(
        self, kind: str, place: int | str, index: int, words: str, raw: Any
    ) -> Iterator[Delta]:
        """Append a delta to a text."""
        if words:
            yield self.append(kind, self.slot(kind, place, index), place, words, raw)

    def fill(
        self, kind: str, place: int | str, index: int, whole: str, raw: Any
    ) -> Iterator[Delta]:
        """Compare a text with its snapshot: add what was not streamed."""
        if not whole:
            return
        slot = self.slot(kind, place, index)
        pieces = self._streamed[slot.number]
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
        self.parts["tool_call", place, 0] = slot
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
        if ("tool_call", place, 0) not in self.parts:
            yield from self.open_call(place, {"type": kind}, raw)
        slot = self.parts["tool_call", place, 0]
        if words:
            yield self.append("tool_call", slot, place, words, raw)

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
