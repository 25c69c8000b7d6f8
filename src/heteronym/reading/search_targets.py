"""What a person's texts are searched for: the person's own values, column by column, in which forms.

Identifiers are searched always, with the parts of names and codes; values of columns with `entities` in
every form; other values where they are no ordinary words. The search is that of `text.own_values`.

Cost        a few forms per value, made once per person
Randomness  none
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from heteronym.model.schema import Attribute, Role, Scale
from heteronym.model.terms import normalize
from heteronym.text.dates import parse_cell
from heteronym.text.forms import (
    day_forms,
    identifier_forms,
    is_telling,
    name_words,
    number_forms,
    part_forms,
    together,
    value_forms,
)
from heteronym.text.numbers import number_of
from heteronym.text.own_values import OwnValues

_LEAST_DIGITS_OF_A_DAY = 6


@dataclass(frozen=True)
class Target:
    """An attribute whose values turn up in texts, and as which type."""

    name: str
    attribute: Attribute
    takes_links: bool
    type: str
    has_letters: bool = False  # the first letter of a value tells it: "36F"
    shared: frozenset[str] = frozenset()  # words of an identifier's values that tell none of them

    @property
    def is_identifier(self) -> bool:
        return self.attribute.role == Role.IDENTIFIER

    @property
    def is_items(self) -> bool:
        return self.attribute.role == Role.ITEMS


def own_values(
    targets: Sequence[Target], values: Sequence[Sequence[Any]], synonyms: Mapping[str, Collection[str]]
) -> OwnValues:
    """What the texts are searched for."""
    own = OwnValues()
    names: list[tuple[str, int]] = []  # a first name and a last name often stand in two columns
    for number, target in enumerate(targets):
        attribute = target.attribute
        for value in values[number]:
            if target.is_identifier:
                spelt = str(value)
                own.add(identifier_forms(spelt), number)
                own.add(part_forms(spelt, target.shared), number)
                own.add_digits(spelt, number)
                known = name_words(spelt)
                own.add_initials(known, number)
                own.add_slips(known or name_words(spelt.partition("@")[0]), number)
                names += [(known[0], number)] if len(known) == 1 else []
                _add_days(own, value, number, attribute)
            elif attribute.scale == Scale.DATE:
                _add_days(own, value, number, attribute)
                own.add(value_forms(str(value).strip()), number)
            elif attribute.scale == Scale.NUMERIC and (amount := number_of(value)) is not None:
                own.add_number(amount, number)
                own.add(number_forms(amount), number)
            else:
                _add_names(own, str(value), number, target, synonyms)
    for (first, number), (last, _) in combinations(names, 2):
        own.add(together(first, last), number)
    return own


def _add_days(own: OwnValues, value: Any, number: int, attribute: Attribute) -> None:
    if attribute.scale != Scale.DATE and sum(map(str.isdigit, str(value))) < _LEAST_DIGITS_OF_A_DAY:
        return
    for day in parse_cell(value, attribute.format):
        own.add_day(day, number)
        own.add(day_forms(day), number)


def _add_names(
    own: OwnValues, value: str, number: int, target: Target, synonyms: Mapping[str, Collection[str]]
) -> None:
    """A value of words, under all its names; without `entities` only if it is no ordinary word."""
    item = value if target.is_items else ""
    for name in dict.fromkeys([value, *synonyms.get(normalize(value), ())]):
        if target.attribute.entities or is_telling(name):
            own.add(value_forms(name.strip()), number, item)
    if target.has_letters and value.strip():
        own.add_letter(value.strip()[0], number)
