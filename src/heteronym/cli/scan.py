"""heteronym scan"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from heteronym.cli._console import Steps, errors_as_messages
from heteronym.cli._marked import PAGE, show_marked
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
from heteronym.cli._panels import input_option, output_option

if TYPE_CHECKING:
    pass


def command(
    data: Annotated[
        list[str], typer.Argument(help="Text documents, or with -c data files with text columns.")
    ],
    config: Annotated[
        Path | None, input_option("--config", "-c", help="The plan; makes DATA a table.")
    ] = None,
    output: Annotated[Path | None, output_option("--output", "-o", help="File for the mentions.")] = None,
    explain: Annotated[
        bool,
        output_option(
            help="Show the texts with their mentions marked, who found each and by which rule; "
            f"with --private also as a page, {PAGE}."
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
            show_marked(found.marked(), private=private, is_table=config is not None, quiet=quiet)
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
