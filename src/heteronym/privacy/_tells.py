"""Texts that tell of their person's events: never more than the event's column shows.

Who knows a date of a visit knows what its column became, and looks for rows with that label. A text of the
same row that tells the date more closely would leave fewer of them. So a term that tells a member's own
event stays as it is only where the event does, and becomes a period only if that holds all days that the
column's label leaves open; otherwise it is masked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from heteronym.knowledge.dates import nested_periods
from heteronym.model.offers import AS_IT_IS
from heteronym.privacy._follow import days_of
from heteronym.privacy._refine import MASKED

if TYPE_CHECKING:
    from heteronym.privacy._group_choice import Choice
    from heteronym.privacy._group_problem import GroupProblem

Ints = NDArray[np.int64]


def widened(problem: GroupProblem, choice: Choice, narrowest: Ints) -> Ints | None:
    """The first offers that elements may take from now on, where terms told too much; None if none did."""
    found = narrowest.copy()
    for term, event in problem.tells:
        told, shown = _shown(problem, term, choice), _shown(problem, event, choice)
        stays = told == _name(problem, term)
        if told and not (shown == _name(problem, event) if stays else _covers(told, shown)):
            _widen(problem, term, shown, found)
    return None if (found == narrowest).all() else found


def _shown(problem: GroupProblem, place: int, choice: Choice) -> str:
    """What stands for an element, or in an event's cells; nothing if that is a placeholder."""
    taken = int(choice.offer[place])
    if taken >= 0:
        number = int(problem.offers.label[problem.offered.first[place] + taken])
        return _name(problem, place) if number == AS_IT_IS else problem.offers.labels[number].text
    base = problem.bases[problem.mask[place]]
    return base.text.split("\0", 1)[1] if taken == MASKED and base.kind == "widest" else ""


def _name(problem: GroupProblem, place: int) -> str:
    return str(problem.vocabulary.names[problem.elements[place]])


def _covers(told: str, shown: str) -> bool:
    """Whether a period holds all days that the label of a date's column leaves open."""
    first, last = days_of(shown)
    ends = [str(np.datetime64(int(day), "D")) for day in (first, last) if first <= last]
    around = [{period.name for period in nested_periods(day)} for day in ends]
    return bool(around) and told in set.intersection(*around)


def _widen(problem: GroupProblem, term: int, shown: str, narrowest: Ints) -> None:
    """What reads like the term does not stay as it is either, whatever type it has."""
    offers, offered = problem.offers, problem.offered
    for place in np.flatnonzero(offered.same == offered.same[term]).tolist():
        mine = offers.label[offered.first[place] :][: offered.many[place]].tolist()
        wide = [
            number
            for number, label in enumerate(mine)
            if label != AS_IT_IS and (place != term or _covers(offers.labels[label].text, shown))
        ]
        narrowest[place] = max(narrowest[place], min(wide, default=len(mine)))
