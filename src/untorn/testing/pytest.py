"""Own the fixtures for pytest; load them with ``pytest_plugins = ["untorn.testing.pytest"]``.

``hostile_server`` is a running ``HostileServer``; ``sse_cuts`` gives a body cut in every way. They
are never loaded unasked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from ._cuts import SEED, ways
from ._server import HostileServer


@pytest.fixture
def hostile_server() -> Iterator[HostileServer]:
    """Run a server for one test; ``hostile_server.add(Stream(...))`` gives an address."""
    with HostileServer() as server:
        yield server


@pytest.fixture
def sse_cuts() -> Iterator[Callable[[bytes], Iterator[list[bytes]]]]:
    """Give a function from a body to the body in reads: each cut in two, byte by byte, by chance.

    A test that fails shows which cut was the last one, so that it can be tried alone.
    """
    last: list[str] = []

    def cuts(wire: bytes) -> Iterator[list[bytes]]:
        for how, chunks in ways(wire, SEED):
            last[:] = [f"at byte {how}" if how.isdigit() else how, repr(chunks)]
            yield chunks

    yield cuts
    if last:
        # pytest shows this for a test that failed, and for no other.
        print("sse_cuts: the last cut was", *last)
