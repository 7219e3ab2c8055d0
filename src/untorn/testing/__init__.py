"""untorn.testing finds out where a reader of event streams breaks: this one, yours, or anybody's.

``assert_cut_invariant`` cuts a body everywhere and compares; ``every_cut``, ``each_byte`` and
``random_cuts`` are the cuts, for tests of your own; ``boundaries`` tells what each falls inside.
``HostileServer`` sends a ``Stream`` over HTTP to your client as badly as servers do.
"""

from __future__ import annotations

from ._boundaries import Boundary, boundaries
from ._cuts import each_byte, every_cut, random_cuts
from ._invariant import assert_cut_invariant
from ._server import HostileServer, Request
from ._streams import HTML_ERROR, JSON_ERROR, Stream

__all__ = [
    "HTML_ERROR",
    "JSON_ERROR",
    "Boundary",
    "HostileServer",
    "Request",
    "Stream",
    "assert_cut_invariant",
    "boundaries",
    "each_byte",
    "every_cut",
    "random_cuts",
]
