"""The demonstration: both readers over a real socket, and what the terminal shows of them."""

from __future__ import annotations

import io
import json

import pytest
from clients import soon
from rich.console import Console

from untorn import SSEParser
from untorn.cli._demo import (
    ANSWER,
    NaiveReader,
    Terminal,
    delta,
    demo,
    document,
    reads,
    run,
    summary,
    wire,
)
from untorn.testing import HostileServer, Stream


def show(text: str | None = None, chunk: int = 1, terminal: bool = False) -> str:
    file = io.StringIO()
    console = Console(file=file, width=300, force_terminal=terminal, color_system=None)
    demo(text=text, chunk=chunk, delay=0, console=console)
    return file.getvalue()


def test_the_built_in_answer_holds_what_tears() -> None:
    sizes = {len(character.encode()) for character in ANSWER}

    assert sizes == {1, 2, 3, 4}
    assert all(mark in ANSWER for mark in ("\u0301", "שלום", "\u200d", "17:15:00Z"))
    assert wire(ANSWER).count(b"\r\n") == wire(ANSWER).count(b"\n")
    assert wire(ANSWER).startswith(b": keep-alive\r\n\r\ndata: {")
    assert wire(ANSWER).endswith(b"data: [DONE]\r\n\r\n")


def test_one_byte_at_a_time_untorn_gives_the_text_and_the_other_does_not() -> None:
    picture = show()

    assert ANSWER in picture
    assert "Gr����e! ��� means fire" in picture
    assert "StreamEnd: 1,936 bytes in reads of 1, 34 events, 78 lines, 0 replacements" in picture
    assert "untorn: the text as it was sent\n" in picture
    assert "each read: not the text that was sent: 95 U+FFFD in place of characters\n" in picture


@pytest.mark.parametrize(("text", "chunk"), [("plain", 1), ("火", 1000)])
def test_where_no_read_ends_inside_a_character_both_are_right(text: str, chunk: int) -> None:
    picture = show(text, chunk)

    assert picture.count(text) == 2
    assert "a decoder for each read: the text as it was sent\n" in picture


def test_the_terminal_shows_both_as_they_come() -> None:
    frames = show("火 fire", terminal=True)

    assert frames.count("a decoder for each read") >= 3
    assert "��� fire" in frames


def test_controls_and_undecodable_arguments_do_no_harm() -> None:
    picture = show("a\x1b[2Jb \udcff")

    assert "a\\x1b[2Jb ?" in picture
    assert "untorn: the text as it was sent" in picture


def test_the_naive_reader_is_right_on_whole_reads() -> None:
    naive = NaiveReader()
    naive.feed(wire(ANSWER))

    assert naive.text == ANSWER


def test_what_is_no_answer_adds_no_text() -> None:
    assert (delta(""), delta("[DONE]")) == ("", "")
    assert delta('{"choices": [{"delta": {"content": "火"}}]}') == "火"


def test_the_summary_shows_a_cut_end() -> None:
    parser = SSEParser()
    parser.feed(b"data: x\n\ndata: \xe7")

    assert summary(parser.close(), 3) == (
        "StreamEnd: 16 bytes in reads of 3, 1 event, 2 lines, 1 replacement, "
        'cut off: "data: \ufffd"'
    )


def test_a_closed_pipe_is_left_to_the_command() -> None:
    class Closed(io.StringIO):
        def write(self, text: str, /) -> int:
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        Terminal(file=Closed()).print("x")


def test_the_reads_are_of_the_size_asked_for() -> None:
    with HostileServer(Stream(b"data: 0123456789\n\n", piece=4, transfer="close")) as server:
        assert [*reads(server.url, 5)] == [b"data:", b" 0123", b"45678", b"9\n\n"]


def test_leaving_the_reads_closes_the_socket() -> None:
    with HostileServer(Stream(b"x" * 10**7, transfer="close")) as server:
        body = reads(server.url, 1)
        assert next(body) == b"x"
        assert server.open_connections == 1
        body.close()
        assert soon(lambda: server.open_connections == 0)


def test_the_result_as_json() -> None:
    seen: list[tuple[str, str]] = []
    result = run("火", 1, 0, lambda right, wrong: seen.append((right, wrong)))
    told = json.loads(document(result))

    assert seen[-1] == ("火", "���")
    assert told["sent"] == told["untorn"] == "火"
    assert told["a decoder for each read"] == "���"
    assert told["summary"] == summary(result.end, 1)
