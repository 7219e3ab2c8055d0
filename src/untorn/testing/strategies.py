"""Own Hypothesis strategies for event streams: events, bodies, and cuts of a body.

Needs the extra: ``pip install "untorn[testing]"``.
"""

from __future__ import annotations

from typing import Literal

from .. import Event, encode_events

try:
    from hypothesis import strategies as st
    from hypothesis.strategies import DrawFn, SearchStrategy
except ModuleNotFoundError as _missing:
    if _missing.name != "hypothesis":
        raise
    raise ModuleNotFoundError(
        'untorn.testing.strategies needs Hypothesis: pip install "untorn[testing]"',
        name="hypothesis",
    ) from None

Kind = Literal["well-formed", "sloppy", "hostile"]

_NAMES = st.sampled_from(["message", "delta", "ping", "消息", "événement"])
_WORDS = st.sampled_from(["a", "é", "火", "🦊", "नमस्ते", "[DONE]", '{"part": "火"}', " ", "", ":"])
# What servers send that is legal and unusual, or not quite right and read by everybody.
_SLOPPY = st.sampled_from(
    [
        *(
            b"\n",
            b"\r\n",
            b"\r",
            b": keep-alive\n\n",
            b":\r\n",
            b"data\n",
            b"data:x\n",
            b"data: x\r",
        ),
        *(b"id\n", b"id: 7\r\n", b"retry: 10\n", b"retry: soon\n", b"event\n", b"event: e\n\n"),
        *(b"unknown: field\n", b"Data: x\n", b"data : x\n", "data: 火\n".encode(), b"\n\n"),
    ]
)
_HOSTILE = st.one_of(
    _SLOPPY,
    st.sampled_from(
        [
            *(b"\xef\xbb\xbf", b"\xff", b"\xe7\x81", b"\xf0\x9f\xa6", b"\xed\xa0\x80", b"\xc2\x85"),
            *(b"\0", b"id: \0\n", b"retry: " + b"9" * 5_000 + b"\n", b"data: \xe2\x80\xa8x\n"),
            *(b"<html>\n", b'{"error": {"message": "x"}}', b"\x0b\x0c\x1c", b"data: " * 50),
        ]
    ),
    st.binary(max_size=8),
)


def events() -> SearchStrategy[Event]:
    """Give events that a parser can produce and ``encode_events`` can write.

    Example:
        >>> from hypothesis import given
        >>> from untorn.testing.strategies import events
        >>> @given(events())
        ... def test_an_event_can_be_sent(event):
        ...     assert event.encode().endswith(b"\\n\\n")
        >>> test_an_event_can_be_sent()
    """
    free = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=20)
    lines = st.lists(_WORDS, min_size=1, max_size=4).map("\n".join)
    names = st.text(
        st.characters(codec="utf-8", exclude_characters="\r\n\0"), min_size=1, max_size=8
    )
    return st.builds(
        Event,
        data=st.one_of(lines, free),
        event=st.one_of(_NAMES, names),
        id=st.one_of(st.just(""), names),
        retry=st.one_of(st.none(), st.integers(0, 100_000)),
    )


@st.composite
def wires(draw: DrawFn, kind: Kind = "hostile") -> bytes:
    """Give bodies.

    Args:
        draw: Given by Hypothesis.
        kind: "well-formed", as ``encode_events`` writes events, with any of the line ends;
            "sloppy", with what servers send and a reader must bear; "hostile", with any bytes.

    Raises:
        ValueError: ``kind`` is none of these.

    Example:
        >>> from hypothesis import given
        >>> from untorn import SSEParser
        >>> from untorn.testing.strategies import wires
        >>> @given(wires("hostile"))
        ... def test_nothing_raises(wire):
        ...     parser = SSEParser()
        ...     parser.feed(wire)
        ...     assert parser.close().byte_count == len(wire)
        >>> test_nothing_raises()
    """
    if kind == "well-formed":
        sent = b"".join(encode_events(draw(st.lists(events(), max_size=5))))
        return sent.replace(b"\n", draw(st.sampled_from([b"\n", b"\r\n", b"\r"])))
    if kind not in ("sloppy", "hostile"):
        raise ValueError(f'kind must be "well-formed", "sloppy" or "hostile", not {kind!r}')
    return b"".join(draw(st.lists(_SLOPPY if kind == "sloppy" else _HOSTILE, max_size=25)))


@st.composite
def cuts(draw: DrawFn, wire: bytes) -> list[bytes]:
    """Give a body in reads, some of them empty.

    Args:
        draw: Given by Hypothesis.
        wire: The body.

    Example:
        >>> from hypothesis import given, strategies as st
        >>> from untorn import SSEParser
        >>> from untorn.testing.strategies import cuts, wires
        >>> @given(wires().flatmap(lambda wire: st.tuples(st.just(wire), cuts(wire))))
        ... def test_nothing_depends_on_the_cuts(pair):
        ...     wire, reads = pair
        ...     parser = SSEParser()
        ...     assert [e for r in reads for e in parser.feed(r)] == SSEParser().feed(wire)
        >>> test_nothing_depends_on_the_cuts()
    """
    places = draw(
        st.one_of(
            st.lists(st.integers(0, len(wire)), max_size=12).map(sorted),
            st.just(list(range(len(wire)))),
        )
    )
    bounds = zip([0, *places], [*places, len(wire)], strict=True)
    return [wire[start:end] for start, end in bounds]
