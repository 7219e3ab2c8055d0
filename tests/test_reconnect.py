"""Whether, when and with what to connect again: the rules, and the sums of the backoff."""

from __future__ import annotations

from itertools import repeat
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from untorn import (
    Again,
    ContentTypeError,
    Event,
    EventTooLargeError,
    GaveUpError,
    Reconnect,
    SSEParser,
    StatusError,
    Stop,
)


def again(state: Reconnect, error: BaseException | None = None) -> Again:
    """Drop a connection that is to be opened again."""
    answer = state.dropped(error)
    assert isinstance(answer, Again)
    return answer


def fed(wire: bytes) -> SSEParser:
    parser = SSEParser()
    parser.feed(wire)
    return parser


def test_an_event_stream_is_read() -> None:
    state = Reconnect()
    assert state.opened() is None
    assert state.opened(200, "text/event-stream; charset=latin-1") is None


def test_no_content_is_the_end() -> None:
    assert Reconnect().opened(204, None) == Stop(
        "the server wants no more connections: status 204", None
    )


@pytest.mark.parametrize("status", [199, 201, 206, 301, 304, 400, 401, 404, 429, 500, 503])
def test_any_other_status_is_the_end_with_an_error(status: int) -> None:
    answer = Reconnect().opened(status)
    assert isinstance(answer, Stop)
    assert isinstance(answer.error, StatusError)
    assert answer.error.status == status
    assert answer.reason == str(answer.error)


@pytest.mark.parametrize("content_type", [None, "text/html", "application/json"])
def test_another_type_is_the_end_with_an_error(content_type: str | None) -> None:
    answer = Reconnect().opened(200, content_type)
    assert isinstance(answer, Stop)
    assert isinstance(answer.error, ContentTypeError)
    assert answer.error.content_type == content_type


def test_a_status_that_is_worth_another_try() -> None:
    state = Reconnect(retry_statuses=(429, 503), random=lambda: 0.0)
    assert isinstance(state.opened(503, "text/html"), Again)
    assert isinstance(state.opened(500), Stop)
    assert state.attempts == 1


def test_a_stream_that_ends_or_drops_is_opened_after_its_reconnection_time() -> None:
    state = Reconnect(random=lambda: 0.9)
    state.delivered(Event("a", id="7"))
    expected = Again(3_000, state.headers)
    assert state.ended() == expected
    state.delivered(Event("b", id="7"))
    assert state.dropped(OSError()) == expected
    assert expected.headers["Last-Event-ID"] == "7"


def test_the_servers_reconnection_time_counts_as_soon_as_it_is_read() -> None:
    state = Reconnect(random=lambda: 0.0)
    state.read(fed(b"retry: 50\n"))
    assert (state.retry, again(state).delay) == (50, 50)
    state.read(fed(b"data: a\n\n"))
    assert state.retry == 50


def test_the_backoff_doubles_up_to_its_end_and_chance_takes_all_or_none() -> None:
    for chance, delays in ((0.0, [100] * 6), (1.0, [1_100, 2_100, 4_100, 5_000, 5_000, 5_000])):
        state = Reconnect(retry=100, max_delay=5_000, random=repeat(chance).__next__)
        assert [again(state).delay for _ in range(6)] == delays


@pytest.mark.parametrize(("retry", "delay"), [(0, 60_000), (60_000, 60_000), (90_000, 90_000)])
def test_a_server_may_ask_for_more_than_the_longest_delay(retry: int, delay: int) -> None:
    state = Reconnect(retry=retry, random=lambda: 1.0)
    delays = [again(state).delay for _ in range(3_000)]  # no sum overflows
    assert delays[-1] == delay


def test_a_delivered_event_resets_the_backoff() -> None:
    state = Reconnect(retry=0, backoff=8, random=lambda: 1.0)
    assert [again(state).delay for _ in range(3)] == [8, 16, 32]
    state.delivered(Event("a"))
    assert state.attempts == 0
    assert [again(state).delay for _ in range(3)] == [0, 8, 16]


def test_an_event_that_is_not_delivered_resets_nothing() -> None:
    state = Reconnect(retry=0, backoff=8, random=lambda: 1.0)
    again(state)
    state.opened()
    state.accept(Event("a", id="1"))
    assert again(state).delay == 16


def test_giving_up() -> None:
    cause = OSError("refused")
    state = Reconnect(max_attempts=3)
    assert [type(state.dropped(cause)) for _ in range(3)] == [Again, Again, Stop]
    answer = state.dropped(cause)
    assert isinstance(answer, Stop)
    assert isinstance(answer.error, GaveUpError)
    assert (answer.error.attempts, answer.error.__cause__) == (4, cause)
    assert str(answer.error) == "gave up: 4 connections in a row delivered nothing"


def test_streams_that_end_without_an_event_are_attempts_as_well() -> None:
    state = Reconnect(max_attempts=2)
    state.delivered(Event("a"))
    assert [type(state.ended()) for _ in range(3)] == [Again, Again, Stop]


def test_what_the_parser_raises_is_not_tried_again() -> None:
    error = EventTooLargeError(9)
    assert Reconnect().dropped(error) == Stop(str(error), error)


def test_an_id_counts_when_its_event_is_delivered() -> None:
    state = Reconnect(last_event_id="0")
    first, second = Event("a", id="1"), Event("b", id="2")
    state.opened()
    assert (state.accept(first), state.accept(second)) == (first, second)
    assert again(state).headers["Last-Event-ID"] == "0"
    state.delivered(first)
    assert (state.last_event_id, again(state).headers["Last-Event-ID"]) == ("1", "1")


