"""Recorded bodies of real providers give what was worked out for them, however they are cut.

They are other projects' data and stay out of this repository: ``UNTORN_CAPTURES`` names a folder.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, get_args

import pytest
from formats_of_users import LangGraph, Replicate
from llm import Run, assemble, check_sums

from untorn import SSEParser
from untorn.deltas import DeltaAssembler, Format, FormatName, ToolCall, get_format

FOLDER = Path(os.environ.get("UNTORN_CAPTURES", ""))
USERS: dict[str, Format] = {"replicate": Replicate(), "langgraph": LangGraph()}
BUILT_IN = get_args(FormatName)
END = SSEParser().close()  # of a stream that ended between events


def captures() -> list[tuple[str, dict[str, Any]]]:
    if not FOLDER.name:
        return []
    expected: dict[str, Any] = json.loads((FOLDER / "expected.json").read_text("utf-8"))
    return [(n, e) for n, e in expected.items() if e["format"] in (*BUILT_IN, *USERS)]


def format_of(expected: dict[str, Any]) -> Format:
    name = expected["format"]
    return USERS[name] if name in USERS else get_format(name)


def every_capture(test: Any) -> Any:
    names = [pytest.param(*capture, id=capture[0]) for capture in captures()]
    reason = "UNTORN_CAPTURES names no folder of recorded bodies"
    marked = pytest.mark.parametrize(("name", "expected"), names or [("", {})])(test)
    return pytest.mark.skipif(not names, reason=reason)(marked)


def check_calls(got: tuple[ToolCall, ...], expected: list[dict[str, Any]]) -> None:
    assert [(call.id, call.name, call.arguments) for call in got] == [
        (call["id"], call["name"], call["arguments"]) for call in expected
    ]
    for call, wanted in zip(got, expected, strict=True):
        if "arguments_partial" in wanted:
            assert call.partial == wanted["arguments_partial"]["keep_open_string"]
        if wanted["arguments_json"] is not None:
            assert call.json() == wanted["arguments_json"]
        else:
            assert not call.complete or call.custom


def check(run: Run, expected: dict[str, Any]) -> None:
    message = run.message
    assert message.text == expected["text"]
    assert message.reasoning == expected["reasoning"]
    assert message.finish_reason == expected["finish_reason"]
    assert message.usage == expected["usage"]
    assert message.outcome.value == expected["outcome"]
    check_calls(message.tool_calls, expected["tool_calls"])
    check_calls(message.server_calls, expected.get("server_tool_calls", []))
    assert message.model == expected.get("model", message.model)
    if "error" in expected:
        assert message.error is not None
        assert message.error.message == expected["error"]["message"]
    check_parts(run, expected)
    check_sums(run)


def check_parts(run: Run, expected: dict[str, Any]) -> None:
    metadata = [part.metadata for part in run.message.parts]
    if "blocks" in expected:
        assert [each["type"] for each in metadata if "type" in each] == expected["blocks"]
    if "citations" in expected:
        assert sum(len(each.get("citations", [])) for each in metadata) == expected["citations"]
    if "stop_details" in expected:
        assert expected["stop_details"] in [each.get("stop_details") for each in metadata]


@every_capture
def test_a_capture(name: str, expected: dict[str, Any]) -> None:
    wire = (FOLDER / name).read_bytes()
    lf = wire.replace(b"\r\n", b"\n")
    for variant in (wire, b"\xef\xbb\xbf" + lf, lf.replace(b"\n", b"\r\n")):
        for read in (None, 1):
            check(assemble(variant, format_of(expected), read=read), expected)


@every_capture
def test_a_capture_without_its_final_blank_line(name: str, expected: dict[str, Any]) -> None:
    wire = (FOLDER / name).read_bytes()
    if name == "replicate-llama.sse":
        wire = wire[: wire.rindex(b":408")]  # a comment ends it, not an event
    cut = wire.rstrip(b"\r\n")
    check(assemble(cut, format_of(expected)), expected)

    strict = assemble(cut, format_of(expected), strict=True).message
    if expected.get("terminal_at_event") == expected["sse"]["events"]:
        assert strict.outcome.value == "truncated"


@every_capture
def test_every_prefix_of_a_capture(name: str, expected: dict[str, Any]) -> None:
    events = SSEParser().feed((FOLDER / name).read_bytes())
    terminal = expected.get("terminal_at_event") or len(events) + 1
    for count in range(len(events) + 1):
        assembler = DeltaAssembler(format_of(expected))
        for event in events[:count]:
            assembler.feed(event)
        outcome = expected["outcome"] if count >= terminal else "truncated"
        assert assembler.message.outcome.value == outcome
        assembler.close(END)
        assert assembler.message.outcome.value == outcome


@every_capture
def test_auto_tells_a_capture(name: str, expected: dict[str, Any]) -> None:
    run = assemble((FOLDER / name).read_bytes(), "auto")
    if expected["format"] in BUILT_IN:
        assert run.assembler.format == expected["format"]
        check(run, expected)
    else:
        assert run.assembler.format == "auto"
        assert not run.message.intact
