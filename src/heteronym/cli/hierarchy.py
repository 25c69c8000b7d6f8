"""heteronym hierarchy build | check"""

from pathlib import Path
from typing import Annotated

import typer

from heteronym.cli import _options as given
from heteronym.cli._console import Answer, check_free, write_text

app = typer.Typer(add_completion=False, rich_markup_mode="rich", no_args_is_help=True)

Plan = Annotated[
    Path | None, given.of_input("--config", "-c", help="A plan; its scales and hierarchies hold.")
]
Column = Annotated[str | None, given.of_input(help="The column it is for.")]


_Output = Annotated[
    Path,
    given.of_output(
        "--output", "-o", help="File to write: .csv as ARX reads it, .txt as an outline for an editor."
    ),
]
_Kind = Annotated[
    str | None,
    given.of_method(
        help="ranges, quantiles, dates, prefixes, neighbours or flat; chosen by the values if left out."
    ),
]
_Ranges = Annotated[int | None, given.of_method(help="Of ranges, quantiles: how many at the lowest level.")]
_Step = Annotated[int | None, given.of_method(help="Of prefixes: characters cut off per level.")]
_Fan = Annotated[int | None, given.of_method(help="Of neighbours: nodes that become one.")]
_Levels = Annotated[list[str] | None, given.of_method(help="Of dates: month, quarter, year, decade; repeat.")]


@app.command()
@given.as_command
def build(
    data: given.Data,
    output: _Output,
    column: Annotated[str, given.of_input(help="The column it is for.")],
    kind: _Kind = None,
    ranges: _Ranges = None,
    step: _Step = None,
    fan: _Fan = None,
    levels: _Levels = None,
    config: Plan = None,
    delimiter: given.Delimiter = None,
    encoding: given.Encoding = None,
    overwrite: given.Overwrite = False,
) -> Answer:
    """Build a hierarchy from the values of a column.

    Example: [bold]heteronym hierarchy build people.csv --column age -o age.csv[/]
    """
    from heteronym.generalizing import build_for, text_for

    check_free(output, overwrite=overwrite)
    plan, table = _plan_and_table(config, data, delimiter=delimiter, encoding=encoding)
    name, paths = build_for(
        table,
        column,
        attribute=None if plan is None else plan.attributes.get(column),
        kind=kind,
        parameters={"ranges": ranges, "step": step, "fan": fan, "levels": levels or None},
        missing=frozenset() if plan is None else frozenset(plan.data.missing),
    )
    write_text(output, text_for(paths, output))
    depth = max(map(len, paths))
    told = f"hierarchy: {output} ({name}, {len(paths)} values, {depth} levels)"
    if name == "flat":
        told += "\nThe values have no order and no common beginnings: group them in an editor."
    content = {"hierarchy": str(output), "kind": name, "leaves": len(paths), "levels": depth}
    return Answer(content, lambda: typer.echo(told))


@app.command()
@given.as_command
def check(
    hierarchy: Annotated[
        Path | None, typer.Argument(help="A hierarchy file; left out: all that the plan names.")
    ] = None,
    against: Annotated[
        list[str] | None, given.of_input(help="Data that it must cover; repeat for several files.")
    ] = None,
    column: Column = None,
    config: Plan = None,
    delimiter: given.Delimiter = None,
    encoding: given.Encoding = None,
) -> Answer:
    """Look for cycles, doubled leaves, torn nodes, and values of the data that have no leaf.

    Example: [bold]heteronym hierarchy check age.csv --against people.csv --column age[/]
    """
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
    content = {"hierarchies": [cover.to_dict() for cover in found]}
    code = 0 if all(cover.usable for cover in found) else 2
    return Answer(content, lambda: _show(found), exit_code=code)


def _plan_and_table(config: Path | None, data: list[str], *, delimiter: str | None, encoding: str | None):  # type: ignore[no-untyped-def]
    from heteronym.io.plans import override, read_plan
    from heteronym.io.tables import read_tables
    from heteronym.io.unplanned import join_for_profile
    from heteronym.model.plan import DataPlan

    if config is None:
        return None, join_for_profile(data, DataPlan(delimiter=delimiter, encoding=encoding))
    plan = override(read_plan(config), {"delimiter": delimiter, "encoding": encoding})
    return plan, read_tables(data, plan.data) if data else None


def _show(covers) -> None:  # type: ignore[no-untyped-def]
    from heteronym.errors import row_list

    for cover in covers:
        for flaw in cover.flaws:
            typer.echo(f"{cover.source}: {'' if flaw.fatal else 'remark: '}{flaw}", err=flaw.fatal)
        lacking = f"{cover.uncovered} of the {cover.values} values of '{cover.column}'"
        if cover.uncovered:
            typer.echo(f"{cover.source}: lacks {lacking} ({row_list(cover.rows)})", err=True)
        if cover.usable:
            fits = f", covers all {cover.values} values of '{cover.column}', {cover.unused} leaves unused"
            size = f"{cover.leaves} leaves, {cover.levels} levels"
            typer.echo(f"{cover.source}: {size}{fits if cover.values else ''}")
