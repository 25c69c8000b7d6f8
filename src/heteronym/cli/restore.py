"""heteronym restore"""

from pathlib import Path
from typing import Annotated, Any

import typer

from heteronym.cli import _options as given
from heteronym.cli._console import Answer, asked_passphrase


@given.as_command
@given.follows(
    "restore",
    data=Annotated[
        list[str],
        typer.Argument(
            metavar="documents", help="Documents with pseudonyms, folders of them, and released tables."
        ),
    ],
    private=Annotated[Path, given.of_input(help="The owner's folder, with vault and key.")],
)
def command(
    run: Any,
    output: Annotated[Path, given.of_output("--output", "-o", help="Folder for the documents.")],
    passphrase: given.Passphrase = False,
    **options: Any,
) -> Answer:
    """Bring documents that the method pseudonyms made back to their own words.

    Example: [bold]heteronym restore clean/letter.txt --private owner -o restored[/]. A document that was
    changed since comes back word by word, as far as its surrogates stand for one thing only. A release folder
    or its table gets back what its surrogates stand for; what was generalized or masked stays so.
    """
    from heteronym.api.restore import restore

    documents = [Path(name) for name in options.pop("data")]
    done = restore(documents, output=output, passphrase=asked_passphrase(passphrase), run=run, **options)
    remarks = [f"not read: {reason}" for reason in done.hidden]
    return Answer(done.to_dict(), done.text, remarks=remarks, skipped=done.skipped)
