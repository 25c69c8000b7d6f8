"""Links by what a mention means: numbers inside phrases, dates in any form, plurals and articles.

"36 years old" and "thirty-six" tell 36; "14/05/2004", "May 2004" and "in May" tell 2004-05-14; "the
Students" tells Student. Only the part that tells the value is reported, if the words around it
say nothing more; otherwise the whole mention is.

Cost        O(surfaces + values) for numbers and names, surfaces x values for dates
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from heteronym.model.schema import Attribute, Scale
from heteronym.model.terms import normalize
from heteronym.registry import linkers
from heteronym.text.dates import parse_cell, read_phrase
from heteronym.text.forms import plural_forms, singular_forms
from heteronym.text.lexicon import lexicon
from heteronym.text.numbers import number_of, read_numbers

Part = tuple[int, int]

# Words that may stay around a replaced number or date: they tell a unit, never more.
_HARMLESS = lexicon("quantities").words("HARMLESS")
_OTHER_UNIT = re.compile(r"\b(?:months?|weeks?|days?|hours?|minutes?)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")


@linkers.register("typed")
@dataclass(frozen=True)
class Typed:
    """Equal in meaning, by the attribute's scale."""

    def links(
        self, surfaces: Sequence[str], values: Sequence[Any], *, attribute: Attribute
    ) -> list[Part | None]:
        if attribute.scale == Scale.NUMERIC:
            return _numeric(surfaces, values, ages="AGE" in attribute.entities)
        if attribute.scale == Scale.DATE:
            return _dates(surfaces, values, attribute.format)
        known = {form for value in values for form in name_forms(normalize(str(value)))}
        return [
            (0, len(surface)) if not known.isdisjoint(name_forms(normalize(surface))) else None
            for surface in surfaces
        ]


def _numeric(surfaces: Sequence[str], values: Sequence[Any], *, ages: bool) -> list[Part | None]:
    known = {number for value in values if (number := number_of(value)) is not None}
    parts: list[Part | None] = []
    for surface in surfaces:
        numbers = read_numbers(surface)
        # A phrase with a second, different number tells more than the column: it stays a term.
        all_known = bool(numbers) and all(number.value in known for number in numbers)
        if not all_known or (ages and _OTHER_UNIT.search(surface)):
            parts.append(None)
        elif len(numbers) > 1:
            parts.append((0, len(surface)))
        else:
            parts.append(_telling_part(surface, numbers[0].start, numbers[0].end))
    return parts


def _dates(surfaces: Sequence[str], values: Sequence[Any], format: str | None) -> list[Part | None]:
    days = {day for value in values for day in parse_cell(value, format)}
    parts: list[Part | None] = []
    for surface in surfaces:
        known = (one for one in read_phrase(surface) if any(map(one.date.contains, days)))
        one = next(known, None)
        parts.append(None if one is None else _telling_part(surface, one.start, one.end))
    return parts


def _telling_part(surface: str, start: int, end: int) -> Part:
    rest = f"{surface[:start]} {surface[end:]}"
    if all(word.lower() in _HARMLESS for word in _WORD.findall(rest)):
        return start, end
    return 0, len(surface)


def name_forms(name: str) -> set[str]:
    """A name without article, possessive and plural; also the plurals that read both ways."""
    name = name.removeprefix("the ").removesuffix("'s").replace("-", " ").strip()
    head, _, last = name.rpartition(" ")
    forms = {name}
    for form in (*singular_forms(last), *plural_forms(last)):
        forms.add(f"{head} {form}" if head else form)
    return forms
