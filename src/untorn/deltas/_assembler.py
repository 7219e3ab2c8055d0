"""Own the push object: events go in, deltas come out, and the message can be asked for anytime."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from .._end import StreamEnd
from .._errors import UntornError
from ._faults import (
    AssemblerClosedError,
    AssemblyLimitError,
    BadPayloadError,
    UnknownFormatError,
)
from ._fold import Fold
from ._format import BuiltIn, Format, FormatName
from ._message import Message, ToolCall
from ._names import CHOICES, get_format
from ._payload import is_whole
from ._register import MAX_ARGUMENT_CHARS, MAX_CHOICES, MAX_SLOTS, Options, Register
from ._reported import unframed
from ._types import BadPayload, Delta, ErrorUpdate, EventLike, UsageUpdate
from ._verdict import Closing, Verdict
from .formats.auto import AutoReader, error_in, looks_like
from .formats.plain import JSONField

MAX_SHOWN = 200  # characters of what came in place of events


class DeltaAssembler:
    """Turn the events of an LLM's stream into deltas, and into a message with an honest outcome.

    Args:
        format: The name of a format, or an object of your own with a ``reader()``.
        strict: Turn the leniencies off: raise on a payload that cannot be read, take no event that
            has no blank line after it, and want the end marker where the format has one, and the
            finish reason before it.
        loads: What to parse payloads with, such as ``orjson.loads``. Where it fails, ``json.loads``
            is tried before a payload counts as bad.
        max_slots: How many parts (texts, calls and others) a stream may have.
        max_choices: How many answers.
        max_argument_chars: How much argument text, over all calls, in characters.

    Raises:
        UnknownFormatError: No format has this name.
        TypeError: The format is neither a name nor an object with a ``reader()``.

    Example:
        >>> from untorn import SSEParser
        >>> from untorn.deltas import DeltaAssembler
        >>> parser, assembler = SSEParser(), DeltaAssembler("openai-chat")
        >>> for event in parser.feed(b'data: {"choices": [{"delta": {"content": "Hi"}}]}\\n\\n'):
        ...     assembler.feed(event)
        [TextDelta(text='Hi', choice=0, slot=0)]
        >>> assembler.close(parser.close())
        []
        >>> assembler.message.text, assembler.message.outcome.value
        ('Hi', 'truncated')
    """

    def __init__(
        self,
        format: FormatName | Format,
        *,
        strict: bool = False,
        loads: Callable[[str], Any] | None = None,
        max_slots: int = MAX_SLOTS,
        max_choices: int = MAX_CHOICES,
        max_argument_chars: int = MAX_ARGUMENT_CHARS,
    ) -> None:
        self._format: Format = get_format(format) if isinstance(format, str) else format
        if isinstance(format, type) or not callable(getattr(self._format, "reader", None)):
            raise TypeError(f"format is a name, or an object with reader(), not {format!r}")
        self._register = Register(
            Options(
                strict=strict,
                loads=loads,
                max_slots=max_slots,
                max_choices=max_choices,
                max_argument_chars=max_argument_chars,
            )
        )
        built_in = self._format if isinstance(self._format, BuiltIn) else None
        if built_in is not None:
            self._register.rule = built_in.ending()
        self._read = built_in.open(self._register) if built_in else self._format.reader()
        self._fold = Fold(self._register)
        self._closing = Closing()
        self._blamed: BaseException | None = None  # what is among the problems already

    @property
    def format(self) -> FormatName | Format:
        """The format: its name, or your own object; what "auto" chose, once it has chosen."""
        chosen = self._format
        if isinstance(self._read, AutoReader):
            chosen = self._read.chosen or chosen
        name: Any = chosen.name if isinstance(chosen, BuiltIn) else ""
        return name or chosen

    @property
    def _untold(self) -> bool:
        """Whether events came, and none told "auto" their format, or an error."""
        read = self._read
        untold = isinstance(read, AutoReader) and read.chosen is None and bool(read.kept)
        return untold and self._fold.error is None

    @property
    def done(self) -> bool:
        """Whether the format's end marker came, so that a loop of your own can stop reading."""
        return self._fold.marker is not None

    @property
    def message(self) -> Message:
        """The message as it is now; asking costs time linear in its size."""
        return Verdict(self._fold, self._closing).message()

    def call(self, slot: int) -> ToolCall:
        """Give a tool call as it is now, its ``partial`` a view that grows with the stream.

        Asking after each delta costs what came since the last time, and a copy of ``arguments``.

        Args:
            slot: The number that the call's deltas carry.

        Raises:
            KeyError: No call has this slot.
        """
        shown = self._register.shown_arguments(slot)
        return self._fold.calls[slot].snapshot(live=True, shown=shown)

    def feed(self, event: EventLike) -> list[Delta]:
        """Take the next event, and give what it adds.

        Args:
            event: Anything with ``data`` and ``event``, of this parser or of another one.

        Raises:
            BadPayloadError: ``strict``, and the payload cannot be read.
            AssemblyLimitError: The stream has more parts, choices or argument text than allowed.
            AssemblerClosedError: The assembler was closed.

        The first two carry the deltas that came before the fault.
        """
        if self._closing.closed:
            raise AssemblerClosedError
        out: list[Delta] = []
        self._feed_into(out, event)
        return out

    def close(
        self,
        end: StreamEnd | None = None,
        *,
        cancelled: bool = False,
        cause: BaseException | None = None,
    ) -> list[Delta]:
        """Say that no more comes, and give what was held back; nothing, the second time.

        Args:
            end: How the stream ended, as ``SSEParser.close`` says it. Without it, nobody can tell
                a U+FFFD that the server sent from a damaged character.
            cancelled: Whether the caller stopped before the stream did.
            cause: What the source raised, if it did.
        """
        closing = self._closing
        if closing.closed:
            return []
        out: list[Delta] = []
        closing.end, closing.cancelled, closing.failed = end, cancelled, cause is not None
        closing.closed = True
        told = cause is self._blamed or isinstance(cause, (BadPayloadError, AssemblyLimitError))
        if cause is not None and not told:
            # A client that fails after the end took nothing away; a parser that does, did.
            self._register.problem(
                f"the source failed: {cause!r}", damage=isinstance(cause, UntornError)
            )
        if end is not None:
            self._take_end(end, out)
        if self._untold:
            closing.unread = True
            error = UnknownFormatError("auto", CHOICES)
            self._register.problem(str(error), damage=True)
        elif self._fold.is_empty:
            self._find_nothing()
        self._fold.close(out)
        return out

    def _feed_into(self, out: list[Delta], event: EventLike) -> None:
        """Do what ``feed`` does; what came before a fault is in ``out`` whatever is raised."""
        fold, register = self._fold, self._register
        if register.event is None:
            register.first = event
        register.event = event
        if "\ufffd" in event.data:
            fold.replacement_seen = True
        over, strict = fold.marker is not None, register.options.strict
        try:
            for delta in self._read(event):
                fold.add(delta, out)
                if strict and isinstance(delta, BadPayload):
                    raise BadPayloadError(delta.event, delta.reason, tuple(out))
        except AssemblyLimitError as error:
            register.problem(str(error), damage=True)
            raise AssemblyLimitError(error.name, error.limit, tuple(out)) from None
        except BadPayloadError:
            raise
        except Exception as error:
            register.problem(f"the format's reader failed: {error!r}", damage=True)
            self._blamed = error
            raise
        if over and any(not isinstance(delta, (ErrorUpdate, UsageUpdate)) for delta in out):
            register.problem("something came after the end marker", damage=True)

    def _take_end(self, end: StreamEnd, out: list[Delta]) -> None:
        """Look at what was left over: a whole last event, or a body that is no event stream."""
        tail = end.tail
        if tail is not None and not self._closing.cancelled:
            self._take_tail(end, out)
        for text in (end.ignored_text, tail.line if tail is not None else ""):
            body = unframed(text)
            if isinstance(body, ErrorUpdate):
                self._fold.add(body, out)
                return
            if body is not None:
                self._closing.unread |= body.instead
                self._register.problem(body.reason, damage=True)
        if self._register.event is None:
            instead = end.ignored_text or (tail.line if tail is not None else "")
            shown = f", but {instead[:MAX_SHOWN]!r}" if instead else ""
            self._register.problem(f"no event came{shown}")

    def _find_nothing(self) -> None:
        """Say why, where events came and nothing in them is of the format that was named."""
        first, format = self._register.first, self.format
        if first is None:
            return
        if isinstance(format, JSONField):
            if first.data.strip() != format.done:
                self._register.problem(f"no payload has the field {format.path!r}")
        elif (other := looks_like(first)) not in (None, format):
            self._register.problem(f"the events look like {other!r}, and were read as {format!r}")

    def _take_tail(self, end: StreamEnd, out: list[Delta]) -> None:
        assert end.tail is not None
        event, marker = end.tail.event, self._register.rule.marker
        data = "" if event is None else event.data.strip()
        if event is None or not data:
            return
        if self.done and error_in(event) is None:
            return  # how much of what lies behind the end marker came is the network's choice
        if not self._register.options.strict and (data == marker or is_whole(data)):
            before = len(out)
            with suppress(Exception):  # it is among the problems: closing never raises
                self._feed_into(out, event)
            self._closing.tail_used = len(out) > before
        elif not marker.startswith(data):
            self._register.problem(f"the stream ended inside an event: {data[:80]!r}", damage=True)
