"""A first look at a table.

Cost        O(n log n) per column, plus O(n log n) for each of at most 120 column combinations
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import polars as pl

from heteronym.errors import UsageError, nearest
from heteronym.io.tables import Table
from heteronym.model.plan import TextPlan
from heteronym.profiling.draft import ColumnProfile, Profile
from heteronym.profiling.persons import person_candidates
from heteronym.profiling.roles import flat_cells, propose, remark_of
from heteronym.profiling.shapes import is_text, scale_of

_MOST_COLUMNS = 10  # for combinations: 10 columns have 120 triples


def look_at(table: Table, *, person: str | None = None, with_entities: bool = True) -> Profile:
    frame = table.frame
    if person is not None and person not in frame.columns:
        raise UsageError(f"no column '{person}' in {table.source}.{nearest(person, frame.columns)}")
    cells = {name: flat_cells(frame[name]) for name in frame.columns}
    scales = {name: scale_of(values) for name, values in cells.items()}
    candidates = person_candidates(cells, scales)
    key = person or (candidates[0][0] if candidates else None)
    if key is not None and cells[key].null_count():
        key = None
    persons = cells[key].n_unique() if key is not None else frame.height
    beside_text = any(is_text(values) for values in cells.values())
    columns = []
    for name in frame.columns:
        found = propose(name, cells, scales, key=key, raw=frame[name], beside_text=beside_text)
        columns.append(replace(found, reason=found.reason + remark_of(found, cells[name])))
    unique, unique_on = _uniqueness(cells, columns, key)
    return Profile(
        source=table.source,
        rows=frame.height,
        persons=persons,
        person=key,
        person_candidates=tuple(candidates),
        columns=tuple(columns),
        unique=unique,
        unique_on=unique_on,
        entities=_entities(frame, columns) if with_entities else {},
        delimiter=table.format.delimiter if table.format.kind == "csv" else None,
        joins=table.joins,
    )


def _uniqueness(
    cells: Mapping[str, pl.Series], columns: Sequence[ColumnProfile], key: str | None
) -> tuple[dict[int, dict[str, float]], dict[int, tuple[str, ...]]]:
    """Share of persons that are alone with their values of 1, 2 and 3 quasi columns."""
    quasi = [c.name for c in sorted(columns, key=lambda c: -c.distinct) if c.role == "quasi"][:_MOST_COLUMNS]
    if not quasi:
        return {}, {}
    # numbers instead of names: polars would read a column called * or ^x$ as a pattern
    name_of = {str(number): name for number, name in enumerate(quasi)}
    quasi = list(name_of)
    frame = pl.DataFrame({number: cells[name] for number, name in name_of.items()})
    if key is not None:
        # a person's values of a column, all rows together
        frame = (
            frame.with_columns(cells[key].alias("\x00person"))
            .group_by("\x00person")
            .agg(pl.col(quasi).unique().sort())
            .drop("\x00person")
            .with_columns(pl.col(quasi).list.join("\x00"))
        )
    shares: dict[int, dict[str, float]] = {}
    worst_on: dict[int, tuple[str, ...]] = {}
    for count in (1, 2, 3):
        found = {
            names: float(frame.select(pl.struct(names).is_unique().mean()).item())
            for names in combinations(quasi, count)
        }
        if found:
            worst = max(found, key=lambda names: found[names])
            shares[count] = {"worst": found[worst], "mean": sum(found.values()) / len(found)}
            worst_on[count] = tuple(name_of[number] for number in worst)
    return shares, worst_on


def _entities(frame: pl.DataFrame, columns: Sequence[ColumnProfile]) -> dict[str, dict[str, int]]:
    from heteronym.text.scan import counts, recognize, recognizers_for

    found: dict[str, dict[str, int]] = {}
    texts = [c.name for c in columns if c.role == "text"]
    if not texts:
        return found
    plan = TextPlan()
    parts = recognizers_for(plan)
    for name in texts:
        sample = frame[name].drop_nulls().head(200).to_list()
        tally: dict[str, int] = {}
        for spans in recognize(sample, parts, wanted=lambda kind: counts(kind, plan)):
            for span in spans:
                tally[span.type] = tally.get(span.type, 0) + 1
        found[name] = tally
    return found
