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
from typing import TYPE_CHECKING

from .. import UntornError
from ._arguments import parser
from ._inspect import inspect

if TYPE_CHECKING:
    from ..recording import Recording

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
    arguments = parser().parse_args(argv)
    try:
        code = _RUNS[arguments.command](arguments)
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


def _run_cuts(arguments: argparse.Namespace) -> int:
    from ._compare import compare, document, table

    _make_printable()
    wire = _loaded(arguments.file).wire
    shows = sys.stderr is not None and sys.stderr.isatty()

    def progress(done: int, of: int) -> None:
        if shows and (done == of or done % 100 == 0):
            print(f"\r{done:,} of {of:,} cuts", end="\n" if done == of else "", file=sys.stderr)

    comparison = compare(wire, progress)
    print(document(comparison) if arguments.json else "\n".join(table(comparison)))
    return 0


def _run_record(arguments: argparse.Namespace) -> int:
    from ..recording import record

    print("untorn: a pipe merges reads; these are the pipe's, not your client's", file=sys.stderr)
    with _opened("-") as file:
        for chunk in record(_reads(file, "-"), arguments.file):
            sys.stdout.buffer.write(chunk)
            sys.stdout.buffer.flush()
    return 0


def _run_replay(arguments: argparse.Namespace) -> int:
    for chunk in _loaded(arguments.file).chunks(arguments.timing):
        sys.stdout.buffer.write(chunk)
        sys.stdout.buffer.flush()
    return 0


def _run_redact(arguments: argparse.Namespace) -> int:
    _loaded(arguments.file).redact().save(arguments.out)
    return 0


def _loaded(name: str) -> Recording:
    from ..recording import Recording, RecordingError

    try:
        recording = Recording.load(name)
    except RecordingError as error:
        raise CommandError(f"{name!r} is no recording: {error}") from None
    except OSError as error:
        raise CommandError(_reason(name, error)) from None
    if recording.cut_short:
        print(f"untorn: {name!r} was cut: its last read is missing", file=sys.stderr)
    return recording


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


_RUNS: dict[str, Callable[[argparse.Namespace], int]] = {
    "demo": _run_demo,
    "inspect": _run_inspect,
    "assemble": _run_assemble,
    "cuts": _run_cuts,
    "record": _run_record,
    "replay": _run_replay,
    "redact": _run_redact,
}
