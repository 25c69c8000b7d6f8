"""Hierarchies for the columns of a table: built from the values, or held against them before a run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from heteronym.errors import InputError, PlanError, UsageError, nearest, row_list
from heteronym.io.given import PlanLike, door, plan_and_folder, read_given
from heteronym.io.hierarchies import build_hierarchy as hierarchy_of
from heteronym.io.hierarchies import read_paths, render_hierarchy
from heteronym.io.hierarchy_flaws import Flaw, flaws_of
from heteronym.io.outlines import OUTLINE
from heteronym.io.plain_files import check_free, write_text
from heteronym.io.plans import override
from heteronym.io.sets import split_cells
from heteronym.io.tables import Table
from heteronym.io.unplanned import join_for_profile
from heteronym.io.values import DATE_FORMATS, days, numbers, parse_days, text_cells
from heteronym.model.in_words import InWords
from heteronym.model.plan import DataPlan, Plan
from heteronym.model.schema import Attribute, Role, Scale
from heteronym.registry import hierarchy_builders

_BY_SCALE = {Scale.NUMERIC: "ranges", Scale.DATE: "dates", Scale.ORDINAL: "neighbours"}
# Codes that are read from the left: digits, or letters and digits mixed, in one word.
_CODE = re.compile(r"(?=.*\d)[0-9A-Za-z][0-9A-Za-z.\-/]*")


@dataclass(frozen=True, repr=False)
class Cover(InWords):
    """How a hierarchy fits a column: what it lacks and what it has in vain."""

    column: str
    source: str
    flaws: tuple[Flaw, ...]
    leaves: int = 0
    levels: int = 0
    values: int = 0  # distinct values of the column
    uncovered: int = 0  # of them without a leaf
    rows: tuple[int, ...] = ()  # that hold such a value, counted from 1
    unused: int = 0  # leaves that no row holds

    @property
    def usable(self) -> bool:
        return not self.uncovered and not any(flaw.fatal for flaw in self.flaws)

    def in_words(self, *, verbose: bool = False) -> str:
        lines = [f"{'' if flaw.fatal else 'remark: '}{flaw}" for flaw in self.flaws]
        if self.uncovered:
            lacking = f"{self.uncovered} of the {self.values} values of '{self.column}'"
            lines.append(f"lacks {lacking} ({row_list(self.rows)})")
        if self.usable:
            fits = f", covers all {self.values} values of '{self.column}', {self.unused} leaves unused"
            lines.append(f"{self.leaves} leaves, {self.levels} levels{fits if self.values else ''}")
        return "".join(f"{self.source}: {line}\n" for line in lines)

    def to_dict(self) -> dict[str, Any]:
        return {
            "column": self.column,
            "hierarchy": self.source,
            "usable": self.usable,
            "leaves": self.leaves,
            "levels": self.levels,
            "values": self.values,
            "uncovered": self.uncovered,
            "uncovered_rows": len(self.rows),
            "unused": self.unused,
            "flaws": [
                {"name": f.name, "fatal": f.fatal, "rows": list(f.rows), "about": f.about} for f in self.flaws
            ],
        }

    def __repr__(self) -> str:
        return f"Cover({self.column!r}, {self.source!r}, usable={self.usable})"


@dataclass(frozen=True)
class Covers(InWords):
    """How each hierarchy that was looked at fits its column."""

    hierarchies: tuple[Cover, ...]

    @property
    def usable(self) -> bool:
        return all(cover.usable for cover in self.hierarchies)

    def in_words(self, *, verbose: bool = False) -> str:
        return "".join(cover.text for cover in self.hierarchies)

    def to_dict(self) -> dict[str, Any]:
        return {"hierarchies": [cover.to_dict() for cover in self.hierarchies]}


@dataclass(frozen=True, repr=False)
class BuiltHierarchy(InWords):
    """A hierarchy of a column. `paths` holds its values, each followed by what it may become."""

    kind: str
    paths: tuple[tuple[str, ...], ...]
    file: Path | None = None

    @property
    def levels(self) -> int:
        return max(map(len, self.paths))

    def write(self, path: str | Path) -> Path:
        """To a file: .csv as ARX reads it, .txt as an outline for an editor."""
        outline = Path(path).suffix.lower() == OUTLINE
        write_text(Path(path), render_hierarchy(self.paths, outline=outline))
        return Path(path)

    def in_words(self, *, verbose: bool = False) -> str:
        size = f"{self.kind}, {len(self.paths)} values, {self.levels} levels"
        said = f"hierarchy: {size}\n" if self.file is None else f"hierarchy: {self.file} ({size})\n"
        if self.kind == "flat":
            said += "The values have no order and no common beginnings: group them in an editor.\n"
        return said

    def to_dict(self) -> dict[str, Any]:
        summary = {"hierarchy": str(self.file), "kind": self.kind}
        return {**summary, "leaves": len(self.paths), "levels": self.levels}

    def __repr__(self) -> str:
        return f"BuiltHierarchy({self.kind!r}, {len(self.paths)} values, {self.levels} levels)"


@door
def build_hierarchy(
    data: Any,
    column: str,
    *,
    output: str | Path | None = None,
    kind: str | None = None,
    plan: PlanLike | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    overwrite: bool = False,
    **parameters: Any,
) -> BuiltHierarchy:
    """A hierarchy from the values of a column of a frame or of files.

    `kind` is ranges, quantiles, dates, prefixes, neighbours or flat, chosen by the values if left out; their
    parameters are options (`ranges=8`). A plan says how the column compares. `output` is a file to write.
    """
    target = None if output is None else Path(output)
    check_free(target, overwrite=overwrite)
    made, _, table = _planned(plan, data, delimiter=delimiter, encoding=encoding)
    if table is None:
        raise UsageError("data must be a frame or a file, not None")
    name, paths = build_for(
        table,
        column,
        attribute=None if made is None else made.attributes.get(column),
        kind=kind,
        parameters=parameters,
        missing=frozenset() if made is None else frozenset(made.data.missing),
    )
    built = BuiltHierarchy(name, tuple(map(tuple, paths)), target)
    if target is not None:
        built.write(target)
    return built


@door
def check_hierarchy(
    hierarchy: str | Path | None = None,
    *,
    against: Any = None,
    column: str | None = None,
    plan: PlanLike | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
) -> Covers:
    """What is wrong with a hierarchy file, or with all that a plan names, alone or `against` data.

    Looks for cycles, doubled leaves, torn nodes, and values of the data that have no leaf.
    """
    if hierarchy is None and plan is None:
        raise UsageError("name a hierarchy file, or a plan")
    if hierarchy is not None and (against is None) != (column is None):
        raise UsageError("data to check against and its column go together")
    made, folder, table = _planned(plan, against, delimiter=delimiter, encoding=encoding)
    if hierarchy is None:
        assert made is not None
        return Covers(tuple(check_plan(made, folder, table)))
    cover = check_file(
        Path(hierarchy),
        table=table,
        column=column,
        attribute=None if made is None or column is None else made.attributes.get(column),
        missing=frozenset() if made is None else frozenset(made.data.missing),
    )
    return Covers((cover,))


def _planned(
    plan: PlanLike | None, data: Any, **layout: str | None
) -> tuple[Plan | None, Path, Table | None]:
    """The plan, if there is one, where its files are, and the data, read as it says, if there is some."""
    if plan is None:
        table = None if data is None else join_for_profile(data, DataPlan.model_validate(layout))
        return None, Path(), table
    made, folder = plan_and_folder(plan)
    made = override(made, layout)
    return made, folder, None if data is None else read_given(data, made.data)[0]


def cells_of(table: Table, column: str) -> pl.Series:
    if column not in table.frame.columns:
        raise UsageError(f"no column '{column}' in {table.source}.{nearest(column, table.frame.columns)}")
    return table.frame[column]


def _values_of(
    cells: pl.Series, attribute: Attribute, missing: frozenset[str], source: str
) -> tuple[pl.Series, pl.Series]:
    """The column's values as the encoder reads them, with the row (from 0) of each."""
    if attribute.role is Role.ITEMS:
        cell_of_row, entries = split_cells(cells, attribute.separator)
        rows = pl.DataFrame({"cell": cell_of_row}).with_row_index("row")
        found = rows.join(entries, on="cell", how="inner")
        return found["entry"], found["row"]
    if attribute.scale is Scale.NUMERIC:
        values = numbers(cells, source=source, missing=missing)
    elif attribute.scale is Scale.DATE:
        values = days(cells, attribute.format, source=source, missing=missing)
    else:
        values = text_cells(cells, missing)
    return values, pl.Series("row", range(len(values)), pl.UInt32)


