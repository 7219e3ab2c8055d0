"""Hold each source module to full branch coverage by its own test file, where readers look."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "untorn"
# Files that hold no logic of their own.
WITHOUT = {
    "__init__.py",
    "__main__.py",
    "deltas/__init__.py",
    "deltas/formats/__init__.py",
    "recording/__init__.py",
    "testing/__init__.py",
}
OWN_NAME = {"cli/__init__.py": "cli/test_cli.py"}


def own_tests(module: str) -> list[str]:
    """Give the test file of a module's name, and those that go on with it, test_x_*.py."""
    folder, _, name = module.rpartition("/")
    first = OWN_NAME.get(module, f"{folder and folder + '/'}test_{name.removeprefix('_')}")
    more = (ROOT / "tests").glob(first.removesuffix(".py") + "_*.py")
    return [f"tests/{first}", *(path.relative_to(ROOT).as_posix() for path in sorted(more))]


def is_full(module: str, scratch: str) -> bool:
    environment = {**os.environ, "COVERAGE_FILE": f"{scratch}/{module.replace('/', '.')}"}

    def coverage(*arguments: str) -> int:
        command = [sys.executable, "-m", "coverage", *arguments]
        return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode

    coverage("run", "-m", "pytest", "-q", "--no-header", *own_tests(module))
    coverage("combine", "-q")
    return coverage("report", f"--include=*/untorn/{module}") == 0


def main() -> int:
    found = [str(path.relative_to(SOURCE).as_posix()) for path in sorted(SOURCE.rglob("*.py"))]
    modules = [module for module in found if module not in WITHOUT]
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(os.cpu_count()) as pool:
        full = pool.map(partial(is_full, scratch=scratch), modules)
        short = [module for module, ok in zip(modules, full, strict=True) if not ok]
    print("not covered by their own test file:", *short or ["none"])
    return bool(short)


if __name__ == "__main__":
    sys.exit(main())
