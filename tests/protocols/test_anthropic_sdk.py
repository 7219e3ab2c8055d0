"""The anthropic package reads through untorn: in place of its decoder, and beside its objects."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("anthropic", reason="needs the anthropic package (group sdks)")

from anthropic import Anthropic, APIStatusError, AsyncAnthropic
from anthropic.resources.messages import AsyncMessages
from anthropic.types import RawMessageStreamEvent
from anthropic_recipe import AsyncUntornAnthropic, UntornAnthropic
from clients import soon
from httpx2 import ReadTimeout, RemoteProtocolError
from sdk_decoder import Decoder
from sdk_wires import SENT, SPOILT, TEXT, same_to_a_reader, spoilt

from untorn.deltas import Outcome, TextDelta, aiter_deltas, iter_deltas
from untorn.testing import HostileServer, Stream

PAGE = Path(__file__).parents[2] / "docs" / "adopt.md"
OWN: dict[str, Any] = {"api_key": "none", "max_retries": 0}
ASKED: dict[str, Any] = {
    "model": "m",
    "max_tokens": 9,
    "messages": [{"role": "user", "content": "Hello"}],
}


def event(kind: str, **fields: Any) -> bytes:
    data = json.dumps({"type": kind, **fields}, ensure_ascii=False)
    return f"event: {kind}\ndata: {data}\n\n".encode()


def word(text: str) -> bytes:
    return event("content_block_delta", index=0, delta={"type": "text_delta", "text": text})


START = event(
    "message_start",
    message={
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    },
) + event("content_block_start", index=0, content_block={"type": "text", "text": ""})
WORDS = b"".join(map(word, SENT))
END = (
    event("content_block_stop", index=0)
    + event("message_delta", delta={"stop_reason": "end_turn"}, usage={"output_tokens": 5})
    + event("message_stop")
)
BODY = START + WORDS + END
KINDS = ["message_start", "content_block_start", *SENT]
KINDS += ["content_block_stop", "message_delta", "message_stop"]
SHAPES = same_to_a_reader(BODY)

Read = Callable[[Stream], list[str]]


def shown(event: RawMessageStreamEvent) -> str:
    """Give the text of a piece of text, and the type of all else."""
    if event.type == "content_block_delta" and event.delta.type == "text_delta":
        return event.delta.text
    return event.type


def read_with(client: type[Anthropic], stream: Stream) -> list[str]:
    """Read an answer with the SDK's own objects."""
    with (
        HostileServer(stream) as server,
        client(base_url=server.url, **OWN) as asking,
        asking.messages.create(**ASKED, stream=True) as events,
    ):
        return [shown(each) for each in events]


async def aread_with(client: type[AsyncAnthropic], stream: Stream) -> list[str]:
    with HostileServer(stream) as server:
        async with (
            client(base_url=server.url, **OWN) as asking,
            await asking.messages.create(**ASKED, stream=True) as events,
        ):
            return [shown(each) async for each in events]


def own(stream: Stream) -> list[str]:
    return read_with(Anthropic, stream)


def ours(stream: Stream) -> list[str]:
    return read_with(UntornAnthropic, stream)


def aown(stream: Stream) -> list[str]:
    return asyncio.run(aread_with(AsyncAnthropic, stream))


def aours(stream: Stream) -> list[str]:
    return asyncio.run(aread_with(AsyncUntornAnthropic, stream))


OWNS = pytest.mark.parametrize("read", [own, aown])
OURS = pytest.mark.parametrize("read", [ours, aours])


@OURS
@pytest.mark.parametrize("shape", SHAPES)
def test_their_objects_are_right_whatever_the_wire(read: Read, shape: str) -> None:
    assert read(SHAPES[shape]) == KINDS


@OURS
def test_bytes_that_are_not_utf_8_cost_one_character(read: Read) -> None:
    assert "".join(read(spoilt(START + WORDS))[2:]) == SPOILT


@OURS
@pytest.mark.parametrize("at", ["JSON text", "character"])
def test_half_an_event_is_an_error_and_no_silent_end(read: Read, at: Any) -> None:
    with pytest.raises(json.JSONDecodeError):
        read(Stream(START + WORDS, stop_at=at))


@OURS
def test_a_broken_connection_is_their_own_error(read: Read) -> None:
    with pytest.raises(RemoteProtocolError):
        read(Stream(BODY, stop_at="event", stop="close"))


