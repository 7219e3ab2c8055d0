"""What an error looks like on the wire, in events and in bodies that are no event stream."""

from __future__ import annotations

import json
from typing import Any

import pytest

from untorn.deltas import ErrorUpdate
from untorn.deltas._reported import Body, reported, unframed


@pytest.mark.parametrize(
    ("payload", "message", "code"),
    [
        ({"error": {"message": "weg", "code": "c1", "type": "t"}}, "weg", "c1"),
        ({"error": {"message": "weg", "type": "overloaded_error"}}, "weg", "overloaded_error"),
        ({"error": {"message": "weg", "code": 503, "status": "UNAVAILABLE"}}, "weg", 503),
        ({"type": "error", "error": {"message": "weg"}}, "weg", None),
        ({"type": "error", "error": {"type": "api_error", "message": "w"}}, "w", "api_error"),
        ({"error": "lädt noch", "status": 503}, "lädt noch", 503),
        ({"type": "error", "message": "boom", "code": None}, "boom", None),
        ({"type": "error", "errorText": "боль"}, "боль", None),
        ({"error": {"error": {"message": "tief"}}}, "tief", None),
        ({"error": {"code": 7, "message": None}}, '{"code": 7, "message": null}', 7),
        ({"error": {"code": 1}}, '{"code": 1}', 1),
        ({"error": [{"message": "weg", "code": 2}]}, "weg", 2),
        ({"error": True, "message": "weg"}, "weg", None),
        ({"error": 500}, "error 500", 500),
        ({"error": 500, "message": "weg"}, "weg", 500),
        ({"choices": [], "error": {"message": "voll"}}, "voll", None),
        ({"error": {"message": "", "code": 1}, "detail": "Näheres"}, "Näheres", 1),
        ({"error": {"metadata": 1, "code": ""}}, '{"metadata": 1, "code": ""}', None),
        ({"error": {"code": True, "message": "m", "type": []}}, "m", None),
    ],
)
def test_an_error_in_an_event(payload: dict[str, Any], message: str, code: object) -> None:
    error = reported(payload)

    assert error is not None
    assert (error.message, error.code) == (message, code)


NO_ERRORS: list[Any] = [None, {}, "", False, {"message": None, "code": ""}]


@pytest.mark.parametrize("payload", [{}, {"type": "x"}, *[{"error": each} for each in NO_ERRORS]])
def test_what_is_no_error(payload: dict[str, Any]) -> None:
    assert reported(payload) is None


def test_the_event_type_makes_any_payload_an_error() -> None:
    assert reported({"message": "m"}, "error") == ErrorUpdate("m")
    assert reported({"message": "m"}, "message") is None


def test_an_error_that_is_nested_too_deeply_to_be_shown() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    error = reported({"error": {"code": 1, "inner": deep}})

    assert error is not None
    assert error.message == "an error that cannot be shown"


def test_an_error_keeps_what_came() -> None:
    inner = {"message": "m", "extra": [1]}
    error = reported({"error": inner})

    assert error is not None
    assert error.raw == inner


BODY = {"error": {"message": "bad key", "code": "invalid_api_key"}}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(BODY),
        json.dumps(BODY, indent=2),
        json.dumps([BODY]),
        "noise: 1\n" + json.dumps(BODY),
        "error: " + json.dumps(BODY["error"]),
        json.dumps({"message": "bad key", "code": "invalid_api_key"}),
        json.dumps(BODY) + "\nmore",
    ],
)
def test_a_json_body_reports_its_error(text: str) -> None:
    body = unframed(text)

    assert isinstance(body, ErrorUpdate)
    assert (body.message, body.code) == ("bad key", "invalid_api_key")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("<!DOCTYPE html>\n<p>502", "an HTML page instead of an event stream"),
        ("x\n  <HTML lang=de>", "an HTML page instead of an event stream"),
        ('[{"error": ', "a JSON body that is no event stream, and is cut or damaged"),
        ('{"error": {"mess', "a JSON body that is no event stream, and is cut or damaged"),
        ('{"a":' * 100_000, "a JSON body that is no event stream, and is cut or damaged"),
    ],
)
def test_other_bodies_are_named(text: str, kind: str) -> None:
    body = unframed(text)

    assert isinstance(body, Body)
    assert (body.reason, body.instead) == (kind, True)


@pytest.mark.parametrize("text", ['{"choices": []}', '[{"a": 1}, 2]', 'x: 1\n{"type": "pong"}'])
def test_a_payload_without_its_field_name_is_told(text: str) -> None:
    reason = "JSON without field names before it, as comes where no streaming was asked for"
    assert unframed(text) == Body(reason, instead=False)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "foo: bar",
        "Data: {}",
        'x {"error": "no"}',
        "a < b",
        "[DONE]",
        '{"type": "ping"}',
    ],
)
def test_unknown_fields_are_no_body(text: str) -> None:
    assert unframed(text) is None
