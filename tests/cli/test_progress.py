"""The progress of long work: on a terminal, at each per cent, and nowhere else."""

from __future__ import annotations

import pytest

from untorn.cli._progress import Progress


def test_a_terminal_sees_each_per_cent_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    progress = Progress("cuts")
    for done in range(1, 1_001):
        progress(done, 1_000)
    shown = capsys.readouterr().err.split("\r")

    assert shown[:3] == ["", "1 of 1,000 cuts", "10 of 1,000 cuts"]
    assert shown[-1] == "1,000 of 1,000 cuts\n"
    assert len(shown) == 102
    Progress("cuts", silent=True)(1, 1)
    assert capsys.readouterr().err == ""


def test_a_file_sees_none(capsys: pytest.CaptureFixture[str]) -> None:
    Progress("cuts")(1, 1)
    assert capsys.readouterr().err == ""


def test_reads_pass_through(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert [*Progress("bytes").of_reads([b"ab", b"", b"c"], 4)] == [b"ab", b"", b"c"]
    assert capsys.readouterr().err == "\r2 of 4 bytes\r3 of 4 bytes"


def test_a_size_that_was_none_or_has_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", None)
    progress = Progress("bytes")
    progress(0, 0)
    progress(7, 5)
    assert progress._percent == -1
