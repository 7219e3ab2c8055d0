"""Own what of a payload steers a reader and has to stay, and what is somebody's text.

In a JSON payload the structure, keys, literals, indexes, and the values that say what an event is
stay. Arguments of a call are JSON inside a text, cut anywhere: they are followed over events.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from ._scan import Scanner

# Keys whose values say what an event is; an id, a name or a model is none of these.
STEERING = frozenset(
    """type object event role finish_reason finishReason native_finish_reason stop_reason status
    state reason outcome blockReason jsonPath channel service_tier stop_sequence""".split()
)
INDEXES = frozenset(
    """index output_index content_index summary_index annotation_index command_index
    sequence_number""".split()
)
_IDENTITIES = ("index", "output_index", "item_id", "toolCallId")
_NESTED = frozenset({"arguments", "partial_json", "inputTextDelta"})
# Keys whose texts are JSON in payloads of some types alone.
_SOMETIMES = {
    "delta": ("response.function_call_arg", "response.mcp_call_arg", "tool_call_"),
    "input": ("tool-input-",),
}
_KEPT = ("[DONE]", "null")
_TOKEN = re.compile(r'"(?P<text>(?:[^"\\]|\\.)*)(?:"|$)|(?P<number>-?\d[-+.\deE]*)|.', re.DOTALL)
_CHARACTER = re.compile(r"\\u(?P<hex>[0-9a-fA-F]{4})|\\.|.", re.DOTALL)
_TAG = re.compile(r"</?!?[A-Za-z][\w-]*")

Substitute = Callable[[str], str]
# Who each piece of JSON inside a text belongs to: a place, and the id of a call.
Pieces = Iterator[tuple[Any, str] | None]


class Payloads:
    """Redact the payloads of one stream; each result has the length of what was given.

    Args:
        substitute: Gives the stand-in of a character, of the same number of bytes.
    """

    def __init__(self, substitute: Substitute) -> None:
        self._substitute = substitute
        self._scanners: dict[Any, tuple[str, Scanner]] = {}  # with the id of the call

    def payload(self, text: str) -> str:
        """Redact the data of an event, or a body that came without framing."""
        if text.lstrip()[:1] in ("{", "["):
            return text if text.strip() in _KEPT else self._json(text)
        return text if text.strip().strip('"') in _KEPT else self.plain(text)

    def plain(self, text: str) -> str:
        """Redact a text that is no JSON; the names of HTML tags stay."""
        shown = list(map(self._substitute, text))
        for tag in _TAG.finditer(text):
            shown[tag.start() : tag.end()] = tag[0]
        return "".join(shown)

    def _json(self, text: str) -> str:
        nested = _nested(text)
        objects: list[str | None] = []  # for each open container its key so far; None in a list
        keys = [""]  # the key that the current value has
        redacted = []
        for token in _TOKEN.finditer(text):
            whole = token[0]
            if token["text"] is not None and objects and objects[-1] == "":
                objects[-1] = keys[-1] = token["text"]
            elif token["text"] is not None:
                redacted.append(self._text(whole, token["text"], keys[-1], nested))
                continue
            elif token["number"] is not None and keys[-1] not in INDEXES:
                other = "".join(self._substitute(c) if c.isdigit() else c for c in whole)
                whole = other if _is_number(other) else whole
            elif whole in "{[":
                objects.append("" if whole == "{" else None)
                keys.append(keys[-1])
            elif whole in "}]" and objects:
                objects.pop()
                keys.pop()
            elif whole == "," and objects and objects[-1] is not None:
                objects[-1] = ""
            redacted.append(whole)
        return "".join(redacted)

    def _text(self, whole: str, text: str, key: str, nested: Pieces) -> str:
        scanner = None
        if key in _NESTED or key in _SOMETIMES:
            scanner = self._scanner(next(nested, None))
        if key in STEERING or text in _KEPT:
            return whole
        shown = [self._character(match, scanner) for match in _CHARACTER.finditer(text)]
        return '"' + "".join(shown) + whole[1 + len(text) :]

    def _scanner(self, piece: tuple[Any, str] | None) -> Scanner | None:
        """Give who follows the call that a piece belongs to; a new id is another call."""
        if piece is None:
            return None
        identity, id = piece
        known = self._scanners.get(identity)
        if known is None or (id and id != known[0]):
            known = self._scanners[identity] = id, Scanner()
        return known[1]

    def _character(self, match: re.Match[str], scanner: Scanner | None) -> str:
        """Redact one character of a text, which may be written as an escape."""
        raw = match[0]
        if match["hex"] is not None:
            meant = chr(int(match["hex"], 16))
        else:
            meant = raw if len(raw) == 1 else _MEANT.get(raw[1], raw[1])
        if scanner is not None and not scanner.may_change(meant):
            return raw
        if match["hex"] is not None:
            return f"\\u{ord(self._substitute(meant)):04x}" if meant.isalnum() else raw
        return self._substitute(raw) if len(raw) == 1 else raw


_MEANT = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}


def _nested(text: str) -> Pieces:
    """Give who each text is that holds a piece of JSON, in order; None for those that hold none."""
    try:
        return iter([*_walk(json.loads(text), (), (), "")])
    except (ValueError, RecursionError):
        return iter(())


def _walk(value: Any, path: tuple[str, ...], indexes: tuple[Any, ...], id: str) -> Pieces:
    if isinstance(value, list):
        for item in value:
            yield from _walk(item, path, indexes, id)
    elif isinstance(value, dict):
        own = (*indexes, *(repr(value[key]) for key in _IDENTITIES if key in value))
        id = str(value.get("id") or "") if path[-1:] == ("tool_calls",) else id
        kind = str(value.get("type")).lower()
        for key, item in value.items():
            if isinstance(item, str) and (key in _NESTED or key in _SOMETIMES):
                is_json = key in _NESTED or kind.startswith(_SOMETIMES[key])
                yield (((*path, key), own), id) if is_json else None
            else:
                yield from _walk(item, (*path, key), own, id)


def _is_number(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
