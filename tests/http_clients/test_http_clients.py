"""Each HTTP client through each behaviour, over a real socket, and the matrix that says so.

A client that is not installed is skipped; UNTORN_ALL_CLIENTS=1, which CI sets, allows no skip.
"""

from __future__ import annotations

import asyncio
import gc
import inspect
import os
import re
import sys
from collections.abc import Iterator

import pytest
from clients import PATIENCE
from http_behaviours import WIRE
from http_client_matrix import BEHAVIOURS, CLIENTS, PAGE, TABLES, VERSIONS, cell, remade, shown
from http_client_values import AnyClient, AsyncClient, Client, missing
from http_clients_sync import body

from untorn import request_headers
from untorn.testing import HostileServer, Stream

TEXT = PAGE.read_text("utf-8")
# What else than "yes" a behaviour may be, and of whom.
OTHERWISE = {
    "Cancelling leaves no connection": {client.name for client in CLIENTS if type(client) is Client}
}
SILENT = {"aiohttp", "niquests", "niquests, async"}
MERGING = {"aiohttp"}  # gives what has arrived, and not each chunk by itself


@pytest.fixture(autouse=True)
def _nothing_left_open() -> Iterator[None]:
    yield
    gc.collect()  # a socket that nobody closed is an error of this test, and not of a later one


@pytest.fixture(params=CLIENTS, ids=lambda client: client.name)
def client(request: pytest.FixtureRequest) -> AnyClient:
    given: AnyClient = request.param
    if missing(given):
        pytest.skip(missing(given))
    return given


@pytest.mark.parametrize("behaviour", TABLES["matrix"])
def test_what_comes(client: AnyClient, behaviour: str) -> None:
    other = client.name in OTHERWISE.get(behaviour, ())
    assert cell(client, behaviour) == ("n/a" if other else "yes")


@pytest.mark.parametrize("behaviour", TABLES["errors"])
def test_what_is_raised(client: AnyClient, behaviour: str) -> None:
    got = cell(client, behaviour)
    if behaviour == "Reset, and no length was told" and client.name in SILENT:
        assert got == "nothing"
    else:
        assert re.fullmatch(r"`[\w.]+`", got)  # a name: what is in drops, behind the first event


@pytest.mark.skipif(sys.platform != "linux", reason="the page says what a reset is on Linux")
@pytest.mark.parametrize("table", TABLES)
def test_the_page_shows_what_comes_out(client: AnyClient, table: str) -> None:
    rows = shown(table, TEXT)
    assert rows[client.name] == [cell(client, column) for column in TABLES[table]]


@pytest.mark.parametrize("table", TABLES)
def test_the_page_shows_every_client(table: str) -> None:
    rows = shown(table, TEXT)
    assert [*rows] == [client.name for client in CLIENTS]
    assert "?" not in {text for cells in rows.values() for text in cells}


@pytest.mark.skipif(sys.platform != "linux", reason="the page says what a reset is on Linux")
def test_the_page_is_what_the_script_makes() -> None:
    assert VERSIONS.sub("", remade(TEXT)) == VERSIONS.sub("", TEXT)


def test_a_chunk_is_a_read(client: AnyClient) -> None:
    stream = Stream(WIRE, cut=["character", 3])
    with HostileServer(stream) as server:
        reads = _reads(client, server.url)
    assert b"".join(reads) == WIRE
    if client.name not in MERGING:
        assert reads == [b"id:", b" 1\ndata: one\n\nid: 2\ndata: \xe7\x81", b"\xab\n\n"]


def _reads(client: AnyClient, url: str) -> list[bytes]:
    if isinstance(client, Client):
        with client.opened(url, request_headers(), PATIENCE) as response:
            return [*client.reads(response)]
    return asyncio.run(_areads(client, url))


async def _areads(client: AsyncClient, url: str) -> list[bytes]:
    async with client.opened(url, request_headers(), PATIENCE) as response:
        return [read async for read in client.reads(response)]


def test_the_pages_own_function_is_the_tested_one() -> None:
    source = inspect.getsource(body).replace(str(body.__doc__), "").replace('    """"""\n', "")

    assert f"{source}\n" in TEXT


def test_behaviours_have_one_name_each() -> None:
    assert len(BEHAVIOURS) == sum(len(TABLES[table]) for table in ("matrix", "errors"))


@pytest.mark.skipif("UNTORN_ALL_CLIENTS" not in os.environ, reason="UNTORN_ALL_CLIENTS is not set")
def test_every_client_is_here() -> None:
    absent = {client.package: missing(client) for client in CLIENTS if missing(client)}
    if sys.version_info < (3, 11):
        absent.pop("httpx2", None)

    assert absent == {}
