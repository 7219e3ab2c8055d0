"""Look into a built wheel: the package, its marker and licence, nothing else; and small."""

from __future__ import annotations

import re
import sys
import zipfile
from pathlib import Path

MOST = 60 * 1024  # bytes, of the core: what `import untorn` loads, and untorn.text
MOST_IN_ALL = 200 * 1024


def main() -> int:
    wheel = Path(sys.argv[1])
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = next(name for name in names if name.endswith("/METADATA"))
        text = archive.read(metadata).decode()
        core = sum(
            entry.compress_size
            for entry in archive.infolist()
            if re.fullmatch(r"untorn/[^/]+", entry.filename)
        )
    head = text.partition("\n\n")[0].splitlines()
    facts = {
        "only the package": {name.partition("/")[0].partition("-")[0] for name in names}
        == {"untorn"},
        "py.typed": "untorn/py.typed" in names,
        "licence": any(name.endswith("licenses/LICENSE") for name in names),
        "licence expression": "License-Expression: MIT" in head,
        "no dependency": not [
            line for line in head if line.startswith("Requires-Dist") and "extra ==" not in line
        ],
        "size": core <= MOST and wheel.stat().st_size <= MOST_IN_ALL,
    }
    size = f"{wheel.stat().st_size:,} bytes, of which {core:,} are the core"
    print(f"{wheel.name}: {size};", *[fact for fact, ok in facts.items() if ok])
    wrong = [fact for fact, ok in facts.items() if not ok]
    if wrong:
        print("wrong:", *wrong)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