def test_an_id_of_a_block_without_data_counts_when_all_is_read() -> None:
    state = Reconnect()
    state.delivered(Event("a", id="1"))
    state.read(fed(b"id: 1\ndata: a\n\nid: 5\n\n"))
    assert state.last_event_id == "5"


def test_an_id_can_be_taken_back() -> None:
    state = Reconnect(last_event_id="7")
    state.delivered(Event("a", id=""))
    assert "Last-Event-ID" not in state.headers


def test_the_parser_of_the_next_connection_starts_with_the_last_id() -> None:
    assert Reconnect(last_event_id="7").parser_id == "7"
    assert Reconnect(last_event_id="7", remember=1).parser_id == "\0"


def connection(state: Reconnect, *ids: str) -> list[str]:
    """Read a connection whose events have these IDs, None of its own for a NUL."""
    state.opened()
    got = []
    for last_event_id in ids:
        event = state.accept(Event("x", id=last_event_id))
        if event is not None:
            got.append(event.id)
            state.delivered(event)
    return got


def test_of_each_id_as_many_events_are_dropped_as_were_delivered() -> None:
    state = Reconnect(remember=10)
    assert connection(state, "1", "2", "2", "3") == ["1", "2", "2", "3"]
    assert connection(state, "1", "2", "2", "3", "3", "4") == ["3", "4"]
    assert connection(state, "\0", "4", "4", "5") == ["4", "4", "5"]
    forgetful = Reconnect()
    assert connection(forgetful, "1", "2") + connection(forgetful, "1", "2") == ["1", "2"] * 2


def test_an_event_that_inherits_its_id_keeps_all_else() -> None:
    state = Reconnect(last_event_id="7", remember=1)
    assert state.accept(Event("a", "kind", "\0", 5)) == Event("a", "kind", "7", 5)
    state.delivered(Event("a", id="\0"))
    assert state.last_event_id == "7"


def test_the_id_of_an_earlier_run_is_remembered() -> None:
    state = Reconnect(last_event_id="3", remember=5)
    assert connection(state, "3", "4") == ["4"]


def test_the_last_ids_to_be_delivered_are_remembered() -> None:
    state = Reconnect(remember=2)
    connection(state, "1", "2", "1", "3", "")
    assert connection(state, "1", "1", "3") == []
    assert connection(state, "2") == ["2"]


def test_a_server_that_sends_all_again_moves_no_id_back() -> None:
    state = Reconnect(remember=10)
    connection(state, "1")
    state.read(fed(b"id: 1\ndata: x\n\nid: 2\n\nid: 3\n\n"))
    assert state.last_event_id == "3"
    connection(state, "1")
    state.read(fed(b"id: 1\ndata: x\n\nid: 2\n\n"))
    assert state.last_event_id == "3"
    connection(state, "1", "4")
    state.read(fed(b"id: 4\ndata: x\n\nid: 5\n\n"))
    assert state.last_event_id == "5"
    state.read(SSEParser(last_event_id=state.parser_id))
    assert state.last_event_id == "5"


def test_a_new_connection_owes_nothing_to_the_one_that_was_left() -> None:
    state = Reconnect(retry=0, backoff=8, random=lambda: 1.0)
    state.delivered(Event("a", id="1"))
    assert state.begin()["Last-Event-ID"] == "1"
    assert [again(state).delay for _ in range(2)] == [8, 16]


@pytest.mark.parametrize("option", ["retry", "backoff", "max_delay", "remember"])
def test_numbers_that_cannot_be(option: str) -> None:
    options: dict[str, Any] = {option: -1}
    with pytest.raises(ValueError, match="must be >= 0, not -1"):
        Reconnect(**options)
    with pytest.raises(ValueError, match="max_attempts must be at least 1, or None, not 0"):
        Reconnect(max_attempts=0)


def test_giving_up_on_a_status_says_which() -> None:
    state = Reconnect(retry_statuses=(503,), max_attempts=1)
    answer = state.opened(503)
    assert isinstance(answer, Stop)
    assert isinstance(answer.error, GaveUpError)
    assert isinstance(answer.error.__cause__, StatusError)


def test_a_delay_is_cut_to_whole_milliseconds() -> None:
    assert again(Reconnect(retry=0, backoff=10, random=lambda: 0.19)).delay == 1


def test_chance_is_there_by_default() -> None:
    state = Reconnect(retry=0, backoff=1_000_000, max_delay=1_000_000)
    assert len({again(state).delay for _ in range(5)}) > 1


@given(
    st.lists(st.sampled_from(["event", "end", "drop", "retry"]), max_size=40),
    st.integers(0, 5_000),
    st.floats(0, 1, exclude_max=True),
)
def test_a_delay_is_never_shorter_than_the_server_wants_nor_longer_than_allowed(
    script: list[str], retry: int, chance: float
) -> None:
    state: Any = Reconnect(retry=retry, max_delay=20_000, random=lambda: chance)
    for step in script:
        if step == "event":
            state.delivered(Event("a"))
        elif step == "retry":
            state.read(fed(b"retry: %d\n" % (retry + 1)))
        else:
            answer = state.ended() if step == "end" else state.dropped(OSError())
            assert state.retry <= answer.delay <= 20_000
