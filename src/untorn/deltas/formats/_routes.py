"""Own which call a piece of a chat stream belongs to: by id, else by index, never by position.

Hosts leave out the index, the id or both, repeat them, or give every call the index 0. The order
of these rules is the one that reads all of them right; no rule changes a stream that conforms.
"""

from __future__ import annotations

from dataclasses import dataclass

from .._register import Slot


@dataclass(slots=True)
class Route:
    """Hold what is known of a call, to tell its pieces."""

    slot: Slot
    id: str = ""
    name: str = ""
    has_arguments: bool = False


class Routes:
    """Tell the calls of one choice apart."""

    __slots__ = ("_by_id", "_by_index", "_group", "_last", "_top", "opened")

    def __init__(self) -> None:
        self.opened = 0
        self._group = 0
        self._top = 0
        self._by_id: dict[str, Route] = {}
        self._by_index: dict[int, Route] = {}
        self._last: Route | None = None

    def find(self, id: str, index: int | None, name: str) -> Route | None:
        """Give the call that a piece belongs to; None where it opens one.

        Args:
            id: The piece's id; "" where it has none.
            index: Its index, if it has one.
            name: Its name; "" where it has none.
        """
        if id:
            return self._by_id.get(id) or self._of_new_id(index, named=bool(name))
        found = self._last if index is None else self._by_index.get(index)
        if found is None or not name:
            return found
        # A name without an id opens a call, if the open one has arguments, or is of another tool.
        is_other = bool(found.name) and found.name != name
        return None if is_other or (index is None and found.has_arguments) else found

    def note(self, route: Route, id: str, index: int | None) -> None:
        """Remember how a piece named its call."""
        if id:
            route.id = id
            self._by_id[id] = route
        if index is not None:
            self._by_index[index] = route
        self._last = route

    def next_place(self, slot_number: int, index: int | None) -> tuple[int, int]:
        """Give the place of a new call among the parts: with the first call, by index.

        Args:
            slot_number: The number that its slot is going to have.
            index: Its index; a call that has none comes after those that are there.
        """
        if not self.opened:
            self._group = slot_number
        self.opened += 1
        place = self._top if index is None else index
        self._top = max(self._top, place)
        return self._group, place

    def _of_new_id(self, index: int | None, *, named: bool) -> Route | None:
        taken = None if index is None else self._by_index.get(index)
        # An index that a call with another id has is free for a new one, if it brings a name:
        # Ollama gives the index 0 to all of them.
        return None if taken is not None and taken.id and named else taken
