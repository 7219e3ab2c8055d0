"""Own how text from a peer is shown: one line, and nothing that a terminal would obey."""

from __future__ import annotations

import re

# Controls of ASCII and Latin-1, line and paragraph separators, and those that turn the direction
# of what follows: a peer could hide or forge output with them. Joiners stay: emoji need them.
_COMMANDS = re.compile(
    "[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]"
)
_OBEYED = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f]")


def escaped(text: str) -> str:
    r"""Write control characters as escapes.

    Example:
        >>> print(escaped("a\x1b[2Jb\n"))
        a\x1b[2Jb\n
    """
    return _COMMANDS.sub(lambda match: repr(match[0])[1:-1], text)


def printable(text: str) -> str:
    r"""Write what a terminal would obey as escapes, but for line ends and tabs: a text as such.

    Marks of direction stay as well: an Arabic or Hebrew answer needs them.
    """
    return _OBEYED.sub(lambda match: repr(match[0])[1:-1], text)


def quoted(text: str, most: int = 60) -> str:
    """Put text in quotation marks, cut to so many characters."""
    cut = text if len(text) <= most else text[:most] + "…"
    # Or else a peer could end the quotation and write fields of its own behind it.
    bare = cut.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped(bare)}"'


def counted(number: int, noun: str) -> str:
    """Give a number and its noun."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
