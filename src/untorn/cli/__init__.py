"""Own the ``untorn`` command: its arguments, its exit codes, and errors as one clear line.

Exit codes: 0 done; 1 the stream could not be read to its end, or the answer that it holds is not
intact; 2 wrong arguments, a file that
cannot be read or written, or an extra that is not installed; 130 interrupted; 141 the output was
closed.
Each sub-command is a module of its own and knows nothing of arguments.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from io import BufferedReader

from .. import UntornError, __version__
from ._inspect import inspect

READ_SIZE = 64 * 1024  # bytes; a live pipe gives what it has


class CommandError(Exception):
    """Say in one line why a command cannot do its work."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        argv: The arguments, without the name of the program; those of the process by default.

    Example:
        >>> main(["inspect", "no such file"])
        2
    """
    arguments = _arguments().parse_args(argv)
    try:
        code: int = arguments.run(arguments)
        if sys.stdout is not None:  # as it is where the shell closed it
            sys.stdout.flush()
    except CommandError as error:
        return _failed(str(error), 2)
    except BrokenPipeError:
        _drop_output()
        return _failed("whatever read the output has closed it", 141)
    except OSError as error:
        _drop_output()
        return _failed(f"cannot go on: {error.strerror or error}", 2)
    except KeyboardInterrupt:
        return _failed("interrupted", 130)
    return code


def _drop_output() -> None:
    # Nothing more can be written, and the flush at exit must not fail once more.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _failed(message: str, code: int) -> int:
    print(f"untorn: {message}", file=sys.stderr)
    return code


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="untorn", description="Read server-sent event streams, and see where one broke."
    )
    parser.add_argument("--version", action="version", version=f"untorn {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    _add_demo(
        commands.add_parser(
            "demo",
            help="watch a stream that is cut at every byte, read rightly and read naively",
            description="Stream a multilingual LLM answer from a server on this machine, a few "
            "bytes at a time, and show beside each other what untorn and a decoder for each read "
            'make of it. Needs the extra: pip install "untorn[cli]".',
        )
    )
    _add_inspect(
        commands.add_parser(
            "inspect",
            help="list the events of a stream with their byte ranges, and how it ended",
            description="List each event with its byte range, type, id and size, comments, bad "
            "bytes with their offsets, and how the stream ended. A range ends with the byte that "
            "completed the event: its blank line's LF, or CR. Reads live: "
            "curl -N URL | untorn inspect -",
        )
    )
    _add_assemble(
        commands.add_parser(
            "assemble",
            help="put together an LLM's answer, and say whether it is all there",
            description="Print the answer of an LLM's stream as it comes; then, on standard error, "
            "how it ended, its tool calls, token counts and problems. Exits with 0 only where "
            "nothing of the answer was lost.",
        )
    )
    return parser


def _add_demo(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--text", help="the answer to stream, instead of the built-in one")
    parser.add_argument(
        "--chunk",
        type=_between(1, 65_536, "bytes"),
        default=1,
        metavar="N",
        help="bytes in a read (default: 1)",
    )
    parser.add_argument(
        "--delay",
        type=_between(0, 10_000, "ms"),
        default=2,
        metavar="MS",
        help="between reads (default: 2)",
    )
    parser.set_defaults(run=_run_demo)


def _add_inspect(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a response body, or - for standard input")
    parser.add_argument(
        "--max-event-size",
        type=_between(1, 1 << 40, "bytes"),
        default=64 * 1024 * 1024,
        metavar="BYTES",
        help="stop where an event is larger (default: 64 MiB)",
    )
    parser.set_defaults(run=_run_inspect)


def _add_assemble(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a response body, or - for standard input")
    parser.add_argument(
        "--format",
        default="auto",
        metavar="NAME",
        help="such as openai-chat or anthropic (default: auto, told by the first telling event)",
    )
    parser.add_argument(
        "--json", action="store_true", help="print the whole message as JSON instead"
    )
    parser.set_defaults(run=_run_assemble)


def _between(least: int, most: int, noun: str) -> Callable[[str], int]:
    """Make a type of argument: a whole number within bounds."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 20):
            raise argparse.ArgumentTypeError(f"must be a number of {noun}, not {text!r}")
        if not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"must be from {least} to {most:,} {noun}, not {text}")
        return int(text)

    return read


def _run_inspect(arguments: argparse.Namespace) -> int:
    _make_printable()
    with _opened(arguments.file) as file:
        for report in inspect(_reads(file, arguments.file), arguments.max_event_size):
            print(*report.lines, sep="\n", flush=True)
            if report.failed:
                return 1
    return 0


def _run_assemble(arguments: argparse.Namespace) -> int:
    from ..deltas import UnknownFormatError, get_format, iter_deltas
    from ._assemble import document, pieces, verdict

    _make_printable()
    try:
        chosen = get_format(arguments.format)
    except UnknownFormatError as error:
        raise CommandError(str(error)) from None
    with _opened(arguments.file) as file, warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of a body without lines: see the verdict
        with iter_deltas(_reads(file, arguments.file), chosen) as stream:
            try:
                for piece in pieces(stream):
                    if not arguments.json:
                        print(piece, end="", flush=True)
            except UntornError:
                pass  # a limit: it is among the problems
    message, format = stream.message, stream.assembler.format
    if arguments.json:
        print(document(message, format))
    else:
        print(flush=True)
        print(*verdict(message, format), sep="\n", file=sys.stderr)
    return 0 if message.intact else 1


def _run_demo(arguments: argparse.Namespace) -> int:
    _make_printable()
    try:
        from ._demo import demo
    except ModuleNotFoundError as error:
        raise CommandError(
            f'demo needs {error.name}, which is not installed: pip install "untorn[cli]"'
        ) from None
    demo(text=arguments.text, chunk=arguments.chunk, delay=arguments.delay / 1000)
    return 0


def _make_printable() -> None:
    # A terminal that knows no 火 shows its number, rather than ending the command.
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


def _opened(name: str) -> BufferedReader:
    try:
        if name == "-" and sys.platform != "win32":
            # Whoever made the pipe may have it non-blocking: "nothing yet" would look like the end.
            os.set_blocking(0, True)
        return open(0 if name == "-" else name, "rb", closefd=name != "-")
    except (OSError, ValueError) as error:
        raise CommandError(_reason(name, error)) from None


def _reads(file: BufferedReader, name: str) -> Iterator[bytes]:
    while True:
        try:
            # read1: what there is, without waiting for more, so that a live stream shows at once.
            chunk = file.read1(READ_SIZE)
        except OSError as error:
            raise CommandError(_reason(name, error)) from None
        if not chunk:
            return
        yield chunk


def _reason(name: str, error: Exception) -> str:
    return f"cannot read {name!r}: {getattr(error, 'strerror', None) or error}"
