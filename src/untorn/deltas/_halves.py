"""Own halves of surrogate pairs: joined over deltas, and never handed out alone.

JSON text may cut ``"\\ud83e\\udd8a"`` between two events. Each half parses to a lone surrogate,
adding them up does not make one character, and encoding the sum raises much later.
"""

from __future__ import annotations


def has_surrogates(text: str) -> bool:
    """Tell whether a text holds any half; such a text cannot be encoded as UTF-8."""
    if text.isascii():
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def mended(text: str) -> tuple[str, int]:
    """Join the pairs and make U+FFFD of what stays alone; give the count of those."""
    # UTF-16 is where halves come from: two that belong together are one character in it.
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return whole, whole.count("\ufffd") - text.count("\ufffd")


def clean(text: str) -> str:
    """Give a text that can be encoded: for names and ids, which come in one piece."""
    return mended(text)[0] if has_surrogates(text) else text


def split_half(text: str) -> tuple[str, str]:
    """Part a text from a high half at its end, whose other half may be yet to come."""
    return (text[:-1], text[-1]) if "\ud800" <= text[-1:] <= "\udbff" else (text, "")


def rest_of(start: str, half: str, whole: str) -> str | None:
    """Give what a whole text has beyond its start, whose last character may have been cut.

    Args:
        start: What came, in whole characters.
        half: A high half that came behind it, if any.
        whole: The whole text.

    Returns:
        The rest, with the other half alone of a character that was cut; None where the text does
        not begin so.
    """
    if not whole.startswith(start):
        return None
    rest = whole[len(start) :]
    pair = rest[:1].encode("utf-16-be", "surrogatepass")
    if half and half.encode("utf-16-be", "surrogatepass") == pair[:2]:
        return pair[2:].decode("utf-16-be", "surrogatepass") + rest[1:]
    return rest
