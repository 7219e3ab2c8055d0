"""Own the names of the built-in formats: the one table of them."""

# ruff: noqa: N811  (a constant of each module is "the format" here)
from __future__ import annotations

from typing import get_args

from ._faults import UnknownFormatError
from ._format import BuiltIn, Format, FormatName

NAMES: tuple[str, ...] = get_args(FormatName)
CHOICES = tuple(name for name in NAMES if name != "auto")  # where "auto" could not tell
_TELLING = tuple(name for name in CHOICES if name != "plain")  # which events can tell


def get_format(name: str) -> Format:
    """Give a built-in format by a name that comes from outside, such as a setting.

    Args:
        name: One of ``FormatName``.

    Raises:
        UnknownFormatError: No format has this name; the error lists those that there are.

    Example:
        >>> from untorn.deltas import DeltaAssembler, get_format
        >>> DeltaAssembler(get_format("anthropic")).format
        'anthropic'
    """
    if name not in NAMES:
        raise UnknownFormatError(name, NAMES)
    return _format(name)


def _format(name: str) -> BuiltIn:
    # Each is loaded when it is asked for: a program that reads one format does not wait for ten.
    # With names, not by import_module: what packs a program up finds them then.
    format: BuiltIn
    if name == "auto":
        from .formats.auto import Auto

        format = Auto(tuple(map(_format, _TELLING)))
    elif name == "plain":
        from .formats.plain import Plain

        format = Plain()
    elif name == "ag-ui":
        from .formats.ag_ui import AG_UI as format
    elif name == "anthropic":
        from .formats.anthropic import ANTHROPIC as format
    elif name == "cohere":
        from .formats.cohere import COHERE as format
    elif name == "gemini":
        from .formats.gemini import GEMINI as format
    elif name == "openai-assistants":
        from .formats.openai_assistants import OPENAI_ASSISTANTS as format
    elif name == "openai-chat":
        from .formats.openai_chat import OPENAI_CHAT as format
    elif name == "openai-completions":
        from .formats.openai_completions import OPENAI_COMPLETIONS as format
    elif name == "openai-responses":
        from .formats.openai_responses import OPENAI_RESPONSES as format
    else:
        from .formats.vercel_ui import VERCEL_UI as format
    return format
