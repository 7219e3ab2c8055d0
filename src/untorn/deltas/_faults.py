"""Own the errors of assembling; each keeps its facts as attributes.

The tree::

    UntornError
    ├── TornMessageError                          a one-liner's answer is not intact
    ├── IncompleteToolCallError (also ValueError) arguments that are not one whole JSON object
    ├── BadPayloadError         (also ValueError) strict mode met a payload that cannot be read
    ├── AssemblyLimitError                        slots, choices or arguments outgrew their limit
    ├── AssemblerClosedError                      feed() after close()
    └── UnknownFormatError      (also ValueError) a name that is none, or "auto" that cannot tell
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._errors import UntornError

if TYPE_CHECKING:
    from ._message import Message, ToolCall
    from ._types import Delta, EventLike


class TornMessageError(UntornError):
    """Report an answer that is not intact; ``__cause__`` is what the source raised, if it did.

    Args:
        message: The message as far as it came, with its outcome, error and problems.
    """

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        message = self.message
        unended = message.ended_by is None and message.outcome.value == "truncated"
        said = [message.outcome.value + (": its end signal did not come" if unended else "")]
        said += [] if message.error is None else [message.error.message]
        problems = [problem for problem in message.problems if problem not in said]
        return "\n- ".join(["the answer is not intact: " + "; ".join(said), *problems])


class IncompleteToolCallError(UntornError, ValueError):
    """Report arguments that are not one whole JSON object: cut, damaged, or free text.

    Args:
        call: The call; its ``arguments`` and ``partial`` hold what there is.
        reason: Why it cannot be run.
    """

    def __init__(self, call: ToolCall, reason: str) -> None:
        super().__init__(call, reason)
        self.call = call
        self.reason = reason

    def __str__(self) -> str:
        return f"the call of {self.call.name or 'an unnamed tool'!r} cannot be run: {self.reason}"


class BadPayloadError(UntornError, ValueError):
    """Report a payload that cannot be read, met with ``strict=True``.

    Args:
        event: The event as it came.
        reason: What is wrong with it.
        deltas: Those of the same ``feed`` that came before it.
    """

    def __init__(self, event: EventLike, reason: str, deltas: tuple[Delta, ...] = ()) -> None:
        super().__init__(event, reason, deltas)
        self.event = event
        self.reason = reason
        self.deltas = deltas

    def __str__(self) -> str:
        data = self.event.data
        return f"{self.reason}: {data if len(data) <= 80 else data[:80] + '…'!r}"


class AssemblyLimitError(UntornError):
    """Report a stream that has more parts, choices or argument text than it may.

    Args:
        name: Which limit: "max_slots", "max_choices" or "max_argument_chars".
        limit: Its value.
        deltas: Those of the same ``feed`` that came before the limit was passed.
    """

    def __init__(self, name: str, limit: int, deltas: tuple[Delta, ...] = ()) -> None:
        super().__init__(name, limit, deltas)
        self.name = name
        self.limit = limit
        self.deltas = deltas

    def __str__(self) -> str:
        return f"the stream passed {self.name}={self.limit:,}, which is an option of DeltaAssembler"


class AssemblerClosedError(UntornError):
    """Report an event fed to an assembler that is closed: a new stream needs a new one."""

    def __str__(self) -> str:
        return "the assembler is closed; make a new one for another stream"


class UnknownFormatError(UntornError, ValueError):
    """Report a format's name that is none, or a stream of which "auto" could not tell the format.

    Args:
        name: The name that was asked for.
        names: The names that there are.
    """

    def __init__(self, name: str, names: tuple[str, ...]) -> None:
        super().__init__(name, names)
        self.name = name
        self.names = names

    def __str__(self) -> str:
        what = (
            'the stream does not tell its format, which "auto" needs'
            if self.name == "auto"
            else f"no format is called {self.name!r}"
        )
        return f"{what}; name one of: {', '.join(self.names)}"
