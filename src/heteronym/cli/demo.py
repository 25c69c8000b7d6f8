"""heteronym demo"""

from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated

from heteronym.cli._console import Steps, errors_as_messages, print_json
from heteronym.cli._options import Debug, Json, Overwrite, Quiet, Verbose
from heteronym.cli._panels import input_option, output_option

_DATA = {"visits": "visits.csv", "blog": "posts.csv", "clinic": "visits.csv"}


def command(
    output: Annotated[Path, output_option("--output", "-o", help="Release folder to make.")] = Path(
        "demo-release"
    ),
    example: Annotated[
        str,
        input_option(
            help="visits: six patients with all kinds of data; blog: the paper's six persons; clinic: 300."
        ),
    ] = "visits",
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Anonymize a bundled example (invented visits, the running example of the rx-anon paper, or a clinic).

    Example: [bold]heteronym demo -o demo-release[/]
    """
    with errors_as_messages(debug=debug):
        from heteronym.cli.anonymize import show
        from heteronym.errors import UsageError, nearest
        from heteronym.library import anonymize

        if example not in _DATA:
            raise UsageError(f"--example must be one of {', '.join(_DATA)}.{nearest(example, _DATA)}")
        with as_file(files("heteronym") / "examples" / example) as folder, Steps(quiet=quiet) as steps:
            release = anonymize(
                folder / _DATA[example],
                folder / "plan.yaml",
                output=output,
                overwrite=overwrite,
                progress=steps,
            )
        if json:
            print_json({"release": str(output), **release.facts})
        elif not quiet:
            show(release.facts, output, verbose=verbose)
