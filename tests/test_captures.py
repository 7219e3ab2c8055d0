"""Recorded bodies of real services, where the environment names the folder that has them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from support import each_byte, feed_door, many_way, pieces

FOLDER = os.environ.get("UNTORN_CAPTURES")


def captures() -> list[Any]:
    if FOLDER is None:
        reason = "UNTORN_CAPTURES names no folder of recorded bodies"
        return [pytest.param("", {}, marks=pytest.mark.skip(reason=reason), id="none")]
    expected = json.loads((Path(FOLDER) / "expected.json").read_text("utf-8"))
    return [pytest.param(name, facts["sse"], id=name) for name, facts in expected.items()]


@pytest.mark.parametrize(("name", "facts"), captures())
def test_a_recorded_body_gives_the_events_it_should(name: str, facts: dict[str, Any]) -> None:
    wire = (Path(FOLDER or "") / name).read_bytes()
    read = feed_door()
    whole = read([wire])
    end, comments = whole.end, whole.comments

    assert comments is not None
    assert (end.byte_count, len(whole.events)) == (facts["bytes"], facts["events"])
    assert (len(comments), end.replacements) == (facts["comments"], 0)
    assert (end.tail is not None) == facts["undispatched_tail"]
    for cut in [each_byte(wire), *many_way(wire)]:
        assert read(pieces(wire, cut)) == whole
