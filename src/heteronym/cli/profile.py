"""heteronym profile"""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from heteronym.cli._console import errors_as_messages, print_json
from heteronym.cli._options import Data, Debug, Delimiter, Encoding, Json, Overwrite, Quiet, Sheet
from heteronym.cli._panels import input_option, output_option


def command(
    data: Data,
    output: Annotated[
        Path | None, output_option("--output", "-o", help="Where to write the draft plan.")
    ] = None,
    person: Annotated[str | None, input_option(help="The person key; guessed if left out.")] = None,
    household: Annotated[str | None, input_option(help="The column that names the household.")] = None,
    weight: Annotated[str | None, input_option(help="The column with survey weights.")] = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    sheet: Sheet = None,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Look at data and propose a plan: scale and role per column with the reason, person keys, uniqueness.

    Example: [bold]heteronym profile posts.csv -o plan.yaml[/]
    """
    with errors_as_messages(debug=debug):
        from heteronym.errors import OutputError
        from heteronym.io.tables import join_for_profile
        from heteronym.model.plan import DataPlan
        from heteronym.profiling import look_at

        if output is not None and output.exists() and not overwrite:
            raise OutputError(f"{output}: exists. Use --overwrite to replace it")
        given = DataPlan(delimiter=delimiter, encoding=encoding, sheet=sheet)
        table = join_for_profile(data, given)
        found = replace(look_at(table, person=person, household=household, weight=weight), sheet=sheet)
        if output is not None:
            try:
                output.write_text(found.text, "utf-8")
            except OSError as error:
                raise OutputError(f"{output}: cannot be written ({error.strerror})") from None
        if json:
            print_json(found.to_dict())
        elif output is None:
            typer.echo(found.text, nl=False)
        elif not quiet:
            typer.echo(f"draft plan: {output}\nRead it before you use it: every role is a proposal.")
