"""Own how each synchronous client opens a stream, and the expression that gives its reads."""

from __future__ import annotations

import ssl
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from http.client import BadStatusLine, HTTPConnection, HTTPResponse, IncompleteRead
from typing import Any
from urllib.parse import urlsplit

from http_client_values import Client, Errors, loaded

# Without it httpx reads all certificates of the machine for each stream, which takes longest here.
NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


@contextmanager
def _httpx(package: str, url: str, headers: dict[str, str], timeout: float) -> Iterator[Any]:
    with loaded(package).stream(
        "GET", url, headers=headers, timeout=timeout, verify=NO_CERTIFICATES
    ) as response:
        yield response


def _httpx_reads(response: Any) -> Any:
    return response.iter_bytes()


def _httpx_drops(package: str) -> Errors:
    client = loaded(package)
    return (client.NetworkError, client.TimeoutException, client.RemoteProtocolError)


@contextmanager
def _requests(url: str, headers: dict[str, str], timeout: float) -> Iterator[Any]:
    import requests

    with requests.get(url, headers=headers, timeout=timeout, stream=True) as response:
        yield response


def _requests_reads(response: Any) -> Iterable[bytes]:
    return iter(partial(response.raw.read1, 65_536, decode_content=True), b"")


def _requests_drops() -> Errors:
    import requests
    from urllib3 import exceptions as below

    return (requests.ConnectionError, requests.Timeout, below.ProtocolError, below.TimeoutError)


@contextmanager
def _urllib3(url: str, headers: dict[str, str], timeout: float) -> Iterator[Any]:
    import urllib3

    with (
        urllib3.PoolManager(timeout=timeout) as pool,
        pool.request("GET", url, headers=headers, preload_content=False) as response,
    ):
        yield response


def _urllib3_reads(response: Any) -> Iterable[bytes]:
    return iter(partial(response.read1, 65_536, decode_content=True), b"")


def _urllib3_drops() -> Errors:
    from urllib3 import exceptions

    return (exceptions.PoolError, exceptions.ProtocolError, exceptions.TimeoutError)


@contextmanager
def _niquests(url: str, headers: dict[str, str], timeout: float) -> Iterator[Any]:
    with loaded("niquests").get(url, headers=headers, timeout=timeout, stream=True) as response:
        yield response


def _niquests_reads(response: Any) -> Any:
    return response.iter_content(-1)


def _niquests_drops() -> Errors:
    niquests = loaded("niquests")
    return (niquests.ConnectionError, niquests.Timeout, niquests.exceptions.ChunkedEncodingError)


@contextmanager
def _http_client(url: str, headers: dict[str, str], timeout: float) -> Iterator[HTTPResponse]:
    parts = urlsplit(url)
    with closing(HTTPConnection(parts.netloc, timeout=timeout)) as connection:
        connection.request("GET", parts.path or "/", headers=headers)
        with connection.getresponse() as response:
            yield response


def _http_client_reads(response: HTTPResponse) -> Iterable[bytes]:
    return body(response)


def body(response: HTTPResponse) -> Iterator[bytes]:
    """Give the reads of a response, with what http.client leaves to its users."""
    gzip = response.getheader("Content-Encoding") == "gzip"
    decode = zlib.decompressobj(wbits=31).decompress if gzip else bytes
    while read := response.read1():
        yield decode(read)
    if response.length:  # bytes that were promised and did not come
        raise IncompleteRead(b"", response.length)


def _http_client_drops() -> Errors:
    return (OSError, IncompleteRead, BadStatusLine)


SYNC = [
    *(
        Client(package, partial(_httpx, package), _httpx_reads, partial(_httpx_drops, package))
        for package in ("httpx", "httpx2")
    ),
    Client("requests", _requests, _requests_reads, _requests_drops, ("urllib3.exceptions",)),
    Client("urllib3", _urllib3, _urllib3_reads, _urllib3_drops, ("urllib3.exceptions",)),
    Client("niquests", _niquests, _niquests_reads, _niquests_drops, ("niquests.exceptions",)),
    Client("http.client", _http_client, _http_client_reads, _http_client_drops),
]
