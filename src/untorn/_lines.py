"""Own the second boundary, the line: well-formed bytes in, finished lines out, over any cut.

9.2.5: lines end at CR LF, at a lone LF, or at a lone CR, and nowhere else. ``bytes.splitlines``
knows these three only (``str.splitlines`` also cuts at U+000B, U+0085, U+2028 and others).
Knows nothing of characters or fields.
"""

from __future__ import annotations

LF, CR = b"\n\r"


class LineBuffer:
    """Cut lines, and hold the unfinished one.

    Attributes:
        pending: The unfinished line. One growing buffer, the same for good: pieces kept in a list
            would cost many times the line when it comes byte by byte, and joining at each read
            would be quadratic.
        after_cr: Whether an LF that comes next belongs to the last line end.
    """

    __slots__ = ("after_cr", "pending")

    def __init__(self) -> None:
        self.pending = bytearray()
        self.after_cr = False

    def cut(self, data: bytes) -> list[bytes]:
        """Give the lines that end in ``data``, without their line ends.

        A CR ends its line at once: to wait for an LF would hold an event back, in a stream of lone
        CRs for ever. An LF that comes first after it belongs to that line end, and is dropped once.
        """
        if self.after_cr and data:
            self.after_cr = False
            if data[0] == LF:
                data = data[1:]
        if LF not in data and CR not in data:
            self.pending += data
            return []
        return self.split(data)

    def split(self, data: bytes) -> list[bytes]:
        """Do what ``cut`` does where there is a line end, and no LF to be dropped."""
        lines = data.splitlines()
        pending, last = self.pending, data[-1]
        rest = b"" if last in (LF, CR) else lines.pop()
        self.after_cr = last == CR
        if pending:
            pending += lines[0]
            lines[0] = bytes(pending)
            pending.clear()
        if rest:
            pending += rest
        return lines
