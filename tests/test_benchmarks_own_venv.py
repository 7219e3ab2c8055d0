"""The environment that the benchmarks make: made once, kept while it fits; no network."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import own_venv
import pytest


def test_an_environment_fits_with_the_same_versions_only(tmp_path: Path) -> None:
    here = Path(sys.executable)

    assert own_venv.fits(here, {"pytest": pytest.__version__})
    assert not own_venv.fits(here, {"pytest": pytest.__version__, "no-such-package": "1"})
    assert not own_venv.fits(tmp_path / "python", {})


def test_an_environment_is_made_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    commands: list[list[str]] = []
    said: list[str] = []
    variables: list[object] = []

    def run(command: list[str], given: object = None) -> None:
        commands.append(command)
        variables.append(given)

    monkeypatch.setattr(own_venv, "_run", run)
    wanted = {"a": "1", "b": "2"}
    made = own_venv.ready(tmp_path, wanted, said.append, ["--pre"], {"SET": "1"})
    monkeypatch.setattr(own_venv, "fits", lambda *given: True)

    assert own_venv.ready(tmp_path, {"a": "1"}, said.append) == made
    assert [command[2] for command in commands] == ["venv", "pip"]
    assert [commands[1][0], *commands[1][-3:]] == [str(made), "--pre", "a==1", "b==2"]
    assert variables == [None, {"SET": "1"}]
    assert said == ["making an environment", "installing 2 packages"]


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("sys.exit('WARNING: slow\\nERROR: none found\\n[notice] new')", "ERROR: none found"),
        ("sys.exit('first\\nlast\\n')", "last"),
        ("sys.exit(3)", "no reason given"),
    ],
)
def test_the_reason_is_the_last_error(code: str, reason: str) -> None:
    with pytest.raises(own_venv.InstallError) as caught:
        own_venv._run([sys.executable, "-c", f"import sys; {code}"])

    assert str(caught.value) == reason


def test_a_script_is_run_with_the_source_on_its_path(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}

    def run(command: list[str], env: dict[str, str], check: bool) -> SimpleNamespace:
        given.update(command=command, env=env)
        return SimpleNamespace(returncode=7)

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    code = own_venv.run_inside(Path("python"), Path("script.py"), ["--json"], {"SET": "1"})

    assert code == 7
    assert given["command"][0] == "python"
    assert given["command"][2:] == ["--json", "--inside"]
    assert given["env"]["SET"] == "1"
    assert "elsewhere" not in given["env"]["PYTHONPATH"]
