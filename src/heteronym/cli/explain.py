"""heteronym explain"""

from pathlib import Path
from typing import Annotated, Any

import typer

from heteronym.cli import _options as given
from heteronym.cli._console import Answer


@given.as_command
@given.follows(
    "explain",
    release=Annotated[Path, typer.Argument(help="The release folder.")],
    private=Annotated[Path, given.of_input(help="The owner's folder of this release.")],
    row=Annotated[int, given.of_input(help="Row of the released table, counted from 1.")],
    values=Annotated[
        bool, given.of_output("--values", help="Show original values, too: for the owner's eyes.")
    ],
)
def command(**options: Any) -> Answer:
    """Why a released row looks as it does: its group, its labels, and why each mention was kept or masked.

    Original values are not shown unless --values asks for them.

    Example: [bold]heteronym explain release --private owner --row 3[/]
    """
    from heteronym.api.explain import explain

    found = explain(**options)
    return Answer(found.to_dict(), found.text, asked=True)
