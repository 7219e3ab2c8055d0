"""What the comparison with a browser stands on, where none is needed: wires, names, failures."""

from __future__ import annotations

import json
import re
import shutil
from http.client import HTTPConnection, RemoteDisconnected
from pathlib import Path
from sys import executable
from urllib.parse import urlsplit

import chromium
import pytest
from browser_server import PAGE, Exchange, Job, serving
from browser_wires import MARK, event_names, generated
from support import SEED, load

from untorn import SSEParser

WIRES = generated(SEED, 1_000)
JOBS = [Job("a", (b"da", b"ta: \xff\0\n\n"), frozenset(["message"])), Job("b", (), frozenset())]


def test_a_seed_makes_the_same_wires_each_time() -> None:
    assert generated(7, 40) == generated(7, 40) == generated(7, 80)[:40]
    assert generated(7, 40) != generated(8, 40)
    assert len(set(WIRES)) > 900


@pytest.mark.parametrize(
    "pattern",
    [
        *(rb"\r\n\r\n", rb"\r\r", rb"[^\r]\n\n", rb"\n\r(?!\n)", rb"\r\n\n", rb"\r(?!\n)[^\r]*\n"),
        *(rb"\A\xef\xbb\xbf", rb"\A\xef\xbb\xbf[\r\n]", rb"\A.+\xef\xbb\xbf", rb"\0", rb"\xff"),
        *(rb"(?m)^id: [^\r\n]*\0", rb"(?m)^id:? ?$", rb"(?m)^id$", rb"(?m)^event: $"),
        *(rb"retry: 9{5000}", rb"retry: soon", rb"retry: 3000", rb"retry:.*\xd9\xa3"),
        *(rb"[\r\n]data[\r\n]", rb"[\r\n]retry[\r\n]"),
        *(rb"(?m)^:", rb"(?m)^data ", rb"(?m)^Data", rb"(?m)^ data", rb"data:\t"),
        *(rb"\xe2\x80\xa8", rb"\xc2\x85", rb"\x0b", rb"\x0c", rb"\x1c", rb"\xed\xa0\x80"),
        *(rb"event: error[\r\n]", rb"event: open[\r\n]", rb"event: __proto__[\r\n]", rb"[^\r\n]\Z"),
    ],
)
def test_the_wires_hold_what_tears_a_reader(pattern: bytes) -> None:
    assert sum(re.search(pattern, wire) is not None for wire in WIRES) >= 3


def test_most_wires_bring_events_and_some_bring_none() -> None:
    counts = [len(SSEParser().feed(wire)) for wire in WIRES]

    assert sum(count > 0 for count in counts) > 600
    assert sum(count == 0 for count in counts) > 100
    assert sum(counts) > 2_000


@pytest.mark.parametrize(
    ("wire", "names"),
    [
        (b"data: x", {"message"}),
        (b"event: e\nevent:f\rxevent:g", {"e", "f", "g"}),
        (b"event:  two\n", {" two", "two", "  two"}),  # a reader strips one space, all, or none
        (b"event:a:b\n", {"a:b", "b"}),
        (b"event: a\0b", {"a\0b", "ab"}),
        ("event: a\u2028b".encode(), {"a\u2028b", "a"}),
        (MARK + b"event: e", {"e"}),
        (b"event: \xff\xe7\x81", {"\ufffd\ufffd"}),
        (b"Event : error", {"error"}),
        ("event: \ufeff火".encode(), {"\ufeff火"}),
    ],
)
def test_the_scan_finds_every_name_that_a_reader_may_find(wire: bytes, names: set[str]) -> None:
    assert names <= event_names(wire)
    assert "message" in event_names(wire)


def test_the_scan_finds_no_names_in_other_fields() -> None:
    assert event_names(b"data: x\nid: 1\n: c\n") == {"", "message"}


def test_the_scan_needs_no_parser_to_find_the_names_of_the_vectors() -> None:
    cases = load("spec", "bugreports_sse")

    for case in cases:
        assert {event for event, _, _ in case.events} <= event_names(case.wire), case.name
    assert len({event for case in cases for event, _, _ in case.events}) > 20


