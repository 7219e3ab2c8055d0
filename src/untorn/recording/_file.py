r"""Own the file of a recording: lines of text that people can read and compare.

The first line is ``untorn recording 1``, the version being that of this form. Each read is a line
``@ SECONDS text BYTES`` or ``@ SECONDS hex BYTES`` and lines that begin with ``|``, which hold what
was read. As text it is whole UTF-8, a line for each of its lines, where ``\n`` and ``\r`` stand for
line ends, ``\\`` for a backslash, ``\s`` for a space at the end of a line, and ``\u{1B}`` for what
would not show. All else, such as a read that ends inside a character, is in hex. Lines that begin
with ``#`` are remarks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .._errors import UntornError
from ._read import Read

MAGIC = "untorn recording 1"
STARTS = b"untorn recording "
_VERSION = re.compile(r"untorn recording (\d{1,9})")
_HEAD = re.compile(r"@ (\d{1,12}\.\d{6}) (text|hex) (\d{1,18})")
_HEX_BYTES = 32  # to a line
_LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_ESCAPE = re.compile(r"\\(?:([nrs\\])|u\{([0-9A-F]{1,6})\}|(.?))")
_SHORT = {"\n": "\\n", "\r": "\\r", "\\": "\\\\"}
_MEANT = {"n": "\n", "r": "\r", "\\": "\\", "s": " "}


class RecordingError(UntornError, ValueError):
    """Report a file that is no recording, or a damaged one.

    Args:
        line: The number of the line, from 1.
        reason: What is wrong with it.
    """

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(line, reason)
        self.line = line
        self.reason = reason

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


def is_recording(start: bytes) -> bool:
    """Tell whether a file that starts so is a recording, of whatever version."""
    return start.startswith(STARTS)


def written(read: Read) -> str:
    """Write a read as the lines that stand for it."""
    try:
        text = read.data.decode("utf-8")
    except UnicodeDecodeError:
        kind, lines = "hex", _hex_lines(read.data)
    else:
        kind, lines = "text", map(_escaped, _LINES.findall(text))
    head = f"@ {read.time:.6f} {kind} {len(read.data)}\n"
    return head + "".join(f"|{line}\n" for line in lines)


def parse(text: str) -> tuple[list[Read], bool]:
    """Read the file of a recording.

    Args:
        text: The file, in whole lines.

    Returns:
        The reads; and whether the last one is cut, since whatever wrote it was stopped.

    Raises:
        RecordingError: A line is none of a recording's.
    """
    # What was read has its CR written as an escape: one here is of the file, as on Windows.
    lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
    _check_version(lines[0])
    reads: list[Read] = []
    number = 1
    while number < len(lines):
        if not lines[number] or lines[number].startswith("#"):
            number += 1
            continue
        end = number + 1
        while end < len(lines) and lines[end].startswith("|"):
            end += 1
        read = _read(number, lines[number:end], may_be_cut=end == len(lines))
        if read is None:
            return reads, True
        reads.append(read)
        number = end
    return reads, False


def _check_version(first: str) -> None:
    match = _VERSION.fullmatch(first)
    if match is None:
        raise RecordingError(1, f"a recording begins with {MAGIC!r}")
    if first != MAGIC:
        raise RecordingError(1, f"version {match[1]} of the form is not known, only version 1 is")


def _read(number: int, lines: list[str], *, may_be_cut: bool) -> Read | None:
    head = _HEAD.fullmatch(lines[0])
    if head is None:
        raise RecordingError(number + 1, "a read begins with @, time, kind and size")
    time, kind, size = float(head[1]), head[2], int(head[3])
    unwritten = _from_hex if kind == "hex" else _unescaped
    data = b"".join(unwritten(number + 2 + i, line[1:]) for i, line in enumerate(lines[1:]))
    if len(data) != size:
        if may_be_cut and len(data) < size:
            return None
        raise RecordingError(number + 1, f"the read has {len(data)} bytes, and not {size}")
    return Read(data, time)


def _escaped(line: str) -> str:
    if line.isprintable() and "\\" not in line and not line.endswith(" "):
        return line
    shown = "".join(
        c if c.isprintable() and c != "\\" else _SHORT.get(c) or f"\\u{{{ord(c):X}}}" for c in line
    )
    return shown[:-1] + "\\s" if shown.endswith(" ") else shown


def _unescaped(number: int, line: str) -> bytes:
    def meant(match: re.Match[str]) -> str:
        short, code, other = match.groups()
        if short is not None:
            return _MEANT[short]
        if code is None or int(code, 16) > 0x10FFFF:
            raise RecordingError(number, f"\\{code or other} is no escape")
        return chr(int(code, 16))

    try:
        return _ESCAPE.sub(meant, line).encode("utf-8")
    except UnicodeEncodeError:
        raise RecordingError(number, "half of a surrogate pair is no text") from None


def _hex_lines(data: bytes) -> Iterable[str]:
    for start in range(0, len(data), _HEX_BYTES):
        yield data[start : start + _HEX_BYTES].hex(" ")


def _from_hex(number: int, line: str) -> bytes:
    try:
        return bytes.fromhex(line)
    except ValueError:
        raise RecordingError(number, "these are no bytes in hex") from None
