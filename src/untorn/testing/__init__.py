"""untorn.testing finds out where a reader of event streams breaks: this one, yours, or anybody's.

``assert_cut_invariant`` cuts a body everywhere and compares; ``every_cut``, ``each_byte`` and
``random_cuts`` are the cuts, for tests of your own; ``boundaries`` tells what each falls inside.
"""

from __future__ import annotations

from ._boundaries import Boundary, boundaries
from ._cuts import each_byte, every_cut, random_cuts
from ._invariant import assert_cut_invariant

__all__ = [
    "Boundary",
    "assert_cut_invariant",
    "boundaries",
    "each_byte",
    "every_cut",
    "random_cuts",
]
