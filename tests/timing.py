"""How the growth tests take time: the least of three runs, with the garbage collector out of it.

The collector's work grows with everything that the test run holds, which is not what is measured.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any


def least_time(action: Callable[..., Any], *arguments: Any) -> float:
    """Give the least time of three runs, in seconds."""
    return min(_once(action, arguments) for _ in range(3))


def _once(action: Callable[..., Any], arguments: tuple[Any, ...]) -> float:
    gc.disable()
    try:
        start = time.perf_counter()
        action(*arguments)
        return time.perf_counter() - start
    finally:
        gc.enable()
