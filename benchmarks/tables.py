"""Own how scores are shown: as one table with notes below it, or as JSON. It measures nothing."""

from __future__ import annotations

import json
import platform
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scores import CaseScore, Score

NAMED = 5  # failing cases that are named unless all are asked for
LINES = 3  # of what assert_cut_invariant says
WIDTH = 100
TITLES = (
    "peer",
    "version",
    "uncut",
    "each byte",
    "cut in two",
    "uncut, no ids",
    "torn",
    "raises",
    "most often",
)
_TEXTS = ("peer", "version", "most often")  # columns that begin at the left


def as_text(scores: Sequence[Score], pinned_on: str, *, all_failing: bool = False) -> str:
    """Write a table with a row for each package, and notes on each below it."""
    cases = scores[0].cases
    cuts = sum(case.cuts for case in cases)
    head = (
        f"Cases that come out right, of {len(cases)}, under {cuts:,} cuts in two. "
        f"Python {platform.python_version()}, versions of {pinned_on}."
    )
    notes = [line for score in scores for line in ("", *_notes(score, all_failing))]
    return "\n".join([head, "", *_aligned([TITLES, *map(_row, scores)]), *notes])


def as_json(scores: Sequence[Score], pinned_on: str) -> str:
    """Write all that is known, with every failing case."""
    facts = {
        "pinned_on": pinned_on,
        "python": platform.python_version(),
        "cases": len(scores[0].cases),
        "cuts_in_two": sum(case.cuts for case in scores[0].cases),
        "peers": [_facts(score) for score in scores],
    }
    return json.dumps(facts, indent=2)


def _counts(score: Score) -> dict[str, int]:
    return {
        "uncut": sum(case.uncut for case in score.cases),
        "byte_by_byte": sum(case.byte_by_byte for case in score.cases),
        "cut_in_two": sum(not case.wrong_cuts for case in score.cases),
        "uncut_without_ids": sum(case.without_ids for case in score.cases),
    }


def _row(score: Score) -> tuple[str, ...]:
    exceptions = score.exceptions
    most = exceptions.most_common(1)[0][0] if exceptions else "-"
    torn = sum(case.depends_on_cuts for case in score.cases)
    numbers = [*_counts(score).values(), torn, exceptions.total()]
    return (score.peer, score.version, *map(str, numbers), most)


def _facts(score: Score) -> dict[str, Any]:
    return {
        "peer": score.peer,
        "version": score.version,
        "right": _counts(score),
        "raises": dict(score.exceptions.most_common()),
        "failing": [
            {
                "name": case.name,
                "uncut": case.uncut,
                "byte_by_byte": case.byte_by_byte,
                "cuts_in_two": case.cuts,
                "wrong_cuts_in_two": case.wrong_cuts,
                "torn": case.depends_on_cuts,
                "raised": case.raised,
            }
            for case in score.failing
        ],
        "cut_invariant": not score.message,
        "message": list(score.message),
    }


def _notes(score: Score, all_failing: bool) -> list[str]:
    said = [_short(line) for line in score.message[:LINES]] or ["passes"]
    return [
        f"{score.peer} {score.version}",
        *_failing(score.failing, all_failing),
        f"  assert_cut_invariant: {said[0]}",
        *(f"    {line}" for line in said[1:]),
    ]


def _failing(failing: Sequence[CaseScore], all_failing: bool) -> list[str]:
    if all_failing:
        return [f"  wrong: {case.name} ({_how(case)})" for case in failing]
    more = f" and {len(failing) - NAMED} more" if len(failing) > NAMED else ""
    return [f"  wrong: {', '.join(case.name for case in failing[:NAMED]) or 'none'}{more}"]


def _how(case: CaseScore) -> str:
    ways = {"uncut": not case.uncut, "byte by byte": not case.byte_by_byte}
    wrong = [way for way, is_wrong in ways.items() if is_wrong]
    wrong += [f"{case.wrong_cuts} of {case.cuts} cuts in two"] if case.wrong_cuts else []
    return ", ".join([*wrong, *([f"raises {case.raised}"] if case.raised else [])])


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if title in _TEXTS else cell.rjust(width)
            for cell, width, title in zip(row, widths, TITLES, strict=True)
        ).rstrip()
        for row in rows
    ]


def _short(line: str) -> str:
    return line if len(line) <= WIDTH else f"{line[: WIDTH - 1]}…"