@OURS
def test_a_reported_error_is_their_own_error(read: Read) -> None:
    error = event("error", error={"type": "overloaded_error", "message": "Overloaded"})
    with pytest.raises(APIStatusError, match="Overloaded"):
        read(Stream(START + event("ping") + error, piece=1))


@OWNS
def test_their_decoder_fails_where_the_recipe_does_not(read: Read) -> None:
    """The day that one of these fails, the SDK has become better: take it out of the page."""
    with pytest.raises(UnicodeDecodeError):
        read(spoilt(BODY))
    assert read(SHAPES["a byte order mark"]) == KINDS[1:]
    assert read(SHAPES["a reconnection time first"]) == KINDS
    assert read(SHAPES["no blank line at the end"]) == KINDS[:-1]
    assert read(Stream(START + WORDS, stop_at="JSON text")) == KINDS[:4]


@pytest.mark.parametrize(("client", "kinds"), [(Anthropic, []), (UntornAnthropic, KINDS)])
def test_an_event_is_read_before_the_next_one_is_sent(
    client: type[Anthropic], kinds: list[str]
) -> None:
    """Their decoder looks for two line ends of one kind, and waits for the end without them."""
    got: list[str] = []
    with (
        HostileServer(Stream(BODY, line_end="mixed", stop="stall")) as server,
        client(base_url=server.url, timeout=0.5, **OWN) as asking,
        asking.messages.create(**ASKED, stream=True) as events,
        pytest.raises(ReadTimeout),
    ):
        got.extend(map(shown, events))

    assert got == kinds


def test_their_helpers_go_through_the_recipe_as_well() -> None:
    with (
        HostileServer(SHAPES["a byte order mark"]) as server,
        UntornAnthropic(base_url=server.url, **OWN) as client,
        client.with_options(timeout=9).messages.stream(**ASKED) as stream,
    ):
        assert stream.get_final_text() == TEXT


def test_leaving_early_closes_the_connection() -> None:
    with (
        HostileServer(Stream(BODY, stop="stall")) as server,
        UntornAnthropic(base_url=server.url, **OWN) as client,
    ):
        with client.messages.create(**ASKED, stream=True) as events:
            assert next(events).type == "message_start"
        assert soon(lambda: server.answered == 1)


def test_deltas_are_read_from_the_raw_response() -> None:
    with HostileServer() as server, Anthropic(base_url=server.url, **OWN) as client:
        for shape, sent in SHAPES.items():
            asking = client.with_options(base_url=server.add(sent)).messages
            with (
                asking.with_streaming_response.create(**ASKED, stream=True) as response,
                iter_deltas(response.iter_bytes(), "anthropic") as stream,
            ):
                texts = [delta.text for delta in stream if isinstance(delta, TextDelta)]
            assert (shape, texts) == (shape, SENT)
            assert stream.message.intact


def test_deltas_are_read_from_the_raw_response_asynchronously() -> None:
    async def read(asking: AsyncMessages) -> list[str]:
        async with (
            asking.with_streaming_response.create(**ASKED, stream=True) as response,
            aiter_deltas(response.iter_bytes(), "anthropic") as stream,
        ):
            return [delta.text async for delta in stream if isinstance(delta, TextDelta)]

    async def main() -> None:
        with HostileServer() as server:
            async with AsyncAnthropic(base_url=server.url, **OWN) as client:
                for shape, sent in SHAPES.items():
                    asking = client.with_options(base_url=server.add(sent)).messages
                    assert (shape, await read(asking)) == (shape, SENT)

    asyncio.run(main())


@pytest.mark.parametrize(
    ("sent", "text", "outcome"),
    [
        (spoilt(BODY), SPOILT, Outcome.COMPLETED),
        (Stream(START + WORDS), TEXT, Outcome.TRUNCATED),
        (Stream(START + WORDS, stop_at="character"), "".join(SENT[:-1]), Outcome.TRUNCATED),
    ],
)
def test_the_message_says_what_their_objects_cannot(
    sent: Stream, text: str, outcome: Outcome
) -> None:
    with HostileServer(sent) as server, Anthropic(base_url=server.url, **OWN) as client:
        asking = client.messages.with_streaming_response
        with (
            asking.create(**ASKED, stream=True) as response,
            iter_deltas(response.iter_bytes(), "anthropic") as stream,
        ):
            list(stream)
    message = stream.message

    assert (message.text, message.outcome, message.intact) == (text, outcome, False)


def test_the_page_shows_the_recipe_that_is_tested() -> None:
    page = PAGE.read_text("utf-8")

    for recipe in (Decoder, UntornAnthropic):
        assert inspect.getsource(recipe) in page
