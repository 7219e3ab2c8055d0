"""Redaction as a whole: the same faults at the same bytes, and other words, for every fixture."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from llm import LLM_FILES, Case, assemble, cases
from support import Case as Vector
from support import load
from timing import is_linear, least_time

from untorn import Event, SSEParser, StreamEnd
from untorn.deltas import Message
from untorn.recording import Read, Recording
from untorn.recording._redact import redact_wire
from untorn.recording._steering import STEERING, WORDS
from untorn.recording._substitute import Substitution

ALL = cases(*LLM_FILES)
VECTORS = load("spec", "bugreports_sse")
FOLDER = os.environ.get("UNTORN_CAPTURES")
KEPT = {"null", "true", "false", "DONE"}
ARGUMENTS = {"arguments", "partial_json", "inputTextDelta", "delta", "input"}
WORD = re.compile(r"[^\W\d_]{4,}")
KEY = re.compile(r'"([^"\\]*)\\*"\s*:')
# The only reason of a fixture that no format knows: it is somebody's, and another one after.
UNKNOWN = "low_tide"


def silent(done: int, of: int) -> None:
    """Tell nobody."""


def redacted(wire: bytes, seed: int = 1) -> bytes:
    return redact_wire(wire, Substitution(seed), silent)


def parsed(wire: bytes) -> tuple[list[Event], list[str], StreamEnd]:
    comments: list[str] = []
    parser = SSEParser(on_comment=comments.append)
    events = parser.feed(wire)
    return events, comments, parser.close()


# What was left in clear: the words that stand where they stood.


def left(before: str, after: str) -> set[str]:
    same = {m[0] for m in WORD.finditer(before) if after[m.start() : m.end()] == m[0]}
    return same - KEPT


def left_besides(before: str, after: str, keys: str) -> set[str]:
    """Give what was left in a text that is JSON in part, or a piece of JSON; keys may be cut."""
    own = " ".join(KEY.findall(before))
    return {word for word in left(before, after) if word not in own + keys}


def strings(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Give the texts of a JSON value with their keys."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from strings(item, name)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)
    elif isinstance(value, str):
        yield key, value


def left_in_json(before: str, after: str, keys: str = "") -> set[str]:
    """Compare payloads: JSON text by text, since keys stay, and words of the formats may."""
    try:
        pairs = zip(strings(json.loads(before)), strings(json.loads(after)), strict=True)
    except ValueError:
        if before.lstrip()[:1] != "{":
            return left(before, after)
        return set(filter(unknown, left_besides(before, after, keys)))
    found: set[str] = set()
    for (key, one), (same_key, other) in pairs:
        assert key == same_key
        if key in STEERING:
            found |= set(filter(unknown, left(one, other)))
        elif key in ARGUMENTS:
            found |= left_besides(one, other, keys)
        elif key != "jsonPath":
            found |= left(one, other)
    return found


def unknown(word: str) -> bool:
    """Tell whether a word, such as "ServerError", is made of others than those of formats."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", word)
    return not {part.lower() for part in parts or [word]} <= WORDS


def left_in_message(before: Message, after: Message) -> set[str]:
    found: set[str] = set()
    for field in ("text", "reasoning", "refusal"):
        found |= left_besides(getattr(before, field), getattr(after, field), "")
    for one, other in zip(before.tool_calls, after.tool_calls, strict=True):
        found |= left_besides(one.arguments, other.arguments, "")
    return found


def shape(message: Message) -> list[Any]:
    calls = (*message.tool_calls, *message.server_calls)
    return [
        (message.outcome, message.ended_by, message.intact, message.shortened),
        [len(text.encode()) for text in (message.text, message.reasoning, message.refusal)],
        [(call.complete, len(call.arguments.encode()), call.id is None) for call in calls],
        [(part.kind, sorted(part.metadata)) for part in message.parts],
        message.error is None,
        len(message.problems),
    ]