def guess_scale(cells: pl.Series) -> Attribute:
    """How a column compares, where no plan says it; codes with leading zeros are no numbers."""
    known = text_cells(cells).drop_nulls().unique() if not cells.dtype.is_temporal() else cells.drop_nulls()
    if cells.dtype.is_temporal():
        return Attribute(role=Role.QUASI, scale=Scale.DATE)
    if not len(known) or known.str.contains(r"^\s*0\d").any():
        return Attribute(role=Role.QUASI)
    for format_ in DATE_FORMATS:
        if format_ != "%Y%m%d" and parse_days(known.str.strip_chars(), format_).null_count() == 0:
            return Attribute(role=Role.QUASI, scale=Scale.DATE, format=format_)
    if known.str.strip_chars().cast(pl.Float64, strict=False).null_count() == 0:
        return Attribute(role=Role.QUASI, scale=Scale.NUMERIC)
    return Attribute(role=Role.QUASI)


def guess_builder(attribute: Attribute, values: pl.Series) -> str:
    """The builder for a column: by its scale, prefixes for codes, else a flat list to be grouped by hand."""
    if attribute.role is not Role.ITEMS and attribute.scale in _BY_SCALE:
        if attribute.scale is Scale.ORDINAL and not attribute.order:
            return "flat"
        return _BY_SCALE[attribute.scale]
    texts = values.cast(pl.String).to_list()
    is_code = [bool(_CODE.fullmatch(text)) for text in texts]
    return "prefixes" if texts and sum(is_code) >= 0.9 * len(texts) else "flat"


