"""Own what is sent to an SDK: one body, in every shape that must make no difference to a reader."""

from __future__ import annotations

from untorn.testing import Stream

BAD_BYTE = b"\xff"  # never part of a character
SENT = ["火 and ", "✓ é ", "🌅 done"]  # é is what is spoilt
TEXT = "".join(SENT)
SPOILT = TEXT.replace("é", "\ufffd")


def spoilt(body: bytes) -> Stream:
    """Send the body with a byte in it that is not UTF-8."""
    assert "é".encode() in body
    return Stream(body.replace("é".encode(), BAD_BYTE))


def same_to_a_reader(body: bytes) -> dict[str, Stream]:
    """Give the shapes in which the body means the same, by name."""
    return {
        "as it is": Stream(body),
        "byte by byte": Stream(body, piece=1),
        "cut inside a character": Stream(body, cut=["character"]),
        "CRLF, cut inside one": Stream(body, line_end="CRLF", cut=["CRLF", "character"]),
        "CR, in threes": Stream(body, line_end="CR", piece=3),
        "mixed line ends, in twos": Stream(body, line_end="mixed", piece=2),
        "chunks that end elsewhere": Stream(body, line_end="CRLF", chunk_sizes=[1, 3, 7]),
        "a byte order mark": Stream(body, byte_order_mark=True),
        "a reconnection time first": Stream(body, retry=3_000),
        "comments": Stream(body, comments=1, piece=5),
        "gzip": Stream(body, gzip=True, piece=5),
        "a charset that is not so": Stream(body, content_type="text/event-stream;charset=latin-1"),
        "no blank line at the end": Stream(body, stop_at=-1),
    }
