"""heteronym demo"""

from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated, Any

from heteronym.cli import _options as given
from heteronym.cli._console import Answer

_DATA = {"visits": "visits.csv", "blog": "posts.csv", "clinic": "visits.csv"}


@given.as_command
def command(
    run: Any,
    output: Annotated[Path, given.of_output("--output", "-o", help="Release folder to make.")] = Path(
        "demo-release"
    ),
    example: Annotated[
        str,
        given.of_input(
            help="visits: six patients with all kinds of data; blog: the paper's six persons; clinic: 300."
        ),
    ] = "visits",
    overwrite: given.Overwrite = False,
    verbose: given.Verbose = False,
) -> Answer:
    """Anonymize a bundled example (invented visits, the running example of the rx-anon paper, or a clinic).

    Example: [bold]heteronym demo -o demo-release[/]
    """
    from heteronym.api.anonymize import anonymize
    from heteronym.cli.anonymize import answer_of
    from heteronym.errors import UsageError, nearest

    if example not in _DATA:
        raise UsageError(f"--example must be one of {', '.join(_DATA)}.{nearest(example, _DATA)}")
    with as_file(files("heteronym") / "examples" / example) as folder:
        data, plan = folder / _DATA[example], folder / "plan.yaml"
        release = anonymize(data, plan, output=output, overwrite=overwrite, run=run.since_start())
    return answer_of(release.facts, output, verbose=verbose)
