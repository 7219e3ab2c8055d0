"""Own what the comparison is made of: a section for each kind of race, one table each.

What a section's shapes and contenders are is said in its own module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf

import building
import messages
import partials
import shapes
from contenders import Contender
from lineup import Lineup
from race import SLOW
from shapes import Shape


@dataclass(frozen=True, slots=True)
class Section:
    """One kind of race.

    Args:
        name: What it is called on the command line.
        title: What stands above its table.
        shapes: The names of what is read.
        shape: Makes one of them.
        lineup: Gives who reads a shape of a name.
        left_out: Why others do not.
        slow: Who takes more than so many times as long as untorn is timed in its check alone.
    """

    name: str
    title: str
    shapes: tuple[str, ...]
    shape: Callable[[str], Shape]
    lineup: Callable[[str], Sequence[Contender]]
    left_out: dict[str, str] = field(default_factory=dict)
    slow: float = SLOW

    def everybody(self) -> Lineup:
        """Give all that take part, each once."""
        by_name = {each.name: each for name in self.shapes for each in self.lineup(name)}
        return Lineup(tuple(by_name.values()), self.left_out)


NAMES = ("parsers", "messages", "partial-json", "events")
SHAPES = (*shapes.NAMES, *messages.NAMES, *partials.NAMES, *building.NAMES)


def sections(names: Sequence[str], parsers: Callable[[], Lineup]) -> Iterator[Section]:
    """Make sections.

    Args:
        names: Which.
        parsers: Gives the parsers that take part; asked only where they are wanted.
    """
    if "parsers" in names:
        who = parsers()
        yield Section(
            "parsers",
            "Parsers: from reads to events",
            shapes.NAMES,
            shapes.shape,
            lambda name: who.contenders,
            who.left_out,
        )
    if "messages" in names:
        yield Section(
            "messages",
            "Messages: from events to deltas and a message",
            messages.NAMES,
            messages.shape,
            messages.lineup,
            slow=inf,
        )
    if "partial-json" in names:
        yield Section(
            "partial-json",
            "Partial JSON: the value after each 4 characters",
            partials.NAMES,
            partials.shape,
            partials.lineup,
            slow=inf,
        )
    if "events" in names:
        yield Section(
            "events",
            "Events: making one, in the parser's loop and otherwise",
            building.NAMES,
            building.shape,
            building.lineup,
        )
