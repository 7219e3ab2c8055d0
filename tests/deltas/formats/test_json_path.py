"""Arguments that come as values at paths: built step by step, and nothing is made up."""

from __future__ import annotations

import time
import tracemalloc
from typing import Any

import pytest

from untorn.deltas.formats._json_path import MAX_PATH, BadPathError, PathArguments


def result(arguments: PathArguments) -> dict[str, Any]:
    value = arguments.snapshot()
    assert isinstance(value, dict)
    return value


def built(*pieces: dict[str, Any]) -> dict[str, Any]:
    arguments = PathArguments()
    for piece in pieces:
        arguments.put(piece)
    return result(arguments)


def text(path: str, value: str, **more: Any) -> dict[str, Any]:
    return {"jsonPath": path, "stringValue": value, **more}


def on(path: str, value: str) -> dict[str, Any]:
    return text(path, value, willContinue=True)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("$.ville", {"ville": "x"}),
        ("$.a.β.в", {"a": {"β": {"в": "x"}}}),
        ("$['два слова']", {"два слова": "x"}),
        ('$["it\'s"].b', {"it's": {"b": "x"}}),
        ("$['']", {"": "x"}),
        ("$['a.b[0]$']", {"a.b[0]$": "x"}),
        ("$.rows[0]", {"rows": ["x"]}),
        ("$.rows[0][0].名", {"rows": [[{"名": "x"}]]}),
        ("$['rows'][0]['k']", {"rows": [{"k": "x"}]}),
        ("$" + ".d" * MAX_PATH, None),
    ],
)
def test_a_path_says_where_a_value_stands(path: str, value: Any) -> None:
    if value is None:
        value = "x"
        for _ in range(MAX_PATH):
            value = {"d": value}

    assert built(text(path, "x")) == value


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("stringValue", "שלום"),
        ("stringValue", ""),
        ("numberValue", 0),
        ("numberValue", 2.5),
        ("boolValue", False),
        ("boolValue", True),
    ],
)
def test_each_kind_of_value_is_put_as_it_is(key: str, value: Any) -> None:
    [put] = built({"jsonPath": "$.v", key: value}).values()

    assert (put, type(put)) == (value, type(value))


@pytest.mark.parametrize("null", [None, "NULL_VALUE"])
def test_null_is_a_value(null: Any) -> None:
    assert built({"jsonPath": "$.v", "nullValue": null}) == {"v": None}


@pytest.mark.parametrize(
    "piece",
    [
        {},
        {"stringValue": None, "numberValue": None, "boolValue": None},
        {"willContinue": True},
        {"structValue": {"a": 1}},
    ],
)
def test_a_piece_without_a_known_value_is_refused_and_puts_nothing(piece: dict[str, Any]) -> None:
    arguments = PathArguments()
    arguments.put(text("$.a", "ก"))

    with pytest.raises(BadPathError, match="no value of a known kind"):
        arguments.put({"jsonPath": "$.a", **piece})
    assert arguments.snapshot() == {"a": "ก"}


def test_a_string_goes_on_while_the_piece_before_said_so() -> None:
    assert built(on("$.a", "Grüß "), on("$.a", "Gott, "), text("$.a", "Wien")) == {
        "a": "Grüß Gott, Wien"
    }
    assert built(on("$.a", "one"), text("$.a", " two"), text("$.a", "new")) == {"a": "new"}


@pytest.mark.parametrize("more", [False, None, "yes", 1])
def test_a_string_goes_on_after_true_alone(more: Any) -> None:
    assert built(text("$.a", "alt", willContinue=more), text("$.a", "neu")) == {"a": "neu"}


def test_strings_at_several_paths_go_on_side_by_side() -> None:
    pieces = [on("$.l[0]", "é"), on("$.l[1]", "🦊"), on("$.l[0]", "t"), text("$.l[1]", "!")]

    assert built(*pieces, text("$.l[0]", "é")) == {"l": ["été", "🦊!"]}


def test_a_number_ends_a_string_and_is_put_in_its_place() -> None:
    number = {"jsonPath": "$.a", "numberValue": 4, "willContinue": True}

    assert built(on("$.a", "x"), number) == {"a": 4}
    assert built(on("$.a", "x"), number, text("$.a", "y")) == {"a": "y"}


def test_a_value_that_is_there_is_replaced_and_null_makes_way() -> None:
    null = {"jsonPath": "$.a", "nullValue": None}
    objects = [text("$.l[0].b", "1"), text("$.l[0].b", "2"), text("$.l[0].c", "3")]

    assert built(null, text("$.a.b", "x")) == {"a": {"b": "x"}}
    assert built(*objects) == {"l": [{"b": "2", "c": "3"}]}


