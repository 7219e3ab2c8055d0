"""What of a payload stays: structure, keys, indexes, and what says what an event is."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from untorn.recording._payloads import Payloads


def upper(character: str) -> str:
    """Stand in for a letter or digit in a way that shows."""
    if character.isdigit():
        return character if character == "0" else "9"
    return "X" if character.isalpha() else character


def redacted(*payloads: str, substitute: Callable[[str], str] = upper) -> list[str]:
    redact = Payloads(substitute)
    return [redact.payload(payload) for payload in payloads]


@pytest.mark.parametrize(
    ("payload", "right"),
    [
        ('{"text": "Grüße"}', '{"text": "XXXXX"}'),
        (
            '{"type": "text", "role": "user", "id": "a1"}',
            '{"type": "text", "role": "user", "id": "X9"}',
        ),
        ('{"index": 12, "n": 120}', '{"index": 12, "n": 990}'),
        ('{"a": [1.5, -2e3, true, null]}', '{"a": [9.9, -9e9, true, null]}'),
        ('{"a": {"b": ["c", {"d": "e"}], "f": "g"}}', '{"a": {"b": ["X", {"d": "X"}], "f": "X"}}'),
        ('{"a": "x\\ny\\"z\\\\"}', '{"a": "X\\nX\\"X\\\\"}'),
        ('{"id": "null", "a": "[DONE]"}', '{"id": "null", "a": "[DONE]"}'),
        ('{"a": "cut', '{"a": "XXX'),
        ('{"a": "b"}{"c": "d"}', '{"a": "X"}{"c": "X"}'),
        ("[DONE]", "[DONE]"),
        (' "[DONE]" ', ' "[DONE]" '),
        ("null", "null"),
        ("plain text 1", "XXXXX XXXX 9"),
        ('<p class="a">word</p><!DOCTYPE x>', '<p XXXXX="X">XXXX</p><!DOCTYPE X>'),
        ("}]", "}]"),
        ("[}, 1-]", "[}, 1-]"),
    ],
)
def test_a_payload(payload: str, right: str) -> None:
    assert redacted(payload) == [right]


def test_letters_that_are_escapes_change_as_well() -> None:
    def swapped(character: str) -> str:
        return {"é": "火", "火": "é"}.get(character, character)

    text = '{"a": "\\u706b\\u00e9 \\ud83e\\udd8a"}'
    assert redacted(text, substitute=swapped) == ['{"a": "\\u00e9\\u706b \\ud83e\\udd8a"}']


def piece(arguments: str, **more: Any) -> str:
    call = {"function": {"arguments": arguments}, **more}
    return json.dumps({"id": "x", "choices": [{"index": 0, "delta": {"tool_calls": [call]}}]})


def arguments_of(payloads: list[str]) -> list[str]:
    found = []
    for payload in payloads:
        [call] = json.loads(payload)["choices"][0]["delta"]["tool_calls"]
        found.append(call["function"]["arguments"])
    return found


def test_arguments_are_followed_over_events() -> None:
    pieces = ['{"ci', 'ty": "Rom', 'a", "ok": tr', 'ue, "n": 1', '2, "t": "\\u00', 'e9x"}']
    payloads = [piece(text, index=1) for text in pieces]

    assert arguments_of(redacted(*payloads)) == [
        '{"ci',
        'ty": "XXX',
        'X", "ok": tr',
        'ue, "n": 9',
        '9, "t": "\\u00',
        'e9X"}',
    ]


def test_calls_are_told_apart_by_index_and_by_a_new_id() -> None:
    payloads = [
        piece('{"a": "x', index=0, id="c0"),
        piece('{"b": "y', index=1),
        piece('z"}', index=0),
        piece('{"key": "z"}', index=0, id="c2"),
        piece('{"key": "w"}', index=0, id="c2"),
    ]
    assert arguments_of(redacted(*payloads)) == [
        '{"a": "X',
        '{"b": "X',
        'X"}',
        '{"key": "X"}',
        '{"key": "X"}',
    ]


@pytest.mark.parametrize(
    ("payload", "right"),
    [
        ({"type": "response.function_call_arguments.delta", "delta": '{"k": tr'}, '{"k": tr'),
        ({"type": "response.output_text.delta", "delta": '{"k": tr'}, '{"X": XX'),
        ({"type": "TOOL_CALL_ARGS", "delta": '{"k": tr'}, '{"k": tr'),
        ({"type": "tool-input-error", "input": '{"k": tr'}, '{"k": tr'),
        ({"type": "custom_tool_call", "input": '{"k": tr'}, '{"X": XX'),
        ({"delta": '{"k": tr'}, '{"X": XX'),
    ],
)
def test_some_keys_hold_json_in_some_events(payload: dict[str, Any], right: str) -> None:
    [text] = redacted(json.dumps(payload))
    changed = json.loads(text)
    assert changed.get("delta", changed.get("input")) == right


def test_arguments_in_a_payload_that_is_no_json_are_text() -> None:
    assert redacted('{"arguments": "{\\"k\\"", oh') == ['{"arguments": "{\\"X\\"", oh']


def test_values_that_are_no_texts_are_passed_by() -> None:
    payload = '{"arguments": 7, "delta": null, "l": [1, "b", []], "o": {}}'
    assert redacted(payload) == ['{"arguments": 9, "delta": null, "l": [9, "X", []], "o": {}}']
