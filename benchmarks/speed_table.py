"""Own how the times of a race are written: a table of ratios, and JSON. Measures nothing."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator, Sequence

from contenders import OURS, Contender
from costs import Cost
from lineup import PINNED_ON, Lineup
from race import SLOW, Lap, Results, ratio


def heading() -> str:
    """Say what the tables show."""
    python = platform.python_version()
    return f"Time, as a multiple of untorn's. Python {python}, versions of {PINNED_ON}."


def table(title: str, lineup: Lineup, results: Results) -> Iterator[str]:
    """Show how many times as long as untorn the others took: a row each, a column for each shape.

    What is no number is a letter in the table, and said below it.
    """
    yield ""
    yield title
    yield ""
    notes: dict[str, str] = {}
    rows = [_row(each, results, notes) for each in _sorted(lineup.contenders, results)]
    yield from _aligned([*_heads(results), *rows])
    yield ""
    if any(cell.startswith("~") for row in rows for cell in row):
        yield f"~ timed once, in its check: it took more than {SLOW:g} times as long as untorn"
    yield from (f"{letter} {fault}" for fault, letter in notes.items())
    yield from (f"left out: {name}, {why}" for name, why in lineup.left_out.items())


def cost_lines(costs: Sequence[Cost]) -> Iterator[str]:
    """Show what is measured and not raced, with its bar."""
    yield ""
    yield "Costs"
    yield ""
    for cost in costs:
        most = "" if cost.most is None else f" (at most {cost.most:g})"
        yield f"{cost.name}: {cost.value:.3g} {cost.unit}{most}"


def as_json(lineup: Lineup, results: Results, costs: Sequence[Cost]) -> str:
    """Write all times, in seconds, who was timed in its check alone, and costs."""
    return json.dumps(
        {
            "python": platform.python_version(),
            "versions": {each.name: each.version for each in lineup.contenders},
            "left_out": lineup.left_out,
            "seconds": {
                name: {lap.contender: lap.fault or lap.seconds for lap in laps}
                for name, laps in results.items()
            },
            "once": {
                name: [lap.contender for lap in laps if lap.once] for name, laps in results.items()
            },
            "costs": {cost.name: [cost.value, cost.unit] for cost in costs},
        },
        indent=2,
    )


def _sorted(contenders: Sequence[Contender], results: Results) -> list[Contender]:
    """Give untorn, and the others by their ratio on the first shape; then who has none there."""
    first = next(iter(results.values()))

    def place(each: Contender) -> tuple[bool, float]:
        times = ratio(first, each.name, OURS)
        return each.name != OURS, float("inf") if times is None else times

    return sorted(contenders, key=place)


def _row(contender: Contender, results: Results, notes: dict[str, str]) -> list[str]:
    name, version = contender.name, contender.version
    if name == OURS:
        own = (_lap(laps, OURS) for laps in results.values())
        best = (min(lap.seconds) if lap is not None and lap.seconds else 0.0 for lap in own)
        return [f"{name} {version}, ms", *(f"{1_000 * seconds:.1f}" for seconds in best)]
    return [f"{name} {version}".rstrip(), *(_cell(laps, name, notes) for laps in results.values())]


def _cell(laps: Sequence[Lap], name: str, notes: dict[str, str]) -> str:
    lap, times = _lap(laps, name), ratio(laps, name, OURS)
    if lap is None:
        return "-"  # it does not read this
    if lap.fault:
        return notes.setdefault(lap.fault, f"({chr(ord('a') + len(notes))})")
    if times is None:
        return "-"
    digits = 2 if times < 10 else 1 if times < 100 else 0
    return f"{'~' * lap.once}{times:.{digits}f}"


def _lap(laps: Sequence[Lap], name: str) -> Lap | None:
    return next((lap for lap in laps if lap.contender == name), None)


def _heads(names: Sequence[str] | Results) -> Iterator[list[str]]:
    """Write the names of the shapes on two lines, so that columns are narrow."""
    parted = [name.partition("-") for name in names]
    yield ["", *(before + dash if dash else "" for before, dash, _ in parted)]
    yield ["", *(behind or before for before, _, behind in parted)]


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    first, *widths = (max(map(len, column)) for column in zip(*rows, strict=True))
    for name, *cells in rows:
        numbers = (f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        yield "  ".join([f"{name:<{first}}", *numbers]).rstrip()
