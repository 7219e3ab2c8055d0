"""Own the end of a stream as a value: never silence, never half an event that looks whole."""

from __future__ import annotations

from dataclasses import dataclass

from ._event import Event


@dataclass(frozen=True, slots=True)
class Tail:
    """Hold what was open when the stream ended; the standard discards it (9.2.6, end of file).

    Args:
        event: What a blank line here would have dispatched, the unfinished line taken as whole, but
            for its ``retry``; None where no data is pending. Its values may be cut short.
        line: The unterminated last line, a cut character shown as U+FFFD.
        undecoded: The first bytes of a cut character, as the decoder held them.
    """

    event: Event | None
    line: str
    undecoded: bytes


@dataclass(frozen=True, slots=True)
class StreamEnd:
    """Say how a stream ended.

    Args:
        tail: What was open; None where the stream ended between events.
        byte_count: Bytes fed, a byte order mark included; after a failure, with all of that read.
        event_count: Events dispatched; a tail is not one of them.
        line_count: Lines ended by CR, LF or CRLF, blank lines and comments included.
        replacements: Ill-formed sequences that the decoder, not the server, made U+FFFD; a
            character cut by the end of the stream is one, and after an event that was too large,
            those behind it in that read.
        ignored_lines: Lines whose field name is none of the standard's, an unfinished one included.
        ignored_text: The first of them, joined with LF, up to 1,000 characters: an HTML page or a
            JSON error body that came in place of events shows here.
        last_event_id: As committed by the last blank line: what a reconnection should ask for.
        retry: The reconnection time in milliseconds, None where the stream never gave one.
    """

    tail: Tail | None
    byte_count: int
    event_count: int
    line_count: int
    replacements: int
    ignored_lines: int
    ignored_text: str
    last_event_id: str
    retry: int | None
