"""What the tests of the fold share: a fold of its own, and deltas added to it as a reader would."""

from __future__ import annotations

from typing import Any

from untorn.deltas import Delta
from untorn.deltas._fold import Fold
from untorn.deltas._register import EndRule, Options, Register


def new_fold(**options: Any) -> Fold:
    register = Register(Options(**options))
    register.rule = EndRule(shortened=frozenset({"length"}))
    return Fold(register)


def fold(*deltas: Any, into: Fold | None = None, close: bool = False) -> list[Delta]:
    state = into or new_fold()
    out: list[Delta] = []
    for delta in deltas:
        state.add(delta, out)
    if close:
        state.close(out)
    return out
