"""heteronym compare"""

# Annotations must be objects here, not strings: options of parts are added to them.
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from heteronym.cli import _options as given
from heteronym.cli._console import Answer

_Data = Annotated[
    list[str] | None,
    typer.Argument(help="The data as for anonymize; may be left out with --pick."),
]
_Output = Annotated[
    Path,
    given.of_output("--output", "-o", help="Folder for tables and page; a stopped comparison goes on."),
]
_Set = Annotated[
    list[str] | None,
    given.of_method("--set", help="PATH=VALUES: any other plan value, as attributes.age.weight=1,2."),
]
_Pick = Annotated[
    str | None,
    given.of_output(
        help="Write the plan of this run: its number, its settings (k=5,method=gdf), or recommended."
    ),
]


def _with_grid_options(function: Callable[..., Answer]) -> Callable[..., Answer]:
    """Adds the options of `with_part_options`, each for several values, in place of `**parameters`."""
    added = [given.option("method", str, "Partitioners to compare", panel="Method")]
    for name, owners, panel in given.part_parameters():
        of = ", ".join(part for part, _ in owners)
        added.append(given.option(name, str, f"{owners[0][1].help}. For {of}", panel=panel))
    for name in ("terms", "items", "seed", "suppress_up_to", "suppress_cells_up_to"):
        if name not in {parameter.name for parameter in added}:
            added.append(given.option(name, str, "As in the plan", panel="Method"))
    return given.extended(function, added)


@given.as_command
@_with_grid_options
@given.follows(
    "compare",
    plan=given.Config,
    processes=Annotated[int, given.of_method(help="Runs at a time; 0: one per core.", min=0, max=1024)],
    sample=Annotated[
        bool, given.of_method("--sample", help="Compare on some persons alone, drawn at random.")
    ],
    # values of the plan, the same for all runs
    language_model=given.LanguageModel,
    delimiter=given.Delimiter,
    encoding=given.Encoding,
    sheet=given.Sheet,
    table=given.Table,
    query=given.Query,
)
def command(
    run: Any,
    output: _Output,
    data: _Data = None,
    paths: _Set = None,
    pick: _Pick = None,
    **options: Any,
) -> Answer:
    """Run a grid of settings on the same data, and show what each costs: tables, plots, the best of them.

    Values are lists (2,5,10) and ranges with both ends (0:1:0.1). Nothing is released.

    Example: [bold]heteronym compare posts.csv -c plan.yaml -o grid --k 2,5 --relational-weight 0:1:0.1[/]
    """
    from heteronym.api.compare import compare
    from heteronym.api.compare import pick as pick_plan
    from heteronym.errors import UsageError
    from heteronym.io.plans import override, read_plan

    config = options.pop("plan")
    once = {
        name: options.pop(name)
        for name in ("delimiter", "encoding", "sheet", "table", "query", "language_model")
    }
    plan = override(read_plan(config), once)
    if not data and pick is None:
        raise UsageError("name the data to compare settings on, or --pick a run of an earlier comparison")
    found = None
    run.folder = config.parent
    if data:
        asked = {name: value for name, value in options.items() if value is not None}
        found = compare(data, plan, output=output, paths=_paths(paths or []), run=run, **asked)
    written = None if pick is None else pick_plan(output, plan, config.parent, pick)
    return Answer(_page_object(found, written), lambda: _show(found, output, written))


def _paths(settings: list[str]) -> dict[str, str]:
    from heteronym.errors import UsageError

    pairs = [text.partition("=") for text in settings]
    if any(not middle for _, middle, _ in pairs):
        raise UsageError("--set takes PATH=VALUES, as attributes.age.weight=1,2")
    return {path.strip(): values for path, _, values in pairs}


def _page_object(found: Any, written: Path | None) -> dict[str, Any]:
    content: dict[str, Any] = {} if found is None else found.page_data()
    content.pop("histograms", None)
    return content | ({} if written is None else {"plan": str(written)})


def _show(found: Any, output: Path, written: Path | None) -> None:
    if found is not None:
        for line in found.recommendation:
            typer.echo(line)
        typer.echo(f"table: {output / 'comparison.csv'} (and .parquet), {len(found.rows)} runs")
        typer.echo(f"page:  {output / 'comparison.html'}")
    if written is not None:
        typer.echo(f"plan:  {written}")
