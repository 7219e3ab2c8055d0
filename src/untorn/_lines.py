"""Own the second boundary, the line: text in, finished lines out, over any cut.

9.2.5: lines end at CR LF, at a lone LF, or at a lone CR, and nowhere else. The newline decoder of
``io`` knows these three only (``str.splitlines`` also cuts at U+000B, U+0085, U+2028 and others).
Knows nothing of bytes that are ill-formed, or of fields.
"""

from __future__ import annotations

from io import IncrementalNewlineDecoder


class LineBuffer:
    """Cut lines, and hold the unfinished one.

    Attributes:
        pending: The unfinished line, as UTF-8, which a limit counts; reads without a line end come
            here past ``cut``. One growing buffer for good: pieces kept in a list would cost many
            times the line when it comes byte by byte, and joining at each read be quadratic.
        after_cr: Whether an LF that comes next belongs to the last line end.
        newlines: Makes each line end an LF; all of a text at once, so it keeps nothing.
    """

    __slots__ = ("after_cr", "newlines", "pending")

    def __init__(self) -> None:
        self.pending = bytearray()
        self.after_cr = False
        self.newlines = IncrementalNewlineDecoder(None, translate=True)

    def cut(self, text: str) -> str:
        """Give the lines that end in ``text``, with an LF as the line end of each.

        A CR ends its line at once: to wait for an LF would hold an event back, in a stream of lone
        CRs for ever. An LF that comes first after it belongs to that line end, and is dropped once.
        """
        if self.after_cr and text:
            self.after_cr = False
            if not self.pending:  # else something came since, and went straight into it
                text = text.removeprefix("\n")
        if "\r" in text:
            self.after_cr = text[-1] == "\r"
            text = self.newlines.decode(text, True)
        text, end, rest = text.rpartition("\n")
        if end:
            text = f"{self.pending.decode()}{text}\n"
            self.pending.clear()
        self.pending += rest.encode()
        return text
