"""heteronym judge"""

from pathlib import Path
from typing import Annotated, Any

import typer

from heteronym.cli import _options as given
from heteronym.cli._console import Answer

_Released = Annotated[
    Path, typer.Argument(help="The released file, made by whatever tool, or a release folder.")
]
_Against = Annotated[list[str], given.of_input(help="The original data; repeat for several files.")]
_Plan = Annotated[
    Path | None, given.of_input("--config", "-c", help="Plan file. Default: one is proposed and shown.")
]
_Match = Annotated[str | None, given.of_input(help="Key column that both tables have.")]
_Rows = Annotated[
    Path | None,
    given.of_input(help="File with released row and original row, or the owner's folder of a release."),
]
_K = Annotated[int | None, given.of_method("--k", help="Persons to hide among. Default: the plan's.")]
_M = Annotated[int | None, given.of_method("--m", help="Items or words that are known. Default: the plan's.")]
_Report = Annotated[Path | None, given.of_output("--output", "-o", help="Report to write: one HTML file.")]
_Sarif = Annotated[Path | None, given.of_output(help="SARIF file to write, for pipelines.")]
_Junit = Annotated[Path | None, given.of_output(help="JUnit file to write, for pipelines.")]


@given.as_command
def command(
    released: _Released,
    against: _Against,
    run: Any,
    config: _Plan = None,
    match: _Match = None,
    rows: _Rows = None,
    k: _K = None,
    m: _M = None,
    language_model: given.LanguageModel = None,
    delimiter: given.Delimiter = None,
    encoding: given.Encoding = None,
    output: _Report = None,
    sarif: _Sarif = None,
    junit: _Junit = None,
    private: given.Private = None,
    overwrite: given.Overwrite = False,
    verbose: given.Verbose = False,
) -> Answer:
    """Judge what a release gives away that any tool made; exit 1 if something leaks, 3 if it cannot be told.

    Example: [bold]heteronym judge released.csv --against original.csv -o judgement.html[/]
    """
    from heteronym.api.judge import judge

    found = judge(
        released,
        against=against,
        plan=config,
        match=match,
        rows=rows,
        k=k,
        m=m,
        model=language_model,
        delimiter=delimiter,
        encoding=encoding,
        report=output,
        sarif=sarif,
        junit=junit,
        private=private,
        overwrite=overwrite,
        run=run,
    )
    proposed = f"{found.plan}\n" if found.plan and verbose else ""
    shown = "" if found.plan == "" or verbose else proposed_in_short(found.to_dict())
    written = f"page: {output}\n" if output is not None else ""
    words = f"{proposed}{shown}{found.in_words(verbose=verbose)}{written}"
    return Answer(found.to_dict(), words, exit_code=found.exit_code)


def proposed_in_short(figures: dict[str, Any]) -> str:
    """The roles of a proposed plan on one line each; the whole of it with --verbose."""
    by_role: dict[str, list[str]] = {}
    for name, role in figures["roles"].items():
        by_role.setdefault(role, []).append(name)
    said = [f"  {role}: {', '.join(names)}" for role, names in by_role.items()]
    return "\n".join(["no plan given; proposed (all of it with --verbose, yours with -c):", *said]) + "\n"
