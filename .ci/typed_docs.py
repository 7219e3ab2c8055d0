"""Check the code of the docs as its readers' type checkers will: mypy --strict, page by page.

Two programs that must not pass are checked as well: a format's name misspelt, and a match over the
deltas that forgets one.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = (
    "README",
    "quickstart",
    "chat",
    "formats",
    "recipes",
    "clients",
    "adopt",
    "reconnect",
    "recording",
    "testing",
    "your-client",
    "partial-json",
    "text",
)
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)
MISSPELT = """
from untorn.deltas import iter_text

iter_text([b""], "opanai-chat")
"""
FORGETS = """
from typing_extensions import assert_never

from untorn.deltas import Delta, TextDelta


def shown(delta: Delta) -> str:
    match delta:
        case TextDelta(text=text):
            return text
        case _:
            assert_never(delta)
"""
WRONG = {"misspelt.py": (MISSPELT, "arg-type"), "forgets.py": (FORGETS, "arg-type")}


def mypy(folder: str, *names: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", f"{folder}/cache", *names]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def main() -> int:
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for page in PAGES:
            path = ROOT / f"{page}.md" if page == "README" else ROOT / "docs" / f"{page}.md"
            code = "\n".join(BLOCK.findall(path.read_text("utf-8")))
            Path(folder, f"{page}_page.py").write_text(code, "utf-8")
        done = mypy(folder, *[f"{page}_page.py" for page in PAGES])
        print(done.stdout, end="")
        failed = done.returncode != 0
        for name, (code, error) in WRONG.items():
            Path(folder, name).write_text(code, "utf-8")
            done = mypy(folder, name)
            if done.returncode != 1 or f"[{error}]" not in done.stdout:
                print(f"{name} should not pass:\n{done.stdout}")
                failed = True
    return failed


if __name__ == "__main__":
    sys.exit(main())
