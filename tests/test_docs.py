"""Every code block of the README and the docs runs, and shows what it says it shows.

``python`` blocks run in order, each page in a namespace of its own; a ``text`` block right behind
one is its output. ``console`` blocks run in a shell. The README's two ``sh`` blocks are run by
``.ci/run``, which takes them from the README. No other kind of block may stand in a page.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib
import importlib.util
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import untorn
import untorn.deltas
import untorn.recording
import untorn.testing

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\S*)\n(.*?)^```$", re.M | re.S)
DIRECTIVES = ("{toctree}", "{eval-rst}")
NEEDS = {"adopt.md": ("anthropic", "openai")}  # what not all test environments have
DOCTESTED = [
    "_encode",
    "_errors",
    "_event",
    "_follow",
    "_http",
    "_iterate",
    "_parser",
    "_reconnect",
    "cli",
    "cli._show",
    "deltas._assembler",
    "deltas._format",
    "deltas._message",
    "deltas._names",
    "deltas._partial",
    "deltas._shortcuts",
    "deltas._stream",
    "deltas.formats.plain",
    "recording._record",
    "recording._recording",
    "testing._boundaries",
    "testing._cuts",
    "testing._invariant",
    "testing._server",
    "testing._streams",
    "testing.strategies",
    "text",
]


@dataclass(frozen=True)
class Block:
    kind: str
    code: str
    line: int
    output: str | None = None


def blocks(page: Path) -> list[Block]:
    text = page.read_text("utf-8")
    found: list[Block] = []
    end = 0
    for match in FENCE.finditer(text):
        block = Block(match[1], match[2], text.count("\n", 0, match.start()) + 2)
        if block.kind == "text" and found and match.start() == end + 1:
            found[-1] = Block(found[-1].kind, found[-1].code, found[-1].line, block.code)
        else:
            found.append(block)
        end = match.end()
    return found


def of_kind(kind: str) -> list[Path]:
    return [page for page in PAGES if any(block.kind == kind for block in blocks(page))]


@pytest.mark.parametrize("page", of_kind("python"), ids=lambda page: page.name)
def test_python_blocks_run_and_print_what_the_page_shows(page: Path) -> None:
    for module in NEEDS.get(page.name, ()):
        pytest.importorskip(module, reason=f"{page.name} needs the {module} package (group sdks)")
    namespace: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(page):
        if block.kind == "python":
            printed = io.StringIO()
            code = compile("\n" * (block.line - 1) + block.code, page.name, "exec")
            with contextlib.redirect_stdout(printed):
                exec(code, namespace)
            assert printed.getvalue() == (block.output or ""), f"{page.name}:{block.line}"


@pytest.mark.parametrize("page", of_kind("console"), ids=lambda page: page.name)
@pytest.mark.skipif(sys.platform == "win32", reason="the pages speak to a POSIX shell")
def test_console_blocks_print_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    python = shlex.quote(sys.executable)
    function = f'untorn() {{ {python} -m untorn "$@"; }}; python3() {{ {python} "$@"; }}\n'
    for block in blocks(page):
        if block.kind == "console" and ("curl " not in block.code or shutil.which("curl")):
            # As a shell shows it: "> " goes on with the command of the line before.
            commands = re.findall(r"^[$>] ?(.*)$", block.code, re.M)
            shown = re.sub(r"^[$>].*\n", "", block.code, flags=re.M)
            done = subprocess.run(
                ["bash", "-c", function + "\n".join(commands)],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                cwd=tmp_path,
                env={**os.environ, "PYTHONIOENCODING": "utf-8"},
                check=False,
            )
            assert done.stdout.decode() == shown, f"{page.name}:{block.line}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_is_of_a_kind_that_runs(page: Path) -> None:
    kinds = [block.kind for block in blocks(page) if block.kind not in DIRECTIVES]
    allowed = {"python", "console"} | ({"sh"} if page.name == "README.md" else set())

    assert set(kinds) <= allowed
    assert page.read_text("utf-8").count("```") == 2 * len(
        re.findall(FENCE, page.read_text("utf-8"))
    )


def test_the_picture_of_the_demonstration_is_of_a_real_run() -> None:
    place = ROOT / ".ci" / "demo_picture.py"
    spec = importlib.util.spec_from_file_location("demo_picture", place)
    assert spec is not None
    assert spec.loader is not None
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)

    words = "".join(maker.words(maker.PICTURE.read_text("utf-8")))
    assert words == "".join(maker.words(maker.drawn()))
    assert "untorn:&#160;the&#160;text&#160;as&#160;it&#160;was&#160;sent" in words


def test_the_ci_runs_the_readmes_two_commands() -> None:
    commands = [block.code for block in blocks(ROOT / "README.md") if block.kind == "sh"]

    assert len(commands) == 2
    assert commands[0].endswith("untorn demo\n")
    assert commands[1].endswith("-m pytest -q\n")
    assert "readme_command" in (ROOT / ".ci" / "run").read_text("utf-8")


@pytest.mark.parametrize("name", DOCTESTED)
def test_docstring_examples_run(name: str) -> None:
    module = importlib.import_module(f"untorn.{name}")
    with contextlib.redirect_stderr(io.StringIO()):
        result = doctest.testmod(module)

    assert result.failed == 0
    assert result.attempted > 0


def test_every_public_function_and_class_has_a_docstring() -> None:
    aliases = ("Chunk", "__version__", "Delta", "EventReader", "FormatName")
    for module in (untorn, untorn.deltas, untorn.recording, untorn.testing):
        for name in module.__all__:
            assert name in aliases or getattr(module, name).__doc__, name
