"""untorn.deltas reads what LLM formats put into events: the third boundary, the token.

``PartialJSON`` reads a JSON text that comes in pieces, such as the arguments of a tool call, and
shows the best value so far.
"""

from __future__ import annotations

from ._growing import NOTHING, Nothing
from ._partial import PartialJSON, PartialJSONError

__all__ = ["NOTHING", "Nothing", "PartialJSON", "PartialJSONError"]
