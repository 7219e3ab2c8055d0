"""Own what is measured once, and not raced: imports in fresh processes, and memory."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from shapes import KIB, WORDS, chat_events, cut

RUNS = 91  # some 20 seconds of them, so that a disturbance of a few does not move a median
STREAMED = 1_000_000_000  # bytes
OPEN = 2_000  # parsers, and streams
# Without what site loads, which would be there before one and not before the other.
_TIMED = """
import sys, time
sys.path.insert(0, sys.argv[1])
start = time.perf_counter()
import {}
print(time.perf_counter() - start)
"""
_SOURCE = Path(__file__).resolve().parent.parent / "src"


@dataclass(frozen=True, slots=True)
class Cost:
    """One figure.

    Args:
        name: What it is of.
        value: It.
        unit: Of it.
        most: What it may be at most, if there is a bar.
    """

    name: str
    value: float
    unit: str
    most: float | None = None


def costs() -> Iterator[Cost]:
    """Measure all."""
    yield from imports()
    yield streamed()
    yield from idle()


def imports() -> Iterator[Cost]:
    """Measure imports in fresh processes, as multiples of one in the standard library."""
    modules = ("untorn", "dataclasses", "untorn.deltas", "json")
    rounds = [[_imported(module) for module in modules] for _ in range(RUNS)]
    # Ratios within a round, as in a race: those of medians came out between 1.36 and 1.71 on a busy
    # machine, where these came out between 1.40 and 1.50.
    ratios = [
        (ours / base, (deltas - ours) / json_alone, base / json_alone)
        for ours, base, deltas, json_alone in rounds
    ]
    core, beyond, base_alone = (statistics.median(column) for column in zip(*ratios, strict=True))
    yield Cost("import untorn", core, "of import dataclasses", 1.5)
    yield Cost("import untorn.deltas, beyond untorn", beyond, "of import json")
    yield Cost("import dataclasses", base_alone, "of import json")


def streamed() -> Cost:
    """Measure the peak of a stream of small events."""
    from untorn import SSEParser

    reads = cut(b"".join(chat_events(4_000, WORDS)), 16 * KIB)
    parser = SSEParser()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    while parser.byte_count < STREAMED:
        for read in reads:
            parser.feed(read)
    peak = tracemalloc.get_traced_memory()[1] - before
    tracemalloc.stop()
    return Cost(f"peak over {STREAMED / 1e9:.0f} GB of small events", peak / 1e6, "MB", 1.0)


def idle() -> Iterator[Cost]:
    """Measure parsers, and streams over them, that wait between two events."""
    from untorn import SSEParser, iter_events

    def parser() -> object:
        made = SSEParser()
        made.feed(b"data: an event\n\n")
        return made

    def stream() -> object:
        made = iter_events(iter([b"data: an event\n\n", b""]))
        next(made)
        return made

    yield Cost("an idle parser", _size_of(parser) / 1e3, "kB", 1.5)
    yield Cost("an idle stream with its parser", _size_of(stream) / 1e3, "kB", 2.0)


def _size_of(make: Callable[[], object]) -> float:
    make()  # what is made once for all is not of one
    kept: list[object] = [None] * OPEN
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for number in range(OPEN):
        kept[number] = make()
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return taken / OPEN


def _imported(module: str) -> float:
    command = [sys.executable, "-S", "-E", "-c", _TIMED.format(module), str(_SOURCE)]
    return float(subprocess.run(command, capture_output=True, check=True).stdout)
