"""Partial JSON is linear in the text, also where its value is asked for after every piece."""

from __future__ import annotations

import pytest
from timing import is_linear, least_time

from untorn.deltas import PartialJSON

SHAPES = {
    "one long string": lambda n: '{"code": "' + "x" * (8 * n) + '"}',
    "escapes": lambda n: '["' + "\\n\\u00e9" * n + '"]',
    "rows": lambda n: "[" + '{"id": 1, "ok": true},' * (n // 2) + "1]",
    "a long number": lambda n: "0." + "7" * (8 * n),
    "depth": lambda n: "[" * (4 * n) + "]" * (4 * n),
    "space": lambda n: " " * (8 * n) + "1",
}


@pytest.mark.parametrize("size", [1, 4, 1 << 30])
@pytest.mark.parametrize("shape", SHAPES)
def test_work_grows_with_the_text_also_where_the_value_is_asked_each_time(
    shape: str, size: int
) -> None:
    def read(text: str) -> None:
        reader = PartialJSON(max_depth=1 << 30)
        for i in range(0, len(text), size):
            reader.feed(text[i : i + size])
            _ = reader.value
        reader.close()

    def cost(n: int) -> float:
        return least_time(read, SHAPES[shape](n))

    assert is_linear(cost, 500)
