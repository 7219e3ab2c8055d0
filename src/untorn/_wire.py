"""Own how one field is written, and what is refused because it cannot be carried.

Clause 9.2.5 gives the grammar; 9.2.6 what a reader makes of it. A value is always written after
``": "``, so that a leading space of its own survives the one that a reader takes away.
"""

from __future__ import annotations

from ._errors import EncodeError


def field_line(name: str, value: str, *, forbidden: str = "\r\n") -> bytes:
    """Give the line ``name: value`` with its LF, or raise ``EncodeError``."""
    return b"%s: %s\n" % (name.encode(), carried(name, value, forbidden))


def carried(name: str, value: str, forbidden: str) -> bytes:
    """Give ``value`` as UTF-8, or raise ``EncodeError`` where it cannot be carried.

    A line end inside a value starts a new field on the other side: that is how events are injected.
    """
    for character in forbidden:
        if character in value:
            raise EncodeError(name, value, f"must not hold {character!r}")
    try:
        return value.encode()
    except UnicodeEncodeError:
        raise EncodeError(name, value, "must not hold half of a surrogate pair") from None


def data_lines(data: str) -> bytes:
    """Give a ``data`` line for each line of ``data``; a CR would come back as another line end."""
    return b"data: %s\n" % carried("data", data, "\r").replace(b"\n", b"\ndata: ")


def retry_line(ms: int) -> bytes:
    """Give the ``retry`` line, which holds ASCII digits only."""
    if isinstance(ms, bool) or not isinstance(ms, int) or ms < 0:
        shown = hex(ms) if isinstance(ms, int) and ms < -(10**20) else ms
        raise EncodeError("retry", shown, "must be a whole number of milliseconds, 0 or more")
    try:
        # Not str(): the text of an int's subclass is its own, and could hold a line end.
        return b"retry: %s\n" % int.__repr__(ms).encode()
    except ValueError:
        # Python refuses to write numbers of more than 4,300 digits.
        raise EncodeError("retry", hex(ms), "is beyond any use as a time") from None


def block(data: str, *, event: str, last_event_id: str | None, retry: int | None) -> bytes:
    """Give a whole event with its blank line; an ID of None leaves the reader's last one alone.

    The type "message" is what a reader takes for none, so it needs no line, nor does an empty one.
    """
    return b"%s%s%s%s\n" % (
        b"" if event in ("", "message") else field_line("event", event),
        b"" if last_event_id is None else field_line("id", last_event_id, forbidden="\r\n\0"),
        b"" if retry is None else retry_line(retry),
        data_lines(data),
    )
