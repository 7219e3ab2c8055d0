"""Own the timing of untorn's parser alone, for pytest-benchmark: one test for each shape.

It compares two commits, where ``compare.py`` compares with others. No test run collects it, since
its name does not start with ``test_``; pytest-benchmark is in the dependency group ``bench``:

    pytest benchmarks/bench_parsers.py [-k NAME] [--benchmark-save NAME | --benchmark-compare]
"""

from __future__ import annotations

from typing import Any

import contenders
import pytest
import shapes


@pytest.mark.parametrize("name", shapes.NAMES)
def test_parser(benchmark: Any, name: str) -> None:
    """Feed each read."""
    shape = shapes.shape(name)
    benchmark.group = name
    assert benchmark(contenders.ours().read, shape.reads) == shape.events
