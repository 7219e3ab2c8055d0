"""Following through scripted failures: every event of a server arrives once and in order."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from scripted import Script, Way, async_way, sync_way

from untorn import Event, Reconnect, encode_events

SENT = [
    Event("one", id="1"),
    Event("no ID of its own", id="1"),
    Event("two", "kind", "2", 30),
    Event("two again", id="2"),
    Event("", id="3"),
    Event("deux\nlignes", id="é"),
    Event("five", id="5"),
]
FAULTS = st.one_of(
    st.just("refused"),
    st.tuples(st.sampled_from(["ends", "drops", "closes badly"]), st.integers(0, 220)),
)


@settings(max_examples=max(3_000, settings().max_examples))
@given(
    st.lists(FAULTS, max_size=12),
    st.sampled_from([1, 3, 7, 500]),
    st.sampled_from(["resumes", "sends the last one again", "sends all again"]),
    st.sampled_from([b"\n", b"\r\n", b"\r"]),
    st.sampled_from([sync_way, async_way]),
)
def test_every_event_arrives_once_and_in_order(
    faults: list[Any], size: int, server: str, line_end: bytes, way: Way
) -> None:
    """A server that has all events; connections that are refused, end or drop anywhere.

    One that resumes does so behind the last event of an ID, so a stream that was cut between two
    of one ID loses the second: the ID says no more. One that repeats loses none.
    """
    ids = [event.id for event in SENT]

    class Server(Script):
        def _step(self, headers: dict[str, str]) -> tuple[list[Any], int]:
            last = headers["Last-Event-ID"].encode().decode() if "Last-Event-ID" in headers else ""
            self.asked.append(last)
            if last == ids[-1]:
                return [], 204
            behind = len(ids) - ids[::-1].index(last) if last else 0
            first = ids.index(last) if last else 0
            start = {"resumes": behind, "sends all again": 0}.get(server, first)
            sent = [b"\xef\xbb\xbf: hello\nretry: 7\n\n", *[*encode_events(SENT)][start:]]
            wire = b"".join(sent).replace(b"\n", line_end)
            fault = faults.pop(0) if faults else ("ends", len(wire))
            if fault == "refused":
                raise OSError("refused")
            wire = wire[: fault[1]]
            self.closing = [OSError("closed badly") if fault[0] == "closes badly" else None]
            reads: list[Any] = [wire[at : at + size] for at in range(0, len(wire), size)]
            return [*reads, *([OSError("dropped")] if fault[0] == "drops" else [])], 200

    script = Server([])
    remember = 0 if server == "resumes" else 100
    got, error = way(script, reconnect=Reconnect(remember=remember))

    assert error is None
    if server == "resumes":
        lost = [event for event in SENT if event not in got]
        assert [event for event in SENT if event in got] == got
        assert {event.data for event in lost} <= {"no ID of its own", "two again"}
    else:
        assert got == SENT
    asked = [ids.index(last) + 1 if last else 0 for last in script.asked]
    assert asked == sorted(asked)
