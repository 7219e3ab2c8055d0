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
        pieces: Of the open string or number, since the string was last shown.
    """

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self._top: list[Any] = []  # so that the value itself has a place as well
        self._stack: list[dict[str, Any] | list[Any]] = [self._top]
        self._key = ""
        self._shown: str | None = None  # the open string, as far as it stands in the value

    @property
    def root(self) -> Any:
        """The value so far."""
        return self._top[0] if self._top else NOTHING

    @property
    def depth(self) -> int:
        """How many containers are open."""
        return len(self._stack) - 1

    @property
    def in_object(self) -> bool:
        """Whether the innermost open container is an object."""
        return isinstance(self._stack[-1], dict)

    def put(self, value: Any) -> None:
        """Set a value in its place."""
        container = self._stack[-1]
        if isinstance(container, dict):
            container[self._key] = value
        else:
            container.append(value)

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
        container: Any = self._stack[-1]
        key = self._key if isinstance(container, dict) else -1
        whole = self._shown
        if whole is None:
            whole = ""
            self.put(whole)
        # With no other reference to the string CPython lengthens it in place, so that showing it
        # after each of many small pieces does not copy all that came before.
        self._shown, container[key] = None, ""
        whole += "".join(self.pieces)
        self.pieces.clear()
        self._shown = container[key] = whole
