"""The comparison with released parsers: its scoring, output and options; no network."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import conformance
import doors
import own_venv
import pytest
import scores
import tables
from support import LONG, Case, Door, Result, feed_door, load

import untorn
from untorn import Chunk

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"

CASES = load("spec")[::12] + load("bugreports_sse")[::4]


def decoder_a_read(chunks: Sequence[Chunk]) -> Result:
    """Decode each read by itself, and parse rightly from there."""
    return feed_door()([bytes(chunk).decode("utf-8", "replace").encode() for chunk in chunks])


def lf_only(chunks: Sequence[Chunk]) -> Result:
    blocks = b"".join(bytes(chunk) for chunk in chunks).decode("utf-8", "replace").split("\n\n")
    return Result([("message", block.removeprefix("data: "), "") for block in blocks[:-1]])


def raising(chunks: Sequence[Chunk]) -> Result:
    raise LookupError("no such thing")


def case_of(wire: bytes, *events: tuple[str, str, str]) -> Case:
    facts: dict[str, Any] = {"retry": None, "gives_retry": False, "last_event_id": None}
    return replace(CASES[0], name="made", wire=wire, events=[*events], **facts, tail=None)


FIRE = case_of("data: 火\n\n".encode(), ("message", "火", ""))


def scored(door: Door, *cases: Case) -> Any:
    return scores.score("peer", "1.2", door, cases or CASES, lambda text: None)


def test_the_right_door_is_right_everywhere() -> None:
    score = scored(feed_door())

    assert len(score.cases) == len(CASES) > 50
    assert [case.name for case in score.failing] == []
    assert (score.message, score.exceptions) == ((), {})


def test_a_decoder_a_read_is_wrong_under_the_cuts_inside_a_character() -> None:
    case = scores.score_case(FIRE, decoder_a_read)

    assert (case.uncut, case.byte_by_byte, case.right) == (True, False, False)
    assert (case.cuts, case.wrong_cuts) == (10, 2)
    assert case.depends_on_cuts
    assert case.raised is None
    assert scores.cut_invariance(decoder_a_read)[0].startswith("the result depends on the cuts")


def test_an_lf_only_framer_is_wrong_whatever_the_cut() -> None:
    crlf = case_of(b"data: x\r\n\r\n", ("message", "x", ""))
    case = scores.score_case(crlf, lf_only)

    assert (case.uncut, case.byte_by_byte, case.wrong_cuts) == (False, False, case.cuts)
    assert not case.depends_on_cuts
    assert scores.score_case(FIRE, lf_only).right
    assert scores.cut_invariance(lf_only)[0].startswith("even uncut")


def test_what_a_door_raises_is_counted_by_name() -> None:
    score = scored(raising)

    assert [case.name for case in score.failing] == [case.name for case in CASES]
    assert score.exceptions == {"LookupError": len(CASES)}
    assert score.message == ("raises even uncut: LookupError('no such thing')",)


def test_ids_can_be_left_aside() -> None:
    one = case_of(b"id: 1\ndata: a\n\n", ("message", "a", "1"))
    case = scores.score_case(one, lambda chunks: Result([("message", "a", "")]))

    assert (case.uncut, case.without_ids) == (False, True)


def test_a_wire_of_one_byte_counts_as_it_is_uncut() -> None:
    case = scores.score_case(case_of(b"\n"), lambda chunks: Result([("message", "", "")]))

    assert (case.cuts, case.wrong_cuts, case.depends_on_cuts) == (1, 1, False)


def test_very_many_cuts_are_sampled_the_same_each_time() -> None:
    wire = b"\n" * (2 * LONG)

    assert len(set(scores.cuts_in_two(wire))) == LONG
    assert scores.cuts_in_two(wire) == scores.cuts_in_two(wire)
    assert scores.cuts_in_two(b"abc") == [(1,), (2,)]


def test_the_table_has_a_row_for_each_peer_and_notes_below() -> None:
    right, wrong = scored(feed_door(), FIRE), scored(decoder_a_read, *[FIRE] * 7)
    lines = tables.as_text([right, wrong], "2026-11-30").splitlines()

    assert lines[0].startswith("Cases that come out right, of 1, under 10 cuts in two.")
    assert lines[2].split()[:4] == ["peer", "version", "uncut", "each"]
    assert lines[3].split() == "peer 1.2 1 1 1 1 0 0 -".split()
    assert lines[4].split() == "peer 1.2 7 0 0 7 7 0 -".split()
    assert lines[5:9] == ["", "peer 1.2", "  wrong: none", "  assert_cut_invariant: passes"]
    assert lines[11] == "  wrong: made, made, made, made, made and 2 more"
    assert lines[12].startswith("  assert_cut_invariant: the result depends on the cuts")
    assert len(lines) == 12 + tables.LINES
    assert max(map(len, lines[12:])) <= tables.WIDTH + len("  assert_cut_invariant: ")


def test_every_failing_case_is_named_with_what_it_fails() -> None:
    wanted = [scored(decoder_a_read, FIRE), scored(raising, FIRE)]
    lines = tables.as_text(wanted, "2026-11-30", all_failing=True).splitlines()

    assert "  wrong: made (byte by byte, 2 of 10 cuts in two)" in lines
    every = "uncut, byte by byte, 10 of 10 cuts in two"
    assert f"  wrong: made ({every}, raises LookupError)" in lines
    assert lines[4].split()[-2:] == ["1", "LookupError"]


def test_the_json_has_all_that_the_table_has() -> None:
    facts = json.loads(tables.as_json([scored(raising, FIRE)], "2026-11-30"))
    (peer,) = facts.pop("peers")
    (failing,) = peer.pop("failing")

    assert list(facts) == ["pinned_on", "python", "cases", "cuts_in_two"]
    assert (facts["pinned_on"], facts["cases"], facts["cuts_in_two"]) == ("2026-11-30", 1, 10)
    assert peer == {
        "peer": "peer",
        "version": "1.2",
        "right": {"uncut": 0, "byte_by_byte": 0, "cut_in_two": 0, "uncut_without_ids": 0},
        "raises": {"LookupError": 1},
        "cut_invariant": False,
        "message": ["raises even uncut: LookupError('no such thing')"],
    }
    assert (failing["name"], failing["raised"], failing["torn"]) == ("made", "LookupError", False)
    assert (failing["cuts_in_two"], failing["wrong_cuts_in_two"]) == (10, 10)


def test_untorn_comes_first_whatever_is_asked_for() -> None:
    assert conformance.arguments([]).peers == ["untorn", *conformance.PEERS]
    twice = ["--peer", "openai", "--peer", "httpx-sse", "--peer", "openai", "--json"]
    assert conformance.arguments(twice).peers == ["untorn", "openai", "httpx-sse"]
    assert conformance.arguments(twice).json


def test_an_unknown_peer_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        conformance.main(["--peer", "nobody"])

    assert stopped.value.code == 2
    assert "'nobody'" in capsys.readouterr().err


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in for the packages: each gives one event a read, in its own words."""

    def events(kind: str | None, number: str | None, reads: Any) -> list[SimpleNamespace]:
        return [SimpleNamespace(event=kind, data=read.decode(), id=number) for read in reads]

    def response(status: int, headers: dict[str, str], content: Any) -> Any:
        assert (status, headers) == (200, {"content-type": "text/event-stream"})
        return content

    def source(reads: Any) -> Any:
        return SimpleNamespace(iter_sse=lambda: events("message", "", reads))

    def client(reads: Any) -> Any:
        return SimpleNamespace(events=lambda: events("message", None, reads))

    def decoder() -> Any:
        return SimpleNamespace(iter_bytes=lambda reads: events(None, None, reads))

    modules = {
        "httpx": SimpleNamespace(Response=response),
        "httpx_sse": SimpleNamespace(EventSource=source),
        "sseclient": SimpleNamespace(SSEClient=client),
        "openai._streaming": SimpleNamespace(SSEDecoder=decoder),
    }
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)


