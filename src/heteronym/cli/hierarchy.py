"""heteronym hierarchy build | check"""

from pathlib import Path
from typing import Annotated

import typer

from heteronym.cli._console import errors_as_messages, print_json
from heteronym.cli._options import Data, Debug, Delimiter, Encoding, Json, Overwrite, Quiet
from heteronym.cli._panels import input_option, method_option, output_option

app = typer.Typer(add_completion=False, rich_markup_mode="rich", no_args_is_help=True)

Plan = Annotated[Path | None, input_option("--config", "-c", help="A plan; its scales and hierarchies hold.")]
Column = Annotated[str | None, input_option(help="The column it is for.")]


_Output = Annotated[
    Path,
    output_option(
        "--output", "-o", help="File to write: .csv as ARX reads it, .txt as an outline for an editor."
    ),
]
_Kind = Annotated[
    str | None,
    method_option(
        help="ranges, quantiles, dates, prefixes, neighbours or flat; chosen by the values if left out."
    ),
]
_Ranges = Annotated[int | None, method_option(help="Of ranges, quantiles: how many at the lowest level.")]
_Step = Annotated[int | None, method_option(help="Of prefixes: characters cut off per level.")]
_Fan = Annotated[int | None, method_option(help="Of neighbours: nodes that become one.")]
_Levels = Annotated[list[str] | None, method_option(help="Of dates: month, quarter, year, decade; repeat.")]


@app.command()
def build(
    data: Data,
    output: _Output,
    column: Annotated[str, input_option(help="The column it is for.")],
    kind: _Kind = None,
    ranges: _Ranges = None,
    step: _Step = None,
    fan: _Fan = None,
    levels: _Levels = None,
    config: Plan = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Build a hierarchy from the values of a column.

    Example: [bold]heteronym hierarchy build people.csv --column age -o age.csv[/]
    """
    with errors_as_messages(debug=debug):
        from heteronym.errors import OutputError
        from heteronym.generalizing import build_for, text_for

        if output.exists() and not overwrite:
            raise OutputError(f"{output}: exists. Use --overwrite to replace it")
        plan, table = _plan_and_table(config, data, delimiter=delimiter, encoding=encoding)
        name, paths = build_for(
            table,
            column,
            attribute=None if plan is None else plan.attributes.get(column),
            kind=kind,
            parameters={"ranges": ranges, "step": step, "fan": fan, "levels": levels or None},
            missing=frozenset() if plan is None else frozenset(plan.data.missing),
        )
        try:
            output.write_text(text_for(paths, output), "utf-8")
        except OSError as error:
            raise OutputError(f"{output}: cannot be written ({error.strerror})") from None
        depth = max(map(len, paths))
        if json:
            print_json({"hierarchy": str(output), "kind": name, "leaves": len(paths), "levels": depth})
        elif not quiet:
            typer.echo(f"hierarchy: {output} ({name}, {len(paths)} values, {depth} levels)")
            if name == "flat":
                typer.echo("The values have no order and no common beginnings: group them in an editor.")


@app.command()
def check(
    hierarchy: Annotated[
        Path | None, typer.Argument(help="A hierarchy file; left out: all that the plan names.")
    ] = None,
    against: Annotated[
        list[str] | None, input_option(help="Data that it must cover; repeat for several files.")
    ] = None,
    column: Column = None,
    config: Plan = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    quiet: Quiet = False,
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Look for cycles, doubled leaves, torn nodes, and values of the data that have no leaf.

    Example: [bold]heteronym hierarchy check age.csv --against people.csv --column age[/]
    """
    with errors_as_messages(debug=debug):
        from heteronym.errors import UsageError
        from heteronym.generalizing import check_file, check_plan

        if hierarchy is None and config is None:
            raise UsageError("name a hierarchy file, or a plan with -c")
        if hierarchy is not None and bool(against) != (column is not None):
            raise UsageError("--against and --column go together")
        plan, table = None, None
        if against:
            plan, table = _plan_and_table(config, against, delimiter=delimiter, encoding=encoding)
        elif config is not None:
            plan, _ = _plan_and_table(config, [], delimiter=None, encoding=None)
        if hierarchy is not None:
            found = [
                check_file(
                    hierarchy,
                    table=table,
                    column=column,
                    attribute=None if plan is None or column is None else plan.attributes.get(column),
                    missing=frozenset() if plan is None else frozenset(plan.data.missing),
                )
            ]
        else:
            assert plan is not None
            assert config is not None
            found = check_plan(plan, config.parent, table)
        if json:
            print_json({"hierarchies": [cover.to_dict() for cover in found]})
        elif not quiet:
            for cover in found:
                _show(cover)
        if not all(cover.usable for cover in found):
            raise typer.Exit(2)


def _plan_and_table(config: Path | None, data: list[str], *, delimiter: str | None, encoding: str | None):  # type: ignore[no-untyped-def]
    from heteronym.io.plans import override, read_plan
    from heteronym.io.tables import join_for_profile, read_tables
    from heteronym.model.plan import DataPlan

    if config is None:
        return None, join_for_profile(data, DataPlan(delimiter=delimiter, encoding=encoding))
    plan = override(read_plan(config), {"delimiter": delimiter, "encoding": encoding})
    return plan, read_tables(data, plan.data) if data else None


def _show(cover) -> None:  # type: ignore[no-untyped-def]
    from heteronym.errors import row_list

    for flaw in cover.flaws:
        typer.echo(f"{cover.source}: {'' if flaw.fatal else 'remark: '}{flaw}", err=flaw.fatal)
    if cover.uncovered:
        typer.echo(
            f"{cover.source}: lacks {cover.uncovered} of the {cover.values} values of '{cover.column}' "
            f"({row_list(cover.rows)})",
            err=True,
        )
    if cover.usable:
        fits = ""
        if cover.values:
            fits = f", covers all {cover.values} values of '{cover.column}', {cover.unused} leaves unused"
        typer.echo(f"{cover.source}: {cover.leaves} leaves, {cover.levels} levels{fits}")
