"""How a read of lines is taken, as one block, as data lines, by line or by part: all the same."""

from __future__ import annotations

import pytest
from support import Case, check, feed_door, few_cuts, load

from untorn import Event, _fields
from untorn._fields import FieldReader


@pytest.fixture(autouse=True, params=[0, 10**9], ids=["by part", "by line"])
def few(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every read apart by the pattern, and line by line."""
    monkeypatch.setattr(_fields, "FEW", request.param)


@pytest.mark.parametrize("case", load("spec"), ids=lambda case: case.name)
def test_what_comes_out_does_not_depend_on_how_a_read_is_taken(case: Case) -> None:
    check(case, feed_door(), few_cuts(case))


def reader(last_event_id: str = "") -> FieldReader:
    return FieldReader(last_event_id=last_event_id, retry=None, on_comment=None)


@pytest.mark.parametrize(
    ("block", "event", "lines"),
    [
        ("data: 火\n\n", Event("火", id="7"), 2),
        ("data: \n\n", Event("", id="7"), 2),
        ("data: data: x\n\n", Event("data: x", id="7"), 2),
        ("event: é\ndata: 火\n\n", Event("火", "é", id="7"), 3),
        ("event: message\ndata: x\n\n", Event("x", id="7"), 3),
    ],
)
def test_a_read_of_one_simple_block_is_not_taken_apart(
    block: str, event: Event, lines: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    fields = reader("7")
    monkeypatch.delattr(FieldReader, "_by_part")
    monkeypatch.delattr(FieldReader, "_by_line")

    assert fields.read(block) == [event]
    assert (fields.line_count, fields.event_count) == (lines, 1)


@pytest.mark.parametrize(
    ("lines", "events"),
    [
        ("\n", []),
        ("data: x\n", []),
        ("data:x\n\n", [Event("x", id="7")]),
        ("data: x\n\n\n", [Event("x", id="7")]),
        ("\ndata: x\n\n", [Event("x", id="7")]),
        ("data: x\ndata: y\n\n", [Event("x\ny", id="7")]),
        ("data: x\n\ndata: y\n\n", [Event("x", id="7"), Event("y", id="7")]),
        ("data: x\n\nevent: e\ndata: y\n\n", [Event("x", id="7"), Event("y", "e", id="7")]),
        ("event: x\n\n", []),
        ("event: x\nevent: y\ndata: x\n\n", [Event("x", "y", id="7")]),
        ("event: \ndata: x\n\n", [Event("x", id="7")]),
        ("event:x\ndata: x\n\n", [Event("x", "x", id="7")]),
        ("event: x\ndata:x\n\n", [Event("x", "x", id="7")]),
        ("data: x\nevent: x\n\n", [Event("x", "x", id="7")]),
        ("id: 8\ndata: x\n\n", [Event("x", id="8")]),
        ("id:8\nevent:e\ndata:x\n\n", [Event("x", "e", id="8")]),
        ("id:  8\nevent:  e\ndata:  x\n\n", [Event(" x", " e", id=" 8")]),
        ("id: \ndata: x\n\n", [Event("x")]),
        ("id\ndata: x\n\n", [Event("x")]),
        ("id: 8\x009\ndata: x\n\n", [Event("x", id="7")]),
        ("id: 8\ndata: x\n\ndata: y\n\n", [Event("x", id="8"), Event("y", id="8")]),
        ("id: 8\ndata: x\n\nid: 9\n\ndata: y\n\n", [Event("x", id="8"), Event("y", id="9")]),
        ("id: 8\nid: 9\ndata: x\n\n", [Event("x", id="9")]),
        ("event: x\nid: 8\ndata: x\n\n", [Event("x", "x", id="8")]),
        (": c\ndata: x\n\n", [Event("x", id="7")]),
        ("id: 8\n: c\n\n: c\ndata: x\n\n", [Event("x", id="8")]),
    ],
)
def test_all_parts_of_a_read_are_counted_and_read(lines: str, events: list[Event]) -> None:
    fields = reader("7")

    assert fields.read(lines) == events
    assert (fields.line_count, fields.event_count) == (lines.count("\n"), len(events))


@pytest.mark.parametrize(
    ("line", "event"),
    [
        ("data: a", Event("a\nx", id="0")),
        ("event: e", Event("x", "e", id="0")),
        ("id: 8", Event("x", id="8")),
        ("retry: 5", Event("x", id="0", retry=5)),
        (": c", Event("x", id="0")),
        ("other", Event("x", id="0")),
    ],
)
@pytest.mark.parametrize("kind", ["", "event: f\n"])
@pytest.mark.parametrize("own_id", ["", "id: 9\n"])
def test_a_simple_block_ends_the_event_that_is_open(
    line: str, event: Event, kind: str, own_id: str
) -> None:
    fields = reader("0")
    assert fields.read(line + "\n") == []
    event = Event(
        event.data, "f" if kind else event.event, "9" if own_id else event.id, event.retry
    )
    lines = f"{own_id}{kind}data: x\n\ndata: y\n\n"

    assert fields.read(lines) == [event, Event("y", id=event.id)]
    assert fields.line_count == 1 + lines.count("\n")


@pytest.mark.parametrize(
    ("lines", "held"),
    [
        ("data: x\ndata: y\n", b"a\nx\ny\n"),
        ("data: x\ndata: \ndata:  火\n", "a\nx\n\n 火\n".encode()),
        ("data: data: x\ndata:  \n", b"a\ndata: x\n \n"),
    ],
)
def test_a_read_of_data_lines_of_an_open_event_is_not_taken_apart(
    lines: str, held: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    fields = reader()
    fields.read("data: a\n")
    monkeypatch.setattr(_fields, "FEW", 0)
    with monkeypatch.context() as patch:
        patch.delattr(FieldReader, "_by_line")
        assert fields.read(lines) == []

    assert fields.held == held
    assert fields.line_count == 1 + lines.count("\n")
    assert fields.read("\n") == [Event(held[:-1].decode())]


@pytest.mark.parametrize(
    ("lines", "events"),
    [
        ("\n", [Event("a")]),
        ("data: x\n\n", [Event("a\nx")]),
        ("data: x\nid: 7\n", [Event("a\nx", id="7")]),
        ("data:x\n", [Event("a\nx")]),
        ("x\ndata: data: y\n", [Event("a\ndata: y")]),
        ("\ndata: x\n", [Event("a"), Event("x")]),
        ("\n\n\ndata: x\n", [Event("a"), Event("x")]),
        (": c\n\n: d\n", [Event("a")]),
        ("\n: c\n", [Event("a")]),
        (": c\n: d\ndata: x\n", [Event("a\nx")]),
        (": c\n\n\n: d\n\ndata: x\n", [Event("a"), Event("x")]),
        ("data: x\n" * 200 + "\ndata: y\n", [Event("a\n" + "x\n" * 199 + "x"), Event("y")]),
    ],
)
def test_a_read_of_other_lines_as_well_is_taken_apart(lines: str, events: list[Event]) -> None:
    fields = reader()
    fields.read("data: a\n")

    assert fields.read(lines) + fields.read("\n") == events
    assert fields.line_count == 2 + lines.count("\n")


@pytest.mark.parametrize("line", ["data: x\n", "x\n", "id: 1\n", ": c\n", "event: e\n"])
def test_a_run_of_lines_may_be_longer_than_one_part(line: str) -> None:
    fields = reader()
    begun = fields.read("data: a\n\n" + line * 1_700 + "data: z\n\n")
    data = "x\n" * 1_700 + "z" if line[0] == "d" else "z"
    kind, last = "e" if line[0] == "e" else "message", "1" if line[0] == "i" else ""

    assert begun == [Event("a"), Event(data, kind, last)]
    assert fields.line_count == 1_704


def test_a_text_without_the_prefix_is_the_same_object() -> None:
    # The short way tells by that whether there was one; no page of Python's documentation says so.
    line = "".join(["id", ": 7"])

    assert line.removeprefix("data: ") is line
    assert line.removeprefix("id: ") is not line
