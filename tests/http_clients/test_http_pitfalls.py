"""What docs/clients.md warns of really happens: what holds events back, or hides a fault.

One that fails here is good news about a client, and a sentence to take out of the page.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from http_behaviours import BRIEF, FIRST, NEVER, WIRE, read
from http_client_matrix import CLIENTS
from http_client_values import AsyncClient, Client, missing

from untorn import request_headers
from untorn.testing import HostileServer, Stream

WAITING = Stream(WIRE, cut=[FIRST], delay=NEVER, transfer="close")
BY_NAME = {client.name: client for client in CLIENTS}


def usual(name: str) -> Any:
    client = BY_NAME[name]
    if missing(client):
        pytest.skip(missing(client))
    return client


def with_reads(name: str, reads: Any) -> Client | AsyncClient:
    client: Client | AsyncClient = usual(name)
    return replace(client, reads=reads)


@pytest.mark.parametrize(
    ("name", "reads"),
    [
        ("httpx", lambda response: response.iter_bytes(4096)),
        ("requests", lambda response: response.iter_content(4096)),
        ("requests", lambda response: response.iter_content(None)),
        ("requests", lambda response: response),
        ("urllib3", lambda response: response.stream(4096)),
        ("http.client", lambda response: iter(partial(response.read, 4096), b"")),
    ],
)
def test_full_buffers_hold_an_event_back(name: str, reads: Any) -> None:
    got = read(with_reads(name, reads), WAITING, take=1, timeout=BRIEF)
    assert (got.events, got.error is None) == ([], False)


def test_niquests_holds_short_gzip_events_back() -> None:
    async def chunks(response: Any) -> Any:
        async for chunk in await response.iter_content(-1):
            yield chunk

    stream = Stream(WIRE, cut=[FIRST], delay=NEVER, gzip=True)
    got = read(with_reads("niquests, async", chunks), stream, take=1, timeout=BRIEF)
    assert (got.events, got.error is None) == ([], False)


@pytest.mark.parametrize(
    ("name", "reads"),
    [
        ("urllib3", lambda response: iter(response.read1, b"")),
        ("requests", lambda response: iter(response.raw.read1, b"")),
        ("http.client", lambda response: iter(response.read1, b"")),
    ],
)
def test_missing_bytes_go_unnoticed(name: str, reads: Any) -> None:
    stream = Stream(WIRE, stop_at="event", stop="close", transfer="content-length")
    got = read(with_reads(name, reads), stream)
    assert (got.events, got.error) == (["one"], None)


def test_sizes_of_requests_own_iterators() -> None:
    def sizes(reads: Any) -> list[int]:
        client: Client = usual("requests")
        with (
            HostileServer(Stream(WIRE * 5)) as server,
            client.opened(server.url, request_headers(), BRIEF) as response,
        ):
            given: Iterable[bytes] = reads(response)
            return [len(chunk) for chunk in given]

    assert set(sizes(lambda response: response.iter_content())) == {1}
    assert sizes(lambda response: response) == [128, 42]


def test_a_session_of_aiohttp_ends_every_response_after_a_while() -> None:
    aiohttp = pytest.importorskip("aiohttp")

    async def total() -> object:
        async with aiohttp.ClientSession() as session:
            return session.timeout.total

    assert asyncio.run(total()) == 300


def test_http_client_asks_for_no_gzip_and_decodes_none() -> None:
    client: Client = usual("http.client")
    with (
        HostileServer(Stream(WIRE, gzip=True)) as server,
        client.opened(server.url, request_headers(), BRIEF) as response,
    ):
        assert response.read()[:2] == b"\x1f\x8b"
    assert server.requests[0].headers["accept-encoding"] == "identity"
