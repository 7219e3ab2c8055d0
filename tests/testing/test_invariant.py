"""The test for anybody's parser: what it finds, what it says, and what it refuses to prove."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from untorn import SSEParser, iter_events
from untorn.testing import assert_cut_invariant

WIRE = 'data: {"t": "火"}\r\n\r\ndata: a\r\ndata: b\r\n\r\n'.encode()
RIGHT = ['{"t": "火"}', "a\nb"]
Chunks = Iterable[bytes]


def right(chunks: Chunks) -> list[str]:
    with iter_events(chunks) as events:
        return [event.data for event in events]


def fresh_decoder(chunks: Chunks) -> list[str]:
    return right([chunk.decode("utf-8", "replace").encode() for chunk in chunks])


def lf_only(chunks: Chunks) -> list[str]:
    blocks = b"".join(chunks).split(b"\n\n")
    return [block.decode() for block in blocks]


def nothing(chunks: Chunks) -> list[str]:
    return []


def trimming(chunks: Chunks) -> list[str]:
    return [data.strip('{} "') for data in right(chunks)]


def whole_events(chunks: Chunks) -> list[str]:
    found: list[str] = []
    for chunk in chunks:
        found += [event.data for event in SSEParser().feed(chunk)]
    return found


def message(parse: Callable[[Chunks], Any], wire: bytes = WIRE, **options: Any) -> str:
    with pytest.raises(AssertionError) as caught:
        assert_cut_invariant(parse, wire, **options)
    return str(caught.value)


def test_a_right_parser_passes() -> None:
    assert_cut_invariant(right, WIRE, expected=RIGHT)
    assert_cut_invariant(right, WIRE, must_cut=("character", "CRLF", "JSON text", "line", "event"))


def test_a_fresh_decoder_a_read_is_caught_where_it_fails() -> None:
    said = message(fresh_decoder, expected=RIGHT).splitlines()

    assert said[0] == f"the result depends on the cuts: 2 of {len(WIRE) - 1} cuts in two fail"
    assert said[1] == "inside a character: 14, 15"
    assert said[2].startswith("also: byte by byte, random cut ")
    assert " of seed 1" in said[2]
    assert said[3] == "first: at byte 14, inside a character"
    assert (
        said[4] == "    74 61 3a 20 7b 22 74 22 3a 20 22 e7 | 81 ab 22 7d 0d 0a 0d 0a 64 61 74 61"
    )
    assert said[6:9] == ["to repeat:", f"    wire = {WIRE!r}", "    parse([wire[:14], wire[14:]])"]
    torn = ['{"t": "\ufffd\ufffd\ufffd"}', "a\nb"]
    assert said[9:] == [
        "seed of the random cuts: 1",
        f"expected: {RIGHT!r}",
        f"got:      {torn!r}",
    ]


@pytest.mark.parametrize("parse", [lf_only, nothing, trimming])
def test_what_is_invariant_and_wrong_passes_only_without_the_expected_value(
    parse: Callable[[Chunks], list[str]],
) -> None:
    assert_cut_invariant(parse, WIRE)
    assert message(parse, expected=RIGHT).startswith(
        "even uncut, the result is not the expected one\nexpected: ['{"
    )


def test_failures_are_grouped_by_what_the_cuts_fall_inside() -> None:
    said = message(whole_events)
    lines = [line.partition(":")[0] for line in said.splitlines() if line.startswith("inside")]

    assert lines == [
        "inside a line",
        "inside a JSON text",
        "inside a character",
        "inside a CRLF",
        "inside an event",
    ]
    assert " and 1 more" in said or "more" in said


def test_what_the_parser_raises_is_a_failure() -> None:
    def strict(chunks: Chunks) -> list[str]:
        return [chunk.decode() for chunk in chunks] and right(chunks)

    assert "got:      UnicodeDecodeError(" in message(strict, expected=RIGHT)


def test_what_fails_by_chance_alone_is_repeated_as_it_is() -> None:
    def many(chunks: Chunks) -> int:
        return len(list(chunks)) > 2

    said = message(many, seed=7)
    assert said.splitlines()[1].startswith("also: byte by byte, random cut 0 of seed 7")
    assert "first: byte by byte\nto repeat:\n    parse([b'd', b'a'," in said


@pytest.mark.parametrize(
    ("wire", "must_cut", "reason"),
    [
        (b"data: a\n\n", ("character", "event"), "falls inside a character: a reader that decodes"),
        ("data: é".encode(), ("character", "event"), "falls inside an event"),
        ("data: é\n\n".encode(), ("CRLF",), "falls inside a CRLF: a reader that takes CR and LF"),
        ("data: é\n\n".encode(), ("JSON text",), "falls inside a JSON text"),
        ("é".encode(), ("line",), "falls inside a line"),
        (b"", ("line",), "falls inside a line"),
        (
            b"",
            ("word",),
            "'word' is no boundary; there are: character, CRLF, JSON text, line, event",
        ),
    ],
)
def test_a_wire_that_proves_nothing_is_refused(
    wire: bytes, must_cut: tuple[Any, ...], reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        assert_cut_invariant(right, wire, must_cut=must_cut)


def test_the_signature_shows_that_an_expected_value_is_optional() -> None:
    assert "= …" in str(inspect.signature(assert_cut_invariant))


def test_a_parser_that_keeps_state_is_told_so() -> None:
    kept: list[str] = []

    def stateful(chunks: Chunks) -> list[str]:
        kept.extend(right(chunks))
        return kept

    said = message(stateful)
    assert said.startswith("two runs over the same uncut body differ: the parser keeps state")


@pytest.mark.parametrize("wanted", ["generator", "coroutine", "async_generator"])
def test_what_cannot_be_compared_is_a_type_error_that_says_what_to_do(wanted: str) -> None:
    async def coroutine(chunks: Chunks) -> list[str]:
        return right(chunks)

    async def async_generator(chunks: Chunks) -> Any:
        yield right(chunks)

    def generator(chunks: Chunks) -> Any:
        yield right(chunks)

    ways = {way.__name__: way for way in (coroutine, async_generator, generator)}
    with pytest.raises(TypeError, match=f"parse gives a {wanted}, which is nothing to compare"):
        assert_cut_invariant(ways[wanted], WIRE)


def test_iterators_without_close_are_refused_as_well() -> None:
    with pytest.raises(TypeError, match="parse gives a list_iterator"):
        assert_cut_invariant(lambda chunks: iter(right(chunks)), WIRE)


def test_results_whose_comparison_raises() -> None:
    class Array:
        def __eq__(self, other: object) -> Any:
            raise ValueError("the truth value is ambiguous")

    with pytest.raises(TypeError, match="cannot be compared with ==: ValueError"):
        assert_cut_invariant(lambda chunks: Array(), WIRE)


def test_other_bytes_are_a_wire_and_text_is_none() -> None:
    assert_cut_invariant(right, bytearray(WIRE))  # type: ignore[arg-type]
    assert_cut_invariant(right, memoryview(WIRE), must_cut="character")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"the wire is bytes, not str: \.encode\(\) a text"):
        assert_cut_invariant(right, "data: é\n\n")  # type: ignore[arg-type]


def test_a_long_wire_is_cut_at_a_sample_of_each_kind_and_shown_in_part() -> None:
    wire = WIRE * 200
    tries = 0

    def counting(chunks: Chunks) -> list[str]:
        nonlocal tries
        tries += 1
        return fresh_decoder(chunks)

    said = message(counting, wire)
    assert 600 < tries <= 1_200 + 23
    assert f"of {tries - 23:,} cuts in two fail".replace(",", "") in said
    assert "inside a character: " in said
    assert len(said) < 20_000
    assert " characters in all" in said
