"""Own the browser as a process: find it, start it on a page, say how it failed, end it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

NAMES = ["chromium", "chromium-browser", "google-chrome"]
FLAGS = [
    "--headless",
    "--no-sandbox",  # it would not start as root; the only page it sees is ours
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    # Without these it looks up hosts of its maker at every start.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SWITCH = "UNTORN_BROWSER"
LAST_LINES = 15


class Browser:
    """A browser that runs."""

    def __init__(self, process: subprocess.Popen[bytes], stderr: Path) -> None:
        self._process = process
        self._stderr = stderr

    def exit_code(self) -> int | None:
        return self._process.poll()

    def last_words(self) -> str:
        lines = self._stderr.read_text("utf-8", "replace").splitlines()
        return "\n".join(lines[-LAST_LINES:]) or "(nothing on stderr)"


Running = AbstractContextManager[Browser]


def find() -> str:
    """Give the path of a browser; without one, skip the test, or fail it if one is required."""
    if os.environ.get(SWITCH) == "never":
        pytest.skip(f"{SWITCH}=never")
    for name in NAMES:
        path = shutil.which(name)
        if path is not None:
            return path
    missing = f"no browser: none of {', '.join(NAMES)} is on the path"
    if os.environ.get(SWITCH) == "required":
        pytest.fail(f"{missing}, and {SWITCH}=required")
    pytest.skip(f"{missing} ({SWITCH}=required makes this a failure)")


@contextmanager
def started(command: Sequence[str], url: str, folder: Path) -> Iterator[Browser]:
    """Run a browser on one page, with a new profile, for as long as the block lasts."""
    stderr = folder / "stderr"  # a file: nobody need read it for the browser to go on
    with (
        # Not in the folder: the path of a socket that it makes there must be short. Its children
        # may still write while they end.
        TemporaryDirectory(ignore_cleanup_errors=True) as scratch,
        stderr.open("wb") as sink,
        subprocess.Popen(
            [*command, *FLAGS, f"--user-data-dir={Path(scratch, 'profile')}", url],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=sink,
            env={**os.environ, "TMPDIR": scratch},
        ) as process,
    ):
        try:
            yield Browser(process, stderr)
        finally:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
