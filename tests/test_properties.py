"""Properties on arbitrary bytes: any cut is the same, and the same as a second reading says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import oracle
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support import areads, drive, pieces

from untorn import (
    DecodeError,
    Event,
    EventTooLargeError,
    SSEParser,
    StreamEnd,
    UntornError,
    aiter_events,
    encode_events,
    iter_events,
)

Errors = Literal["replace", "strict"]

# What streams are made of, and what tears them: each alone is likely to be cut.
FRAGMENTS = [
    *(b"\n", b"\r", b"\r\n", b"\n\n", b"\r\n\r\n", b":", b" ", b": ", b"\0", b"\t", b"+", b"_"),
    *(b"data", b"data:", b"data: ", b"data: x\n\n", b"data: x\ndata\n", b"event: e\n", b"event"),
    *(b"id: 1\n", b"id: 2\r", b"id\n", b"id: \0\n", b"retry: 12\n", b"retry: 99999999999\r\n"),
    *(b": comment\n", b"unknown: field\n", b"Data: x\n", b" data: x\n", b"{", b"\xe2\x80\xa8"),
    *(b"\xef\xbb\xbf", b"\xef", b"\xbb", b"\xbf", b"\xef\xbf\xbd", b"\xff", b"\xc2", b"\xe2\x82"),
    *(
        b"\xed\xa0",
        b"\xed\xa0\x80",
        b"\xf0\x9f\x98",
        b"\xf4\x90",
        b"\xe0\x80",
        b"\x85",
        b"\xc2\x85",
    ),
    *("火".encode(), "é".encode(), "🌅".encode(), "\u2028".encode(), b"1", b"0" * 30),
]
wires = st.lists(st.sampled_from(FRAGMENTS) | st.binary(max_size=4), max_size=25).map(b"".join)
limits = st.none() | st.integers(1, 20)
modes: st.SearchStrategy[Errors] = st.sampled_from(["replace", "strict"])


@st.composite
def cut_wires(draw: st.DrawFn) -> tuple[bytes, list[bytes]]:
    wire = draw(wires)
    offsets = draw(st.lists(st.integers(0, len(wire)), max_size=12) | st.just(range(len(wire))))
    return wire, pieces(wire, tuple(sorted(offsets)))


Outcome = tuple[list[Event], list[str], Any, dict[str, Any]]


def outcome(reads: Sequence[bytes], errors: Errors, limit: int | None, watch: bool) -> Outcome:
    """Feed reads; give events (those that a fault carries included), comments, fault and end.

    A parser whose comments nobody watches goes a shorter way.
    """
    comments: list[str] = []
    on_comment = comments.append if watch else None
    parser = SSEParser(errors=errors, max_event_size=limit, on_comment=on_comment)
    events: list[Event] = []
    fault = None
    for read in reads:
        try:
            events += parser.feed(read)
        except (DecodeError, EventTooLargeError) as error:
            events += error.events
            fault = (type(error).__name__, *error.args)
            break
    return events, comments, fault, facts(parser.close(), fault)


def facts(end: StreamEnd, fault: object) -> dict[str, Any]:
    """Give what an end says; after a fault, without what depends on where its read ended."""
    every = {name: getattr(end, name) for name in StreamEnd.__slots__}
    return {k: v for k, v in every.items() if not (fault and k in ("byte_count", "replacements"))}


@given(cut_wires(), modes, limits, st.booleans())
@example((b"data: x\n\n\xed\xa0", [b"data: x\n\n\xed", b"\xa0"]), "strict", None, False)
@example((b"\xef\xbb", [b"\xef", b"", b"\xbb"]), "replace", 3, True)
def test_rule_1_nothing_depends_on_the_cuts(
    cut_wire: tuple[bytes, list[bytes]], errors: Errors, limit: int | None, watch: bool
) -> None:
    wire, reads = cut_wire

    assert outcome(reads, errors, limit, watch) == outcome([wire], errors, limit, watch)


@given(cut_wires(), modes, limits, st.booleans())
def test_rules_4_to_8_as_the_oracle_reads_them(
    cut_wire: tuple[bytes, list[bytes]], errors: Errors, limit: int | None, watch: bool
) -> None:
    wire, reads = cut_wire
    events, comments, fault, end = outcome(reads, errors, limit, watch)
    expected = oracle.read(wire, strict=errors == "strict", limit=limit)

    assert [(e.event, e.data, e.id, e.retry) for e in events] == expected.events
    assert (comments, fault) == (expected.comments if watch else [], expected.fault)
    assert (end["last_event_id"], end["retry"]) == (expected.last_event_id, expected.retry)
    assert (end["event_count"], end["line_count"]) == (len(expected.events), expected.lines)
    assert end["ignored_lines"] == len(expected.ignored)
    assert end["ignored_text"] == "\n".join(expected.ignored)[:1_000]
    if fault is None:
        assert (end["byte_count"], end["replacements"]) == (len(wire), expected.replacements)
    tail = end["tail"]
    assert (None if tail is None else tail_facts(tail)) == expected.tail


def tail_facts(tail: Any) -> tuple[Any, ...]:
    event = tail.event
    shown = None if event is None else (event.event, event.data, event.id, event.retry)
    return shown, tail.line, tail.undecoded


@given(cut_wires(), modes, limits)
@pytest.mark.filterwarnings("ignore:the stream had bytes but no:RuntimeWarning")
def test_rule_11_the_iterators_give_what_feed_gives(
    cut_wire: tuple[bytes, list[bytes]], errors: Errors, limit: int | None
) -> None:
    expected, _, fault, end = outcome(cut_wire[1], errors, limit, watch=False)

    async def run() -> tuple[Any, ...]:
        parser = SSEParser(errors=errors, max_event_size=limit)
        events: list[Event] = []
        async with aiter_events(areads(cut_wire[1]), parser=parser) as stream:
            try:
                async for event in stream:
                    events.append(event)
            except UntornError as error:
                return events, error, stream.end
        return events, None, stream.end

    def run_sync() -> tuple[Any, ...]:
        parser = SSEParser(errors=errors, max_event_size=limit)
        events: list[Event] = []
        with iter_events(cut_wire[1], parser=parser) as stream:
            try:
                for event in stream:
                    events.append(event)
            except UntornError as error:
                return events, error, stream.end
        return events, None, stream.end

    for got, error, got_end in (drive(run()), run_sync()):
        got_fault = None if error is None else (type(error).__name__, *error.args)
        assert (got, got_fault, facts(got_end, got_fault)) == (expected, fault, end)
        assert error is None or error.events == ()


@given(cut_wires(), st.integers(1, 4))
@pytest.mark.filterwarnings("ignore:the stream had bytes but no:RuntimeWarning")
def test_rule_10_a_callback_that_raises_loses_no_event_before_it(
    cut_wire: tuple[bytes, list[bytes]], patience: int
) -> None:
    def run(reads: Sequence[bytes]) -> tuple[Any, ...]:
        comments: list[str] = []

        def on_comment(text: str) -> None:
            comments.append(text)
            if len(comments) == patience:
                raise KeyError(text)

        stream = iter_events(reads, parser=SSEParser(on_comment=on_comment), tail="dispatch")
        events: list[Event] = []
        try:
            for event in stream:
                events.append(event)
        except KeyError:
            assert stream.end is not None
            return events, comments, facts(stream.end, "KeyError")
        return events, comments, None

    assert run(cut_wire[1]) == run([cut_wire[0]])


# What a parser can produce: no CR and no lone surrogate anywhere, LF in data only, NUL not in ids.
text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=20)
line = text.map(lambda value: value.replace("\n", " "))
events = st.builds(
    Event,
    text,
    line.filter(bool) | st.just("message"),
    line.map(lambda value: value.replace("\0", "")),
    st.none() | st.integers(0, 10**10),
)


@given(st.lists(events, max_size=8), st.integers(1, 50))
def test_rule_12_parsing_gives_back_what_was_encoded(expected: list[Event], size: int) -> None:
    wire = b"".join(encode_events(expected))
    reads = [wire[i : i + size] for i in range(0, len(wire), size)]
    parser = SSEParser(errors="strict")

    assert [event for read in reads for event in parser.feed(read)] == expected
    assert parser.close().tail is None


@given(wires)
def test_rule_12_whatever_a_parser_produces_can_be_encoded(wire: bytes) -> None:
    produced = SSEParser().feed(wire)
    again = SSEParser().feed(b"".join(encode_events(produced)))

    assert again == produced


@given(st.lists(events, min_size=1, max_size=4))
def test_rule_12_an_event_alone_comes_back_alone(several: list[Event]) -> None:
    assert [SSEParser().feed(event.encode()) for event in several] == [[e] for e in several]


@given(text.filter(lambda value: "\n" not in value), wires)
def test_rule_4_what_the_server_sent_is_not_counted(value: str, wire: bytes) -> None:
    parser = SSEParser()
    parser.feed(f"data: {value}\ufffd\n\n".encode())

    assert parser.replacements == 0
    assert (
        oracle.read(wire + "\ufffd".encode()).replacements == oracle.read(wire + b"x").replacements
    )
