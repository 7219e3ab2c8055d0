"""The command from outside: arguments, exit codes, one clear line for each fault."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from untorn import cli
from untorn.cli import main

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


def test_inspect_a_file(stream: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(stream)]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[0] == 'event 1   bytes[0:11]  type "message"  id ""  data 3 bytes  火'
    assert err == ""


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


def test_an_event_over_the_limit_is_exit_code_1(
    stream: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["inspect", "--max-event-size", "5", str(stream)]) == 1
    assert "fault     the event that begins at byte 0 is larger" in capsys.readouterr().out


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


def test_a_file_that_fails_while_it_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    class Broken(io.BufferedReader):
        def read1(self, size: int = -1, /) -> bytes:
            raise OSError(5, "Input/output error")

    with pytest.raises(cli.CommandError, match="cannot read 'disk': Input/output error"):
        next(cli._reads(Broken(io.BytesIO()), "disk"))


@pytest.mark.skipif(sys.platform == "win32", reason="there a closed pipe is no signal")
def test_a_closed_pipe_is_one_line_and_exit_code_141(tmp_path: Path) -> None:
    path = tmp_path / "long.sse"
    path.write_bytes(WIRE * 20_000)
    command = [sys.executable, "-m", "untorn", "inspect", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"event 1")
        process.stdout.close()
        error = process.stderr.read()

    assert error.splitlines() == [b"untorn: whatever read the output has closed it"]
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

    monkeypatch.setattr(cli, "inspect", interrupted)

    assert main(["inspect", str(stream)]) == 130
    assert capsys.readouterr().err == "untorn: interrupted\n"


def test_a_missing_extra_is_one_line_and_exit_code_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "untorn.cli._demo", raising=False)
    monkeypatch.setitem(sys.modules, "rich", None)
    monkeypatch.setitem(sys.modules, "rich.console", None)

    monkeypatch.delattr(cli, "_demo", raising=False)

    assert main(["demo"]) == 2
    expected = (
        'untorn: demo needs rich.console, which is not installed: pip install "untorn[cli]"\n'
    )
    assert capsys.readouterr() == ("", expected)


def test_the_demo_runs_over_a_real_socket() -> None:
    done = run("demo", "--delay", "0", "--chunk", "2", "--text", "火", PYTHONIOENCODING="utf-8")

    assert (done.returncode, done.stderr) == (0, b"")
    assert "in reads of 2" in done.stdout.decode()


def test_output_that_cannot_be_reconfigured_is_let_be(
    stream: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)

    assert main(["inspect", str(stream)]) == 0
    assert out.getvalue().startswith("event 1")


def test_assemble_exits_with_the_verdict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, cut = tmp_path / "whole.sse", tmp_path / "cut.sse"
    whole.write_bytes("data: да\n\ndata: [DONE]\n\n".encode())
    cut.write_bytes("data: да\n\n".encode())

    assert main(["assemble", str(whole), "--format", "plain"]) == 0
    out, err = capsys.readouterr()
    assert (out, err.splitlines()[0]) == ("да\n", "outcome   completed, ended by [DONE]")
    assert main(["assemble", str(cut), "--format", "plain", "--json"]) == 1
    assert '"outcome": "truncated"' in capsys.readouterr().out


def test_assemble_stops_at_a_limit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "many.sse"
    choices = ",".join(f'{{"index": {n}, "delta": {{"content": "a"}}}}' for n in range(2_000))
    path.write_text(f'data: {{"choices": [{choices}]}}\n\n')

    assert main(["assemble", str(path)]) == 1
    assert "the stream passed max_choices=1,024" in capsys.readouterr().err


def test_assemble_names_the_formats(stream: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["assemble", str(stream), "--format", "opanai"]) == 2
    assert "name one of: ag-ui, anthropic" in capsys.readouterr().err


def test_record_replay_and_redact(
    stream: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: Any
) -> None:
    made, other = str(tmp_path / "a.rec"), str(tmp_path / "b.rec")
    monkeypatch.setattr(cli, "_opened", lambda name: stream.open("rb"))
    assert main(["record", "-", made]) == 0
    passed = capfdbinary.readouterr()
    assert (passed.out, b"a pipe merges reads" in passed.err) == (WIRE, True)
    for arguments in (["replay", made], ["replay", made, "--timing"]):
        assert main(arguments) == 0
        assert capfdbinary.readouterr().out == WIRE
    assert [main(["redact", made, other]), main(["replay", other])] == [0, 0]
    redacted = capfdbinary.readouterr().out
    assert redacted != WIRE
    assert len(redacted) == len(WIRE)


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("untorn recording 9\n", 2, "is no recording: line 1: version 9 of the form is not known"),
        ("untorn recording 1\n@ 0.000000 text 9\n", 0, "was cut: its last read is missing"),
        (None, 2, "No such file or directory"),
    ],
)
def test_replay_says_what_is_wrong_with_a_recording(
    text: str | None, code: int, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.rec"
    if text is not None:
        path.write_text(text)

    assert main(["replay", str(path)]) == code
    assert message in capsys.readouterr().err


def test_cuts_shows_its_progress_on_a_terminal(
    stream: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["cuts", str(stream)]) == 0
    out, err = capsys.readouterr()
    assert ("fresh fails at byte 7, 8" in out, err) == (True, "")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert main(["cuts", str(stream), "--json"]) == 0
    out, err = capsys.readouterr()
    assert (out[:9], err) == ('{"cuts": ', "\r10 of 10 cuts\n")
