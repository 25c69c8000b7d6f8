"""Plots of the studies as SVG files: those of the reports, with their colours and legend inside."""

from __future__ import annotations

import re
from pathlib import Path

COLOURS = ("#2566ab", "#c05a0c", "#16794a", "#8c3b92", "#6f6a00", "#0d7488")
DASHES = ("none", "6 3", "2 3", "8 3 2 3", "4 2", "10 4")
LINE = 15  # units of a line of the legend


def save(figure: str, path: Path) -> None:
    """A figure as `report.plots` draws it, as a file that a page can show."""
    [title] = re.findall(r"<figcaption>(.*?)</figcaption>", figure)[:1]
    keys = re.findall(r'<li><svg[^>]*>(<g class="f\d">.*?</g>)</svg>(.*?)</li>', figure)
    found = re.search(r'<svg viewBox="0 0 (\d+) ([\d.]+)" role[^>]*>(.*?)</svg><details>', figure, re.DOTALL)
    assert found is not None
    width, height, drawn = int(found[1]), float(found[2]), found[3]
    rows = (len(keys) + 1) // 2
    top = 22 + rows * LINE
    legend = "".join(
        f'<g transform="translate({12 + n % 2 * 180} {26 + n // 2 * LINE})">{mark}'
        f'<text x="10" y="4">{name}</text></g>'
        for n, (mark, name) in enumerate(keys)
    )
    style = "".join(
        f".f{n}{{fill:{c}}}.l{n}{{fill:none;stroke:{c};stroke-width:1.8;stroke-dasharray:{d}}}"
        for n, (c, d) in enumerate(zip(COLOURS, DASHES, strict=True))
    )
    style += "text{font:11px sans-serif;fill:#4c5b69}.axis,.title{fill:#17212b}.grid{stroke:#d3dbe3}"
    style += ".front{fill:none;stroke:#17212b;stroke-dasharray:5 3}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + top:g}"'
        f' width="{width * 1.6:g}"><style>{style}</style><rect width="100%" height="100%" fill="#fff"/>'
        f'<text class="title" x="8" y="14" font-weight="bold">{title}</text>{legend}'
        f'<g transform="translate(0 {top})">{drawn}</g></svg>\n',
        "utf-8",
    )
