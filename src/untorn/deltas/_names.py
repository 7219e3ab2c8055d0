"""Own the names of the built-in formats: the one table of them."""

from __future__ import annotations

from typing import get_args

from ._faults import UnknownFormatError
from ._format import BuiltIn, Format, FormatName
from .formats.ag_ui import AG_UI
from .formats.anthropic import ANTHROPIC
from .formats.auto import Auto
from .formats.cohere import COHERE
from .formats.gemini import GEMINI
from .formats.openai_assistants import OPENAI_ASSISTANTS
from .formats.openai_chat import OPENAI_CHAT
from .formats.openai_completions import OPENAI_COMPLETIONS
from .formats.openai_responses import OPENAI_RESPONSES
from .formats.plain import Plain
from .formats.vercel_ui import VERCEL_UI

NAMES: tuple[str, ...] = get_args(FormatName)
CHOICES = tuple(name for name in NAMES if name != "auto")  # where "auto" could not tell
_TELLING: tuple[BuiltIn, ...] = (
    OPENAI_CHAT,
    OPENAI_COMPLETIONS,
    OPENAI_RESPONSES,
    ANTHROPIC,
    GEMINI,
    COHERE,
    VERCEL_UI,
    AG_UI,
    OPENAI_ASSISTANTS,
)
_FORMATS: dict[str, BuiltIn] = {
    format.name: format for format in (*_TELLING, Plain(), Auto(_TELLING))
}


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
    format = _FORMATS.get(name)
    if format is None:
        raise UnknownFormatError(name, NAMES)
    return format
