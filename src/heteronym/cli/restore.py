"""heteronym restore"""

from pathlib import Path
from typing import Annotated

import typer

from heteronym.cli._console import Steps, errors_as_messages, print_json
from heteronym.cli._documents import asked_passphrase, tell_skipped
from heteronym.cli._options import Debug, Encoding, Json, Overwrite, Passphrase, Quiet
from heteronym.cli._panels import input_option, output_option


def command(
    documents: Annotated[
        list[str], typer.Argument(help="Documents with pseudonyms, folders of them, and released tables.")
    ],
    output: Annotated[Path, output_option("--output", "-o", help="Folder for the documents.")],
    private: Annotated[Path, input_option(help="The owner's folder, with vault and key.")],
    passphrase: Passphrase = False,
    encoding: Encoding = None,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Bring documents that the method pseudonyms made back to their own words.

    Example: [bold]heteronym restore clean/letter.txt --private owner -o restored[/]. A document that was
    changed since comes back word by word, as far as its surrogates stand for one thing only. A release folder
    or its table gets back what its surrogates stand for; what was generalized or masked stays so.
    """
    with errors_as_messages(debug=debug):
        from heteronym.restoring import restore_documents
        from heteronym.run import Run

        with Steps(quiet=quiet) as steps:
            done = restore_documents(
                documents,
                output,
                private=private,
                passphrase=asked_passphrase(passphrase),
                encoding=encoding,
                overwrite=overwrite,
                run=Run(steps),
            )
        if json:
            restored = [str(path) for path in done.written]
            print_json({"documents": restored, "by_word": done.by_word, "skipped": done.skipped})
        elif not quiet:
            for path in done.written:
                typer.echo(f"restored: {path}")
            if done.by_word:
                typer.echo(f"{done.by_word} of them were changed since, and came back word by word", err=True)
        tell_skipped(done.skipped)
