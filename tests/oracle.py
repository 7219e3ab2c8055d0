"""A second reading of the standards, for comparison: whole document, one character after another.

Shares no code and no idea with ``src``: UTF-8 is the state machine of the Encoding Standard
(section 8.1.1), lines are cut by looking at one character at a time, and a limit or a strict
decoder is asked after every one of them. Slow and plain on purpose.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass, field
from typing import Any

LIMIT = "EventTooLargeError"
DECODE = "DecodeError"
FIELDS = ("data", "event", "id", "retry")


@dataclass
class Reading:
    """All that a stream means."""

    events: list[tuple[str, str, str, int | None]] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    fault: tuple[Any, ...] | None = None
    last_event_id: str = ""
    retry: int | None = None
    lines: int = 0
    ignored: list[str] = field(default_factory=list)
    replacements: int = 0
    tail: tuple[Any, ...] | None = None


def read(wire: bytes, *, strict: bool = False, limit: int | None = None) -> Reading:
    """Interpret a whole stream."""
    machine = Machine(limit)
    whole, undecoded = part_held_at_the_end(wire)
    characters = decode(whole)
    if characters and characters[0][0] == "\ufeff" and characters[0][1] == whole[:3]:
        del characters[0]
        offset = 3
    else:
        offset = 0
    for character, source, is_error in characters:
        if is_error and strict:
            machine.reading.fault = (DECODE, offset, source)
            return machine.reading
        machine.reading.replacements += is_error
        if not machine.take(character):
            return machine.reading
        offset += len(source)
    machine.finish(undecoded)
    return machine.reading


class Machine:
    """Section 9.2.6 as a loop over characters."""

    def __init__(self, limit: int | None) -> None:
        self.reading = Reading()
        self.limit = limit
        self.line = ""
        self.previous = ""
        self.buffer = ""
        self.type = ""
        self.id = ""
        self.own_retry: int | None = None

    def take(self, character: str) -> bool:
        """Take one character; false where the limit is passed."""
        previous, self.previous = self.previous, character
        if character == "\n" and previous == "\r":
            return True
        if character in "\r\n":
            self.end_line()
            return True
        self.line += character
        if self.limit is not None and len((self.buffer + self.line).encode()) > self.limit:
            self.reading.fault = (LIMIT, self.limit)
            return False
        return True

    def end_line(self) -> None:
        line, self.line = self.line, ""
        self.reading.lines += 1
        if line == "":
            self.dispatch()
        elif line[0] == ":":
            self.reading.comments.append(line[1:])
        else:
            self.process(line, unfinished=False)

    def process(self, line: str, *, unfinished: bool) -> None:
        name, value = line, ""
        if ":" in line:
            colon = line.index(":")
            name, value = line[:colon], line[colon + 1 :]
            if value[:1] == " ":
                value = value[1:]
        if name not in FIELDS:
            self.reading.ignored.append(line)
        elif name == "data":
            self.buffer += value + "\n"
        elif name == "event":
            self.type = value
        elif name == "id" and "\0" not in value:
            self.id = value
        elif name == "retry" and value and set(value) <= set("0123456789") and not unfinished:
            number = 0
            for digit in value:
                number = min(number * 10 + "0123456789".index(digit), 10**10)
            self.own_retry = self.reading.retry = number

    def dispatch(self) -> None:
        self.reading.last_event_id = self.id
        if self.buffer:
            self.reading.events.append(self.event())
        self.buffer = self.type = ""
        self.own_retry = None

    def event(self) -> tuple[str, str, str, int | None]:
        return self.type or "message", self.buffer[:-1], self.id, self.own_retry

    def finish(self, undecoded: bytes) -> None:
        """Say what is open at the end (design rule 8)."""
        cut = sum(is_error for _, _, is_error in decode(undecoded))
        self.reading.replacements += cut
        line = self.line + "\ufffd" * cut
        held = self.buffer or self.type or self.id != self.reading.last_event_id
        if not held and (line == "" or line[0] == ":"):
            return
        if line != "" and line[0] != ":":
            self.process(line, unfinished=True)
        self.reading.tail = (self.event() if self.buffer else None, line, undecoded)


def decode(data: bytes) -> list[tuple[str, bytes, bool]]:
    """Decode by the Encoding Standard; give each character, its bytes, and if it is an error."""
    out: list[tuple[str, bytes, bool]] = []
    start = position = 0
    point = needed = seen = 0
    lower, upper = 0x80, 0xBF
    while position < len(data):
        byte = data[position]
        if needed == 0:
            start = position
            position += 1
            if byte <= 0x7F:
                out.append((chr(byte), data[start:position], False))
            elif 0xC2 <= byte <= 0xDF:
                needed, point = 1, byte & 0x1F
            elif 0xE0 <= byte <= 0xEF:
                lower, upper = {0xE0: (0xA0, 0xBF), 0xED: (0x80, 0x9F)}.get(byte, (0x80, 0xBF))
                needed, point = 2, byte & 0xF
            elif 0xF0 <= byte <= 0xF4:
                lower, upper = {0xF0: (0x90, 0xBF), 0xF4: (0x80, 0x8F)}.get(byte, (0x80, 0xBF))
                needed, point = 3, byte & 0x7
            else:
                out.append(("\ufffd", data[start:position], True))
            continue
        if not lower <= byte <= upper:
            # The byte that broke the sequence is read anew.
            out.append(("\ufffd", data[start:position], True))
            point = needed = seen = 0
            lower, upper = 0x80, 0xBF
            continue
        lower, upper = 0x80, 0xBF
        point = (point << 6) | (byte & 0x3F)
        position += 1
        seen += 1
        if seen == needed:
            out.append((chr(point), data[start:position], False))
            point = needed = seen = 0
    if needed:
        out.append(("\ufffd", data[start:], True))
    return out


def part_held_at_the_end(wire: bytes) -> tuple[bytes, bytes]:
    """Split off the cut character at the end.

    The standard's decoder is done with ED A0 at once; CPython's codec, up to now, holds it back,
    and design rule 8 shows the tail "as the codec held it". So the codec is asked, for each suffix
    that begins where the standard's decoder begins a sequence.
    """
    starts = [0]
    for _, source, _ in decode(wire):
        starts.append(starts[-1] + len(source))
    for start in starts:
        held = wire[start:]
        if (
            1 <= len(held) <= 3
            and codecs.getincrementaldecoder("utf-8")("replace").decode(held) == ""
        ):
            return wire[:start], held
    return wire, b""
