"""heteronym profile"""

from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

from heteronym.cli import _options as given
from heteronym.cli._console import Answer


@given.as_command
def command(
    data: given.Data,
    run: Any,
    output: Annotated[
        Path | None, given.of_output("--output", "-o", help="Where to write the draft plan.")
    ] = None,
    person: Annotated[str | None, given.of_input(help="The person key; guessed if left out.")] = None,
    household: Annotated[str | None, given.of_input(help="The column that names the household.")] = None,
    weight: Annotated[str | None, given.of_input(help="The column with survey weights.")] = None,
    delimiter: given.Delimiter = None,
    encoding: given.Encoding = None,
    sheet: given.Sheet = None,
    table: given.Table = None,
    query: given.Query = None,
    overwrite: given.Overwrite = False,
    purpose: Annotated[
        str, given.of_privacy("--for", help="What the release is for: partner, research or public.")
    ] = "research",
    no_trial: Annotated[bool, given.of_method("--no-trial", help="Try no plans on a sample.")] = False,
    preview: Annotated[
        bool, given.of_output("--preview", help="Also show five rows before and after: values of persons.")
    ] = False,
    thorough: Annotated[bool, given.of_method("--thorough", help="Try more plans on more persons.")] = False,
) -> Answer:
    """Look at data and propose a plan: roles with reasons, and the strongest promise that leaves enough.

    Example: [bold]heteronym profile posts.csv -o plan.yaml[/]
    """
    from heteronym.api.profile import profile
    from heteronym.io.plain_files import check_free, write_text

    check_free(output, overwrite=overwrite)
    found = profile(
        data,
        purpose=purpose,
        trial=not no_trial,
        thorough=thorough,
        person=person,
        household=household,
        weight=weight,
        delimiter=delimiter,
        encoding=encoding,
        sheet=sheet,
        table=table,
        query=query,
        run=run,
    )
    rows = f"{found.preview().text}\n" if preview else ""
    if output is None:
        return Answer(found.to_dict(), rows + found.text, asked=True)
    # editors with a YAML language server complete the plan's keys by this line
    schema = files("heteronym.io") / "plan.schema.json"
    write_text(output, f"# yaml-language-server: $schema={Path(str(schema)).as_uri()}\n{found.text}")
    told = rows + ("" if found.question is None else f"{found.question}\n")
    told += "".join(f"{line}\n" for line in (found.trial.in_lines() if found.trial else ()))
    told += f"draft plan: {output}\nRead it before you use it: every role is a proposal.\n"
    return Answer(found.to_dict(), told)
