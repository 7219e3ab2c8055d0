"""The push object: feeding, closing, asking; what is left over at the end; limits, strictness."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest
from formats_of_users import Replicate
from llm import assemble, call, chat, sse

from untorn import Event, SSEParser, StreamEnd
from untorn.deltas import (
    AssemblerClosedError,
    AssemblyLimitError,
    BadPayload,
    BadPayloadError,
    DeltaAssembler,
    EndMarker,
    ErrorUpdate,
    Finish,
    ReasoningDelta,
    TextDelta,
    ToolCallDelta,
    ToolCallEnd,
    ToolCallStart,
    UnknownFormatError,
)

HELLO = Event(json.dumps(chat({"content": "Привет"})))
DONE = Event("[DONE]")


def ended(wire: bytes) -> StreamEnd:
    parser = SSEParser()
    parser.feed(wire)
    return parser.close()


def test_events_go_in_and_deltas_come_out() -> None:
    assembler = DeltaAssembler("openai-chat")

    assert assembler.feed(HELLO) == [TextDelta("Привет")]
    assert (assembler.message.text, assembler.done) == ("Привет", False)
    assert assembler.feed(DONE) == [EndMarker()]
    assert assembler.done
    assert assembler.close() == []


def test_events_of_others_will_do() -> None:
    class Other:
        """As an SDK has them: more than ``data`` and ``event``, and no name."""

        data = HELLO.data
        event = None
        retry = 3

    assert DeltaAssembler("openai-chat").feed(Other()) == [TextDelta("Привет")]


def test_a_finish_reason_is_no_end_marker() -> None:
    assembler = DeltaAssembler("openai-chat")
    assert assembler.feed(Event(json.dumps(chat(finish="stop")))) == [Finish("stop")]
    assert not assembler.done


def test_closing_is_final_and_idempotent() -> None:
    assembler = DeltaAssembler("openai-chat")
    assembler.feed(Event(json.dumps(chat({"content": "\ud83d"}))))

    assert assembler.close() == [TextDelta("\ufffd")]
    assert assembler.close(cancelled=True) == []
    assert assembler.message.outcome.value == "truncated"
    with pytest.raises(AssemblerClosedError):
        assembler.feed(HELLO)


def test_a_call_can_be_watched() -> None:
    assembler = DeltaAssembler("openai-chat")
    assembler.feed(Event(json.dumps(chat(call('{"q": "Αθή', id="c", name="suche")))))
    assert assembler.call(0).partial == {"q": "Αθή"}
    assembler.feed(Event(json.dumps(chat(call('να"}')))))

    watched = assembler.call(0)
    assert (watched.partial, watched.complete) == ({"q": "Αθήνα"}, False)
    with pytest.raises(KeyError):
        assembler.call(1)


def test_arguments_that_come_by_path_can_be_watched() -> None:
    def event(**function: Any) -> Event:
        part = {"functionCall": {"willContinue": True, **function}}
        return Event(json.dumps({"candidates": [{"content": {"parts": [part]}}]}))

    assembler = DeltaAssembler("gemini")
    assembler.feed(event(name="f"))
    for piece in ("Αθή", "να"):
        path = {"jsonPath": "$.q", "stringValue": piece, "willContinue": True}
        assembler.feed(event(partialArgs=[path]))

    assert assembler.call(0).partial == {"q": "Αθήνα"}
    [made] = assembler.message.tool_calls
    assert (made.partial, made.arguments, made.complete) == ({"q": "Αθήνα"}, "", False)


def test_the_deltas_of_a_call() -> None:
    pieces = [call("", id="c", name="f", index=0), call("{", index=0), call("}", index=0)]
    wire = sse(*[chat(piece) for piece in pieces], chat(finish="tool_calls"))

    assert assemble(wire, "openai-chat").deltas == [
        ToolCallStart(0, "c", "f"),
        ToolCallDelta(0, "{"),
        ToolCallDelta(0, "}"),
        ToolCallEnd(0, "{}", True),
        Finish("tool_calls"),
    ]


def test_the_format_is_said() -> None:
    assert DeltaAssembler("gemini").format == "gemini"
    assert DeltaAssembler("auto").format == "auto"
    told = DeltaAssembler("auto")
    told.feed(HELLO)
    assert told.format == "openai-chat"


def test_a_name_that_is_none_is_refused() -> None:
    with pytest.raises(UnknownFormatError, match="openai-chat"):
        DeltaAssembler("openai")  # type: ignore[arg-type]


def test_a_bad_payload_is_kept_and_the_stream_goes_on() -> None:
    assembler = DeltaAssembler("openai-chat")
    [bad] = assembler.feed(Event("{"))

    assert isinstance(bad, BadPayload)
    assert assembler.feed(HELLO) == [TextDelta("Привет")]


def test_strict_raises_on_a_bad_payload() -> None:
    assembler = DeltaAssembler("openai-chat", strict=True)
    with pytest.raises(BadPayloadError) as caught:
        assembler.feed(Event("{"))

    assert caught.value.event == Event("{")
    assert caught.value.deltas == (BadPayload(Event("{"), caught.value.reason),)


def test_loads_is_passed_on() -> None:
    assembler = DeltaAssembler("openai-chat", loads=orjson.loads)
    assert assembler.feed(HELLO) == [TextDelta("Привет")]


@pytest.mark.parametrize(
    ("tail", "text", "used"),
    [
        (b"data: " + HELLO.data.encode(), "Привет", True),
        (b"data: " + HELLO.data.encode() + b"\n", "Привет", True),
        (b"data: " + HELLO.data.encode()[:-1], "", False),
        (b"data: [DONE]", "", True),
        (b"data: [DON", "", False),
        (b"data: 12", "", False),
        (b"event: error", "", False),
        (b"data", "", False),
        (b"data: ", "", False),
    ],
)
def test_a_last_event_without_a_blank_line(tail: bytes, text: str, used: bool) -> None:
    message = assemble(sse(chat({"role": "assistant"})) + tail, "openai-chat").message
    assert (message.text, message.tail_used) == (text, used)

    strict = assemble(tail, "openai-chat", strict=True).message
    assert (strict.text, strict.tail_used) == ("", False)


@pytest.mark.parametrize(
    ("tail", "intact"),
    [
        (b"data: [DON", True),
        (b"data:", True),
        (b"dat", True),
        (b'data: {"cho', False),
        (b"data: x", False),
    ],
)
def test_what_a_cut_after_the_finish_reason_took(tail: bytes, intact: bool) -> None:
    message = assemble(sse(chat({"content": "a"}, "stop")) + tail, "openai-chat").message

    assert (message.outcome.value, message.intact) == ("completed", intact)
    if not intact:
        assert message.problems[0].startswith("the stream ended inside an event: ")


def test_nothing_after_the_end_marker_is_a_loss() -> None:
    wire = sse(chat({"content": "a"}, "stop"), "[DONE]")
    for rest in (b'data: {"cut', b"data: bye", sse(chat({"content": "b"}))[:-2]):
        message = assemble(wire + rest, "openai-chat").message
        assert (message.text, message.intact, message.problems) == ("a", True, ())


def test_an_error_after_the_end_marker_counts_without_its_blank_line_too() -> None:
    wire = sse(chat({"content": "a"}, "stop"), "[DONE]") + b'data: {"error": {"message": "weg"}}'
    assert assemble(wire, "openai-chat").message.outcome.value == "provider_error"


def test_something_after_the_end_marker_is_noted() -> None:
    wire = sse(chat({"content": "a"}, "stop"), "[DONE]", chat({"content": "b"}))
    message = assemble(wire, "openai-chat").message

    assert message.text == "ab"
    assert message.problems == ("something came after the end marker",)


def test_a_stream_without_an_event_is_noted() -> None:
    assert assemble(b": ping\n\n", "openai-chat").message.problems == ("no event came",)
    assert assemble(b"data: [DONE]", "openai-chat").message.problems == (
        "no chunk before the end marker",
    )


def test_a_body_that_is_no_event_stream_is_told() -> None:
    error = assemble(b'{"error": {"message": "bad key"}}', "openai-chat")
    assert [delta for delta in error.deltas if isinstance(delta, ErrorUpdate)] == [
        ErrorUpdate("bad key")
    ]
    empty = assemble(b"{}\n", "openai-chat").message
    assert empty.problems[-1] == "no event came, but '{}'"
    page = assemble(sse(chat({"content": "a"}, "stop")) + b"<html>\n", "openai-chat").message
    assert page.outcome.value == "truncated"
    assert page.problems == ("an HTML page instead of an event stream",)


def test_a_format_of_a_user_has_a_reader_for_each_stream() -> None:
    format = Replicate()
    assembler = DeltaAssembler(format)

    assert assembler.format is format
    assert assembler.feed(Event(" x", "output")) == [TextDelta(" x")]


def test_a_source_that_failed_is_among_the_problems() -> None:
    assembler = DeltaAssembler("openai-chat")
    assembler.feed(HELLO)
    assembler.close(ended(b""), cause=ConnectionResetError("weg"))

    message = assembler.message
    assert message.outcome.value == "truncated"
    assert message.problems[0] == "the source failed: ConnectionResetError('weg')"


LIMITS = [
    ("max_slots", chat({"content": "a", "reasoning": "b"}), 1),
    ("max_choices", {"choices": [{"delta": {"content": "a"}}, {"index": 999_999_999}]}, 1),
    ("max_argument_chars", chat({"content": "a", **call("{}x", id="c", name="f")}), 2),
]


@pytest.mark.parametrize(("name", "payload", "limit"), LIMITS)
def test_a_limit_is_named_and_loses_nothing(name: str, payload: Any, limit: int) -> None:
    assembler = DeltaAssembler("openai-chat", **{name: limit})  # type: ignore[arg-type]
    with pytest.raises(AssemblyLimitError, match=f"{name}={limit}") as caught:
        assembler.feed(Event(json.dumps(payload)))

    assert (caught.value.name, caught.value.limit) == (name, limit)
    kept = [d.text for d in caught.value.deltas if isinstance(d, (TextDelta, ReasoningDelta))]
    assert kept in (["a"], ["b"])
    assembler.close()
    assert not assembler.message.intact
    assert assembler.message.problems[0].startswith(f"the stream passed {name}={limit}")


def test_a_limit_in_the_tail_is_a_problem_since_closing_never_raises() -> None:
    wire = b"data: " + json.dumps(chat({"content": "a"})).encode()
    run = assemble(wire, "openai-chat", max_slots=0)

    assert run.deltas == []
    assert run.message.problems[0].startswith("the stream passed max_slots=0")


def test_an_undecided_auto_is_a_problem_and_not_intact() -> None:
    message = assemble(sse({"hello": 1}), "auto").message
    assert message.problems[0].startswith("the stream does not tell its format")

    assembler = DeltaAssembler("auto")
    assembler.feed(Event("text"))
    assembler.close()
    assert assembler.message.problems[0].startswith("the stream does not tell its format")
    assert not assembler.message.intact


@pytest.mark.parametrize("wire", [b"", sse("[DONE]"), sse({"error": {"message": "m"}})])
def test_auto_is_not_blamed_where_nothing_could_tell(wire: bytes) -> None:
    problems = assemble(wire, "auto").message.problems
    assert not any(problem.startswith("the stream does not tell") for problem in problems)
