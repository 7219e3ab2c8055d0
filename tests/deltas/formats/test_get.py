"""Looks into payloads: what is absent, null or of another type gives nothing and never raises."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from untorn.deltas.formats._get import (
    argument_text,
    compact,
    is_number,
    mapping,
    number,
    objects,
    text,
)

VALUES: list[Any] = [None, True, False, 0, 7, 1.5, "", "ή", [], ["a"], {}, {"a": 1}]


def others(kind: type) -> list[Any]:
    """All values but those of a type; a bool is no number here."""
    return [value for value in VALUES if type(value) is not kind]


@pytest.mark.parametrize("value", others(str), ids=repr)
def test_what_is_no_text_gives_an_empty_one(value: Any) -> None:
    assert text(value) == ""


@pytest.mark.parametrize("value", ["", "café", "คำ", "\ud83d"], ids=ascii)
def test_a_text_is_given_as_it_is(value: str) -> None:
    assert text(value) is value


@pytest.mark.parametrize("value", others(dict), ids=repr)
def test_what_is_no_object_gives_an_empty_one(value: Any) -> None:
    assert mapping(value) == {}


def test_an_object_is_given_itself() -> None:
    value = {"ключ": None}

    assert mapping(value) is value


def test_nothing_is_fresh_each_time_so_that_nobody_fills_it_for_others() -> None:
    mapping(None)["left"] = "behind"
    objects(None).append({})

    assert (mapping(None), objects(None)) == ({}, [])


@pytest.mark.parametrize("value", [None, True, 0, 7, 1.5, "", "[{}]", [], [None, 1, "a", [{}]]])
def test_what_holds_no_object_gives_none(value: Any) -> None:
    assert objects(value) == []


def test_the_objects_of_a_list_keep_their_order_and_the_rest_falls_out() -> None:
    assert objects([{"a": 1}, None, {}, "b", [{"c": 2}], {"d": 3}]) == [{"a": 1}, {}, {"d": 3}]


def test_an_object_alone_is_a_list_of_it() -> None:
    assert objects({"index": 0}) == [{"index": 0}]
    assert objects({}) == [{}]


@pytest.mark.parametrize("value", others(int), ids=repr)
def test_what_is_no_whole_number_gives_none(value: Any) -> None:
    assert number(value) is None


@pytest.mark.parametrize("value", [float("inf"), float("nan"), "٣", "1.0", "-1", " 1", "9" * 10])
def test_what_only_looks_like_a_whole_number_gives_none(value: Any) -> None:
    assert number(value) is None


@pytest.mark.parametrize("value", [0, -1, 7, 999_999_999, 10**30])
def test_a_whole_number_is_given_as_it_is(value: int) -> None:
    assert number(value) == value


@pytest.mark.parametrize(("value", "meant"), [(2.0, 2), (-0.0, 0), ("7", 7), ("007", 7)])
def test_a_whole_number_may_be_written_otherwise(value: Any, meant: int) -> None:
    found = number(value)

    assert (found, type(found)) == (meant, int)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ({}, "{}"),
        ({"ville": "Besançon", "n": [1, 2.5, None, True]}, None),
        ({"都市": "京都", "عدد": 3, "🦊": "नमस्ते"}, '{"都市":"京都","عدد":3,"🦊":"नमस्ते"}'),
        ({"b": 1, "a": {"c": []}}, '{"b":1,"a":{"c":[]}}'),
    ],
)
def test_an_object_is_written_short_in_its_own_order_and_script(
    value: dict[str, Any], written: str | None
) -> None:
    expected = written or '{"ville":"Besançon","n":[1,2.5,null,true]}'

    assert compact(value) == expected
    assert json.loads(compact(value)) == value


def test_numbers_of_a_parser_of_ones_own_can_be_written() -> None:
    # loads=partial(json.loads, parse_float=Decimal) is a usual way to keep money exact.
    assert json.loads(compact({"importe": Decimal("12.50")})) == {"importe": 12.5}


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, ""),
        ("", ""),
        ('{"κ":', '{"κ":'),
        ({"κ": 1}, '{"κ":1}'),
        ([], "[]"),
        (False, "false"),
        (7, "7"),
    ],
)
def test_arguments_are_text_of_whatever_type_they_came(value: Any, written: str) -> None:
    assert argument_text(value) == written


@pytest.mark.parametrize("made", [float, Decimal])
def test_what_no_json_has_becomes_null(made: Callable[[str], Any]) -> None:
    odd = {"n": made("nan"), "i": [made("inf"), {"m": made("-inf")}], "x": made("1.5"), "t": "NaN"}

    assert compact(odd) == '{"n":null,"i":[null,{"m":null}],"x":1.5,"t":"NaN"}'


@pytest.mark.parametrize(
    ("value", "told"),
    [
        *((value, False) for value in (None, True, False, "", "7", [], {}, object())),
        *((value, True) for value in (0, 7, -1.5, float("nan"), Decimal("1.50"))),
    ],
)
def test_a_number_is_one_of_whatever_type(value: Any, told: bool) -> None:
    assert is_number(value) is told
