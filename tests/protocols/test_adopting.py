"""A copy of the package's own files, without its folders, is a parser under another name."""

from __future__ import annotations

import importlib
import shutil
import sys
from pathlib import Path

import pytest
from support import load, triples

import untorn

NAME = "some_sdk_events"
FOLDERS = shutil.ignore_patterns("cli", "deltas", "recording", "testing", "__pycache__")


def test_the_folders_may_stay_behind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shutil.copytree(Path(untorn.__file__).parent, tmp_path / NAME, ignore=FOLDERS)
    monkeypatch.syspath_prepend(tmp_path)
    try:
        copy = importlib.import_module(NAME)
        for name in copy.__all__:
            assert getattr(copy, name) is not None
        for case in load("spec"):
            assert triples(copy.SSEParser().feed(case.wire)) == case.events
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] == NAME]:
            del sys.modules[name]

    assert not any(path.is_dir() for path in (tmp_path / NAME).glob("[a-z]*"))
