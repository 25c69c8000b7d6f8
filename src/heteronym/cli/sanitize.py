"""heteronym sanitize"""

# Annotations must be objects here, not strings: options of parts are added to them.
from pathlib import Path
from typing import Annotated, Any

import typer

from heteronym.cli._console import Steps, errors_as_messages, print_json
from heteronym.cli._options import (
    Cache,
    Debug,
    Encoding,
    Json,
    LanguageModel,
    Overwrite,
    Private,
    Quiet,
    with_method_options,
)
from heteronym.registry import document_methods


@with_method_options
def command(
    documents: Annotated[list[str], typer.Argument(help="Text documents.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Folder for the documents.", rich_help_panel="Output")
    ],
    method: Annotated[
        str,
        typer.Option(
            help="Document method: " + ", ".join(document_methods.names()), rich_help_panel="Method"
        ),
    ] = "redact",
    config: Annotated[
        Path | None,
        typer.Option("--config", "-c", help="A plan; what it says of texts holds.", rich_help_panel="Input"),
    ] = None,
    private: Private = None,
    language_model: LanguageModel = None,
    cache: Cache = None,
    encoding: Encoding = None,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    json: Json = False,
    debug: Debug = False,
    **parameters: Any,
) -> None:
    """Rewrite documents so that what is sensitive in them is gone; each keeps its name, in a folder.

    Example: [bold]heteronym sanitize letter.txt -o clean --method redact[/]
    """
    with errors_as_messages(debug=debug):
        from heteronym.run import Run
        from heteronym.sanitizing import sanitize_documents

        with Steps(quiet=quiet) as steps:
            done = sanitize_documents(
                documents,
                output,
                method=method,
                parameters={name: value for name, value in parameters.items() if value is not None},
                config=config,
                language_model=language_model,
                encoding=encoding,
                private=private,
                overwrite=overwrite,
                run=Run(steps, cache=cache, folder=None if config is None else config.parent),
            )
        for warning in done.facts.get("warnings", ()):
            typer.echo(f"heteronym: {warning}", err=True)
        if json:
            print_json({"documents": [str(path) for path in done.written], "method": method, **done.facts})
        elif not quiet:
            for path in done.written:
                typer.echo(f"sanitized: {path}")
