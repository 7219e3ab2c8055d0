"""Own ``untorn inspect`` as lines of plain text: what a stream holds, how it ended, what broke."""

from __future__ import annotations

from collections.abc import Iterator

from .. import StreamEnd
from ..testing import Boundary
from ..testing._boundaries import article
from ._bad_bytes import Run
from ._facts import CommentSeen, Ending, EventSeen, Fact, Loss, ReadSeen
from ._naive import Reads
from ._show import counted, escaped, quoted

DATA_SHOWN = 60  # characters
_WHOLE = "the stream is whole, and a naive reader loses text of it all the same"


def lines(fact: Fact, reads: Reads | None = None) -> Iterator[str]:
    """Say a fact in lines.

    Args:
        fact: What was found.
        reads: Those of the recording, if it is one: they are summed up at the end.
    """
    if isinstance(fact, EventSeen):
        yield _event(fact)
    elif isinstance(fact, CommentSeen):
        yield f"comment   {_range(fact.start, fact.end)}  {_shown(fact.text)}"
    elif isinstance(fact, Run):
        yield _bad(fact)
    elif isinstance(fact, ReadSeen):
        yield _read(fact)
    else:
        yield from _ending(fact)
        losses = [] if reads is None else [*reads.losses()]
        if reads is not None:
            yield _summary(reads)
            yield from map(_loss, losses)
        reason = fact.broken.reason or (_WHOLE if losses else "")
        yield f"layer     {fact.broken.layer}{reason and ': '}{escaped(reason)}"


def _event(seen: EventSeen) -> str:
    event = seen.event
    return (
        f"event {seen.number:<3} {_range(seen.start, seen.end)}  "
        f"type {quoted(event.event)}  id {quoted(event.id)}  "
        f"data {counted(len(event.data.encode()), 'byte')}  {_shown(event.data)}"
    )


def _read(read: ReadSeen) -> str:
    inside = "between events"
    if read.inside is not Boundary.NONE:
        inside = f"inside {article(read.inside.value)}"
    ends = "the last" if read.last else f"ends {inside}"
    return f"read {read.number:<4} {_range(read.start, read.end)}  {read.time:.6f} s  {ends}"


def _ending(ending: Ending) -> Iterator[str]:
    end = ending.end
    kinds = ", ".join(f"{kind} {count:,}" for kind, count in ending.line_ends.items())
    if ending.marked:
        yield "mark      a byte order mark, dropped"
    if ending.too_large is None:
        yield f"end       {ending.where}"
    else:
        start, limit = ending.too_large
        yield (
            f"fault     the event that begins at byte {start} is larger than {limit:,} bytes; "
            "raise --max-event-size"
        )
    yield f"bytes     {end.byte_count:,}"
    yield f"events    {end.event_count:,}"
    yield f"comments  {ending.comments:,}"
    yield f"lines     {end.line_count:,} ({kinds})"
    yield f"replaced  {counted(end.replacements, 'ill-formed sequence')}"
    yield f"ignored   {counted(end.ignored_lines, 'line')}{_sample(end.ignored_text)}"
    yield f"last id   {quoted(end.last_event_id)}"
    yield f"retry     {'none' if end.retry is None else f'{end.retry:,} ms'}"
    yield from _tail(end)
    yield from _cut(*ending.cut)


def _tail(end: StreamEnd) -> Iterator[str]:
    if end.tail is None:
        return
    if end.tail.event is not None:
        size = counted(len(end.tail.event.data.encode()), "byte")
        yield f"tail      event not dispatched, data {size}  {_shown(end.tail.event.data)}"
    if end.tail.line:
        yield f"tail      unfinished line  {quoted(end.tail.line)}"


def _cut(offset: int, cut: bytes) -> Iterator[str]:
    if cut:
        yield f"tail      cut character  {_range(offset, offset + len(cut))}  {cut.hex(' ')}"


def _summary(reads: Reads) -> str:
    counts = reads.counts()
    between = counts.pop(Boundary.NONE.value)
    inside = ", ".join(f"{count:,} inside {article(kind)}" for kind, count in counts.items())
    return f"reads     {len(reads.seen):,}, which ended: {inside}, {between:,} between events"


def _loss(loss: Loss) -> str:
    given = f", and gives {quoted(loss.given)}" if loss.given else ""
    return (
        f"lost      at byte {loss.place:,}, the end of read {loss.read:,}, "
        f"{loss.habit} loses {quoted(loss.text)}{given}"
    )


def _range(start: int, end: int) -> str:
    return f"bytes[{start}:{end}]"


def _shown(text: str) -> str:
    return escaped(text if len(text) <= DATA_SHOWN else text[:DATA_SHOWN] + "…")


def _bad(run: Run) -> str:
    size = run.end - run.start
    more = f" … {size:,} bytes" if size > len(run.first) else ""
    return f"bad       {_range(run.start, run.end)}  {run.first.hex(' ')}{more}"


def _sample(text: str) -> str:
    return f"  {quoted(text, 200)}" if text else ""
