"""Own ``untorn demo``: one stream, two readers, side by side in the terminal."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from dataclasses import dataclass
from http.client import HTTPConnection
from urllib.parse import urlsplit

from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from .. import Event, SSEParser, StreamEnd
from ..testing import HostileServer, Stream
from ._show import counted, escaped, quoted

# Two-, three- and four-byte characters, an accent that combines, and text from right to left.
ANSWER = (
    "Grüße! 火 means fire, ไฟ too, огонь as well. Cafe\u0301 🌅 naïve. "
    "שלום, العالم. 今日は良い天気です。 👩\u200d🚀 17:15:00Z ✓"
)
REPLACEMENT = "\ufffd"
END_MARKER = "[DONE]"
TOKEN = 3  # characters of the answer in an event
KEEP_ALIVE_EVERY = 8  # events


class Terminal(Console):
    """A console that leaves a closed pipe to the command, where rich would end the process."""

    def on_broken_pipe(self) -> None:
        """Let the error pass: rich calls this while it handles it."""
        raise


class NaiveReader:
    """Read as tutorials do: decode each read by itself, split at blank lines."""

    def __init__(self) -> None:
        self._buffer = ""
        self.text = ""

    def feed(self, chunk: bytes) -> None:
        """Take a read."""
        # Here it breaks: a character cut by the read is lost on both sides of the cut.
        self._buffer += chunk.decode("utf-8", "replace").replace("\r", "")
        *blocks, self._buffer = self._buffer.split("\n\n")
        for block in blocks:
            data = [line[6:] for line in block.split("\n") if line.startswith("data: ")]
            self.text += delta("\n".join(data))


@dataclass(frozen=True, slots=True)
class Result:
    """What was sent, and what both readers made of it."""

    sent: str
    right: str
    wrong: str
    chunk: int
    end: StreamEnd


def demo(*, text: str | None, chunk: int, delay: float, console: Console | None = None) -> None:
    """Run the demonstration, and draw it.

    Args:
        text: What the model is to answer.
        chunk: Bytes in a read.
        delay: Seconds between reads.
        console: Where to draw; the terminal by default.
    """
    console = console or Terminal()
    with Live(console=console, refresh_per_second=12, transient=True) as live:
        result = run(text, chunk, delay, lambda right, wrong: live.update(picture(right, wrong)))
    console.print(picture(result.right, result.wrong))
    console.print(Text(summary(result.end, chunk)))
    console.print(Text(verdict(result.sent, result.right, result.wrong)))


def run(text: str | None, chunk: int, delay: float, show: Callable[[str, str], object]) -> Result:
    """Stream an answer to both readers.

    Args:
        text: What the model is to answer.
        chunk: Bytes in a read.
        delay: Seconds between reads.
        show: Told after each read of both readers' texts.
    """
    # What the command line could not decode is no text that a model could answer.
    answer = (ANSWER if text is None else text).encode("utf-8", "replace").decode()
    parser, naive = SSEParser(), NaiveReader()
    shown = ""
    stream = Stream(wire(answer), piece=chunk, delay=delay, transfer="close")
    with HostileServer(stream) as server:
        for read in reads(server.url, chunk):
            shown += "".join(delta(event.data) for event in parser.feed(read))
            naive.feed(read)
            show(shown, naive.text)
    return Result(answer, shown, naive.text, chunk, parser.close())


def document(result: Result) -> str:
    """Write a result as JSON, in ASCII."""
    texts = {"sent": result.sent, "untorn": result.right, "a decoder for each read": result.wrong}
    return json.dumps({**texts, "summary": summary(result.end, result.chunk)}, indent=2)


def wire(answer: str) -> bytes:
    """Write an answer as a chat model streams it: CRLF, keep-alive comments, an end marker."""
    parts = []
    for index, start in enumerate(range(0, len(answer), TOKEN)):
        if index % KEEP_ALIVE_EVERY == 0:
            parts.append(": keep-alive")
        content = {"choices": [{"delta": {"content": answer[start : start + TOKEN]}}]}
        parts.append(f"data: {json.dumps(content, ensure_ascii=False)}")
    parts.append(f"data: {END_MARKER}")
    return "".join(f"{part}\r\n\r\n" for part in parts).encode()


def reads(url: str, chunk: int) -> Generator[bytes, None, None]:
    """Give the body in reads of ``chunk`` bytes, as they come."""
    address = urlsplit(url)
    connection = HTTPConnection(address.hostname or "", address.port)
    try:
        connection.request("GET", address.path)
        # The response owns the socket from here on: closing the connection would leave it open.
        with connection.getresponse() as response:
            yield from iter(lambda: response.read(chunk), b"")
    finally:
        connection.close()


def delta(data: str) -> str:
    """Give the text that an event adds to the answer."""
    if data in ("", END_MARKER):
        return ""
    content: str = Event(data).json()["choices"][0]["delta"]["content"]
    return content


def picture(right: str, wrong: str) -> Table:
    """Draw both readers' texts beside each other."""
    table = Table(expand=True)
    table.add_column("untorn", ratio=1)
    table.add_column("a decoder for each read", ratio=1)
    table.add_row(Text(escaped(right)), Text(escaped(wrong)))
    return table


def summary(end: StreamEnd, chunk: int) -> str:
    """Say how the stream ended, in the words of the StreamEnd."""
    tail = "nothing open at the end" if end.tail is None else f"cut off: {quoted(end.tail.line)}"
    return (
        f"StreamEnd: {counted(end.byte_count, 'byte')} in reads of {chunk:,}, "
        f"{counted(end.event_count, 'event')}, {counted(end.line_count, 'line')}, "
        f"{counted(end.replacements, 'replacement')}, {tail}"
    )


def verdict(answer: str, right: str, wrong: str) -> str:
    """Say which of the readers gave what was sent."""
    same = {True: "the text as it was sent", False: "not the text that was sent"}
    lost = f"{wrong.count(REPLACEMENT) - answer.count(REPLACEMENT):,} U+FFFD"
    damage = "" if wrong == answer else f": {lost} in place of characters"
    return (
        f"untorn: {same[right == answer]}\na decoder for each read: {same[wrong == answer]}{damage}"
    )
