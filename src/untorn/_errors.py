"""Own every error that untorn raises; know nothing of how they come about.

The tree::

    UntornError
    ├── DecodeError           (also ValueError)  strict mode met bytes that are not UTF-8
    ├── EventTooLargeError                       an event outgrew max_event_size
    ├── TornStreamError                          the stream ended inside an event, and tail="raise"
    ├── ParserClosedError                        feed() after close()
    ├── StatusError                              a response whose status brings no event stream
    ├── ContentTypeError      (also ValueError)  a response that is of another type
    ├── GaveUpError                              too many connections in a row delivered nothing
    └── EncodeError           (also ValueError)  a value cannot be carried by an event stream

Each keeps its facts as attributes and as ``args``, so that errors survive pickling and their repr
shows them. Messages are for people and may change.
"""

from __future__ import annotations

TYPE_CHECKING = False  # a name that checkers know; see _event.py
if TYPE_CHECKING:
    from ._end import Tail
    from ._event import Event


class UntornError(Exception):
    """Root of all errors that untorn raises.

    Attributes:
        events: What was raised while feeding carries the events that were already complete in
            that same call. The iterators hand those out first and leave the tuple empty.

    Example:
        >>> from untorn import SSEParser, UntornError
        >>> try:
        ...     SSEParser(errors="strict").feed(b"data: good\\n\\ndata: \\xff\\n\\n")
        ... except UntornError as error:
        ...     print([event.data for event in error.events])
        ['good']
    """

    events: tuple[Event, ...] = ()


class DecodeError(UntornError, ValueError):
    """Report bytes that are not UTF-8, met with ``errors="strict"``.

    Args:
        offset: Where the first bad byte stands, counted in bytes from the start of the stream.
        bad_bytes: The ill-formed part: the bytes that the other mode would make one U+FFFD.
    """

    def __init__(self, offset: int, bad_bytes: bytes) -> None:
        super().__init__(offset, bad_bytes)
        self.offset = offset
        self.bad_bytes = bad_bytes

    def __str__(self) -> str:
        return f"not UTF-8 at byte {self.offset}: {self.bad_bytes.hex(' ')}"


class EventTooLargeError(UntornError):
    """Report an event that outgrew ``max_event_size``.

    Args:
        limit: The limit that was passed, in bytes of UTF-8.
    """

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit

    def __str__(self) -> str:
        return (
            f"an event is larger than {self.limit:,} bytes; "
            "raise max_event_size, or pass None to have no limit"
        )


class TornStreamError(UntornError):
    """Report a stream that ended inside an event, where the caller asked with ``tail="raise"``.

    Args:
        tail: What was open when the stream ended.
    """

    def __init__(self, tail: Tail) -> None:
        super().__init__(tail)
        self.tail = tail

    def __str__(self) -> str:
        line = self.tail.line
        shown = repr(line if len(line) <= 80 else line[:80] + "…")
        held = "an event is open" if self.tail.event is not None else "no event is open"
        return f"the stream ended before a blank line: {held}, the unfinished line is {shown}"


class ParserClosedError(UntornError):
    """Report what is fed to a parser that is closed; ``SSEParser.reset`` makes it ready anew."""

    def __str__(self) -> str:
        return "the parser is closed: a new stream needs a new one, or reset() of an SSEParser"


class StatusError(UntornError):
    """Report a response whose status brings no event stream.

    Args:
        status: The HTTP status.
    """

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status

    def __str__(self) -> str:
        return f"the response has status {self.status}, and only 200 brings an event stream"


class ContentTypeError(UntornError, ValueError):
    """Report a response that is of another type than ``text/event-stream``.

    Args:
        content_type: What came; None if the response does not say.
    """

    def __init__(self, content_type: str | None) -> None:
        super().__init__(content_type)
        self.content_type = content_type

    def __str__(self) -> str:
        came = "without a type" if self.content_type is None else repr(self.content_type)
        return (
            f"the response is {came} and no event stream (text/event-stream): read as one it would "
            "give no events; its body may say why"
        )


class GaveUpError(UntornError):
    """Report that too many connections in a row delivered nothing; the cause is the last fault.

    Args:
        attempts: How many.
    """

    def __init__(self, attempts: int) -> None:
        super().__init__(attempts)
        self.attempts = attempts

    def __str__(self) -> str:
        return f"gave up: {self.attempts} connections in a row delivered nothing"


class EncodeError(UntornError, ValueError):
    """Report a value that an event stream cannot carry.

    Args:
        field: The field that would have held it: ``data``, ``event``, ``id``, ``retry``, or
            ``comment``.
        value: The value as it was given.
        reason: What is wrong with it.
    """

    def __init__(self, field: str, value: object, reason: str) -> None:
        super().__init__(field, value, reason)
        self.field = field
        self.value = value
        self.reason = reason

    def __str__(self) -> str:
        shown = repr(self.value)
        return f"{self.field} {self.reason}: {shown if len(shown) <= 80 else shown[:80] + '…'}"
