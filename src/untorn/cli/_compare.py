"""Own ``untorn cuts``: a body cut everywhere, read by a decoder that is kept and by one a read."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import NamedTuple

from .. import Event, SSEParser
from ..testing import boundaries, each_byte
from ..testing._boundaries import lines_of
from ._show import counted

_LISTED = 20  # cuts


def kept(chunks: Iterable[bytes], last_event_id: str = "") -> list[Event]:
    """Read with one decoder for the whole stream."""
    parser = SSEParser(last_event_id=last_event_id)
    return [event for chunk in chunks for event in parser.feed(chunk)]


def fresh(chunks: Iterable[bytes], last_event_id: str = "") -> list[Event]:
    """Read with a fresh decoder for each read, as much code does: ``chunk.decode()``."""
    decoded = (chunk.decode("utf-8", "replace").encode() for chunk in chunks)
    return kept(decoded, last_event_id)


class _Block(NamedTuple):
    """A block of the body, and what a parser carries into it."""

    start: int
    end: int
    last_event_id: str


READERS: dict[str, Callable[[Iterable[bytes], str], list[Event]]] = {"kept": kept, "fresh": fresh}


@dataclass(frozen=True, slots=True)
class Comparison:
    """Hold what the two readers made of a body under all cuts.

    Args:
        cuts: How many cuts fall inside each thing.
        failing: For each reader, the cuts under which it gives other events than uncut.
        each_byte: For each reader, whether it gives the same events byte by byte.
        inside: What each cut falls inside, by its offset.
    """

    cuts: dict[str, int]
    failing: dict[str, list[int]]
    each_byte: dict[str, bool]
    inside: list[str]


def compare(wire: bytes, progress: Callable[[int, int], None]) -> Comparison:
    """Cut a body at each of its bytes, and read it with both.

    Args:
        wire: The body.
        progress: Told of each cut that is done, and of how many there are.
    """
    inside = [boundary.value for boundary in boundaries(wire)]
    failing: dict[str, list[int]] = {name: [] for name in READERS}
    blocks = _blocks(wire)
    ends = [block.end for block in blocks[1:]]
    for block, next_end in zip_longest(blocks, ends, fillvalue=len(wire)):
        assert isinstance(block, _Block)
        for place in range(block.start + 1, min(block.end + 1, len(wire))):
            end = next_end if place == block.end else block.end
            for name in _wrong(wire, block, place, end):
                failing[name].append(place)
            progress(place, len(wire) - 1)
    whole = kept([wire])
    alone = {name: reader(each_byte(wire), "") == whole for name, reader in READERS.items()}
    return Comparison(dict(Counter(inside[1:-1])), failing, alone, inside)


def _wrong(wire: bytes, block: _Block, place: int, end: int) -> Iterator[str]:
    """Name the readers that a cut makes give other events.

    It can change no events but those of the block that it is in, or of the two that it is between,
    so that no more than these need be read: else a body would be read as often as it has bytes.
    """
    # Behind a blank line: a byte order mark is one at the very start only.
    before = [b"\n"] if block.start else []
    window = [*before, wire[block.start : end]]
    cut = [*before, wire[block.start : place], wire[place:end]]
    right = kept(window, block.last_event_id)
    for name, reader in READERS.items():
        if reader(cut, block.last_event_id) != right:
            yield name


def _blocks(wire: bytes) -> list[_Block]:
    starts = sorted({line.block for line in lines_of(wire)} - {len(wire)})
    parser = SSEParser()
    blocks = []
    for start, end in pairwise([*starts, len(wire)]):
        blocks.append(_Block(start, end, parser.last_event_id))
        parser.feed(wire[start:end])
    return blocks


def table(comparison: Comparison) -> Iterator[str]:
    """Show a comparison as a table, and the cuts that fail."""
    head = ("cut inside", "cuts", "kept fails", "fresh fails")
    rows: list[tuple[str, ...]] = [head]
    for kind, count in comparison.cuts.items():
        fails = [
            sum(comparison.inside[place] == kind for place in places)
            for places in comparison.failing.values()
        ]
        rows.append((kind, f"{count:,}", *(f"{each:,}" for each in fails)))
    rows.append(
        ("byte by byte", "", *("no" if ok else "yes" for ok in comparison.each_byte.values()))
    )
    for row in rows:
        yield "".join(f"{cell:<14}" for cell in row).rstrip()
    for name, places in comparison.failing.items():
        if places:
            more = f" and {len(places) - _LISTED:,} more" if len(places) > _LISTED else ""
            yield f"{name} fails at byte {', '.join(map(str, places[:_LISTED]))}{more}"
    if not comparison.failing["fresh"]:
        yield f"a fresh decoder a read passes: {_why(comparison)}"


def document(comparison: Comparison) -> str:
    """Write the same as JSON."""
    return json.dumps(
        {
            "cuts": comparison.cuts,
            "failing": comparison.failing,
            "each_byte": comparison.each_byte,
        }
    )


def _why(comparison: Comparison) -> str:
    characters = comparison.cuts.get("character", 0)
    if not characters:
        return "no cut falls inside a character, so this body proves nothing"
    return f"the {counted(characters, 'cut')} inside a character fall where no event shows it"
