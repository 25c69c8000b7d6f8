"""heteronym attack"""

# Annotations must be objects here, not strings: options of parts are added to them.
from pathlib import Path
from typing import Annotated, Any

import typer

from heteronym.cli import _options as given
from heteronym.cli._console import Answer
from heteronym.registry import attacks, parameters_by_name


@given.as_command
@given.with_options_of("attacks")
@given.follows(
    "attack",
    release=Annotated[Path, typer.Argument(help="A release folder.")],
    against=Annotated[list[str], given.of_input(help="The original data; repeat for several files.")],
    private=Annotated[Path | None, given.of_input(help="The owner's folder, to know who is who.")],
    hierarchies=Annotated[
        Path | None, given.of_input(help="Folder with the plan's hierarchies, to read their nodes.")
    ],
    control=Annotated[
        Path | None, given.of_input(help="Data of people like those, who are not in the release.")
    ],
    other=Annotated[Path | None, given.of_input(help="Another release of the same data.")],
    other_private=Annotated[Path | None, given.of_input(help="The owner's folder of that one.")],
    only=Annotated[list[str] | None, given.of_method(help="Only this attack; repeat for several.")],
    seed=Annotated[int, given.of_method(help="Random seed.")],
)
def command(run: Any, verbose: given.Verbose = False, **options: Any) -> Answer:
    """Simulate attackers who know the original data; exit 1 if one gets more than was promised.

    Example: [bold]heteronym attack release --against posts.csv --private owner[/]
    """
    from heteronym.api.attack import attack

    parameters = {name: options.pop(name) for name in parameters_by_name(attacks)}
    found = attack(**options, parameters=parameters, run=run)
    code = 0 if found.holds else 1
    return Answer(found.to_dict(), found.in_words(verbose=verbose), exit_code=code)
