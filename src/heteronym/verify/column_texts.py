"""What stands in texts for phrases with a value of their person in them: no more than the column tells.

"A reliable lawyer" beside a label for three jobs may become that label, or its type, or go with its sentence.
Anything else in its place ("a legal professional") would say which of the three it was. Names are another
matter, New York is not York; numbers and dates are searched wherever they stand. Beside dates of birth, ages
tell the year: where a model settles labels, only their type may show.
"""

from __future__ import annotations

from collections import defaultdict

import polars as pl

from heteronym.model.plan import Plan
from heteronym.model.schema import AGE, Role, Scale
from heteronym.verify.masking import placeholders_of
from heteronym.verify.originals import Originals
from heteronym.verify.reading import alike
from heteronym.verify.residue import Left
from heteronym.verify.shown import Stands, texts_of
from heteronym.verify.truth import settled
from heteronym.verify.values import cell_text

_NAMES = frozenset("FAC GPE INSTITUTION LOC ORG PERSON WORK_OF_ART".split())


def told_of_columns(released: pl.DataFrame, plan: Plan, originals: Originals, stands: Stands) -> list[Left]:
    """Places where a released text shows something else than the column for a phrase with the value in it."""
    assert originals.mentions is not None
    columns = {
        name: {*attribute.entities} - _NAMES - {*plan.recode.surrogates}
        for name, attribute in plan.attributes.items()
        if attribute.role is Role.QUASI and attribute.scale not in (Scale.NUMERIC, Scale.DATE)
    }
    columns = {name: types for name, types in columns.items() if types and name in released.columns}
    births = [name for name, a in plan.attributes.items() if a.is_birth and settled(plan)]
    held = {name: _held(name, originals) for name in columns}
    masks = placeholders_of({*originals.mentions.types, "..."})
    whose = originals.released_person.tolist()
    found: list[Left] = []
    looked_at = [*stands.spans] if columns or births else []
    for text_column, before in texts_of(originals.frame, looked_at).items():
        for row, source in enumerate(originals.source_row.tolist()):
            readings = stands.readings[text_column][row] or ()
            for (start, end, kind), reading in zip(stands.spans[text_column][row], readings, strict=False):
                if reading is None or reading.text in stands.labels[row] or masks.fullmatch(reading.text):
                    continue
                phrase = f" {alike((before[source] or '')[start:end])} "
                told = births[:1] if kind == AGE else []
                told += [
                    name
                    for name, types in columns.items()
                    if kind in types
                    and reading.changed
                    and any(f" {value} " in phrase for value in held[name][whose[row]])
                ]
                found += [Left(row, text_column, *reading[1:3], "value", name) for name in told]
    return found


def _held(name: str, originals: Originals) -> dict[int, set[str]]:
    """The values of each person."""
    held: dict[int, set[str]] = defaultdict(set)
    for person, cell in zip(originals.person.tolist(), originals.frame[name].to_list(), strict=True):
        value = alike(cell_text(cell) or "")
        if value and cell_text(cell) not in originals.missing:
            held[person].add(value)
    return held
