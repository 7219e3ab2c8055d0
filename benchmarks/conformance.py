"""Own the command that shows what released parsers really do with the shared cases, and when cut.

It installs the packages into an environment of its own, runs itself in there, and prints a table:

    python benchmarks/conformance.py [--json] [--failing] [--peer NAME ...]
"""

from __future__ import annotations

import argparse
import os
import subprocess
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
        python = own_venv.ready(VENV, PINNED, say)
    except own_venv.InstallError as error:
        say("")
        print(f"conformance.py: the packages cannot be installed: {error}", file=sys.stderr)
        return 2
    return run_inside(python, argv)


def run_inside(python: Path, argv: Sequence[str]) -> int:
    """Run this file in the environment, with the source and the tests' helpers on its path."""
    environment = {
        **os.environ,
        # Not added to what is there: that could put another version before the pinned one.
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")]),
        "PYTHONIOENCODING": ":backslashreplace",
    }
    command = [str(python), str(Path(__file__).resolve()), *argv, "--inside"]
    return subprocess.run(command, env=environment, check=False).returncode


def measured(wanted: argparse.Namespace) -> str:
    """Run all cases through each door and write the result down."""
    # Only the inner run has these on its path.
    from doors import door, version
    from scores import score
    from support import load

    cases = load(*CASES)
    scores = [score(peer, version(peer), door(peer), cases, say) for peer in wanted.peers]
    say("")
    if wanted.json:
        return tables.as_json(scores, PINNED_ON)
    return tables.as_text(scores, PINNED_ON, all_failing=wanted.failing)


def say(text: str) -> None:
    """Show how far it is, on one line, if somebody is looking; an empty text takes it away."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
