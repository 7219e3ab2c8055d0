"""Redaction as a whole: the same faults at the same bytes, and other words."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from llm import LLM_FILES, Case, assemble, cases

from untorn import SSEParser
from untorn.deltas import Message
from untorn.recording import Read, Recording
from untorn.recording._redact import redact_wire
from untorn.recording._substitute import Substitution

ALL = cases(*LLM_FILES)
FOLDER = os.environ.get("UNTORN_CAPTURES")
KEPT = {"null", "true", "false", "DONE", "error"}  # literals, also where a plain stream has them


def silent(done: int, of: int) -> None:
    """Tell nobody."""


def redacted(wire: bytes) -> bytes:
    return redact_wire(wire, Substitution(1), silent)


def shape(message: Message) -> list[Any]:
    calls = (*message.tool_calls, *message.server_calls)
    return [
        (message.outcome, message.ended_by, message.intact, message.shortened),
        message.finish_reason,
        [len(text.encode()) for text in (message.text, message.reasoning, message.refusal)],
        [(call.complete, len(call.arguments.encode()), call.id is None) for call in calls],
        [(part.kind, sorted(part.metadata)) for part in message.parts],
        message.error is None,
        len(message.problems),
    ]


def words(message: Message) -> set[str]:
    return set(re.findall(r"[^\W\d_]{4,}", message.text + message.reasoning)) - KEPT


@pytest.mark.parametrize("case", ALL, ids=str)
def test_a_stream_keeps_its_shape_and_loses_its_words(case: Case) -> None:
    wire = redacted(case.wire)
    before = assemble(case.wire, case.format).message
    after = assemble(wire, case.format).message

    assert len(wire) == len(case.wire)
    assert shape(after) == shape(before)
    if case.format != "plain":
        assert not words(after) & words(before)


@pytest.mark.skipif(FOLDER is None, reason="UNTORN_CAPTURES names no folder of recorded bodies")
def test_recorded_bodies_keep_their_shape() -> None:
    for path in sorted(Path(FOLDER or "").glob("*.sse")):
        wire = path.read_bytes()
        before, after = (assemble(body, "auto").message for body in (wire, redacted(wire)))
        assert shape(after) == shape(before), path.name
        assert not words(after) & words(before), path.name


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
        (": ping word\nid: abc1\n\n", [": ", "id: "]),
        ("\ufeffdata: word\r\n\r\n", ["\ufeffdata: ", "\r\n\r\n"]),
        ("data\ndata:word\rdata:  word", ["data\ndata:", "\rdata:  "]),
        ("foo: word\n\n", ["foo: "]),
        ('{\n  "error": {\n    "message": "word"\n  }\n}\n', ['"error": {', '"message": "']),
        ("<html>\n<p>word</p>\n", ["<html>\n<p>", "</p>"]),
        ("word of a page: word\n", []),
    ],
)
def test_framing_stays(wire: str, kept: list[str]) -> None:
    other = redacted(wire.encode()).decode()

    assert len(other.encode()) == len(wire.encode())
    assert "word" not in other
    assert all(part in other for part in kept), other


def test_a_line_never_becomes_a_field() -> None:
    """A line of a text may stand for "data" by chance; then it stays as it is."""

    class Unlucky(Substitution):
        def __call__(self, character: str) -> str:
            return dict(zip("wxyz", "data", strict=True)).get(character, character)

    assert redact_wire(b"wxyz\n", Unlucky(), silent) == b"wxyz\n"
    assert redact_wire(b"wxyzz\n", Unlucky(), silent) == b"dataa\n"


def test_bad_bytes_are_as_bad() -> None:
    wire = b"data: \xff word \xe7\x81\n\n\xf0\x9f"
    other = redacted(wire)

    assert re.sub(rb"[a-z]", b"", other.replace(b"data", b"")) == b": \xff  \xe7\x81\n\n\xf0\x9f"
    assert b"word" not in other


def test_its_progress_is_told_line_by_line() -> None:
    told: list[tuple[int, int]] = []
    redact_wire(b"data: a\r\n\ndata: \xc3\xa9", Substitution(1), lambda *of: told.append(of))

    assert told[:3] == [(9, 17), (10, 17), (17, 17)]
