"""How a stream is traced: what each read brings out, where it stands, under every cut."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from itertools import repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspecting import ending, report
from support import Case, load, pieces, triples

from untorn import Event, SSEParser
from untorn.cli._facts import CommentSeen, EventSeen, ReadSeen
from untorn.cli._trace import trace
from untorn.testing import Boundary

WIRE = (
    b"\xef\xbb\xbfid: 1\r\ndata: caf\xc3\xa9 \x1b[2J \xe7\x81\r\n\r\n"
    b': ping\r\n\r\nevent: "e"\ndata: {"a":1}\r\rnoise\n\nretry: 5000\ndata: cut \xf0\x9f'
)
REPORT = """\
bad       bytes[27:29]  e7 81
event 1   bytes[3:32]  type "message"  id "1"  data 14 bytes  café \\x1b[2J �
comment   bytes[33:39]   ping
event 2   bytes[43:69]  type "\\"e\\""  id "1"  data 7 bytes  {"a":1}
mark      a byte order mark, dropped
end       inside a character
bytes     100
events    2
comments  1
lines     11 (LF 4, CRLF 5, CR 2)
replaced  2 ill-formed sequences
ignored   1 line  "noise"
last id   "1"
retry     5,000 ms
tail      event not dispatched, data 7 bytes  cut �
tail      unfinished line  "data: cut �"
tail      cut character  bytes[98:100]  f0 9f
layer     bytes: they are not UTF-8 at byte 27"""


def test_the_whole_report() -> None:
    assert "\n".join(report(WIRE)) == REPORT


def test_the_report_does_not_depend_on_the_cuts() -> None:
    whole = report(WIRE)

    assert report(*(bytes([byte]) for byte in WIRE)) == whole
    for offset in range(len(WIRE)):
        assert report(WIRE[:offset], WIRE[offset:]) == whole


def test_an_event_over_the_limit_ends_the_report_as_of_the_fault() -> None:
    facts = [*trace([b"data: x\n\ndata: 12345\n", b"data: y\n\n"], 10)]
    last = ending(facts)

    assert facts[:-1] == [EventSeen(1, 0, 9, Event("x"))]
    assert (last.too_large, last.end.event_count, last.cut) == ((9, 10), 1, (0, b""))
    assert (last.broken.layer, last.broken.reason) == (
        "framing",
        "an event is larger than 10 bytes",
    )
    assert ending(trace([b"data: \xff\n\ndata: 12345\n"], 10)).broken.layer == "bytes"


def test_it_reports_after_each_read() -> None:
    came: list[int] = []

    def reads() -> Iterator[bytes]:
        for number, read in enumerate([b"data: x\n", b"\n", b": c\n"]):
            came.append(number)
            yield read

    facts = trace(reads(), None)
    assert (next(facts), came) == (EventSeen(1, 0, 9, Event("x")), [0, 1])
    assert (next(facts), came) == (CommentSeen(9, 12, " c"), [0, 1, 2])
    assert ending(facts).where == "between events"


def test_a_read_of_a_recording_comes_before_what_it_brings_out() -> None:
    seen = [
        ReadSeen(1, 0, 8, 0.5, Boundary.EVENT, False),
        ReadSeen(2, 8, 9, 0.75, Boundary.NONE, True),
    ]
    facts = [*trace([b"data: x\n", b"\n"], None, seen)]

    assert facts[:-1] == [*seen, EventSeen(1, 0, 9, Event("x"))]


def test_bad_bytes_at_the_very_end_are_the_layer() -> None:
    assert ending(trace([b"data: x\n\n\xff"], None)).broken.layer == "bytes"


def test_long_data_and_many_bad_bytes_are_shown_in_part() -> None:
    lines = report(b"data: " + b"x" * 70 + b"\n\n" + b"\xff" * 1_200)

    assert lines[0].endswith(f"data 70 bytes  {'x' * 60}…")
    assert lines[1] == f"bad       bytes[78:1278]  {'ff ' * 15}ff … 1,200 bytes"


@pytest.mark.parametrize(
    "wire",
    [b"a\xff\xfe\xe7\x81\xfdb\n", b"\xff" * 600, b"\xff\xe7", b"data: \xff\n\xff\n\n", b": c \xe7"],
)
def test_bad_bytes_do_not_depend_on_the_cuts(wire: bytes) -> None:
    whole = report(wire)

    assert report(*(bytes([byte]) for byte in wire)) == whole
    for offset in range(0, len(wire), 1 + len(wire) // 20):
        assert report(wire[:offset], wire[offset:]) == whole


def test_a_character_cut_inside_a_comment_is_shown() -> None:
    lines = report(b"data: x\n\n: c \xe7\x81")

    assert "end       inside a character" in lines
    assert lines[-2] == "tail      cut character  bytes[13:15]  e7 81"


def test_ranges_begin_behind_a_byte_order_mark() -> None:
    for reads in (
        [b"\xef\xbb\xbf\n: c\ndata: x\n\n"],
        [b"\xef", b"\xbb\xbf\n: c\nda", b"ta: x\n\n"],
    ):
        lines = report(*reads)
        assert lines[0] == "comment   bytes[4:7]   c"
        assert lines[1].startswith("event 1   bytes[4:17]  ")
    assert report(b"\xef\xbb\xbf: c\n")[0] == "comment   bytes[3:6]   c"


def test_a_peer_cannot_write_fields_of_the_report() -> None:
    lines = report(b'event: a"  id "evil\ndata: x\n\n')

    assert lines[0] == ('event 1   bytes[0:29]  type "a\\"  id \\"evil"  id ""  data 1 byte  x')


def test_100_mb_take_the_memory_of_a_read_and_an_event() -> None:
    read = (b"data: " + b"x" * 4_000 + b"\n\n") * 16
    tracemalloc.start()
    try:
        reports = sum(1 for _ in trace(repeat(read, 10**8 // len(read)), None))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert reports > 24_000
    assert peak < 1_000_000


@pytest.mark.parametrize("case", load("spec", "bugreports_sse"), ids=lambda case: case.name)
def test_each_range_holds_its_event(case: Case) -> None:
    lines = report(*pieces(case.wire, case.reads))
    ranges = [line.split()[2] for line in lines if line.startswith("event ")]

    assert len(ranges) == len(case.events)
    for place, (kind, data, _) in zip(ranges, case.events, strict=True):
        start, _, end = place.removeprefix("bytes[").removesuffix("]").partition(":")
        # Behind a blank line, since a byte order mark is one at the very start only.
        before = b"\n" if int(start) else b""
        alone = SSEParser().feed(before + case.wire[int(start) : int(end)])
        assert [event[:2] for event in triples(alone)] == [(kind, data)]
        # Nor is it wider than it must be: it begins with no blank line.
        assert case.wire[int(start)] not in b"\r\n"


@given(st.lists(st.sampled_from([b"data: x", b"\r", b"\n", b"\r\n", b": c", b"\xff", b"noise"])))
def test_counts_are_the_parsers(parts: list[bytes]) -> None:
    wire = b"".join(parts)
    parser = SSEParser()
    parser.feed(wire)
    end = parser.close()
    lines = report(*parts)
    kinds = next(line for line in lines if line.startswith("lines")).partition("(")[2].rstrip(")")

    assert f"events    {end.event_count}" in lines
    assert sum(int(kind.split()[1]) for kind in kinds.split(", ")) == end.line_count
    assert int(kinds.split()[3].rstrip(",")) == wire.count(b"\r\n")
