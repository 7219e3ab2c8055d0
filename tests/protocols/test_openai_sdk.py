"""The openai package reads through untorn: in place of its decoder, and beside its own objects."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openai", reason="needs the openai package (group sdks)")

from clients import soon
from openai import APIConnectionError, APIError, AsyncOpenAI, OpenAI
from openai.resources.chat.completions import AsyncCompletions
from openai.types.responses import ResponseTextDeltaEvent
from openai_recipe import AsyncUntornOpenAI, UntornOpenAI
from sdk_decoder import Decoder
from sdk_wires import SENT, SPOILT, TEXT, same_to_a_reader, spoilt

from untorn.deltas import Outcome, TextDelta, aiter_deltas, iter_deltas
from untorn.testing import HostileServer, Stream

PAGE = Path(__file__).parents[2] / "docs" / "adopt.md"
OWN: dict[str, Any] = {"api_key": "none", "max_retries": 0}
ASKED: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "Hello"}]}


def chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return f"data: {json.dumps({**head, 'choices': [choice]}, ensure_ascii=False)}\n\n".encode()


WORDS = [chunk({"content": text}) for text in SENT]
BODY = b"".join(WORDS) + chunk({}, "stop") + b"data: [DONE]\n\n"
WITHOUT_MARKER = b"".join(WORDS[:-1]) + chunk({"content": SENT[-1]}, "stop")
SHAPES = same_to_a_reader(BODY)

Read = Callable[[Stream], str]


def read_with(client: type[OpenAI], stream: Stream) -> str:
    """Read an answer with the SDK's own objects."""
    with (
        HostileServer(stream) as server,
        client(base_url=server.url, **OWN) as asking,
        asking.chat.completions.create(**ASKED, stream=True) as chunks,
    ):
        return "".join([each.choices[0].delta.content or "" for each in chunks])


async def aread_with(client: type[AsyncOpenAI], stream: Stream) -> str:
    with HostileServer(stream) as server:
        async with (
            client(base_url=server.url, **OWN) as asking,
            await asking.chat.completions.create(**ASKED, stream=True) as chunks,
        ):
            return "".join([each.choices[0].delta.content or "" async for each in chunks])


def own(stream: Stream) -> str:
    return read_with(OpenAI, stream)


def ours(stream: Stream) -> str:
    return read_with(UntornOpenAI, stream)


def aown(stream: Stream) -> str:
    return asyncio.run(aread_with(AsyncOpenAI, stream))


def aours(stream: Stream) -> str:
    return asyncio.run(aread_with(AsyncUntornOpenAI, stream))


OWNS = pytest.mark.parametrize("read", [own, aown])
OURS = pytest.mark.parametrize("read", [ours, aours])


@OURS
@pytest.mark.parametrize("shape", SHAPES)
def test_their_objects_have_the_text_whatever_the_wire(read: Read, shape: str) -> None:
    assert read(SHAPES[shape]) == TEXT


@OURS
def test_bytes_that_are_not_utf_8_cost_one_character(read: Read) -> None:
    assert read(spoilt(BODY)) == SPOILT


@OURS
def test_a_last_event_without_its_blank_line_is_read(read: Read) -> None:
    assert read(Stream(WITHOUT_MARKER, stop_at=-1)) == TEXT
    assert read(Stream(WITHOUT_MARKER, stop_at=-2)) == TEXT


@OURS
@pytest.mark.parametrize("at", ["JSON text", "character"])
def test_half_an_event_is_an_error_and_no_silent_end(read: Read, at: Any) -> None:
    with pytest.raises(json.JSONDecodeError):
        read(Stream(WITHOUT_MARKER, stop_at=at))


@OURS
def test_a_broken_connection_is_their_own_error(read: Read) -> None:
    with pytest.raises(APIConnectionError):
        read(Stream(BODY, stop_at="event", stop="close"))


@OURS
def test_a_reported_error_is_their_own_error(read: Read) -> None:
    error = b'data: {"error": {"message": "upstream went away"}}\n\n'
    with pytest.raises(APIError, match="upstream went away"):
        read(Stream(WORDS[0] + error, piece=1))


@OWNS
def test_their_decoder_fails_where_the_recipe_does_not(read: Read) -> None:
    """The day that one of these fails, the SDK has become better: take it out of the page."""
    with pytest.raises(UnicodeDecodeError):
        read(spoilt(BODY))
    with pytest.raises(json.JSONDecodeError):
        read(SHAPES["a reconnection time first"])
    assert read(SHAPES["a byte order mark"]) == "".join(SENT[1:])
    assert read(Stream(WITHOUT_MARKER, stop_at=-1)) == "".join(SENT[:-1])
    assert read(Stream(WITHOUT_MARKER, stop_at="JSON text")) == "".join(SENT[:-1])


