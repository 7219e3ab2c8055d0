"""``untorn cuts``: the comparison, as a table and as JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from support import Case, load
from timing import is_linear, least_time

from untorn.cli._compare import READERS, Comparison, compare, document, fresh, kept, table
from untorn.testing.strategies import wires

WIRE = 'data: {"t": "火"}\r\n\r\ndata: a\r\n\r\n'.encode()


def compared(wire: bytes) -> Comparison:
    return compare(wire, lambda done, of: None)


def test_the_two_readers_agree_on_whole_reads() -> None:
    assert [event.data for event in kept([WIRE])] == ['{"t": "火"}', "a"]
    assert fresh([WIRE]) == kept([WIRE])
    assert fresh([WIRE[:14], WIRE[14:]])[0].data == '{"t": "\ufffd\ufffd\ufffd"}'


def test_cuts_inside_a_character_break_a_fresh_decoder() -> None:
    told: list[tuple[int, int]] = []
    comparison = compare(WIRE, lambda done, of: told.append((done, of)))

    assert comparison.failing == {"kept": [], "fresh": [14, 15]}
    assert comparison.each_byte == {"kept": True, "fresh": False}
    assert comparison.cuts["character"] == 2
    assert sum(comparison.cuts.values()) == len(WIRE) - 1
    assert told[-1] == (len(WIRE) - 1, len(WIRE) - 1)


def test_the_table() -> None:
    lines = list(table(compared(WIRE)))

    assert lines[0] == "cut inside    cuts          kept fails    fresh fails"
    assert "character     2             0             2" in lines
    assert lines[-2:] == [
        "byte by byte                no            yes",
        "fresh fails at byte 14, 15",
    ]


def test_many_failing_cuts_are_counted() -> None:
    [*_, last] = table(compared(("data: " + "火" * 20 + "\n\n").encode()))
    assert last.endswith(" and 20 more")


@pytest.mark.parametrize(
    ("wire", "why"),
    [
        (b"data: a\n\n", "no cut falls inside a character, so this body proves nothing"),
        (": é\n\n".encode(), "the 1 cut inside a character fall where no event shows it"),
    ],
)
def test_a_body_that_a_fresh_decoder_passes(wire: bytes, why: str) -> None:
    [*_, last] = table(compared(wire))
    assert last == f"a fresh decoder a read passes: {why}"


def test_the_comparison_as_json() -> None:
    assert json.loads(document(compared(WIRE)))["failing"] == {"kept": [], "fresh": [14, 15]}


def brute(wire: bytes) -> dict[str, list[int]]:
    """Cut the whole body everywhere, which costs its square."""
    whole = kept([wire])
    return {
        name: [
            place
            for place in range(1, len(wire))
            if reader([wire[:place], wire[place:]], "") != whole
        ]
        for name, reader in READERS.items()
    }


@pytest.mark.parametrize("case", load("spec", "bugreports_sse"), ids=lambda case: case.name)
def test_blocks_tell_what_the_whole_body_does(case: Case) -> None:
    if len(case.wire) <= 1_000:
        assert compared(case.wire).failing == brute(case.wire)


@settings(max_examples=max(40, settings().max_examples // 20))  # by brute force, which takes time
@given(wires())
def test_blocks_tell_what_the_whole_of_any_body_does(wire: bytes) -> None:
    assert compared(wire).failing == brute(wire)


def test_a_body_is_not_read_as_often_as_it_has_bytes() -> None:
    def cost(n: int) -> float:
        return least_time(lambda: compared(WIRE * n))

    assert is_linear(cost, 40)
