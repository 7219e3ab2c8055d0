"""Own the bars: how long untorn may take on a shape, as a part of another's time; and of costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import messages
import partials
from building import PLAIN
from contenders import FLOOR, OURS
from costs import Cost
from lineup import NODE
from race import Results, ratio

FASTEST = "launchdarkly-eventsource"


@dataclass(frozen=True, slots=True)
class Bar:
    """Where untorn is to be: at most so many times as slow as another on a shape."""

    shape: str
    other: str
    most: float


BARS = (
    Bar("chat-16k", FASTEST, 0.7),
    Bar("multilingual", FASTEST, 0.7),
    Bar("chat-event", FASTEST, 0.75),
    Bar("named-crlf", FASTEST, 0.85),
    Bar("chat-64", FASTEST, 1.1),
    Bar("long-line", FASTEST, 1.0),
    Bar("chat-1", FASTEST, 1.5),
    Bar("many-lines", "httpx-sse", 0.6),
    Bar("chat-16k", FLOOR, 1.6),
    Bar("chat-event", FLOOR, 1.6),
    Bar("long-line", NODE, 1.0),
    Bar("many-lines", NODE, 1.0),
    Bar("chat-16k", NODE, 3.5),
    Bar("chat-event", NODE, 3.5),
    Bar("chat-64", NODE, 3.5),
    Bar("chat-1", NODE, 3.5),
    Bar("named-crlf", NODE, 3.5),
    Bar("multilingual", NODE, 3.5),
    Bar("event", PLAIN, 1.6),
    *(Bar(name, messages.LOADS, 2.2) for name in messages.NAMES),
    *(Bar(name, "openai helper", 1 / 20) for name in messages.NAMES if "openai" in name),
    *(Bar(name, "anthropic helper", 1 / 8) for name in messages.NAMES if "anthropic" in name),
    *(Bar(name, partials.JITER, 1.0) for name in partials.NAMES if not name.endswith("-1k")),
    *(
        Bar(name, peer, 1.0)
        for name in partials.NAMES
        for peer in partials.INCREMENTAL
        if (name, peer) not in partials.QUADRATIC
    ),
)
CONTENDERS = tuple(dict.fromkeys(bar.other for bar in BARS))


def missed(results: Results) -> Iterator[str]:
    """Name the bars that do not hold; one against whom there was no time is missed as well."""
    for bar in _raced(results):
        got = ratio(results[bar.shape], OURS, bar.other)
        if got is None or got > bar.most:
            came = "not measured" if got is None else f"{got:.3g}"
            yield f"{bar.shape}: {came} of {bar.other}'s time, and at most {bar.most:.3g} is wanted"


def overrun(costs: Iterable[Cost]) -> Iterator[str]:
    """Name the costs that are more than they may be."""
    for cost in costs:
        if cost.most is not None and cost.value > cost.most:
            yield f"{cost.name}: {cost.value:.3g} {cost.unit}, and at most {cost.most:g} is wanted"


def unasked(results: Results) -> Iterator[str]:
    """Name who has bars on these shapes and took no part."""
    raced = set(_raced(results))
    others = dict.fromkeys(bar.other for bar in BARS if bar.shape in results and bar not in raced)
    return (f"{other} took no part, and its bars are not checked" for other in others)


def _raced(results: Results) -> Iterator[Bar]:
    for bar in BARS:
        if any(lap.contender == bar.other for lap in results.get(bar.shape, ())):
            yield bar
