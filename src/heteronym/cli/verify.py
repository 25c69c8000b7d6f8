"""heteronym verify"""

from pathlib import Path
from typing import Annotated, Any

import typer

from heteronym.cli import _options as given
from heteronym.cli._console import Answer

CANNOT_TELL = 3  # exit code: neither kept nor broken, as far as was looked
SAID = {
    True: "the promise holds",
    False: "the promise does not hold",
    None: "whether the promise holds cannot be told with what was given; the remarks say what is missing",
}


@given.as_command
def command(
    release: Annotated[Path, typer.Argument(help="A release folder.")],
    against: Annotated[
        list[str] | None, given.of_input(help="The original data; repeat for several files.")
    ] = None,
    private: Annotated[Path | None, given.of_input(help="The owner's folder, to count persons.")] = None,
    delimiter: given.Delimiter = None,
    encoding: given.Encoding = None,
    verbose: given.Verbose = False,
) -> Answer:
    """Audit a release with code that shares nothing with what made it; exit 1 if the promise does not hold,
    3 if that cannot be told.

    Example: [bold]heteronym verify release --against posts.csv --private owner[/]
    """
    from heteronym.verify.folder import verify_release

    verdict = verify_release(
        release, against=against or None, private=private, delimiter=delimiter, encoding=encoding
    )
    code = {True: 0, False: 1, None: CANNOT_TELL}[verdict.holds]
    return Answer(verdict.to_dict(), lambda: _show(verdict, verbose=verbose), exit_code=code)


def _show(verdict: Any, *, verbose: bool) -> None:
    for model in verdict.models:
        parameters = ", ".join(f"{name} = {value}" for name, value in model.parameters.items())
        word = {True: "holds", False: "FAILS", None: "cannot be told"}[model.holds]
        least = f"smallest group {model.smallest_group} {verdict.unit}"
        typer.echo(f"{model.model} ({parameters}): {word}, {least}")
        if model.detail:
            typer.echo(f"  {model.detail}")
    for check in verdict.checks:
        if check.holds is not True or verbose:
            word = {None: "remark", True: "passed", False: "FAILED"}[check.holds]
            typer.echo(f"{word}: {check.name}: {check.detail}")
    if verdict.risk:
        told = (f"{name.replace('_', ' ')} {figure:.4g}" for name, figure in verdict.risk.items())
        typer.echo(f"risk that remains, counting {verdict.unit}: {', '.join(told)}")
    typer.echo(SAID[verdict.holds])
