"""Own the two HTTP headers that matter to an event stream: what to ask with, what must come back.

It imports no client. Header values go to clients of all kinds, see ``_UTF8``.
"""

from __future__ import annotations

from ._errors import ContentTypeError

MIME_TYPE = "text/event-stream"


class _UTF8(str):
    """A header value that clients send as UTF-8, whatever encoding they take it for.

    The standard wants the last event ID as UTF-8. httpx encodes a text as ASCII, requests, urllib3
    and http.client as Latin-1, and both refuse the rest; aiohttp as UTF-8, and refuses bytes. What
    they have in common is that they ask the text itself.
    """

    __slots__ = ()

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> bytes:
        """Encode as UTF-8; the arguments are the client's."""
        return str(self).encode("utf-8")


def request_headers(last_event_id: str = "") -> dict[str, str]:
    """Give the headers that ask for an event stream.

    Args:
        last_event_id: That of the last event which was delivered, so that the server can go on
            behind it; empty for none.

    Raises:
        ValueError: The ID holds what no header can carry: a control character, or half of a
            surrogate pair. Clients refuse it, some with what looks like a broken connection.

    A value beyond ASCII is sent as UTF-8 by httpx, requests, aiohttp, urllib3, niquests and
    http.client. Spaces and tabs around it are left out, as a browser does. The source is section
    9.2.3 of the HTML Standard, and "normalize" in the Fetch Standard.

    Example:
        >>> from untorn import request_headers
        >>> request_headers("42")
        {'Accept': 'text/event-stream', 'Cache-Control': 'no-store', 'Last-Event-ID': '42'}
    """
    headers = {"Accept": MIME_TYPE, "Cache-Control": "no-store"}
    value = last_event_id.strip(" \t")
    if value:
        if any((c < " " and c != "\t") or c == "\x7f" or "\ud800" <= c <= "\udfff" for c in value):
            raise ValueError(f"no header can carry this last event ID: {last_event_id!r}")
        headers["Last-Event-ID"] = _UTF8(value)
    return headers


def check_content_type(value: str | None) -> None:
    """Refuse a response that is no event stream, before a byte of it is read as one.

    Args:
        value: The ``Content-Type`` of the response; None if there is none. Parameters such as a
            charset have no effect: an event stream is UTF-8.

    Raises:
        ContentTypeError: It is another one, often that of an error body or of a login page.

    Example:
        >>> from untorn import ContentTypeError, check_content_type
        >>> check_content_type("text/event-stream; charset=iso-8859-1")
        >>> try:
        ...     check_content_type("text/html")
        ... except ContentTypeError as error:
        ...     print(error)
        the response is 'text/html' and no event stream (text/event-stream): read as one it would \
give no events; its body may say why
    """
    if value is None or value.partition(";")[0].strip(" \t\r\n").lower() != MIME_TYPE:
        raise ContentTypeError(value)
