"""Where the texts and numbers of a JSON text are, and where it stops to be JSON."""

from __future__ import annotations

import pytest

from untorn.recording._scan import tokens

MARKS = {"text": "·", "number": "#", "rest": "?"}


def marked(text: str) -> str:
    """Show each character of what may be changed as the mark of its kind."""
    shown = list(text)
    for kind, start, end, _ in tokens(text):
        shown[start:end] = MARKS[kind] * (end - start)
    return "".join(shown)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ('{"key": "word"}', '{"key": "····"}'),
        ('{"a": {"b": "c"}, "d": "e"}', '{"a": {"b": "·"}, "d": "·"}'),
        ('["a", "b"]', '["·", "·"]'),
        ('{"a": ["b", {"c": "d"}, "e"], "f": "g"}', '{"a": ["·", {"c": "·"}, "·"], "f": "·"}'),
        ('{"a": 12.5e3, "b": -7}', '{"a": ######, "b": ##}'),
        ("[true, false, null]", "[true, false, null]"),
        ("[NaN, Infinity, -Infinity]", "[NaN, Infinity, -Infinity]"),
        ('"x\\ny\\u00e9\\"w"', '"·············"'),
        ('"a\nb\t"', '"····"'),
        ("[] {}", "[] {}"),
        ('{"a": 1}\n[{"b": "c"}]', '{"a": #}\n[{"b": "·"}]'),
        ("", ""),
        ("  ", "  "),
    ],
)
def test_texts_and_numbers_may_change_and_nothing_else(text: str, right: str) -> None:
    assert marked(text) == right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ('{"a": "cut', '{"a": "···'),
        ('{"a": "cut\\', '{"a": "···\\'),
        ('{"a": "cut\\u00', '{"a": "···\\u00'),
        ('{"a": fal', '{"a": fal'),
        ('{"a": -Inf', '{"a": -Inf'),
        ("[-", "[#"),
        ("[1.", "[##"),
        ("[1e", "[##"),
        ("[1.5E-", "[#####"),
        ('{"a": ', '{"a": '),
        ('{"a"', "{???"),
        ('{"cut', "{????"),
    ],
)
def test_a_text_that_was_cut_is_known_up_to_there(text: str, right: str) -> None:
    assert marked(text) == right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("{'a': 'b'}", "{?????????"),
        ("[INFO] word", "[??????????"),
        ('{"a": 1} word', '{"a": #} ????'),
        ('{"a": NaN, "word"}', '{"a": NaN, ???????'),
        ('{"a": nurse}', '{"a": ??????'),
        ('{"a": nulls}', '{"a": ??????'),
        ('{"a": null5}', '{"a": null??'),
        ('{"a": 1f5}', '{"a": #???'),
        ("[01]", "[#??"),
        ("[1. ]", "[#???"),
        ('{"a": "b\\q"}', '{"a": "·????'),
        ('{"a": "b\\u00 "}', '{"a": "·???????'),
        ('{"a\\q": 1}', "{?????????"),
        ('{"a": "b" "c"}', '{"a": "·" ????'),
        ('{"a" "b"}', "{????????"),
        ("{1: 2}", "{?????"),
        ('{"a": 1,}', '{"a": #,?'),
        ("[1 2]", "[# ??"),
        ("[}, 1-]", "[??????"),
        ('{"a": 1]', '{"a": #?'),
        ("}]", "??"),
        ("1, 2", "#???"),
        ("word", "????"),
    ],
)
def test_from_where_it_is_no_json_it_is_one_piece(text: str, right: str) -> None:
    assert marked(text) == right


def test_a_value_is_told_with_its_key() -> None:
    text = '{"a": "x", "b\\u0063\n": [1, {"d": 2}, "y"], "e": {"f": "z"}} "w"'
    assert [key for *_, key in tokens(text)] == ["a", "", "d", "", "f", ""]
    assert [key for *_, key in tokens('{"b\\u0063\n": 1}')] == ["bc\n"]
