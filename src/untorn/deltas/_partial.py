"""Own a JSON text that comes in pieces: what may come next, and where it stops being JSON.

A machine with one state; the value that grows is in ``_growing``, scalars are in ``_scalars``.
There is no recursion, so depth costs nothing. Every character is looked at once: strings and
numbers gather their pieces, and only a cut escape or literal is held back, a dozen characters at
most. The grammar is that of RFC 8259 and of ``json.loads``, NaN and Infinity included.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Any, Literal

from .._errors import ParserClosedError, UntornError
from ._growing import GrowingValue
from ._scalars import BadScalarError, literal, number, unescaped

MAX_DEPTH = 1_000  # about as deep as json.loads goes by default

_SPACES = " \t\n\r"
_SPACE = re.compile(r"[ \t\n\r]*")
_PLAIN = re.compile(r'[^"\\\x00-\x1f]*')
_NUMERIC = re.compile(r"[-+.0-9eE]*")


class State(Enum):
    """What may come next."""

    VALUE = "a value"
    FIRST_ITEM = "a value or ]"
    FIRST_KEY = "a key or }"
    KEY = "a key"
    COLON = "a colon"
    MORE = "a comma or the end of the array or object"
    STRING = "the rest of a string"
    NUMBER = "the rest of a number"
    END = "the end of the text"


# A member of an Enum is looked up on its class, a name of the module is not: 0.6 of the time.
VALUE, FIRST_ITEM, FIRST_KEY, KEY, COLON, MORE, STRING, NUMBER, END = State


class PartialJSONError(UntornError, ValueError):
    """Report where a text stops being JSON.

    Args:
        offset: Where the character, escape or literal that cannot be begins, in characters.
        reason: What is wrong there.
    """

    def __init__(self, offset: int, reason: str) -> None:
        super().__init__(offset, reason)
        self.offset = offset
        self.reason = reason

    def __str__(self) -> str:
        return f"not JSON at character {self.offset}: {self.reason}"


class PartialJSON:
    """Read a JSON text piece by piece, and show the best value so far.

    A cut escape, a cut number and a cut literal are held back until they are whole. Feeding costs
    time linear in the text, however it is cut, and asking for ``value`` costs what came since the
    last time (on CPython, while nobody keeps an open string that it gave).

    Args:
        open_strings: "keep" shows the string that is still open as far as it came; "drop" shows it
            once it is closed. An open key is never shown.
        max_depth: How deep containers may nest.

    Example:
        >>> from untorn.deltas import PartialJSON
        >>> arguments = PartialJSON()
        >>> arguments.feed('{"city": "Pa')
        >>> arguments.value
        {'city': 'Pa'}
        >>> arguments.feed('ris", "days": 1')
        >>> arguments.value, arguments.complete
        ({'city': 'Paris'}, False)
        >>> arguments.feed('4}')
        >>> arguments.close(), arguments.complete
        ({'city': 'Paris', 'days': 14}, True)
    """

    def __init__(
        self, *, open_strings: Literal["keep", "drop"] = "keep", max_depth: int = MAX_DEPTH
    ) -> None:
        if open_strings not in ("keep", "drop"):
            raise ValueError(f'open_strings must be "keep" or "drop", not {open_strings!r}')
        self._keep = open_strings == "keep"
        self._max_depth = max_depth
        self._state = VALUE
        self._growing = GrowingValue()
        self._is_key = False  # of the open string
        self._held = ""
        self._offset = 0  # of the first character that is held
        self._failure: PartialJSONError | None = None
        self._closed = False

    def feed(self, text: str) -> None:
        """Take the next piece of the text.

        Raises:
            PartialJSONError: It is not JSON. ``value`` is as of the fault, and every later call
                raises an equal error.
            ParserClosedError: After ``close()``.
            TypeError: It is not text.
        """
        if self._failure is not None:
            raise PartialJSONError(self._failure.offset, self._failure.reason)
        if self._closed:
            raise ParserClosedError
        if not isinstance(text, str):
            raise TypeError(f"feed() takes text, not {type(text).__name__}")
        # A piece of a string and no more is most of what comes: 0.8 of the time. By match(), since
        # fullmatch() goes back over all that a quote or an escape ends.
        plain = _PLAIN.match(text) if self._state is STRING and text and not self._held else None
        if plain is not None and plain.end() == len(text):
            self._growing.pieces.append(text)
            self._offset += len(text)
            return
        data = self._held + text
        position = 0
        try:
            while position < len(data):
                after = self._step(data, position)
                if after is None:
                    break
                position = after
        except BadScalarError as error:
            raise self._fail(self._offset + error.position, error.reason) from None
        self._held = data[position:]
        self._offset += position

    def close(self) -> Any:
        """Say that no more text comes, and give the value; an incomplete text is no error.

        Raises:
            PartialJSONError: The last number is none.
        """
        if self._failure is None and not self._closed and self._state is NUMBER:
            self._end_number(self._offset, followed=False)
        self._closed = True
        return self.value

    @property
    def complete(self) -> bool:
        """Whether a whole value has come; a bare number is whole once the text is closed."""
        return self._state is END and self._failure is None

    @property
    def value(self) -> Any:
        """The best value so far, ``NOTHING`` before any came.

        It is the value that grows with what is fed: copy it to keep a state of it.
        """
        if self._state is STRING and self._keep and not self._is_key:
            self._growing.show_open_string()
        return self._growing.root

    def _step(self, data: str, position: int) -> int | None:
        """Read one token; give where it ends, or None where it may go on."""
        state = self._state
        if state is STRING:
            return self._string(data, position)
        if state is NUMBER:
            return self._number(data, position)
        character = data[position]
        if character in _SPACES:
            space = _SPACE.match(data, position)
            return space.end() if space is not None else position
        if state is VALUE or state is FIRST_ITEM:
            return self._value(data, position, character)
        if state is MORE:
            return self._after_item(position, character)
        if state is KEY or state is FIRST_KEY:
            return self._before_key(position, character)
        if state is COLON and character == ":":
            self._state = VALUE
            return position + 1
        raise self._expected(position)

    def _value(self, data: str, position: int, character: str) -> int | None:
        if character == '"':
            self._state, self._is_key = STRING, False
        elif character == "{":
            self._open({}, FIRST_KEY, position)
        elif character == "[":
            self._open([], FIRST_ITEM, position)
        elif character == "]" and self._state is FIRST_ITEM:
            self._end_container()
        elif character in "-0123456789" and data[position : position + 2] not in ("-", "-I"):
            self._state = NUMBER
            return position
        else:
            return self._literal(data, position)
        return position + 1

    def _literal(self, data: str, position: int) -> int | None:
        try:
            found = literal(data, position)
        except BadScalarError:
            raise self._expected(position) from None
        if found is None:
            return None
        self._growing.put(found[1])
        self._end_item()
        return position + len(found[0])

    def _before_key(self, position: int, character: str) -> int:
        if character == '"':
            self._state, self._is_key = STRING, True
        elif character == "}" and self._state is FIRST_KEY:
            self._end_container()
        else:
            raise self._expected(position)
        return position + 1

    def _after_item(self, position: int, character: str) -> int:
        is_object = self._growing.in_object
        if character == ",":
            self._state = KEY if is_object else VALUE
        elif character == ("}" if is_object else "]"):
            self._end_container()
        else:
            raise self._expected(position)
        return position + 1

    def _string(self, data: str, position: int) -> int | None:
        plain = _PLAIN.match(data, position)
        end = plain.end() if plain is not None else position
        if end > position:
            self._growing.pieces.append(data[position:end])
        if end == len(data):
            return end
        if data[end] == '"':
            if self._is_key:
                self._growing.end_key()
                self._state = COLON
            else:
                self._growing.end_string()
                self._end_item()
            return end + 1
        if data[end] != "\\":
            raise BadScalarError(end, "a control character in a string")
        found = unescaped(data, end)
        if found is None:
            # What came before the cut escape is taken; from the escape on, it is held back.
            return None if end == position else end
        self._growing.pieces.append(found[1])
        return found[0]

    def _number(self, data: str, position: int) -> int:
        numeric = _NUMERIC.match(data, position)
        end = numeric.end() if numeric is not None else position
        self._growing.pieces.append(data[position:end])
        if end < len(data):
            self._end_number(self._offset + end, followed=True)
        return end

    def _end_number(self, end: int, *, followed: bool) -> None:
        """Take the number that ends before ``end``, if it is whole and nothing more can come.

        At the end of the text that is so for a bare number; inside a container the text is cut, and
        maybe the number too.
        """
        text = "".join(self._growing.pieces)
        try:
            found = number(text, whole=followed or not self._growing.depth)
        except BadScalarError as error:
            raise self._fail(end - len(text) + error.position, error.reason) from None
        if found is not None:
            self._growing.pieces.clear()
            self._growing.put(found)
            self._end_item()
        elif followed:
            raise self._fail(end, "a number that is cut short")

    def _open(self, container: dict[str, Any] | list[Any], state: State, position: int) -> None:
        if self._growing.depth == self._max_depth:
            raise BadScalarError(position, f"nested deeper than {self._max_depth:,}")
        self._growing.open(container)
        self._state = state

    def _end_container(self) -> None:
        self._growing.end_container()
        self._end_item()

    def _end_item(self) -> None:
        self._state = MORE if self._growing.depth else END

    def _expected(self, position: int) -> BadScalarError:
        return BadScalarError(position, f"expected {self._state.value}")

    def _fail(self, offset: int, reason: str) -> PartialJSONError:
        self._failure = PartialJSONError(offset, reason)
        return self._failure
