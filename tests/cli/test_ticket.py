"""An inspection as one JSON document: the settings, the events in order, and all that is known."""

from __future__ import annotations

import json
from typing import Any

from inspecting import report

from untorn import __version__
from untorn.cli._naive import Reads
from untorn.cli._ticket import ticket
from untorn.cli._trace import trace
from untorn.recording import Read, Recording

WIRE = b"\xef\xbb\xbfid: 1\r\nevent: e\r\ndata: \xc3\xa9\xff\r\n\r\n: c\r\ndata: x \xf0\x9f"


def document(wire: bytes, limit: int | None = None, recording: Recording | None = None) -> Any:
    reads = None if recording is None else Reads(recording)
    seen = () if reads is None else reads.seen
    chunks = [wire] if recording is None else recording.chunks()
    return json.loads(ticket(trace(chunks, limit, seen), limit, reads))


def test_a_body() -> None:
    assert document(WIRE, 1_000) == {
        "untorn": __version__,
        "settings": {"errors": "replace", "max_event_size": 1_000, "last_event_id": ""},
        "layer": "bytes",
        "reason": "they are not UTF-8 at byte 28",
        "events": [{"start": 3, "end": 32, "data": "é�", "event": "e", "id": "1", "retry": None}],
        "comments": [{"start": 33, "end": 36, "text": " c"}],
        "bad_bytes": [{"start": 28, "end": 29, "first": "ff"}],
        "end": {
            "where": "inside a character",
            "byte_count": len(WIRE),
            "event_count": 1,
            "line_count": 5,
            "replacements": 2,
            "ignored_lines": 0,
            "ignored_text": "",
            "last_event_id": "1",
            "retry": None,
            "line_ends": {"LF": 0, "CRLF": 5, "CR": 0},
            "comments": 1,
            "byte_order_mark": True,
            "tail": {
                "event": {"data": "x �", "event": "message", "id": "1", "retry": None},
                "line": "data: x �",
                "undecoded": "f0 9f",
            },
            "cut_character": {"start": 46, "end": 48},
            "event_too_large_at": None,
        },
        "reads": None,
    }


def test_the_document_and_the_lines_agree() -> None:
    found, lines = document(WIRE), report(WIRE)

    assert f"lines     {found['end']['line_count']} (LF 0, CRLF 5, CR 0)" in lines
    assert lines[-1] == f"layer     {found['layer']}: {found['reason']}"


def test_a_recording() -> None:
    recording = Recording((Read(b"data: \xc3", 0.25), Read(b"\xa9x\n", 0.5), Read(b"\n", 1.0)))
    found = document(b"", recording=recording)

    assert found["reads"] == {
        "ended_inside": {"character": 1, "CRLF": 0, "JSON text": 0, "line": 0, "event": 1},
        "lost": [
            {
                "place": 7,
                "read": 1,
                "habit": "a decoder for each read",
                "text": "é",
                "given": "��",
            }
        ],
        "all": [
            {"start": 0, "end": 7, "time": 0.25, "inside": "character"},
            {"start": 7, "end": 10, "time": 0.5, "inside": "event"},
            {"start": 10, "end": 11, "time": 1.0, "inside": None},
        ],
    }
    assert (found["layer"], found["end"]["tail"]) == ("none", None)


def test_an_event_over_the_limit() -> None:
    found = document(b"data: a\n\ndata: 12345\n", 10)

    assert (found["end"]["where"], found["end"]["event_too_large_at"]) == ("event too large", 9)
    assert found["layer"] == "framing"
