"""Tables of figures: shown on the screen, and written into a page between marks of their own.

A page that wants the figures of a command holds the two lines

    <!-- figures: NAME -->
    <!-- end of figures -->

and `--write PAGE` of the command replaces what stands between them. Nothing there is typed by hand.
"""

from __future__ import annotations

import re
from pathlib import Path


def table(rows: list[dict[str, object]]) -> str:
    """Rows as a markdown table."""
    names = list(rows[0])
    lines = ["| " + " | ".join(names) + " |", "|" + "---|" * len(names)]
    lines += ["| " + " | ".join(_cell(value) for value in row.values()) + " |" for row in rows]
    return "\n".join(lines)


def _cell(value: object) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def show(rows: list[dict[str, object]], *, name: str = "", page: Path | None = None) -> None:
    """Print the rows and, if a page is given, write them to it."""
    text = table(rows)
    print(text, flush=True)
    if page is not None:
        write(page, name, text)


def write(page: Path, name: str, text: str) -> None:
    marks = re.compile(rf"(<!-- figures: {re.escape(name)} -->\n).*?(<!-- end of figures -->)", re.DOTALL)
    old = page.read_text("utf-8")
    if not marks.search(old):
        raise SystemExit(f"{page}: no place for figures named '{name}'")
    page.write_text(marks.sub(lambda found: f"{found[1]}\n{text}\n\n{found[2]}", old), "utf-8")
