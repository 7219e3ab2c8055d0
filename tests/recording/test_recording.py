"""A recording as a value: saved, loaded, played; and what becomes of a damaged file."""

from __future__ import annotations

from pathlib import Path

import pytest

from untorn.recording import Read, Recording, RecordingError

READS = (Read(b"data: \xe7\x81", 0.25), Read(b"\xab\n", 0.25), Read(b"\n", 1.0))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "answer.rec"


def test_what_was_saved_is_loaded(path: Path) -> None:
    recording = Recording(READS)
    recording.save(path)

    assert Recording.load(path) == recording
    assert path.read_bytes() == recording.text().encode()
    assert b"\r" not in path.read_bytes()
    assert recording.wire == "data: 火\n\n".encode()


def test_another_file_is_a_recording_of_one_read(path: Path) -> None:
    for body in (b"", b"data: a\n\n", b"\xff\x00"):
        path.write_bytes(body)
        assert Recording.load(path) == Recording((Read(body),))


def test_the_reads_come_again() -> None:
    recording = Recording.of([b"a", b"b"])

    assert list(recording.chunks()) == [b"a", b"b"]


def test_the_reads_come_again_in_their_time() -> None:
    waits: list[float] = []

    assert list(Recording(READS).chunks(timing=True, sleep=waits.append)) == [
        read.data for read in READS
    ]
    assert waits == [0.25, 0.75]


CUT = Recording((Read(b"a"), Read("données 火火\n".encode()))).text().encode()
SECOND = CUT.index(b"@", CUT.index(b"|a"))


@pytest.mark.parametrize("end", range(SECOND + 1, len(CUT)))
def test_a_file_that_was_cut_has_the_reads_before(path: Path, end: int) -> None:
    path.write_bytes(CUT[:end])

    loaded = Recording.load(path)
    assert loaded == Recording((Read(b"a"),), cut_short=True)


def test_a_file_that_ends_after_its_first_line_is_empty(path: Path) -> None:
    path.write_text("untorn recording 1\n")
    assert Recording.load(path) == Recording()
    path.write_text("untorn recording 1")
    assert Recording.load(path) == Recording()


def test_bytes_that_are_no_text_are_named(path: Path) -> None:
    path.write_bytes(b"untorn recording 1\n@ 0.000000 text 1\n|\xff\n")

    with pytest.raises(RecordingError, match="line 3: a recording is UTF-8 text"):
        Recording.load(path)


def test_a_redacted_recording_has_the_same_reads_and_other_words() -> None:
    redacted = Recording(READS, cut_short=True).redact(seed=1)

    assert [(len(read.data), read.time) for read in redacted.reads] == [
        (len(read.data), read.time) for read in READS
    ]
    assert redacted.cut_short
    assert redacted.wire.decode() != Recording(READS).wire.decode()
    assert redacted.wire.startswith(b"data: ")
    assert Recording().redact() == Recording()
