"""The comparison of speed: its options, its tables and its exit codes; no network, no packages."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import bars
import compare
import own_venv
import pytest
import shapes
import speed_table
from contenders import FLOOR, OURS, Contender
from costs import Cost
from lineup import NAMES, NODE, PEERS, PINNED_ON, Lineup
from race import Lap, Results
from sections import NAMES as SECTIONS
from sections import Section
from shapes import Shape

FASTEST = bars.FASTEST
RESULTS: Results = {
    "chat-16k": [
        Lap(OURS, (1.0, 2.0)),
        Lap(FLOOR, (2.0, 4.0)),
        Lap("httpx-sse", (30.0,), once=True),
        Lap(FASTEST, (1.0, 2.0)),
    ],
    "many-lines": [
        Lap(OURS, (1.0,)),
        Lap(FLOOR, (0.5,)),
        Lap("httpx-sse", (), "found 2 events"),
        Lap(FASTEST, (), "not run: quadratic"),
    ],
}
WHO = Lineup(
    tuple(Contender(name, "1.2", len) for name in (OURS, FLOOR, "httpx-sse", FASTEST)),
    {NODE: "is not here"},
)
FIGURES = (Cost("a parser", 1.25, "kB", 1.5), Cost("an import", 0.1234, "of another"))
HEADING = (
    f"Time, as a multiple of untorn's. Python {platform.python_version()}, versions of {PINNED_ON}."
)


def test_all_is_measured_where_nothing_is_said() -> None:
    wanted = compare.arguments([])
    assert (wanted.rounds, wanted.contender, wanted.shape) == (7, NAMES, None)
    assert wanted.section == (*SECTIONS, "costs")
    assert not wanted.json
    assert not wanted.check


def test_a_check_is_of_those_that_have_bars_and_takes_more_rounds() -> None:
    wanted = compare.arguments(["--check"])
    assert (wanted.rounds, wanted.contender) == (21, bars.CONTENDERS)
    assert wanted.section == (*SECTIONS, "costs")


@pytest.mark.parametrize("check", [[], ["--check"]])
def test_what_is_said_goes_before_the_defaults(check: list[str]) -> None:
    said = ["--contender", "groq", "--contender", FLOOR, "--rounds", "3"]
    wanted = compare.arguments([*said, "--section", "events", "--section", "costs", *check])
    assert (wanted.rounds, wanted.contender) == (3, ["groq", FLOOR])
    assert wanted.section == ["events", "costs"]


def test_who_asks_for_a_column_gets_no_costs_unless_they_are_asked_for() -> None:
    assert compare.arguments(["--shape", "chat-1"]).section == SECTIONS
    assert compare.arguments(["--shape", "chat-1", "--section", "costs"]).section == ["costs"]


@pytest.mark.parametrize(
    "wrong", [["--section", "no"], ["--contender", "no"], ["--shape", "no"], ["--rounds", "x"]]
)
def test_what_there_is_not_is_refused(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        compare.arguments(wrong)

    assert stopped.value.code == 2
    assert repr(wrong[1]) in capsys.readouterr().err


def test_the_table_is_sorted_and_tells_below_what_is_no_number() -> None:
    lines = list(speed_table.table("Parsers", WHO, RESULTS))

    assert lines[:3] == ["", "Parsers", ""]
    assert [line.split() for line in lines[3:]] == [
        ["chat-", "many-"],
        ["16k", "lines"],
        ["untorn", "1.2,", "ms", "1000.0", "1000.0"],
        [FASTEST, "1.2", "1.00", "(a)"],
        ["floor", "1.2", "2.00", "0.50"],
        ["httpx-sse", "1.2", "~20.0", "(b)"],
        [],
        "~ timed once, in its check: it took more than 4 times as long as untorn".split(),
        ["(a)", "not", "run:", "quadratic"],
        ["(b)", "found", "2", "events"],
        f"left out: {NODE}, is not here".split(),
    ]


def test_who_does_not_read_a_shape_has_a_dash_there_and_comes_last() -> None:
    other = Contender("late", "", len)
    who = Lineup((other, *WHO.contenders[:2]), {})
    raced: Results = {
        "chat-16k": [Lap(OURS, (1.0,)), Lap(FLOOR, (3.0,))],
        "many-lines": [Lap(OURS, (1.0,)), Lap(FLOOR, (3.0,)), Lap("late", (0.5,))],
    }
    lines = list(speed_table.table("Parsers", who, raced))

    assert [line.split() for line in lines[5:]] == [
        ["untorn", "1.2,", "ms", "1000.0", "1000.0"],
        ["floor", "1.2", "3.00", "3.00"],
        ["late", "-", "0.50"],
        [],
    ]


def test_who_has_nothing_to_be_compared_with_has_a_dash_too() -> None:
    raced: Results = {"chat-16k": [Lap(OURS, (), "raises KeyError"), Lap(FLOOR, (3.0,))]}
    rows = list(speed_table.table("Parsers", Lineup(WHO.contenders[:2], {}), raced))[5:7]

    assert [row.split()[-1] for row in rows] == ["0.0", "-"]


def test_the_whole_table_is_no_wider_than_a_screen() -> None:
    versions = {peer.name: peer.version for peer in PEERS}
    everybody = Lineup(
        tuple(Contender(name, versions.get(name, "0.1.0"), len) for name in NAMES),
        {"axio-sse": "needs Python 3.12"},
    )
    laps = [Lap(name, (99.9,), once=True) for name in NAMES]
    ours = Lap(OURS, (0.3,))
    laps = [ours if lap.contender == OURS else lap for lap in laps]
    lines = list(speed_table.table("Parsers", everybody, dict.fromkeys(shapes.NAMES, laps)))

    assert max(map(len, lines)) <= 130
    assert lines[-1] == "left out: axio-sse, needs Python 3.12"


def test_costs_are_shown_with_their_bars() -> None:
    assert list(speed_table.cost_lines(FIGURES)) == [
        "",
        "Costs",
        "",
        "a parser: 1.25 kB (at most 1.5)",
        "an import: 0.123 of another",
    ]


def test_the_json() -> None:
    told = json.loads(speed_table.as_json(WHO, RESULTS, FIGURES))

    assert told["python"] == platform.python_version()
    assert told["versions"]["untorn"] == "1.2"
    assert told["left_out"] == {NODE: "is not here"}
    assert told["seconds"]["chat-16k"]["floor"] == [2.0, 4.0]
    assert told["seconds"]["many-lines"]["httpx-sse"] == "found 2 events"
    assert told["once"] == {"chat-16k": ["httpx-sse"], "many-lines": []}
    assert told["costs"] == {"a parser": [1.25, "kB"], "an import": [0.1234, "of another"]}


class Stage:
    """Stand for what is measured; remember what was asked for."""

    def __init__(self, figures: Sequence[Cost] = FIGURES, results: Results = RESULTS) -> None:
        self.figures = figures
        self.results = results
        self.asked: list[Any] = []
        self.races: list[tuple[str, list[str], float]] = []
        self.rounds: list[str] = []

    def sections(self, names: Sequence[str], parsers: Callable[[], Lineup]) -> Iterator[Section]:
        who = parsers()
        self.asked.append(list(names))
        yield Section(
            "made",
            "A made section",
            ("chat-16k", "many-lines"),
            lambda name: Shape(name, "", (), 0),
            lambda name: who.contenders,
            who.left_out,
            slow=9.0,
        )

    def lineup(self, names: Sequence[str]) -> Lineup:
        self.asked.append(names)
        return WHO

    def race(self, shape: Shape, who: Sequence[Contender], *, slow: float) -> Any:
        self.races.append((shape.name, [each.name for each in who], slow))
        run_round, laps = (lambda: self.rounds.append(shape.name)), self.results[shape.name]
        return SimpleNamespace(run_round=run_round, laps=lambda: laps)

    def costs(self) -> Iterator[Cost]:
        self.asked.append("costs")
        yield from self.figures


def run(monkeypatch: pytest.MonkeyPatch, stage: Stage, *options: str) -> int:
    for name in ("sections", "lineup", "Race", "costs"):
        monkeypatch.setattr(compare, name, getattr(stage, name.lower()))
    return compare.main(["--inside", *options])


def test_the_inner_run_races_and_prints(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stage = Stage()
    assert run(monkeypatch, stage, "--contender", "httpx-sse", "--rounds", "2") == 0

    names = [each.name for each in WHO.contenders]
    assert stage.races == [(shape, names, 9.0) for shape in ("chat-16k", "many-lines")]
    assert stage.rounds == ["chat-16k", "many-lines"] * 2  # in turn, not one behind the other
    assert stage.asked == [["httpx-sse"], [*SECTIONS, "costs"], "costs"]
    rows = speed_table.table("A made section", WHO, RESULTS)
    wanted = [HEADING, *rows, *speed_table.cost_lines(FIGURES)]
    out, err = capsys.readouterr()
    assert out.splitlines() == wanted
    assert "is wanted" not in err


def test_the_inner_run_races_on_the_columns_that_are_wanted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stage = Stage()
    assert run(monkeypatch, stage, "--shape", "many-lines") == 0

    assert [shape for shape, *_ in stage.races] == ["many-lines"]
    assert "costs" not in stage.asked
    out = capsys.readouterr().out
    assert "many-" in out
    assert "chat-" not in out
    assert "Costs" not in out
    assert run(monkeypatch, stage, "--shape", "code-5k") == 0  # of a section that is not staged
    assert capsys.readouterr().out == f"{HEADING}\n"


GOOD: Results = {"chat-16k": [Lap(OURS, (0.5,)), Lap(FASTEST, (1.0,))], "many-lines": []}
HOLDS = "every bar that is checked holds"
OVER = "a parser: 1.75 kB, and at most 1.5 is wanted"


@pytest.mark.parametrize(
    ("kilobytes", "results", "told"),
    [
        (1.5, GOOD, [HOLDS]),
        (1.75, GOOD, [OVER]),
        (1.5, RESULTS, [*bars.missed(RESULTS)]),
        (1.75, RESULTS, [*bars.missed(RESULTS), OVER]),
    ],
    ids=["holds", "costs too much", "is too slow", "both"],
)
def test_a_check_names_what_is_missed_and_fails(
    kilobytes: float,
    results: Results,
    told: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    stage = Stage([Cost("a parser", kilobytes, "kB", 1.5)], results)
    monkeypatch.setattr(own_venv, "say", lambda text: None)

    assert run(monkeypatch, stage, "--check") == int(told != [HOLDS])
    assert capsys.readouterr().err.splitlines() == [*told, *bars.unasked(stage.results)]
    assert stage.rounds == ["chat-16k", "many-lines"] * 21


def test_the_inner_run_prints_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, Stage(), "--json") == 0
    assert capsys.readouterr().out == speed_table.as_json(WHO, RESULTS, FIGURES) + "\n"


def test_the_outer_run_starts_the_inner_one_or_says_why_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    started: list[Any] = []

    def start(*given: object) -> int:
        started.append(given)
        return 7

    monkeypatch.setattr(own_venv, "ready", lambda *given: "python")
    monkeypatch.setattr(own_venv, "run_inside", start)
    assert compare.main(["--json"]) == 7
    assert started[0][2:] == (["--json"], compare.KEEP_MEMORY)

    def fail(*given: object) -> None:
        raise own_venv.InstallError("no network")

    monkeypatch.setattr(own_venv, "ready", fail)
    assert compare.main([]) == 2
    assert capsys.readouterr().err == "compare.py: the packages cannot be installed: no network\n"
