"""Own the first boundary, the character: any cut of bytes in, text out.

What comes out are the characters that a read holds whole, with U+FFFD for every ill-formed sequence
and without the byte order mark. Knows nothing of lines or fields.
"""

from __future__ import annotations

from codecs import getincrementaldecoder

from ._errors import DecodeError


class Utf8Decoder:
    """Decode UTF-8 as the Encoding Standard does, over any cut.

    Attributes:
        replacements: Ill-formed sequences made U+FFFD so far.
        fault: In strict mode, the first ill-formed sequence. What stood before it has been given.
        passing: Past the mark, and nothing is held: ``bytes.decode`` gives the same for a read that
            is well-formed by itself.
    """

    __slots__ = ("_codec", "fault", "passing", "replacements")

    def __init__(self, errors: str) -> None:
        # 9.2.5: one leading U+FEFF is not part of the stream; this codec takes it away.
        self._codec = getincrementaldecoder("utf-8-sig")(errors)
        self.passing = False
        self.replacements = 0
        self.fault: DecodeError | None = None

    def decode(self, chunk: bytes, offset: int) -> str:
        """Give what is whole of the bytes so far; keep a cut character back.

        Args:
            chunk: What comes next.
            offset: Where it stands in the stream, in bytes.
        """
        seen = self._codec.getstate()[0] + chunk
        try:
            text = self._codec.decode(chunk)
        except UnicodeDecodeError as error:
            seen = error.object[: error.start]  # without a byte order mark
            at = offset + len(chunk) - len(error.object) + error.start
            self.fault = DecodeError(at, error.object[error.start : error.end])
            text = seen.decode()
        if "\ufffd" in text:  # asked first, since to count costs 25 times as much
            # One that the server sent is EF BF BD in the bytes, and EF never continues a sequence.
            self.replacements += text.count("\ufffd") - seen.count(b"\xef\xbf\xbd")
        self.passing = self._codec.getstate() == (b"", 0)  # nothing held, and past the start
        return text

    def close(self) -> bytes:
        """Give the first bytes of a character that the end of the stream cut, and count them."""
        undecoded = self._codec.getstate()[0]
        self._codec.reset()
        self.replacements += undecoded.decode("utf-8", "replace").count("\ufffd")
        return undecoded
