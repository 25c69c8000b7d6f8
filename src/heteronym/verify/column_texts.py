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
from heteronym.verify.residue import Left
from heteronym.verify.shown import Texts
from heteronym.verify.truth import settled
from heteronym.verify.value_search import alike
from heteronym.verify.values import cell_text

_NAMES = frozenset("FAC GPE INSTITUTION LOC ORG PERSON WORK_OF_ART".split())


def beside_columns(released: pl.DataFrame, plan: Plan, originals: Originals, texts: Texts) -> list[Left]:
    """Places where a released text shows something else than the column for a phrase with the value in it."""
    columns = {
        name: {*attribute.entities} - _NAMES - {*plan.recode.surrogates}
        for name, attribute in plan.attributes.items()
        if attribute.role is Role.QUASI and attribute.scale not in (Scale.NUMERIC, Scale.DATE)
    }
    columns = {name: types for name, types in columns.items() if types and name in released.columns}
    births = [name for name, a in plan.attributes.items() if a.is_birth and settled(plan)]
    if not columns and not births:
        return []
    assert originals.evidence is not None
    held = {name: _held(name, originals) for name in columns}
    masks = placeholders_of({*originals.evidence.mentions.types, "..."})
    whose = originals.released_person.tolist()
    found: list[Left] = []
    for row, text_column, span, surface, now in texts.places:
        if now is None or now.text in texts.labels[row] or masks.fullmatch(now.text):
            continue
        phrase = f" {alike(surface)} "
        names = births[:1] if span.type == AGE else []
        names += [
            name
            for name, types in columns.items()
            if span.type in types
            and now.changed
            and any(f" {value} " in phrase for value in held[name][whose[row]])
        ]
        found += [Left(row, text_column, now.start, now.end, "value", name) for name in names]
    return found


def _held(name: str, originals: Originals) -> dict[int, set[str]]:
    """The values of each person."""
    held: dict[int, set[str]] = defaultdict(set)
    for person, cell in zip(originals.person.tolist(), originals.frame[name].to_list(), strict=True):
        value = alike(cell_text(cell) or "")
        if value and cell_text(cell) not in originals.missing:
            held[person].add(value)
    return held
