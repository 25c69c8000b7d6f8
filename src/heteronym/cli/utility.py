"""heteronym utility"""

from pathlib import Path
from typing import Annotated

import typer

from heteronym.cli._console import errors_as_messages, print_json
from heteronym.cli._options import Debug, Delimiter, Encoding, Json, Quiet, Seed
from heteronym.cli._panels import input_option, method_option


def command(
    release: Annotated[Path, typer.Argument(help="The release folder.")],
    against: Annotated[list[str], input_option(help="The original data; several files as for anonymize.")],
    private: Annotated[Path, input_option(help="The owner's folder of this release.")],
    target: Annotated[
        str | None, method_option(help="Column to learn from the others, from either table.")
    ] = None,
    query: Annotated[
        list[str] | None, method_option(help='A count of yours: "age < 30 and codes has 250".')
    ] = None,
    hierarchies: Annotated[Path | None, input_option(help="Folder with the plan's hierarchies.")] = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    seed: Seed = None,
    quiet: Quiet = False,
    json: Json = False,
    debug: Debug = False,
) -> None:
    """What a release is still good for, beside the original data; written to the owner's folder.

    Example: [bold]heteronym utility release --against posts.csv --private owner --query "age < 30"[/]
    """
    with errors_as_messages(debug=debug):
        from heteronym.weighing import PAGE_FILE, utility

        found = utility(
            release,
            against=against,
            private=private,
            target=target,
            queries=query or (),
            hierarchies=hierarchies,
            seed=seed or 0,
            delimiter=delimiter,
            encoding=encoding,
        )
        if json:
            print_json(found.to_dict())
        elif not quiet:
            typer.echo(f"{found.text}page: {private / PAGE_FILE}")
