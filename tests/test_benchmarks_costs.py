"""The ways of making events that race, and what is measured once: imports and memory."""

from __future__ import annotations

from typing import Any

import building
import contenders
import costs
import pytest
from costs import Cost

import untorn
from untorn import Event, _event

TEXTS = ("one", "two", "three")
MADE = [Event(text, "message", "", None) for text in TEXTS]


def test_each_way_makes_an_event_for_each_text() -> None:
    made = building.shape("event")

    assert (len(made.reads), made.events) == (building.COUNT, building.COUNT)
    assert made.reads[:2] == ("0", "1")
    ways = {each.name: each.read(TEXTS) for each in building.lineup("event")}
    assert ways == {"untorn": 3, building.PLAIN: 3, building.CONSTRUCTOR: 3}


def recorded(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> list[Any]:
    """Keep what a class makes."""
    made: list[Any] = []
    cls = getattr(module, name)

    def make(*given: object) -> Any:
        made.append(cls(*given))
        return made[-1]

    monkeypatch.setattr(module, name, make)
    return made


def test_a_draft_that_is_filled_is_an_event(monkeypatch: pytest.MonkeyPatch) -> None:
    made = recorded(monkeypatch, _event, "EventDraft")

    assert building._drafts()(TEXTS) == 3
    assert made == MADE
    assert {type(each) for each in made} == {Event}


def test_the_constructor_makes_the_same_events(monkeypatch: pytest.MonkeyPatch) -> None:
    made = recorded(monkeypatch, untorn, "Event")

    assert building._constructor()(TEXTS) == 3
    assert made == MADE


def test_the_plain_class_holds_the_same_four_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    made = recorded(monkeypatch, building, "Plain")

    assert building._plain(TEXTS) == 3
    assert [Event(each.data, each.event, each.id, each.retry) for each in made] == MADE
    assert {type(each) for each in made} == {contenders.Plain}


def test_imports_are_medians_of_ratios_within_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    # In milliseconds, a round each: those of the three medians would be 1.125, 1.0 and 2.0.
    rounds = {
        "untorn": (3, 9, 30),
        "dataclasses": (2, 8, 15),
        "untorn.deltas": (8, 13, 50),
        "json": (4, 40, 4),
    }
    asked: list[str] = []

    def imported(module: str) -> float:
        asked.append(module)
        return rounds[module][(len(asked) - 1) // 4] / 1_000

    monkeypatch.setattr(costs, "RUNS", 3)
    monkeypatch.setattr(costs, "_imported", imported)
    ours, deltas, base = costs.imports()

    assert asked == [*rounds] * 3
    assert (ours.name, ours.unit, ours.most) == ("import untorn", "of import dataclasses", 1.5)
    assert (deltas.unit, deltas.most) == ("of import json", None)
    assert (base.name, base.unit) == ("import dataclasses", "of import json")
    assert [each.value for each in (ours, deltas, base)] == pytest.approx([1.5, 1.25, 0.5])


def test_an_import_is_timed_in_a_process_of_its_own() -> None:
    # Its own clock is in there; what it says is a time, and no more than that is asked.
    assert 0.0 < costs._imported("json") < 60.0


def test_the_peak_of_a_stream_is_far_less_than_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "STREAMED", 1_000_000)
    peak = costs.streamed()

    assert (peak.unit, peak.most) == ("MB", 1.0)
    assert 0.01 < peak.value < 0.5


def test_an_idle_parser_and_an_idle_stream_are_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "OPEN", 200)
    parser, stream = costs.idle()

    assert [(each.unit, each.most) for each in (parser, stream)] == [("kB", 1.5), ("kB", 2.0)]
    assert 0.1 < parser.value < stream.value < 5.0


def test_the_size_of_one_is_of_what_it_keeps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "OPEN", 100)

    assert costs._size_of(lambda: bytearray(10_000)) == pytest.approx(10_000, rel=0.05)
    assert costs._size_of(lambda: None) < 100


def test_all_costs_are_measured_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two, three = (Cost(name, 1.0, "") for name in ("import", "stream", "idle"))
    monkeypatch.setattr(costs, "imports", lambda: iter([one]))
    monkeypatch.setattr(costs, "streamed", lambda: two)
    monkeypatch.setattr(costs, "idle", lambda: iter([three]))

    assert list(costs.costs()) == [one, two, three]
