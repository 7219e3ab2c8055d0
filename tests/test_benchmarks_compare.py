"""The comparison of speed: its streams, its timing and its output; no network and no real clock."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from itertools import count
from types import SimpleNamespace
from typing import Any

import compare
import contenders
import own_venv
import pytest
import race
import shapes
from contenders import FLOOR, OURS, Contender
from race import Lap
from shapes import Shape

from untorn import SSEParser
from untorn.deltas import DeltaAssembler

SHAPE = Shape("chat-16k", "a stream", (b"data: a\n\n", b"data: b\n\n"), 2)


def clock(steps: Sequence[float]) -> Iterator[float]:
    """Tell times between which the given steps lie."""
    now = 0.0
    for step in steps:
        yield now
        now += step
        yield now


@pytest.mark.parametrize("name", shapes.NAMES)
def test_a_shape_holds_what_it_says_and_is_the_same_each_time(name: str) -> None:
    made = shapes.shape(name)
    parser = SSEParser()
    events = [event for read in made.reads for event in parser.feed(read)]

    assert len(events) == made.events
    assert parser.close().tail is None
    assert made == shapes.shape(name)


def test_the_shapes_are_of_the_sizes_that_their_names_say() -> None:
    sizes = {name: [len(read) for read in shapes.shape(name).reads] for name in shapes.NAMES}

    assert set(sizes["chat-16k"][:-1]) == {16 * 1024}
    assert set(sizes["chat-64"][:-1]) == {64}
    assert set(sizes["chat-1"]) == {1}
    assert 230 < sum(sizes["chat-event"]) / 20_000 < 290
    assert sum(sizes["long-line"]) == 10_000_008
    assert any(read[-1] > 0x7F for read in shapes.shape("multilingual").reads)


def test_tool_calls_in_pieces_are_a_whole_call() -> None:
    payloads = shapes.tool_call_payloads(500)
    assembler = DeltaAssembler("openai-chat")
    for payload in payloads:
        assembler.feed(SimpleNamespace(data=payload, event=None))
    [call] = assembler.message.tool_calls

    assert call.arguments == shapes.tool_arguments(500)
    assert len(json.loads(call.arguments)["rows"]) > 5
    assert len(payloads) == 1 + -(-len(call.arguments) // 4)


def test_contenders_are_timed_in_turn_and_compared_within_a_round() -> None:
    order: list[str] = []

    def reader(name: str) -> Contender:
        def read(reads: Sequence[bytes]) -> int:
            order.append(name)
            return len(reads)

        return Contender(name, "1", read)

    ticks = clock([1.0, 2.0, 10.0, 30.0, 1.0, 5.0])
    laps = race.race(SHAPE, [reader("a"), reader("b")], 3, lambda: next(ticks))

    assert laps == [Lap("a", (1.0, 10.0, 1.0)), Lap("b", (2.0, 30.0, 5.0))]
    assert order == ["a", "b"] + ["a", "b"] * 3  # checked first
    assert race.ratio(laps, "b", "a") == 3.0
    assert race.ratio(laps, "b", "nobody") is None


def test_who_finds_another_number_of_events_is_not_timed() -> None:
    def raising(reads: Sequence[bytes]) -> int:
        raise LookupError

    unfit = [
        Contender("less", "1", lambda reads: 1),
        Contender("raises", "1", raising),
        Contender(FLOOR, "", lambda reads: 99),
    ]
    seconds = (float(n) for n in count())
    laps = race.race(SHAPE, unfit, 1, lambda: next(seconds))

    assert laps == [
        Lap("less", (), "1 events"),
        Lap("raises", (), "LookupError"),
        Lap(FLOOR, (1.0,)),
    ]
    assert race.ratio(laps, "less", FLOOR) is None


def test_what_is_quadratic_is_not_run() -> None:
    long = Shape("many-lines", "", (b"",), 1)

    def never(reads: Sequence[bytes]) -> int:
        raise AssertionError

    slow = Contender("sseclient-py", "1", never)
    assert race.race(long, [slow], 1) == [Lap("sseclient-py", (), "quadratic")]


def test_the_two_that_need_no_package() -> None:
    ours, floor = contenders.contender(OURS), contenders.contender(FLOOR)

    assert ours.read(SHAPE.reads) == 2
    assert ours.version == sys.modules["untorn"].__version__
    assert floor.read(SHAPE.reads) == 4
    with pytest.raises(KeyError):
        contenders.contender("nobody")


RESULTS: dict[str, list[Lap]] = {
    "chat-16k": [
        Lap(OURS, (1.0, 2.0)),
        Lap(FLOOR, (2.0, 4.0)),
        Lap("launchdarkly-eventsource", (1.0, 2.0)),
    ],
    "many-lines": [Lap(OURS, (1.0,)), Lap(FLOOR, (0.5,)), Lap("httpx-sse", (), "2 events")],
}


def test_a_bar_that_is_missed_is_named() -> None:
    assert list(compare.missed(RESULTS)) == [
        "chat-16k: 1.00 of launchdarkly-eventsource's time, and at most 0.7 is wanted",
        "many-lines: not measured of httpx-sse's time, and at most 0.6 is wanted",
    ]
    assert list(compare.missed({})) == []


def test_every_bar_is_of_a_shape_and_a_contender_that_there_are() -> None:
    for bar in compare.BARS:
        assert bar.shape in shapes.NAMES
        assert bar.other in contenders.NAMES


def test_the_table_and_the_json() -> None:
    named = [Contender(name, "1.2", len) for name in (OURS, FLOOR, "launchdarkly-eventsource")]
    results = {"chat-16k": RESULTS["chat-16k"]}
    lines = list(compare.table(named, results))

    assert lines[2].split() == ["untorn", "ms", "floor", "launchdarkly-eventsource"]
    assert lines[4].split() == ["chat-16k", "1000.0", "2.00", "1.00"]
    told = json.loads(compare.as_json(named, results))
    assert told["versions"]["untorn"] == "1.2"
    assert told["seconds"]["chat-16k"]["floor"] == [2.0, 4.0]


def test_a_fault_stands_in_the_table() -> None:
    named = [Contender(name, "1", len) for name in (OURS, FLOOR, "httpx-sse")]
    lines = list(compare.table(named, {"many-lines": RESULTS["many-lines"]}))
    assert lines[-1].split() == ["many-lines", "1000.0", "0.50", "2", "events"]


@pytest.mark.parametrize(("check", "code"), [([], 0), (["--check"], 1)])
def test_the_inner_run(
    check: list[str], code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compare, "contender", lambda name: Contender(name, "1", lambda reads: 2))
    monkeypatch.setattr(compare, "shape", lambda name: SHAPE)
    monkeypatch.setattr(compare, "race", lambda *given: RESULTS["chat-16k"])
    monkeypatch.setattr(compare, "NAMES", (OURS, FLOOR, "launchdarkly-eventsource"))

    assert compare.main(["--inside", "--shape", "chat-16k", *check]) == code
    out, err = capsys.readouterr()
    assert "chat-16k" in out
    assert ("at most 0.7 is wanted" in err) is bool(code)


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
    assert started[0][2] == ["--json"]

    def fail(*given: object) -> None:
        raise own_venv.InstallError("no network")

    monkeypatch.setattr(own_venv, "ready", fail)
    assert compare.main([]) == 2
    assert capsys.readouterr().err == "compare.py: the packages cannot be installed: no network\n"
