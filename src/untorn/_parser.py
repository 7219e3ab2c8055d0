"""Own the parser: bytes in, events out; the three steps in order, the size limit, failure, the end.

The order of the steps, decoder before line buffer, makes each of them a short file: behind the
decoder all is text, which nothing can be wrong with, and which is cut and compared at once, a read
as a whole. What outlives a read is kept as UTF-8: a limit counts that, and it grows in place.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from ._end import StreamEnd
from ._errors import DecodeError, EventTooLargeError, ParserClosedError
from ._event import Event
from ._fields import FieldReader
from ._lines import LineBuffer
from ._utf8 import Utf8Decoder

TYPE_CHECKING = False  # a name that checkers know; see _event.py
if TYPE_CHECKING:
    from typing import Literal

BULK = 256 * 1024  # bytes that are taken apart at once: their parts may take 50 times as many
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
        ValueError: ``errors`` or ``max_event_size`` has a value that is none of the above.
        TypeError: ``last_event_id`` is no text.

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
        *("_decoder", "_end", "_errors", "_failure", "_fields", "_given"),
        *("_limit", "_lines", "_pending", "_seen", "_until", "_watch"),
    )

    def __init__(
        self,
        *,
        errors: Literal["replace", "strict"] = "replace",
        max_event_size: int | None = 64 * 1024 * 1024,
        last_event_id: str = "",
        on_comment: Callable[[str], object] | None = None,
    ) -> None:
        if errors not in ("replace", "strict"):
            raise ValueError(f'errors must be "replace" or "strict", not {errors!r}')
        if not (max_event_size is None or (isinstance(max_event_size, int) and max_event_size > 0)):
            raise ValueError(f"max_event_size must be at least 1, or None, not {max_event_size!r}")
        if not isinstance(last_event_id, str):
            raise TypeError(f"last_event_id must be text, not {type(last_event_id).__name__}")
        self._errors = errors
        self._limit = sys.maxsize if max_event_size is None else max_event_size
        self._watch = on_comment
        self._begin(last_event_id, None)

    def _begin(self, last_event_id: str, retry: int | None) -> None:
        self._decoder = Utf8Decoder(self._errors)
        self._fields = FieldReader(last_event_id=last_event_id, retry=retry, on_comment=self._watch)
        self._failure: BaseException | None = None
        self._given: list[Event] = []  # what was complete when feed raised: for the iterators
        self._end: StreamEnd | None = None
        self._seen = 0
        self._clear()

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
        # The short way is for whole characters where no limit is near: one event a read takes 0.4
        # of the time. In it, a part of a line in ASCII is only gathered: a quarter; whole lines
        # behind whole lines need no buffer: 0.95. 10 is LF, 13 CR: by names, reads of 64 take 1.03.
        if chunk.__class__ is bytes and (seen := self._seen + len(chunk)) <= self._until:
            if 10 not in chunk and 13 not in chunk and chunk.isascii():
                self._seen = seen
                self._pending += chunk
                return []
            try:
                text = chunk.decode()
            except UnicodeDecodeError:
                return self._read(chunk)
            self._seen = seen
            if self._pending or self._lines.after_cr or text[-1] != "\n":
                text = self._lines.cut(text)
            elif 13 in chunk:
                text = self._lines.newlines.decode(text, True)
            return self._fields.read(text) if text else []
        return self._read(chunk)

    def close(self) -> StreamEnd:
        """Say that no more bytes come, and learn how the stream ended; never raises.

        A second call gives the same answer. After a failure, it is the end as of the fault.
        """
        if self._end is None:
            tail = None
            if self._failure is None:
                undecoded = self._decoder.close()
                line = self._pending.decode() + undecoded.decode("utf-8", "replace")
                tail = self._fields.tail(line, undecoded)
            fields = self._fields
            counts = (self._seen, fields.event_count, fields.line_count, self.replacements)
            ignored = (fields.ignored_lines, fields.ignored_text)
            self._end = StreamEnd(tail, *counts, *ignored, fields.last_event_id, fields.retry)
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

    def _clear(self) -> None:
        self._lines = LineBuffer()
        self._pending = self._lines.pending  # by its own name, a read of one byte takes 0.975
        self._fields.drop()
        self._until = -1  # the byte count up to which the short way is open

    def _read(self, chunk: Chunk) -> list[Event]:
        """Do what ``feed`` does, the long way."""
        self._given = []
        if self._end is not None:
            raise ParserClosedError
        if self._failure is not None:
            raise _again(self._failure).with_traceback(None)
        data = _as_bytes(chunk)
        events: list[Event] = []
        try:
            self._read_lines(data, events)
        except BaseException as failure:
            # An equal one, as above: the traceback would keep the read and this parser alive.
            self._failure = _again(failure)
            self._given = events
            if isinstance(failure, (DecodeError, EventTooLargeError)):
                failure.events = tuple(events)
            self._clear()
            raise
        return events

    def _read_lines(self, data: bytes, events: list[Event]) -> None:
        fields, pending = self._fields, self._pending
        offset, self._seen = self._seen, self._seen + len(data)
        lines = self._lines.cut(self._decoder.decode(data, offset))
        watched = self._watch is not None and "\n:" in "\n" + lines
        at = 0
        while at < len(lines):
            # As many lines at once as fit in any case, with four bytes a character; else a single
            # one, so that a limit or a callback that raises finds all counts as of it.
            room = 0 if watched else min(self._limit - len(fields.held), BULK) // 4
            end = lines.rfind("\n", at, at + room) + 1 or lines.find("\n", at) + 1
            if end - at > room:
                self._measure(lines[at : end - 1].encode())
            events += fields.read(lines[at:end])
            at = end
        self._measure(pending)
        if self._decoder.fault is not None:
            raise _again(self._decoder.fault)
        short = self._decoder.passing and self._watch is None
        left = min(self._limit - len(fields.held) - len(pending), BULK)
        self._until = self._seen + left if short else -1

    def _measure(self, line: bytes | bytearray) -> None:
        if len(self._fields.held) + len(line) > self._limit:
            raise EventTooLargeError(self._limit)


def _as_bytes(chunk: Chunk) -> bytes:
    # Not bytes(chunk) for all that comes: bytes(5) would be five NULs.
    if isinstance(chunk, (bytes, bytearray, memoryview)):
        return bytes(chunk)
    raise TypeError(
        f"feed() takes bytes, bytearray or memoryview, not {type(chunk).__name__}: pass the raw "
        "reads of the body, such as iter_bytes() of httpx gives, not text or lines"
    )


def _again(failure: BaseException) -> BaseException:
    """Give an equal error without events; a callback's stays itself, also of a class below ours."""
    own = type(failure) in (DecodeError, EventTooLargeError)
    return type(failure)(*failure.args) if own else failure
