"""What a choice makes of one group: the fate and label of its elements, and what goes besides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.model.offers import AS_IT_IS
from heteronym.model.recoding import Fate, Label
from heteronym.privacy._group_choice import Choice
from heteronym.privacy._group_problem import GroupProblem
from heteronym.privacy._refine import GONE, MASKED, MERGED


class GroupOutcome(NamedTuple):
    """Of the elements in their order, and of markers, sentences and entries by their numbers in the data."""

    fate: NDArray[np.uint8]
    label: Sequence[Label | None]
    gone: Sequence[int]  # markers whose sentences go
    untyped: Sequence[int]  # markers of which the placeholder without a type stands
    sentences: Sequence[int]  # that go because of what their person shows
    entries: Sequence[tuple[int, int]]  # row and element of entries in sets, likewise


def outcome_of(problem: GroupProblem, choice: Choice) -> GroupOutcome:
    fate, label = _fates(problem, choice)
    shown = problem.shown
    marked = shown.marker >= 0
    goes = np.isin(problem.own, list(choice.dropped)) | np.isin(shown.marker, list(choice.gone))
    merged = np.isin(problem.own, list(choice.merged - choice.dropped))
    closed = np.zeros(len(shown.person), np.bool_) if choice.closed is None else choice.closed
    at = np.flatnonzero(closed & ~shown.in_text)
    rows, elements = problem.members.rows[shown.row[at]], problem.elements[shown.element[at]]
    return GroupOutcome(
        fate,
        label,
        np.unique(shown.marker[marked & goes]).tolist(),
        np.unique(shown.marker[marked & merged]).tolist(),
        np.unique(shown.sentence[closed & shown.in_text]).tolist(),
        [*zip(rows.tolist(), elements.tolist(), strict=True)],
    )


def _fates(problem: GroupProblem, choice: Choice) -> tuple[NDArray[np.uint8], list[Label | None]]:
    """The fate of each element, and its label where it has one."""
    fate = np.full(len(problem.elements), Fate.TYPED, np.uint8)
    labels: list[Label | None] = [None] * len(problem.elements)
    for i, taken in enumerate(choice.offer.tolist()):
        mask = int(problem.mask[i])
        base = problem.bases[mask]
        if taken >= 0:
            number = int(problem.offers.label[problem.offered.first[i] + taken])
            fate[i] = Fate.KEPT if number == AS_IT_IS else Fate.GENERALIZED
            labels[i] = None if number == AS_IT_IS else problem.offers.labels[number]
        elif taken == GONE or (taken == MASKED and base.kind != "widest" and mask in choice.dropped):
            fate[i] = Fate.DROPPED
        elif taken == MERGED or mask in choice.merged:
            fate[i] = Fate.UNTYPED
        elif base.kind == "widest":
            text = base.text.split("\0", 1)[1]
            fate[i] = Fate.GENERALIZED if text else Fate.DROPPED
            labels[i] = Label(text, 0) if text else None
        elif base.kind == "link":
            fate[i], labels[i] = Fate.GENERALIZED, Label(base.text, 0)
    for term, item in problem.twins.items():
        fate[term], labels[term] = fate[item], labels[item]
    return fate, labels
