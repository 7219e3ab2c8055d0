"""Own the timing of untorn's assembler and partial JSON alone, for pytest-benchmark.

``json.loads`` on the same payloads is timed beside the assembler: what neither can save. No test
run collects it, since its name does not start with ``test_``; pytest-benchmark is in the dependency
group ``bench``:

    pytest benchmarks/bench_deltas.py [-k NAME] [--benchmark-save NAME | --benchmark-compare]
"""

from __future__ import annotations

from typing import Any

import answers
import messages
import partials
import pytest


@pytest.mark.parametrize("name", answers.NAMES)
def test_assembler(benchmark: Any, name: str) -> None:
    """Feed each event of an answer."""
    shape = messages.shape(name)
    benchmark.group = name
    assert benchmark(messages._untorn(name.removesuffix("-call")), shape.reads) == shape.events


@pytest.mark.parametrize("name", answers.NAMES)
def test_loads(benchmark: Any, name: str) -> None:
    """Parse each payload and do no more."""
    shape = messages.shape(name)
    benchmark.group = name
    assert benchmark(messages._loads(name), shape.reads) == shape.events


@pytest.mark.parametrize("name", partials.NAMES)
def test_partial_json(benchmark: Any, name: str) -> None:
    """Feed each piece and ask for the value."""
    shape = partials.shape(name)
    benchmark.group = name
    assert benchmark(partials._untorn(), shape.reads) == shape.events
