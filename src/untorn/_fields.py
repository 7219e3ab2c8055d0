"""Own what a line means (HTML Standard, 9.2.6): fields fill buffers, a blank line dispatches.

Takes finished lines of well-formed UTF-8. Knows nothing of reads, cuts or size limits.
Quotations of the standard are shortened.
"""

from __future__ import annotations

from collections.abc import Callable

from ._end import Tail
from ._event import Event, EventDraft

CR = 0x0D
IGNORED_TEXT = 1_000  # characters of ignored lines that are kept
RETRY_MAX = 10**10  # ms, about 116 days: more cannot be meant, and sleep() takes no more everywhere


class FieldReader:
    """Keep the buffers of 9.2.6 and dispatch events.

    Attributes:
        last_event_id: As committed by the last blank line.
        retry: The reconnection time in ms.
        idle: Whether the last line was blank: no event is open.
    """

    __slots__ = (
        "_event_type",
        "_first",
        "_id_buffer",
        "_on_comment",
        "_own_retry",
        "_rest",
        "event_count",
        "idle",
        "ignored_lines",
        "ignored_text",
        "last_event_id",
        "line_count",
        "retry",
    )

    def __init__(
        self,
        *,
        last_event_id: str,
        retry: int | None,
        on_comment: Callable[[str], None] | None,
    ) -> None:
        self._on_comment = on_comment
        self.last_event_id = last_event_id
        self.retry = retry
        self.event_count = 0
        self.line_count = 0
        self.ignored_lines = 0
        self.ignored_text = ""
        self.drop()

    def drop(self) -> None:
        """Forget the open event."""
        # The data buffer, as UTF-8: its first line, which is all that most events have, and the
        # others, an LF before each, in one growing buffer: a list would cost many times the lines.
        self._first: bytes | None = None
        self._rest = bytearray()
        self._event_type = ""
        self._id_buffer = self.last_event_id
        self._own_retry: int | None = None
        self.idle = True

    @property
    def held(self) -> int:
        """The size of the data buffer, in bytes, with one LF a line."""
        return 0 if self._first is None else len(self._first) + len(self._rest) + 1

    def read(self, lines: list[bytes], events: list[Event]) -> None:
        """Interpret finished lines, at least one; append to ``events`` what they dispatch."""
        self.line_count += len(lines)
        before = len(events)
        first, rest, event_type = self._first, self._rest, self._event_type  # faster by a tenth
        for line in lines:
            if line:
                # The commonest forms first; what is not exactly "name: value" goes the long way.
                name, _, value = line.partition(b": ")
                if name == b"data" and first is None:
                    first = value
                elif name == b"data":
                    rest += b"\n"
                    rest += value
                elif name == b"event":
                    event_type = value.decode()
                else:
                    self._first, self._event_type = first, event_type
                    self._read_line(line)
                    first, event_type = self._first, self._event_type
                continue
            # "If the line is empty (a blank line): dispatch the event. 1. Set the last event ID
            # string of the event source to the last event ID buffer. The buffer does not get reset.
            # 2. If the data buffer is empty, set the event type buffer to empty and return."
            self.last_event_id = self._id_buffer
            if first is not None:
                draft = EventDraft()
                # "3. Remove the last LF from the data buffer": that of the last line is not in it.
                draft.data = (first + rest if rest else first).decode()
                # "5., 6. The type is message; if the event type buffer is not empty, it is that."
                draft.event = event_type or "message"
                draft.id = self._id_buffer
                draft.retry = self._own_retry
                draft.__class__ = Event  # type: ignore[assignment]
                events.append(draft)  # type: ignore[arg-type]
            # "7. Set the data buffer and the event type buffer to the empty string."
            first, event_type, self._own_retry = None, "", None
            if rest:
                self._rest = rest = bytearray()
        self._first, self._event_type = first, event_type
        self.event_count += len(events) - before
        self.idle = not lines[-1]

    def read_block(self, block: bytes) -> Event | None:
        """Dispatch the block ``data: value LF LF``, where no event is open; None for any other."""
        line, _, rest = block.partition(b"\n")
        if rest != b"\n" or line[:6] != b"data: " or not self.idle or CR in line:
            return None
        draft = EventDraft()
        try:
            draft.data = line[6:].decode()
        except UnicodeDecodeError:
            return None
        draft.event = "message"
        draft.id = self.last_event_id
        draft.retry = None
        draft.__class__ = Event  # type: ignore[assignment]
        self.line_count += 2
        self.event_count += 1
        return draft  # type: ignore[return-value]

    def tail(self, line: bytes, undecoded: bytes) -> Tail | None:
        """Give what is open at the end of the stream; ``line`` is the unfinished one."""
        # "Once the end of the file is reached, any pending data must be discarded. If the file ends
        # in the middle of an event, before the final empty line, the incomplete event is not
        # dispatched": so the tail is only shown, and an unfinished line neither commits an id
        # nor sets a retry.
        unfinished = bool(line) and not line.startswith(b":")
        held = self._first is not None or self._event_type or self._id_buffer != self.last_event_id
        if not (held or unfinished):
            return None
        if unfinished:
            self._read_field(line, finished=False)
        event = None
        if self._first is not None:
            data = (self._first + self._rest).decode()
            kind = self._event_type or "message"
            event = Event(data, kind, self._id_buffer, self._own_retry)
        return Tail(event, line.decode(), undecoded)

    def _read_line(self, line: bytes) -> None:
        if not line.startswith(b":"):
            self._read_field(line, finished=True)
        elif self._on_comment is not None:
            # "If the line starts with a U+003A COLON character (:): ignore the line."
            self._on_comment(line[1:].decode())

    def _read_field(self, line: bytes, *, finished: bool) -> None:
        # "Collect the characters before the first colon as field, those after it as value; if value
        # starts with a U+0020 SPACE, remove it. Without a colon, the whole line is the field."
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        # "Field names must be compared literally, with no case folding performed."
        if name == b"data":
            self._add_data(value)
        elif name == b"event":
            # "Set the event type buffer to the field value."
            self._event_type = value.decode()
        elif name == b"id":
            # "If the field value does not contain U+0000 NULL, set the last event ID buffer."
            if b"\0" not in value:
                self._id_buffer = value.decode()
        elif name == b"retry":
            if finished:
                self._set_retry(value)
        else:
            # "Otherwise: the field is ignored."
            self._ignore(line)

    def _add_data(self, value: bytes) -> None:
        # "Append the field value to the data buffer, then append a single U+000A LINE FEED."
        if self._first is None:
            self._first = value
        else:
            self._rest += b"\n"
            self._rest += value

    def _set_retry(self, value: bytes) -> None:
        # "If the field value consists of only ASCII digits, interpret it as an integer in base ten
        # and set the reconnection time." bytes.isdigit() is true of one or more of 0-9 only.
        if value.isdigit():
            significant = value.lstrip(b"0")
            # By length first: int() refuses more than 4,300 digits, and the stream must go on.
            clamp = len(significant) > len(str(RETRY_MAX))
            self.retry = RETRY_MAX if clamp else min(int(significant or b"0"), RETRY_MAX)
            self._own_retry = self.retry

    def _ignore(self, line: bytes) -> None:
        self.ignored_lines += 1
        room = IGNORED_TEXT - len(self.ignored_text)
        if room > 0:
            separator = "\n" if self.ignored_lines > 1 else ""
            # No character has more than four bytes: a line of megabytes is not decoded whole.
            start = line[: 4 * IGNORED_TEXT].decode("utf-8", "ignore")
            self.ignored_text += (separator + start)[:room]
