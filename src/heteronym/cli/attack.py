"""heteronym attack"""

# Annotations must be objects here, not strings: options of parts are added to them.
from pathlib import Path
from typing import Annotated, Any

import typer

from heteronym.cli import _options as given
from heteronym.cli._console import Answer

_Against = Annotated[list[str], given.of_input(help="The original data; repeat for several files.")]
_Private = Annotated[Path | None, given.of_input(help="The owner's folder, to know who is who.")]
_Hierarchies = Annotated[
    Path | None, given.of_input(help="Folder with the plan's hierarchies, to read their nodes.")
]
_Control = Annotated[
    Path | None, given.of_input(help="Data of people like those, who are not in the release.")
]
_Other = Annotated[Path | None, given.of_input(help="Another release of the same data.")]
_OtherPrivate = Annotated[Path | None, given.of_input(help="The owner's folder of that one.")]
_Only = Annotated[list[str] | None, given.of_method(help="Only this attack; repeat for several.")]


@given.as_command
@given.with_options_of("attacks")
def command(
    release: Annotated[Path, typer.Argument(help="A release folder.")],
    against: _Against,
    run: Any,
    private: _Private = None,
    hierarchies: _Hierarchies = None,
    control: _Control = None,
    other: _Other = None,
    other_private: _OtherPrivate = None,
    registry: given.Registry = None,
    registry_key: given.RegistryKey = None,
    only: _Only = None,
    delimiter: given.Delimiter = None,
    encoding: given.Encoding = None,
    seed: given.Seed = None,
    verbose: given.Verbose = False,
    **parameters: Any,
) -> Answer:
    """Simulate attackers who know the original data; exit 1 if one gets more than was promised.

    Example: [bold]heteronym attack release --against posts.csv --private owner[/]
    """
    from heteronym.api.attack import attack

    found = attack(
        release,
        against=against,
        private=private,
        hierarchies=hierarchies,
        control=control,
        other=other,
        other_private=other_private,
        registry=registry,
        registry_key=registry_key,
        delimiter=delimiter,
        encoding=encoding,
        only=only or (),
        parameters=parameters,
        seed=seed or 0,
        run=run,
    )
    code = 0 if found.holds else 1
    return Answer(found.to_dict(), found.in_words(verbose=verbose), exit_code=code)
