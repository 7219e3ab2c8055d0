"""One read as a value."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from untorn.recording import Read


def test_a_read_is_a_value() -> None:
    read = Read(b"data: a")

    assert (read.data, read.time) == (b"data: a", 0.0)
    assert read == Read(b"data: a", 0)
    with pytest.raises(FrozenInstanceError):
        read.time = 1.0  # type: ignore[misc]
