"""Own how the decoders inside clients of model hosts are driven: private, all of them.

Some of them read JSON from each event and build their answer from it. That is no part of parsing
the stream, so it is replaced by a function that gives back what it gets: here, in the one process
that measures. Each function imports its package when it is called.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from contenders import Reader, Reads
from peers_bytes import counted


class Body:
    """What these decoders use of a response: its headers, its bytes as they come, and its end."""

    def __init__(self, reads: Reads) -> None:
        self.headers = {"content-type": "text/event-stream"}
        self._reads = reads

    def iter_bytes(self) -> Iterator[bytes]:
        """Give the reads."""
        return iter(self._reads)

    def close(self) -> None:
        """Do nothing: there is no connection."""


def _byte_decoder(module: str) -> Reader:
    streaming = importlib.import_module(module)
    return lambda reads: counted(streaming.SSEDecoder().iter_bytes(iter(reads)))


def openai() -> Reader:
    """Its decoder, without the client that stops at ``[DONE]``."""
    return _byte_decoder("openai._streaming")


def anthropic() -> Reader:
    """Its decoder, the older form of openai's."""
    return _byte_decoder("anthropic._streaming")


def groq() -> Reader:
    """Its decoder, the older form of openai's."""
    return _byte_decoder("groq._streaming")


def cohere() -> Reader:
    """Its event source over a body."""
    source = importlib.import_module("cohere.core.http_sse").EventSource
    return lambda reads: counted(source(Body(reads)).iter_sse())


def google_genai() -> Reader:
    """Its step from bytes to the JSON text of each event; it has no events beyond that."""
    response = importlib.import_module("google.genai._api_client").HttpResponse

    class HttpxBody(Body, importlib.import_module("httpx").Response):  # type: ignore[misc]
        """A body that is of the type it asks for."""

    def read(reads: Reads) -> int:
        return counted(response({}, HttpxBody(reads))._iter_response_stream())

    return read


def langgraph_sdk() -> Reader:
    """Its decoders of lines and of events, the JSON left as it is."""
    sse: Any = importlib.import_module("langgraph_sdk.sse")
    sse.orjson = SimpleNamespace(loads=_same, JSONDecodeError=ValueError)

    def read(reads: Reads) -> int:
        lines, events = sse.BytesLineDecoder(), sse.SSEDecoder()
        found = (events.decode(line) for each in reads for line in lines.decode(each))
        return sum(event is not None for event in found)

    return read


def mistralai() -> Reader:
    """Its generator of events over a body, the JSON left as it is."""
    streaming: Any = importlib.import_module("mistralai.client.utils.eventstreaming")
    streaming.json = SimpleNamespace(loads=_same, dumps=_same, JSONDecodeError=ValueError)
    return lambda reads: counted(streaming.stream_events(Body(reads), _same))


def _same(value: object) -> object:
    return value
