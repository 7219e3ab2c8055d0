"""Own the value that grows while a JSON text comes; knows nothing of the text's grammar."""

from __future__ import annotations

from enum import Enum
from typing import Any, Final


class Nothing(Enum):
    """The type of ``NOTHING``: no value has come yet, which None, a value of JSON, cannot say."""

    NOTHING = "NOTHING"

    def __repr__(self) -> str:
        return self.value

    __str__ = __repr__


NOTHING: Final = Nothing.NOTHING


class GrowingValue:
    """Build a value out of what a reader finds, the open string included.

    Attributes:
        root: The value so far.
        pieces: Of the open string or number, since the string was last shown.
    """

    def __init__(self) -> None:
        self.root: Any = NOTHING
        self.pieces: list[str] = []
        self._stack: list[dict[str, Any] | list[Any]] = []
        self._key = ""
        self._shown: str | None = None  # the open string, as far as it stands in the value

    @property
    def depth(self) -> int:
        """How many containers are open."""
        return len(self._stack)

    @property
    def in_object(self) -> bool:
        """Whether the innermost open container is an object."""
        return isinstance(self._stack[-1], dict)

    def put(self, value: Any, *, again: bool = False) -> None:
        """Set a value in its place; ``again`` where the place holds an earlier state of it."""
        if not self._stack:
            self.root = value
        elif isinstance(self._stack[-1], dict):
            self._stack[-1][self._key] = value
        elif again:
            self._stack[-1][-1] = value
        else:
            self._stack[-1].append(value)

    def open(self, container: dict[str, Any] | list[Any]) -> None:
        """Put a container in its place and go on inside it."""
        self.put(container)
        self._stack.append(container)

    def end_container(self) -> None:
        """Go on behind the innermost container."""
        self._stack.pop()

    def end_key(self) -> None:
        """Take the open string for the key of what comes next."""
        self._key = "".join(self.pieces)
        self.pieces.clear()

    def end_string(self) -> None:
        """Take the open string for a whole value."""
        self.show_open_string()
        self._shown = None

    def show_open_string(self) -> None:
        """Set the open string in its place, as far as it came."""
        again = self._shown is not None
        whole = self._shown or ""
        # With no other reference to the string CPython lengthens it in place, so that showing it
        # after each of many small pieces does not copy all that came before.
        self._shown = None
        self.put("", again=again)
        whole += "".join(self.pieces)
        self.pieces.clear()
        self._shown = whole
        self.put(whole, again=True)
