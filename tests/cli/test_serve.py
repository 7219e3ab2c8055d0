"""``untorn serve``: what it sends, what it prints, and when it stops."""

from __future__ import annotations

import json
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from untorn.cli import _serve
from untorn.cli._files import CommandError
from untorn.cli._serve import Cutting, serve, stream
from untorn.recording import Read, Recording
from untorn.testing import HostileServer

RECORDING = Recording((Read(b"da", 0.0), Read(b"ta: a\n\n", 0.01)))


def got(url: str, last_event_id: str = "") -> list[bytes]:
    headers = {"Last-Event-ID": last_event_id} if last_event_id else {}
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as response:
        return [*iter(response.read1, b"")]


@pytest.mark.parametrize(
    ("cutting", "writes"),
    [
        (Cutting(), [b"da", b"ta: a\n\n"]),
        (Cutting(delay=None), [b"da", b"ta: a\n\n"]),
        (Cutting(piece=4), [b"data", b": a\n", b"\n"]),
        (Cutting(places=(3, 7)), [b"dat", b"a: a", b"\n\n"]),
    ],
)
def test_how_a_body_is_cut(cutting: Cutting, writes: list[bytes]) -> None:
    with HostileServer(stream(RECORDING, cutting)) as server:
        assert got(server.url) == writes


@contextmanager
def client(
    monkeypatch: pytest.MonkeyPatch, ask: Callable[[str], object]
) -> Iterator[list[HostileServer]]:
    """Let a thread ask the server that the command starts."""
    servers: list[HostileServer] = []
    threads: list[threading.Thread] = []

    class Watched(HostileServer):
        def __enter__(self) -> HostileServer:
            servers.append(self)
            threads.append(threading.Thread(target=ask, args=(self.url,)))
            entered = super().__enter__()
            threads[-1].start()
            return entered

    monkeypatch.setattr(_serve, "HostileServer", Watched)
    yield servers
    for thread in threads:
        thread.join()


def test_once_is_until_the_first_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with client(monkeypatch, got) as servers:
        serve(stream(RECORDING, Cutting()), host="127.0.0.1", port=0, once=True, as_json=False)
    out, err = capsys.readouterr()

    assert (out, err) == (f"{servers[0].url}\n", 'untorn: GET "/"\n')


def test_json_is_a_line_for_the_address_and_for_each_request(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with client(monkeypatch, lambda url: got(f"{url}/a?b=c", "7")) as servers:
        serve(stream(RECORDING, Cutting()), host="127.0.0.1", port=0, once=True, as_json=True)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    assert lines == [
        {"url": servers[0].url},
        {"method": "GET", "path": "/a?b=c", "last_event_id": "7"},
    ]


def test_an_interrupt_is_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(_serve, "time", SimpleNamespace(sleep=wait))
    serve(stream(RECORDING, Cutting()), host="127.0.0.1", port=0, once=False, as_json=False)

    assert len(waits) == 3
    assert capsys.readouterr().out.startswith("http://127.0.0.1:")


def test_a_cut_beyond_the_end_is_refused() -> None:
    with pytest.raises(CommandError, match=r"cannot be cut at byte 9: it has 9 bytes"):
        stream(RECORDING, Cutting(places=(3, 9)))


def test_a_resume_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with HostileServer(stream(RECORDING, Cutting())) as server:
        got(server.url, "7")
        assert _serve._show(server.requests, False) == 1
    assert capsys.readouterr().err == 'untorn: GET "/"  Last-Event-ID "7"\n'


def test_an_address_that_cannot_be_had() -> None:
    with HostileServer() as server:
        port = int(server.url.rpartition(":")[2])
        answer = stream(RECORDING, Cutting())
        with pytest.raises(CommandError, match=rf"cannot serve at 127\.0\.0\.1, port {port}: "):
            serve(answer, host="127.0.0.1", port=port, once=True, as_json=False)
