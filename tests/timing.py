"""How the growth tests take time: as a ratio, of the least of three runs each.

The garbage collector is out of it: its work grows with everything that the test run holds.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any

ALLOWED = 20  # between 8, which is linear, and 64, which is quadratic


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


def is_linear(cost: Callable[[int], float], size: int) -> bool:
    """Tell whether eight times the size costs about eight times as much.

    What is quadratic costs 64 times as much each time that it is asked; a machine that is busy with
    other things may make 30 of 8, but not five times in a row.
    """
    return any(cost(8 * size) < ALLOWED * cost(size) for _ in range(5))
