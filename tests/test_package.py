"""The package as a whole: layers, what an import loads, the public names, one version."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import untorn

ROOT = Path(__file__).parent.parent
SOURCE = Path(untorn.__file__).parent

# Modules of one layer import only from lower ones, or from those named before them here.
LAYERS = [
    ["_errors", "_wire", "_event", "_end"],
    ["_utf8", "_lines", "_fields", "_encode"],
    ["_parser"],
    ["_loops", "_iterate", "_http", "_reconnect", "_rounds", "_follow", "text"],
    ["__init__"],
    ["deltas", "recording", "testing"],
    ["cli", "__main__"],
]
ORDER = [module for layer in LAYERS for module in layer]
FORBIDDEN = {
    "typing",
    "json",
    "asyncio",
    "http",
    "argparse",
    "hypothesis",
    "rich",
    "typing_extensions",
}


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def part(path: Path) -> str:
    """Give the module, or the package for a file inside one."""
    relative = path.relative_to(SOURCE)
    return relative.parts[0] if len(relative.parts) > 1 else relative.stem


def imported_parts(path: Path) -> list[tuple[str, bool]]:
    """Give what a file imports from this package, and whether it does so for annotations only."""
    tree = ast.parse(path.read_text("utf-8"))
    for_types = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    depth = len(path.relative_to(SOURCE).parts)
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level == depth:
            names = [node.module] if node.module else [alias.name for alias in node.names]
            found += [(name.partition(".")[0], id(node) in for_types) for name in names]
    return found


def test_each_module_has_its_place() -> None:
    assert sorted({part(path) for path in modules()}) == sorted(ORDER)


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.name)
def test_modules_import_downwards_only(path: Path) -> None:
    own = ORDER.index(part(path))
    runtime = [name for name, for_types in imported_parts(path) if not for_types]
    upwards = [name for name in runtime if name in ORDER and ORDER.index(name) >= own]

    assert upwards == []
    if part(path) in LAYERS[0]:
        assert {name for name, _ in imported_parts(path)} <= set(LAYERS[0])


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.name)
def test_imports_inside_the_package_are_relative(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    absolute = [
        name
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom) and node.level == 0
            else []
        )
    ]

    assert [name for name in absolute if name.partition(".")[0] == "untorn"] == []


def test_import_loads_the_core_only() -> None:
    code = "import sys; before = set(sys.modules); import untorn; print(*set(sys.modules) - before)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    own = {name.partition(".")[2] for name in loaded if name.startswith("untorn.")}

    assert {name.partition(".")[0] for name in loaded} & FORBIDDEN == set()
    core = {module for layer in LAYERS[:4] for module in layer} - {"text"}
    assert own == core


def test_public_names_are_sorted_importable_and_complete() -> None:
    visible = {
        name
        for name, value in vars(untorn).items()
        if not name.startswith("_") and name != "annotations" and not isinstance(value, type(ast))
    }

    assert sorted(untorn.__all__) == untorn.__all__
    assert visible | {"__version__"} == set(untorn.__all__)


def test_every_public_name_is_in_the_reference() -> None:
    reference = (ROOT / "docs" / "reference.md").read_text("utf-8")

    for name in set(untorn.__all__) - {"__version__"}:
        assert re.search(rf":: untorn\.{name}(\(\))?$", reference, re.M), name


def test_the_version_is_the_changelogs() -> None:
    changelog = (ROOT / "docs" / "changelog.md").read_text("utf-8")
    first = re.search(r"^## \[?([^\]\s]+)", changelog, re.M)

    assert first is not None
    assert first[1] in (untorn.__version__, "Unreleased")


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.name)
def test_files_and_bodies_stay_short(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    bodies = {
        node.name: (node.end_lineno or 0) - _first_line(node) + 1
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    }

    assert len(path.read_text("utf-8").splitlines()) <= 300
    assert {name: lines for name, lines in bodies.items() if lines > 40} == {}
    assert ast.get_docstring(tree)


def test_test_files_stay_short_as_well() -> None:
    lengths = {path: path.read_text("utf-8").count("\n") for path in ROOT.glob("tests/**/*.py")}

    assert {path.name for path, lines in lengths.items() if lines > 300} == set()


def _first_line(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    documented = ast.get_docstring(node) is not None and len(node.body) > 1
    return node.body[documented].lineno
