"""untorn.deltas reads what LLM formats put into events: the third boundary, the token.

``DeltaAssembler`` turns events into typed deltas and into a message with an honest outcome;
``iter_deltas`` does so over a body, ``iter_text`` and ``read_message`` in one line.
``PartialJSON`` reads a JSON text that comes in pieces, such as the arguments of a tool call, and
shows the best value so far.
"""

from __future__ import annotations

from ._assembler import DeltaAssembler
from ._faults import (
    AssemblerClosedError,
    AssemblyLimitError,
    BadPayloadError,
    IncompleteToolCallError,
    TornMessageError,
    UnknownFormatError,
)
from ._format import EventReader, Format, FormatName
from ._growing import NOTHING, Nothing
from ._message import Choice, Message, Outcome, Part, ToolCall
from ._names import get_format
from ._partial import PartialJSON, PartialJSONError
from ._shortcuts import aiter_text, aread_message, iter_text, read_message
from ._stream import AsyncDeltaStream, DeltaStream, aiter_deltas, iter_deltas
from ._types import (
    BadPayload,
    Delta,
    EndMarker,
    ErrorUpdate,
    EventLike,
    Finish,
    ReasoningDelta,
    RefusalDelta,
    TextDelta,
    ToolCallDelta,
    ToolCallEnd,
    ToolCallStart,
    UsageUpdate,
)
from .formats.plain import JSONField, Plain

__all__ = [
    "NOTHING",
    "AssemblerClosedError",
    "AssemblyLimitError",
    "AsyncDeltaStream",
    "BadPayload",
    "BadPayloadError",
    "Choice",
    "Delta",
    "DeltaAssembler",
    "DeltaStream",
    "EndMarker",
    "ErrorUpdate",
    "EventLike",
    "EventReader",
    "Finish",
    "Format",
    "FormatName",
    "IncompleteToolCallError",
    "JSONField",
    "Message",
    "Nothing",
    "Outcome",
    "Part",
    "PartialJSON",
    "PartialJSONError",
    "Plain",
    "ReasoningDelta",
    "RefusalDelta",
    "TextDelta",
    "ToolCall",
    "ToolCallDelta",
    "ToolCallEnd",
    "ToolCallStart",
    "TornMessageError",
    "UnknownFormatError",
    "UsageUpdate",
    "aiter_deltas",
    "aiter_text",
    "aread_message",
    "get_format",
    "iter_deltas",
    "iter_text",
    "read_message",
]
