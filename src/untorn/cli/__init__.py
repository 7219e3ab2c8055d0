"""Own the ``untorn`` command: its arguments, its exit codes, and errors as one clear line.

Exit codes: 0 done; 1 the stream could not be read to its end, or the answer that it holds is not
intact; 2 wrong arguments, a file that cannot be read or written, an address that cannot be served
at, or an extra that is not installed; 130 interrupted; 141 the output was closed.
Each sub-command is a module of its own and knows nothing of arguments.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TextIO

from ._arguments import parser
from ._files import CommandError
from ._runs import RUNS


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
        code = RUNS[arguments.command](arguments)
        if sys.stdout is not None:  # as it is where the shell closed it
            sys.stdout.flush()
    except CommandError as error:
        return _failed(str(error), 2)
    except BrokenPipeError:
        _drop(sys.stdout)
        return _failed("whatever read the output has closed it", 141)
    except OSError as error:
        _drop(sys.stdout)
        return _failed(f"cannot go on: {error.strerror or error}", 2)
    except KeyboardInterrupt:
        return _failed("interrupted", 130)
    return code


def _drop(output: TextIO) -> None:
    # Nothing more can be written, and the flush at exit must not fail once more.
    os.dup2(os.open(os.devnull, os.O_WRONLY), output.fileno())


def _failed(message: str, code: int) -> int:
    if sys.stderr is not None:  # as it is where the shell closed it
        try:
            print(f"untorn: {message}", file=sys.stderr, flush=True)
        except OSError:  # it goes where the output went, by 2>&1
            _drop(sys.stderr)
    return code
