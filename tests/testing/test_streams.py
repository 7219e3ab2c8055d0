"""What a stream may be told to be, and which options contradict each other."""

from __future__ import annotations

import json
from typing import Any

import pytest

from untorn import Event, SSEParser
from untorn.recording import Recording
from untorn.testing import HTML_ERROR, JSON_ERROR, Stream

RECORDING = Recording.of([b"data: a\n\n"])


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"line_end": "LFCR"}, "line_end must be one of None, 'LF', 'CR', 'CRLF', 'mixed'"),
        ({"stop": "half"}, "stop must be one of 'end', 'close', 'reset', 'stall', 'keep-alive'"),
        ({"transfer": "h2"}, "transfer must be one of 'chunked', 'content-length', 'close'"),
        ({"cut": ["letter"]}, "'letter' is no boundary; there are: character, CRLF, JSON text"),
        ({"stop_at": "word"}, "'word' is no boundary"),
        ({"piece": 0}, "piece must be at least 1 byte, not 0"),
        ({"chunk_sizes": [3, 0]}, "chunk_sizes must be whole numbers, at least 1 byte each"),
        ({"chunk_sizes": [2.5]}, "chunk_sizes must be whole numbers, at least 1 byte each"),
        ({"piece": 1, "cut": [1]}, "piece and cut are two ways to cut: give one of them"),
        ({"comments": -1}, "comments must be 0 or more, not -1"),
        ({"delay": -1.0}, "delay must be 0 seconds or more, not -1.0"),
        ({"delay": float("nan")}, "delay must be 0 seconds or more, not nan"),
        ({"status": 100}, "status must be from 200 to 599, not 100"),
        ({"chunk_sizes": [3], "transfer": "close"}, 'chunk_sizes are those of transfer="chunked"'),
        ({"delay": "recorded"}, 'delay="recorded" needs a recording'),
        ({"body": RECORDING, "delay": "recorded", "piece": 1}, 'delay="recorded" needs'),
        ({"body": RECORDING, "delay": "recorded", "cut": [1]}, 'delay="recorded" needs'),
        ({"body": RECORDING, "retry": 0}, "a recording is sent as it is"),
        ({"body": RECORDING, "line_end": "CR"}, "a recording is sent as it is"),
        ({"body": RECORDING, "comments": 1}, "a recording is sent as it is"),
        ({"body": RECORDING, "byte_order_mark": True}, "a recording is sent as it is"),
    ],
)
def test_options_that_cannot_be(options: dict[str, Any], fault: str) -> None:
    with pytest.raises(
        ValueError, match=r"must|boundary|are those|are two|needs|sent as"
    ) as raised:
        Stream(**options)
    assert fault in str(raised.value)


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"body": "data: a\n\n"}, "a body is bytes, events or a recording, not str"),
        ({"body": 5}, "a body is bytes, events or a recording, not int"),
        ({"body": [Event("a"), "b"]}, "a body of events holds str"),
        ({"cut": "event"}, "cut is a list, such as ['event']"),
        ({"cut": 3}, "cut is a list, such as [3]"),
    ],
)
def test_what_is_of_another_type(options: dict[str, Any], fault: str) -> None:
    with pytest.raises(TypeError) as raised:
        Stream(**options)
    assert str(raised.value) == fault


def test_a_body_is_kept_as_it_is_now() -> None:
    body = bytearray(b"data: a\n\n")
    kept = Stream(body)  # type: ignore[arg-type]
    body.clear()
    assert (kept.body, Stream(memoryview(b"x")).body) == (b"data: a\n\n", b"x")
    assert Stream(iter([Event("a")])).body == (Event("a"),)


def test_options_that_can_be() -> None:
    assert Stream(RECORDING, delay="recorded").body is RECORDING
    assert Stream(b"x", chunk_sizes=[1], cut=["event", 3], stop_at=-1).transfer == "chunked"


def test_the_error_bodies_are_what_they_say() -> None:
    assert json.loads(JSON_ERROR)["error"]["type"] == "overloaded_error"
    assert HTML_ERROR.startswith(b"<!DOCTYPE html>")
    for body in (JSON_ERROR, HTML_ERROR):
        parser = SSEParser()
        assert parser.feed(body) == []
        assert parser.close().ignored_text.encode() == body.rstrip(b"\n")
