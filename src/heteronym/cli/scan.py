"""heteronym scan"""

from pathlib import Path
from typing import Annotated, Any

import typer

from heteronym.cli import _options as given
from heteronym.cli._console import Answer

KINDS = ("brat", "conll", "spacy", "label-studio", "presidio")
_MOST = 20  # texts on the screen
PAGE = "marked.html"
_STYLES = {"remove": "bold red", "joint": "yellow", "leave": "cyan"}


@given.as_command
def command(
    data: Annotated[
        list[str], typer.Argument(help="Text documents, or with -c data files with text columns.")
    ],
    run: Any,
    quiet: bool,
    json: bool,
    config: Annotated[
        Path | None, given.of_input("--config", "-c", help="The plan; makes DATA a table.")
    ] = None,
    output: Annotated[Path | None, given.of_output("--output", "-o", help="File for the mentions.")] = None,
    format: Annotated[
        str | None,
        given.of_output(help=f"Write --output for another tool, with the texts: {', '.join(KINDS)}."),
    ] = None,
    explain: Annotated[
        bool,
        given.of_output(
            help="Show the texts with their mentions marked, who found each and by which rule; "
            f"with --private also as a page, {PAGE}."
        ),
    ] = False,
    private: given.Private = None,
    language_model: given.LanguageModel = None,
    cache: given.Cache = None,
    delimiter: given.Delimiter = None,
    encoding: given.Encoding = None,
    table: given.Table = None,
    query: given.Query = None,
    overwrite: given.Overwrite = False,
) -> Answer:
    """Find mentions: one JSON line each with offsets, type, score and source; no text is written.

    Example: [bold]heteronym scan posts.csv -c plan.yaml -o mentions.jsonl[/], review the file, then
    [bold]heteronym anonymize ... --mentions mentions.jsonl[/]

    Why was this found? [bold]heteronym scan letter.txt --explain[/] shows the text itself, for its owner.
    """
    from heteronym.api.scan import scan_given, write_mentions
    from heteronym.errors import UsageError
    from heteronym.io.plain_files import check_free

    if format is not None and output is None:
        raise UsageError("--format is for a file, because it holds the texts; name it with --output")
    if private is not None and not explain:
        raise UsageError("--private holds the page of --explain; name both, or neither")
    check_free(output, overwrite=overwrite, remark=", and may have been reviewed")
    run.cache = cache
    asked = {"delimiter": delimiter, "encoding": encoding, "table": table, "query": query}
    found = scan_given(data, config, options={**asked, "language_model": language_model}, run=run)

    def tell() -> None:
        if explain:
            _show_marked(found.texts(), private=private, is_table=config is not None, quiet=quiet)
        if output is not None:
            write_mentions(found, output, format)
        elif json or not explain:
            typer.echo("".join(f"{line}\n" for line in found.lines), nl=False)

    return Answer(None, tell, asked=True, remarks=found.remarks)


def _show_marked(texts: Any, *, private: Path | None, is_table: bool, quiet: bool) -> None:
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
