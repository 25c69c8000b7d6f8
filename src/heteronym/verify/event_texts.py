"""What texts tell of their person's events: no more than the event's column shows.

Who knows the day of a visit looks for rows whose label holds that day. A text that tells the day more closely
than the label of its row would leave fewer of them. A value that still stands in a text must be the label
itself; a period in its place must hold all days of the label.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import date
from functools import cache

import polars as pl

from heteronym.errors import InputError
from heteronym.model.plan import Plan
from heteronym.model.schema import Attribute, Role, Scale
from heteronym.verify.days import MONTHS, day_reader
from heteronym.verify.label_forms import period_ends
from heteronym.verify.masking import placeholders_of
from heteronym.verify.originals import Originals
from heteronym.verify.residue import Left
from heteronym.verify.shown import Texts
from heteronym.verify.value_search import alike
from heteronym.verify.values import cell_text

_IN_WORDS = re.compile(
    rf"(?:in )?(?:the )?(?:(?P<month>{'|'.join(MONTHS)}) (?P<of>\d{{4}})"
    r"|(?P<quarter>\w+) quarter of (?P<in>\d{4})|(?P<year>\d{4})"
    r"|(?P<decade>\d{3})0s|(?P<century>\d+)\w\w century)",
    re.IGNORECASE,
)
_QUARTERS = ("first", "second", "third", "fourth")


def beside_events(released: pl.DataFrame, plan: Plan, originals: Originals, texts: Texts) -> list[Left]:
    """Places where a released text tells more of an event than the event's column."""
    found: list[Left] = []
    for name, attribute in plan.attributes.items():
        if attribute.role is Role.EVENT and attribute.turns_up and name in released.columns:
            found += _beside_event(name, attribute, released, plan, originals, texts)
    return found


def _beside_event(
    name: str, attribute: Attribute, released: pl.DataFrame, plan: Plan, originals: Originals, texts: Texts
) -> list[Left]:
    cells = [cell_text(cell) for cell in originals.frame[name].to_list()]
    read = _cell_reader(attribute, [cell for cell in cells if cell is not None])
    labels: dict[tuple[int, str], set[str]] = defaultdict(set)
    whose = originals.released_person.tolist()
    for person, source, label in zip(
        whose, originals.source_row.tolist(), released[name].cast(pl.String).to_list(), strict=True
    ):
        value = None if cells[source] is None else read(cells[source] or "")
        if value is not None:
            labels[person, value].add(label or "")
    found: list[Left] = []
    in_text = _text_reader(attribute)
    assert originals.evidence is not None
    masks = placeholders_of({*originals.evidence.mentions.types, "..."})
    for row, column, span, surface, now in texts.places:
        if now is None or span.type in plan.recode.surrogates:
            continue
        value = in_text(surface)
        shown = labels.get((whose[row], value)) if value is not None else None
        if shown is None or masks.fullmatch(now.text) or now.text in texts.labels[row]:
            continue
        text = now.text if now.changed else None
        if not all(_tells_no_more(text, value or "", label) for label in shown):
            found.append(Left(row, column, now.start, now.end, "value", name))
    return found


Reader = Callable[[str], str | None]  # one spelling for all that tells the same value


def _cell_reader(attribute: Attribute, cells: Sequence[str]) -> Reader:
    if attribute.scale is not Scale.DATE:
        return cache(alike)
    day = day_reader(cells, attribute.format)
    return cache(lambda text: _spelt(day(text.strip())))


def _text_reader(attribute: Attribute) -> Reader:
    """In texts, every date is written as it likes; one that could be two days tells none."""
    if attribute.scale is not Scale.DATE:
        return cache(alike)

    @cache
    def read(text: str) -> str | None:
        try:
            return _spelt(day_reader([text.strip()], None)(text.strip()))
        except InputError:  # day and month could be swapped
            return None

    return read


def _spelt(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _tells_no_more(stated: str | None, value: str, label: str) -> bool:
    """Whether what stands in a text, or the value as it was (None), is no narrower than a label."""
    period = period_ends(label)
    if stated is None:
        return alike(label) == value or period == (value, value)
    wider = _ends_in_words(stated)
    return period is not None and wider is not None and wider[0] <= period[0] and period[1] <= wider[1]


def _ends_in_words(text: str) -> tuple[str, str] | None:
    """What no day of a period stands before, and none behind, as texts."""
    found = _IN_WORDS.fullmatch(" ".join(text.split()))
    if found is None:
        return None
    if found["month"]:
        number = MONTHS.index(found["month"].lower()) + 1
        return f"{found['of']}-{number:02}", f"{found['of']}-{number:02}-99"
    if found["quarter"]:
        if found["quarter"].lower() not in _QUARTERS:
            return None
        last = 3 * _QUARTERS.index(found["quarter"].lower()) + 3
        return f"{found['in']}-{last - 2:02}", f"{found['in']}-{last:02}-99"
    if found["year"]:
        return found["year"], f"{found['year']}-99"
    if found["decade"]:
        return f"{found['decade']}0", f"{found['decade']}9-99"
    century = int(found["century"])
    return f"{100 * century - 99:04}", f"{100 * century:04}-99"
