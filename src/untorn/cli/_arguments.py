"""Own the arguments of the command: what each sub-command takes, and what its help says."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from .. import __version__

_FILE = "a response body or a recording, or - for standard input"


def parser() -> argparse.ArgumentParser:
    """Make the parser; ``command`` names the sub-command in what it gives."""
    root = argparse.ArgumentParser(
        prog="untorn", description="Read server-sent event streams, and see where one broke."
    )
    root.add_argument("--version", action="version", version=f"untorn {__version__}")
    commands = root.add_subparsers(metavar="COMMAND", required=True, dest="command")
    for name, (add, short, description) in _COMMANDS.items():
        add(commands.add_parser(name, help=short, description=description))
    return root


def _add_demo(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--text", help="the answer to stream, instead of the built-in one")
    parser.add_argument(
        "--chunk",
        type=_between(1, 65_536, "bytes"),
        default=1,
        metavar="N",
        help="bytes in a read (default: 1)",
    )
    _add_delay(parser, "between reads")
    _add_json(parser, "what both readers made of it")


def _add_delay(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument(
        "--delay",
        type=_between(0, 10_000, "ms"),
        default=2,
        metavar="MS",
        help=f"{what} (default: 2)",
    )


def _add_json(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--json", action="store_true", help=f"print {what} as JSON")


def _add_inspect(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help=_FILE)
    _add_json(parser, "all of it, for a ticket,")
    parser.add_argument(
        "--max-event-size",
        type=_between(1, 1 << 40, "bytes"),
        default=64 * 1024 * 1024,
        metavar="BYTES",
        help="stop where an event is larger (default: 64 MiB)",
    )


def _add_assemble(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help=_FILE)
    parser.add_argument(
        "--format",
        default="auto",
        metavar="NAME",
        help="such as openai-chat or anthropic (default: auto, told by the first telling event)",
    )
    _add_json(parser, "the whole message")


def _add_cuts(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help=_FILE)
    _add_json(parser, "the comparison")


def _add_record(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", choices=["-"], help="standard input")
    parser.add_argument("file", metavar="FILE", help="the recording; replaced, if it is there")
    _add_json(parser, "how much was recorded, on standard error,")


def _add_replay(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help=_FILE)
    parser.add_argument("--timing", action="store_true", help="wait between them as they came")
    _add_json(parser, "each read on a line, with its time and its bytes in hex,")


def _add_redact(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="IN", help=_FILE)
    parser.add_argument("out", metavar="OUT", help="the recording; replaced, if it is there")
    _add_json(parser, "how much was changed")


def _add_serve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help=_FILE)
    size = _between(1, 1 << 40, "bytes")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--each-byte", action="store_true", help="one byte in a write")
    how.add_argument("--chunk", type=size, metavar="N", help="so many bytes in a write")
    how.add_argument(
        "--cut",
        type=size,
        metavar="N",
        action="append",
        default=[],
        help="cut it at byte N, such as one that untorn cuts names; may be given again",
    )
    how.add_argument("--timing", action="store_true", help="a recording in the time that it took")
    _add_delay(parser, "between writes")
    parser.add_argument(
        "--host", default="127.0.0.1", help="the interface (default: this machine alone)"
    )
    parser.add_argument(
        "--port",
        type=_between(0, 65_535, ""),
        default=0,
        metavar="N",
        help="the port (default: a free one)",
    )
    parser.add_argument("--once", action="store_true", help="stop after the first answer")
    _add_json(parser, "the address, and each request, on a line")


def _between(least: int, most: int, noun: str) -> Callable[[str], int]:
    """Make a type of argument: a whole number within bounds."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 20):
            of = f" of {noun}" if noun else ""
            raise argparse.ArgumentTypeError(f"must be a number{of}, not {text!r}")
        if not least <= int(text) <= most:
            bounds = f"{least} to {most:,} {noun}".rstrip()
            raise argparse.ArgumentTypeError(f"must be from {bounds}, not {text}")
        return int(text)

    return read


_COMMANDS: dict[str, tuple[Callable[[argparse.ArgumentParser], None], str, str]] = {
    "demo": (
        _add_demo,
        "watch a stream that is cut at every byte, read rightly and read naively",
        "Stream a multilingual LLM answer from a server on this machine, a few bytes at a time, "
        "and show beside each other what untorn and a decoder for each read make of it. Needs the "
        'extra: pip install "untorn[cli]".',
    ),
    "inspect": (
        _add_inspect,
        "list the events of a stream with their byte ranges, and how it ended",
        "List each event with its byte range, type, id and size, comments, bad bytes with their "
        "offsets, how the stream ended, and in the last line which layer broke: bytes, framing, "
        "JSON, provider, or none. A range ends with the byte that completed the event: its blank "
        "line's LF, or CR. Of a recording also what each read ended inside, and the first text "
        "that a naive reader would have lost there. Reads live: curl -N URL | untorn inspect -",
    ),
    "assemble": (
        _add_assemble,
        "put together an LLM's answer, and say whether it is all there",
        "Print the answer of an LLM's stream as it comes; then, on standard error, how it ended, "
        "its tool calls, token counts and problems. Exits with 0 only where nothing of the answer "
        "was lost.",
    ),
    "cuts": (
        _add_cuts,
        "cut a stream everywhere, and see where a fresh decoder a read breaks it",
        "Cut a body at each of its bytes, and byte by byte, and read it with one decoder for the "
        "whole stream and with a fresh one for each read, as chunk.decode() is. Shows how many "
        "cuts fall inside what, and which of them change the events.",
    ),
    "record": (
        _add_record,
        "keep the reads of a stream as they come, with their times",
        "Pass standard input through to standard output, and write each read of it to a recording "
        "first: curl -N URL | untorn record - FILE. A pipe merges reads: to keep those of your "
        "client, use untorn.recording.record in your program.",
    ),
    "replay": (
        _add_replay,
        "give the reads of a recording again, one by one",
        "Write the reads of a recording to standard output, each by itself.",
    ),
    "redact": (
        _add_redact,
        "make a recording that can be shared: other words, the same faults",
        "Write a recording in which letters and digits of payloads are others, of the same script "
        "and number of bytes, and all that makes a stream break is as it was. Look at it before "
        "you share it.",
    ),
    "serve": (
        _add_serve,
        "send a stream to your own client, cut where you say",
        "Serve a body over HTTP to clients in any language, one byte at a time, cut at a byte, or "
        "in the reads of a recording. Prints the URL; every path below it is served as well, and "
        "every method. Stops when interrupted.",
    ),
}
