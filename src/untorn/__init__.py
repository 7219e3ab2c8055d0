"""untorn reads server-sent event streams: bytes in, typed events out, nothing torn.

``SSEParser`` takes the bytes as they arrive and gives events; ``iter_events`` and ``aiter_events``
are loops over it for any source of reads; ``StreamEnd`` says how the stream ended. The way back is
``Event.encode`` and ``encode_events``. All errors are ``UntornError``.
"""

from __future__ import annotations

from ._encode import encode_comment, encode_events, encode_retry
from ._end import StreamEnd, Tail
from ._errors import (
    DecodeError,
    EncodeError,
    EventTooLargeError,
    ParserClosedError,
    TornStreamError,
    UntornError,
)
from ._event import Event
from ._iterate import AsyncEventStream, EventStream, aiter_events, iter_events
from ._parser import Chunk, SSEParser

__version__ = "0.1.0"

__all__ = [
    "AsyncEventStream",
    "Chunk",
    "DecodeError",
    "EncodeError",
    "Event",
    "EventStream",
    "EventTooLargeError",
    "ParserClosedError",
    "SSEParser",
    "StreamEnd",
    "Tail",
    "TornStreamError",
    "UntornError",
    "__version__",
    "aiter_events",
    "encode_comment",
    "encode_events",
    "encode_retry",
    "iter_events",
]