def check_stream(wire: bytes, format: str) -> None:
    other = redacted(wire)
    before, after = (assemble(body, format).message for body in (wire, other))
    assert len(other) == len(wire)
    assert shape(after) == shape(before)
    assert (after.finish_reason == before.finish_reason) == (before.finish_reason != UNKNOWN)
    assert not left_in_message(before, after)
    calls = (*before.tool_calls, *before.server_calls)
    keys = " ".join(key for call in calls for key in KEY.findall(call.arguments))
    for one, two in zip(parsed(wire)[0], parsed(other)[0], strict=True):
        assert one.event == two.event
        assert not left_in_json(one.data, two.data, keys)


@pytest.mark.parametrize("case", ALL, ids=str)
def test_a_stream_keeps_its_shape_and_loses_its_words(case: Case) -> None:
    check_stream(case.wire, case.format)


@pytest.mark.skipif(FOLDER is None, reason="UNTORN_CAPTURES names no folder of recorded bodies")
def test_recorded_bodies_keep_their_shape_and_lose_their_words() -> None:
    for path in sorted(Path(FOLDER or "").glob("*.sse")):
        check_stream(path.read_bytes(), "auto")


def event_shape(event: Event) -> tuple[Any, ...]:
    lines = [len(line.encode("utf-8", "surrogatepass")) for line in event.data.split("\n")]
    named = event.event if re.fullmatch(r"[a-z]+", event.event) else len(event.event.encode())
    return named, lines, len(event.id.encode()), event.retry


def end_shape(end: StreamEnd) -> tuple[Any, ...]:
    tail = end.tail and (len(end.tail.line), end.tail.event and event_shape(end.tail.event))
    return tail, end.retry, len(end.last_event_id), end.event_count, len(end.ignored_text)


@pytest.mark.parametrize("case", VECTORS, ids=lambda case: str(case.name))
def test_a_vector_keeps_its_events_and_loses_its_words(case: Vector) -> None:
    other = redacted(case.wire)
    (events, comments, end), (events2, comments2, end2) = parsed(case.wire), parsed(other)

    assert len(other) == len(case.wire)
    assert list(map(event_shape, events2)) == list(map(event_shape, events))
    assert list(map(len, comments2)) == list(map(len, comments))
    assert end_shape(end2) == end_shape(end)
    for before, after in zip(comments, comments2, strict=True):
        assert not left(before, after)
    for one, two in zip(events, events2, strict=True):
        assert not left(one.id, two.id)
        assert not left_in_json(one.data, two.data)


@pytest.mark.parametrize("size", [1, 3, 7])
def test_the_same_reads_fail_in_a_naive_reader(size: int) -> None:
    wire = 'data: {"text": "Grüße, 世界 🦊 наука"}\r\n\r\n'.encode() + b"data: \xe7\x81x\n\n"
    reads = tuple(Read(wire[i : i + size], i / 10) for i in range(0, len(wire), size))
    recording = Recording(reads, cut_short=True)
    other = recording.redact(seed=5)

    assert [len(r.data) for r in other.reads] == [len(r.data) for r in reads]
    assert [r.time for r in other.reads] == [r.time for r in reads]
    assert other.cut_short
    for one, two in zip(reads, other.reads, strict=True):
        naive = [read.data.decode("utf-8", "replace") for read in (one, two)]
        assert naive[0].count("\ufffd") == naive[1].count("\ufffd")
    assert SSEParser().feed(other.wire)[0].data != SSEParser().feed(wire)[0].data


@pytest.mark.parametrize(
    ("wire", "kept"),
    [
        ("event: thing\nretry: 30\ndata: word\n\n", ["event: thing", "retry: 30", "data: "]),
        ("event: TOOL_WORDY word\nevent: Xword\nevent: word up\n\n", ["event: ", "event: "]),
        (": ping word\nid: abc1\n\n", [": ", "id: "]),
        ("\ufeffdata: word\r\n\r\n", ["\ufeffdata: ", "\r\n\r\n"]),
        ("data\ndata:word\rdata:  word", ["data\ndata:", "\rdata:  "]),
        ("comment: word\nData: word\n data : word\n", ["comment: ", "\nData: ", "\n data : "]),
        ("word: word\nword\n\n", [": ", "\n\n"]),
        ('ping: {"type": "ping", "a": "word"}\n', ['ping: {"type": "ping", "a": "']),
        ("retry: word\nretry: +5\nretry\nretry: 07\n", ["retry: ", "\nretry\nretry: 07\n"]),
        ('{\n  "error": {\n    "message": "word"\n  }\n}\n', ['"error": {', '"message": "']),
        ('{"a": "word"}\n\n{"b": "word"}\ndata: [1]\n', ['{"a": "', '\n\n{"b": "', '"}\ndata: [']),
        ("<html>\n<p>word</p>\n", ["<html>\n<p>", "</p>"]),
        ("word of a page: word\n", []),
        ("   \n", ["   \n"]),
        ("   \n{\n", ["   \n{\n"]),
    ],
)
def test_framing_stays(wire: str, kept: list[str]) -> None:
    other = redacted(wire.encode()).decode()

    assert len(other.encode()) == len(wire.encode())
    assert "word" not in other
    assert all(part in other for part in kept), other


