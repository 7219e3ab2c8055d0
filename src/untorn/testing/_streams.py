"""Own what a hostile server sends, as a value: the body, how it is cut, and how it ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Literal, TypeAlias, get_args

from .._event import Event
from ..recording import Recording
from ._boundaries import Kind

LineEnd: TypeAlias = Literal["LF", "CR", "CRLF", "mixed"]
Stop: TypeAlias = Literal["end", "close", "reset", "stall", "keep-alive"]
Transfer: TypeAlias = Literal["chunked", "content-length", "close"]

JSON_ERROR = b'{"error": {"message": "The server is overloaded", "type": "overloaded_error"}}'
HTML_ERROR = b"<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head></html>\n"


@dataclass(frozen=True, slots=True)
class Stream:
    r"""Describe an answer of a hostile server, in the order in which the options take effect.

    Args:
        body: The bytes of the body; or events, of which a client that asks with a Last-Event-ID
            gets those behind the last one of that id; or a recording, which is sent in its reads.
        resume: Whether the Last-Event-ID is heeded; a server that does not sends all again.
        retry: Milliseconds for a ``retry`` line at the start.
        line_end: What all line ends become; "mixed" takes LF, CRLF and CR in turn.
        comments: Put a keep-alive comment before every so many blocks; 0 is none.
        byte_order_mark: Whether to begin with one.
        stop_at: Where to stop, as an offset (a negative one counts from the end), or inside the
            last thing of a kind: "event" is an end without a blank line. None: the body's end.
        cut: Where one write ends and the next begins: offsets, and kinds, each cut once.
        piece: Bytes in a write, where ``cut`` is empty. A body of bytes or events is one write
            otherwise.
        delay: Seconds between two writes; "recorded" for those of a recording. Without any, a
            client may get several writes in one read, unless each is a chunk.
        gzip: Whether to compress the body, each write so that it can be read at once.
        transfer: "chunked", each write a chunk; "content-length"; or "close", as in HTTP/1.0, where
            nobody can tell an end from a broken connection.
        chunk_sizes: Sizes of chunks that end elsewhere than writes do, in turn, such as (1, 3, 7).
        stop: What happens at the end: "end", as the transfer wants; "close", without the last chunk
            or with too few bytes; "reset" (RST); "stall", where nothing more comes; "keep-alive",
            where comments do, each second or ``delay``.
        status: The HTTP status; 204 and 304 have no body.
        content_type: That of the head, true or not, such as "text/event-stream; charset=latin-1".
        headers: Others for the head.

    Raises:
        TypeError: The body is something else, such as text.
        ValueError: Options that contradict each other, or none of those that there are. What
            depends on the body, such as a cut inside a character where there is none, the server
            says when it gets the stream.

    Example:
        >>> from urllib.request import urlopen
        >>> from untorn.testing import HostileServer, Stream
        >>> stream = Stream("data: 火\n\n".encode(), line_end="CRLF", cut=["character", "CRLF"])
        >>> with HostileServer(stream) as server, urlopen(server.url) as response:
        ...     list(iter(response.read1, b""))
        [b'data: \xe7\x81', b'\xab\r', b'\n\r', b'\n']
    """

    body: bytes | Recording | Iterable[Event] = b""
    _: KW_ONLY
    resume: bool = True
    retry: int | None = None
    line_end: LineEnd | None = None
    comments: int = 0
    byte_order_mark: bool = False
    stop_at: int | Kind | None = None
    cut: Sequence[int | Kind] = ()
    piece: int | None = None
    delay: float | Literal["recorded"] = 0.0
    gzip: bool = False
    transfer: Transfer = "chunked"
    chunk_sizes: Sequence[int] = ()
    stop: Stop = "end"
    status: int = 200
    content_type: str = "text/event-stream"
    headers: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "body", _as_body(self.body))
        if isinstance(self.cut, (str, int)):
            raise TypeError(f"cut is a list, such as [{self.cut!r}]")
        for name, allowed in _CHOICES.items():
            value = getattr(self, name)
            if value not in allowed:
                raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}")
        kinds = [kind for kind in (*self.cut, self.stop_at) if isinstance(kind, str)]
        wrong = [kind for kind in kinds if kind not in get_args(Kind)]
        if wrong:
            raise ValueError(f"{wrong[0]!r} is no boundary; there are: {', '.join(get_args(Kind))}")
        self._check_sizes()
        self._check_recording()

    def _check_sizes(self) -> None:
        if self.piece is not None and self.piece < 1:
            raise ValueError(f"piece must be at least 1 byte, not {self.piece}")
        if self.piece is not None and self.cut:
            raise ValueError("piece and cut are two ways to cut: give one of them")
        if any(type(size) is not int or size < 1 for size in self.chunk_sizes):
            raise ValueError("chunk_sizes must be whole numbers, at least 1 byte each")
        if self.chunk_sizes and self.transfer != "chunked":
            raise ValueError('chunk_sizes are those of transfer="chunked"')
        if self.comments < 0:
            raise ValueError(f"comments must be 0 or more, not {self.comments}")
        if self.delay != "recorded" and not self.delay >= 0:
            raise ValueError(f"delay must be 0 seconds or more, not {self.delay}")
        if not 200 <= self.status <= 599:
            raise ValueError(f"status must be from 200 to 599, not {self.status}")

    def _check_recording(self) -> None:
        recorded = isinstance(self.body, Recording)
        changed = self.retry is not None or self.line_end or self.comments or self.byte_order_mark
        if recorded and changed:
            raise ValueError("a recording is sent as it is; take its wire, if that is to change")
        if self.delay == "recorded" and not (recorded and not self.cut and self.piece is None):
            raise ValueError('delay="recorded" needs a recording that is sent in its reads')


def _as_body(body: object) -> bytes | Recording | tuple[Event, ...]:
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    if isinstance(body, Recording):
        return body
    if isinstance(body, str) or not isinstance(body, Iterable):
        raise TypeError(f"a body is bytes, events or a recording, not {type(body).__name__}")
    events = tuple(body)
    for event in events:
        if not isinstance(event, Event):
            raise TypeError(f"a body of events holds {type(event).__name__}")
    return events


_CHOICES = {
    "line_end": (None, *get_args(LineEnd)),
    "stop": get_args(Stop),
    "transfer": get_args(Transfer),
}
