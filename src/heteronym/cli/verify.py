"""heteronym verify"""

from pathlib import Path
from typing import Annotated

import typer

from heteronym.cli._console import errors_as_messages, print_json
from heteronym.cli._options import Debug, Delimiter, Encoding, Json, Quiet, Verbose
from heteronym.cli._panels import input_option

CANNOT_TELL = 3  # exit code: neither kept nor broken, as far as was looked
SAID = {
    True: "the promise holds",
    False: "the promise does not hold",
    None: "whether the promise holds cannot be told with what was given; the remarks say what is missing",
}


def command(
    release: Annotated[Path, typer.Argument(help="A release folder.")],
    against: Annotated[
        list[str] | None, input_option(help="The original data; repeat for several files.")
    ] = None,
    private: Annotated[Path | None, input_option(help="The owner's folder, to count persons.")] = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Audit a release with code that shares nothing with what made it; exit 1 if the promise does not hold,
    3 if that cannot be told.

    Example: [bold]heteronym verify release --against posts.csv --private owner[/]
    """
    with errors_as_messages(debug=debug):
        from heteronym.verify.folder import verify_release

        verdict = verify_release(
            release, against=against or None, private=private, delimiter=delimiter, encoding=encoding
        )
        if json:
            print_json(verdict.to_dict())
        elif not quiet:
            for model in verdict.models:
                given = ", ".join(f"{name} = {value}" for name, value in model.parameters.items())
                word = {True: "holds", False: "FAILS", None: "cannot be told"}[model.holds]
                typer.echo(
                    f"{model.model} ({given}): {word}, smallest group {model.smallest_group} {verdict.unit}"
                )
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
        if verdict.holds is not True:
            raise typer.Exit(1 if verdict.holds is False else CANNOT_TELL)
