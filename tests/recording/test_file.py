"""The file of a recording: every read comes back, people can read it, and faults are named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from untorn.recording import Read, RecordingError
from untorn.recording._file import MAGIC, is_recording, parse, written

texts = st.text(
    st.one_of(st.characters(codec="utf-8"), st.sampled_from("\r\n \\|@#\u2028\u0085\t\x00"))
)
datas = st.one_of(st.binary(), texts.map(str.encode))
times = st.integers(0, 10**12).map(lambda microseconds: microseconds / 10**6)


@given(st.lists(st.builds(Read, datas, times), max_size=5))
def test_every_read_comes_back(reads: list[Read]) -> None:
    text = MAGIC + "\n" + "".join(map(written, reads))

    assert parse(text) == ([Read(read.data, round(read.time, 6)) for read in reads], False)
    assert text.encode("utf-8")
    assert all(line.isprintable() and not line.endswith(" ") for line in text.split("\n"))


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", ["@ 1.500000 text 0"]),
        (b"data: a\n\n", ["@ 1.500000 text 9", "|data: a\\n", "|\\n"]),
        (b"a\r\nb\rc", ["@ 1.500000 text 6", "|a\\r\\n", "|b\\r", "|c"]),
        (b"\n\r", ["@ 1.500000 text 2", "|\\n", "|\\r"]),
        ("火: ".encode(), ["@ 1.500000 text 5", "|火:\\s"]),
        (b"a\\n\x1b[2J", ["@ 1.500000 text 7", "|a\\\\n\\u{1B}[2J"]),
        (b"data: \xe7\x81", ["@ 1.500000 hex 8", "|64 61 74 61 3a 20 e7 81"]),
        (b"\xff" * 33, ["@ 1.500000 hex 33", "|" + "ff " * 31 + "ff", "|ff"]),
    ],
)
def test_what_a_read_looks_like(data: bytes, lines: list[str]) -> None:
    assert written(Read(data, 1.5)).splitlines() == lines


def test_remarks_and_empty_lines_are_passed_by() -> None:
    text = f"{MAGIC}\n# a remark\n\n@ 0.000000 text 1\n|a\n# another\n"
    assert parse(text) == ([Read(b"a")], False)


@pytest.mark.parametrize("cut", ["@ 0.000000 text 4\n", "@ 0.000000 text 4\n|a\\n\n"])
def test_a_last_read_that_was_cut_is_left_out(cut: str) -> None:
    assert parse(f"{MAGIC}\n@ 0.000000 text 1\n|a\n{cut}") == ([Read(b"a")], True)


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "a recording begins with 'untorn recording 1'"),
        ("untorn recording\n", 1, "a recording begins with 'untorn recording 1'"),
        ("untorn recording 2\n", 1, "version 2 of the form is not known, only version 1 is"),
        (f"{MAGIC}\nnoise\n", 2, "a read begins with @, time, kind and size"),
        (f"{MAGIC}\n|a\n", 2, "a read begins with @, time, kind and size"),
        (f"{MAGIC}\n@ 0.1 text 1\n|a\n", 2, "a read begins with @, time, kind and size"),
        (f"{MAGIC}\n@ 0.000000 text 1\n|ab\n", 2, "the read has 2 bytes, and not 1"),
        (f"{MAGIC}\n@ 0.000000 text 3\n|a\n# r\n", 2, "the read has 1 bytes, and not 3"),
        (f"{MAGIC}\n@ 0.000000 hex 1\n|zz\n", 3, "these are no bytes in hex"),
        (f"{MAGIC}\n@ 0.000000 text 2\n|a\n|\\x\n", 4, "\\x is no escape"),
        (f"{MAGIC}\n@ 0.000000 text 2\n|\\\n", 3, "\\ is no escape"),
        (f"{MAGIC}\n@ 0.000000 text 2\n|\\u{{110000}}\n", 3, "\\110000 is no escape"),
        (f"{MAGIC}\n@ 0.000000 text 3\n|\\u{{D800}}\n", 3, "half of a surrogate pair is no text"),
    ],
)
def test_a_fault_is_named_with_its_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(RecordingError) as caught:
        parse(text)

    assert (caught.value.line, caught.value.reason) == (line, reason)
    assert str(caught.value) == f"line {line}: {reason}"


def test_a_recording_is_known_by_its_first_line() -> None:
    assert is_recording(b"untorn recording 7\n")
    assert not is_recording(b"data: untorn recording 1\n")
