"""The package under another name: an SDK that vendors a copy gets the same parser."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from support import aiter_door, check, each_byte, feed_door, iter_door, load, ready_at

import untorn

NAME = "some_sdk_vendored_events"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    home = tmp_path_factory.mktemp("vendored")
    shutil.copytree(Path(untorn.__file__).parent, home / NAME)
    sys.path.insert(0, str(home))
    try:
        yield importlib.import_module(NAME)
    finally:
        sys.path.remove(str(home))
        for name in [name for name in sys.modules if name.partition(".")[0] == NAME]:
            del sys.modules[name]


@pytest.mark.filterwarnings("ignore:the stream had bytes but no:RuntimeWarning")
def test_every_case_through_every_door_of_the_copy(copy: ModuleType) -> None:
    assert copy.SSEParser is not untorn.SSEParser
    assert copy.SSEParser.__module__ == f"{NAME}._parser"
    for case in load("spec", "bugreports_sse"):
        for door in (feed_door(copy), iter_door(copy), aiter_door(copy)):
            check(case, door, [(), each_byte(case.wire)])
        if case.ready_at is not None:
            assert ready_at(case, copy) == case.ready_at
