"""The fixtures for pytest, in a pytest of their own: loaded where asked for, never otherwise."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PLUGIN = 'pytest_plugins = ["untorn.testing.pytest"]\n'
TESTS = """
import http.client
from urllib.request import urlopen

from untorn import SSEParser
from untorn.testing import Stream

WIRE = "data: 火\\n\\n".encode()


def test_server(hostile_server):
    url = hostile_server.add(Stream(WIRE, piece=1))
    with urlopen(url) as response:
        assert list(iter(response.read1, b"")) == [WIRE[n : n + 1] for n in range(len(WIRE))]


def test_cuts(sse_cuts):
    ways = list(sse_cuts(WIRE))
    assert ways[6] == [WIRE[:7], WIRE[7:]]
    assert len(ways) == len(WIRE) - 1 + 1 + 20
    assert all(b"".join(way) == WIRE for way in ways)


def test_right_reader(sse_cuts):
    for chunks in sse_cuts(WIRE):
        parser = SSEParser()
        assert [event.data for chunk in chunks for event in parser.feed(chunk)] == ["火"]


def test_naive_reader(sse_cuts):
    for chunks in sse_cuts(WIRE):
        text = "".join(chunk.decode("utf-8", "replace") for chunk in chunks)
        assert text == "data: 火\\n\\n"


def test_late_reader(sse_cuts):
    for chunks in sse_cuts(WIRE):
        assert len(chunks) < 3


def test_unused(sse_cuts):
    pass
"""


def run(folder: Path, conftest: str, *arguments: str) -> str:
    (folder / "conftest.py").write_text(conftest)
    (folder / "test_client.py").write_text(TESTS, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    return done.stdout.decode("utf-8", "replace")


def test_the_fixtures_and_the_cut_that_a_failing_test_shows(tmp_path: Path) -> None:
    out = run(tmp_path, PLUGIN)

    assert "2 failed, 4 passed" in out
    assert r"sse_cuts: the last cut was at byte 7 [b'data: \xe7', b'\x81\xab\n\n']" in out
    assert "sse_cuts: the last cut was byte by byte [b'd', b'a'," in out
    assert out.count("sse_cuts: the last cut was") == 2


def test_the_fixtures_are_not_there_unasked(tmp_path: Path) -> None:
    out = run(tmp_path, "", "test_client.py::test_server")

    assert "fixture 'hostile_server' not found" in out
