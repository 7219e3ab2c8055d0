"""``untorn assemble``: the answer, the verdict in lines, the same as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from llm import assemble, call, chat, sse

from untorn.cli import main
from untorn.cli._assemble import document, pieces, verdict
from untorn.deltas import Choice, ErrorUpdate, Message, Outcome, TextDelta, ToolCall

ANSWER = sse(chat({"content": "Bonne"}), chat({"content": " nuit 🌙\n"}), chat(finish="stop"))
DONE = sse("[DONE]")


def run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], wire: bytes, *options: str
) -> tuple[int, str, str]:
    path = tmp_path / "body.sse"
    path.write_bytes(wire)
    code = main(["assemble", str(path), *options])
    out, err = capsys.readouterr()
    return code, out, err


def test_an_answer_and_its_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(tmp_path, capsys, ANSWER + DONE)

    assert (code, out) == (0, "Bonne nuit 🌙\n\n")
    assert err.splitlines() == [
        "outcome   completed, ended by [DONE]",
        "intact    yes",
        "format    openai-chat",
        "finish    stop",
    ]


@pytest.mark.parametrize(
    ("wire", "line"),
    [
        (ANSWER[:60], "outcome   truncated: no end signal came"),
        (ANSWER + sse("{") + DONE, "intact    no"),
        (sse({"error": {"message": "weg", "code": 5}}), 'error     weg  code "5"'),
        (b"<html>", "problem   an HTML page instead of an event stream"),
    ],
)
def test_what_is_not_intact_exits_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], wire: bytes, line: str
) -> None:
    code, _, err = run(tmp_path, capsys, wire)

    assert code == 1
    assert line in err.splitlines()


def test_the_format_can_be_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wire = sse("a", " b", "[DONE]")

    assert run(tmp_path, capsys, wire, "--format", "plain")[:2] == (0, "a b\n")
    code, _, err = run(tmp_path, capsys, wire, "--format", "opanai")
    assert code == 2
    assert err.startswith("untorn: no format is called 'opanai'; name one of: ag-ui, ")


def test_the_message_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wire = ANSWER + sse(chat(call('{"ville": "Liège"}', id="c1", name="météo")), "[DONE]")
    code, out, err = run(tmp_path, capsys, wire, "--json")
    message = json.loads(out)

    assert (code, err) == (0, "")
    assert out.isascii()
    assert message["text"] == "Bonne nuit 🌙\n"
    assert message["tool_calls"] == [
        {
            "id": "c1",
            "name": "météo",
            "arguments": '{"ville": "Liège"}',
            "complete": True,
            "custom": False,
        }
    ]
    assert [message[key] for key in ("outcome", "intact", "ended_by", "format")] == [
        "completed",
        True,
        "[DONE]",
        "openai-chat",
    ]
    assert run(tmp_path, capsys, ANSWER[:60], "--json")[0] == 1


def test_a_limit_ends_the_command_with_its_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    many = {"choices": [{"index": n, "delta": {"content": "a"}} for n in range(2_000)]}
    code, out, err = run(tmp_path, capsys, sse(many))

    assert (code, out) == (1, "a\n")
    assert "problem   the stream passed max_choices=1,024" in err


def test_a_missing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["assemble", str(tmp_path / "none")]) == 2
    assert "cannot read" in capsys.readouterr().err


def test_only_the_text_of_the_first_choice_is_the_answer() -> None:
    deltas: list[Any] = [TextDelta("a"), TextDelta("b", choice=1), TextDelta("\x1b[2Jc\n")]
    assert list(pieces(iter(deltas))) == ["a", "\\x1b[2Jc\n"]


def test_all_that_a_verdict_can_say() -> None:
    cut = ToolCall(1, "c1", "pay", '{"an": "' + "x" * 300)
    ran = ToolCall(2, None, None, "{}", complete=True, server=True)
    first = Choice(0, reasoning="hm", refusal="non\x1b", tool_calls=(cut,), server_calls=(ran,))
    message = Message(
        finish_reason="length",
        usage={"n": 1, "x": float("nan")},
        choices=(first, Choice(1, text="b", tool_calls=(cut,))),
        outcome=Outcome.COMPLETED,
        ended_by="finish reason",
        tail_used=True,
        error=ErrorUpdate("kaputt\n"),
        problems=("odd\r",),
        shortened=True,
    )
    arguments = '{"an": "' + "x" * 192 + "…"

    assert verdict(message, "openai-chat") == [
        "outcome   completed, ended by finish reason (its event had no blank line)",
        "intact    no",
        "format    openai-chat",
        "finish    length (the provider stopped early)",
        "thought   2 characters",
        "refusal   non\\x1b",
        f'call      pay {arguments}  id "c1"  INCOMPLETE: do not run it',
        'ran       (unnamed) {}  id ""',
        "choice 1  1 character of text",
        f'call      pay {arguments}  id "c1"  INCOMPLETE: do not run it',
        'usage     {"n":1,"x":null}',
        "error     kaputt\\n",
        "problem   odd\\r",
    ]
    written = json.loads(document(message, "openai-chat"))
    assert written["error"] == {"message": "kaputt\n", "code": None}
    assert written["choices"][0]["refusal"] == "non\x1b"
    assert written["choices"][1]["tool_calls"][0]["complete"] is False
    assert written["usage"] == {"n": 1, "x": None}


def test_a_message_without_an_error_has_none_in_json() -> None:
    run = assemble(ANSWER + DONE, "openai-chat")
    assert json.loads(document(run.message, "openai-chat"))["error"] is None
