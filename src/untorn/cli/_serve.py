"""Own ``untorn serve``: a body sent to any client, in any language, as badly as one asks for."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass

from ..recording import Recording
from ..testing import HostileServer, Request, Stream
from ._files import CommandError
from ._show import quoted

_LOOK_EVERY = 0.02  # seconds


@dataclass(frozen=True, slots=True)
class Cutting:
    """How a body is cut into writes; where nothing is said, a recording keeps its reads.

    Args:
        places: Offsets.
        piece: Bytes in a write.
        delay: Seconds between two; None for the times of a recording.
    """

    places: tuple[int, ...] = ()
    piece: int | None = None
    delay: float | None = 0.0


def stream(recording: Recording, cutting: Cutting) -> Stream:
    """Make the answer."""
    size = len(recording.wire)
    for place in cutting.places:
        if place >= size:
            raise CommandError(f"it cannot be cut at byte {place:,}: it has {size:,} bytes")
    return Stream(
        recording,
        cut=cutting.places,
        piece=cutting.piece,
        delay="recorded" if cutting.delay is None else cutting.delay,
    )


def serve(answer: Stream, *, host: str, port: int, once: bool, as_json: bool) -> None:
    """Serve until interrupted, and say who asked.

    Args:
        answer: What to send.
        host: The interface.
        port: Of TCP; 0 takes a free one.
        once: Whether to stop after the first answer.
        as_json: Whether to print JSON, a line for the address and for each request.
    """
    try:
        server = HostileServer(answer, host=host, port=port)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CommandError(f"cannot serve at {host}, port {port}: {reason}") from None
    with server:
        print(json.dumps({"url": server.url}) if as_json else server.url, flush=True)
        shown = 0
        try:
            while not (once and server.answered):
                shown += _show(server.requests[shown:], as_json)
                time.sleep(_LOOK_EVERY)
        except KeyboardInterrupt:
            pass  # this is how one stops it
        _show(server.requests[shown:], as_json)


def _show(requests: tuple[Request, ...], as_json: bool) -> int:
    for request in requests:
        last = request.last_event_id
        if as_json:
            facts = {"method": request.method, "path": request.path, "last_event_id": last}
            print(json.dumps(facts), flush=True)
        else:
            resumes = f"  Last-Event-ID {quoted(last)}" if last else ""
            print(f"untorn: {request.method} {quoted(request.path)}{resumes}", file=sys.stderr)
    return len(requests)
