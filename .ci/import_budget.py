"""Hold ``import untorn`` to 1.5 times ``import dataclasses``, in pairs of fresh processes."""

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
    # Of each pair, since a machine that becomes busy slows both alike.
    ratio = statistics.median(ours / theirs for ours, theirs in pairs)
    print(f"import untorn: {ratio:.2f} times import dataclasses (at most {ALLOWED})")
    return ratio > ALLOWED


if __name__ == "__main__":
    sys.exit(main())
