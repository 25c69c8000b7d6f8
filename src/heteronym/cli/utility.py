"""heteronym utility"""

from pathlib import Path
from typing import Annotated, Any

import typer

from heteronym.cli import _options as given
from heteronym.cli._console import Answer


@given.as_command
@given.follows(
    "utility",
    release=Annotated[Path, typer.Argument(help="The release folder.")],
    against=Annotated[list[str], given.of_input(help="The original data; several files as for anonymize.")],
    private=Annotated[Path, given.of_input(help="The owner's folder of this release.")],
    target=Annotated[str | None, given.of_method(help="Column to learn from the others, from either table.")],
    queries=Annotated[
        list[str] | None,
        given.of_method("--query", help='A count of yours: "age < 30 and codes has 250".'),
    ],
    hierarchies=Annotated[Path | None, given.of_input(help="Folder with the plan's hierarchies.")],
    seed=Annotated[int, given.of_method(help="Random seed.")],
)
def command(run: Any, **options: Any) -> Answer:
    """What a release is still good for, beside the original data; written to the owner's folder.

    Example: [bold]heteronym utility release --against posts.csv --private owner --query "age < 30"[/]
    """
    from heteronym.api.utility import PAGE_FILE, utility

    found = utility(**options, run=run)
    return Answer(found.to_dict(), f"{found.text}page: {options['private'] / PAGE_FILE}\n")
