"""What had to go and still stands in the texts of a release, row by row, which names stay, and what the
verdict says of it.

Puts together what the auditor's search (`verify.residue`) compares: the release and the data, each with
its texts, labels or values, and what is told of columns and events.
"""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Any

import polars as pl

from heteronym.errors import row_list
from heteronym.model.plan import Plan
from heteronym.model.release import Check
from heteronym.model.schema import Role
from heteronym.verify.column_texts import beside_columns
from heteronym.verify.entries import entries_of
from heteronym.verify.event_texts import beside_events
from heteronym.verify.forms import term_form
from heteronym.verify.originals import Originals
from heteronym.verify.residue import Residue, Side, find_residue
from heteronym.verify.shown import Texts, labels_in_texts, labels_of, text_columns, texts_of

_NAME = "PERSON"


def left_in_texts(released: pl.DataFrame, plan: Plan, originals: Originals, texts: Texts) -> Residue:
    """What had to go and still stands in the texts, with its places."""
    assert originals.evidence is not None
    names = text_columns(released, plan)
    columns = [n for n, a in plan.attributes.items() if a.role not in (Role.TEXT, Role.TERMS)]

    def cells(frame: pl.DataFrame, name: str) -> list[Any]:
        if plan.attributes[name].role is Role.ITEMS:
            return entries_of(frame[name], plan.attributes[name].separator, held=frame is not released)
        return [v.isoformat() if isinstance(v, date) else v for v in frame[name].to_list()]

    short = labels_in_texts(released, plan)
    both = {
        name: [None if a is None else [a, b] for a, b in zip(labels, short[name], strict=True)]
        for name, labels in labels_of(released, plan).items()
    }
    labels = {name: cells(released, name) for name in columns if name in released.columns} | both
    values = {name: cells(originals.frame, name) for name in columns if name in originals.frame.columns}
    residue = find_residue(
        Side(originals.released_person, texts_of(released, names), labels),
        Side(originals.person, texts_of(originals.frame, names), values),
        plan.attributes,
        terms=texts.free_terms(originals.released_person),
        types=originals.evidence.mentions.types,
        missing=originals.missing,
        put=texts.put,
    )
    more = beside_events(released, plan, originals, texts)
    more += beside_columns(released, plan, originals, texts)
    return residue._replace(places=sorted({*residue.places, *more}))


def residue_checks(residue: Residue) -> list[Check]:
    """What the verdict says of it."""
    left = Check("residue", True, "no value or term that had to go stands in the person's texts")
    if residue.places:
        counts = Counter(one.name for one in residue.places)
        found = ", ".join(f"{n} of '{name}'" for name, n in sorted(counts.items()))
        where = row_list(sorted({one.row + 1 for one in residue.places}))
        left = Check("residue", False, f"left in the texts: {found}, released {where}")
    if not residue.words:
        return [left]
    names = ", ".join(sorted({one.name for one in residue.words}))
    detail = (
        f"values of {names} occur {len(residue.words)} times as ordinary words in texts; give the columns "
        "`entities` to have them follow the columns"
    )
    return [left, Check("words", None, detail)]


def names_check(texts: Texts) -> Check:
    """How many names of people stay, and how many of them were taken for something else where they stand.

    A remark: models allow what enough persons share. A surface counts as a name wherever any text has it as
    one, in whatever case, if it is two words or has no other type in most of its places.
    """
    as_name: Counter[str] = Counter()
    otherwise: Counter[str] = Counter()
    for place in texts.places:
        (as_name if place.span.type == _NAME else otherwise)[term_form(place.surface)] += 1
    is_name = {form for form, n in as_name.items() if " " in form or n >= otherwise[form]}
    stay = [place for place in texts.places if place.stays and term_form(place.surface) in is_name]
    if not stay:
        return Check("names", True, "nothing that was taken for a person's name stands in a text as it stood")
    elsewhere = Counter(place.span.type for place in stay if place.span.type != _NAME)
    told = f"; taken for something else there: {', '.join(f'{n} {t}' for t, n in sorted(elsewhere.items()))}"
    where = row_list(sorted({place.row + 1 for place in stay}))
    detail = f"{len(stay)} mentions that were taken for a person's name stand as they stood"
    return Check("names", None, f"{detail}, released {where}{told if elsewhere else ''}")
