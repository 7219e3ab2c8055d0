"""Own what an error looks like: in an event of any format, and in a body that is no event stream.

The shapes are those of OpenAI, its many dialects, Anthropic, Google, Groq, OpenRouter and of
gateways: an object or a text under ``error``, the fields at the top, a JSON body without framing.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from ._types import ErrorUpdate

_TEXT_KEYS = ("message", "errorText", "error_description", "detail", "msg", "error", "title")
_CODE_KEYS = ("code", "type", "status", "status_code")
_HTML = re.compile(r"^\s*<(?:!doctype|html|head|body|title|\?xml)", re.IGNORECASE | re.MULTILINE)
_JSON = re.compile(r"^\s*(?:error\s*:\s*)?(?=\{|\[\s*\{)", re.MULTILINE)
_DECODER = json.JSONDecoder()


def reported(payload: dict[str, Any], name: str | None = None) -> ErrorUpdate | None:
    """Give the error that a payload reports, if it does.

    Args:
        payload: The parsed data of an event.
        name: The event's type; "error" makes any payload an error.
    """
    error = payload.get("error")
    if isinstance(error, dict) and any(value not in (None, "") for value in error.values()):
        return _update({**payload, **error}, error)
    if isinstance(error, str) and error:
        return _update({**payload, "message": error}, error)
    if isinstance(error, list) and error and isinstance(error[0], dict):
        return _update(error[0], error)
    if isinstance(error, (int, float)) and error and error is not True:
        return _update({"code": error, "message": f"error {error}", **payload}, error)
    if payload.get("type") == "error" or name == "error" or error is True:
        return _update(payload, payload)
    return None


class Body(NamedTuple):
    """What stands among the events and is none.

    Args:
        reason: What it is, in words.
        instead: Whether it came in place of the stream, which then cannot be complete.
    """

    reason: str
    instead: bool


def unframed(text: str) -> ErrorUpdate | Body | None:
    """Tell what the lines are that no event stream has.

    Args:
        text: ``StreamEnd.ignored_text`` or ``Tail.line``.

    Returns:
        The error that a JSON body reports; else what kind of body it is; None where these are
        merely fields that the standard does not know.
    """
    if _HTML.search(text):
        return Body("an HTML page instead of an event stream", instead=True)
    for start in _JSON.finditer(text):
        try:
            body, _ = _DECODER.raw_decode(text, start.end())
        except (ValueError, RecursionError):
            return Body("a JSON body that is no event stream, and is cut or damaged", instead=True)
        error = _body_error(body)
        if error is not None:
            return error
        if body != {"type": "ping"}:
            return Body(
                "JSON without field names before it, as comes where no streaming was asked for",
                instead=False,
            )
    return None


def _body_error(body: Any) -> ErrorUpdate | None:
    for item in body if isinstance(body, list) else [body]:
        if isinstance(item, dict):
            error = reported(item)
            if error is None and _first(item, _TEXT_KEYS):
                error = _update(item, item)
            if error is not None:
                return error
    return None


def _update(fields: dict[str, Any], raw: Any) -> ErrorUpdate:
    message = _first(fields, _TEXT_KEYS)
    codes = (fields.get(key) for key in _CODE_KEYS)
    code = next((c for c in codes if type(c) in (str, int) and c not in ("", "error")), None)
    return ErrorUpdate(message or _written(raw)[:1_000], code, raw)


def _written(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        return "an error that cannot be shown"


def _first(fields: dict[str, Any], keys: tuple[str, ...]) -> str:
    for key in keys:
        value = fields.get(key)
        if isinstance(value, str) and value:
            return value
        if isinstance(value, dict):
            inner = value.get("message")
            if isinstance(inner, str) and inner:
                return inner
    return ""
