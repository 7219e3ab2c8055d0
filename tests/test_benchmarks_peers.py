"""How released parsers are driven, with stand-ins for the packages."""

from __future__ import annotations

import asyncio
import importlib.metadata
import io
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import peers_async
import peers_bytes
import peers_clients
import peers_sdks
import pytest

READS = (b"data: a\n\ndata: ", b"b\n\n")


def package(monkeypatch: pytest.MonkeyPatch, name: str, **content: object) -> ModuleType:
    """Put a module where an import finds it."""
    module = ModuleType(name)
    vars(module).update(content)
    parts = name.split(".")
    for end in range(1, len(parts)):
        monkeypatch.setitem(sys.modules, ".".join(parts[:end]), ModuleType(parts[0]))
    monkeypatch.setitem(sys.modules, name, module)
    return module


class Blocks:
    """Parse as far as the number of events goes."""

    def __init__(self) -> None:
        self.rest = b""

    def feed(self, read: bytes) -> list[bytes]:
        *events, self.rest = (self.rest + read).split(b"\n\n")
        return events

    decode = receive_bytes = feed

    def iter_bytes(self, reads: Iterator[bytes]) -> Iterator[bytes]:
        return (event for read in reads for event in self.feed(read))


@pytest.mark.parametrize(
    ("reader", "module", "name"),
    [
        (peers_bytes.assel, "assel", "Parser"),
        (peers_bytes.axio_sse, "axio_sse", "Decoder"),
        (peers_bytes.llmstream, "llmstream.decoders", "SSEDecoder"),
        (peers_sdks.openai, "openai._streaming", "SSEDecoder"),
        (peers_sdks.anthropic, "anthropic._streaming", "SSEDecoder"),
        (peers_sdks.groq, "groq._streaming", "SSEDecoder"),
    ],
)
def test_each_body_has_a_parser_of_its_own(
    monkeypatch: pytest.MonkeyPatch, reader: Any, module: str, name: str
) -> None:
    package(monkeypatch, module, **{name: Blocks})
    read = reader()

    assert read(READS) == 2
    assert read((b"data: unfinished",)) == 0
    assert read(READS) == 2


def test_comments_of_those_that_give_them_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    class Parser:
        def feed(self, read: bytes) -> list[object]:
            return [read, 1]

    package(monkeypatch, "sseurl.sse", SSEParser=Parser, SSEvent=bytes)
    assert peers_bytes.sseurl()(READS) == 2


def test_lines_are_those_of_the_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[bytes] = []

    def parse_events(readline: Any) -> Iterator[bytes]:
        lines.extend(iter(readline, b""))
        return (line for line in lines if line == b"\n")

    package(monkeypatch, "larzsse", parse_events=parse_events)

    assert peers_bytes.larzsse()(READS) == 2
    assert lines == [b"data: a\n", b"\n", b"data: b\n", b"\n"]


def test_a_read_that_is_longer_than_there_is_room_comes_in_parts() -> None:
    raw = peers_bytes.RawReads((b"abcde", b"f"))
    got = bytearray(3)

    assert raw.readable()
    assert [(raw.readinto(got), bytes(got)) for _ in range(3)] == [
        (3, b"abc"),
        (2, b"dec"),
        (1, b"fec"),
    ]
    assert raw.readinto(got) == 0
    assert io.BufferedReader(peers_bytes.RawReads(READS), 4).read() == b"".join(READS)


@pytest.mark.parametrize("reads", [READS, ()])
def test_json_inside_is_left_as_it_is(
    monkeypatch: pytest.MonkeyPatch, reads: tuple[bytes, ...]
) -> None:
    def stream_events(body: peers_sdks.Body, decoder: Any) -> Iterator[object]:
        for event in Blocks().iter_bytes(body.iter_bytes()):
            yield decoder(module.json.dumps(module.json.loads(event)))
        body.close()

    name = "mistralai.client.utils.eventstreaming"
    module: Any = package(monkeypatch, name, stream_events=stream_events)
    assert peers_sdks.mistralai()(reads) == len(reads)


