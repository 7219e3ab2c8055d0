"""Own one read of a body as a value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Read:
    """Hold one read.

    Args:
        data: The bytes, as the client gave them.
        time: When they came, in seconds since the first read was asked for.
    """

    data: bytes
    time: float = 0.0
