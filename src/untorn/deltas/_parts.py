"""Own the growing state of a text, of a call and of a choice; know nothing of deltas' order."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from ._growing import NOTHING
from ._halves import has_surrogates, mended, split_half
from ._message import PartKind, ToolCall, has_lone_escape
from ._partial import PartialJSON, PartialJSONError

MAX_PARSED = 100  # times that a call's arguments are parsed before its end is known


class GrowingText:
    """A text that is appended to, and asked for now and then.

    Asking costs one copy; what was asked for is kept as one piece.
    """

    __slots__ = ("half", "lone", "pieces")

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.half = ""  # a high half of a surrogate pair that waits for its other one
        self.lone = 0  # halves that stayed alone, and are U+FFFD now

    def __str__(self) -> str:
        if len(self.pieces) > 1:
            self.pieces[:] = ["".join(self.pieces)]
        return self.pieces[0] if self.pieces else ""

    def admit(self, text: str) -> str:
        """Give what of a new piece can be handed out now; the caller appends it."""
        if not self.half and not has_surrogates(text):
            return text
        text, self.half = split_half(self.half + text)
        text, lone = mended(text)
        self.lone += lone
        return text

    def give_up_half(self) -> str:
        """Give U+FFFD for a half that waits in vain, else nothing."""
        if not self.half:
            return ""
        self.half = ""
        self.lone += 1
        return "\ufffd"


class TextState(GrowingText):
    """The text of one part."""

    __slots__ = ("choice", "kind", "slot", "total")

    def __init__(self, kind: PartKind, choice: int, slot: int) -> None:
        super().__init__()
        self.kind: PartKind = kind
        self.choice = choice
        self.slot = slot
        self.total: GrowingText | None = None  # that of its kind in its choice, once it has text


class CallState(GrowingText):
    """One tool call; its text is the raw arguments."""

    __slots__ = (
        "_fed",
        "_live",
        "_parsed",
        "choice",
        "complete",
        "custom",
        "ended",
        "id",
        "name",
        "placeholder",
        "server",
        "slot",
    )

    def __init__(self, slot: int, choice: int, *, server: bool, custom: bool) -> None:
        super().__init__()
        self.slot = slot
        self.choice = choice
        self.server = server
        self.custom = custom
        self.id: str | None = None
        self.name: str | None = None
        self.ended = False
        self.complete = False
        # Some bridges open a call with "{}" and then send the real object: a first piece that is
        # just that waits for the next one.
        self.placeholder = ""
        self._live: PartialJSON | None = None
        self._fed = 0
        self._parsed = 0

    def admit(self, text: str) -> str:
        """Give what of a new piece can be handed out now, a placeholder held back."""
        text = GrowingText.admit(self, text)
        if self.custom or (self.pieces and not self.placeholder):
            return text
        if not self.placeholder:
            if text == "{}":
                self.placeholder, text = text, ""
            return text
        if not text:
            return ""
        held, self.placeholder = self.placeholder, ""
        real = text != held and text.lstrip().startswith("{")
        return text if real else held + text

    def settle(self) -> str:
        """Give what was held back, when no more is to come."""
        rest, self.placeholder = self.placeholder + self.give_up_half(), ""
        return rest

    def is_empty(self) -> bool:
        """Tell whether no argument came, or nothing but a placeholder."""
        return all(not piece or piece.isspace() for piece in self.pieces)

    def may_be_whole(self) -> bool:
        """Tell, without parsing, whether the arguments may be all there.

        Some hosts give a finish reason with every piece: then parsing each time would be quadratic.
        """
        if self.custom or not self.pieces:
            return False
        return self._parsed < MAX_PARSED and self.pieces[-1].rstrip().endswith("}")

    def is_whole(self) -> bool:
        """Tell whether the arguments can be run with as they are."""
        if self.custom or self.is_empty():
            return True
        self._parsed += 1
        if self._parsed > MAX_PARSED:
            return False  # nobody ends a call so often
        value = parsed(str(self))
        if has_lone_escape(str(self), value):
            self.lone += 1
        return isinstance(value, dict)

    def replace(self, text: str) -> None:
        """Take the provider's final word in place of what was streamed."""
        self.pieces[:] = [text]
        self._live = None

    def snapshot(self, *, live: bool = False, shown: Any = NOTHING) -> ToolCall:
        """Give the call as it is.

        Args:
            live: Whether with a view of the arguments that grows on.
            shown: What is known of them, where they have no text yet.
        """
        if live and not self.custom and shown is NOTHING:
            shown = self._view()
        return ToolCall(
            slot=self.slot,
            id=self.id,
            name=self.name,
            arguments=str(self),
            complete=self.complete,
            server=self.server,
            custom=self.custom,
            _live=shown,
        )

    def _view(self) -> Any:
        # Feeds what came since the last time alone, so that asking after each delta stays linear.
        if self._live is None:
            self._live, self._fed = PartialJSON(), 0
        text = str(self)
        with suppress(PartialJSONError):  # the value before the fault is still worth showing
            self._live.feed(text[self._fed :])
        self._fed = len(text)
        return self._live.value


class ChoiceState:
    """One answer: the sums over its parts in the order of arrival, and how it finished."""

    __slots__ = ("finish", "last_call", "open_calls", "reasoning", "refusal", "text", "touched")

    def __init__(self) -> None:
        self.text = GrowingText()
        self.reasoning = GrowingText()
        self.refusal = GrowingText()
        self.finish: str | None = None
        self.open_calls: dict[int, CallState] = {}  # by slot; those that nothing has ended yet
        self.touched: dict[int, CallState] = {}  # those that grew since the last finish reason
        self.last_call: CallState | None = None  # the call that a limit would cut, if any

    def sum_of(self, kind: PartKind) -> GrowingText:
        """Give what all texts of a kind come to."""
        if kind == "text":
            return self.text
        return self.reasoning if kind == "reasoning" else self.refusal


def parsed(text: str) -> Any:
    """Give the value of a JSON text; None where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def is_same(first: str, second: str) -> bool:
    """Tell whether two JSON texts have the same value, written otherwise; 1 is not true."""
    values = parsed(first), parsed(second)
    try:
        if None in values or values[0] != values[1]:
            return False
        # To == 1, 1.0 and true are one; as texts, with numbers alike, they are two.
        floats = (json.loads(text, parse_int=float) for text in (first, second))
        written = [json.dumps(value, sort_keys=True) for value in floats]
    except RecursionError:
        return False
    return written[0] == written[1]
