"""Whether what is masked for one member of a group stands open in a text of another.

A mention that was recognized in one text and missed in another makes the other person the only one who
shows it. Plain code of its own: letters are compared as they stand, whole words.

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
    masked = _masked_in(texts.places, group, _may_stand_elsewhere(texts.places, plan, originals))
    stays: dict[tuple[int, str], list[tuple[int, int]]] = defaultdict(list)
    for place in texts.places:
        if place.stays and place.now is not None:
            stays[place.row, place.column].append((place.now.start, place.now.end))
    found: list[Left] = []
    bare = texts.without_labels(texts_of(released, text_columns(released, plan)))
    for column, cells in bare.items():
        for row, text in enumerate(cells):
            for start, end, type_ in _standing(text, masked.get(group[row], {})) if text else ():
                # inside of a longer mention that stays it is part of that: the year of "14 May 2004"
                longer = any(
                    a <= start and end <= b and (a, b) != (start, end) for a, b in stays[row, column]
                )
                if not longer:
                    found.append(Left(row, column, start, end, "term", type_))
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
                for match in re.finditer(rf"(?<!\w)(?<!\[){re.escape(spelling)}(?!\w)", text):
                    yield *match.span(), type_


def missed_check(found: Sequence[Left]) -> Check:
    if found:
        where = row_list(sorted({one.row + 1 for one in found}))
        return Check("missed", False, f"masked for one of a group, open in another's text: {where}")
    return Check("missed", True, "what is masked for one of a group stands in no text of the group")