@pytest.mark.parametrize(
    "between",
    [
        {"jsonPath": "$.a", "nullValue": None},
        {"jsonPath": "$.a['b']", "numberValue": 5},
        {"jsonPath": "$['a'].b", "nullValue": None},
    ],
)
def test_a_string_that_was_replaced_meanwhile_does_not_go_on(between: dict[str, Any]) -> None:
    assert built(on("$.a.b", "vorher"), between, text("$.a.b", "nachher")) == {
        "a": {"b": "nachher"}
    }


def test_a_snapshot_shows_open_texts_and_does_not_change_with_what_comes() -> None:
    arguments = PathArguments()
    shown = []
    for piece in (on("$.l[0].t", "a"), on("$.l[0].t", "b"), text("$.l[0].t", "c"), on("$.n", "d")):
        arguments.put(piece)
        shown.append((arguments.snapshot(), arguments.is_open))

    assert shown == [
        ({"l": [{"t": "a"}]}, True),
        ({"l": [{"t": "ab"}]}, True),
        ({"l": [{"t": "abc"}]}, False),
        ({"l": [{"t": "abc"}], "n": "d"}, True),
    ]


def test_arguments_may_come_as_one_value_and_go_on_by_paths_where_it_is_an_object() -> None:
    arguments, no_object = PathArguments(), PathArguments()
    for whole in ({"a": 1, "b": {"c": 2}}, {"a": 3}):
        arguments.take(whole)
    arguments.put(text("$.b.d", "ß"))
    no_object.take([1])

    assert arguments.snapshot() == {"a": 3, "b": {"c": 2, "d": "ß"}}
    with pytest.raises(BadPathError, match="through a value"):
        no_object.put(text("$.a", "x"))
    assert no_object.snapshot() == [1]


def test_what_was_taken_is_not_changed_by_paths() -> None:
    given: dict[str, Any] = {"b": {}}
    arguments = PathArguments()
    arguments.take(given)
    arguments.put(text("$.b.c", "x"))

    assert given == {"b": {}}


def test_put_counts_the_characters_of_paths_and_strings() -> None:
    arguments = PathArguments()
    pieces: list[dict[str, Any]] = [
        on("$.a", "日本"),
        text("$.a", "語"),
        text("$.a", ""),
        {"jsonPath": "$.b", "numberValue": 12345},
        {"jsonPath": "$.c", "stringValue": 12345},
        {"jsonPath": "$.d", "nullValue": "NULL_VALUE"},
    ]

    assert [arguments.put(piece) for piece in pieces] == [5, 4, 3, 3, 3, 3]


@pytest.mark.parametrize(
    "path",
    [
        None,
        5,
        "",
        "$",
        "a",
        ".a",
        "$.",
        "$..a",
        "$.a.",
        "$[0]",
        "$[*]",
        "$.a[-1]",
        "$.a[",
        "$.a[0",
        "$['a",
        "$.a[1234567890]",
        "$.a]",
        "$" + ".d" * (MAX_PATH + 1),
    ],
)
def test_what_is_no_path_is_refused_and_puts_nothing(path: Any) -> None:
    arguments = PathArguments()

    with pytest.raises(BadPathError, match="cannot be read"):
        arguments.put({"jsonPath": path, "stringValue": "x"})
    assert arguments.snapshot() == {}


@pytest.mark.parametrize("path", ["$.a.b", "$.a[0]", "$.a.b.c"])
def test_a_path_through_a_value_is_refused_and_the_value_stays(path: str) -> None:
    arguments = PathArguments()
    arguments.put(text("$.a", "Ω"))

    with pytest.raises(BadPathError, match="through a value"):
        arguments.put(text(path, "x"))
    assert arguments.snapshot() == {"a": "Ω"}


@pytest.mark.parametrize("path", ["$.a.k", "$.o[0]"])
def test_an_object_is_no_list_and_a_list_no_object(path: str) -> None:
    arguments = PathArguments()
    arguments.put(text("$.a[0]", "1"))
    arguments.put(text("$.o.k", "2"))

    with pytest.raises(BadPathError):
        arguments.put(text(path, "x"))
    assert arguments.snapshot() == {"a": ["1"], "o": {"k": "2"}}


@pytest.mark.parametrize("path", ["$.a[2]", "$.a[999999999]", "$.a[999999999].b", "$.a[5][0]"])
def test_an_index_past_the_end_of_a_list_is_refused_and_allocates_nothing(path: str) -> None:
    arguments = PathArguments()
    arguments.put(text("$.a[0]", "प"))

    tracemalloc.start()
    with pytest.raises(BadPathError, match="past the end"):
        arguments.put(text(path, "x"))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 100_000
    assert arguments.snapshot() == {"a": ["प"]}


def test_a_long_string_in_many_pieces_costs_linear_time() -> None:
    def cost(count: int) -> float:
        return min(once(count) for _ in range(3))

    def once(count: int) -> float:
        start = time.perf_counter()
        value = built(*[on("$.code", "x" * 40)] * count)
        took = time.perf_counter() - start
        assert len(value["code"]) == 40 * count
        return took

    assert cost(8 * 3_000) < 20 * cost(3_000)
