"""The sections of the comparison of speed, and that the page of results shows all that race."""

from __future__ import annotations

from math import inf
from pathlib import Path

import building
import messages
import partials
import pytest
import sections
import shapes
import speed_table
from contenders import OURS, Contender
from lineup import NAMES, PINNED_ON, Lineup
from race import SLOW
from sections import Section
from shapes import Shape

README = Path(__file__).parent.parent / "benchmarks" / "README.md"
WHO = Lineup((Contender(OURS, "1.2", len),), {"axio-sse": "needs Python 3.12"})


def no_parsers() -> Lineup:
    raise AssertionError("nobody wants them")


@pytest.mark.parametrize(
    ("name", "module", "slow"),
    [("messages", messages, inf), ("partial-json", partials, inf), ("events", building, SLOW)],
)
def test_a_section_is_of_its_module_and_asks_no_parsers(
    name: str, module: object, slow: float
) -> None:
    (section,) = sections.sections([name], no_parsers)

    assert (section.name, section.slow, section.left_out) == (name, slow, {})
    assert section.shapes == getattr(module, "NAMES")  # noqa: B009 (any of three modules)
    assert section.shape is getattr(module, "shape")  # noqa: B009
    assert section.lineup is getattr(module, "lineup")  # noqa: B009


def test_the_parsers_are_those_that_take_part() -> None:
    (section,) = sections.sections(["parsers", "costs"], lambda: WHO)

    assert (section.name, section.shapes, section.slow) == ("parsers", shapes.NAMES, SLOW)
    assert section.everybody() == WHO


def test_sections_come_in_their_order_whatever_is_asked_first() -> None:
    made = list(sections.sections(sections.NAMES[::-1], lambda: WHO))

    assert tuple(section.name for section in made) == sections.NAMES
    columns = [name for section in made for name in section.shapes]
    assert len(set(columns)) == len(columns)  # or else --shape would mean two


def test_everybody_takes_part_once() -> None:
    both = {"a": ("one", "two"), "b": ("two", "three")}
    section = Section(
        "made",
        "",
        ("a", "b"),
        lambda name: Shape(name, "", (), 0),
        lambda name: [Contender(each, name, len) for each in both[name]],
    )

    names = [(each.name, each.version) for each in section.everybody().contenders]
    assert names == [("one", "a"), ("two", "b"), ("three", "b")]


def test_the_readme_shows_everybody_and_every_shape() -> None:
    page = README.read_text("utf-8")

    assert f"Time, as a multiple of untorn's. Python 3.11.7, versions of {PINNED_ON}." in page
    for name in NAMES:
        assert f"\n{name} " in page or f"left out: {name}, " in page, name
        assert f"| {name} |" in page, name
    heads = list(speed_table._heads(shapes.NAMES))
    for head in heads:
        assert any(line.split() == " ".join(head).split() for line in page.splitlines())
