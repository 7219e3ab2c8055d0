"""The timing of parsers: rounds, ratios, and who is not run again; no real clock."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count

import pytest
from contenders import FLOOR, OURS, Contender
from race import Lap, Race, ratio
from shapes import Shape

SHAPE = Shape("chat-16k", "a stream", (b"data: a\n\n", b"data: b\n\n"), 2)


def clock(*steps: float) -> Callable[[], float]:
    """Tell times between which the given steps lie."""

    def times() -> Iterator[float]:
        now = 0.0
        for step in steps:
            yield now
            now += step
            yield now

    told = times()
    return lambda: next(told)


def laps_of(
    shape: Shape,
    contenders: Sequence[Contender],
    rounds: int,
    clock: Callable[[], float] = time.perf_counter,
) -> list[Lap]:
    race = Race(shape, contenders, clock)
    for _ in range(rounds):
        race.run_round()
    return race.laps()


def test_contenders_are_timed_in_turn_and_compared_within_a_round() -> None:
    order: list[str] = []

    def reader(name: str) -> Contender:
        def read(reads: Sequence[bytes]) -> int:
            order.append(name)
            return len(reads)

        return Contender(name, "1", read)

    times = clock(9.0, 9.0, 1.0, 2.0, 30.0, 10.0, 1.0, 5.0)
    laps = laps_of(SHAPE, [reader("a"), reader("b")], 3, times)

    assert laps == [Lap("a", (1.0, 10.0, 1.0)), Lap("b", (2.0, 30.0, 5.0))]
    # Checked first; and who begins is another one in each round.
    assert order == ["a", "b", "a", "b", "b", "a", "a", "b"]
    assert ratio(laps, "b", "a") == 3.0
    assert ratio(laps, "b", "nobody") is None


def test_who_is_slow_in_its_check_is_timed_once() -> None:
    both = [Contender(name, "1", len) for name in (OURS, "at the limit", "slow")]
    # Three checks, untorn three times more to compare with, then the rounds.
    times = clock(99.0, 4.0, 4.5, 2.0, 1.0, 3.0, 2.0, 3.0, 4.0, 2.0)
    laps = laps_of(SHAPE, both, 2, times)

    assert laps == [
        Lap(OURS, (2.0, 2.0)),
        Lap("at the limit", (3.0, 4.0)),
        Lap("slow", (4.5,), once=True),
    ]
    assert ratio(laps, "slow", OURS) == 2.25
    assert ratio(laps, "at the limit", OURS) == 1.75


def test_a_contender_may_have_a_clock_of_its_own() -> None:
    own = Contender("elsewhere", "1", len, lambda reads: (len(reads), 0.25))

    assert laps_of(SHAPE, [own], 2, clock()) == [Lap("elsewhere", (0.25, 0.25))]


def test_who_finds_another_number_of_events_is_not_timed() -> None:
    def raising(reads: Sequence[bytes]) -> int:
        raise LookupError

    unfit = [
        Contender("more", "1", lambda reads: 1_000),
        Contender("raises", "1", raising),
        Contender(FLOOR, "", lambda reads: 99),
    ]
    seconds = (float(n) for n in count())
    laps = laps_of(SHAPE, unfit, 1, lambda: next(seconds))

    assert laps == [
        Lap("more", (), "found 1,000 events"),
        Lap("raises", (), "raises LookupError"),
        Lap(FLOOR, (1.0,)),
    ]
    assert ratio(laps, "more", FLOOR) is None


@pytest.mark.parametrize(
    ("shape", "name"),
    [("many-lines", "sseclient-py"), ("long-line", "niquests"), ("unknown-fields", "groq")],
)
def test_what_is_quadratic_is_not_run(shape: str, name: str) -> None:
    def never(reads: Sequence[bytes]) -> int:
        raise AssertionError

    slow = Contender(name, "1", never)
    assert laps_of(Shape(shape, "", (b"",), 1), [slow], 1) == [Lap(name, (), "not run: quadratic")]
