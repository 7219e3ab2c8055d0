"""Own where one is in a JSON text that comes in pieces: in a key, a text, a number, or between.

Unlike ``untorn.deltas.PartialJSON`` this gives no value and refuses nothing: it says what may be
changed without changing the structure. It goes on where it stopped, so that the arguments of a call
can be followed over deltas.
"""

from __future__ import annotations


class Scanner:
    """Follow one JSON text character by character."""

    __slots__ = ("_escaped", "_expects_key", "_hex", "_in_string", "_is_key", "_objects")

    def __init__(self) -> None:
        self._objects: list[bool] = []  # for each open container, whether it is an object
        self._expects_key = False
        self._in_string = False
        self._is_key = False
        self._escaped = False
        self._hex = 0  # digits of an escape that are still to come

    def may_change(self, character: str) -> bool:
        """Take the next character; tell whether it may be another one: in texts and numbers."""
        if self._in_string:
            return self._inside(character)
        if character == '"':
            self._in_string = True
            self._is_key = self._expects_key
        elif character in "{[":
            self._objects.append(character == "{")
            self._expects_key = character == "{"
        elif character in "}]":
            if self._objects:
                self._objects.pop()
            self._expects_key = False
        elif character in ",:":
            self._expects_key = character == "," and self._objects[-1:] == [True]
        # What is no number and no letter of true, false, null or 1E9 is a text that is no JSON.
        return character.isdigit() or (character.isalpha() and character not in "truefalsnE")

    def _inside(self, character: str) -> bool:
        if self._hex:
            self._hex -= 1
        elif self._escaped:
            self._escaped = False
            self._hex = 4 if character == "u" else 0
        elif character == "\\":
            self._escaped = True
        elif character == '"':
            self._in_string = False
        else:
            return not self._is_key
        return False
