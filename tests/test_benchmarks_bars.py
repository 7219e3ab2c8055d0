"""The bars of the comparison of speed: which are missed, and that each can be met at all."""

from __future__ import annotations

import bars
import building
import lineup
import messages
import partials
import pytest
import shapes
from bars import FASTEST, Bar
from contenders import FLOOR, OURS
from costs import Cost
from lineup import NODE
from race import Lap, Results

RESULTS: Results = {
    "chat-16k": [Lap(OURS, (1.0, 2.0)), Lap(FLOOR, (2.0, 4.0)), Lap(FASTEST, (1.0, 2.0))],
    "many-lines": [
        Lap(OURS, (1.0,)),
        Lap("httpx-sse", (), "found 2 events"),
        Lap(FASTEST, (), "not run: quadratic"),
    ],
}


def test_a_bar_that_is_missed_is_named() -> None:
    assert list(bars.missed(RESULTS)) == [
        f"chat-16k: 1 of {FASTEST}'s time, and at most 0.7 is wanted",
        "many-lines: not measured of httpx-sse's time, and at most 0.6 is wanted",
    ]
    assert list(bars.missed({})) == []


@pytest.mark.parametrize(
    ("shape", "other", "just"),
    [
        ("chat-16k", FASTEST, 0.7),
        ("event", building.PLAIN, 1.6),
        ("anthropic-call", messages.LOADS, 2.2),
        ("openai-chat", "openai helper", 1 / 20),
        ("anthropic", "anthropic helper", 1 / 8),
        ("rows-5k", partials.JITER, 1.0),
        ("code-1k", "jsonriver", 1.0),
    ],
)
def test_a_bar_holds_up_to_its_number(shape: str, other: str, just: float) -> None:
    def raced(seconds: float) -> Results:
        return {shape: [Lap(OURS, (seconds,)), Lap(other, (1.0,))]}

    assert list(bars.missed(raced(just))) == []
    assert list(bars.missed(raced(just * 1.5))) == [
        f"{shape}: {just * 1.5:.3g} of {other}'s time, and at most {just:.3g} is wanted"
    ]


def test_a_bar_against_who_takes_no_part_is_not_checked_and_named() -> None:
    assert list(bars.unasked(RESULTS)) == [f"{NODE} took no part, and its bars are not checked"]
    assert list(bars.unasked({})) == []


def test_a_cost_that_is_more_than_its_bar_is_named() -> None:
    figures = [
        Cost("a parser", 1.501, "kB", 1.5),
        Cost("a stream", 2.0, "kB", 2.0),
        Cost("no bar", 99.0, "kB"),
        Cost("an import", 2.25, "of another", 1.5),
    ]

    assert list(bars.overrun(figures)) == [
        "a parser: 1.5 kB, and at most 1.5 is wanted",
        "an import: 2.25 of another, and at most 1.5 is wanted",
    ]
    assert list(bars.overrun([])) == []


def others_on(shape: str) -> set[str]:
    """Give who races on a shape, beside untorn."""
    if shape in messages.NAMES:
        package, _ = messages._HELPERS[shape.removesuffix("-call")]
        return {messages.LOADS, f"{package} helper"}
    if shape in partials.NAMES:
        return {name for name in partials._PEERS if (shape, name) not in partials.QUADRATIC}
    if shape in building.NAMES:
        return {building.PLAIN, building.CONSTRUCTOR}
    assert shape in shapes.NAMES
    return set(lineup.NAMES) - {OURS}


@pytest.mark.parametrize("bar", bars.BARS, ids=lambda bar: f"{bar.shape} {bar.other}")
def test_every_bar_is_of_a_shape_and_a_contender_that_there_are(bar: Bar) -> None:
    assert bar.other in others_on(bar.shape)
    assert bar.most > 0


def test_every_message_and_every_partial_text_has_its_bars() -> None:
    barred = {(bar.shape, bar.other) for bar in bars.BARS}

    assert len(barred) == len(bars.BARS)
    for name in (*messages.NAMES, *partials.NAMES):
        # One kilobyte is too little for jiter to pay for its parsing again.
        free = {partials.JITER} if name.endswith("-1k") else set()
        assert {other for shape, other in barred if shape == name} == others_on(name) - free


def test_who_has_a_bar_is_asked_once_each() -> None:
    assert len(set(bars.CONTENDERS)) == len(bars.CONTENDERS)
    assert set(bars.CONTENDERS) == {bar.other for bar in bars.BARS}
