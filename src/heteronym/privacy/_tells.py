"""Texts that tell of their person's events: never more than the event's column shows.

Who knows a date of a visit knows what its column became, and looks for rows with that label. A text of the
same row that tells the date more closely would leave fewer of them. So a term that tells a member's own
event stays as it is only where the event does, and becomes a period only if that holds all days that the
column's label leaves open; otherwise it is masked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from heteronym.knowledge.dates import nested_periods
from heteronym.model.offers import AS_IT_IS
from heteronym.privacy._follow import days_of
from heteronym.privacy._refine import MASKED

if TYPE_CHECKING:
    from heteronym.privacy._group_choice import Choice, Group


def widened(group: Group, choice: Choice) -> bool:
    """Whether terms told too much; they have to choose among their wider labels from now on."""
    found = False
    for term, event in group.tells:
        told, shown = _shown(group, term, choice), _shown(group, event, choice)
        stays = told == _name(group, term)
        if told and not (shown == _name(group, event) if stays else _covers(told, shown)):
            _widen(group, term, shown)
            found = True
    return found


def _shown(group: Group, place: int, choice: Choice) -> str:
    """What stands for an element, or in an event's cells; nothing if that is a placeholder."""
    taken = int(choice.offer[place])
    if taken >= 0:
        number = int(group.offers.label[group.first[place] + taken])
        return _name(group, place) if number == AS_IT_IS else group.offers.labels[number].text
    base = group.bases[group.mask[place]]
    return base.text.split("\0", 1)[1] if taken == MASKED and base.kind == "widest" else ""


def _name(group: Group, place: int) -> str:
    return str(group.view.elements.names[group.elements[place]])


def _covers(told: str, shown: str) -> bool:
    """Whether a period holds all days that the label of a date's column leaves open."""
    first, last = days_of(shown)
    ends = [str(np.datetime64(int(day), "D")) for day in (first, last) if first <= last]
    around = [{period.name for period in nested_periods(day)} for day in ends]
    return bool(around) and told in set.intersection(*around)


def _widen(group: Group, term: int, shown: str) -> None:
    """What reads like the term does not stay as it is either, whatever type it has."""
    for place in np.flatnonzero(group.same == group.same[term]).tolist():
        offered = group.offers.label[group.first[place] :][: group.count[place]].tolist()
        wide = [
            number
            for number, label in enumerate(offered)
            if label != AS_IT_IS and (place != term or _covers(group.offers.labels[label].text, shown))
        ]
        group.narrowest[place] = max(group.narrowest[place], min(wide, default=len(offered)))
