"""Own the clients of anthropic that read through untorn, as docs/adopt.md shows them."""

from __future__ import annotations

from anthropic import Anthropic, AsyncAnthropic
from anthropic._streaming import ServerSentEvent as AnthropicEvent
from sdk_decoder import Decoder


class UntornAnthropic(Anthropic):
    def _make_sse_decoder(self) -> Decoder[AnthropicEvent]:
        return Decoder(AnthropicEvent)


class AsyncUntornAnthropic(AsyncAnthropic):
    def _make_sse_decoder(self) -> Decoder[AnthropicEvent]:
        return Decoder(AnthropicEvent)