def test_a_body_is_of_the_type_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    class Response:
        pass

    class HttpResponse:
        def __init__(self, headers: object, stream: Any) -> None:
            self.right = isinstance(stream, Response)
            self.stream = stream

        def _iter_response_stream(self) -> Iterator[bytes]:
            return Blocks().iter_bytes(self.stream.iter_bytes() if self.right else iter(()))

    package(monkeypatch, "google.genai._api_client", HttpResponse=HttpResponse)
    package(monkeypatch, "httpx", Response=Response)
    assert peers_sdks.google_genai()(READS) == 2


def test_who_would_connect_again_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    class EventSource:
        def __init__(self, url: str, session: Any, on_error: Any) -> None:
            self.body, self.on_error = session.request(method="GET", url=url), on_error

        def __enter__(self) -> Iterator[bytes]:
            yield_from = Blocks().iter_bytes(self.body.raw.stream(512, decode_content=True))
            return (event or self.on_error() for event in (*yield_from, b""))

        def __exit__(self, *raised: object) -> None:
            self.body.raw.close()

    package(monkeypatch, "requests", Response=lambda: SimpleNamespace(headers={}))
    package(monkeypatch, "requests_sse", EventSource=EventSource)
    assert peers_clients.requests_sse()(READS) == 2


CLIENT = """
class SSEClient:
    def __init__(self, url, session):
        self.read = session.get(url, stream=True).raw.read

    def __iter__(self):
        while True:
            yield from self.read(1024).split(b"\\n\\n")[:-1]
"""


def test_a_file_that_a_folder_hides_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "sseclient.py").write_text(CLIENT)
    found = SimpleNamespace(locate_file=lambda name: tmp_path / name)
    monkeypatch.setattr(importlib.metadata, "distribution", {"sseclient": found}.__getitem__)

    assert peers_clients.sseclient()(READS) == 2


class Content:
    """Stand for aiohttp's reader of a body: what was fed comes out, once it was."""

    def __init__(self, flow: peers_async.Flow, limit: int, loop: object) -> None:
        assert flow.connected
        self.fed: asyncio.Queue[bytes] = asyncio.Queue()
        self.turns: list[int] = []

    def feed_data(self, read: bytes) -> None:
        self.turns.append(self.fed.qsize())
        self.fed.put_nowait(read)

    def feed_eof(self) -> None:
        assert self.turns == [0, 0]  # one read in a turn of the loop
        self.fed.put_nowait(b"")

    async def events(self) -> AsyncIterator[bytes]:
        blocks = Blocks()
        while read := await self.fed.get():
            for event in blocks.feed(read):
                yield event


def fake_aiohttp(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers_async.Flow, "pause_reading", None)
    aiohttp = package(monkeypatch, "aiohttp", StreamReader=Content, ClientTimeout=object)
    package(monkeypatch, "aiohttp.client", DEFAULT_CHUNK_SIZE=1)
    monkeypatch.setitem(sys.modules, "aiohttp", aiohttp)


def test_a_generator_that_makes_a_session_gets_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    async def aiosseclient(url: str) -> AsyncIterator[bytes]:
        async with module.aiohttp.ClientSession(timeout=None) as session:
            response = await session.get(url)
            async for event in response.content.events():
                yield event
            await session.close()

    fake_aiohttp(monkeypatch)
    module: Any = package(monkeypatch, "aiosseclient", aiosseclient=aiosseclient)
    assert peers_async.aiosseclient()(READS) == 2


def test_an_event_source_in_a_loop_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    class EventSource:
        def __init__(self, url: str, session: Any, on_error: Any) -> None:
            self.session, self.on_error = session, on_error

        async def __aenter__(self) -> AsyncIterator[bytes]:
            response = await self.session.request("GET", peers_clients.URL)

            async def events() -> AsyncIterator[bytes]:
                async for event in response.content.events():
                    yield event
                self.on_error()

            return events()

        async def __aexit__(self, *raised: object) -> None:
            await self.session.close()

    fake_aiohttp(monkeypatch)
    package(monkeypatch, "aiohttp_sse_client2.client", EventSource=EventSource)
    assert peers_async.aiohttp_sse_client2()(READS) == 2
