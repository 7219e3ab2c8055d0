"""The headers that ask for an event stream, and the check of what comes back."""

from __future__ import annotations

import pickle

import pytest

from untorn import ContentTypeError, UntornError, check_content_type, request_headers


def test_what_is_asked_for() -> None:
    assert request_headers() == {"Accept": "text/event-stream", "Cache-Control": "no-store"}
    assert request_headers("7")["Last-Event-ID"] == "7"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_an_id_is_utf_8_whatever_a_client_takes_it_for(encoding: str) -> None:
    value = request_headers("é火")["Last-Event-ID"]

    assert value == "é火"
    assert value.encode(encoding) == "é火".encode()
    assert value.encode() == value.encode("latin-1", "strict") == "é火".encode()
    assert f"{value}" == str(value) == "é火"


@pytest.mark.parametrize("last_event_id", ["a\0", "a\rb", "a\nb", "a\x1bb", "\x7f", "\ud83d"])
def test_an_id_that_no_header_can_carry(last_event_id: str) -> None:
    with pytest.raises(ValueError, match="no header can carry this last event ID"):
        request_headers(last_event_id)


@pytest.mark.parametrize(
    ("last_event_id", "value"),
    [(" a b ", "a b"), ("\t7", "7"), ("a\tb", "a\tb"), ("\u00a07", "\u00a07")],
)
def test_spaces_around_an_id_are_left_out_as_a_browser_does(last_event_id: str, value: str) -> None:
    assert request_headers(last_event_id)["Last-Event-ID"] == value
    assert "Last-Event-ID" not in request_headers(" \t ")


@pytest.mark.parametrize(
    "value",
    [
        "text/event-stream",
        "TEXT/Event-Stream",
        "text/event-stream;charset=utf-8",
        " text/event-stream\t; charset=iso-8859-1",
        "text/event-stream;",
    ],
)
def test_an_event_stream_whatever_its_parameters(value: str) -> None:
    check_content_type(value)


@pytest.mark.parametrize(
    ("value", "came"),
    [
        (None, "without a type"),
        ("", "''"),
        ("text/html", "'text/html'"),
        ("text/event-streams", "'text/event-streams'"),
        ("text/event-stream, text/html", "'text/event-stream, text/html'"),
        ("application/json; charset=utf-8", "'application/json; charset=utf-8'"),
    ],
)
def test_what_is_none(value: str | None, came: str) -> None:
    with pytest.raises(ContentTypeError) as raised:
        check_content_type(value)

    assert raised.value.content_type == value
    assert str(raised.value).startswith(f"the response is {came} and no event stream")
    assert isinstance(raised.value, UntornError)
    assert pickle.loads(pickle.dumps(raised.value)).args == (value,)
