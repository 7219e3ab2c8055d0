"""The decoder: text out of any cut, the mark dropped once, bad bytes counted."""

from __future__ import annotations

import itertools
from typing import Literal

import oracle
import pytest

from untorn._utf8 import Utf8Decoder

BOM = b"\xef\xbb\xbf"


def feed(
    *chunks: bytes, errors: Literal["replace", "strict"] = "replace"
) -> tuple[list[str], Utf8Decoder]:
    decoder = Utf8Decoder(errors)
    offsets = itertools.accumulate((len(chunk) for chunk in chunks), initial=0)
    return [decoder.decode(chunk, at) for chunk, at in zip(chunks, offsets, strict=False)], decoder


def test_a_cut_character_waits_for_its_rest() -> None:
    out, decoder = feed(b"a\xe7", b"\x81", b"", b"\xabb")

    assert out == ["a", "", "", "火b"]
    assert (decoder.replacements, decoder.close()) == (0, b"")


def test_whole_characters_are_given_at_once() -> None:
    out, decoder = feed(b"data: x\n", "data: é火🌅\n".encode())

    assert out == ["data: x\n", "data: é火🌅\n"]
    assert decoder.close() == b""


def test_ascii_after_a_cut_character_breaks_it() -> None:
    out, decoder = feed(b"a", b"\xe7\x81", b"b")

    assert out == ["a", "", "\ufffdb"]
    assert decoder.replacements == 1


@pytest.mark.parametrize(
    ("chunks", "passing"),
    [
        ([b""], False),
        ([b"\xef\xbb"], False),
        ([BOM], True),
        ([b"a"], True),
        ([b"a\xe7"], False),
        ([b"a\xe7", b"\x81\xab"], True),
        ([b"\xff"], True),
    ],
)
def test_it_is_passing_behind_the_start_and_between_characters(
    chunks: list[bytes], passing: bool
) -> None:
    assert feed(*chunks)[1].passing is passing


@pytest.mark.parametrize(
    ("wire", "count"),
    [
        (b"\xff", 1),  # never a byte of UTF-8
        (b"\x80\xbf", 2),  # lone continuations: one each
        (b"\xc0\x80", 2),  # overlong: one a byte
        (b"\xe0\x80\x80", 3),
        (b"\xed\xa0\x80", 3),  # a surrogate half
        (b"\xf4\x90\x80\x80", 4),  # above U+10FFFF
        (b"\xe2\x82|", 1),  # a sequence cut by another character: one in all
        (b"\xf0\x9f\x98|", 1),
        (b"\xc2\n", 1),  # and a line end is never swallowed
        ("\ufffd".encode(), 0),  # what the server sent is not ours
        ("\ufffd\ufffd".encode() + b"\xff" + "\ufffd".encode(), 1),
        (b"\xef\xbf\xef\xbf\xbd", 1),  # a cut one in front of one that was sent
    ],
)
def test_rule_4_each_maximal_ill_formed_part_is_one_replacement(wire: bytes, count: int) -> None:
    for chunks in ([wire], [bytes([byte]) for byte in wire]):
        out, decoder = feed(*chunks)
        assert ("".join(out), decoder.replacements) == (wire.decode("utf-8", "replace"), count)


def test_every_short_string_of_boundary_bytes_is_as_the_standard_says() -> None:
    boundaries = [
        0x41,
        0x7F,
        0x80,
        0x9F,
        0xA0,
        0xBF,
        0xC1,
        0xC2,
        0xE0,
        0xED,
        0xEF,
        0xF0,
        0xF4,
        0xFF,
    ]
    for length in (1, 2, 3):
        for values in itertools.product(boundaries, repeat=length):
            wire = b"|" + bytes(values)
            expected = oracle.decode(wire)
            out, decoder = feed(*(bytes([byte]) for byte in wire))
            tail = decoder.close().decode("utf-8", "replace")
            assert "".join(out) + tail == "".join(c for c, _, _ in expected)
            assert decoder.replacements == sum(is_error for _, _, is_error in expected)


@pytest.mark.parametrize("sizes", [(3,), (1, 2), (2, 1), (1, 1, 1), (0, 1, 0, 0, 2, 0)])
def test_rule_3_one_mark_is_dropped_over_any_cut_and_empty_reads(sizes: tuple[int, ...]) -> None:
    wire = BOM + BOM + b"x"
    edges = [0, *itertools.accumulate(sizes), len(wire)]
    out, decoder = feed(*(wire[a:b] for a, b in itertools.pairwise(edges)))

    assert "".join(out) == "\ufeffx"
    assert decoder.replacements == 0


def test_rule_3_a_mark_is_dropped_at_the_very_start_only() -> None:
    assert "".join(feed(b"", b"a", BOM)[0]) == "a\ufeff"
    assert "".join(feed(b"\xff" + BOM)[0]) == "\ufffd\ufeff"
    assert "".join(feed(BOM)[0]) == ""


@pytest.mark.parametrize("half", [b"\xef", b"\xef\xbb"])
def test_rule_3_half_a_mark_at_the_end_is_a_cut_character(half: bytes) -> None:
    out, decoder = feed(half)

    assert ("".join(out), decoder.close(), decoder.replacements) == ("", half, 1)
    assert (decoder.close(), decoder.replacements) == (b"", 1)


@pytest.mark.parametrize(
    ("chunks", "before", "offset", "bad"),
    [
        ([b"ab\xff"], "ab", 2, b"\xff"),
        ([b"ab", b"\xff\xfe"], "ab", 2, b"\xff"),
        ([b"a\xe2", b"\x82", b"x"], "a", 1, b"\xe2\x82"),
        ([b"a\xe2\x82x"], "a", 1, b"\xe2\x82"),
        ([BOM, b"a", "火".encode(), b"\x80"], "a火", 7, b"\x80"),
        ([BOM + b"a\xff"], "a", 4, b"\xff"),
        ([b"\xef\xbb", b"x"], "", 0, b"\xef\xbb"),
        ([b"\xed", b"\xa0", b"\x80"], "", 0, b"\xed"),
    ],
)
def test_rule_4_strict_stops_at_the_absolute_offset(
    chunks: list[bytes], before: str, offset: int, bad: bytes
) -> None:
    out, decoder = feed(*chunks, errors="strict")
    fault = decoder.fault

    assert fault is not None
    assert ("".join(out), fault.offset, fault.bad_bytes) == (before, offset, bad)


@pytest.mark.parametrize("size", [1, 3, 100])
def test_strict_makes_no_replacement_of_those_that_the_server_sent(size: int) -> None:
    wire = "a\ufffd".encode() + b"\xff" + "\ufffd\ufffd".encode()
    out, decoder = feed(*(wire[at : at + size] for at in range(0, 5, size)), errors="strict")

    assert ("".join(out), decoder.replacements) == ("a\ufffd", 0)
    assert decoder.fault is not None


def test_rule_8_strict_counts_a_cut_character_at_the_end_too() -> None:
    _, decoder = feed(b"a\xf0\x9f", errors="strict")

    assert (decoder.fault, decoder.close(), decoder.replacements) == (None, b"\xf0\x9f", 1)
