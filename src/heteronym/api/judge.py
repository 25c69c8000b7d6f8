"""`judge`: what a release that anybody's tool made gives away, beside its original data."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import InputError, UsageError, nearest
from heteronym.io.bundles import read_release
from heteronym.io.given import PlanLike, door, plan_and_folder, read_given
from heteronym.io.hierarchies import read_hierarchy
from heteronym.io.owned import ROWS_FILE
from heteronym.io.owner_files import check_private, write_private
from heteronym.io.plain_files import check_free, write_text
from heteronym.io.plans import make_plan, override
from heteronym.io.releases import parse_release
from heteronym.io.repeated import as_texts
from heteronym.io.tables import Table
from heteronym.judging.findings import Judgement, level_in_words, matched_in_words
from heteronym.judging.judge import Case
from heteronym.judging.judge import judge as judge_case
from heteronym.judging.pieces import is_vague, term_of
from heteronym.judging.texts import Mention
from heteronym.model.hierarchy import Hierarchy
from heteronym.model.mention import Mentions
from heteronym.model.plan import DataPlan, Plan
from heteronym.model.schema import Role
from heteronym.pipeline import find, make_dataset
from heteronym.run import Run
from heteronym.text.entity_types import is_direct
from heteronym.verify.numbers import labelled
from heteronym.verify.values import number_persons

WHO_FILE = "judged.json"
_K, _M = 5, 2
PLAN_FILE = "plan.json"


class Outputs(NamedTuple):
    """Where a judgement is written to, beside what is returned."""

    report: str | Path | None = None
    sarif: str | Path | None = None
    junit: str | Path | None = None
    private: str | Path | None = None


@door
def judge(
    released: Any,
    *,
    against: Any,
    plan: PlanLike | None = None,
    match: str | None = None,
    rows: Any = None,
    k: int | None = None,
    m: int | None = None,
    model: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    report: str | Path | None = None,
    sarif: str | Path | None = None,
    junit: str | Path | None = None,
    private: str | Path | None = None,
    overwrite: bool = False,
    run: Run | None = None,
) -> Judgement:
    """What a release that anybody's tool made gives away, beside its original data.

    `released` is a file, a frame or a release folder, `against` the original data. Without a plan one is
    proposed. Rows are matched by the column `match`, by `rows` (a file, an owner's folder, or for each
    released row the original one, counted from 0), or by what was left of them. `report`, `sarif` and
    `junit` are files to write, `private` is a folder for what only the owner may see.
    """
    outputs = Outputs(report, sarif, junit, private)
    _check_outputs(outputs, released, overwrite=overwrite)
    run = run or Run()
    with run.active():
        run.tell(None, "read")
        layout = {"delimiter": delimiter, "encoding": encoding}
        table, own_plan = _released(released, layout)
        chosen, folder, proposed = _plan(plan, own_plan, rows, against, layout)
        if model is not None:
            chosen = override(chosen, {"language_model": model})
        data = _original(against, chosen, layout)
        case = _case(table, data, chosen, folder, rows=rows, match=match, run=run)
        found = judge_case(replace(case, k=_checked(k, "k") or case.k, m=_checked(m, "m") or case.m))
        found = replace(found, plan=proposed)
        write_outputs(found, outputs)
    return found


def _checked(number: int | None, name: str) -> int | None:
    if number is not None and number < 1:
        raise UsageError(f"{name} must be at least 1")
    return number


def _check_outputs(outputs: Outputs, released: Any, *, overwrite: bool) -> None:
    for path in outputs[:3]:
        check_free(None if path is None else Path(path), overwrite=overwrite)
    if outputs.private is not None and isinstance(released, (str, Path)):
        check_private(Path(outputs.private), Path(released))


# --- what is given ----------------------------------------------------------------------------------


def _released(released: Any, layout: Mapping[str, str | None]) -> tuple[pl.DataFrame, Plan | None]:
    """The released table, and its plan if it is a release folder of ours."""
    if isinstance(released, (str, Path)) and Path(released).is_dir():
        table, plan = parse_release(Path(released), read_release(Path(released)))
        return as_texts(labelled(table, plan)), plan
    how = DataPlan(**{name: value for name, value in layout.items() if value is not None})
    return as_texts(read_given(released, how)[0].frame), None


def _plan(
    plan: PlanLike | None, own: Plan | None, rows: Any, against: Any, layout: Mapping[str, str | None]
) -> tuple[Plan, Path, str]:
    """The plan, where its files are, and its text where it was proposed."""
    if plan is not None:
        found, folder = plan_and_folder(plan)
        return found, folder, ""
    if isinstance(rows, (str, Path)) and (Path(rows) / PLAN_FILE).is_file():
        found, _ = plan_and_folder(Path(rows) / PLAN_FILE)
        return found, Path(rows), ""
    if own is not None:
        return own, Path(), ""
    from heteronym.io.unplanned import join_for_profile
    from heteronym.profiling import look_at

    how = DataPlan(**{name: value for name, value in layout.items() if value is not None})
    profile = look_at(join_for_profile(against, how), with_entities=False)
    return make_plan(profile.plan), Path(), profile.in_words()


def _original(against: Any, plan: Plan, layout: Mapping[str, str | None]) -> Table:
    given = {name: value for name, value in layout.items() if value is not None}
    table, _ = read_given(against, plan.data.model_copy(update=given))
    if not table.frame.height:
        raise InputError(f"{table.source}: no data rows")
    return table


def _case(
    released: pl.DataFrame,
    data: Table,
    plan: Plan,
    folder: Path,
    *,
    rows: Any,
    match: str | None,
    run: Run,
) -> Case:
    frame = as_texts(data.frame)
    if not released.height:
        raise InputError("the release has no rows")
    lacking = [name for name in plan.attributes if name not in frame.columns]
    if lacking:
        raise InputError(f"the data has no column '{lacking[0]}', which the plan names")
    if match is not None and match not in frame.columns:
        raise UsageError(f"--match: the data has no column '{match}'.{nearest(match, frame.columns)}")
    if match is not None and match not in released.columns:
        raise UsageError(f"--match: the release has no column '{match}'.{nearest(match, released.columns)}")
    missing = frozenset(plan.data.missing)
    person = number_persons(frame, plan.data.person, missing)
    source = None if rows is None else _row_map(rows, released.height, frame.height)
    return Case(
        released,
        frame,
        plan,
        person,
        _k_of(plan),
        _m_of(plan),
        _hierarchies(plan, folder),
        missing,
        _mentions(data, frame, released, plan, folder, run),
        source,
        match,
    )


def _k_of(plan: Plan) -> int:
    sizes = [model.parameters.get("k") for model in plan.privacy if "population" not in model.parameters]
    return max((int(k) for k in sizes if isinstance(k, int)), default=_K)


def _m_of(plan: Plan) -> int:
    known = [model.parameters.get("m") for model in plan.privacy]
    return max((m for m in known if isinstance(m, int)), default=_M)


def _hierarchies(plan: Plan, folder: Path) -> dict[str, Hierarchy]:
    """The plan's hierarchy files, as far as they are there."""
    found = {}
    for name, attribute in plan.attributes.items():
        if attribute.hierarchy is not None and (folder / attribute.hierarchy).is_file():
            found[name] = read_hierarchy(folder / attribute.hierarchy)
    return found


