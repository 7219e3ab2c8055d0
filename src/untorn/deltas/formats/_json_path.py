"""Own arguments that come as values at paths, as Vertex streams them: ``$.rows[0].name``.

No JSON text is on the wire, so there is none to append to: the object is built here, and written
when the call ends.
"""

from __future__ import annotations

import re
from copy import deepcopy
from itertools import pairwise
from typing import Any

from ._get import text

MAX_PATH = 100  # steps

_STEP = re.compile(r"""\.?([^.\[\]'"$]+)|\[(\d{1,9})\]|\[(?:'([^']*)'|"([^"]*)")\]""")
_VALUES = ("stringValue", "numberValue", "boolValue")


class BadPathError(Exception):
    """A path that cannot be followed; no module but this one and ``gemini`` sees it."""


class PathArguments:
    """Build the arguments of one call."""

    __slots__ = ("_open", "_value", "is_damaged")

    def __init__(self) -> None:
        self._value: Any = {}
        # Texts that go on, by their path. Until then their pieces stand in their place.
        self._open: dict[tuple[str | int, ...], list[str]] = {}
        self.is_damaged = False  # a piece could not be entered

    @property
    def is_open(self) -> bool:
        """Whether a text was to go on."""
        return bool(self._open)

    def snapshot(self) -> Any:
        """Give the arguments as they are now, never to change again."""
        standing = [(steps, self._holder(steps), p) for steps, p in self._open.items()]
        standing = [each for each in standing if _at(each[1], each[0][-1]) is each[2]]
        for steps, holder, pieces in standing:
            pieces[:] = ["".join(pieces)]
            _set(holder, steps[-1], pieces[0])
        value = deepcopy(self._value)
        for steps, holder, pieces in standing:
            _set(holder, steps[-1], pieces)
        return value

    def take(self, whole: Any) -> None:
        """Take arguments that came as one value."""
        if isinstance(whole, dict) and isinstance(self._value, dict):
            self._value.update(deepcopy(whole))
        else:
            self._value = deepcopy(whole)

    def put(self, piece: dict[str, Any]) -> int:
        """Enter one of ``partialArgs``; give how many characters it took.

        Raises:
            BadPathError: The path is none, or leads past what is there, or there is no value.
        """
        steps = _steps(text(piece.get("jsonPath")))
        key = next((name for name in _VALUES if piece.get(name) is not None), None)
        if key is None and "nullValue" not in piece:
            raise BadPathError("a piece has no value of a known kind")
        value: Any = None if key is None else piece[key]
        holder = self._holder(steps)
        pieces = self._open.pop(steps, None)
        spent = len(text(piece.get("jsonPath")))
        if not isinstance(value, str):
            _set(holder, steps[-1], value)
            return spent
        if pieces is None or _at(holder, steps[-1]) is not pieces:
            pieces = []  # what stood there was replaced meanwhile, if anything did
        pieces.append(value)
        goes_on = piece.get("willContinue") is True
        _set(holder, steps[-1], pieces if goes_on else "".join(pieces))
        if goes_on:
            self._open[steps] = pieces
        return spent + len(value)

    def _holder(self, steps: tuple[str | int, ...]) -> Any:
        """Give the object or list that holds the last step; make those on the way."""
        if not isinstance(self._value, dict):
            raise BadPathError("a path leads through a value")
        holder: Any = self._value
        for step, following in pairwise(steps):
            inner = _at(holder, step)
            if not isinstance(inner, dict if isinstance(following, str) else list):
                if inner is not None:
                    raise BadPathError("a path leads through a value")
                inner = {} if isinstance(following, str) else []
                _set(holder, step, inner)
            holder = inner
        return holder


def _steps(path: str) -> tuple[str | int, ...]:
    steps: list[str | int] = []
    position = 1
    while path.startswith("$") and position < len(path) and len(steps) < MAX_PATH:
        match = _STEP.match(path, position)
        if match is None:
            break
        name, index, single, double = match.groups()
        steps.append(int(index) if index is not None else name or single or double or "")
        position = match.end()
    if not steps or position < len(path) or isinstance(steps[0], int):
        raise BadPathError("a path cannot be read")
    return tuple(steps)


def _at(holder: Any, step: str | int) -> Any:
    if isinstance(holder, dict):
        return holder.get(step)
    return holder[step] if isinstance(step, int) and step < len(holder) else None


def _set(holder: Any, step: str | int, value: Any) -> None:
    if isinstance(holder, dict) or (isinstance(step, int) and step < len(holder)):
        holder[step] = value
    elif step == len(holder):
        holder.append(value)  # never further: an index of 999,999,999 allocates nothing
    else:
        raise BadPathError("a path leads past the end of a list")
