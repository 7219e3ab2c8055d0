"""Own looking into payloads that may hold anything: absent, null and the wrong type are nothing."""

from __future__ import annotations

import json
import re
from math import isfinite
from typing import Any

_DIGITS = re.compile(r"\d{1,9}", re.ASCII)


def text(value: Any) -> str:
    """Give a text, or "" for anything else."""
    return value if isinstance(value, str) else ""


def mapping(value: Any) -> dict[str, Any]:
    """Give an object, or an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def objects(value: Any) -> list[dict[str, Any]]:
    """Give the objects in a list; an object alone counts as a list of it."""
    if isinstance(value, dict):
        return [value]
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def number(value: Any) -> int | None:
    """Give a whole number, however it is written, or None for anything else."""
    if type(value) is int:
        return value
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    if isinstance(value, str):
        return int(value) if _DIGITS.fullmatch(value) else None
    return value if isinstance(value, int) else None


def is_number(value: Any) -> bool:
    """Tell whether a value is a number, also of a type that the caller's loads makes."""
    if value is None or isinstance(value, (bool, str, list, dict)):
        return False
    from numbers import Number  # as rare as Decimal, below

    return isinstance(value, Number)


def compact(value: Any) -> str:
    """Write a value as JSON text, as short as it gets; NaN and Infinity become null."""
    try:
        return _written(value)
    except ValueError:  # NaN or Infinity, which JSON does not have
        return _written(_finite(value))


def argument_text(value: Any) -> str:
    """Give arguments as text, of whatever type they came: null is nothing, a text is itself."""
    if value is None:
        return ""
    return value if isinstance(value, str) else compact(value)


def _written(value: Any) -> str:
    # Numbers may be of a type that the caller's loads makes, such as Decimal.
    return json.dumps(
        value, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=float
    )


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    from decimal import Decimal  # not above: few programs have one, and all would wait for it

    return value if not isinstance(value, (float, Decimal)) or isfinite(value) else None
