"""heteronym scan"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from heteronym.cli._console import Steps, errors_as_messages
from heteronym.cli._options import (
    Cache,
    Debug,
    Delimiter,
    Encoding,
    Json,
    LanguageModel,
    Overwrite,
    Private,
    Quiet,
)

if TYPE_CHECKING:
    from heteronym.scanning import Marked

_MOST = 20  # texts on the screen
PAGE = "marked.html"
_STYLES = {"remove": "bold red", "joint": "yellow", "leave": "cyan"}


def command(
    data: Annotated[
        list[str], typer.Argument(help="Text documents, or with -c data files with text columns.")
    ],
    config: Annotated[
        Path | None,
        typer.Option("--config", "-c", help="The plan; makes DATA a table.", rich_help_panel="Input"),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File for the mentions.", rich_help_panel="Output")
    ] = None,
    explain: Annotated[
        bool,
        typer.Option(
            help="Show the texts with their mentions marked, who found each and by which rule; "
            f"with --private also as a page, {PAGE}.",
            rich_help_panel="Output",
        ),
    ] = False,
    private: Private = None,
    language_model: LanguageModel = None,
    cache: Cache = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Find mentions: one JSON line each with offsets, type, score and source; no text is written.

    Example: [bold]heteronym scan posts.csv -c plan.yaml -o mentions.jsonl[/], review the file, then
    [bold]heteronym anonymize ... --mentions mentions.jsonl[/]

    Why was this found? [bold]heteronym scan letter.txt --explain[/] shows the text itself, for its owner.
    """
    with errors_as_messages(debug=debug):
        from heteronym.errors import OutputError, UsageError
        from heteronym.run import Run
        from heteronym.scanning import scan_documents, scan_tables

        if private is not None and not explain:
            raise UsageError("--private holds the page of --explain; name both, or neither")
        if output is not None and output.exists() and not overwrite:
            raise OutputError(f"{output}: exists, and may have been reviewed. Use --overwrite to replace it")
        with Steps(quiet=quiet) as steps:
            if config is not None:
                options = {"delimiter": delimiter, "encoding": encoding, "language_model": language_model}
                found = scan_tables(data, config, options=options, run=Run(steps, cache=cache))
            else:
                found = scan_documents(
                    data, language_model=language_model, encoding=encoding, run=Run(steps, cache=cache)
                )
        if explain:
            _explain(found.marked(), private=private, is_table=config is not None, quiet=quiet)
        _write_lines(found.lines, output, shown=json or not explain)


def _write_lines(lines: Sequence[str], output: Path | None, *, shown: bool) -> None:
    from heteronym.errors import OutputError

    text = "".join(f"{line.rstrip()}\n" for line in lines)
    if output is None:
        if shown:
            typer.echo(text, nl=False)
        return
    try:
        output.write_text(text, "utf-8")
    except OSError as error:
        raise OutputError(f"{output}: cannot be written ({error.strerror})") from None


def _explain(texts: Sequence[Marked], *, private: Path | None, is_table: bool, quiet: bool) -> None:
    """On the screen of whoever asked, and as a page in the owner's folder; nowhere else."""
    from heteronym.io.owner_files import write_private
    from heteronym.report.marked import marked_page
    from heteronym.text.entity_types import meaning

    if not quiet:
        for text in texts[:_MOST]:
            _show(text)
        left = len(texts) - _MOST
        mentions = sum(len(text.spans) for text in texts)
        typer.echo(f"{mentions} mentions in {len(texts)} texts" + (f"; {left} not shown" if left > 0 else ""))
    if private is not None:
        write_private(private, {PAGE: marked_page(texts, meaning, plan_decides=is_table)})
        typer.echo(f"the texts with their mentions: {private / PAGE}", err=True)


def _show(marked: Marked) -> None:
    from rich.console import Console
    from rich.text import Text

    from heteronym.report.marked import found_by, pieces
    from heteronym.text.entity_types import meaning

    line = Text()
    for text, number, span in pieces(marked):
        if span is None:
            line.append(text)
        else:
            line.append(text, style=f"{_STYLES[meaning(span.type)[0]]} underline")
            line.append(f"[{number}]", style="dim")
    console = Console(highlight=False, soft_wrap=True)
    console.print(Text(marked.name, style="bold"))
    console.print(line)
    for number, span in enumerate(marked.spans, 1):
        console.print(
            Text(f"  {number:3}  {span.type:13} {span.score:.2f}  {found_by(span)}"),
            style=_STYLES[meaning(span.type)[0]],
        )
    console.print()
