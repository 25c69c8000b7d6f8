"""Texts with their mentions marked, who found each and by which rule: on the screen, and as a page."""

from pathlib import Path
from typing import Any

import typer

_MOST = 20  # texts on the screen
PAGE = "marked.html"
_STYLES = {"remove": "bold red", "joint": "yellow", "leave": "cyan"}


def show_marked(texts: Any, *, private: Path | None, is_table: bool, quiet: bool) -> None:
    """On the screen of whoever asked, and as a page in the owner's folder; nowhere else."""
    from heteronym.io.owner_files import write_private
    from heteronym.report.marked import marked_page
    from heteronym.text.entity_types import meaning

    if not quiet:
        for text in texts[:_MOST]:
            _show_one(text)
        left = len(texts) - _MOST
        mentions = sum(len(text.mentions) for text in texts)
        typer.echo(f"{mentions} mentions in {len(texts)} texts" + (f"; {left} not shown" if left > 0 else ""))
    if private is not None:
        write_private(private, {PAGE: marked_page(texts, meaning, plan_decides=is_table)})
        typer.echo(f"the texts with their mentions: {private / PAGE}", err=True)


def _show_one(document: Any) -> None:
    from rich.console import Console
    from rich.text import Text

    from heteronym.report.marked import found_by, pieces
    from heteronym.text.entity_types import meaning

    line = Text()
    for text, number, span in pieces(document):
        if span is None:
            line.append(text)
        else:
            line.append(text, style=f"{_STYLES[meaning(span.type)[0]]} underline")
            line.append(f"[{number}]", style="dim")
    console = Console(highlight=False, soft_wrap=True)
    console.print(Text(document.name, style="bold"))
    console.print(line)
    for number, span in enumerate(document.mentions, 1):
        console.print(
            Text(f"  {number:3}  {span.type:13} {span.score:.2f}  {found_by(span)}"),
            style=_STYLES[meaning(span.type)[0]],
        )
    console.print()
