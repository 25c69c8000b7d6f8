"""heteronym profile"""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from heteronym.cli import _options as given
from heteronym.cli._console import Answer, check_free, write_text


@given.as_command
def command(
    data: given.Data,
    output: Annotated[
        Path | None, given.of_output("--output", "-o", help="Where to write the draft plan.")
    ] = None,
    person: Annotated[str | None, given.of_input(help="The person key; guessed if left out.")] = None,
    household: Annotated[str | None, given.of_input(help="The column that names the household.")] = None,
    weight: Annotated[str | None, given.of_input(help="The column with survey weights.")] = None,
    delimiter: given.Delimiter = None,
    encoding: given.Encoding = None,
    sheet: given.Sheet = None,
    overwrite: given.Overwrite = False,
) -> Answer:
    """Look at data and propose a plan: scale and role per column with the reason, person keys, uniqueness.

    Example: [bold]heteronym profile posts.csv -o plan.yaml[/]
    """
    from heteronym.io.unplanned import join_for_profile
    from heteronym.model.plan import DataPlan
    from heteronym.profiling import look_at

    check_free(output, overwrite=overwrite)
    table = join_for_profile(data, DataPlan(delimiter=delimiter, encoding=encoding, sheet=sheet))
    found = replace(look_at(table, person=person, household=household, weight=weight), sheet=sheet)
    if output is None:
        return Answer(found.to_dict(), lambda: typer.echo(found.text, nl=False), asked=True)
    write_text(output, found.text)
    told = f"draft plan: {output}\nRead it before you use it: every role is a proposal."
    return Answer(found.to_dict(), lambda: typer.echo(told))
