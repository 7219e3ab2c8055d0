"""Own the step from arguments to work: what each sub-command reads, calls, prints, exits with."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable

from .. import UntornError
from ._files import CommandError, is_same, loaded, opened, reads, told_apart, writing
from ._progress import Progress


def inspect(arguments: argparse.Namespace) -> int:
    """List what a stream holds, and say what broke."""
    from ..recording import Recording
    from ._facts import Ending, Fact
    from ._inspect import lines
    from ._naive import Reads
    from ._ticket import ticket
    from ._trace import trace

    _make_printable()
    name, limit = arguments.file, arguments.max_event_size
    with opened(name) as file:
        size = os.fstat(file.fileno()).st_size
        source = told_apart(reads(file, name), name)
        recorded = Reads(source) if isinstance(source, Recording) else None
        chunks = source.chunks() if isinstance(source, Recording) else source
        live = not arguments.json and sys.stdout is not None and sys.stdout.isatty()
        progress = Progress("bytes", silent=live or not size)
        total = recorded.size if recorded else size
        facts = trace(progress.of_reads(chunks, total), limit, recorded.seen if recorded else ())
        fact: Fact | None = None
        if arguments.json:
            found = [*facts]
            fact = found[-1]
            print(ticket(found, limit, recorded))
        else:
            for fact in facts:
                print(*lines(fact, recorded), sep="\n", flush=True)
    return int(isinstance(fact, Ending) and fact.too_large is not None)


def assemble(arguments: argparse.Namespace) -> int:
    """Put an LLM's answer together."""
    from ..deltas import UnknownFormatError, get_format, iter_deltas
    from ..recording import Recording
    from ._assemble import document, pieces, verdict

    _make_printable()
    try:
        chosen = get_format(arguments.format)
    except UnknownFormatError as error:
        raise CommandError(str(error)) from None
    with opened(arguments.file) as file:
        source = told_apart(reads(file, arguments.file), arguments.file)
        chunks = source.chunks() if isinstance(source, Recording) else source
        with iter_deltas(chunks, chosen) as stream:
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


def cuts(arguments: argparse.Namespace) -> int:
    """Cut a body everywhere."""
    from ._compare import compare, document, table

    _make_printable()
    comparison = compare(loaded(arguments.file).wire, Progress("cuts"))
    print(document(comparison) if arguments.json else "\n".join(table(comparison)))
    return 0


def record(arguments: argparse.Namespace) -> int:
    """Keep the reads of standard input."""
    from ..recording import record as passed

    print("untorn: a pipe merges reads; these are the pipe's, not your client's", file=sys.stderr)
    count = size = 0
    start = time.monotonic()
    with opened("-") as file, writing(arguments.file):
        for chunk in passed(reads(file, "-"), arguments.file):
            _write(bytes(chunk))
            count, size = count + 1, size + len(chunk)
    if arguments.json:
        seconds = round(time.monotonic() - start, 6)
        summary = {"file": arguments.file, "reads": count, "bytes": size, "seconds": seconds}
        print(json.dumps(summary), file=sys.stderr)
    return 0


def replay(arguments: argparse.Namespace) -> int:
    """Give the reads of a recording again."""
    recording = loaded(arguments.file)
    for read, chunk in zip(recording.reads, recording.chunks(arguments.timing), strict=True):
        if arguments.json:
            print(json.dumps({"time": read.time, "hex": chunk.hex()}), flush=True)
        else:
            _write(chunk)
    return 0


def redact(arguments: argparse.Namespace) -> int:
    """Make a recording that can be shared."""
    if is_same(arguments.file, arguments.out):
        raise CommandError(f"{arguments.out!r} is the recording itself: name another file")
    recording = loaded(arguments.file)
    redacted = recording.redact(progress=Progress("characters"))
    with writing(arguments.out):
        redacted.save(arguments.out)
    if arguments.json:
        changed = sum(a != b for a, b in zip(recording.wire, redacted.wire, strict=True))
        facts = {"reads": len(redacted.reads), "bytes": len(redacted.wire), "changed": changed}
        print(json.dumps({"file": arguments.out, **facts}))
    return 0


def serve(arguments: argparse.Namespace) -> int:
    """Send a body to any client, badly."""
    from ._serve import Cutting, stream
    from ._serve import serve as until_done

    _make_printable()
    cutting = Cutting(
        places=tuple(arguments.cut),
        piece=1 if arguments.each_byte else arguments.chunk,
        delay=None if arguments.timing else arguments.delay / 1000,
    )
    until_done(
        stream(loaded(arguments.file), cutting),
        host=arguments.host,
        port=arguments.port,
        once=arguments.once,
        as_json=arguments.json,
    )
    return 0


def demo(arguments: argparse.Namespace) -> int:
    """Show what a cut at every byte does to two readers."""
    _make_printable()
    try:
        from . import _demo
    except ModuleNotFoundError as error:
        raise CommandError(
            f'demo needs {error.name}, which is not installed: pip install "untorn[cli]"'
        ) from None
    text, chunk, delay = arguments.text, arguments.chunk, arguments.delay / 1000
    if arguments.json:
        print(_demo.document(_demo.run(text, chunk, delay, lambda right, wrong: None)))
    else:
        _demo.demo(text=text, chunk=chunk, delay=delay)
    return 0


def _make_printable() -> None:
    # A terminal that knows no 火 shows its number, rather than ending the command.
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


def _write(chunk: bytes) -> None:
    if sys.stdout is not None:  # as it is where the shell closed it
        sys.stdout.buffer.write(chunk)
        sys.stdout.buffer.flush()


RUNS: dict[str, Callable[[argparse.Namespace], int]] = {
    "demo": demo,
    "inspect": inspect,
    "assemble": assemble,
    "cuts": cuts,
    "record": record,
    "replay": replay,
    "redact": redact,
    "serve": serve,
}
