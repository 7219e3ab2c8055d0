"""What an inspection finds, as values."""

from __future__ import annotations

import pytest
from inspecting import ending

from untorn.cli._trace import trace


@pytest.mark.parametrize(
    ("wire", "where"),
    [
        (b"", "between events"),
        (b"data: x\n\n", "between events"),
        (b"data: x\n", "inside an event"),
        (b"data: x", "inside a line"),
        (b"id: 1\n", "inside an event"),
        (b"data: \xe7", "inside a character"),
        (b"data: x\n\n: c \xe7\x81", "inside a character"),
    ],
)
def test_where_it_ended(wire: bytes, where: str) -> None:
    assert ending(trace([wire], None)).where == where
