"""Own what a line means (HTML Standard, 9.2.6): fields fill buffers, a blank line dispatches.

Takes finished lines as text, an LF behind each. One regular expression takes them apart: it finds
the blocks that most streams consist of as such, and what is none of these goes line by line. Knows
nothing of cuts or size limits. Quotations of the standard are shortened.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ._end import Tail
from ._event import Event, EventDraft

# A simple block, as its id, event type and data; or else comments and blank lines; or other lines
# of one block, and the blank lines behind them. Linear: the first alternative fails within three
# lines, the others never give back what they took. Bounded for memory: a line takes 200 bytes.
PARTS = re.compile(
    r"(?:id: ?([^ \0\n][^\0\n]*)\n|)(?:event: ?([^ \n].*)\n|)data: ?(.*)\n\n"
    r"|((?::.*\n|\n+){1,500}|(?:.+\n){1,500}\n*)"
).findall
IGNORED_TEXT = 1_000  # characters of ignored lines that are kept
RETRY_MAX = 10**10  # ms, about 116 days: more cannot be meant, and sleep() takes no more everywhere


class FieldReader:
    """Keep the buffers of 9.2.6 and dispatch events.

    Attributes:
        last_event_id: As committed by the last blank line.
        retry: The reconnection time in ms.
        held: The data buffer, as UTF-8, an LF behind each line. One growing buffer, since a list
            would cost many times the lines.
    """

    __slots__ = (
        *("_event_type", "_id_buffer", "_open", "_own_retry", "event_count", "held"),
        *("ignored_lines", "ignored_text", "last_event_id", "line_count", "on_comment", "retry"),
    )

    def __init__(
        self, *, last_event_id: str, retry: int | None, on_comment: Callable[[str], object] | None
    ) -> None:
        self.last_event_id, self.retry, self.on_comment = last_event_id, retry, on_comment
        self.event_count = self.line_count = self.ignored_lines = 0
        self.ignored_text = ""
        self.drop()

    def drop(self) -> None:
        """Forget the open event."""
        self.held = bytearray()
        self._event_type = ""
        self._id_buffer = self.last_event_id
        self._own_retry: int | None = None
        self._open = False

    def read(self, lines: str) -> list[Event]:
        """Interpret finished lines; give what they dispatch.

        A single block of data, or of a type and data, is the commonest read of all, and takes half
        of the time here that it takes in parts.
        """
        kind = ""  # or the line itself, where that is no event line: it then goes in parts
        line, _, rest = lines.partition("\n")
        if rest != "\n":
            kind = line.removeprefix("event: ")
            if kind and kind is not line:
                line, _, rest = rest.partition("\n")
        value = line.removeprefix("data: ")  # the line itself, where there is no such prefix
        bare = value is line and (value := line.removeprefix("data:")) is line
        if bare or rest != "\n" or self._open:
            return self._read_parts(lines)
        self.line_count += 3 if kind else 2
        self.event_count += 1
        draft = EventDraft()
        draft.data = value
        draft.event = kind or "message"  # "6. If the event type buffer is not empty, it is that."
        draft.id = self.last_event_id
        draft.retry = None
        draft.__class__ = Event  # type: ignore[assignment]
        return [draft]  # type: ignore[list-item]

    def tail(self, line: str, undecoded: bytes) -> Tail | None:
        """Give what is open at the end of the stream; ``line`` is the unfinished one."""
        # "Once the end of the file is reached, any pending data must be discarded. If the file ends
        # in the middle of an event, before the final empty line, the incomplete event is not
        # dispatched": so the tail is only shown, and an unfinished line neither commits an id
        # nor sets a retry.
        if line and line[0] != ":":
            retry = self.retry, self._own_retry
            self._read_fields([line])
            self.retry, self._own_retry = retry
        elif not (self.held or self._event_type or self._id_buffer != self.last_event_id):
            return None
        data, kind = self.held[:-1].decode(), self._event_type or "message"
        event = Event(data, kind, self._id_buffer, self._own_retry) if self.held else None
        return Tail(event, line, undecoded)

    def _read_parts(self, lines: str) -> list[Event]:
        events: list[Event] = []
        count = 0
        for own_id, kind, value, others in self._parts(lines):
            count += 0 if others else 3 if kind else 2
            retry = None
            if own_id:
                count += 1
                self.last_event_id = self._id_buffer = own_id
            if others or self._open:
                if not (taken := self._gather(kind, value, others)):
                    continue
                kind, value, retry = taken
            draft = EventDraft()
            draft.data = value
            draft.event = kind or "message"
            draft.id = self.last_event_id
            draft.retry = retry
            draft.__class__ = Event  # type: ignore[assignment]
            events.append(draft)  # type: ignore[arg-type]
        self.line_count += count
        self.event_count += len(events)
        return events

    def _parts(self, lines: str) -> list[tuple[str, str, str, str]]:
        if lines.find("\n") == len(lines) - 1 >= 0:
            return [("", "", "", lines)]  # a single line needs no pattern: 0.92 byte by byte
        if self._open and lines.startswith("data: ") and "\n\n" not in lines[:1_000]:
            # A read inside an event of many lines is changed as a whole: a quarter of the time, and
            # with rsplit, which looks for the LF first, 0.9 of what split or replace takes.
            values = "\n".join(lines[len("data: ") :].rsplit("\ndata: "))
            count = values.count("\n")
            if len(lines) - len(values) == count * len("data: "):
                self.held += values.encode()
                self.line_count += count
                return []
        return PARTS(lines)

    def _gather(self, kind: str, value: str, others: str) -> tuple[str, str, int | None] | None:
        """Put a part into the buffers; give the type, data and retry if it dispatches an event."""
        self.line_count += others.count("\n")
        if others and others[0] in ":\n" and not self._open and self.on_comment is None:
            return None  # comments and blank lines alone, by PARTS: a quarter of the time
        if not others:  # a simple block by its looks, but the event began before
            self._event_type = kind or self._event_type
            self.held += value.encode() + b"\n"
        elif block := others.rstrip("\n"):
            self._open = True
            self._read_fields(block.split("\n"))
            if "\n\n" not in "\n" + others:
                return None
        # "If the line is empty (a blank line): dispatch the event. 1. Set the last event ID string
        # to the last event ID buffer. 2. If the data buffer is empty, set the event type buffer to
        # the empty string and return. 3. Remove the last LF from the data buffer."
        self.last_event_id = self._id_buffer
        taken = (self._event_type, self.held[:-1].decode(), self._own_retry) if self.held else None
        self.drop()
        return taken

    def _read_fields(self, lines: list[str]) -> None:
        for line in lines:
            # "Collect the characters before the first colon as field, those after it as value; if
            # that starts with a U+0020 SPACE, remove it. Without a colon, the line is the field.
            # Field names must be compared literally, with no case folding performed."
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "data":  # "Append the field value to the data buffer, then append an LF."
                self.held += value.encode() + b"\n"
            elif name == "event":
                self._event_type = value
            elif name == "id":  # "If the field value does not contain U+0000 NULL, set" it.
                self._id_buffer = self._id_buffer if "\0" in value else value
            elif name == "retry":
                self._set_retry(value)
            elif name:  # "Otherwise: the field is ignored."
                room = IGNORED_TEXT - len(self.ignored_text)
                self.ignored_text += (("\n" if self.ignored_lines else "") + line[:room])[:room]
                self.ignored_lines += 1
            elif self.on_comment is not None:
                self.on_comment(line[1:])

    def _set_retry(self, value: str) -> None:
        # "If the value consists of only ASCII digits, set the reconnection time." Not all of
        # them become a number: int() refuses more than 4,300 digits, and 12 say enough.
        if value.isascii() and value.isdigit():
            significant = value.lstrip("0")[: len(str(RETRY_MAX)) + 1]
            self.retry = self._own_retry = min(int(significant or "0"), RETRY_MAX)
