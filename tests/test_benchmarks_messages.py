"""How messages are assembled in the race, with stand-ins for the packages of the helpers."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import answers
import messages
import pytest
from contenders import OURS

import untorn
from untorn import Event

EVENTS = tuple(Event(json.dumps({"piece": piece})) for piece in ("ab", "c"))
PAYLOADS = [{"piece": "ab"}, {"piece": "c"}]


@pytest.mark.parametrize("name", messages.NAMES)
def test_untorn_and_json_alone_find_the_answer_length(name: str) -> None:
    shape, text = messages.shape(name), answers.answer(name).text

    assert shape.name == name
    assert shape.events == len(text) > 8_000
    assert len(shape.reads) > answers.DELTAS
    assert messages._untorn(name.removesuffix("-call"))(shape.reads) == len(text)
    assert messages._loads(name)(shape.reads) == len(text)


def test_untorn_is_held_to_a_whole_answer() -> None:
    whole = messages.shape("anthropic").reads

    with pytest.raises(AssertionError):
        messages._untorn("anthropic")(whole[:-3])  # no reason to stop came


def test_json_alone_parses_each_payload() -> None:
    with pytest.raises(json.JSONDecodeError):
        messages._loads("openai-chat")((*EVENTS, Event("{")))


def stand_in(monkeypatch: pytest.MonkeyPatch, **modules: SimpleNamespace) -> None:
    """Put modules where the readers look for them; "__" in a keyword is a dot."""
    by_name = {name.replace("__", "."): module for name, module in modules.items()}
    monkeypatch.setattr(importlib, "import_module", by_name.__getitem__)


def construct(*, type_: object, value: dict[str, str]) -> Any:
    """Give what was asked for, so that it is seen whether it came through."""
    return type_, value


def message_of(text: str, arguments: str) -> Any:
    call = SimpleNamespace(function=SimpleNamespace(arguments=arguments))
    return SimpleNamespace(content=text or None, tool_calls=[call] if arguments else None)


@pytest.mark.parametrize(("text", "arguments"), [("a text", ""), ("", '{"a": 1}')])
def test_the_chat_helper_gets_each_chunk_and_its_events_are_taken(
    monkeypatch: pytest.MonkeyPatch, text: str, arguments: str
) -> None:
    got: list[object] = []
    taken: list[object] = []

    class State:
        def __init__(self) -> None:
            got.clear()

        def handle_chunk(self, chunk: object) -> Iterator[object]:
            got.append(chunk)
            for _ in range(2):
                taken.append(chunk)
                yield chunk

        def get_final_completion(self) -> Any:
            return SimpleNamespace(choices=[SimpleNamespace(message=message_of(text, arguments))])

    stand_in(
        monkeypatch,
        openai__lib__streaming__chat=SimpleNamespace(ChatCompletionStreamState=State),
        openai___models=SimpleNamespace(construct_type=construct),
        openai__types__chat=SimpleNamespace(ChatCompletionChunk="a chunk"),
    )
    read = messages._openai_chat()

    assert read(EVENTS) == len(text or arguments)
    assert got == [("a chunk", payload) for payload in PAYLOADS]
    assert taken == [chunk for chunk in got for _ in range(2)]
    assert read(EVENTS[:1]) == len(text or arguments)
    assert got == [("a chunk", PAYLOADS[0])]  # each answer has a state of its own


@pytest.mark.parametrize(("text", "arguments"), [("a text", ""), ("", '{"a": 1}')])
def test_the_responses_helper_gets_each_event(
    monkeypatch: pytest.MonkeyPatch, text: str, arguments: str
) -> None:
    got: list[object] = []

    class State:
        def __init__(self, *, text_format: object, input_tools: object) -> None:
            assert (text_format, input_tools) == ("omitted", "omitted")
            output = [SimpleNamespace(arguments=arguments)]
            self._completed_response = SimpleNamespace(output_text=text, output=output)

        def handle_event(self, event: object) -> None:
            got.append(event)

    streaming = SimpleNamespace(ResponseStreamState=State)
    stand_in(
        monkeypatch,
        openai__lib__streaming__responses___responses=streaming,
        openai___models=SimpleNamespace(construct_type=construct),
        openai__types__responses=SimpleNamespace(ResponseStreamEvent="an event"),
        openai___types=SimpleNamespace(omit="omitted"),
    )

    assert messages._openai_responses()(EVENTS) == len(text or arguments)
    assert got == [("an event", payload) for payload in PAYLOADS]


@pytest.mark.parametrize("kind", ["text", "tool_use"])
def test_the_anthropic_helper_adds_each_event_to_its_snapshot(
    monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    built: list[tuple[object, str]] = []

    def accumulate(*, event: Any, current_snapshot: Any, json_bufs: dict[int, bytes]) -> Any:
        kind_of_event, payload = event
        assert kind_of_event == "an event"
        so_far = current_snapshot.content[0].text if current_snapshot else ""
        json_bufs[0] = json_bufs.get(0, b"") + "é".encode()
        block = SimpleNamespace(type=kind, text=so_far + payload["piece"])
        return SimpleNamespace(content=[block])

    def build(*, event: Any, message_snapshot: Any) -> None:
        built.append((event[1], message_snapshot.content[0].text))

    streaming = SimpleNamespace(accumulate_event=accumulate, build_events=build)
    stand_in(
        monkeypatch,
        anthropic__lib__streaming___messages=streaming,
        anthropic___models=SimpleNamespace(construct_type=construct),
        anthropic__types=SimpleNamespace(RawMessageStreamEvent="an event"),
    )

    # Characters, and not bytes, of what was kept for a call's arguments.
    assert messages._anthropic()(EVENTS) == (3 if kind == "text" else 2)
    assert built == [(PAYLOADS[0], "ab"), (PAYLOADS[1], "abc")]


@pytest.mark.parametrize("name", messages.NAMES)
def test_the_helper_of_the_format_takes_part(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    helpers = {
        format: (package, lambda format=format: format)
        for format, (package, _) in messages._HELPERS.items()
    }
    monkeypatch.setattr(messages, "_HELPERS", helpers)
    package = "anthropic" if name.startswith("anthropic") else "openai"
    stand_in(monkeypatch, **{package: SimpleNamespace(__version__="1.2")})
    ours, loads, helper = messages.lineup(name)

    assert (ours.name, ours.version) == (OURS, untorn.__version__)
    assert (loads.name, loads.version) == ("json.loads", "")
    assert (helper.name, helper.version) == (f"{package} helper", "1.2")
    assert helper.read == name.removesuffix("-call")  # type: ignore[comparison-overlap]
