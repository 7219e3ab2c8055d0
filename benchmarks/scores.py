"""Own the scoring: the shared cases and the cut-invariance test, through one door.

It takes any door, a right one or a wrong one, and knows no package and no output.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from support import (
    LONG,
    SEED,
    Case,
    Cut,
    Door,
    Result,
    each_byte,
    pieces,
    two_way,
    wrong_facts,
)

from untorn.testing import assert_cut_invariant

# Each event behind the first has an ID of its own: a parser that keeps no ID passes this wire too,
# since it asks about cuts alone.
WIRE = (
    'data: {"part": "火山"}\r\n\r\n'
    ": пинг\r\n"
    "event: délta\r\nid: 1\r\ndata: Привет, мир\r\ndata: नमस्ते दुनिया\r\n\r\n"
    "id: 二\r\nevent: 完\r\ndata: مرحبا 🦊\r\n\r\n"
).encode()
EXPECTED = [
    ("message", '{"part": "火山"}', ""),
    ("délta", "Привет, мир\nनमस्ते दुनिया", "1"),
    ("完", "مرحبا 🦊", "二"),
]


@dataclass(frozen=True, slots=True)
class CaseScore:
    """How one case came out of a door."""

    name: str
    uncut: bool
    without_ids: bool  # uncut, where the IDs are not compared
    byte_by_byte: bool
    cuts: int
    wrong_cuts: int
    raised: str | None  # the first exception that came, whatever the cut

    @property
    def right(self) -> bool:
        """Tell whether it is right under every cut that was tried."""
        return self.uncut and self.byte_by_byte and not self.wrong_cuts

    @property
    def depends_on_cuts(self) -> bool:
        """Tell whether it is right under some cuts and wrong under others."""
        some = self.uncut or self.byte_by_byte or self.wrong_cuts < self.cuts
        return some and not self.right


@dataclass(frozen=True, slots=True)
class Score:
    """How all cases came out of a door, and what ``assert_cut_invariant`` said, if anything."""

    peer: str
    version: str
    cases: tuple[CaseScore, ...]
    message: tuple[str, ...]

    @property
    def failing(self) -> list[CaseScore]:
        return [case for case in self.cases if not case.right]

    @property
    def exceptions(self) -> Counter[str]:
        """Count the cases that raised, by the name of the exception."""
        return Counter(case.raised for case in self.cases if case.raised is not None)


def score(
    peer: str, version: str, door: Door, cases: Sequence[Case], say: Callable[[str], None]
) -> Score:
    """Run every case and the cut-invariance test through a door."""
    scores = []
    for number, case in enumerate(cases, 1):
        say(f"{peer}: case {number} of {len(cases)}")
        scores.append(score_case(case, door))
    return Score(peer, version, tuple(scores), cut_invariance(door))


def score_case(case: Case, door: Door) -> CaseScore:
    """Run a case uncut, byte by byte and under its cuts in two; each is judged by itself."""
    uncut = _attempt(door, [case.wire])
    single = _attempt(door, pieces(case.wire, each_byte(case.wire)))
    cuts = cuts_in_two(case.wire)
    tries = [_attempt(door, pieces(case.wire, cut)) for cut in cuts]
    every = [uncut, single, *tries]
    raised = [type(tried).__name__ for tried in every if isinstance(tried, Exception)]
    return CaseScore(
        name=case.name,
        uncut=_is_right(case, uncut),
        without_ids=isinstance(uncut, Result) and _bare(uncut.events) == _bare(case.events),
        byte_by_byte=_is_right(case, single),
        cuts=len(cuts),
        wrong_cuts=sum(not _is_right(case, tried) for tried in tries),
        raised=raised[0] if raised else None,
    )


def cuts_in_two(wire: bytes) -> list[Cut]:
    """Give the cuts in two of ``tests/support.py``, or a sample where they are very many.

    One case of blank lines only would take as long as all others together. A wire that is too short
    to cut counts as it comes out uncut.
    """
    cuts = two_way(wire) or [()]
    return random.Random(SEED).sample(cuts, LONG) if len(cuts) > LONG else cuts


def cut_invariance(door: Door) -> tuple[str, ...]:
    """Give the lines of what ``assert_cut_invariant`` says of a door; none if it holds."""
    try:
        assert_cut_invariant(
            lambda chunks: door(list(chunks)).events,
            WIRE,
            expected=EXPECTED,
            must_cut=("character", "CRLF", "line", "event"),
        )
    except AssertionError as error:
        return tuple(str(error).splitlines())
    except Exception as error:  # of the parser, which raises even uncut
        return (f"raises even uncut: {error!r}",)
    return ()


def _attempt(door: Door, reads: Sequence[bytes]) -> Result | Exception:
    try:
        return door(reads)
    except Exception as error:  # whatever a package raises is a finding, not a fault of the run
        return error


def _is_right(case: Case, tried: Result | Exception) -> bool:
    return isinstance(tried, Result) and not any(wrong_facts(case, tried))


def _bare(events: list[tuple[str, str, str]]) -> list[tuple[str, str]]:
    return [(event, data) for event, data, _ in events]
