"""Own the command that shows what released parsers really do with the shared cases, and when cut.

It installs the packages into an environment of its own, runs itself in there, and prints a table:

    python benchmarks/conformance.py [--json] [--failing] [--peer NAME ...]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import own_venv
import tables

PINNED_ON = "2026-11-30"
PINNED = {
    "httpx": "0.28.1",  # httpx-sse needs it and does not declare it
    "httpx-sse": "0.4.3",
    "sseclient-py": "1.9.0",
    "openai": "3.57.0",
}
PEERS = ("httpx-sse", "sseclient-py", "openai")
CASES = ("spec", "bugreports_sse")  # those of tests/test_vectors.py

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".cache" / "benchmarks" / "venv"


def arguments(argv: Sequence[str]) -> argparse.Namespace:
    """Read the command line; whatever is asked for, untorn comes first, as the line to compare."""
    parser = argparse.ArgumentParser(
        prog="conformance.py",
        description="Run the shared cases through released parsers, uncut and cut.",
    )
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.add_argument("--failing", action="store_true", help="name every failing case")
    parser.add_argument(
        "--peer",
        action="append",
        choices=PEERS,
        metavar="NAME",
        help=f"only this package, and untorn; may be repeated ({', '.join(PEERS)})",
    )
    # Set by the outer run for the inner one. A flag, and no look at the interpreter: if that look
    # were wrong once, runs would start runs for ever.
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    read = parser.parse_args(argv)
    read.peers = ["untorn", *dict.fromkeys(read.peer or PEERS)]
    return read


def main(argv: Sequence[str]) -> int:
    """Measure, and give the exit code: 0, or 2 where the packages cannot be installed."""
    wanted = arguments(argv)
    if wanted.inside:
        print(measured(wanted))
        return 0
    try:
        python = own_venv.ready(VENV, PINNED, own_venv.say)
    except own_venv.InstallError as error:
        own_venv.say("")
        print(f"conformance.py: the packages cannot be installed: {error}", file=sys.stderr)
        return 2
    return own_venv.run_inside(python, Path(__file__), argv)


def measured(wanted: argparse.Namespace) -> str:
    """Run all cases through each door and write the result down."""
    # Only the inner run has these on its path.
    from doors import door, version
    from scores import score
    from support import load

    cases = load(*CASES)
    scores = [score(peer, version(peer), door(peer), cases, own_venv.say) for peer in wanted.peers]
    own_venv.say("")
    if wanted.json:
        return tables.as_json(scores, PINNED_ON)
    return tables.as_text(scores, PINNED_ON, all_failing=wanted.failing)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
