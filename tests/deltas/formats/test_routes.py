"""Which call a piece of a chat stream belongs to: each rule by itself, and streams of the hosts."""

from __future__ import annotations

import json
import time
import tracemalloc

import pytest
from llm import Run, assemble, call, chat, check_sums, sse

from untorn.deltas import EndMarker, Finish, ToolCallStart
from untorn.deltas._register import Options, Register
from untorn.deltas.formats._routes import Route, Routes

HUGE = 999_999_999


class Opened:
    """The routes of a choice, and a register to open their slots in."""

    def __init__(self) -> None:
        self.routes = Routes()
        self.register = Register(Options())

    def open(self, id: str = "", index: int | None = None, *, arguments: bool = False) -> Route:
        slot = self.register.slot("tool_call", self.routes.opened)
        self.routes.next_place(slot.number, index)
        route = Route(slot, has_arguments=arguments)
        self.routes.note(route, id, index)
        return route

    def find(self, id: str = "", index: int | None = None, *, named: bool = False) -> Route | None:
        return self.routes.find(id, index, "f" if named else "")


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize(("id", "index"), [("", None), ("", 0), ("c1", None), ("c1", HUGE)])
def test_the_first_piece_opens_a_call(id: str, index: int | None, named: bool) -> None:
    assert Opened().find(id, index, named=named) is None


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("index", [None, 0, 1, HUGE])
def test_an_id_that_was_seen_wins_over_any_index(index: int | None, named: bool) -> None:
    calls = Opened()
    first = calls.open("c1", 0)
    calls.open("c2", 1)

    assert calls.find("c1", index, named=named) is first


@pytest.mark.parametrize("index", [None, 7])
def test_a_new_id_with_no_index_or_a_free_one_opens_a_call(index: int | None) -> None:
    calls = Opened()
    calls.open("c1", 0)

    assert calls.find("c2", index, named=False) is None


@pytest.mark.parametrize("named", [False, True])
def test_a_new_id_joins_the_call_at_its_index_that_has_none_yet(named: bool) -> None:
    calls = Opened()
    first = calls.open("", 0)

    assert calls.find("c1", 0, named=named) is first


def test_a_taken_index_is_free_for_another_id_that_brings_a_name() -> None:
    calls = Opened()
    first = calls.open("c1", 0)

    assert calls.find("c2", 0, named=True) is None
    assert calls.find("c2", 0, named=False) is first


def test_an_id_that_changed_under_way_is_the_same_call_under_both() -> None:
    calls = Opened()
    first = calls.open("c1", 0)
    calls.routes.note(first, "c2", 0)

    assert calls.find("c1") is calls.find("c2") is first
    assert first.id == "c2"


@pytest.mark.parametrize("named", [False, True])
def test_without_an_id_the_index_tells(named: bool) -> None:
    calls = Opened()
    first = calls.open("c1", 0)
    second = calls.open("", HUGE)

    assert calls.find(index=0, named=named) is first
    assert calls.find(index=HUGE, named=named) is second
    assert calls.find(index=1, named=named) is None


def test_an_index_means_the_call_that_had_it_last() -> None:
    calls = Opened()
    calls.open("c1", 0)
    second = calls.open("c2", 0)

    assert calls.find(index=0) is second


def test_with_neither_the_call_touched_last_goes_on() -> None:
    calls = Opened()
    first = calls.open("c1", 0, arguments=True)
    second = calls.open("c2", 1)
    assert calls.find() is second

    calls.routes.note(first, "", None)
    assert calls.find() is first
    assert first.id == "c1"


def test_with_neither_a_name_opens_a_call_once_the_last_one_has_arguments() -> None:
    calls = Opened()
    first = calls.open()

    assert calls.find(named=True) is first
    first.has_arguments = True
    assert calls.find(named=True) is None
    assert calls.find(named=False) is first


def test_places_go_by_index_beside_the_first_call() -> None:
    routes = Routes()

    places = [routes.next_place(slot, index) for slot, index in ((4, 2), (5, 0), (9, HUGE))]
    assert places == [(4, 2), (4, 0), (4, HUGE)]
    assert routes.opened == 3


def test_places_without_an_index_go_by_appearance() -> None:
    routes = Routes()

    assert [routes.next_place(slot, None) for slot in (3, 4, 5)] == [(3, 0)] * 3


def test_a_call_without_an_index_comes_after_all_that_are_there() -> None:
    routes = Routes()

    places = [routes.next_place(slot, index) for slot, index in ((0, 5), (1, 1), (2, None))]
    assert places[2] >= max(places[:2])


def run(*deltas: object) -> Run:
    done = assemble(sse(*map(chat, deltas), chat(None, "tool_calls"), "[DONE]"), "openai-chat")
    check_sums(done)
    assert done.message.intact, done.message.problems
    return done


