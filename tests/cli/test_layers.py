"""Which layer of a stream broke: the lowest one is named, with the reason."""

from __future__ import annotations

import pytest
from inspecting import ending

from untorn.cli._facts import Broken
from untorn.cli._trace import trace

CHAT = b'data: {"choices": [{"delta": {"content": "a"}}]}\n\n'
STOP = b'data: {"choices": [{"delta": {}, "finish_reason": "stop"}]}\n\n'
LONG = b'data: {"choices": [{"delta": {}, "finish_reason": "length"}]}\n\n'
DONE = b"data: [DONE]\n\n"


def broken(wire: bytes) -> Broken:
    return ending(trace([wire], None)).broken


@pytest.mark.parametrize(
    "wire",
    [
        b"data: x\n\n",
        b"data: x\n\nid: 7\n",
        b"data: [info] a log line\n\ndata: {braces}\n\n",
        b'data: {"a": 1}\n\ndata: [1, 2]\n\ndata: [DONE]\n\n',
        CHAT + STOP + DONE,
        b"unknown: field\n" + CHAT + STOP,
        b"data: " + b'[{"a":' * 20_000 + b"\n\n",
    ],
)
def test_nothing_broke(wire: bytes) -> None:
    assert broken(wire) == Broken("none")


@pytest.mark.parametrize(
    ("wire", "layer", "reason"),
    [
        (b"data: \xff\n\n" + CHAT, "bytes", "they are not UTF-8 at byte 6"),
        (b"data: x\n\n\xe7\x81\n\xff\n", "bytes", "they are not UTF-8 at byte 9"),
        (b"data: x\n\ndata: \xe7", "framing", "the stream ends inside an event"),
        (b"data: x\n\ndata: y\n", "framing", "the stream ends inside an event"),
        (b"data: x\n\ndat", "framing", "the stream ends inside an event"),
        (CHAT + STOP + b'data: {"choi', "framing", "the stream ends inside an event"),
        (
            CHAT + STOP + b"data: [DONE]\n",
            "framing",
            "the last event has no blank line: most readers drop it",
        ),
        (b"<html>\n502\n</html>\n", "framing", "this is no event stream: no line of it is a field"),
        (b'{"id": 7}', "framing", "this is no event stream: no line of it is a field"),
        (
            b'data: {"a": 1}\n\ndata: {"a": \n\n',
            "JSON",
            'an event\'s data is not JSON: "{\\"a\\": "',
        ),
        (
            b"1a\ndata: hello\n\n0\n",
            "framing",
            'what is no field stands between the events: "1a"',
        ),
        (
            CHAT + b"upstream connect error or disconnect\n",
            "framing",
            'what is no field stands between the events: "upstream connect error or disconnect"',
        ),
        (
            CHAT + b"<html>504 Gateway Timeout</html>\n\n",
            "framing",
            'what is no field stands between the events: "<html>504 Gateway Timeout</html>"',
        ),
        (
            b'data: data: {"a": 1}\n\ndata: data: b\n\n',
            "framing",
            'data holds a field of its own: "data: {\\"a\\": 1}"',
        ),
        (b"data: {'a': 1}\n\n", "JSON", "an event's data is not JSON: \"{'a': 1}\""),
        (b"data: [object Object]\n\n", "JSON", 'an event\'s data is not JSON: "[object Object]"'),
        (b"data: hello\n\n" + CHAT, "JSON", 'an event\'s data is not JSON: "hello"'),
        (CHAT + b'data: {"choices"\n\n', "JSON", 'an event\'s data is not JSON: "{\\"choices\\""'),
        (b"", "provider", "it sent no event"),
        (b": ping\n\n: ping\n\n", "provider", "it sent no event"),
        (b'{"error": {"message": "full"}}', "provider", "it reports an error: full"),
        (CHAT + b'data: {"error": "full"}\n\n', "provider", "it reports an error: full"),
        (CHAT, "provider", "no end signal: it stopped, or the connection dropped"),
        (CHAT + LONG + DONE, "provider", "it stopped early: length"),
        (
            CHAT.replace(b'"a"', b'"\\ud83d"') + STOP + DONE,
            "provider",
            "half of a surrogate pair never got its other half: it is U+FFFD now",
        ),
        (
            CHAT.replace(b'"a"', "\ufffd".encode().join([b'"'] * 2)) + STOP + DONE,
            "provider",
            "U+FFFD is in the text: the server sent it",
        ),
    ],
)
def test_what_broke(wire: bytes, layer: str, reason: str) -> None:
    assert broken(wire) == Broken(layer, reason)  # type: ignore[arg-type]


def test_an_answer_that_the_provider_cancelled() -> None:
    wire = b'data: {"type": "response.created", "response": {}}\n\n'
    wire += b'data: {"type": "response.cancelled", "response": {"status": "cancelled"}}\n\n'
    assert broken(wire).layer == "provider"


def test_more_than_the_assembler_takes() -> None:
    choices = b",".join(b'{"index": %d, "delta": {"content": "a"}}' % n for n in range(2_000))
    found = broken(b'data: {"choices": [%s]}\n\n' % choices + CHAT + STOP)
    assert found == Broken(
        "provider", "the stream passed max_choices=1,024, which is an option of DeltaAssembler"
    )


def test_bad_json_names_the_first_such_event() -> None:
    found = broken(b'data: {"a\n\ndata: {"b\n\n')
    assert found.reason == 'an event\'s data is not JSON: "{\\"a"'
