"""How a field is written, and what is refused."""

from __future__ import annotations

import pytest

from untorn import EncodeError, Event, SSEParser
from untorn._wire import block


@pytest.mark.parametrize(
    ("event", "field", "reason"),
    [
        (Event("a\rb"), "data", r"must not hold '\\r'"),
        (Event("a\r\nb"), "data", r"must not hold '\\r'"),
        (Event("x", "a\nb"), "event", r"must not hold '\\n'"),
        (Event("x", "a\rb"), "event", r"must not hold '\\r'"),
        (Event("x", id="7\ndata: injected"), "id", r"must not hold '\\n'"),
        (Event("x", id="7\r"), "id", r"must not hold '\\r'"),
        (Event("x", id="7\0"), "id", r"must not hold '\\x00'"),
        (Event("\ud83d"), "data", "half of a surrogate pair"),
        (Event("x", "\udc00"), "event", "half of a surrogate pair"),
        (Event("x", id="\udc00"), "id", "half of a surrogate pair"),
        (Event("x", retry=-1), "retry", "whole number of milliseconds"),
        (Event("x", retry=2.5), "retry", "whole number of milliseconds"),  # type: ignore[arg-type]
        (Event("x", retry=True), "retry", "whole number of milliseconds"),
    ],
)
def test_rule_12_what_cannot_be_carried_is_refused(event: Event, field: str, reason: str) -> None:
    with pytest.raises(EncodeError, match=reason) as caught:
        event.encode()

    assert (caught.value.field, caught.value.value) == (field, getattr(event, field))


@pytest.mark.parametrize(
    ("ms", "reason"),
    [(10**5_000, "beyond any use"), (-(10**5_000), "whole number of milliseconds")],
    ids=["large", "negative"],
)
def test_a_retry_of_more_digits_than_str_takes_is_refused_as_well(ms: int, reason: str) -> None:
    with pytest.raises(EncodeError, match=reason) as caught:
        Event("x", retry=ms).encode()

    assert (caught.value.field, caught.value.value) == ("retry", hex(ms))


def test_what_looks_special_and_is_not_comes_back() -> None:
    event = Event(" x: y \n\0\ufeff\u2028", " data:", " 7 \ufeff")

    assert SSEParser().feed(event.encode()) == [event]


def test_an_empty_type_is_the_default_one() -> None:
    assert SSEParser().feed(Event("x", "").encode()) == [Event("x", "message")]


def test_no_id_leaves_the_readers_id_alone_and_an_empty_one_clears_it() -> None:
    parser = SSEParser(last_event_id="7")

    assert parser.feed(block("x", event="", last_event_id=None, retry=None)) == [Event("x", id="7")]
    assert parser.feed(block("x", event="", last_event_id="", retry=None)) == [Event("x")]


def test_rule_12_an_int_of_another_kind_cannot_inject() -> None:
    class Sly(int):
        def __str__(self) -> str:
            return "1\n\ndata: injected"

        __repr__ = __str__

    assert Event("x", retry=Sly(5)).encode() == b"retry: 5\ndata: x\n\n"
