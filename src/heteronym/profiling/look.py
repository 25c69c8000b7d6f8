"""A first look at a table.

Cost        O(n log n) per column, plus what risk.py needs
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import polars as pl

from heteronym.assertions.schemas import Relation, classify_relation
from heteronym.errors import UsageError, nearest
from heteronym.io.repeats import repeating_rows
from heteronym.io.tables import Table
from heteronym.knowledge.column_names import naming_of
from heteronym.model.plan import TextPlan
from heteronym.profiling.answers import with_answers
from heteronym.profiling.draft import ColumnProfile, Profile
from heteronym.profiling.first_reading import read_first
from heteronym.profiling.persons import person_candidates, question_about
from heteronym.profiling.purposes import Setup, purpose_called, setups
from heteronym.profiling.risk import look_for_risk
from heteronym.profiling.roles import flat_cells, propose, remark_of
from heteronym.profiling.shapes import is_text, scale_of
from heteronym.run import current

# What a column's name may say that only people have; a postcode or a place may be anything's.
_TRAITS = ("first_name", "last_name", "national_number", "person", "birth", "age", "sex", "job", "trait")


def look_at(
    table: Table,
    *,
    person: str | None = None,
    household: str | None = None,
    weight: str | None = None,
    with_entities: bool = True,
    purpose: str = "research",
) -> Profile:
    for name in (person, household, weight):
        if name is not None and name not in table.frame.columns:
            raise UsageError(f"no column '{name}' in {table.source}.{nearest(name, table.frame.columns)}")
    written = read_first(table.frame)
    frame = written.frame
    cells = {name: flat_cells(frame[name]) for name in frame.columns}
    scales = {name: scale_of(values) for name, values in cells.items()}
    candidates = person_candidates(cells, scales)
    key = person or (candidates[0].name if candidates else None)
    if key is not None and cells[key].null_count():
        key = None
    persons = cells[key].n_unique() if key is not None else frame.height
    beside_text = any(is_text(values, named="text" in naming_of(name)) for name, values in cells.items())
    columns, run = [], current()
    for number, name in enumerate(frame.columns):
        run.tell(number / frame.width, "profile")
        found = propose(name, cells, scales, key=key, raw=frame[name], beside_text=beside_text)
        if name in (household, weight):  # neither is needed in a release, and both may tell who it is
            why = "the household, as you say" if name == household else "the survey weight, as you say"
            found = replace(found, role="identifier", reason=why, settings={})
        columns.append(replace(found, reason=found.reason + remark_of(found, cells[name])))
    columns = with_answers(_with_repeated_identifiers(columns, cells), cells)
    (unique, unique_on), risk = look_for_risk(cells, columns, key=key, household=household, weight=weight)
    draft = Profile(
        source=table.source,
        rows=frame.height,
        persons=persons,
        person=key,
        household=household,
        weight=weight,
        person_candidates=tuple((one.name, one.reason) for one in candidates),
        question=None if person is not None else question_about(key, persons, frame.height, candidates),
        decimal=written.decimal,
        missing=written.missing,
        columns=tuple(columns),
        unique=unique,
        unique_on=unique_on,
        risk=risk,
        entities=_entities(frame, columns) if with_entities else {},
        delimiter=table.format.delimiter if table.format.kind == "csv" else None,
        joins=table.joins,
        relations=_relations(table),
        purpose=purpose,
    ).with_events()
    return replace(draft, setup=setups_for(draft)[0])


def setups_for(found: Profile, *, thorough: bool = False) -> list[Setup]:
    """What may be promised with these roles for the purpose, the strongest first."""
    return setups(
        purpose_called(found.purpose or "research"),
        sorted(found.roles),
        found.persons,
        linked=found.could_link_rows,
        joint=found.could_be_joint,
        thorough=thorough,
    )


def _with_repeated_identifiers(
    columns: Sequence[ColumnProfile], cells: Mapping[str, pl.Series]
) -> list[ColumnProfile]:
    """What repeats an identifier in other writing is one, too, whatever else it looks like."""
    identifiers = [
        column.name
        for column in columns
        if column.role == "identifier" and column.distinct > 1 and column.scale != "date"
    ]
    found = []
    for column in columns:
        if column.role not in ("identifier", "text", "items", "terms"):
            for name in identifiers:
                if repeating_rows(cells[column.name], cells[name]):
                    why = f"repeats '{name}' in other writing"
                    column = replace(column, role="identifier", reason=f"{column.reason}; {why}", settings={})
                    break
        found.append(column)
    return found


def _relations(table: Table) -> tuple[Relation, ...]:
    """Each table by whom its rows are about."""
    listed = table.relations or ((table.name, tuple(table.frame.columns)),)
    return tuple(
        classify_relation(
            name, columns, traits=[c for c in columns if any(trait in naming_of(c) for trait in _TRAITS)]
        )
        for name, columns in listed
    )


def _entities(frame: pl.DataFrame, columns: Sequence[ColumnProfile]) -> dict[str, dict[str, int]]:
    from heteronym.text.recognize import counts, recognize, recognizers_for

    found: dict[str, dict[str, int]] = {}
    texts, plan = [c.name for c in columns if c.role == "text"], TextPlan()
    parts = recognizers_for(plan) if texts else []
    for name in texts:
        sample = frame[name].drop_nulls().head(200).to_list()
        spans = recognize(sample, parts, wanted=lambda kind: counts(kind, plan, in_table=True))
        found[name] = Counter(span.type for of_text in spans for span in of_text)
    return found
