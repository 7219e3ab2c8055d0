"""Own which layer of a stream broke: the bytes, the framing, the JSON, or the provider; or none.

The lowest layer that broke is named, since what is above it cannot be whole; but an error that the
provider reports comes before framing and JSON, since it says why they broke.
"""

from __future__ import annotations

import json
import re

from .. import Event, StreamEnd, UntornError
from ..deltas import BadPayload, DeltaAssembler, EventLike, Message, Outcome
from ._facts import Broken
from ._show import quoted

# What begins as a JSON object or array does, and what other languages write for one; a log line in
# brackets does not.
_JSON = re.compile(r"""\s*(?:\{\s*["'}]|\[\s*["\[{\]]|\[object \w+\])""")
_FIELD = re.compile(r"[A-Za-z][\w.-]*(?::.*)?")


class Layers:
    """Follow the events of a stream, and say at its end which layer broke."""

    def __init__(self) -> None:
        self._assembler = DeltaAssembler("auto")
        self._not_json: EventLike | None = None  # the first event whose data should be, and is not
        self._over_limits = ""
        self._doubled = ""  # data that begins with the name of a field

    def take(self, event: Event) -> None:
        """Take the next event."""
        if event.data.startswith("data:") and not self._doubled:
            self._doubled = event.data
        if self._over_limits:
            return
        try:
            deltas = self._assembler.feed(event)
        except UntornError as error:
            self._over_limits = str(error)
            return
        untold = self._assembler.format == "auto"
        bad = [delta.event for delta in deltas if isinstance(delta, BadPayload)]
        if self._not_json is None and (bad or (untold and _is_torn_json(event.data))):
            self._not_json = next(iter(bad), event)

    def broken(self, end: StreamEnd, bad_at: int | None) -> Broken:
        """Name the layer.

        Args:
            end: How the stream ended.
            bad_at: Where the first ill-formed bytes stand.
        """
        self._assembler.close(end)
        message = self._assembler.message
        if bad_at is not None:
            return Broken("bytes", f"they are not UTF-8 at byte {bad_at:,}")
        if message.error is not None:
            return Broken("provider", f"it reports an error: {message.error.message}")
        return (
            _framing(end, message)
            or self._framed_twice()
            or self._json()
            or self._provider(end, message)
            or Broken("none")
        )

    def _framed_twice(self) -> Broken | None:
        if not self._doubled:
            return None
        return Broken("framing", f"data holds a field of its own: {quoted(self._doubled)}")

    def _json(self) -> Broken | None:
        if self._not_json is None:
            return None
        return Broken("JSON", f"an event's data is not JSON: {quoted(self._not_json.data)}")

    def _provider(self, end: StreamEnd, message: Message) -> Broken | None:
        if self._over_limits:
            return Broken("provider", self._over_limits)
        if not end.event_count:
            return Broken("provider", "it sent no event")
        if self._assembler.format == "auto":
            return None
        if message.outcome is Outcome.TRUNCATED and not message.intact:
            # The bytes do not tell which of the two it was.
            return Broken("provider", "no end signal: it stopped, or the connection dropped")
        if message.shortened:
            return Broken("provider", f"it stopped early: {message.finish_reason}")
        if not message.intact or message.outcome is Outcome.CANCELLED:
            return Broken("provider", "; ".join(message.problems) or "it cancelled the answer")
        sent = [problem for problem in message.problems if problem.startswith("U+FFFD")]
        return Broken("provider", sent[0]) if sent else None


def _framing(end: StreamEnd, message: Message) -> Broken | None:
    tail = end.tail
    if tail is not None and (tail.event or tail.line or tail.undecoded):
        if message.tail_used:
            return Broken("framing", "the last event has no blank line: most readers drop it")
        if end.event_count or tail.event or not end.ignored_lines:
            return Broken("framing", "the stream ends inside an event")
    if end.ignored_lines and not end.event_count:
        return Broken("framing", "this is no event stream: no line of it is a field")
    for line in end.ignored_text.split("\n"):
        if line and not _FIELD.fullmatch(line):
            return Broken("framing", f"what is no field stands between the events: {quoted(line)}")
    return None


def _is_torn_json(data: str) -> bool:
    if not _JSON.match(data):
        return False
    try:
        json.loads(data)
    except ValueError:
        return True
    except RecursionError:
        pass
    return False