def build_for(
    table: Table,
    column: str,
    *,
    attribute: Attribute | None = None,
    kind: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    missing: frozenset[str] = frozenset(),
) -> tuple[str, list[list[str]]]:
    """The builder's name and the paths it made for a column."""
    cells = cells_of(table, column)
    wanted = None if kind is None else hierarchy_builders.get(kind)
    if attribute is None:
        attribute = guess_scale(cells)
        if wanted is not None and attribute.scale not in wanted.scales and Scale.NOMINAL in wanted.scales:  # type: ignore[attr-defined]
            attribute = Attribute(role=Role.QUASI)
    values, _ = _values_of(cells, attribute, missing, table.source)
    counted = values.drop_nulls().value_counts(name="rows").sort(values.name)
    if attribute.scale is Scale.ORDINAL and attribute.order and attribute.role is not Role.ITEMS:
        place = {value: number for number, value in enumerate(attribute.order)}
        known = counted.filter(pl.col(values.name).is_in(list(place)))
        if known.height < counted.height:
            raise InputError(f"{table.source}: column '{column}': `order` lacks some of its values")
        counted = pl.DataFrame({values.name: list(attribute.order)}).join(known, on=values.name, how="left")
        counted = counted.with_columns(pl.col("rows").fill_null(0))
    distinct = counted[values.name]
    if not len(distinct):
        raise InputError(f"{table.source}: column '{column}' holds no value")
    name = kind or guess_builder(attribute, distinct)
    part = hierarchy_builders.get(name)
    scale = Scale.NOMINAL if attribute.role is Role.ITEMS else attribute.scale
    if scale not in part.scales:  # type: ignore[attr-defined]
        fits = [n for n in hierarchy_builders.names() if scale in hierarchy_builders.get(n).scales]  # type: ignore[attr-defined]
        raise UsageError(f"column '{column}' is {scale}; '{name}' is not for it. Known: {', '.join(fits)}")
    given = {key: value for key, value in (parameters or {}).items() if value is not None}
    builder = hierarchy_builders.build(name, given)
    paths = builder.paths(
        distinct.to_list(), counted["rows"].to_list(), texts=distinct.cast(pl.String).to_list()
    )
    return name, paths


def check_file(
    path: Path,
    *,
    table: Table | None = None,
    column: str | None = None,
    attribute: Attribute | None = None,
    missing: frozenset[str] = frozenset(),
) -> Cover:
    """What is wrong with a hierarchy file, alone or against a column of a table."""
    paths = read_paths(path)
    flaws = flaws_of(paths)
    if any(flaw.fatal for flaw in flaws):
        return Cover(column or "", paths.source, tuple(flaws), leaves=len(paths.rows))
    hierarchy = hierarchy_of(paths)
    alone = Cover(column or "", paths.source, tuple(flaws), len(hierarchy.leaves), hierarchy.levels)
    if table is None or column is None:
        return alone
    cells = cells_of(table, column)
    if attribute is None:
        attribute = guess_scale(cells)
        texts = text_cells(cells)
        if attribute.scale is not Scale.NOMINAL and texts.is_in(list(hierarchy.leaves)).fill_null(True).all():
            attribute = Attribute(role=Role.QUASI)  # the leaves are spelt as the cells are
    values, rows = _values_of(cells, attribute, missing, table.source)
    texts = values.cast(pl.String)
    lacking = texts.is_not_null() & ~texts.is_in(list(hierarchy.leaves)).fill_null(True)
    held = set(texts.drop_nulls().unique().to_list())
    return replace(
        alone,
        values=len(held),
        uncovered=texts.filter(lacking).n_unique(),
        rows=tuple((rows.filter(lacking).unique().sort() + 1).to_list()),
        unused=len(set(hierarchy.leaves) - held),
    )


def check_plan(plan: Plan, folder: Path, table: Table | None) -> list[Cover]:
    """Every hierarchy that a plan names, against the data where it is given."""
    named = {n: a for n, a in plan.attributes.items() if a.hierarchy is not None}
    if not named:
        raise PlanError("no attribute of the plan has a hierarchy")
    return [
        check_file(
            folder / str(attribute.hierarchy),
            table=table,
            column=name,
            attribute=attribute,
            missing=frozenset(plan.data.missing),
        )
        for name, attribute in named.items()
    ]
