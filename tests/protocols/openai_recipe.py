"""Own the clients of openai that read through untorn, as docs/adopt.md shows them."""

from __future__ import annotations

from openai import AsyncOpenAI, OpenAI
from openai._streaming import ServerSentEvent as OpenAIEvent
from sdk_decoder import Decoder


class UntornOpenAI(OpenAI):
    def _make_sse_decoder(self) -> Decoder[OpenAIEvent]:
        return Decoder(OpenAIEvent)


class AsyncUntornOpenAI(AsyncOpenAI):
    def _make_sse_decoder(self) -> Decoder[OpenAIEvent]:
        return Decoder(OpenAIEvent)
