"""Own the timing: contenders run in turn, round by round, and ratios are taken within a round.

Another program that slows the machine slows all of a round alike, so a median of ratios holds where
a time would not. Knows no package and no output.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from contenders import FLOOR, Contender
from shapes import Shape

# What is known to take time by the square of its input there, and would take the whole run.
QUADRATIC = {
    ("many-lines", "launchdarkly-eventsource"),
    ("many-lines", "sseclient-py"),
    ("long-line", "sseclient-py"),
}


@dataclass(frozen=True, slots=True)
class Lap:
    """How long one contender took for a shape.

    Args:
        contender: Its name.
        seconds: One for each round.
        fault: What kept it from being timed, or an empty text.
    """

    contender: str
    seconds: tuple[float, ...]
    fault: str = ""


def race(
    shape: Shape,
    contenders: Sequence[Contender],
    rounds: int,
    clock: Callable[[], float] = time.perf_counter,
) -> list[Lap]:
    """Time contenders on a shape.

    Args:
        shape: The stream.
        contenders: Who reads it; each is checked first to find the right number of events.
        rounds: How often each is timed.
        clock: What tells the time, in seconds.
    """
    faults = {each.name: _fault(shape, each) for each in contenders}
    taken: dict[str, list[float]] = {each.name: [] for each in contenders}
    for _ in range(rounds):
        for each in contenders:
            if not faults[each.name]:
                taken[each.name].append(_once(shape, each, clock))
    return [Lap(name, tuple(seconds), faults[name]) for name, seconds in taken.items()]


def ratio(laps: Sequence[Lap], name: str, to: str) -> float | None:
    """Give how many times as long one took as another; None where either was not timed."""
    by_name = {lap.contender: lap for lap in laps}
    one, other = by_name.get(name), by_name.get(to)
    if one is None or other is None or not one.seconds or not other.seconds:
        return None
    return median(a / b for a, b in zip(one.seconds, other.seconds, strict=True))


def _fault(shape: Shape, contender: Contender) -> str:
    if (shape.name, contender.name) in QUADRATIC:
        return "quadratic"
    try:
        found = contender.read(shape.reads)
    except Exception as error:
        return type(error).__name__
    # The floor parses nothing, and finds what it finds.
    right = contender.name == FLOOR or found == shape.events
    return "" if right else f"{found:,} events"


def _once(shape: Shape, contender: Contender, clock: Callable[[], float]) -> float:
    gc.collect()
    gc.disable()  # or else one pays for what another left
    try:
        start = clock()
        contender.read(shape.reads)
        return clock() - start
    finally:
        gc.enable()
