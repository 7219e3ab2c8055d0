"""Own the arguments of calls: JSON inside texts, in pieces over events, cut anywhere.

The pieces of each call are put together before any of them is redacted, since a piece alone does
not tell what in it is a key, a literal such as ``true``, or an escape.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

_IDENTITIES = ("index", "output_index", "item_id", "toolCallId")
_NESTED = frozenset({"arguments", "partial_json", "inputTextDelta"})
# Keys whose texts are JSON in payloads of some types alone.
_SOMETIMES = {
    "delta": ("response.function_call_arg", "response.mcp_call_arg", "tool_call_"),
    "input": ("tool-input-",),
}
KEYS = _NESTED.union(_SOMETIMES)
# Most payloads hold no piece; those are not read twice.
_WRITTEN = re.compile(rf'"(?:{"|".join(sorted(KEYS))})"\s*:\s*"')

Redact = Callable[[str], str]
Piece = Callable[[], str]  # gives the piece redacted
Pieces = list[Piece | None]


class Call:
    """Hold the pieces of the arguments of one call.

    Args:
        id: The id it came with.
        redact: Redacts a text of the same length.
    """

    def __init__(self, id: str, redact: Redact) -> None:
        self.id = id
        self._redact = redact
        self._pieces: list[str] = []
        self._length = 0
        self._redacted: str | None = None

    def add(self, piece: str) -> Piece:
        """Add a piece; give what redacts it once all are there."""
        start = self._length
        self._pieces.append(piece)
        self._length += len(piece)
        return lambda: self._whole()[start : start + len(piece)]

    def _whole(self) -> str:
        if self._redacted is None:
            self._redacted = self._redact("".join(self._pieces))
        return self._redacted


class Arguments:
    """Follow all calls of a stream.

    Args:
        redact: Redacts the arguments of a call as a whole; gives a text of the same length.
    """

    def __init__(self, redact: Redact) -> None:
        self._redact = redact
        self._calls: dict[Any, Call] = {}

    def take(self, payload: str) -> Pieces:
        """Take the next payload.

        Args:
            payload: The data of an event.

        Returns:
            For each text under one of ``KEYS``, in order, what redacts it; None, where it is no
            piece of arguments. All payloads have to be taken before any of that is called.
        """
        if not _WRITTEN.search(payload):
            return []
        try:
            found = [*_walk(json.loads(payload, object_pairs_hook=_Object), (), (), "")]
        except (ValueError, RecursionError):
            return []
        return [piece and self._call(*piece[:2]).add(piece[2]) for piece in found]

    def _call(self, identity: Any, id: str) -> Call:
        """Give the call that a piece belongs to; a new id is another call."""
        known = self._calls.get(identity)
        if known is None or (id and id != known.id):
            known = self._calls[identity] = Call(id, self._redact)
        return known


class _Object(list[tuple[str, Any]]):
    """Hold the members of an object as they are written, also those of the same key."""


# The place of a text, the id of its call, and the text.
_Found = Iterator[tuple[Any, str, str] | None]


def _walk(value: Any, path: tuple[str, ...], own: tuple[Any, ...], id: str) -> _Found:
    if isinstance(value, _Object):
        members = dict(value)
        own = own + tuple(repr(members[key]) for key in _IDENTITIES if key in members)
        id = str(members.get("id") or "") if path[-1:] == ("tool_calls",) else id
        kind = str(members.get("type")).lower()
        for key, item in value:
            if isinstance(item, str) and key in KEYS:
                is_json = key in _NESTED or kind.startswith(_SOMETIMES[key])
                yield (((*path, key), own), id, item) if is_json else None
            else:
                yield from _walk(item, (*path, key), own, id)
    elif isinstance(value, list):
        for position, item in enumerate(value):
            # What has no index is told by where it stands, such as the calls of a whole response.
            named = isinstance(item, _Object) and any(key in _IDENTITIES for key, _ in item)
            yield from _walk(item, path, own if named else (*own, position), id)