def ask(url: str, path: str, report: object = None) -> tuple[str, bytes]:
    """Ask the server as the page does: GET, or POST where there is something to report."""
    connection = HTTPConnection(urlsplit(url).netloc, timeout=10)
    try:
        method = "GET" if report is None else "POST"
        connection.request(method, path, None if report is None else json.dumps(report))
        response = connection.getresponse()
        return response.headers["Content-Type"], response.read()
    finally:
        connection.close()


def test_the_server_gives_page_jobs_and_wires_and_takes_answers(tmp_path: Path) -> None:
    exchange = Exchange(JOBS)
    with serving(exchange) as url, sleeper(tmp_path) as browser:
        assert ask(url, "/") == ("text/html", PAGE.read_bytes())
        assert json.loads(ask(url, "/jobs")[1]) == [
            {"number": 0, "names": ["message"]},
            {"number": 1, "names": []},
        ]
        assert ask(url, "/wire/0") == ("text/event-stream", b"data: \xff\0\n\n")
        assert ask(url, "/wire/1") == ("text/event-stream", b"")
        ask(url, "/answers", [{"number": 0, "events": [["message", "\ufffd\0", ""]]}])
        ask(url, "/answers", [{"number": 1, "events": None}])
        ask(url, "/over", "")
        exchange.wait(browser)

    assert exchange.answers == {0: [("message", "\ufffd\0", "")], 1: None}


def program(folder: Path, code: str) -> list[str]:
    path = folder / "program.py"
    path.write_text(code, "utf-8")
    return [executable, str(path)]


def sleeper(folder: Path) -> chromium.Running:
    return chromium.started(program(folder, "import time; time.sleep(60)"), "http://x/", folder)


def test_a_browser_that_ends_is_told_with_its_last_words(tmp_path: Path) -> None:
    code = "import sys; print(*range(30), sys.argv[-1], sep='\\n', file=sys.stderr); sys.exit(3)"
    with (
        chromium.started(program(tmp_path, code), "http://x/", tmp_path) as browser,
        pytest.raises(AssertionError) as caught,
    ):
        Exchange(JOBS).wait(browser)

    told = str(caught.value)
    assert "the browser ended with exit code 3; 0 of 2 wires answered" in told
    assert told.splitlines()[1:] == [*map(str, range(16, 30)), "http://x/"]


def test_a_browser_that_hangs_is_told(tmp_path: Path) -> None:
    told = r"the browser was silent for 0\.1 s; 0 of 2 .*\n\(nothing on stderr\)"
    with sleeper(tmp_path) as browser, pytest.raises(AssertionError, match=told):
        Exchange(JOBS).wait(browser, patience=0.1)


def test_faults_of_the_page_and_missing_answers_are_told(tmp_path: Path) -> None:
    with sleeper(tmp_path) as browser:
        broken = Exchange(JOBS)
        broken.take("/fault", "TypeError: x")
        with pytest.raises(AssertionError, match="TypeError: x; 0 of 2"):
            broken.wait(browser)

        hasty = Exchange(JOBS)
        hasty.take("/answers", [{"number": 0, "events": []}])
        hasty.take("/over", "")
        with pytest.raises(AssertionError, match="wires without an answer; 1 of 2"):
            hasty.wait(browser)


def test_faults_of_the_server_are_told(tmp_path: Path) -> None:
    exchange = Exchange(JOBS)
    with serving(exchange) as url, sleeper(tmp_path) as browser:
        with pytest.raises(RemoteDisconnected):
            ask(url, "/wire/9")
        with pytest.raises(AssertionError, match="the server failed: IndexError"):
            exchange.wait(browser)


def test_a_browser_is_found_by_any_of_its_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", {"google-chrome": "path/of/it"}.get)

    assert chromium.find() == "path/of/it"


def test_without_a_browser_the_test_is_skipped_or_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.delenv(chromium.SWITCH, raising=False)
    with pytest.raises(pytest.skip.Exception, match="no browser: none of chromium, "):
        chromium.find()

    monkeypatch.setenv(chromium.SWITCH, "required")
    with pytest.raises(pytest.fail.Exception, match="UNTORN_BROWSER=required"):
        chromium.find()
