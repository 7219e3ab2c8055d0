"""Own an inspection as the lines that the command prints, for tests."""

from __future__ import annotations

from collections.abc import Iterable

from untorn.cli._facts import Ending, Fact
from untorn.cli._inspect import lines
from untorn.cli._naive import Reads
from untorn.cli._trace import trace
from untorn.recording import Recording


def report(*reads: bytes, limit: int | None = None) -> list[str]:
    """Inspect a body."""
    return [line for fact in trace(reads, limit) for line in lines(fact)]


def report_on(recording: Recording) -> list[str]:
    """Inspect a recording."""
    reads = Reads(recording)
    facts = trace(recording.chunks(), None, reads.seen)
    return [line for fact in facts for line in lines(fact, reads)]


def ending(facts: Iterable[Fact]) -> Ending:
    """Give how a stream ended, which is the last that is found."""
    *_, last = facts
    assert isinstance(last, Ending)
    return last
