"""What a stream may be told to be, and which options contradict each other."""

from __future__ import annotations

import json
from typing import Any

import pytest

from untorn import SSEParser
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
        ({"chunk_sizes": [3, 0]}, "chunk_sizes must be at least 1 byte each"),
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
    with pytest.raises(ValueError, match=r"must|boundary|are those|needs|sent as") as raised:
        Stream(**options)
    assert fault in str(raised.value)


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