def test_their_helpers_go_through_the_recipe_as_well() -> None:
    body = Stream(BODY.replace(b'"content"', b'"role": "assistant", "content"'), retry=1, piece=1)
    with (
        HostileServer(body) as server,
        UntornOpenAI(base_url=server.url, **OWN) as client,
        client.with_options(timeout=9).chat.completions.stream(**ASKED) as stream,
    ):
        assert stream.get_final_completion().choices[0].message.content == TEXT


def test_named_events_keep_their_names() -> None:
    sent = "".join(
        "event: response.output_text.delta\ndata: "
        + json.dumps({"type": "response.output_text.delta", "delta": text, "sequence_number": n})
        + "\n\n"
        for n, text in enumerate(SENT)
    )
    body = Stream(sent.encode(), byte_order_mark=True, line_end="CRLF", piece=1)
    with (
        HostileServer(body) as server,
        UntornOpenAI(base_url=server.url, **OWN) as client,
        client.responses.create(model="m", input="Hello", stream=True) as events,
    ):
        got = list(events)

    assert all(isinstance(event, ResponseTextDeltaEvent) for event in got)
    assert [event.delta for event in got if event.type == "response.output_text.delta"] == SENT


def test_leaving_early_closes_the_connection() -> None:
    body = Stream(b"".join(WORDS), stop="stall")
    with HostileServer(body) as server, UntornOpenAI(base_url=server.url, **OWN) as client:
        with client.chat.completions.create(**ASKED, stream=True) as chunks:
            assert next(chunks).choices[0].delta.content == SENT[0]
        assert soon(lambda: server.answered == 1)


def test_deltas_are_read_from_the_raw_response() -> None:
    with HostileServer() as server, OpenAI(base_url=server.url, **OWN) as client:
        for shape, sent in SHAPES.items():
            asking = client.with_options(base_url=server.add(sent)).chat.completions
            with (
                asking.with_streaming_response.create(**ASKED, stream=True) as response,
                iter_deltas(response.iter_bytes(), "openai-chat") as stream,
            ):
                texts = [delta.text for delta in stream if isinstance(delta, TextDelta)]
            assert (shape, texts) == (shape, SENT)
            assert stream.message.intact


def test_deltas_are_read_from_the_raw_response_asynchronously() -> None:
    async def read(asking: AsyncCompletions) -> list[str]:
        async with (
            asking.with_streaming_response.create(**ASKED, stream=True) as response,
            aiter_deltas(response.iter_bytes(), "openai-chat") as stream,
        ):
            texts = [delta.text async for delta in stream if isinstance(delta, TextDelta)]
        assert stream.message.intact
        return texts

    async def main() -> None:
        with HostileServer() as server:
            async with AsyncOpenAI(base_url=server.url, **OWN) as client:
                for shape, sent in SHAPES.items():
                    asking = client.with_options(base_url=server.add(sent)).chat.completions
                    assert (shape, await read(asking)) == (shape, SENT)

    asyncio.run(main())


@pytest.mark.parametrize(
    ("sent", "text", "outcome", "damaged"),
    [
        (spoilt(BODY), SPOILT, Outcome.COMPLETED, 1),
        (Stream(b"".join(WORDS)), TEXT, Outcome.TRUNCATED, 0),
        (Stream(BODY, stop_at="character"), "".join(SENT[:-1]), Outcome.TRUNCATED, 1),
    ],
)
def test_the_message_says_what_their_objects_cannot(
    sent: Stream, text: str, outcome: Outcome, damaged: int
) -> None:
    with HostileServer(sent) as server, OpenAI(base_url=server.url, **OWN) as client:
        asking = client.chat.completions.with_streaming_response
        with (
            asking.create(**ASKED, stream=True) as response,
            iter_deltas(response.iter_bytes(), "openai-chat") as stream,
        ):
            list(stream)
    message = stream.message

    assert (message.text, message.outcome, message.intact) == (text, outcome, False)
    assert stream.end is not None
    assert stream.end.replacements == damaged


def test_the_page_shows_the_recipe_that_is_tested() -> None:
    page = PAGE.read_text("utf-8")

    for recipe in (Decoder, UntornOpenAI):
        assert inspect.getsource(recipe) in page
