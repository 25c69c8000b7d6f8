"""heteronym utility"""

from pathlib import Path
from typing import Annotated

import typer

from heteronym.cli._console import errors_as_messages, print_json
from heteronym.cli._options import Debug, Delimiter, Encoding, Json, Quiet, Seed


def command(
    release: Annotated[Path, typer.Argument(help="The release folder.")],
    against: Annotated[
        list[str],
        typer.Option(help="The original data; several files as for anonymize.", rich_help_panel="Input"),
    ],
    private: Annotated[
        Path, typer.Option(help="The owner's folder of this release.", rich_help_panel="Input")
    ],
    target: Annotated[
        str | None,
        typer.Option(help="Column to learn from the others, from either table.", rich_help_panel="Method"),
    ] = None,
    query: Annotated[
        list[str] | None,
        typer.Option(help='A count of yours: "age < 30 and codes has 250".', rich_help_panel="Method"),
    ] = None,
    hierarchies: Annotated[
        Path | None, typer.Option(help="Folder with the plan's hierarchies.", rich_help_panel="Input")
    ] = None,
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
