"""Make docs/demo.svg anew, from a real run of the demonstration: python .ci/demo_picture.py"""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console

from untorn.cli._demo import demo

PICTURE = Path(__file__).parent.parent / "docs" / "demo.svg"
WIDTH = 88  # characters
# As rich draws it, without the fonts that it would load from elsewhere.
FORMAT = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: monospace; font-size: {char_height}px; \
line-height: {line_height}px; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def drawn() -> str:
    """Run the demonstration, and draw what it shows at its end."""
    console = Console(file=io.StringIO(), record=True, width=WIDTH, color_system=None)
    demo(text=None, chunk=1, delay=0, console=console)
    return console.export_svg(title="untorn demo", code_format=FORMAT, unique_id="demo")


def words(svg: str) -> list[str]:
    """Give the texts of a picture: what must be the same, whatever version of rich drew it."""
    return re.findall(r"<text[^>]*>([^<]+)</text>", svg)


if __name__ == "__main__":
    PICTURE.write_text(drawn(), "utf-8", newline="\n")
