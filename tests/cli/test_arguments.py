"""The arguments of the command: defaults, bounds, and help that says what one gets."""

from __future__ import annotations

import re

import pytest

from untorn import __version__
from untorn.cli._arguments import parser

SERVE: dict[str, object] = {
    "each_byte": False,
    "chunk": None,
    "cut": [],
    "timing": False,
    "delay": 2,
    "host": "127.0.0.1",
    "port": 0,
    "once": False,
    "json": False,
}


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("demo", {"text": None, "chunk": 1, "delay": 2, "json": False}),
        ("demo --text Ж --chunk 3 --delay 0", {"text": "Ж", "chunk": 3, "delay": 0, "json": False}),
        ("inspect -", {"file": "-", "max_event_size": 64 * 1024 * 1024, "json": False}),
        ("inspect a --max-event-size 9", {"file": "a", "max_event_size": 9, "json": False}),
        ("assemble a", {"file": "a", "format": "auto", "json": False}),
        ("assemble - --format gemini --json", {"file": "-", "format": "gemini", "json": True}),
        ("cuts a", {"file": "a", "json": False}),
        ("record - a.rec", {"source": "-", "file": "a.rec", "json": False}),
        ("replay a.rec", {"file": "a.rec", "timing": False, "json": False}),
        ("replay a.rec --timing --json", {"file": "a.rec", "timing": True, "json": True}),
        ("redact a.rec b.rec", {"file": "a.rec", "out": "b.rec", "json": False}),
        ("serve a", {**SERVE, "file": "a"}),
        ("serve a --each-byte --delay 0", {**SERVE, "file": "a", "each_byte": True, "delay": 0}),
        ("serve a --cut 3 --cut 9 --once", {**SERVE, "file": "a", "cut": [3, 9], "once": True}),
        ("serve a --chunk 7 --port 80", {**SERVE, "file": "a", "chunk": 7, "port": 80}),
        ("serve a --timing --host ::", {**SERVE, "file": "a", "timing": True, "host": "::"}),
    ],
)
def test_what_a_command_takes(line: str, values: dict[str, object]) -> None:
    arguments = vars(parser().parse_args(line.split()))
    assert arguments == {"command": line.split()[0], **values}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "the following arguments are required: COMMAND"),
        ("record a b", "invalid choice: 'a'"),
        ("demo --chunk 0", "must be from 1 to 65,536 bytes, not 0"),
        ("demo --chunk x", "must be a number of bytes, not 'x'"),
        ("demo --chunk ١", "must be a number of bytes, not '١'"),
        ("demo --delay 99999999999999999999", "must be a number of ms"),
        ("demo --delay=-1", "must be a number of ms, not '-1'"),
        ("demo --delay 10001", "must be from 0 to 10,000 ms, not 10001"),
        ("inspect --max-event-size x -", "must be a number of bytes, not 'x'"),
        ("inspect", "FILE"),
        ("serve a --each-byte --cut 3", "not allowed with argument --each-byte"),
        ("serve a --port 65536", "must be from 0 to 65,535, not 65536"),
    ],
)
def test_what_is_refused(line: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        parser().parse_args(line.split())

    assert caught.value.code == 2
    assert message in capsys.readouterr().err


def test_help_lists_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parser().parse_args(["--help"])

    names = re.findall(r"^    (\w+)", capsys.readouterr().out, re.M)
    assert names == ["demo", "inspect", "assemble", "cuts", "record", "replay", "redact", "serve"]


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parser().parse_args(["--version"])
    assert capsys.readouterr().out == f"untorn {__version__}\n"