def seen(run: Run) -> list[tuple[str | None, str | None, str]]:
    return [(call.id, call.name, call.arguments) for call in run.message.tool_calls]


def test_pieces_of_interleaved_calls_find_their_own() -> None:
    made = run(
        call("", id="a", name="шукати", index=0),
        call("", id="b", name="חפש", index=1),
        call('{"x"', index=0),
        call('{"y"', index=1),
        call(":1}", index=0),
        call(":2}", index=1),
    )

    assert seen(made) == [("a", "шукати", '{"x":1}'), ("b", "חפש", '{"y":2}')]


def test_calls_of_one_index_with_an_id_each_stay_apart() -> None:
    made = run(
        call('{"x":1}', id="a", name="f", index=0),
        call('{"y":', id="b", name="f", index=0),
        call("2}", index=0),
    )

    assert seen(made) == [("a", "f", '{"x":1}'), ("b", "f", '{"y":2}')]


def test_an_id_alone_holds_a_call_together() -> None:
    made = run(
        call('{"x"', id="a", name="f"),
        call('{"y"', id="b", name="g"),
        call(":1}", id="a"),
        call(":2}", id="b"),
    )

    assert seen(made) == [("a", "f", '{"x":1}'), ("b", "g", '{"y":2}')]


@pytest.mark.parametrize("nothing", ["", "null", None, 7, [], {}])
def test_with_neither_id_nor_index_a_name_parts_the_calls(nothing: object) -> None:
    made = run(
        call('{"x"', id=nothing, name="f"),  # type: ignore[arg-type]
        call(":1}", id=nothing, name=""),  # type: ignore[arg-type]
        call("{}", name="g"),
    )

    assert seen(made) == [(None, "f", '{"x":1}'), (None, "g", "{}")]


def test_a_late_id_and_a_late_name_fill_in_the_open_call() -> None:
    made = run(call('{"x":', index=0), call("1", id="a", index=0), call("}", name="f", index=0))

    starts = [delta for delta in made.deltas if isinstance(delta, ToolCallStart)]
    assert starts == [
        ToolCallStart(0),
        ToolCallStart(0, "a"),
        ToolCallStart(0, "a", "f"),
    ]
    assert seen(made) == [("a", "f", '{"x":1}')]


@pytest.mark.parametrize("nothing", [None, False, 0, "", [], {}], ids=repr)
@pytest.mark.parametrize("key", ["arguments", "name"])
def test_a_piece_with_nothing_in_it_opens_no_call(key: str, nothing: object) -> None:
    made = run({"tool_calls": [{"index": 0, "function": {key: nothing}}, nothing]})

    assert made.deltas == [Finish("tool_calls"), EndMarker("[DONE]")]


@pytest.mark.parametrize("odd", [False, 5, 1.5, [], ["a"]], ids=repr)
def test_arguments_of_another_type_are_kept_and_never_whole(odd: object) -> None:
    later = chat(call(odd, index=0, id="c", name="f"), "stop")
    for earlier in ([], [chat(call('{"a":1}', index=0, id="c", name="f"))]):
        made = assemble(sse(*earlier, later), "openai-chat")

        [kept] = made.message.tool_calls
        assert (kept.arguments, kept.complete) == (json.dumps(odd), False)
        assert not made.message.intact


def test_calls_come_by_index_and_not_as_they_appeared() -> None:
    made = run(*(call("{}", id=f"c{i}", name="f", index=i) for i in (2, HUGE, 0)))

    assert [call.id for call in made.message.tool_calls] == ["c0", "c2", f"c{HUGE}"]
    assert [call.slot for call in made.message.tool_calls] == [2, 0, 1]


def many(count: int) -> bytes:
    pieces = (call("{}", id=f"c{i}", name="f", index=HUGE - i) for i in range(count))
    return sse(*map(chat, pieces))


def test_a_huge_index_costs_no_memory() -> None:
    wire = many(1)
    tracemalloc.start()
    assemble(wire, "openai-chat")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 1_000_000


def test_many_huge_indexes_cost_time_that_grows_with_their_number() -> None:
    def cost(count: int) -> float:
        wire = many(count)
        return min(once(wire, count) for _ in range(3))

    def once(wire: bytes, count: int) -> float:
        start = time.perf_counter()
        assert len(assemble(wire, "openai-chat").message.tool_calls) == count
        return time.perf_counter() - start

    assert cost(1_600) < 20 * cost(200)


@pytest.mark.parametrize("index", [None, 0])
def test_a_name_of_another_tool_without_an_id_opens_a_call(index: int | None) -> None:
    calls = Opened()
    first = calls.open("", index)
    first.name = "f"

    assert calls.routes.find("", index, "f") is first
    assert calls.routes.find("", index, "g") is None
    assert calls.routes.find("", index, "") is first
