"""Every shared case, under every cut, through every door."""

from __future__ import annotations

import pytest
from support import (
    Case,
    aiter_door,
    all_cuts,
    check,
    feed_door,
    few_cuts,
    iter_door,
    load,
    ready_at,
)

CASES = load("spec", "bugreports_sse")
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


@each_case
def test_feed_under_every_cut(case: Case) -> None:
    check(case, feed_door(), all_cuts(case))


@pytest.mark.filterwarnings("ignore:the stream had bytes but no:RuntimeWarning")
@each_case
def test_every_other_door(case: Case) -> None:
    doors = [feed_door(as_chunk=bytearray), feed_door(as_chunk=memoryview)]
    for door in [*doors, iter_door(), aiter_door()]:
        check(case, door, few_cuts(case))


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.ready_at is not None], ids=lambda case: case.name
)
def test_rule_2_an_event_is_out_with_the_byte_that_completes_it(case: Case) -> None:
    assert ready_at(case) == case.ready_at, case.why


def test_the_files_hold_what_they_should() -> None:
    assert len(load("spec")) >= 490
    assert len(load("bugreports_sse")) >= 69
    assert len({case.name for case in CASES}) == len(CASES)
    assert sum(case.ready_at is not None for case in CASES) >= 53
