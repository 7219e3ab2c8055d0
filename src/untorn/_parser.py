"""Own the parser: bytes in, events out; the three steps in order, the size limit, failure, the end.

The order of the steps, decoder before line buffer, makes each of them a short file: behind the
decoder every line is whole UTF-8 that can be cut at any ASCII byte. The decoder passes bytes on,
since these are what a limit counts, and what ``splitlines`` cuts at CR and LF alone.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from ._end import StreamEnd
from ._errors import DecodeError, EventTooLargeError, ParserClosedError
from ._event import Event
from ._fields import FieldReader
from ._lines import LineBuffer
from ._utf8 import Utf8Decoder, is_whole

TYPE_CHECKING = False  # a name that checkers know; see _event.py
if TYPE_CHECKING:
    from typing import Literal

SMALL = 1_024  # bytes; a read of more has more than the end of one event
Chunk = bytes | bytearray | memoryview
"""What a read may be: anything else, text above all, is a TypeError."""


class SSEParser:
    r"""Parse one event stream, fed as its bytes arrive (HTML Standard, 9.2.5 and 9.2.6).

    What comes out never depends on how the bytes were cut. A parser serves one stream at a time and
    must not be fed from two threads at once.

    Args:
        errors: "replace" makes each ill-formed part U+FFFD, as the standard says, and counts it;
            "strict" raises ``DecodeError`` at its byte offset.
        max_event_size: What the data of one event plus the line being read may come to, in bytes
            of UTF-8, line names included; None for no limit.
        last_event_id: Where an earlier connection left off.
        on_comment: Called with the text after the colon of each comment, in stream order, while
            ``feed`` runs. It must not call the parser. What it raises leaves ``feed`` unchanged and
            fails the parser; events that were complete in that same read reach the caller through
            the iterators only.

    Raises:
        ValueError, TypeError: An option has a value that is none of the above.

    Example:
        >>> from untorn import SSEParser
        >>> parser = SSEParser()
        >>> parser.feed(b"data: \xe7\x81")
        []
        >>> parser.feed(b"\xab\n\n")
        [Event(data='火', event='message', id='', retry=None)]
        >>> parser.close().tail is None
        True
    """

    __slots__ = (
        *("_decoder", "_end", "_errors", "_failure", "_fields", "_full", "_given"),
        *("_lines", "_seen", "_until", "_watch"),
    )

    def __init__(
        self,
        *,
        errors: Literal["replace", "strict"] = "replace",
        max_event_size: int | None = 64 * 1024 * 1024,
        last_event_id: str = "",
        on_comment: Callable[[str], None] | None = None,
    ) -> None:
        if errors not in ("replace", "strict"):
            raise ValueError(f'errors must be "replace" or "strict", not {errors!r}')
        if max_event_size is not None and max_event_size < 1:
            raise ValueError(f"max_event_size must be at least 1, or None, not {max_event_size!r}")
        if not isinstance(last_event_id, str):
            raise TypeError(f"last_event_id must be text, not {type(last_event_id).__name__}")
        self._errors = errors
        self._full = sys.maxsize if max_event_size is None else max_event_size
        self._watch = on_comment
        self._seen = 0
        self._until = -1  # the byte count up to which the short ways are open
        self._failure: BaseException | None = None
        self._end: StreamEnd | None = None
        self._given: list[Event] = []
        self._begin(last_event_id, None)

    def feed(self, chunk: Chunk) -> list[Event]:
        """Take the next bytes of the stream and give the events that they complete.

        Args:
            chunk: One read, of any length; an empty one means nothing. A bytearray or memoryview is
                copied.

        Raises:
            TypeError: It is not bytes.
            DecodeError: It is not UTF-8, with ``errors="strict"``.
            EventTooLargeError: An event outgrew ``max_event_size``.
            ParserClosedError: The parser is closed.

        What is raised for the stream carries the events completed before it in ``events``, and
        every later call raises an equal error, with none, until ``reset()``.
        """
        # Short ways for what comes most, with the part of the long way's time that each takes
        # (CPython 3.11): ASCII without a line end is gathered (0.2); a simple event, or the end of
        # one in a small read, makes no list of lines (0.5); many data lines are changed as a whole
        # (0.4); any other read of whole UTF-8 needs no decoder (0.6 to 0.98).
        # 10 is LF and 13 CR: as names they make a read of 64 bytes 1.03 times as long.
        if chunk.__class__ is bytes and (seen := self._seen + len(chunk)) <= self._until:
            lines = self._lines
            if 10 not in chunk:
                if 13 not in chunk and chunk.isascii():
                    self._seen = seen
                    lines.more += chunk
                    return []
            else:
                if not (lines.start or lines.more):
                    event = self._fields.read_block(chunk)
                    if event is not None:
                        self._seen = seen
                        return [event]
                elif 1 < len(chunk) < SMALL and chunk.isascii():
                    last, end, rest = chunk.rpartition(b"\n")
                    block = b"".join((lines.start, lines.more, last, end))
                    event = None if 13 in rest else self._fields.read_block(block)
                    if event is not None:
                        self._seen = seen
                        lines.start = rest
                        lines.more.clear()
                        return [event]
                if not self._fields.idle and self._read_run(chunk):
                    self._seen = seen
                    return []
                finished = self._cut(chunk)
                if finished:
                    self._seen = seen
                    return self._fields.read(finished)
        return self._read(chunk)

    def close(self) -> StreamEnd:
        """Say that no more bytes come, and learn how the stream ended; never raises.

        A second call gives the same answer. After a failure, it is the end as of the fault.
        """
        if self._end is None:
            tail = None
            if self._failure is None:
                undecoded = self._decoder.close()
                line = (self._lines.start + self._lines.more).decode()
                tail = self._fields.tail(line + undecoded.decode("utf-8", "replace"), undecoded)
            fields = self._fields
            self._end = StreamEnd(
                tail=tail,
                byte_count=self.byte_count,
                event_count=fields.event_count,
                line_count=fields.line_count,
                replacements=self.replacements,
                ignored_lines=fields.ignored_lines,
                ignored_text=fields.ignored_text,
                last_event_id=fields.last_event_id,
                retry=fields.retry,
            )
            self._clear()
        return self._end

    def reset(self) -> None:
        """Make ready for a new response; options, ``last_event_id`` and ``retry`` are kept."""
        self._begin(self.last_event_id, self.retry)

    @property
    def last_event_id(self) -> str:
        """The last event ID, as committed by the last blank line: what a reconnection asks for."""
        return self._fields.last_event_id

    @property
    def retry(self) -> int | None:
        """The reconnection time in milliseconds, at most 10^10; None until the stream gives one."""
        return self._fields.retry

    @property
    def byte_count(self) -> int:
        """Bytes fed so far, a byte order mark included."""
        return self._seen

    @property
    def event_count(self) -> int:
        """Events given so far."""
        return self._fields.event_count

    @property
    def replacements(self) -> int:
        """Ill-formed sequences that the decoder, not the server, made U+FFFD so far."""
        return self._decoder.replacements

    @property
    def end(self) -> StreamEnd | None:
        """How the stream ended; None until the parser is closed."""
        return self._end

    def _given_before(self) -> list[Event]:
        """Give, once, the events that were complete when ``feed`` raised: for the iterators."""
        given, self._given = self._given, []
        return given

    def _begin(self, last_event_id: str, retry: int | None) -> None:
        self._decoder = Utf8Decoder(self._errors)
        self._fields = FieldReader(last_event_id=last_event_id, retry=retry, on_comment=self._watch)
        self._failure = None
        self._end = None
        self._seen = 0
        self._clear()

    def _clear(self) -> None:
        self._lines = LineBuffer()
        self._fields.drop()
        self._until = -1

    def _read_run(self, chunk: bytes) -> bool:
        """Take a read of an event of many lines, if these are ``data: value`` alone."""
        if len(chunk) < SMALL or b"\r" in chunk or not is_whole(chunk):
            return False
        lines, end = self._lines, chunk.rfind(b"\n") + 1
        if not self._fields.read_run(b"".join((lines.start, lines.more, chunk[:end]))):
            return False
        lines.start = chunk[end:]
        lines.more.clear()
        return True

    def _cut(self, chunk: bytes) -> list[str]:
        """Give the lines that end in a read of whole UTF-8; none, and no change, for another."""
        try:
            finished = self._lines.cut(chunk)
        except UnicodeDecodeError:
            return []
        if self._lines.after_cr:
            self._until = -1  # the long way knows what to do with an LF
        return finished

    def _read(self, chunk: Chunk) -> list[Event]:
        """Do what ``feed`` does, the long way."""
        self._given = []
        if self._end is not None:
            raise ParserClosedError
        if self._failure is not None:
            raise _again(self._failure).with_traceback(None)
        chunk = chunk if type(chunk) is bytes else _as_bytes(chunk)
        self._until = -1
        offset, self._seen = self._seen, self._seen + len(chunk)
        events: list[Event] = []
        try:
            self._read_lines(self._decoder.decode(chunk, offset), events)
            if self._decoder.fault is not None:
                raise _again(self._decoder.fault)
        except BaseException as failure:
            # An equal one, as above: a traceback would keep the read and this parser alive.
            self._failure = _again(failure)
            self._given = events
            if isinstance(failure, (DecodeError, EventTooLargeError)):
                failure.events = tuple(events)
            self._clear()
            raise
        return events

    def _read_lines(self, data: bytes, events: list[Event]) -> None:
        fields, lines = self._fields, self._lines
        # Held data grow by no more than what is read, so this spares measuring almost every line.
        within = len(fields.held) + lines.size + len(data) <= self._full
        finished = lines.cut(data)
        if within and self._watch is None:
            events += fields.read(finished) if finished else []
        else:
            # Line by line, so that a limit or a callback that raises finds all counts as of it.
            for line in finished:
                self._measure(len(line.encode()))
                events += fields.read([line])
            self._measure(lines.size)
        if self._decoder.passing and not lines.after_cr and self._watch is None:
            self._until = self._seen + self._full - len(fields.held) - lines.size

    def _measure(self, line: int) -> None:
        if len(self._fields.held) + line > self._full:
            raise EventTooLargeError(self._full)


def _as_bytes(chunk: Chunk) -> bytes:
    # Not bytes(chunk) for all that comes: bytes(5) would be five NULs.
    if isinstance(chunk, (bytes, bytearray, memoryview)):
        return bytes(chunk)
    raise TypeError(
        f"feed() takes bytes, bytearray or memoryview, not {type(chunk).__name__}: pass the raw "
        "reads of the body, such as iter_bytes() or iter_content(4096) gives, not text or lines"
    )


def _again(failure: BaseException) -> BaseException:
    """Give an equal error without events; what a callback raised is raised again as it is."""
    if isinstance(failure, (DecodeError, EventTooLargeError)):
        return type(failure)(*failure.args)
    return failure
