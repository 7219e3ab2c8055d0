"""Own what a line means (HTML Standard, 9.2.6): fields fill buffers, a blank line dispatches.

Takes finished lines as text, whole blocks as bytes. Knows nothing of reads, cuts or size limits.
Quotations of the standard are shortened.
"""

from __future__ import annotations

from collections.abc import Callable

from ._end import Tail
from ._event import Event, EventDraft

LF, CR = b"\n\r"
E = ord("e")  # of "event"
IGNORED_TEXT = 1_000  # characters of ignored lines that are kept
RETRY_MAX = 10**10  # ms, about 116 days: more cannot be meant, and sleep() takes no more everywhere


class FieldReader:
    """Keep the buffers of 9.2.6 and dispatch events.

    Attributes:
        last_event_id: As committed by the last blank line.
        retry: The reconnection time in ms.
        idle: Whether the last line was blank: no event is open.
        held: The data buffer between reads, as UTF-8, an LF behind each line. One growing buffer,
            since a list would cost many times the lines.
    """

    __slots__ = (
        *("_event_type", "_id_buffer", "_more", "_own_retry", "event_count", "held", "idle"),
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
        self._more: list[str] = []  # the data lines of this read behind the first
        self._event_type = ""
        self._id_buffer = self.last_event_id
        self._own_retry: int | None = None
        self.idle = True

    def read(self, lines: list[str]) -> list[Event]:
        """Interpret finished lines, at least one; give what they dispatch."""
        self.line_count += len(lines)
        events: list[Event] = []
        first: str | None = None
        more, event_type, retry = self._more, self._event_type, None  # locals: faster by a tenth
        others = not self.idle  # whether the buffers hold more of the block than these locals
        for line in lines:
            if line:
                # The commonest forms first; what is not exactly "name: value" goes the long way.
                name, _, value = line.partition(": ")
                if name == "data" and first is None:
                    first = value
                elif name == "data":
                    more.append(value)
                    others = True
                elif name == "event":
                    event_type = value
                elif name or self.on_comment is not None:  # ": comment" has no name
                    event_type = self._read_other(line, first, event_type)
                    first, others = None, True
                continue
            # "If the line is empty: dispatch the event. 2. If the data buffer is empty, return."
            if others:
                first, retry = self._commit(first)
                others = False
            if first is not None:
                draft = EventDraft()
                draft.data = first
                # "5., 6. The type is message; if the event type buffer is not empty, it is that."
                draft.event = event_type or "message"
                draft.id = self.last_event_id
                draft.retry = retry
                draft.__class__ = Event  # type: ignore[assignment]
                events.append(draft)  # type: ignore[arg-type]
            # "7. Set the data buffer and the event type buffer to the empty string."
            first, event_type, retry = None, "", None
        if first is not None:
            self._hold(first)
        self._event_type, self.idle = event_type, not line
        self.event_count += len(events)
        return events

    def read_block(self, block: bytes) -> Event | None:
        """Dispatch ``data: value`` in a block of its own, or behind ``event: value``; or give None.

        It takes bytes of any kind, and changes nothing where it gives None.
        """
        kind, count = b"", 2
        if block[0] != E and block[:6] == b"data: " and block[-2:] == b"\n\n":
            value = block[6:-2]
            if LF in value or CR in value:
                return None
        else:
            lines = block.splitlines()
            count = len(lines)
            name, _, value = lines[0].partition(b": ")
            if count == 3 and name == b"event":
                kind = value
                name, _, value = lines[1].partition(b": ")
            elif count != 2:
                return None
            if name != b"data" or lines[-1] or block[-1] != LF:
                return None
        if not self.idle:
            return None
        draft = EventDraft()
        try:
            draft.data = value.decode()
            draft.event = kind.decode() if kind else "message"
        except UnicodeDecodeError:
            return None
        draft.id = self.last_event_id
        draft.retry = None
        draft.__class__ = Event  # type: ignore[assignment]
        self.line_count += count
        self.event_count += 1
        return draft  # type: ignore[return-value]

    def read_run(self, lines: bytes) -> bool:
        """Take whole lines that are all ``data: value``, of an open event; or change nothing.

        Args:
            lines: ASCII or whole UTF-8, with an LF at the end of each, and without CR.
        """
        named = b"\n" + lines
        values = named.replace(b"\ndata: ", b"\n")
        count = lines.count(b"\n")
        if len(named) - len(values) != count * len(b"data: "):
            return False
        self.held += values[1:]
        self.line_count += count
        return True

    def tail(self, line: str, undecoded: bytes) -> Tail | None:
        """Give what is open at the end of the stream; ``line`` is the unfinished one."""
        # "Once the end of the file is reached, any pending data must be discarded. If the file ends
        # in the middle of an event, before the final empty line, the incomplete event is not
        # dispatched": so the tail is only shown, and an unfinished line neither commits an id
        # nor sets a retry.
        unfinished = bool(line) and not line.startswith(":")
        held = self.held or self._event_type or self._id_buffer != self.last_event_id
        if not (held or unfinished):
            return None
        if unfinished:
            self._read_field(line, finished=False)
        event = None
        if self.held:
            data, kind = self.held[:-1].decode(), self._event_type or "message"
            event = Event(data, kind, self._id_buffer, self._own_retry)
        return Tail(event, line, undecoded)

    def _commit(self, first: str | None) -> tuple[str | None, int | None]:
        """Take all data and the own reconnection time out of the buffers; commit the ID."""
        # "1. Set the last event ID string of the event source to the last event ID buffer. The
        # buffer does not get reset."
        self.last_event_id = self._id_buffer
        retry, self._own_retry = self._own_retry, None
        if self.held or self._more:
            self._hold(first)
            del self.held[-1:]  # "3. Remove the last LF from the data buffer."
            first, self.held = self.held.decode(), bytearray()
        return first, retry

    def _hold(self, first: str | None) -> None:
        """Keep the data of this read, of which ``first`` is the first line, if there is any."""
        if first is not None:
            self.held += "\n".join((first, *self._more, "")).encode()
            self._more.clear()

    def _read_other(self, line: str, first: str | None, event_type: str) -> str:
        """Read a line that is not of the commonest forms; give the event type as of it."""
        self._hold(first)
        self._event_type = event_type
        self._read_field(line, finished=True)
        return self._event_type

    def _read_field(self, line: str, *, finished: bool) -> None:
        # "Collect the characters before the first colon as field, those after it as value; if value
        # starts with a U+0020 SPACE, remove it. Without a colon, the whole line is the field."
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        # "Field names must be compared literally, with no case folding performed."
        if name == "data":
            # "Append the field value to the data buffer, then append a single U+000A LINE FEED."
            self.held += value.encode() + b"\n"
        elif name == "event":
            # "Set the event type buffer to the field value."
            self._event_type = value
        elif name == "id":
            # "If the field value does not contain U+0000 NULL, set the last event ID buffer."
            if "\0" not in value:
                self._id_buffer = value
        elif name == "retry":
            if finished:
                self._set_retry(value)
        elif not name:
            # "If the line starts with a U+003A COLON character (:): ignore the line."
            if self.on_comment is not None:
                self.on_comment(line[1:])
        else:
            # "Otherwise: the field is ignored."
            self._ignore(line)

    def _set_retry(self, value: str) -> None:
        # "If the field value consists of only ASCII digits, interpret it as an integer in base ten
        # and set the reconnection time." isdigit() alone takes the digits of all scripts.
        if value.isascii() and value.isdigit():
            significant = value.lstrip("0")
            # By length first: int() refuses more than 4,300 digits, and the stream must go on.
            clamp = len(significant) > len(str(RETRY_MAX))
            self.retry = RETRY_MAX if clamp else min(int(significant or "0"), RETRY_MAX)
            self._own_retry = self.retry

    def _ignore(self, line: str) -> None:
        self.ignored_lines += 1
        room = IGNORED_TEXT - len(self.ignored_text)
        if room > 0:
            separator = "\n" if self.ignored_lines > 1 else ""
            self.ignored_text += (separator + line[:room])[:room]
