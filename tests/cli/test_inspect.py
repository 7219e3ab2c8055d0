"""What ``untorn inspect`` says, line by line."""

from __future__ import annotations

import pytest
from inspecting import report, report_on

from untorn.recording import Read, Recording

RECORDING = Recording(
    (
        Read(b'data: {"text": "Gr\xc3', 0.25),
        Read(b'\xbc\xc3\x9fe"}\r', 0.5),
        Read(b"\n\r\ndata: {", 0.75),
        Read(b'"text": 1}\n', 1.0),
        Read(b"\n", 1.0),
        Read(b"data: [DONE]\n\n", 1.25),
    )
)
REPORT = """\
read 1    bytes[0:19]  0.250000 s  ends inside a character
read 2    bytes[19:26]  0.500000 s  ends inside a CRLF
read 3    bytes[26:36]  0.750000 s  ends inside a JSON text
event 1   bytes[0:28]  type "message"  id ""  data 19 bytes  {"text": "Grüße"}
read 4    bytes[36:47]  1.000000 s  ends inside an event
read 5    bytes[47:48]  1.000000 s  ends between events
event 2   bytes[29:48]  type "message"  id ""  data 11 bytes  {"text": 1}
read 6    bytes[48:62]  1.250000 s  the last
event 3   bytes[48:62]  type "message"  id ""  data 6 bytes  [DONE]
end       between events
bytes     62
events    3
comments  0
lines     6 (LF 4, CRLF 2, CR 0)
replaced  0 ill-formed sequences
ignored   0 lines
last id   ""
retry     none
reads     6, which ended: 1 inside a character, 1 inside a CRLF, 1 inside a JSON text, \
0 inside a line, 1 inside an event, 1 between events
lost      at byte 19, the end of read 1, a decoder for each read loses "ü", and gives "��"
lost      at byte 36, the end of read 3, a reader that takes each read for whole lines loses \
"\\"text\\": 1}"
layer     none: the stream is whole, and a naive reader loses text of it all the same"""


def test_the_whole_report_on_a_recording() -> None:
    assert "\n".join(report_on(RECORDING)) == REPORT


def test_a_recording_of_one_read_loses_nothing() -> None:
    lines = report_on(Recording.of([b"data: x\n\n"]))

    assert lines[0] == "read 1    bytes[0:9]  0.000000 s  the last"
    assert [line for line in lines if line.startswith("lost")] == []
    assert lines[-1] == "layer     none"


def test_the_limit_is_a_fault_with_its_event() -> None:
    lines = report(b"data: x\n\ndata: 12345\n", limit=10)

    assert "fault     the event that begins at byte 9 is larger than 10 bytes; " in lines[1]
    assert lines[-1] == "layer     framing: an event is larger than 10 bytes"


def test_a_mark_a_tail_and_what_is_ignored_are_shown() -> None:
    lines = report(b"\xef\xbb\xbfnoise\nretry: 5\ndata: a\ndata: b \xf0\x9f")

    assert lines[0] == "mark      a byte order mark, dropped"
    assert 'ignored   1 line  "noise"' in lines
    assert "retry     5 ms" in lines
    assert lines[-4:-1] == [
        "tail      event not dispatched, data 7 bytes  a\\nb �",
        'tail      unfinished line  "data: b �"',
        "tail      cut character  bytes[34:36]  f0 9f",
    ]


@pytest.mark.parametrize(
    ("wire", "line"),
    [
        (b"id: 7", 'tail      unfinished line  "id: 7"'),
        (b"data: a\n", "tail      event not dispatched, data 1 byte  a"),
    ],
)
def test_a_tail_has_what_was_open_and_no_more(wire: bytes, line: str) -> None:
    assert [line for line in report(wire) if line.startswith("tail")] == [line]


@pytest.mark.parametrize(
    ("wire", "line"),
    [
        (b": \xff\xfe\n", "bad       bytes[2:4]  ff fe"),
        (b"\xff" * 20 + b"\n", f"bad       bytes[0:20]  {'ff ' * 15}ff … 20 bytes"),
        (b": a\x1b[2J\n", "comment   bytes[0:7]   a\\x1b[2J"),
        (b"data: " + b"x" * 61 + b"\n\n", f"data 61 bytes  {'x' * 60}…"),
    ],
)
def test_what_is_found_is_shown_in_part_and_escaped(wire: bytes, line: str) -> None:
    assert line in "\n".join(report(wire))


def test_a_peer_cannot_write_the_last_line() -> None:
    lines = report(b'event: error\ndata: {"error": {"message": "a\\nlayer     none"}}\n\n')

    assert lines[-1] == "layer     provider: it reports an error: a\\nlayer     none"
