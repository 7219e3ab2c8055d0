"""Own ``untorn cuts``: a body cut everywhere, read by a decoder that is kept and by one a read."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from .. import Event, SSEParser
from ..testing import boundaries, each_byte, every_cut
from ._show import counted

Reader = Callable[[Iterable[bytes]], list[Event]]
_LISTED = 20  # cuts


def kept(chunks: Iterable[bytes]) -> list[Event]:
    """Read with one decoder for the whole stream."""
    parser = SSEParser()
    return [event for chunk in chunks for event in parser.feed(chunk)]


def fresh(chunks: Iterable[bytes]) -> list[Event]:
    """Read with a fresh decoder for each read, as much code does: ``chunk.decode()``."""
    return kept(chunk.decode("utf-8", "replace").encode() for chunk in chunks)


@dataclass(frozen=True)
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
    readers: dict[str, Reader] = {"kept": kept, "fresh": fresh}
    whole = kept([wire])
    failing: dict[str, list[int]] = {name: [] for name in readers}
    for place, chunks in enumerate(every_cut(wire), 1):
        for name, reader in readers.items():
            if reader(chunks) != whole:
                failing[name].append(place)
        progress(place, len(wire) - 1)
    alone = {name: reader(each_byte(wire)) == whole for name, reader in readers.items()}
    return Comparison(dict(Counter(inside[1:-1])), failing, alone, inside)


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
