"""heteronym explain"""

from pathlib import Path
from typing import Annotated

import typer

from heteronym.cli._console import errors_as_messages, print_json
from heteronym.cli._options import Debug, Json
from heteronym.cli._panels import input_option, output_option


def command(
    release: Annotated[Path, typer.Argument(help="The release folder.")],
    private: Annotated[Path, input_option(help="The owner's folder of this release.")],
    row: Annotated[int, input_option(help="Row of the released table, counted from 1.")],
    values: Annotated[
        bool, output_option("--values", help="Show original values, too: for the owner's eyes.")
    ] = False,
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Why a released row looks as it does: its group, its labels, and why each mention was kept or masked.

    Original values are not shown unless --values asks for them.

    Example: [bold]heteronym explain release --private owner --row 3[/]
    """
    with errors_as_messages(debug=debug):
        from heteronym.explaining import explain

        found = explain(release, private=private, row=row, values=values)
        print_json(found.to_dict()) if json else typer.echo(found.text, nl=False)
