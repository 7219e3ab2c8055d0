"""Own the timing: contenders run in turn, round by round, and ratios are taken within a round.

Another program that slows the machine slows all of a round alike, so a median of ratios holds where
a time would not. Who begins is another one in each round, since each pays for the caches that the
one before it left. A race can be run round by round, so that others take place between its rounds:
what disturbs a machine for some seconds then spoils a few rounds of each, and most of none. Knows
no package and no output.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TypeAlias

from contenders import FLOOR, OURS, Contender
from shapes import Shape

# Who takes more than so many times as long as untorn when it is checked is not run again.
SLOW = 4.0

# What is known to take time by the square of its input there, and would take the whole run.
QUADRATIC = {
    (shape, name)
    for shape, names in {
        "long-line": "sseclient-py anthropic groq llmstream assel sseurl niquests requests-sse "
        "sseclient",
        "many-lines": "launchdarkly-eventsource sseclient-py anthropic groq llmstream requests-sse "
        "sseclient aiosseclient aiohttp-sse-client2",
        "unknown-fields": "sseclient-py anthropic groq",
    }.items()
    for name in names.split()
}


@dataclass(frozen=True, slots=True)
class Lap:
    """How long one contender took for a shape.

    Args:
        contender: Its name.
        seconds: One for each round; or the one of its check, where that was too slow.
        fault: What kept it from being timed, or an empty text.
        once: Whether only its check was timed.
    """

    contender: str
    seconds: tuple[float, ...]
    fault: str = ""
    once: bool = False


Results: TypeAlias = dict[str, list[Lap]]  # by shape


class Race:
    """One shape, and who reads it: each is checked first to find the right number of events.

    Args:
        shape: The stream.
        contenders: Who reads it.
        clock: What tells the time, in seconds.
        slow: Who takes more than so many times as long as untorn is timed in its check alone.
    """

    def __init__(
        self,
        shape: Shape,
        contenders: Sequence[Contender],
        clock: Callable[[], float] = time.perf_counter,
        *,
        slow: float = SLOW,
    ) -> None:
        self._shape, self._clock = shape, clock
        self._checks = {each.name: _checked(shape, each, clock) for each in contenders}
        most = slow * _best(shape, contenders, clock)
        self._going = [each for each in contenders if _goes_on(self._checks[each.name], most)]
        self._taken: dict[str, list[float]] = {each.name: [] for each in self._going}

    def run_round(self) -> None:
        """Time each once; another one begins than in the round before."""
        for each in self._going:
            self._taken[each.name].append(_once(self._shape, each, self._clock)[1])
        self._going = self._going[1:] + self._going[:1]

    def laps(self) -> list[Lap]:
        """Give what came out so far."""
        return [
            Lap(name, tuple(self._taken[name])) if name in self._taken else check
            for name, check in self._checks.items()
        ]


def ratio(laps: Sequence[Lap], name: str, to: str) -> float | None:
    """Give how many times as long one took as another; None where either was not timed."""
    by_name = {lap.contender: lap for lap in laps}
    one, other = by_name.get(name), by_name.get(to)
    if one is None or other is None or not one.seconds or not other.seconds:
        return None
    if one.once or other.once:
        return median(one.seconds) / median(other.seconds)
    return median(a / b for a, b in zip(one.seconds, other.seconds, strict=True))


def _goes_on(checked: Lap, most: float) -> bool:
    """Tell whether one is timed in the rounds; untorn always is, however its check went."""
    return not checked.fault and (checked.contender == OURS or checked.seconds[0] <= most)


def _best(shape: Shape, contenders: Sequence[Contender], clock: Callable[[], float]) -> float:
    """Give how long untorn takes, of which a check may take a few times as much."""
    own = [each for each in contenders if each.name == OURS]
    # Not the time of its own check: that was the first, and nothing was warm.
    again = [_once(shape, each, clock)[1] for each in own for _ in range(3)]
    return min(again, default=float("inf"))


def _checked(shape: Shape, contender: Contender, clock: Callable[[], float]) -> Lap:
    name = contender.name
    if (shape.name, name) in QUADRATIC:
        return Lap(name, (), "not run: quadratic")
    try:
        found, seconds = _once(shape, contender, clock)
    except Exception as error:
        return Lap(name, (), f"raises {type(error).__name__}")
    # The floor parses nothing, and finds what it finds.
    if name == FLOOR or found == shape.events:
        return Lap(name, (seconds,), once=True)
    return Lap(name, (), f"found {found:,} events")


def _once(shape: Shape, contender: Contender, clock: Callable[[], float]) -> tuple[int, float]:
    if contender.timed is not None:
        return contender.timed(shape.reads)
    gc.collect()
    gc.disable()  # or else one pays for what another left
    try:
        start = clock()
        found = contender.read(shape.reads)
        return found, clock() - start
    finally:
        gc.enable()