@pytest.mark.usefixtures("packages")
@pytest.mark.parametrize("peer", conformance.PEERS)
def test_the_words_of_each_peer_are_mapped(peer: str) -> None:
    assert doors.door(peer)([b"a", b"b"]) == Result([("message", "a", ""), ("message", "b", "")])


def test_untorn_is_this_source() -> None:
    assert doors.version("untorn") == untorn.__version__
    assert doors.door("untorn")([FIRE.wire]).events == FIRE.events
    assert doors.version("pytest") == pytest.__version__


@pytest.mark.usefixtures("packages")
def test_the_inner_run_prints_all_rows(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("support.load", lambda *names: [FIRE])
    monkeypatch.setattr(doors, "version", lambda peer: conformance.PINNED.get(peer, "0"))

    assert conformance.main(["--inside"]) == 0
    out, err = capsys.readouterr()
    rows = [line.split()[0] for line in out.splitlines()[3:7]]
    assert rows == ["untorn", *conformance.PEERS]
    assert err == ""
    assert conformance.main(["--inside", "--json", "--peer", "openai"]) == 0
    peers = json.loads(capsys.readouterr().out)["peers"]
    assert [peer["peer"] for peer in peers] == ["untorn", "openai"]


def test_the_outer_run_starts_the_inner_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(own_venv, "ready", lambda *given: Path(sys.executable))
    monkeypatch.setattr(conformance, "__file__", str(tmp_path / "inner.py"))
    code = "import sys, support, untorn; sys.exit(7 * (sys.argv[1:] == ['--json', '--inside']))"
    (tmp_path / "inner.py").write_text(code)

    assert conformance.main(["--json"]) == 7


def test_what_cannot_be_installed_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(conformance, "VENV", tmp_path / "file" / "venv")
    (tmp_path / "file").write_text("no folder")

    assert conformance.main([]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("conformance.py: the packages cannot be installed: ")


def test_the_readme_shows_the_pinned_versions_and_the_columns() -> None:
    page = (BENCHMARKS / "README.md").read_text("utf-8")
    (heading,) = [line for line in page.splitlines() if line.startswith("peer ")]

    assert heading.split() == " ".join(tables.TITLES).split()
    assert f"versions of {conformance.PINNED_ON}" in page
    for peer in conformance.PEERS:
        assert f"\n{peer} {conformance.PINNED[peer]}\n" in page
