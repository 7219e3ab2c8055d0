"""Own ``untorn inspect --json``: all that was found in one document, to be attached to a ticket.

It has the settings of the parser and the events in order, so that whoever gets it, and the body,
can hold a parser of their own against it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from .. import __version__
from ..testing import Boundary
from ._bad_bytes import Run
from ._facts import CommentSeen, Ending, EventSeen, Fact, ReadSeen
from ._naive import Reads


def ticket(facts: Iterable[Fact], max_event_size: int | None, reads: Reads | None) -> str:
    """Write what was found as JSON, in ASCII.

    Args:
        facts: All facts of a stream, in order.
        max_event_size: The parser's limit, in bytes.
        reads: Those of the recording, if it is one.
    """
    found: dict[type[Fact], list[dict[str, Any]]] = {
        kind: [] for kind in (EventSeen, CommentSeen, Run, Ending)
    }
    for fact in facts:
        if not isinstance(fact, ReadSeen):
            found[type(fact)].append(_fields(fact))
    [ending] = found[Ending]
    document = {
        "untorn": __version__,
        "settings": {"errors": "replace", "max_event_size": max_event_size, "last_event_id": ""},
        "layer": ending.pop("layer"),
        "reason": ending.pop("reason"),
        "events": found[EventSeen],
        "comments": found[CommentSeen],
        "bad_bytes": found[Run],
        "end": ending,
        "reads": None if reads is None else _reads(reads),
    }
    return json.dumps(document, indent=2)


def _fields(fact: EventSeen | CommentSeen | Run | Ending) -> dict[str, Any]:
    if isinstance(fact, EventSeen):
        return {"start": fact.start, "end": fact.end, **asdict(fact.event)}
    if isinstance(fact, CommentSeen):
        return {"start": fact.start, "end": fact.end, "text": fact.text}
    if isinstance(fact, Run):
        return {"start": fact.start, "end": fact.end, "first": fact.first.hex(" ")}
    return _ending(fact)


def _ending(ending: Ending) -> dict[str, Any]:
    end = asdict(ending.end)
    tail, (place, cut) = end.pop("tail"), ending.cut
    if tail is not None:
        tail["undecoded"] = tail["undecoded"].hex(" ")
    return {
        "where": ending.where if ending.too_large is None else "event too large",
        **end,
        "line_ends": ending.line_ends,
        "comments": ending.comments,
        "byte_order_mark": ending.marked,
        "tail": tail,
        "cut_character": {"start": place, "end": place + len(cut)} if cut else None,
        "event_too_large_at": None if ending.too_large is None else ending.too_large[0],
        "layer": ending.broken.layer,
        "reason": ending.broken.reason,
    }


def _reads(reads: Reads) -> dict[str, Any]:
    return {
        "ended_inside": {
            kind: count for kind, count in reads.counts().items() if kind != Boundary.NONE.value
        },
        "lost": [asdict(loss) for loss in reads.losses()],
        "all": [
            {
                "start": read.start,
                "end": read.end,
                "time": read.time,
                "inside": None if read.last else read.inside.value,
            }
            for read in reads.seen
        ],
    }