def _mentions(
    data: Table, frame: pl.DataFrame, released: pl.DataFrame, plan: Plan, folder: Path, run: Run
) -> list[Mention]:
    """What recognizers find in the texts of the data."""
    if not any(name in released.columns for name in plan.named(Role.TEXT)):
        return []
    bare = {n: a.model_copy(update={"hierarchy": None}) for n, a in plan.attributes.items()}
    dataset = make_dataset(data, plan.model_copy(update={"attributes": bare}), folder=folder)
    run.folder = run.folder or folder
    return list(_as_listed(find(dataset, plan, run=run), frame, plan))


def _as_listed(found: Mentions, frame: pl.DataFrame, plan: Plan) -> Sequence[Mention]:
    texts = {name: frame[name].cast(pl.String).to_list() for name in found.columns}
    direct = {kind: is_direct(kind, direct=plan.text.direct) for kind in found.types}
    columns = (found.row, found.column, found.start, found.end, found.type, found.term)
    listed = []
    for row, column, start, end, kind, term in zip(*(numbers.tolist() for numbers in columns), strict=True):
        name, type_ = found.columns[column], found.types[kind]
        known = found.terms[term] if term >= 0 else None
        text = known.text if known is not None else (texts[name][row] or "")[start:end]
        if not is_vague(type_, text):
            listed.append(Mention(row, name, start, end, type_, term_of(type_, text), direct[type_]))
    return listed


