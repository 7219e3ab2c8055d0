"""Own looking into payloads that may hold anything: absent, null and the wrong type are nothing."""

from __future__ import annotations

import json
from typing import Any


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
    """Give a whole number, or None for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def compact(value: Any) -> str:
    """Write a value as JSON text, as short as it gets: arguments that came as an object."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
