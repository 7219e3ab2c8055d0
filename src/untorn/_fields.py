"""Own what a line means (HTML Standard, 9.2.6): fields fill buffers, a blank line dispatches.

Takes finished lines as text, an LF behind each. Knows nothing of cuts or size limits.
Quotations of the standard are shortened.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ._end import Tail
from ._event import Event, EventDraft

# A simple block, by its event type and data; or else other lines, or comments and blank lines.
# Each alternative is tried once at most for a line, and none can fail late: it takes linear time.
PARTS = re.compile(
    r"(?:event: (.+)\n|)data: (.*)\n\n|((?:[^:\n].*\n){1,500}|(?::.*\n|\n){1,500})"
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
        self, *, last_event_id: str, retry: int | None, on_comment: Callable[[str], None] | None
    ) -> None:
        self.last_event_id = last_event_id
        self.retry = retry
        self.on_comment = on_comment
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
        """Interpret finished lines, one by one if comments are watched; give what they dispatch."""
        # One simple block is the commonest read of all, and takes two thirds of the time this way.
        kind = ""
        line, _, rest = lines.partition("\n")
        if rest != "\n":
            kind = line.removeprefix("event: ")
            if kind and kind is not line:
                line, _, rest = rest.partition("\n")
        value = line.removeprefix("data: ")
        if rest != "\n" or value is line or self._open:
            return self._read_parts(lines)
        self.line_count += 3 if kind else 2
        self.event_count += 1
        draft = EventDraft()
        draft.data = value
        # "5., 6. The type is message; if the event type buffer is not empty, it is that."
        draft.event = kind or "message"
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
            self._read_field(line, finished=False)
        elif not (self.held or self._event_type or self._id_buffer != self.last_event_id):
            return None
        data, kind = self.held[:-1].decode(), self._event_type or "message"
        event = Event(data, kind, self._id_buffer, self._own_retry) if self.held else None
        return Tail(event, line, undecoded)

    def _read_parts(self, lines: str) -> list[Event]:
        events: list[Event] = []
        if self._open and "\n\n" not in lines[:1_000] and (count := self._add_data(lines)):
            self.line_count += count
            return events
        for kind, value, others in PARTS(lines):
            self.line_count += others.count("\n") if others else 3 if kind else 2
            retry = None
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
        self.event_count += len(events)
        return events

    def _gather(self, kind: str, value: str, others: str) -> tuple[str, str, int | None] | None:
        """Put a part into the buffers; give the type, data and retry if it dispatches an event."""
        if not others:  # a simple block by its looks, but it ends an event that began before
            self._event_type = kind or self._event_type
            self.held += value.encode() + b"\n"
        elif others[0] not in ":\n":
            self._open = True
            if not self._add_data(others):
                for line in others[:-1].split("\n"):
                    self._read_field(line, finished=True)
            return None
        elif others[0] == ":" and self.on_comment is not None:
            # "If the line starts with a U+003A COLON character (:): ignore the line."
            self.on_comment(others[1:-1])
        if others and "\n\n" not in "\n" + others:
            return None
        # "If the line is empty (a blank line): dispatch the event. 1. Set the last event ID string
        # to the last event ID buffer. 2. If the data buffer is empty, set the event type buffer to
        # the empty string and return. 3. Remove the last LF from the data buffer."
        self.last_event_id = self._id_buffer
        taken = (self._event_type, self.held[:-1].decode(), self._own_retry) if self.held else None
        self.drop()
        return taken

    def _add_data(self, lines: str) -> int:
        """Take lines that are all ``data: value``, and count them; or change nothing and give 0.

        What fills a whole read takes half of the time if it comes here before it is taken apart.
        """
        count = lines.count("\n")
        values = ("\n" + lines).replace("\ndata: ", "\n")
        if len(lines) + 1 - len(values) != count * len("data: "):
            return 0
        self.held += values[1:].encode()
        return count

    def _read_field(self, line: str, *, finished: bool) -> None:
        # "Collect the characters before the first colon as field, those after it as value; if value
        # starts with a U+0020 SPACE, remove it. Without a colon, the whole line is the field."
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        # "Field names must be compared literally, with no case folding performed."
        if name == "data":
            # "Append the field value to the data buffer, then append a single U+000A LINE FEED."
            self.held += value.encode() + b"\n"
        elif name == "event":  # "Set the event type buffer to the field value."
            self._event_type = value
        elif name == "id":
            # "If the field value does not contain U+0000 NULL, set the last event ID buffer."
            if "\0" not in value:
                self._id_buffer = value
        elif name == "retry":
            # "If the value consists of only ASCII digits, set the reconnection time." Not all of
            # them become a number: int() refuses more than 4,300 digits, and 12 say enough.
            if finished and value.isascii() and value.isdigit():
                significant = value.lstrip("0")[: len(str(RETRY_MAX)) + 1]
                self.retry = self._own_retry = min(int(significant or "0"), RETRY_MAX)
        else:  # "Otherwise: the field is ignored."
            self._ignore(line)

    def _ignore(self, line: str) -> None:
        separator = "\n" if self.ignored_lines else ""
        self.ignored_lines += 1
        room = IGNORED_TEXT - len(self.ignored_text)
        self.ignored_text += (separator + line[:room])[:room]
