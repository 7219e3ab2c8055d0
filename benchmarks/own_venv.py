"""Own the environment that released packages are installed into, and the running of scripts in it.

It is made once, and reused while it fits. This knows no package by name: the caller gives them.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

_ASK = """
import importlib.metadata, json, platform
names = [(str(each.metadata["Name"]), each.version) for each in importlib.metadata.distributions()]
found = {name.lower().replace("_", "-"): version for name, version in names}
print(json.dumps([platform.python_version(), found]))
"""


class InstallError(Exception):
    """The environment could not be made; the message is one line."""


def ready(
    folder: Path,
    pinned: Mapping[str, str],
    say: Callable[[str], None],
    options: Sequence[str] = (),
    variables: Mapping[str, str] | None = None,
) -> Path:
    """Give the interpreter of an environment that has these versions, and make it if there is none.

    Args:
        folder: Where it is. What is there and does not fit is deleted.
        pinned: Name and version of each package.
        say: Told what is going on.
        options: More of pip's.
        variables: Set for pip, beside those of this process.

    Raises:
        InstallError: It could not be made.
    """
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if fits(python, pinned):
        return python
    say("making an environment")
    _run([sys.executable, "-m", "venv", "--clear", str(folder)])
    say(f"installing {len(pinned)} packages")
    quiet = ["--quiet", "--disable-pip-version-check", "--no-input"]
    wanted = [f"{name}=={version}" for name, version in pinned.items()]
    _run([str(python), "-m", "pip", "install", *quiet, *options, *wanted], variables)
    return python


def run_inside(
    python: Path,
    script: Path,
    argv: Sequence[str],
    variables: Mapping[str, str] | None = None,
) -> int:
    """Run a script in an environment, with the source and the tests' helpers on its path.

    Args:
        python: The environment's interpreter.
        script: That is run.
        argv: Its arguments; one more tells it that it is inside.
        variables: Set for it, beside those of this process.
    """
    root = Path(__file__).resolve().parent.parent
    environment = {
        **os.environ,
        **(variables or {}),
        # Not added to what is there: that could put another version before the pinned one.
        "PYTHONPATH": os.pathsep.join([str(root / "src"), str(root / "tests")]),
        "PYTHONIOENCODING": ":backslashreplace",
    }
    command = [str(python), str(script.resolve()), *argv, "--inside"]
    return subprocess.run(command, env=environment, check=False).returncode


def say(text: str) -> None:
    """Show how far it is, on one line, if somebody is looking; an empty text takes it away."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def fits(python: Path, pinned: Mapping[str, str]) -> bool:
    """Tell whether an interpreter is of this version of Python and has these packages."""
    try:
        # -I: what this process has on its PYTHONPATH is not installed there.
        command = [str(python), "-I", "-c", _ASK]
        asked = subprocess.run(command, capture_output=True, text=True, check=True)
        of, found = json.loads(asked.stdout)
    except (OSError, subprocess.CalledProcessError, ValueError):
        return False  # there is none, or a run was interrupted while it was made
    return bool(of == platform.python_version() and pinned.items() <= found.items())


def _run(command: Sequence[str], variables: Mapping[str, str] | None = None) -> None:
    environment = {**os.environ, **(variables or {})}
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    except OSError as error:
        raise InstallError(str(error)) from error
    if done.returncode:
        raise InstallError(_reason(done.stderr + done.stdout))


def _reason(output: str) -> str:
    """Give the last line that is an error, or else the last."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error")]
    return (errors or lines or ["no reason given"])[-1]