def test_a_line_never_becomes_a_field() -> None:
    """A line of a text may stand for "data" by chance; then it becomes another."""

    class Unlucky(Substitution):
        def __call__(self, character: str) -> str:
            return dict(zip("wxydat", "datkkk", strict=True)).get(character, character)

    for wire, right in [
        (b"wxyx\n", b"kkkk\n"),
        (b"wxyx: wxyx\n", b"kkkk: data\n"),
        (b"wxyx wxyx: a\n", b"data data: k\n"),
        (b"{\nwxyx: 1}\nwxyxx: 2\n", b"{\nkkkk: 1}\ndataa: 2\n"),
    ]:
        assert redact_wire(wire, Unlucky(), silent) == right


def test_bad_bytes_are_as_bad() -> None:
    wire = b"data: \xff word \xe7\x81\n\n\xf0\x9f"
    other = redacted(wire)

    assert re.sub(rb"[a-z]", b"", other.replace(b"data", b"")) == b": \xff  \xe7\x81\n\n\xf0\x9f"
    assert b"word" not in other


def test_the_same_word_becomes_the_same_word() -> None:
    arguments = [{"arguments": '{"k": "Gr'}, {"arguments": 'üße"}'}]
    wire = (
        ": Grüße\nGrüße: Grüße\nid: Grüße\nevent: Grüße\ndata: Grüße\n\n"
        + "".join(f"data: {json.dumps(text)}\n\n" for text in ["Grüße", *arguments])
        + f"data: {json.dumps('Grüße', ensure_ascii=False)}\n\n"
    )
    events, comments, _ = parsed(redacted(wire.encode()))
    word = comments[0].strip()
    assert word != "Grüße"
    pieces = "".join(json.loads(event.data)["arguments"] for event in events[2:4])
    assert [events[0].id, events[0].event, events[0].data, json.loads(pieces)["k"]] == [word] * 4
    assert json.loads(events[1].data) == json.loads(events[4].data) == word


def test_its_progress_is_told_value_by_value() -> None:
    told: list[tuple[int, int]] = []
    redact_wire(b"data: a\r\n\ndata: \xc3\xa9\n\n", Substitution(1), lambda *of: told.append(of))

    assert told == [(7, 19), (17, 19), (19, 19)]


SHAPES: dict[str, Callable[[int], bytes]] = {
    "events": lambda n: b'data: {"delta": {"text": "a word"}}\n\n' * n,
    "arguments": lambda n: b'data: {"arguments": "\\"word\\", "}\n\n' * n,
    "a long text": lambda n: b'data: "' + b"word \\u0410\\n" * n + b'"\n\n',
    "a long text that is no JSON": lambda n: b'data: {"' + b"word \\u0410\\n" * n + b"\n\n",
    "unknown lines": lambda n: b"word words: word\n" * n,
    "containers": lambda n: b"data: " + b'[{"a":' * n + b"\n\n",
    "a body of JSON lines": lambda n: b'{"a": "word"}\n' * n,
    "tags": lambda n: b"data: " + b"<a " * n + b"\n\n",
}


@pytest.mark.parametrize("name", SHAPES)
def test_the_time_grows_as_the_body(name: str) -> None:
    wire = SHAPES[name]
    assert is_linear(lambda n: least_time(redacted, wire(n)), 200)
