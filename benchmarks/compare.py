"""Own the command that compares the speed of parsers, as ratios within one run.

It installs the packages into an environment of its own, runs itself in there, and prints a table:

    python benchmarks/compare.py [--shape NAME ...] [--rounds N] [--json] [--check]
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import own_venv
from contenders import FLOOR, NAMES, OURS, Contender, contender
from race import Lap, race, ratio
from shapes import NAMES as SHAPES
from shapes import shape

PINNED_ON = "2026-11-30"
PINNED = {
    "httpx": "0.28.1",  # httpx-sse needs it and does not declare it
    "httpx-sse": "0.4.3",
    "launchdarkly-eventsource": "1.7.4",
    "openai": "3.57.0",
    "sseclient-py": "1.9.0",
}
ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".cache" / "benchmarks" / "speed"
FASTEST = "launchdarkly-eventsource"


@dataclass(frozen=True, slots=True)
class Bar:
    """Where untorn is to be: at most so many times as slow as another on a shape."""

    shape: str
    other: str
    most: float


BARS = [
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
]
Results = dict[str, list[Lap]]


def arguments(argv: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="compare.py", description="Compare parsers by speed.")
    parser.add_argument(
        "--shape",
        action="append",
        choices=SHAPES,
        metavar="NAME",
        help=f"only this stream; may be repeated ({', '.join(SHAPES)})",
    )
    parser.add_argument("--rounds", type=int, default=7, help="how often each is timed (7)")
    parser.add_argument("--json", action="store_true", help="print all times as JSON")
    parser.add_argument("--check", action="store_true", help="exit with 1 where a bar is missed")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args(argv)


def main(argv: Sequence[str]) -> int:
    """Measure, and give the exit code: 0; 1 for a bar that is missed; 2 where nothing runs."""
    wanted = arguments(argv)
    if not wanted.inside:
        try:
            python = own_venv.ready(VENV, PINNED, own_venv.say)
        except own_venv.InstallError as error:
            own_venv.say("")
            print(f"compare.py: the packages cannot be installed: {error}", file=sys.stderr)
            return 2
        return own_venv.run_inside(python, Path(__file__), argv)
    contenders = [contender(name) for name in NAMES]
    results = measured(contenders, wanted.shape or SHAPES, wanted.rounds)
    print(as_json(contenders, results) if wanted.json else "\n".join(table(contenders, results)))
    short = list(missed(results))
    if wanted.check:
        print(*(short or ["every bar holds"]), sep="\n", file=sys.stderr)
    return int(wanted.check and bool(short))


def measured(contenders: Sequence[Contender], names: Sequence[str], rounds: int) -> Results:
    """Race on each shape."""
    results = {}
    for number, name in enumerate(names, 1):
        own_venv.say(f"{name}: {number} of {len(names)}")
        results[name] = race(shape(name), contenders, rounds)
    own_venv.say("")
    return results


def table(contenders: Sequence[Contender], results: Results) -> Iterator[str]:
    """Show how many times as long as untorn the others took."""
    python = platform.python_version()
    yield f"Time, as a multiple of untorn's. Python {python}, versions of {PINNED_ON}."
    yield ""
    others = [each for each in contenders if each.name != OURS]
    yield _row("", f"{OURS} ms", *(each.name for each in others))
    yield _row("", "", *(each.version for each in others))
    for name, laps in results.items():
        own = next(lap for lap in laps if lap.contender == OURS)
        yield _row(name, f"{1_000 * min(own.seconds):.1f}", *(_cell(laps, o.name) for o in others))


def as_json(contenders: Sequence[Contender], results: Results) -> str:
    """Write all times, in seconds."""
    return json.dumps(
        {
            "python": platform.python_version(),
            "versions": {each.name: each.version for each in contenders},
            "seconds": {
                name: {lap.contender: lap.fault or lap.seconds for lap in laps}
                for name, laps in results.items()
            },
        },
        indent=2,
    )


def missed(results: Results) -> Iterator[str]:
    """Name the bars that do not hold; one that was not measured is missed as well."""
    for bar in BARS:
        if bar.shape not in results:
            continue
        got = ratio(results[bar.shape], OURS, bar.other)
        if got is None or got > bar.most:
            came = "not measured" if got is None else f"{got:.2f}"
            yield f"{bar.shape}: {came} of {bar.other}'s time, and at most {bar.most} is wanted"


def _cell(laps: Sequence[Lap], name: str) -> str:
    fault = next(lap.fault for lap in laps if lap.contender == name)
    times = ratio(laps, name, OURS)
    return fault or ("-" if times is None else f"{times:.2f}")


def _row(*cells: str) -> str:
    first, *rest = cells
    return f"{first:<16}" + "".join(f"{cell:>26}" for cell in rest)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
