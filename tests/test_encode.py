"""The way back: lists of events, comments, reconnection times."""

from __future__ import annotations

import pytest

from untorn import EncodeError, Event, SSEParser, encode_comment, encode_events, encode_retry


def test_rule_12_the_last_id_is_carried_along() -> None:
    events = [Event("a"), Event("b", id="1"), Event("c", id="1"), Event("d"), Event("e", id="2")]
    wire = list(encode_events(events))

    assert wire == [
        b"data: a\n\n",
        b"id: 1\ndata: b\n\n",
        b"data: c\n\n",
        b"id: \ndata: d\n\n",
        b"id: 2\ndata: e\n\n",
    ]
    assert SSEParser().feed(b"".join(wire)) == events


def test_events_are_written_one_by_one() -> None:
    stream = encode_events(iter([Event("good"), Event("bad\r")]))

    assert next(stream) == b"data: good\n\n"
    with pytest.raises(EncodeError):
        next(stream)


@pytest.mark.parametrize("text", ["", " keep-alive", "a\nb\n", " 火"])
def test_a_comment_comes_back_line_by_line_and_gives_no_event(text: str) -> None:
    seen: list[str] = []
    parser = SSEParser(on_comment=seen.append)

    assert parser.feed(encode_comment(text) + Event("x").encode()) == [Event("x")]
    assert "\n".join(seen) == text


@pytest.mark.parametrize("text", ["a\rdata: injected", "\ud800"])
def test_a_comment_that_cannot_be_carried_is_refused(text: str) -> None:
    with pytest.raises(EncodeError) as caught:
        encode_comment(text)

    assert caught.value.field == "comment"


def test_a_retry_belongs_to_no_event() -> None:
    parser = SSEParser()

    assert parser.feed(encode_retry(3000) + Event("x").encode()) == [Event("x")]
    assert parser.retry == 3000
    with pytest.raises(EncodeError):
        encode_retry(-1)
