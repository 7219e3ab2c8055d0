"""What of a payload stays: structure, keys, indexes, and the words that say what an event is."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from untorn.recording._payloads import Payloads


def upper(character: str) -> str:
    """Stand in for a letter or digit in a way that shows."""
    if character.isdigit():
        return "9"
    return "X" if character.isalpha() else character


def redacted(*payloads: str, substitute: Callable[[str], str] = upper) -> list[str]:
    redact = Payloads(substitute)
    return [change() for change in [redact.take(payload) for payload in payloads]]


def swapped(pairs: str) -> Callable[[str], str]:
    """Stand in with the other of each pair."""
    others = {**dict(zip(pairs[::2], pairs[1::2], strict=True))}
    others.update({b: a for a, b in others.items()})
    return lambda character: others.get(character, character)


@pytest.mark.parametrize(
    ("payload", "right"),
    [
        ('{"text": "Grüße"}', '{"text": "XXXXX"}'),
        ('{"role": "user", "id": "a1"}', '{"role": "user", "id": "X9"}'),
        ('{"index": 12, "n": 120}', '{"index": 12, "n": 990}'),
        ('{"index": 5551234567}', '{"index": 9999999999}'),
        ('{"index": "1", "n": "1"}', '{"index": "1", "n": "9"}'),
        ('{"a": [1.5, -2e3, true, null]}', '{"a": [9.9, -9e3, true, null]}'),
        ('{"a": {"b": ["c", {"d": "e"}], "f": "g"}}', '{"a": {"b": ["X", {"d": "X"}], "f": "X"}}'),
        ('{"a": "x\\ny\\"z\\\\"}', '{"a": "X\\nX\\"X\\\\"}'),
        ('{"id": "null", "a": "[DONE]"}', '{"id": "null", "a": "[DONE]"}'),
        ('{"a": "b"}{"c": "d"}', '{"a": "X"}{"c": "X"}'),
        ('"line\\nnext"', '"XXXX\\nXXXX"'),
        ('"\\u00e9"', '"\\u0058"'),
        ("123", "999"),
        ("true", "true"),
        ('{"input": ["a"], "delta": "b"}', '{"input": ["X"], "delta": "X"}'),
    ],
)
def test_json_stays_json(payload: str, right: str) -> None:
    assert redacted(payload) == [right]


@pytest.mark.parametrize(
    "payload", ["[DONE]", ' "[DONE]" ', "null", '"null"', "[DON", "[", "", "  ", "}]", "{}"]
)
def test_what_says_nothing_stays(payload: str) -> None:
    assert redacted(payload) == [payload]


@pytest.mark.parametrize(
    ("payload", "right"),
    [
        ("plain text 10", "XXXXX XXXX 99"),
        ("[INFO] Alice logged in", "[XXXX] XXXXX XXXXXX XX"),
        ("{'text': 'words'}", "{'XXXX': 'XXXXX'}"),
        ('{"t": "abc"} trailing', '{"t": "XXX"} XXXXXXXX'),
        ('{"t": NaN, "Alice"}', '{"t": NaN, "XXXXX"}'),
        ('{"a": "cut', '{"a": "XXX'),
        ('{"a": "cut\\', '{"a": "XXX\\'),
        ('{"a": "b\\q"}', '{"a": "X\\X"}'),
        ('{"Alice', '{"XXXXX'),
        ('"Alice", she said', '"XXXXX", XXX XXXX'),
        ("nullify", "XXXXXXX"),
        ("[}, 1-]", "[}, 9-]"),
        ('{"arguments": "{\\"k\\"", oh', '{"arguments": "{\\"X\\"", XX'),
    ],
)
def test_what_is_no_json_is_text(payload: str, right: str) -> None:
    assert redacted(payload) == [right]


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ('<p class="a">word</p><!DOCTYPE x>', '<p XXXXX="X">XXXX</p><!DOCTYPE X>'),
        ("<html\n", "<html\n"),
        ("Alice <alice-jones@corp.com>", "XXXXX <XXXXX-XXXXX@XXXX.XXX>"),
        ("<b.jones@corp.com> <p-jones>", "<X.XXXXX@XXXX.XXX> <X-XXXXX>"),
        ("a < b", "X < X"),
    ],
)
def test_names_of_html_tags_stay(text: str, right: str) -> None:
    assert redacted(text) == [right]


@pytest.mark.parametrize(
    ("value", "right"),
    [
        ("response.output_text.delta", "response.output_text.delta"),
        ("TOOL_CALL_ARGS", "TOOL_CALL_ARGS"),
        ("toolCalls", "toolCalls"),
        ("data-weather", "data-XXXXXXX"),
        ("web_search_20250305", "web_search_99999999"),
        ("BobHasCancer", "XXXXXXXXXXXX"),
        ("Arizona", "XXXXXXX"),
        ("error of Alice", "XXXXX XX XXXXX"),
        ("Fehler: größer", "XXXXXX: XXXXXX"),
        ("", ""),
    ],
)
def test_values_that_steer_stay_word_by_word(value: str, right: str) -> None:
    for key in ("type", "status", "finish_reason", "ty\\u0070e"):
        assert redacted(f'{{"{key}": "{value}"}}') == [f'{{"{key}": "{right}"}}']


def test_a_path_of_keys_stays() -> None:
    payload = '{"jsonPath": "$.rows[0].name", "p": {"jsonPath": "$.Alice Smith"}}'
    assert redacted(payload) == [
        '{"jsonPath": "$.rows[0].name", "p": {"jsonPath": "$.XXXXX XXXXX"}}'
    ]


def test_what_stopped_an_answer_is_the_users_own_text() -> None:
    assert redacted('{"stop_sequence": "text"}') == ['{"stop_sequence": "XXXX"}']


def test_the_name_of_an_event_stays() -> None:
    event = Payloads(upper).event
    names = ["message", "price-update", "messages/partial", "TEXT_MESSAGE_END", "ping2", "Alice is"]
    assert [event(name) for name in names] == [*names[:4], "ping9", "XXXXX XX"]


def test_letters_that_are_escapes_change_as_well() -> None:
    text = '{"a": "\\u706b\\u00E9 \\ud83e\\udd8a \\u0041 \\/ \\ud835\\udc12 \\ud835 \\n"}'
    right = '{"a": "\\u00e9\\u706b \\ud83e\\udd8a \\u0042 \\/ \\ud835\\udc1e \\ud835 \\n"}'
    assert redacted(text, substitute=swapped("é火AB𝐒𝐞")) == [right]


def test_zeros_of_numbers_stay_and_no_others_arise() -> None:
    substitute = {"0": "7", "1": "0", "2": "1", "7": "2"}.get
    payload = '{"n": [0, 10, 120, 0.02], "t": "0127"}'
    right = '{"n": [0, 70, 710, 0.01], "t": "7012"}'
    assert redacted(payload, substitute=lambda c: substitute(c, c)) == [right]


@pytest.mark.parametrize(
    ("payload", "pairs", "right"),
    [
        ("NOPE", "NxOxPx", "xxxE"),  # a text that becomes nothing else is changed once
        ("BoB", "BNoa", "BoB"),  # NaN, and back again
        ('{"a": 1f5}', "fe", '{"a": 1f5}'),
        ('{"a": "b\\q"}', "qn", '{"a": "b\\q"}'),
        ("[WXYZ]", "WDXOYNZE", "[WXYZ]"),
        ('{"type": "stob"}', "bp", '{"type": "stob"}'),
    ],
)
def test_nothing_becomes_what_steers_by_chance(payload: str, pairs: str, right: str) -> None:
    others = dict(zip(pairs[::2], pairs[1::2], strict=True))
    back = {b: a for a, b in others.items() if b != "x"}
    assert redacted(payload, substitute=lambda c: {**others, **back}.get(c, c)) == [right]


def test_what_always_becomes_what_steers_is_given_up() -> None:
    assert Payloads(upper).unlike("word", lambda other: True) == "XXXX"


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
        '58X"}',
    ]


@pytest.mark.parametrize(
    ("arguments", "right"),
    [
        ("nurse results tunnel area", "XXXXX XXXXXXX XXXXXX XXXX"),
        ('{"type": "text", "index": 3}', '{"type": "XXXX", "index": 9}'),
        ('{"k": "\\u0410"}', '{"k": "\\u0058"}'),
        ("{'k': true}", "{'X': XXXX}"),
        ("null", "null"),
        ("", ""),
    ],
)
def test_in_arguments_nothing_steers(arguments: str, right: str) -> None:
    assert arguments_of(redacted(piece(arguments))) == [right]


def test_arguments_in_a_payload_that_is_no_json_are_text() -> None:
    assert redacted('{"arguments": "{\\"k\\"", oh') == ['{"arguments": "{\\"X\\"", XX']


def test_values_that_are_no_texts_are_passed_by() -> None:
    payload = '{"arguments": 7, "delta": null, "l": [1, "b", []], "o": {}}'
    assert redacted(payload) == ['{"arguments": 9, "delta": null, "l": [9, "X", []], "o": {}}']
