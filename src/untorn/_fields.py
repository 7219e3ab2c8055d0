"""Own what a line means (HTML Standard, 9.2.6): fields fill buffers, a blank line dispatches.

Takes finished lines as text, an LF behind each. One regular expression takes them apart: it finds
the blocks that most streams consist of as such. A few lines, one however long, and what is none of
these blocks go line by line. Knows nothing of cuts or size limits. Quotations are shortened.
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
FEW = 250  # characters: below, other blocks take 0.6 line by line, and several simple ones 1 to 2
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
        self._event_type, self._id_buffer = "", self.last_event_id
        self._own_retry: int | None = None
        self._open = False

    def read(self, lines: str) -> list[Event]:
        """Interpret finished lines; give what they dispatch.

        A single block of data, or of a type and data, is the commonest read of all, and takes half
        of the time here that it takes in parts.
        """
        kind = ""  # or the line itself, where that is no event line: it then goes another way
        line, _, rest = lines.partition("\n")
        if rest != "\n":
            kind = line.removeprefix("event: ")
            if kind and kind is not line:
                line, _, rest = rest.partition("\n")
        value = line.removeprefix("data: ")  # the line itself, where there is no such prefix
        bare = value is line and (value := line.removeprefix("data:")) is line
        if bare or rest != "\n" or self._open:
            events = self._by_line(lines) if len(lines) < FEW or not rest else self._by_part(lines)
            self.event_count += len(events)
            return events
        self.line_count += 3 if kind else 2
        self.event_count += 1
        draft = EventDraft()
        draft.data, draft.event = value, kind or "message"
        draft.id, draft.retry = self.last_event_id, None
        draft.__class__ = Event  # type: ignore[assignment]
        return [draft]  # type: ignore[list-item]

    def tail(self, line: str, undecoded: bytes) -> Tail | None:
        """Give what is open at the end of the stream; ``line`` is the unfinished one."""
        # "Once the end of the file is reached, any pending data must be discarded. If the file ends
        # in the middle of an event, before the final empty line, the incomplete event is not
        # dispatched": so the tail is only shown, and an unfinished line neither commits an id
        # nor sets a retry.
        if line and line[0] != ":":
            kept = self.retry, self._own_retry, self.line_count
            self._by_line(line + "\n")
            self.retry, self._own_retry, self.line_count = kept
        elif not (self.held or self._event_type or self._id_buffer != self.last_event_id):
            return None
        data, kind = self.held[:-1].decode(), self._event_type or "message"
        event = Event(data, kind, self._id_buffer, self._own_retry) if self.held else None
        return Tail(event, line, undecoded)

    def _by_part(self, lines: str) -> list[Event]:
        events: list[Event] = []
        for own_id, kind, value, others in self._parts(lines):
            if others:
                if self._open or others[0] not in ":\n" or self.on_comment is not None:
                    events += self._by_line(others)
                else:  # comments and blank lines alone: a quarter of the time
                    self.line_count += others.count("\n")
                continue
            self.line_count += 3 if kind else 2
            if own_id:
                self.line_count += 1
                self.last_event_id = self._id_buffer = own_id
            if self._open:  # a simple block by its looks, but the event began before
                events += self._dispatched([value], kind)
                continue
            draft = EventDraft()
            draft.data, draft.event = value, kind or "message"
            draft.id, draft.retry = self.last_event_id, None
            draft.__class__ = Event  # type: ignore[assignment]
            events.append(draft)  # type: ignore[arg-type]
        return events

    def _parts(self, lines: str) -> list[tuple[str, str, str, str]]:
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

    def _by_line(self, text: str) -> list[Event]:
        """Read any lines.

        "Collect the characters before the first colon as field, those after it as value; if that
        starts with a U+0020 SPACE, remove it. Without a colon, the line is the field. Field names
        must be compared literally, with no case folding performed."
        """
        events: list[Event] = []
        values: list[str] = []  # what goes into the data buffer
        lines = text.split("\n")[:-1]
        self.line_count += len(lines)
        for line in lines:
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "data":  # "Append the field value to the data buffer, then append an LF."
                values.append(value)
            elif name == "event":
                self._event_type = value
            elif name == "id":  # "If the field value does not contain U+0000 NULL, set" it.
                self._id_buffer = self._id_buffer if "\0" in value else value
            elif line:
                self._read_other(name, value, line)
            else:  # "If the line is empty (a blank line): dispatch the event."
                events += self._dispatched(values, "")
                values = []
        self._open = line != ""
        if values:
            self.held += ("\n".join(values) + "\n").encode()
        return events

    def _read_other(self, name: str, value: str, line: str) -> None:
        if name == "retry":
            # "If the value consists of only ASCII digits, set the reconnection time." Not all of
            # them become a number: int() refuses more than 4,300 digits, and 12 say enough.
            if value.isascii() and value.isdigit():
                self.retry = self._own_retry = min(int(value.lstrip("0")[:12] or "0"), RETRY_MAX)
        elif name:  # "Otherwise: the field is ignored."
            room = IGNORED_TEXT - len(self.ignored_text)
            self.ignored_text += (("\n" if self.ignored_lines else "") + line[:room])[:room]
            self.ignored_lines += 1
        elif self.on_comment is not None:
            self.on_comment(line[1:])

    def _dispatched(self, values: list[str], kind: str) -> list[Event]:
        # "1. Set the last event ID string to the last event ID buffer. 2. If the data buffer is
        # empty, set the event type buffer to the empty string and return. 3. Remove the last LF
        # from the data buffer. 6. If the event type buffer is not empty, it is the type."
        self.last_event_id = self._id_buffer
        if self.held:
            values = [self.held[:-1].decode(), *values]
        draft = EventDraft()
        draft.data, draft.event = "\n".join(values), kind or self._event_type or "message"
        draft.id, draft.retry = self.last_event_id, self._own_retry
        draft.__class__ = Event  # type: ignore[assignment]
        self.drop()
        return [draft] if values else []  # type: ignore[list-item]
