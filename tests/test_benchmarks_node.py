"""The contender that runs on Node: its process and its installing, with neither Node nor npm."""

from __future__ import annotations

import json
import shutil
import struct
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import node_peer
import pytest
from node_peer import NodeError, NodeReader

# Answers as node_reader.mjs does; each read is an event, and the seconds tell how often it ran.
FAKE = """
import json, struct, sys
from pathlib import Path
wire = Path(sys.argv[1]).read_bytes()
at = events = 0
while at < len(wire):
    at += 4 + struct.unpack_from("<I", wire, at)[0]
    events += 1
for run, _ in enumerate(sys.stdin):
    print(json.dumps({"events": events, "seconds": run / 4}), flush=True)
"""


def fake(tmp_path: Path, code: str) -> NodeReader:
    script = tmp_path / "fake.py"
    script.write_text(code)
    return NodeReader([sys.executable, str(script)])


def test_a_process_is_kept_for_each_body_and_gives_its_own_seconds(tmp_path: Path) -> None:
    reader = fake(tmp_path, FAKE)
    one, two = (b"a", b""), (b"abc",)

    assert reader.timed(one) == (2, 0.25)  # the first run told that it was ready
    assert reader.timed(two) == (1, 0.25)
    assert reader.timed(one) == (2, 0.5)
    assert reader.timed(two) == (1, 0.5)
    assert reader.read(two) == 1
    reader.close()
    reader.close()
    assert reader.timed(two) == (1, 0.25)
    reader.close()


def test_a_process_runs_a_few_times_since_it_is_one_sample_of_what_a_compiler_does(
    tmp_path: Path,
) -> None:
    reader = fake(tmp_path, FAKE)
    body = (b"a",)

    seconds = [reader.timed(body)[1] for _ in range(7)]
    reader.close()
    assert seconds == [0.25, 0.5, 0.75, 1.0, 1.25, 0.25, 0.5]


@pytest.mark.parametrize(
    "code",
    ["raise SystemExit(1)", "input(); print('no JSON')", "input(); print('{}')"],
)
def test_a_process_that_fails_is_an_error(tmp_path: Path, code: str) -> None:
    with pytest.raises(NodeError, match="its process failed"):
        fake(tmp_path, code).timed((b"a",))


def test_reads_are_written_behind_their_lengths() -> None:
    assert node_peer.written([b"ab", b""]) == struct.pack("<I", 2) + b"ab" + struct.pack("<I", 0)


def test_without_node_or_npm_it_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "npm" else name)

    with pytest.raises(NodeError, match="needs node and npm, which are not here"):
        node_peer.installed(tmp_path, "a", "1", print)


def test_a_package_is_installed_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    home = tmp_path / "node_modules" / "a"
    commands: list[list[str]] = []

    def run(command: list[str], **options: object) -> SimpleNamespace:
        commands.append(command)
        home.mkdir(parents=True)
        (home / "package.json").write_text(json.dumps({"version": "1"}))
        return SimpleNamespace(returncode=0)

    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(subprocess, "run", run)
    said: list[str] = []
    first = node_peer.installed(tmp_path, "a", "1", said.append)
    second = node_peer.installed(tmp_path, "a", "1", said.append)

    assert first == second
    assert first[0] == "node"
    assert first[-2:] == [str(node_peer.SCRIPT), str(home / "dist" / "index.js")]
    assert len(commands) == 1
    assert commands[0][:4] == ["npm", "install", "--prefix", str(tmp_path)]
    assert commands[0][-1] == "a@1"
    assert said == ["installing a"]


def test_what_npm_cannot_install_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(subprocess, "run", lambda *given, **o: SimpleNamespace(returncode=1))

    with pytest.raises(NodeError, match="npm could not install a@1"):
        node_peer.installed(tmp_path, "a", "1", lambda text: None)


def test_the_script_is_there() -> None:
    assert "createParser" in node_peer.SCRIPT.read_text("utf-8")
