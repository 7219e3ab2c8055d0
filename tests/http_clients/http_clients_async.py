"""Own how each asynchronous client opens a stream, and the expression that gives its reads."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from http_client_values import AsyncClient, Errors, loaded
from http_clients_sync import NO_CERTIFICATES


@asynccontextmanager
async def _httpx(
    package: str, url: str, headers: dict[str, str], timeout: float
) -> AsyncIterator[Any]:
    async with (
        loaded(package).AsyncClient(timeout=timeout, verify=NO_CERTIFICATES) as client,
        client.stream("GET", url, headers=headers) as response,
    ):
        yield response


def _httpx_reads(response: Any) -> Any:
    return response.aiter_bytes()


def _httpx_drops(package: str) -> Errors:
    client = loaded(package)
    return (client.NetworkError, client.TimeoutException, client.RemoteProtocolError)


@asynccontextmanager
async def _aiohttp(url: str, headers: dict[str, str], timeout: float) -> AsyncIterator[Any]:
    import aiohttp

    limits = aiohttp.ClientTimeout(total=None, sock_connect=timeout, sock_read=timeout)
    async with (
        aiohttp.ClientSession(timeout=limits) as session,
        session.get(url, headers=headers) as response,
    ):
        yield response


def _aiohttp_reads(response: Any) -> Any:
    return response.content.iter_any()


def _aiohttp_drops() -> Errors:
    import aiohttp

    return (aiohttp.ClientConnectionError, aiohttp.ClientPayloadError)


@asynccontextmanager
async def _niquests(url: str, headers: dict[str, str], timeout: float) -> AsyncIterator[Any]:
    async with (
        loaded("niquests").AsyncSession() as session,
        await session.get(url, headers=headers, timeout=timeout, stream=True) as response,
    ):
        yield response


def _niquests_reads(response: Any) -> Any:
    return response.raw.stream(-1, decode_content=True)


def _niquests_drops() -> Errors:
    niquests = loaded("niquests")
    below = loaded("niquests.packages.urllib3.exceptions")
    return (niquests.ConnectionError, niquests.Timeout, below.ProtocolError, below.TimeoutError)


ASYNC = [
    *(
        AsyncClient(package, partial(_httpx, package), _httpx_reads, partial(_httpx_drops, package))
        for package in ("httpx", "httpx2")
    ),
    AsyncClient("aiohttp", _aiohttp, _aiohttp_reads, _aiohttp_drops),
    AsyncClient(
        "niquests",
        _niquests,
        _niquests_reads,
        _niquests_drops,
        ("niquests.packages.urllib3.exceptions",),
    ),
]
