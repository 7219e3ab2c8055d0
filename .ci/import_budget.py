"""Hold ``import untorn`` to 1.5 times ``import dataclasses``, by medians of fresh processes."""

from __future__ import annotations

import statistics
import subprocess
import sys

ALLOWED = 1.5
RUNS = 21
CODE = "import time; start = time.perf_counter(); import {}; print(time.perf_counter() - start)"


def cost(module: str) -> float:
    command = [sys.executable, "-c", CODE.format(module)]
    return float(subprocess.run(command, capture_output=True, check=True).stdout)


def main() -> int:
    pairs = [(cost("untorn"), cost("dataclasses")) for _ in range(RUNS)]
    ours, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"import untorn: {ours / theirs:.2f} times import dataclasses (at most {ALLOWED})")
    return ours > ALLOWED * theirs


if __name__ == "__main__":
    sys.exit(main())
