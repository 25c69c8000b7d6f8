"""Whether what is masked for one member of a group stands open in a text of another.

A mention that was recognized in one text and missed in another makes the other person the only one who
shows it. Figures of few digits and words of time say little where nothing marks them as an age: "96 %". A
name that is an ordinary word may stand in texts of others, as long as enough persons do not show it. Plain
code of its own: letters are compared as they stand, whole words.

Cost        O(words of the released texts + words of what is masked) per group
Randomness  none
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import polars as pl
from numpy.typing import NDArray

from heteronym.errors import row_list
from heteronym.model.plan import Plan
from heteronym.model.release import Check
from heteronym.model.schema import Role
from heteronym.verify.names import grammar, is_aged, is_counted, says_little
from heteronym.verify.ordinary import words_among
from heteronym.verify.originals import Originals
from heteronym.verify.residue import Left
from heteronym.verify.shown import Place, Texts, sensitive_items, text_columns, texts_of
from heteronym.verify.value_search import alike

_WORDS = re.compile(r"\w+")


def missed_in_others(
    released: pl.DataFrame, plan: Plan, group_of_row: NDArray[Any], originals: Originals, texts: Texts
) -> list[Left]:
    """What is masked in a text of a group, looked for in all texts of the group."""
    group = group_of_row.tolist()
    elsewhere = _may_stand_elsewhere(texts.places, plan, originals)
    masked = _masked_in(texts.places, group, elsewhere)
    stays: dict[tuple[int, str], list[tuple[int, int]]] = defaultdict(list)
    for place in texts.places:
        if place.stays and place.now is not None:
            stays[place.row, place.column].append((place.now.start, place.now.end))
    found: list[Left] = []
    names = _words_as_names(texts.places, group, elsewhere, plan)
    excluding = _Excluding(names, group, originals, plan)
    for number, by_word in names.items():
        for first, mine in by_word.items():
            same = masked.get(number, {}).get(first, {})
            for spelling in [one for one, kind in same.items() if mine.get(one) == kind]:
                del same[spelling]
    bare = texts.without_labels(texts_of(released, text_columns(released, plan)))
    for column, cells in bare.items():
        for row, text in enumerate(cells):
            if not text:
                continue
            for start, end, type_ in _standing(text, masked.get(group[row], {})):
                # inside of a longer mention that stays it is part of that: the year of "14 May 2004"
                longer = any(
                    a <= start and end <= b and (a, b) != (start, end) for a, b in stays[row, column]
                )
                little = says_little(text[start:end]) and not is_aged(text, start, end)
                if not longer and not little:
                    found.append(Left(row, column, start, end, "term", type_))
            excluding.look_in(row, column, text, stays[row, column])
    return found + excluding.too_many()


class _Excluding:
    """Names that are ordinary words, where they stand in small letters in texts of others.

    They stand in no text of their bearer: whoever shows one is not the bearer, so k persons must not show it.
    """

    def __init__(
        self,
        names: dict[int, dict[str, dict[str, str]]],
        group: Sequence[int],
        originals: Originals,
        plan: Plan,
    ) -> None:
        self._names, self._group, self._person = names, group, originals.released_person.tolist()
        self._least = max(int(model.parameters.get("k", 1)) for model in plan.privacy)
        self._standing: dict[tuple[int, str], list[Left]] = defaultdict(list)

    def look_in(self, row: int, column: str, text: str, stays: Sequence[tuple[int, int]]) -> None:
        number = self._group[row]
        for start, end, type_ in _standing(text, self._names.get(number, {})):
            inside = any(a <= start and end <= b and (a, b) != (start, end) for a, b in stays)
            if not inside and not is_counted(text, start, end):
                left = Left(row, column, start, end, "term", type_)
                self._standing[number, text[start:end]].append(left)

    def too_many(self) -> list[Left]:
        """The places of words that too few persons of their group do not show."""
        members: dict[int, set[int]] = defaultdict(set)
        for number, person in zip(self._group, self._person, strict=True):
            members[number].add(person)
        found: list[Left] = []
        for (number, _), places in self._standing.items():
            show = {self._person[place.row] for place in places}
            if len(members[number] - show) < self._least:
                found += places
        return found


def _words_as_names(
    places: Sequence[Place], group: Sequence[int], elsewhere: Collection[str], plan: Plan
) -> dict[int, dict[str, dict[str, str]]]:
    """By group and first word, masked identifiers that are ordinary words in small letters, no grammar."""
    identifiers = set(plan.named(Role.IDENTIFIER))
    found: dict[int, dict[str, dict[str, str]]] = {}
    for place in places:
        known = place.span.follows in identifiers and place.surface in elsewhere and not place.stays
        if known and len(place.surface) > 1 and place.surface.islower() and place.surface not in grammar():
            words = _WORDS.findall(place.surface)
            mine = found.setdefault(group[place.row], {}).setdefault(words[0], {})
            mine.setdefault(place.surface, place.span.type)
    return found


def _may_stand_elsewhere(places: Sequence[Place], plan: Plan, originals: Originals) -> set[str]:
    """Spellings that tell something only where they follow a column: ordinary words and single letters, which
    are values by what stands around them, and sensitive items, which no attacker knows."""
    sensitive = sensitive_items(plan)
    following = {place.surface for place in places if place.span.follows is not None}
    words = {word.lower() for surface in following for word in _WORDS.findall(surface)}
    before = texts_of(originals.frame, plan.named(Role.TEXT))
    ordinary = words_among(words, before, originals.person)
    found = {surface for surface in following if len(surface) == 1 or alike(surface) in sensitive}
    return found | {
        surface
        for surface in following
        if ordinary.issuperset(word.lower() for word in _WORDS.findall(surface))
    }


def _masked_in(
    places: Sequence[Place], group: Sequence[int], elsewhere: Collection[str]
) -> dict[int, dict[str, dict[str, str]]]:
    """By group and first word, the spellings that something else stands for, or that are gone everywhere,
    each with its type."""
    stays = {(group[place.row], place.surface) for place in places if place.stays}
    found: dict[int, dict[str, dict[str, str]]] = {}
    for place in places:
        # what only went with its sentence may be shown by others
        if place.stays or (place.now is None and (group[place.row], place.surface) in stays):
            continue
        same = place.now is not None and place.now.text == place.surface
        if same or (place.span.follows is not None and place.surface in elsewhere):
            continue
        words = _WORDS.findall(place.surface)
        if words:
            mine = found.setdefault(group[place.row], {}).setdefault(words[0], {})
            mine.setdefault(place.surface, place.span.type)
    return found


def _standing(text: str, masked: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[int, int, str]]:
    for first in set(_WORDS.findall(text)) & masked.keys():
        for spelling, type_ in masked[first].items():
            if spelling in text:
                for match in re.finditer(_whole(spelling), text):
                    yield *match.span(), type_


def _whole(spelling: str) -> str:
    """A pattern for a spelling as whole words and whole numbers: "38" does not stand in "38.1" or "99/38"."""
    before = r"(?<!\d[.,:/])" if spelling[0].isdigit() else ""
    behind = r"(?![.,:/]\d)" if spelling[-1].isdigit() else ""
    return rf"(?<!\w)(?<!\[){before}{re.escape(spelling)}(?!\w){behind}"


def missed_check(found: Sequence[Left]) -> Check:
    if found:
        where = row_list(sorted({one.row + 1 for one in found}))
        return Check("missed", False, f"masked for one of a group, open in another's text: {where}")
    return Check("missed", True, "what is masked for one of a group stands in no text of the group")
