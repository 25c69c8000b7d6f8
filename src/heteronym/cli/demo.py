"""heteronym demo"""

from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated

import typer

from heteronym.cli._console import Steps, errors_as_messages, print_json
from heteronym.cli._options import Debug, Json, Overwrite, Quiet, Verbose


def command(
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Release folder to make.", rich_help_panel="Output")
    ] = Path("demo-release"),
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Anonymize the bundled example (the running example of the rx-anon paper) and show where everything is.

    Example: [bold]heteronym demo -o demo-release[/]
    """
    with errors_as_messages(debug=debug):
        from heteronym.cli.anonymize import show
        from heteronym.library import anonymize

        with as_file(files("heteronym") / "examples" / "blog") as folder, Steps(quiet=quiet) as steps:
            release = anonymize(
                folder / "posts.csv",
                folder / "plan.yaml",
                output=output,
                overwrite=overwrite,
                progress=steps,
            )
        if json:
            print_json({"release": str(output), **release.facts})
        elif not quiet:
            show(release.facts, output, verbose=verbose)
