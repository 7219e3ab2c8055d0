"""Redaction of anything: JSON stays JSON of the same shape, and bytes keep their places."""

from __future__ import annotations

import json
import re
from typing import Any
from unicodedata import category

from hypothesis import given
from hypothesis import strategies as st
from test_redact import end_shape, event_shape, left, parsed, redacted

from untorn.recording import Recording
from untorn.recording._steering import STEERING, WORDS

# Letters that have fellows, in several scripts and sizes, and what stands between them.
LETTERS = "abcxyzABCéüßñλωДжяאבשابجกขคहन日本語한글𐍈𐌰𝐒𝐞𝒜"
words = st.text(st.sampled_from(LETTERS), min_size=1, max_size=12)
between = st.sampled_from(
    [*' 0179\n\t\r"\\/.,:{}[]<>-_🦊\u0301\u2028\x00', "\ud835", "null", "true"]
)
texts = st.lists(st.one_of(words, between), max_size=6).map("".join)
# As keys also those that steer, and those whose texts are JSON.
keys = st.one_of(texts, st.sampled_from(["type", "index", "status", "arguments", "delta", "input"]))
# Numbers near the ends of a float stay as they are.
floats = st.floats(-1e9, 1e9).filter(lambda number: not number or abs(number) > 1e-90)
scalars = st.one_of(texts, st.integers(), floats, st.booleans(), st.none(), st.just(float("nan")))
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(keys, inner, max_size=4)),
    max_leaves=12,
)
FRAGMENTS = (
    b'data: |data:|event: |id: |retry: |: |\n|\r|\r\n|\n\n|{|}|[|]|"|\\|\\u|,|:|0|12|-|1.|e5|'
    b"\\ud835|\\udc12|"
    b"true|NaN|null|[DONE]|word|Alice|type|arguments|<p>|<b|\xc3\xa9|\xe6\x97\xa5|\xf0\x9d\x90\x92|"
    b"\xff|\xe7\x81|\xed\xa0\x80|\xef\xbb\xbf|\x00| "
).split(b"|")
wires = st.one_of(
    st.binary(max_size=60), st.lists(st.sampled_from(FRAGMENTS), max_size=40).map(b"".join)
)


def check_same(before: Any, after: Any, key: str = "") -> None:
    """Assert that two JSON values differ in letters and digits alone, and in every word."""
    assert type(after) is type(before)
    if isinstance(before, dict):
        assert list(after) == list(before)
        for name in before:
            check_same(before[name], after[name], name)
    elif isinstance(before, list):
        assert len(after) == len(before)
        for one, two in zip(before, after, strict=True):
            check_same(one, two)
    elif isinstance(before, str):
        check_text(before, after, key)
    else:
        assert before != after or not before or key == "index" or before is True
        assert (before == 0) == (after == 0)


def check_text(before: str, after: str, key: str) -> None:
    assert len(after.encode("utf-8", "surrogatepass")) == len(
        before.encode("utf-8", "surrogatepass")
    )
    words = left(before, after)
    if key in STEERING:
        words = {word for word in words if word.lower() not in WORDS}
    elif key == "arguments":  # in which there may be keys
        words -= set(re.findall(r"\w+", " ".join(re.findall(r'"[^"]*"\s*:', before))))
    assert not words


@given(values, st.booleans(), st.integers(0, 50))
def test_json_keeps_its_shape_and_loses_its_words(value: Any, plain: bool, seed: int) -> None:
    text = json.dumps(value, ensure_ascii=plain)
    wire = b"data: " + text.encode("utf-8", "surrogatepass") + b"\n\n"
    other = redacted(wire, seed)

    assert len(other) == len(wire)
    # Halves of pairs that are no escapes are bad bytes, of which a parser makes one sign each.
    before, after = (json.loads(parsed(body)[0][0].data) for body in (wire, other))
    check_same(before, after)


@given(wires, st.integers(0, 50))
def test_of_any_bytes_only_letters_and_digits_change(wire: bytes, seed: int) -> None:
    other = redacted(wire, seed)
    before, after = (body.decode("utf-8", "surrogateescape") for body in (wire, other))

    assert len(after) == len(before)
    for one, two in zip(before, after, strict=True):
        assert one == two or category(one) == category(two)
        assert len(one.encode("utf-8", "surrogateescape")) == len(
            two.encode("utf-8", "surrogateescape")
        )


@given(wires, st.integers(0, 50))
def test_any_bytes_mean_as_much_as_before(wire: bytes, seed: int) -> None:
    (events, comments, end), (events2, comments2, end2) = (
        parsed(body) for body in (wire, redacted(wire, seed))
    )
    assert list(map(event_shape, events2)) == list(map(event_shape, events))
    assert list(map(len, comments2)) == list(map(len, comments))
    assert end_shape(end2) == end_shape(end)
    for one, two in zip(events, events2, strict=True):
        assert is_json(one.data) == is_json(two.data)


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=20))
def test_each_read_ends_where_it_ended_and_cuts_change_nothing(reads: list[bytes]) -> None:
    recording = Recording.of(reads)
    other = recording.redact(seed=1)

    assert [len(read.data) for read in other.reads] == list(map(len, reads))
    assert other.wire == Recording.of([recording.wire]).redact(seed=1).wire


@given(st.lists(texts, min_size=1, max_size=4), st.booleans(), st.integers(1, 7))
def test_arguments_may_be_cut_anywhere(strings: list[str], plain: bool, size: int) -> None:
    arguments = json.dumps({"key": strings, "yes": True, "n": 100}, ensure_ascii=plain)
    pieces = [arguments[i : i + size] for i in range(0, len(arguments), size)]
    wire = "".join(f"data: {json.dumps({'arguments': piece})}\n\n" for piece in pieces)
    events = parsed(redacted(wire.encode("utf-8", "surrogatepass")))[0]

    whole = json.loads("".join(json.loads(event.data)["arguments"] for event in events))
    check_same(json.loads(arguments), whole)
