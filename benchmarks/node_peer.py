"""Own the contender that runs on Node: its installing by npm, and the process that times it.

A process is started for each body, warms up on it, and is kept open for some rounds, those of other
bodies in between: so it takes part in them as any other, and gives its own seconds. What it runs is
``node_reader.mjs``.
"""

from __future__ import annotations

import json
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from contenders import Reads

SCRIPT = Path(__file__).with_name("node_reader.mjs")
# How its compiler leaves a loop is settled once for a process, and not alike in all: up to 1.6
# times apart. One process would be one sample of that, however many rounds it runs.
RUNS_OF_A_PROCESS = 5


class NodeError(Exception):
    """Node cannot be used, or its process ended; the message is one line."""


def installed(folder: Path, package: str, version: str, say: Callable[[str], None]) -> list[str]:
    """Give the command that reads with a package, which is installed if it is not there.

    Args:
        folder: Where packages of Node are.
        package: Its name.
        version: That is wanted.
        say: Told what is going on.

    Raises:
        NodeError: There is no Node or npm, or npm could not do it.
    """
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise NodeError("needs node and npm, which are not here")
    home = folder / "node_modules" / package
    if _version(home) != version:
        say(f"installing {package}")
        folder.mkdir(parents=True, exist_ok=True)
        _install([npm, "install", "--prefix", str(folder)], f"{package}@{version}")
    return [node, str(SCRIPT), str(home / "dist" / "index.js")]


class NodeReader:
    """Read bodies in another process, which takes the time itself.

    Args:
        command: What starts it; the file of the reads is added.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._started: dict[int, _Started] = {}

    def read(self, reads: Reads) -> int:
        """Give how many events a body holds."""
        return self.timed(reads)[0]

    def timed(self, reads: Reads) -> tuple[int, float]:
        """Read a body once, and give how many events it holds and the seconds it took.

        Raises:
            NodeError: The process ended, or answered what it should not.
        """
        started = self._started.get(id(reads))
        if started is None or started.runs == RUNS_OF_A_PROCESS:
            if started is not None:
                started.process.communicate()
            started = self._started[id(reads)] = _Started(reads, _process(self._command, reads))
        started.runs += 1
        return _asked(started.process)

    def close(self) -> None:
        """End the processes, if there are any."""
        for started in self._started.values():
            started.process.communicate()
        self._started.clear()


@dataclass
class _Started:
    reads: Reads  # kept, so that no other body can have its ID
    process: subprocess.Popen[str]
    runs: int = 0


def written(reads: Reads) -> bytes:
    """Give reads as ``node_reader.mjs`` takes them: each behind its length, in four bytes."""
    return b"".join(struct.pack("<I", len(each)) + each for each in reads)


def _process(command: Sequence[str], reads: Reads) -> subprocess.Popen[str]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "reads"
        file.write_bytes(written(reads))
        process = subprocess.Popen(
            [*command, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        _asked(process)  # once it answers, it has read the file and is warm
    return process


def _asked(process: subprocess.Popen[str]) -> tuple[int, float]:
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        print(file=process.stdin, flush=True)
        answer = process.stdout.readline()
        told = json.loads(answer)
        return int(told["events"]), float(told["seconds"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        process.kill()
        process.communicate()
        raise NodeError(f"its process failed: {error}") from error


def _version(home: Path) -> str:
    try:
        told = json.loads((home / "package.json").read_text("utf-8"))
        return str(told["version"])
    except (OSError, ValueError, KeyError):
        return ""


def _install(command: Sequence[str], package: str) -> None:
    quiet = ["--no-save", "--no-audit", "--no-fund", "--silent"]
    done = subprocess.run([*command, *quiet, package], capture_output=True, text=True, check=False)
    if done.returncode:
        raise NodeError(f"npm could not install {package}")
