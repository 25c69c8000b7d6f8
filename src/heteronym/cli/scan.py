"""heteronym scan"""

from pathlib import Path
from typing import Annotated, Any

import typer

from heteronym.cli import _options as given
from heteronym.cli._console import Answer, check_free, write_text
from heteronym.cli._marked import PAGE, show_marked


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
    overwrite: given.Overwrite = False,
) -> Answer:
    """Find mentions: one JSON line each with offsets, type, score and source; no text is written.

    Example: [bold]heteronym scan posts.csv -c plan.yaml -o mentions.jsonl[/], review the file, then
    [bold]heteronym anonymize ... --mentions mentions.jsonl[/]

    Why was this found? [bold]heteronym scan letter.txt --explain[/] shows the text itself, for its owner.
    """
    from heteronym.errors import UsageError
    from heteronym.scanning import scan_documents, scan_tables

    if private is not None and not explain:
        raise UsageError("--private holds the page of --explain; name both, or neither")
    check_free(output, overwrite=overwrite, remark=", and may have been reviewed")
    run.cache = cache
    if config is not None:
        options = {"delimiter": delimiter, "encoding": encoding, "language_model": language_model}
        found = scan_tables(data, config, options=options, run=run)
    else:
        found = scan_documents(data, language_model=language_model, encoding=encoding, run=run)
    text = "".join(f"{line.rstrip()}\n" for line in found.lines)

    def tell() -> None:
        if explain:
            show_marked(found.texts(), private=private, is_table=config is not None, quiet=quiet)
        if output is not None:
            write_text(output, text)
        elif json or not explain:
            typer.echo(text, nl=False)

    return Answer(None, tell, asked=True)
