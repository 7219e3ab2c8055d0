"""Own what is known of a stream beside its deltas: slots, choices, names, what ends it, limits.

A slot is the number of a part, given in order of first appearance. Providers' indexes and ids are
keys of a mapping here, never sizes: an index of 999,999,999 takes one entry.

What is for the package alone, and always loaded, is no dataclass: to make one takes 0.7 ms, and six
of them took 3 of the 24 ms in which ``untorn.deltas`` was imported (CPython 3.11).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple, Protocol

from ._faults import AssemblyLimitError
from ._growing import NOTHING
from ._halves import clean, mended
from ._message import PartKind
from ._types import EventLike

MAX_SLOTS = 10_000
MAX_CHOICES = 1_024
MAX_ARGUMENT_CHARS = 64 * 1024 * 1024


class Options(NamedTuple):
    """Hold what the caller chose.

    Args:
        strict: Whether leniencies are off.
        loads: What to parse payloads with before ``json.loads``, if not that alone.
        max_slots: How many parts a stream may have.
        max_choices: How many answers.
        max_argument_chars: How much argument text, over all calls, in characters.
    """

    strict: bool = False
    loads: Callable[[str], Any] | None = None
    max_slots: int = MAX_SLOTS
    max_choices: int = MAX_CHOICES
    max_argument_chars: int = MAX_ARGUMENT_CHARS


class EndRule(NamedTuple):
    """Say what ends a stream of a format.

    Args:
        finish_ends: A finish reason on every choice that was seen is an end. Where it is not, an
            answer with all of them has lost nothing, but its end signal is missing.
        marker_follows: An end marker comes as well, and strict mode waits for it.
        finish_precedes: Strict mode wants a finish reason before the end marker.
        close_ends: There is no end signal: that the stream ends cleanly has to do.
        marker: The payload that is the end marker, where it is no JSON object.
        calls_end: Each call is ended on the wire: one that is left open, and empty, was cut.
        shortened: The finish reasons that say that the provider stopped early.
    """

    finish_ends: bool = True
    marker_follows: bool = False
    finish_precedes: bool = False
    close_ends: bool = False
    marker: str = "[DONE]"
    calls_end: bool = False
    shortened: frozenset[str] = frozenset()


class Slot:
    """Hold what is known of a part beside its text."""

    __slots__ = ("choice", "kind", "metadata", "number", "order")

    def __init__(self, number: int, kind: PartKind, choice: int, order: tuple[int, ...]) -> None:
        self.number: int = number
        self.kind: PartKind = kind
        self.choice: int = choice
        self.order: tuple[int, ...] = order
        self.metadata: dict[str, Any] = {}

    def append(self, key: str, value: Any) -> None:
        """Add to a list in the metadata; pieces of text are joined when they are read."""
        self.metadata.setdefault(key, []).append(value)


class Growing(Protocol):
    """A value in the metadata that grows, and is asked for when a message is."""

    def snapshot(self) -> Any:
        """Give the value as it is now, never to change again."""


class Pieces(list[str]):
    """A text in the metadata that comes in pieces."""

    def snapshot(self) -> str:
        """Give the text as it is now."""
        return mended("".join(self))[0]


class Register:
    """Keep the register of one stream."""

    __slots__ = (
        "_numbered",
        "_slots",
        "about",
        "choices",
        "damages",
        "event",
        "finished",
        "first",
        "id",
        "interrupted",
        "latest",
        "model",
        "options",
        "problems",
        "rule",
        "shortened",
        "started",
    )

    def __init__(self, options: Options) -> None:
        self.options: Options = options
        self.rule: EndRule = EndRule()
        self.event: EventLike | None = None  # the one that is being read
        self.first: EventLike | None = None  # of the stream: it may tell another format
        self.about: dict[str, Any] = {}  # metadata of no part, in the provider's words
        self.id: str | None = None
        self.model: str | None = None
        self.choices: set[int] = set()
        self.finished: set[int] = set()  # choices whose finish reason came, and nothing after it
        self.latest: int | None = None  # the slot of the block that came last, where one says so
        self.interrupted: bool = False  # what is open now was cut: a cancel, on the wire
        self.started: bool = False  # something of an answer came, if only its frame
        self.shortened: bool = False
        self.problems: list[str] = []
        self.damages: list[str] = []  # problems that mean a loss
        self._slots: dict[Hashable, Slot] = {}
        self._numbered: list[Slot] = []

    @property
    def slots(self) -> list[Slot]:
        """All slots, by number."""
        return list(self._numbered)

    @property
    def slot_count(self) -> int:
        """How many slots there are."""
        return len(self._numbered)

    def name(self, id: object, model: object) -> None:
        """Take the names of the response: the first of each that is not empty."""
        if self.id is None and isinstance(id, str) and id:
            self.id = clean(id)
        if self.model is None and isinstance(model, str) and model:
            self.model = clean(model)

    def choice(self, index: int) -> int:
        """Note that a choice was seen, and give its index."""
        if index not in self.choices:
            if len(self.choices) >= self.options.max_choices:
                raise AssemblyLimitError("max_choices", self.options.max_choices)
            self.choices.add(index)
        return index

    def known(self, kind: PartKind, key: Hashable) -> Slot | None:
        """Give the slot of a provider's key, if there is one."""
        return self._slots.get((kind, key))

    def slot(
        self,
        kind: PartKind,
        key: Hashable,
        *,
        choice: int = 0,
        order: tuple[int, ...] | None = None,
    ) -> Slot:
        """Give the slot of a provider's key; open it where it is new.

        Args:
            kind: The kind of part.
            key: Whatever identifies the part in this format.
            choice: Which answer it belongs to.
            order: Where the provider puts it among the parts; as it appears, by default.
        """
        slot = self._slots.get((kind, key))
        if slot is None:
            number = len(self._numbered)
            if number >= self.options.max_slots:
                raise AssemblyLimitError("max_slots", self.options.max_slots)
            slot = Slot(number, kind, self.choice(choice), (number,) if order is None else order)
            self._slots[kind, key] = slot
            self._numbered.append(slot)
        return slot

    def is_shortened(self, reason: str | None) -> bool:
        """Tell whether the provider stopped early, if this is a choice's finish reason."""
        return self.shortened or reason in self.rule.shortened

    def shown_arguments(self, slot: int) -> Any:
        """Give the arguments of a call that have no text yet, as Vertex streams them."""
        known = self._numbered[slot] if 0 <= slot < len(self._numbered) else None
        growing = None if known is None else known.metadata.get("partialArgs")
        return NOTHING if growing is None else growing.snapshot()

    def problem(self, text: str, *, damage: bool = False) -> None:
        """Note what is worth knowing; once, however often it happens."""
        notes = self.damages if damage else self.problems
        if text not in notes and len(notes) < 100:
            notes.append(text)
