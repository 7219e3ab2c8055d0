"""untorn reads server-sent event streams: bytes in, typed events out, nothing torn.

``SSEParser`` takes the bytes as they arrive and gives events; ``iter_events`` and ``aiter_events``
are loops over it for any source of reads; ``StreamEnd`` says how the stream ended. ``follow`` and
``afollow`` open a stream again when it ends, by the rules of ``Reconnect``. The way back is
``Event.encode`` and ``encode_events``. All errors are ``UntornError``.
"""

from __future__ import annotations

from ._encode import encode_comment, encode_events, encode_retry
from ._end import StreamEnd, Tail
from ._errors import (
    ContentTypeError,
    DecodeError,
    EncodeError,
    EventTooLargeError,
    GaveUpError,
    ParserClosedError,
    StatusError,
    TornStreamError,
    UntornError,
)
from ._event import Event
from ._follow import AsyncFollowing, Following, afollow, follow
from ._http import check_content_type, request_headers
from ._iterate import AsyncEventStream, EventStream, aiter_events, iter_events
from ._parser import Chunk, SSEParser
from ._reconnect import Again, Reconnect, Stop
from ._rounds import AsyncConnection, Connection

__version__ = "0.1.0"

__all__ = [
    "Again",
    "AsyncConnection",
    "AsyncEventStream",
    "AsyncFollowing",
    "Chunk",
    "Connection",
    "ContentTypeError",
    "DecodeError",
    "EncodeError",
    "Event",
    "EventStream",
    "EventTooLargeError",
    "Following",
    "GaveUpError",
    "ParserClosedError",
    "Reconnect",
    "SSEParser",
    "StatusError",
    "Stop",
    "StreamEnd",
    "Tail",
    "TornStreamError",
    "UntornError",
    "__version__",
    "afollow",
    "aiter_events",
    "check_content_type",
    "encode_comment",
    "encode_events",
    "encode_retry",
    "follow",
    "iter_events",
    "request_headers",
]
