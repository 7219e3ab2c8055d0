"""Own the parser: bytes in, events out; the three steps in order, the size limit, failure, the end.

The order of the steps, decoder before line buffer, makes each of them a short file: behind the
decoder every line is whole UTF-8 that can be cut at any ASCII byte. They pass bytes on, not text,
since bytes are what a limit in bytes counts, and what ``splitlines`` cuts at CR and LF alone.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from ._end import StreamEnd
from ._errors import DecodeError, EventTooLargeError, ParserClosedError
from ._event import Event
from ._fields import FieldReader
from ._lines import CR, LF, LineBuffer
from ._utf8 import Utf8Decoder, is_whole

TYPE_CHECKING = False  # a name that checkers know; see _event.py
if TYPE_CHECKING:
    from typing import Literal

D = ord("d")  # of "data"
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
        *("_decoder", "_end", "_errors", "_failure", "_fields", "_full", "_given", "_lines"),
        *("_max", "_plain", "_room", "_unseen", "_watch"),
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
        self._max = max_event_size
        self._watch = on_comment
        self._full = sys.maxsize if max_event_size is None else max_event_size
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
        # (CPython 3.11): a read of ASCII without a line end is gathered (0.4), one that is a whole
        # simple event needs no line buffer (0.5), any other of whole UTF-8 no decoder (0.8).
        if self._plain and chunk.__class__ is bytes:
            pending = self._lines.pending
            if LF not in chunk and CR not in chunk:
                if chunk.isascii():
                    self._unseen += len(chunk)
                    pending += chunk
                    if len(pending) <= self._room:
                        return []
                    chunk = b""  # the long way finds the limit passed
            elif len(pending) + len(chunk) <= self._room:
                event = self._fields.read_block(chunk) if not pending and chunk[0] == D else None
                if event is not None:
                    self._unseen += len(chunk)
                    return [event]
                if chunk.isascii() or is_whole(chunk):
                    self._unseen += len(chunk)
                    return self._read_whole(chunk)
        return self._read(chunk)

    def close(self) -> StreamEnd:
        """Say that no more bytes come, and learn how the stream ended; never raises.

        A second call gives the same answer. After a failure, it is the end as of the fault.
        """
        if self._end is None:
            tail = None
            if self._failure is None:
                undecoded = self._decoder.close()
                line = bytes(self._lines.pending) + undecoded.decode("utf-8", "replace").encode()
                tail = self._fields.tail(line, undecoded)
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
        return self._decoder.byte_count + self._unseen

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
        self._unseen = 0  # bytes that went a short way, past the decoder
        self._clear()

    def _clear(self) -> None:
        self._lines = LineBuffer()
        self._fields.drop()
        self._room = self._full  # what the pending line may come to
        self._plain = False  # whether the short ways are open

    def _read(self, chunk: Chunk) -> list[Event]:
        """Do what ``feed`` does, the long way."""
        self._given = []
        if self._end is not None:
            raise ParserClosedError
        if self._failure is not None:
            raise _again(self._failure).with_traceback(None)
        chunk = chunk if type(chunk) is bytes else _as_bytes(chunk)
        self._decoder.byte_count += self._unseen
        self._unseen = 0
        events: list[Event] = []
        try:
            self._read_lines(self._decoder.decode(chunk), events)
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

    def _read_whole(self, data: bytes) -> list[Event]:
        """Read what has a line end, and can pass no limit."""
        events: list[Event] = []
        fields, lines = self._fields, self._lines
        if lines.pending or data[-1] != LF:
            fields.read(lines.split(data), events)
            self._plain = not lines.after_cr
        else:
            fields.read(data.splitlines(), events)
        self._room = self._full if fields.idle else self._full - fields.held
        return events

    def _read_lines(self, data: bytes, events: list[Event]) -> None:
        fields, lines = self._fields, self._lines
        # What is held grows by no more than the size of what is read, so this bound spares
        # measuring each line of almost every read.
        within = len(lines.pending) + len(data) <= self._room
        finished = lines.cut(data)
        if within and self._watch is None:
            if finished:
                fields.read(finished, events)
        else:
            # Line by line, so that a limit or a callback that raises finds all counts as of it.
            for line in finished:
                self._measure(line)
                fields.read([line], events)
            self._measure(lines.pending)
        self._room = self._full if fields.idle else self._full - fields.held
        self._plain = self._decoder.passing and not lines.after_cr and self._watch is None

    def _measure(self, line: bytes | bytearray) -> None:
        if self._max is not None and self._fields.held + len(line) > self._max:
            raise EventTooLargeError(self._max)


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
