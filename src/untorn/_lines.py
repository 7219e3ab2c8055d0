"""Own the second boundary, the line: well-formed bytes in, finished lines out, over any cut.

9.2.5: lines end at CR LF, at a lone LF, or at a lone CR, and nowhere else. ``bytes.splitlines``
knows these three only (``str.splitlines`` also cuts at U+000B, U+0085, U+2028 and others).
The unfinished line stays bytes, which are what a limit counts. Knows nothing of fields.
"""

from __future__ import annotations

LF, CR = b"\n\r"


class LineBuffer:
    """Cut lines, and hold the unfinished one.

    Attributes:
        start: What came of the unfinished line in the read that ended the line before.
        more: What came of it later. One growing buffer, the same for good: pieces kept in a list
            would cost many times the line when it comes byte by byte, and joining at each read
            would be quadratic.
        after_cr: Whether an LF that comes next belongs to the last line end.
    """

    __slots__ = ("after_cr", "more", "start")

    def __init__(self) -> None:
        self.start = b""
        self.more = bytearray()
        self.after_cr = False

    @property
    def size(self) -> int:
        """The size of the unfinished line, in bytes."""
        return len(self.start) + len(self.more)

    def cut(self, data: bytes) -> list[str]:
        """Give the lines that end in ``data``, without their line ends.

        A CR ends its line at once: to wait for an LF would hold an event back, in a stream of lone
        CRs for ever. An LF that comes first after it belongs to that line end, and is dropped once.

        Raises:
            UnicodeDecodeError: The data is not well-formed by itself. Nothing has changed, unless
                it came after a CR.
        """
        if self.after_cr and data:
            self.after_cr = False
            data = data[1:] if data[0] == LF else data
        if LF not in data and CR not in data:
            self.more += data
            return []
        whole = b"".join((self.start, self.more, data))
        if CR not in data:
            # As one text, since that is decoded and split faster than each line is (0.7).
            lines = whole.decode().split("\n")
            rest = lines.pop()
        else:
            lines = [line.decode() for line in whole.splitlines()]
            rest = "" if data[-1] in b"\r\n" else lines.pop()
            self.after_cr = data[-1] == CR
        self.start = rest.encode()
        self.more.clear()
        return lines