def _row_map(rows: Any, released: int, originals: int) -> NDArray[np.int64]:
    """The original row of each released one, -1 where the map has none."""
    if not isinstance(rows, (str, Path)):
        return _listed_rows(rows, released, originals)
    path = Path(rows)
    path = path / ROWS_FILE if path.is_dir() else path
    frame = read_given(path, DataPlan())[0].frame
    names = ["released_row", "source_row"] if "released_row" in frame.columns else frame.columns[:2]
    if len(names) < 2 or not set(names) <= set(frame.columns):
        raise InputError(f"{path.name}: a map of rows has two columns: the released row and the original row")
    try:
        both = frame.select(pl.col(name).cast(pl.String).str.strip_chars() for name in names)
        known = both.filter(pl.all_horizontal(pl.all().str.contains(r"^\d+$"))).cast(pl.Int64)
    except pl.exceptions.PolarsError:
        raise InputError(f"{path.name}: rows are numbers, counted from 1") from None
    ours, theirs = known[names[0]].to_numpy() - 1, known[names[1]].to_numpy() - 1
    if not len(ours):
        raise InputError(f"{path.name}: rows are numbers, counted from 1")
    if ours.min() < 0 or ours.max() >= released or theirs.min() < 0 or theirs.max() >= originals:
        raise InputError(
            f"{path.name}: names rows that are not there: the release has {released}, the data {originals}"
        )
    source = np.full(released, -1, np.int64)
    source[ours] = theirs
    return source


def _listed_rows(rows: Any, released: int, originals: int) -> NDArray[np.int64]:
    try:
        source = np.array([-1 if row is None else int(row) for row in rows], np.int64)
    except (TypeError, ValueError):
        raise UsageError(
            "rows must be a file, an owner's folder, or a row number for each released row"
        ) from None
    if len(source) != released or (len(source) and int(source.max()) >= originals):
        raise UsageError(f"rows must have {released} numbers below {originals}, one for each released row")
    return np.maximum(source, -1)


# --- what is written --------------------------------------------------------------------------------


def write_outputs(found: Judgement, outputs: Outputs) -> None:
    """Report, SARIF, JUnit and the owner's file, as far as they are asked for."""
    from heteronym.report.judgement import junit, render_judgement, sarif

    figures = {**found.to_dict(), "levels_in_words": [level_in_words(one, found.k) for one in found.levels]}
    figures["matched_in_words"] = matched_in_words(found.matched)
    if outputs.report is not None:
        write_text(Path(outputs.report), render_judgement(figures))
    if outputs.sarif is not None:
        write_text(Path(outputs.sarif), json.dumps(sarif(figures), indent=1) + "\n")
    if outputs.junit is not None:
        write_text(Path(outputs.junit), junit(figures))
    if outputs.private is not None:
        told = {"rows_of_the_data": {key: list(rows) for key, rows in found.who.items()}}
        files = {WHO_FILE: json.dumps(told, indent=1).encode()}
        write_private(Path(outputs.private), files)
