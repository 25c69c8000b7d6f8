"""heteronym sanitize"""

# Annotations must be objects here, not strings: options of parts are added to them.
from pathlib import Path
from typing import Annotated, Any

import typer

from heteronym.cli._console import Steps, errors_as_messages, print_json
from heteronym.cli._documents import asked_passphrase, tell_skipped
from heteronym.cli._options import (
    Cache,
    Debug,
    Encoding,
    Json,
    LanguageModel,
    Overwrite,
    Passphrase,
    Private,
    Quiet,
    with_options_of,
)
from heteronym.cli._panels import input_option, method_option, output_option
from heteronym.registry import document_methods

_Output = Annotated[Path, output_option("--output", "-o", help="Folder for the documents.")]
_Method = Annotated[
    str,
    method_option(help="Document method: " + ", ".join(document_methods.names())),
]
_Config = Annotated[Path | None, input_option("--config", "-c", help="A plan; what it says of texts holds.")]


@with_options_of("document_methods")
def command(
    documents: Annotated[list[str], typer.Argument(help="Text, Markdown, HTML, DOCX, PDF; folders of them.")],
    output: _Output,
    method: _Method = "redact",
    config: _Config = None,
    private: Private = None,
    passphrase: Passphrase = False,
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

    Example: [bold]heteronym sanitize letter.txt notes/ -o clean --method redact[/]. Exit code 4 says that
    some documents could not be read and were left out.
    """
    with errors_as_messages(debug=debug):
        from heteronym.keeping import keeps_vault
        from heteronym.run import Run
        from heteronym.sanitizing import sanitize_documents

        asked = passphrase or keeps_vault(method)
        secret = asked_passphrase(passphrase, new=True) if asked else None
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
                passphrase=secret,
                overwrite=overwrite,
                run=Run(steps, cache=cache, folder=None if config is None else config.parent),
            )
        for warning in done.facts.get("warnings", ()):
            typer.echo(f"heteronym: {warning}", err=True)
        if json:
            told = {"documents": [str(path) for path in done.written], "method": method, **done.facts}
            print_json({**told, "skipped": done.skipped})
        elif not quiet:
            for path in done.written:
                typer.echo(f"sanitized: {path}")
        if keeps_vault(method) and private is None and not quiet:
            typer.echo("no --private: there is no vault, and nobody can restore these documents", err=True)
        unread = done.facts.get("unread_parts")
        if unread and not quiet:
            typer.echo(f"{unread} pictures, embedded files or scripts were not read", err=True)
        tell_skipped(done.skipped)
