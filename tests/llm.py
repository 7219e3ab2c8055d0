"""What the tests of the assembler share: cases as data, wires made of payloads, a run over any cut.

The form of a case is that of ``bugreports_llm.json``: a format, the whole wire, and what to expect.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from untorn import SSEParser
from untorn.deltas import (
    Delta,
    DeltaAssembler,
    Format,
    FormatName,
    Message,
    ReasoningDelta,
    RefusalDelta,
    TextDelta,
    ToolCall,
    ToolCallDelta,
    get_format,
)

VECTORS = Path(__file__).parent / "vectors"
LLM_FILES = ("bugreports_llm", "dialects", "protocols")


@dataclass(frozen=True)
class Case:
    """One stream and what an assembler has to make of it."""

    name: str
    format: str
    wire: bytes
    expect: dict[str, Any]

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Run:
    """What an assembler made of a stream."""

    assembler: DeltaAssembler
    deltas: list[Delta]

    @property
    def message(self) -> Message:
        return self.assembler.message

    @property
    def text(self) -> str:
        """The text deltas of choice 0, joined."""
        return "".join(d.text for d in self.deltas if isinstance(d, TextDelta) and not d.choice)


def cases(*files: str) -> list[Case]:
    """Load the cases of these files."""
    found = []
    for file in files:
        for case in json.loads((VECTORS / f"{file}.json").read_text("utf-8")):
            wire = case["wire"].encode("utf-8")
            found.append(Case(case["name"], case["format"], wire, case["expect"]))
    return found


def sse(*payloads: Any, event: str | None = None) -> bytes:
    """Write payloads as events: objects as JSON, texts as they are."""
    named = f"event: {event}\n" if event else ""
    texts = [p if isinstance(p, str) else json.dumps(p, ensure_ascii=False) for p in payloads]
    lines = ["\n".join(f"data: {line}" for line in text.split("\n")) for text in texts]
    return "".join(f"{named}{data}\n\n" for data in lines).encode("utf-8")


def typed(*payloads: dict[str, Any]) -> bytes:
    """Write payloads as events that are named by their type."""
    return b"".join(sse(payload, event=payload["type"]) for payload in payloads)


def chat(delta: Any = None, finish: str | None = None, *, index: int = 0, **more: Any) -> Any:
    """Make a chat completion chunk with one choice."""
    choice = {"index": index, "delta": {} if delta is None else delta, "finish_reason": finish}
    return {"object": "chat.completion.chunk", "choices": [choice], **more}


def call(
    arguments: Any = None, *, id: str | None = None, name: str | None = None, **more: Any
) -> Any:
    """Make a chat delta with one piece of a tool call."""
    function = {} if name is None else {"name": name}
    if arguments is not None:
        function["arguments"] = arguments
    piece = (
        {"function": function, **more} if id is None else {"id": id, "function": function, **more}
    )
    return {"tool_calls": [piece]}


def assemble(wire: bytes, format: str | Format, *, read: int | None = None, **options: Any) -> Run:
    """Run an assembler over a wire, in reads of this many bytes, to the end."""
    chosen: Any = get_format(format) if isinstance(format, str) else format
    parser, assembler = SSEParser(), DeltaAssembler(chosen, **options)
    deltas: list[Delta] = []
    size = read or len(wire) or 1
    for start in range(0, len(wire), size):
        for event in parser.feed(wire[start : start + size]):
            deltas += assembler.feed(event)
    deltas += assembler.close(parser.close())
    return Run(assembler, deltas)


def named(format: FormatName, **options: Any) -> DeltaAssembler:
    """Make an assembler, with options as they come."""
    return DeltaAssembler(format, **options)


def check(case: Case, run: Run) -> None:
    """Hold a run to what its case expects, any of the right answers that it lists."""
    expect, message = case.expect, run.message
    assert message.text in [expect["text"], *expect.get("text_also_ok", [])]
    assert message.reasoning in [expect.get("reasoning", ""), *expect.get("reasoning_also_ok", [])]
    assert message.refusal == expect.get("refusal", "")
    assert message.finish_reason == expect["finish_reason"]
    assert message.usage == expect.get("usage")
    assert message.outcome.value in expect["outcome"]
    assert message.intact is expect["intact"], message.problems
    assert message.shortened is (expect.get("cut") in ("limit", "filter"))
    check_calls(message.tool_calls, expect["tool_calls"], expect)
    check_calls(message.server_calls, expect.get("server_calls", []), expect)
    for choice, wanted in zip(message.choices, expect.get("choices", []), strict=False):
        assert (choice.index, choice.text) == (wanted["index"], wanted["text"])
        assert choice.finish_reason == wanted["finish_reason"]
        check_calls(choice.tool_calls, wanted["tool_calls"], expect)
    if "choices" in expect:
        assert len(message.choices) == len(expect["choices"])
    if "error" in expect:
        assert message.error is not None
        assert expect["error"] in message.error.message
    check_sums(run)


def check_calls(
    calls: tuple[ToolCall, ...], wanted: list[dict[str, Any]], expect: dict[str, Any]
) -> None:
    """Hold calls to what is expected of them, in order."""
    assert [(call.id, call.name) for call in calls] == [(w["id"], w["name"]) for w in wanted]
    for got, want in zip(calls, wanted, strict=True):
        if expect.get("arguments_compare") == "json":
            assert json.loads(got.arguments) == json.loads(want["arguments"])
        else:
            assert got.arguments in [want["arguments"], *expect.get("arguments_also_ok", [])]


def check_sums(run: Run) -> None:
    """The deltas add up to the message, in each choice and call, and all of it is UTF-8."""
    message = run.message
    for choice in message.choices:
        assert _sum(run, TextDelta, choice.index) == choice.text
        assert _sum(run, ReasoningDelta, choice.index) == choice.reasoning
        assert _sum(run, RefusalDelta, choice.index) == choice.refusal
        for call in (*choice.tool_calls, *choice.server_calls):
            pieces = [d for d in run.deltas if isinstance(d, ToolCallDelta) and d.slot == call.slot]
            if "a call's final arguments differ" not in "".join(message.problems):
                assert "".join(piece.text for piece in pieces) == call.arguments
            call.arguments.encode("utf-8")
        (choice.text + choice.reasoning + choice.refusal).encode("utf-8")


def _sum(run: Run, kind: type[TextDelta | ReasoningDelta | RefusalDelta], choice: int) -> str:
    deltas = [d for d in run.deltas if isinstance(d, kind) and d.choice == choice]
    return "".join(delta.text for delta in deltas)
