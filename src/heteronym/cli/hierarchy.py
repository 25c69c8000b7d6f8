"""heteronym hierarchy build | check"""

from pathlib import Path
from typing import Annotated

import typer

from heteronym.cli import _options as given
from heteronym.cli._console import Answer

app = typer.Typer(add_completion=False, rich_markup_mode="rich", no_args_is_help=True)

Plan = Annotated[
    Path | None, given.of_input("--config", "-c", help="A plan; its scales and hierarchies hold.")
]
Column = Annotated[str | None, given.of_input(help="The column it is for.")]


_Output = Annotated[
    Path,
    given.of_output(
        "--output", "-o", help="File to write: .csv as ARX reads it, .txt as an outline for an editor."
    ),
]
_Kind = Annotated[
    str | None,
    given.of_method(
        help="ranges, quantiles, dates, prefixes, neighbours or flat; chosen by the values if left out."
    ),
]
_Ranges = Annotated[int | None, given.of_method(help="For ranges, quantiles: how many at the lowest level.")]
_Step = Annotated[int | None, given.of_method(help="For prefixes: characters cut off per level.")]
_Fan = Annotated[int | None, given.of_method(help="For neighbours: nodes that become one.")]
_Levels = Annotated[
    list[str] | None, given.of_method(help="For dates: month, quarter, year, decade; repeat.")
]


@app.command()
@given.as_command
def build(
    data: given.Data,
    output: _Output,
    column: Annotated[str, given.of_input(help="The column it is for.")],
    kind: _Kind = None,
    ranges: _Ranges = None,
    step: _Step = None,
    fan: _Fan = None,
    levels: _Levels = None,
    config: Plan = None,
    delimiter: given.Delimiter = None,
    encoding: given.Encoding = None,
    overwrite: given.Overwrite = False,
) -> Answer:
    """Build a hierarchy from the values of a column.

    Example: [bold]heteronym hierarchy build people.csv --column age -o age.csv[/]
    """
    from heteronym.api.hierarchy import build_hierarchy

    built = build_hierarchy(
        data,
        column,
        output=output,
        kind=kind,
        plan=config,
        delimiter=delimiter,
        encoding=encoding,
        overwrite=overwrite,
        **{"ranges": ranges, "step": step, "fan": fan, "levels": levels or None},
    )
    return Answer(built.to_dict(), built.text)


@app.command()
@given.as_command
def check(
    hierarchy: Annotated[
        Path | None, typer.Argument(help="A hierarchy file; left out: all that the plan names.")
    ] = None,
    against: Annotated[
        list[str] | None, given.of_input(help="Data that it must cover; repeat for several files.")
    ] = None,
    column: Column = None,
    config: Plan = None,
    delimiter: given.Delimiter = None,
    encoding: given.Encoding = None,
) -> Answer:
    """Look for cycles, doubled leaves, torn nodes, and values of the data that have no leaf.

    Example: [bold]heteronym hierarchy check age.csv --against people.csv --column age[/]
    """
    from heteronym.api.hierarchy import check_hierarchy

    found = check_hierarchy(
        hierarchy,
        against=against or None,
        column=column,
        plan=config,
        delimiter=delimiter,
        encoding=encoding,
    )
    code = 0 if found.usable else 2
    return Answer(found.to_dict(), lambda: typer.echo(found.text, nl=False, err=code > 0), exit_code=code)
