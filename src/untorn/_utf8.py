"""Own the first boundary, the character: any cut of bytes in, whole well-formed UTF-8 out.

What comes out is still bytes: the parts that a read holds whole, every ill-formed sequence already
replaced, the byte order mark gone. Steps behind this one can cut at any ASCII byte and decode what
lies between with no state and no way to fail, and a read of ASCII passes through untouched.
Knows nothing of lines or fields.
"""

from __future__ import annotations

from codecs import getincrementaldecoder

from ._errors import DecodeError

TYPE_CHECKING = False  # a name that checkers know; see _event.py
if TYPE_CHECKING:
    from typing import Literal

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
REPLACEMENT = b"\xef\xbf\xbd"


class Utf8Decoder:
    """Decode UTF-8 as the Encoding Standard does, over any cut.

    Attributes:
        replacements: Ill-formed sequences made U+FFFD so far.
        fault: In strict mode, the first ill-formed sequence. What stood before it has been given.
        passing: Past the mark, and nothing is held: what is well-formed can go straight through.
    """

    __slots__ = ("_at_start", "_codec", "_held", "fault", "passing", "replacements")

    def __init__(self, errors: Literal["replace", "strict"]) -> None:
        self._codec = getincrementaldecoder("utf-8")(errors)
        self._held = b""
        self._at_start = True
        self.passing = False
        self.replacements = 0
        self.fault: DecodeError | None = None

    def decode(self, chunk: bytes, offset: int) -> bytes:
        """Give what is whole of the bytes so far, well-formed; keep a cut character back.

        Args:
            chunk: What comes next.
            offset: Where it stands in the stream, in bytes.
        """
        if self.passing and is_whole(chunk):
            return chunk
        whole = self._well_formed(chunk, offset)
        if self._at_start and whole:
            # 9.2.5: one leading U+FEFF is not part of the stream. The codec holds back a cut mark,
            # so it is here in one piece or not at all.
            self._at_start = False
            whole = whole.removeprefix(BYTE_ORDER_MARK)
        self.passing = not (self._at_start or self._held)
        return whole

    def close(self) -> bytes:
        """Give the first bytes of a character that the end of the stream cut, and count them."""
        undecoded, self._held = self._held, b""
        self.replacements += undecoded.decode("utf-8", "replace").count("\ufffd")
        return undecoded

    def _well_formed(self, chunk: bytes, offset: int) -> bytes:
        seen = self._held + chunk
        try:
            text = self._codec.decode(chunk)
        except UnicodeDecodeError as error:
            at = offset - len(self._held) + error.start
            self.fault = DecodeError(at, seen[error.start : error.end])
            self._held = b""
            return seen[: error.start]
        self._held = self._codec.getstate()[0]
        whole = seen[: len(seen) - len(self._held)]
        if "\ufffd" not in text:  # asked first, since to count costs 25 times as much
            return whole
        # U+FFFD that the server sent is EF BF BD in the bytes, and EF never continues a sequence.
        self.replacements += text.count("\ufffd") - whole.count(REPLACEMENT)
        return text.encode()


def is_whole(chunk: bytes) -> bool:
    """Tell whether a read is well-formed by itself; one that ends inside a character is not."""
    try:
        return chunk.isascii() or bool(chunk.decode())
    except UnicodeDecodeError:
        return False
