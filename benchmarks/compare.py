"""Own the command that compares speed, as ratios within one run, and measures what is not raced.

It installs the packages into an environment of its own, runs itself in there, and prints tables:

    python benchmarks/compare.py [--section NAME ...] [--contender NAME ...] [--shape NAME ...]
                                 [--rounds N] [--json] [--check]
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import own_venv
from bars import CONTENDERS, missed, overrun, unasked
from contenders import Contender
from costs import Cost, costs
from lineup import NAMES, PIP_OPTIONS, PIP_VARIABLES, ROOT, Lineup, lineup, pinned
from race import Race, Results
from sections import NAMES as SECTIONS
from sections import SHAPES, Section, sections
from speed_table import as_json, cost_lines, heading, table

VENV = ROOT / ".cache" / "benchmarks" / "speed"

COSTS = "costs"
ROUNDS = 7
CHECK_ROUNDS = 21

# What was freed is kept by glibc's malloc, up to 1 GB. Or else a long line is mostly the kernel
# giving memory again and again, and that to whoever comes behind somebody who gave it back.
KEEP_MEMORY = {"MALLOC_TRIM_THRESHOLD_": "1000000000", "MALLOC_MMAP_THRESHOLD_": "33000000"}


def arguments(argv: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="compare.py", description="Compare untorn by speed.")
    parser.add_argument(
        "--section",
        action="append",
        choices=(*SECTIONS, COSTS),
        help="only this one; may be repeated",
    )
    parser.add_argument(
        "--contender",
        action="append",
        choices=NAMES,
        metavar="NAME",
        help=f"only this parser, and untorn; may be repeated ({', '.join(NAMES)})",
    )
    parser.add_argument(
        "--shape",
        action="append",
        choices=SHAPES,
        metavar="NAME",
        help=f"only this column; may be repeated ({', '.join(SHAPES)})",
    )
    parser.add_argument("--rounds", type=int, help=f"how often each is timed ({ROUNDS})")
    parser.add_argument("--json", action="store_true", help="print all times as JSON")
    parser.add_argument(
        "--check",
        action="store_true",
        help=f"time those that have bars alone, {CHECK_ROUNDS} times, and exit with 1 for a miss",
    )
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    wanted = parser.parse_args(argv)
    wanted.rounds = wanted.rounds or (CHECK_ROUNDS if wanted.check else ROUNDS)
    wanted.contender = wanted.contender or (CONTENDERS if wanted.check else NAMES)
    # Who asks for a column wants no figures beside it.
    wanted.section = wanted.section or (SECTIONS if wanted.shape else (*SECTIONS, COSTS))
    return wanted


def main(argv: Sequence[str]) -> int:
    """Measure, and give the exit code: 0; 1 for a bar that is missed; 2 where nothing runs."""
    wanted = arguments(argv)
    if wanted.inside:
        return measure(wanted)
    try:
        python = own_venv.ready(VENV, pinned(), own_venv.say, PIP_OPTIONS, PIP_VARIABLES)
    except own_venv.InstallError as error:
        own_venv.say("")
        print(f"compare.py: the packages cannot be installed: {error}", file=sys.stderr)
        return 2
    return own_venv.run_inside(python, Path(__file__), argv, KEEP_MEMORY)


def measure(wanted: argparse.Namespace) -> int:
    """Race, print what came out, and give 1 where that is asked for and a bar is missed."""
    own_venv.say("importing the packages")
    chosen = list(sections(wanted.section, lambda: lineup(wanted.contender)))
    results: Results = {}
    lines = [heading()]
    for section in chosen:
        found = measured(section, wanted)
        results |= found
        lines += table(section.title, section.everybody(), found) if found else []
    figures = list(_costs(wanted.section))
    lines += cost_lines(figures) if figures else []
    print(as_json(_everybody(chosen), results, figures) if wanted.json else "\n".join(lines))
    if not wanted.check:
        return 0
    short = [*missed(results), *overrun(figures)]
    told = [*(short or ["every bar that is checked holds"]), *unasked(results)]
    print(*told, sep="\n", file=sys.stderr)
    return int(bool(short))


def measured(section: Section, wanted: argparse.Namespace) -> Results:
    """Race on each shape of a section that is wanted."""
    names = [name for name in section.shapes if not wanted.shape or name in wanted.shape]
    races = {}
    for number, name in enumerate(names, 1):
        own_venv.say(f"{section.name}: checking on {name}, {number} of {len(names)}")
        races[name] = Race(section.shape(name), section.lineup(name), slow=section.slow)
    gc.collect()
    gc.freeze()  # or else each collection before a run looks through all these packages again
    for number in range(1, wanted.rounds + 1):
        own_venv.say(f"{section.name}: round {number} of {wanted.rounds}")
        for race in races.values():
            race.run_round()
    own_venv.say("")
    return {name: race.laps() for name, race in races.items()}


def _costs(names: Sequence[str]) -> Iterator[Cost]:
    if COSTS in names:
        own_venv.say("costs")
        yield from costs()
        own_venv.say("")


def _everybody(chosen: Sequence[Section]) -> Lineup:
    lineups = [section.everybody() for section in chosen]
    by_name: dict[str, Contender] = {each.name: each for who in lineups for each in who.contenders}
    return Lineup(
        tuple(by_name.values()),
        {name: why for who in lineups for name, why in who.left_out.items()},
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
