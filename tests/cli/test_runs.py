"""From arguments to work: what each sub-command prints, writes and exits with."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from untorn.cli import _files, _runs, _serve, main
from untorn.recording import Recording
from untorn.testing import HostileServer, Stream

WIRE = "data: 火\n\n".encode()
CHAT = 'data: {"choices": [{"delta": {"content": "да"}}]}\n\ndata: [DONE]\n\n'.encode()


@pytest.fixture
def stream(tmp_path: Path) -> str:
    path = tmp_path / "body.sse"
    path.write_bytes(WIRE)
    return str(path)


@pytest.fixture
def recording(tmp_path: Path) -> str:
    path = tmp_path / "broken.rec"
    Recording.of([WIRE[:7], WIRE[7:]]).save(path)
    return str(path)


def test_inspect_a_body(stream: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", stream]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[0] == 'event 1   bytes[0:11]  type "message"  id ""  data 3 bytes  火'
    assert out.splitlines()[-1] == "layer     none"
    assert err == ""


def test_inspect_a_recording(recording: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", recording]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "read 1    bytes[0:7]  0.000000 s  ends inside a character"
    assert lines[-2].startswith("lost      at byte 7, the end of read 1, a decoder for each read")


@pytest.mark.parametrize(("limit", "code"), [("1000", 0), ("5", 1)])
def test_inspect_exits_with_1_where_it_could_not_read_on(
    limit: str, code: int, recording: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["inspect", recording, "--max-event-size", limit]) == code
    assert (": an event is larger than 5 bytes" in capsys.readouterr().out) is bool(code)
    assert main(["inspect", recording, "--max-event-size", limit, "--json"]) == code
    found = json.loads(capsys.readouterr().out)
    assert found["settings"]["max_event_size"] == int(limit)
    assert len(found["reads"]["all"]) == 2


def test_inspect_shows_its_progress_where_the_output_does_not(
    stream: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert main(["inspect", stream, "--json"]) == 0
    assert capsys.readouterr().err == "\r11 of 11 bytes\n"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert main(["inspect", stream]) == 0
    assert capsys.readouterr().err == ""


def test_assemble_exits_with_the_verdict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, cut = tmp_path / "whole.sse", tmp_path / "cut.rec"
    whole.write_bytes(CHAT)
    Recording.of([CHAT[:40], CHAT[40:60]]).save(cut)

    assert main(["assemble", str(whole), "--format", "openai-chat"]) == 0
    out, err = capsys.readouterr()
    assert (out, err.splitlines()[0]) == ("да\n", "outcome   completed, ended by [DONE]")
    assert main(["assemble", str(cut), "--json"]) == 1
    assert '"outcome": "truncated"' in capsys.readouterr().out


def test_assemble_stops_at_a_limit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "many.sse"
    choices = ",".join(f'{{"index": {n}, "delta": {{"content": "a"}}}}' for n in range(2_000))
    path.write_text(f'data: {{"choices": [{choices}]}}\n\n')

    assert main(["assemble", str(path)]) == 1
    assert "the stream passed max_choices=1,024" in capsys.readouterr().err


def test_assemble_names_the_formats(stream: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["assemble", stream, "--format", "opanai"]) == 2
    assert "name one of: ag-ui, anthropic" in capsys.readouterr().err


def test_cuts_shows_its_progress_on_a_terminal(
    stream: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["cuts", stream]) == 0
    out, err = capsys.readouterr()
    assert ("fresh fails at byte 7, 8" in out, err) == (True, "")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert main(["cuts", stream, "--json"]) == 0
    out, err = capsys.readouterr()
    assert out[:9] == '{"cuts": '
    assert err.endswith("\r10 of 10 cuts\n")


def test_record_replay_and_redact(
    stream: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: Any
) -> None:
    made, other = str(tmp_path / "a.rec"), str(tmp_path / "b.rec")
    real = _files.opened
    monkeypatch.setattr(_runs, "opened", lambda name: real(stream if name == "-" else name))
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


def test_record_says_as_json_what_it_kept(
    stream: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    made = str(tmp_path / "a.rec")
    real = _files.opened
    monkeypatch.setattr(_runs, "opened", lambda name: real(stream))
    assert main(["record", "-", made, "--json"]) == 0
    told = json.loads(capfd.readouterr().err.splitlines()[-1])
    assert told.pop("seconds") >= 0
    assert told == {"file": made, "reads": 1, "bytes": len(WIRE)}


def test_replay_as_json_is_a_line_for_each_read(
    recording: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", recording, "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines == [{"time": 0.0, "hex": WIRE[:7].hex()}, {"time": 0.0, "hex": WIRE[7:].hex()}]


def test_redact_says_as_json_how_much_it_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "a.rec", str(tmp_path / "b.rec")
    Recording.of([b"data: ab ", b"cd!\n\n"]).save(source)
    assert main(["redact", str(source), out, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told == {"file": out, "reads": 2, "bytes": 14, "changed": 4}


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


@pytest.mark.parametrize(
    ("line", "stream_options"),
    [
        ("", {"delay": 0.002}),
        ("--each-byte --delay 0", {"piece": 1}),
        ("--chunk 5 --delay 0", {"piece": 5}),
        ("--cut 3 --cut 9 --delay 7", {"cut": (3, 9), "delay": 0.007}),
        ("--timing", {"delay": "recorded"}),
    ],
)
def test_serve_cuts_as_it_is_told(
    line: str, stream_options: dict[str, Any], recording: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Any] = []
    monkeypatch.setattr(_serve, "serve", lambda answer, **how: told.append((answer, how)))
    more = ["--host", "::1", "--port", "8080", "--once", "--json"]
    assert main(["serve", recording, *line.split(), *more]) == 0
    [(answer, how)] = told
    assert answer == Stream(Recording.load(recording), **stream_options)
    assert how == {"host": "::1", "port": 8080, "once": True, "as_json": True}


def test_replay_into_an_output_that_the_shell_closed(
    recording: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout", None)
    assert main(["replay", recording]) == 0


def test_redact_never_writes_over_what_it_reads(
    recording: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = Path(recording).read_bytes()
    assert main(["redact", recording, recording]) == 2

    assert "is the recording itself: name another file" in capsys.readouterr().err
    assert Path(recording).read_bytes() == before


def test_redact_names_what_it_cannot_write(
    recording: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["redact", recording, "no folder/b.rec"]) == 2
    assert capsys.readouterr().err.startswith("untorn: cannot write 'no folder/b.rec': ")


def test_serve_where_it_cannot(recording: str, capsys: pytest.CaptureFixture[str]) -> None:
    with HostileServer() as server:
        port = server.url.rpartition(":")[2]
        assert main(["serve", recording, "--port", port]) == 2
    assert capsys.readouterr().err.startswith(f"untorn: cannot serve at 127.0.0.1, port {port}: ")


def test_the_demo_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--json", "--text", "火", "--delay", "0"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["sent"], told["untorn"], told["a decoder for each read"]) == ("火", "火", "���")
    assert told["summary"].startswith("StreamEnd: 86 bytes in reads of 1, 2 events")


def test_the_demo_draws(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--text", "火", "--delay", "0"]) == 0
    assert "untorn: the text as it was sent\n" in capsys.readouterr().out


def test_a_missing_extra_is_one_line_and_exit_code_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "untorn.cli._demo", raising=False)
    monkeypatch.setitem(sys.modules, "rich", None)
    monkeypatch.setitem(sys.modules, "rich.console", None)
    monkeypatch.delattr("untorn.cli._demo", raising=False)

    assert main(["demo"]) == 2
    expected = (
        'untorn: demo needs rich.console, which is not installed: pip install "untorn[cli]"\n'
    )
    assert capsys.readouterr() == ("", expected)


def test_output_that_cannot_be_reconfigured_is_let_be(
    stream: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)

    assert main(["inspect", stream]) == 0
    assert out.getvalue().startswith("event 1")
