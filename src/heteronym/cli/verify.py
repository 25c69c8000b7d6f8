"""heteronym verify"""

from pathlib import Path
from typing import Annotated, Any

import typer

from heteronym.cli import _options as given
from heteronym.cli._console import Answer

CANNOT_TELL = 3  # exit code: neither kept nor broken, as far as was looked


@given.as_command
@given.follows(
    "verify",
    release=Annotated[str, typer.Argument(help="A release folder, or the table of a release in a database.")],
    against=Annotated[
        list[str] | None, given.of_input(help="The original data; repeat for several files or tables.")
    ],
    report_folder=Annotated[
        Path | None,
        given.of_input(help="Folder beside a release in a database. Default: TABLE-release."),
    ],
    private=Annotated[Path | None, given.of_input(help="The owner's folder, to count persons.")],
)
def command(run: Any, verbose: given.Verbose = False, **options: Any) -> Answer:
    """Audit a release with code that shares nothing with what made it; exit 1 if the promise does not hold,
    3 if that cannot be told.

    Example: [bold]heteronym verify release --against posts.csv --private owner[/]
    """
    from heteronym.api.verify import verify

    verdict = verify(**options, run=run)
    code = {True: 0, False: 1, None: CANNOT_TELL}[verdict.holds]
    return Answer(verdict.to_dict(), verdict.in_words(verbose=verbose), exit_code=code)
