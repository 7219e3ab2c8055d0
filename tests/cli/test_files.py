"""What the command reads, and the one clear line where it cannot."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from untorn.cli._files import CommandError, is_same, loaded, opened, reads, told_apart, writing
from untorn.recording import Recording

RECORDING = Recording.of([b"data: \xe7", b"\x81\xab\n\n"])
TEXT = RECORDING.text().encode()


def test_a_file_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "body.sse"
    path.write_bytes(b"x" * 100_000)
    with opened(str(path)) as file:
        assert b"".join(reads(file, "body.sse")) == b"x" * 100_000


def test_two_names_of_one_file(tmp_path: Path) -> None:
    one, other = tmp_path / "a.rec", tmp_path / "b.rec"
    one.write_bytes(TEXT)
    other.write_bytes(TEXT)

    assert is_same(str(one), str(tmp_path / "." / "a.rec"))
    assert not is_same(str(one), str(other))
    assert not is_same(str(one), str(tmp_path / "new.rec"))
    assert not is_same("-", str(one))
    assert not is_same("a\0b", str(one))


def test_a_file_that_fails_while_it_is_read() -> None:
    class Broken(io.BufferedReader):
        def read1(self, size: int = -1, /) -> bytes:
            raise OSError(5, "Input/output error")

    with pytest.raises(CommandError, match="cannot read 'disk': Input/output error"):
        next(reads(Broken(io.BytesIO()), "disk"))


@pytest.mark.parametrize("size", [1, 5, 1_000])
def test_a_recording_is_told_by_its_first_bytes(size: int) -> None:
    pieces = [TEXT[start : start + size] for start in range(0, len(TEXT), size)]
    assert told_apart(pieces, "a.rec") == RECORDING


@pytest.mark.parametrize(
    "pieces",
    [[], [b"data: a", b"\n\n"], [b"un", b"known: field\n"], [b"untorn ", b"record"], [b"u"]],
)
def test_a_body_is_passed_on(pieces: list[bytes]) -> None:
    passed = told_apart(pieces, "body.sse")
    assert isinstance(passed, Iterator)
    assert b"".join(passed) == b"".join(pieces)


def test_a_body_is_passed_on_live() -> None:
    came: list[bytes] = []

    def source() -> Iterator[bytes]:
        for piece in (b"da", b"ta"):
            came.append(piece)
            yield piece

    passed = told_apart(source(), "-")
    assert isinstance(passed, Iterator)
    assert (next(passed), came) == (b"da", [b"da"])


def test_a_recording_with_the_line_ends_of_windows(tmp_path: Path) -> None:
    path = tmp_path / "a.rec"
    both = Recording.of([b"data: a\r\n", b"\r\n", b"\xff\r"])
    path.write_bytes(both.text().replace("\n", "\r\n").encode())
    assert loaded(str(path)) == both


def test_what_cannot_be_written_is_named() -> None:
    with (
        pytest.raises(CommandError, match=r"cannot write 'no folder/a\.rec': No such file"),
        writing("no folder/a.rec"),
    ):
        Recording().save("no folder/a.rec")
    with pytest.raises(BrokenPipeError), writing("a.rec"):
        raise BrokenPipeError(32, "Broken pipe")
    with writing("a.rec"):
        pass


def test_a_recording_that_was_cut_or_is_damaged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.rec"
    path.write_bytes(TEXT[:-4])
    assert loaded(str(path)).reads == RECORDING.reads[:1]
    assert capsys.readouterr().err == f"untorn: {str(path)!r} was cut: its last read is missing\n"
    path.write_bytes(b"untorn recording 7\n")
    with pytest.raises(CommandError, match=r"is no recording: line 1: version 7 of the form"):
        loaded(str(path))


def test_standard_input(tmp_path: Path) -> None:
    path = tmp_path / "body.sse"
    path.write_bytes(b"data: a\n\n")
    before = os.dup(0)
    with path.open("rb") as file:
        os.dup2(file.fileno(), 0)
    try:
        with opened("-") as standard:
            assert [*reads(standard, "-")] == [b"data: a\n\n"]
    finally:
        os.dup2(before, 0)
        os.close(before)


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(CommandError, match="cannot read 'no such file': "):
        opened("no such file")
