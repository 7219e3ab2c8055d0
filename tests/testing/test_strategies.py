"""The strategies give what they promise, and say what is missing where Hypothesis is not there."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import find, given
from hypothesis import strategies as st

from untorn import Event, SSEParser, encode_events
from untorn.testing.strategies import cuts, events, wires


@given(st.lists(events(), max_size=4))
def test_events_come_back_as_they_were(sent: list[Event]) -> None:
    got = SSEParser().feed(b"".join(encode_events(sent)))
    assert [(e.data, e.event, e.retry) for e in got] == [(e.data, e.event, e.retry) for e in sent]


@given(wires("well-formed"))
def test_a_well_formed_body_has_nothing_left_over(wire: bytes) -> None:
    parser = SSEParser()
    parser.feed(wire)
    end = parser.close()

    assert (end.tail, end.replacements, end.ignored_lines) == (None, 0, 0)


@given(wires("sloppy"))
def test_a_sloppy_body_is_text(wire: bytes) -> None:
    parser = SSEParser()
    parser.feed(wire)
    assert parser.close().replacements == 0


@pytest.mark.parametrize(
    "part", [b"\r\n", b"\r", "火".encode(), b"\xff", b"\xef\xbb\xbf", b"\0", b"retry: 999"]
)
def test_hostile_bodies_have_what_tears_a_reader(part: bytes) -> None:
    assert part in find(wires("hostile"), lambda wire: part in wire)


def test_another_kind_is_refused() -> None:
    with pytest.raises(ValueError, match='kind must be "well-formed", "sloppy" or "hostile"'):
        find(wires("odd"), lambda wire: True)  # type: ignore[arg-type]


@given(wires().flatmap(lambda wire: st.tuples(st.just(wire), cuts(wire))))
def test_reads_are_the_body(pair: tuple[bytes, list[bytes]]) -> None:
    wire, reads = pair
    assert b"".join(reads) == wire


def test_bodies_are_cut_byte_by_byte_as_well() -> None:
    wire = b"data: a\n\n"
    found: Any = find(cuts(wire), lambda reads: len([r for r in reads if r]) == len(wire))
    assert [read for read in found if read] == [wire[i : i + 1] for i in range(len(wire))]


@pytest.mark.parametrize("missing", ["hypothesis", "another"])
def test_without_hypothesis_the_error_says_what_to_install(missing: str) -> None:
    """In a process of its own, where importing Hypothesis fails."""
    code = (
        "import sys, types\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == 'hypothesis': raise ModuleNotFoundError('no', name={missing!r})\n"
        "sys.meta_path.insert(0, Finder())\n"
        "import untorn.testing\n"
        "try:\n"
        "    import untorn.testing.strategies\n"
        "except ModuleNotFoundError as error:\n"
        "    print(error.name, '|', error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    needs = 'untorn.testing.strategies needs Hypothesis: pip install "untorn[testing]"'
    expected = {"hypothesis": f"hypothesis | {needs}", "another": "another | no"}
    assert done.stdout.strip() == expected[missing]
