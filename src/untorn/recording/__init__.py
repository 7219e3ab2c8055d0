"""untorn.recording keeps the reads of a body as they came: a broken stream to look at, and to play.

``record`` and ``arecord`` pass reads through while they are written to a file; ``Recording`` loads
it, and plays it again.
"""

from __future__ import annotations

from ._file import RecordingError
from ._read import Read
from ._record import arecord, record
from ._recording import Recording

__all__ = ["Read", "Recording", "RecordingError", "arecord", "record"]
