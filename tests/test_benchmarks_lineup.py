"""Who takes part in the race, and why others do not; no packages and no Node."""

from __future__ import annotations

import sys
from pathlib import Path

import lineup
import node_peer
import partials
import pytest
from contenders import FLOOR, OURS
from lineup import NODE, PEERS

import untorn

READS = (b"data: a\n\n", b"data: b\n\n")


def without_node(*given: object) -> list[str]:
    raise node_peer.NodeError("needs node")


def test_the_two_that_need_no_package() -> None:
    ours, floor = lineup.lineup([FLOOR]).contenders

    assert (ours.name, ours.version) == (OURS, untorn.__version__)
    assert ours.read(READS) == 2
    assert floor.read(READS) == 4


def test_each_is_there_or_left_out_and_it_is_said_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_peer, "installed", without_node)
    monkeypatch.setattr(lineup, "PEERS", [p for p in PEERS if p.since > (3, 10)])
    who = lineup.lineup(lineup.NAMES, (3, 10))

    assert [each.name for each in who.contenders] == [OURS, FLOOR]
    assert who.left_out == {
        "httpx2": "needs Python 3.11",
        "google-genai": "needs Python 3.11",
        "assel": "needs Python 3.11",
        "axio-sse": "needs Python 3.12",
        NODE: "needs node",
    }


def test_who_is_not_wanted_is_not_left_out() -> None:
    who = lineup.lineup([FLOOR], (3, 10))

    assert who.left_out == {}
    assert [each.name for each in who.contenders] == [OURS, FLOOR]


def test_node_takes_part_with_a_clock_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "import json; input(); print(json.dumps({'events': 2, 'seconds': 0.5}), flush=True)"
    twice = f"{code}; {code}; input()"
    monkeypatch.setattr(node_peer, "installed", lambda *given: [sys.executable, "-c", twice])
    _, node = lineup.lineup([NODE]).contenders

    assert (node.name, node.version) == (NODE, "4.1.3")
    assert node.timed is not None
    assert node.timed(READS) == (2, 0.5)
    owner: node_peer.NodeReader = node.read.__self__  # type: ignore[attr-defined]
    owner.close()


def test_what_is_installed_is_what_takes_part_on_that_python() -> None:
    old, new = lineup.pinned((3, 10)), lineup.pinned((3, 12))

    assert new["axio-sse"] == "0.12.2"
    assert new["httpx-sse"] == "0.4.3"
    assert set(new) - set(old) == {"axio-sse", "assel", "google-genai", "httpx2"}
    others = {"httpx", partials.JITER, *partials.INCREMENTAL}
    assert set(new) == {peer.package for peer in PEERS} | others


def test_names_are_unique_and_what_node_needs_stays_in_the_cache() -> None:
    assert len(set(lineup.NAMES)) == len(lineup.NAMES) == 25
    assert lineup.NODE_PACKAGES.relative_to(Path(lineup.ROOT)).parts[0] == ".cache"
