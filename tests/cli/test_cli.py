"""The command from outside: arguments, exit codes, one clear line for each fault."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from untorn.cli import _runs, main

WIRE = "data: 火\n\n".encode()


def run(*arguments: str, stdin: bytes = b"", **options: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "untorn", *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        env={**os.environ, **options},
    )


@pytest.fixture
def stream(tmp_path: Path) -> Path:
    path = tmp_path / "body.sse"
    path.write_bytes(WIRE)
    return path


@pytest.fixture
def long_inspect(tmp_path: Path) -> list[str]:
    """A command that is still writing when its output is closed."""
    path = tmp_path / "long.sse"
    path.write_bytes(WIRE * 20_000)
    return [sys.executable, "-m", "untorn", "inspect", str(path)]


def test_inspect_standard_input() -> None:
    done = run("inspect", "-", stdin=WIRE, PYTHONIOENCODING="utf-8")

    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().splitlines()[0].endswith("data 3 bytes  火")


def test_inspect_reads_live() -> None:
    command = [sys.executable, "-m", "untorn", "inspect", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in (1, 2):
            process.stdin.write(b"data: x\n\n")
            process.stdin.flush()
            assert process.stdout.readline().startswith(b"event %d" % number)
        process.stdin.close()
        assert process.stdout.readline().rstrip() == b"end       between events"
        process.stdout.read()
    assert process.returncode == 0


def test_a_terminal_that_cannot_show_a_character_shows_its_number(stream: Path) -> None:
    done = run("inspect", str(stream), PYTHONIOENCODING="ascii")

    assert (done.returncode, b"data 3 bytes  \\u706b" in done.stdout) == (0, True)


DIRECTORY = errno.EACCES if sys.platform == "win32" else errno.EISDIR


@pytest.mark.parametrize(
    ("name", "reason"), [("missing", os.strerror(errno.ENOENT)), (".", os.strerror(DIRECTORY))]
)
def test_what_cannot_be_read_is_one_line_and_exit_code_2(
    name: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / name)

    assert main(["inspect", path]) == 2
    assert capsys.readouterr() == ("", f"untorn: cannot read {path!r}: {reason}\n")


def test_a_name_that_no_file_can_have(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", "a\0b"]) == 2
    assert capsys.readouterr().err == "untorn: cannot read 'a\\x00b': embedded null byte\n"


@pytest.mark.skipif(sys.platform == "win32", reason="there a closed pipe is no signal")
def test_a_closed_pipe_is_one_line_and_exit_code_141(long_inspect: list[str]) -> None:
    with subprocess.Popen(long_inspect, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"event 1")
        process.stdout.close()
        error = process.stderr.read()

    assert error.splitlines() == [b"untorn: whatever read the output has closed it"]
    assert process.returncode == 141


@pytest.mark.skipif(sys.platform == "win32", reason="there a closed pipe is no signal")
def test_errors_into_the_same_closed_pipe_change_no_exit_code(long_inspect: list[str]) -> None:
    with subprocess.Popen(
        long_inspect, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"event 1")
        process.stdout.close()

    assert process.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("arguments", [["inspect", "-"], ["demo", "--delay", "0"]])
def test_output_that_cannot_be_written_is_one_line_and_exit_code_2(arguments: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "untorn", *arguments]
        done = subprocess.run(command, input=WIRE, stdout=full, stderr=subprocess.PIPE, check=False)

    assert done.returncode == 2
    assert done.stderr.decode().splitlines() == [
        f"untorn: cannot go on: {os.strerror(errno.ENOSPC)}"
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="the shell is a POSIX one")
def test_streams_that_the_shell_closed(stream: Path) -> None:
    def shell(command: str) -> tuple[int, bytes]:
        line = f'exec "$0" -m untorn {command}'
        done = subprocess.run(
            ["sh", "-c", line, sys.executable, str(stream)], stderr=subprocess.PIPE, check=False
        )
        return done.returncode, done.stderr

    assert shell('inspect "$1" >&-') == (0, b"")
    code, error = shell("inspect - <&-")
    assert (code, error.splitlines()) == (2, [b"untorn: cannot read '-': Bad file descriptor"])
    assert shell("inspect nothing-here 2>&-") == (2, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="there a closed pipe is no signal")
def test_the_demo_into_a_closed_pipe_is_one_line_and_exit_code_141() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "untorn", "demo", "--delay", "0"]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)

    assert done.stderr.splitlines() == [b"untorn: whatever read the output has closed it"]
    assert done.returncode == 141


@pytest.mark.skipif(sys.platform == "win32", reason="pipes there are never non-blocking")
def test_a_pipe_that_has_nothing_yet_is_not_at_its_end() -> None:
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    command = [sys.executable, "-m", "untorn", "inspect", "-"]
    with subprocess.Popen(command, stdin=reader, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        for number in (1, 2):
            os.write(writer, b"data: x\n\n")
            assert process.stdout.readline().startswith(b"event %d" % number)
        os.close(writer)
        assert process.stdout.readline().rstrip() == b"end       between events"
        process.stdout.read()
    os.close(reader)


def test_an_interrupt_is_one_line_and_exit_code_130(
    stream: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setitem(_runs.RUNS, "inspect", interrupted)

    assert main(["inspect", str(stream)]) == 130
    assert capsys.readouterr().err == "untorn: interrupted\n"


def test_the_demo_runs_over_a_real_socket() -> None:
    done = run("demo", "--delay", "0", "--chunk", "2", "--text", "火", PYTHONIOENCODING="utf-8")

    assert (done.returncode, done.stderr) == (0, b"")
    assert "in reads of 2" in done.stdout.decode()
