"""Settles what the elements of all groups show, so that the joint model holds and most is kept.

Groups do not bear on each other. For each of them a frozen problem is built (`_group_problem`), solved
(`_group_choice`) and read off (`_group_outcome`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from heteronym.model.offers import AS_IT_IS, Offers
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.recoding import ElementLabels, Fate, Label
from heteronym.model.sets import Sets
from heteronym.privacy._follow import forced_labels
from heteronym.privacy._group_choice import choose
from heteronym.privacy._group_outcome import outcome_of
from heteronym.privacy._group_problem import AllGroups, Members, problem_of
from heteronym.privacy._showing import Showing
from heteronym.privacy._tallies import Promise
from heteronym.run import current

Bools = NDArray[np.bool_]


def settle(
    view: PersonView,
    partition: Partition,
    offers: Offers,
    promise: Promise,
    *,
    columns: Mapping[str, Sequence[str | None]],
) -> ElementLabels:
    """What every element of every group becomes."""
    offers = offers.in_step()
    elements, held = view.elements, offers.of_group
    fate = np.full(len(held.codes), Fate.TYPED, np.uint8)
    label = np.full(len(held.codes), -1, np.int32)
    fate[elements.sensitive[held.codes]] = Fate.KEPT
    forced = forced_labels(view, partition, held, columns)
    asked = _asked(view, partition, offers, promise.k) & ~elements.sensitive[held.codes]
    asked |= forced.text >= 0
    wanted = np.zeros(len(elements) + len(elements.markers), np.bool_)
    wanted[held.codes[asked]] = True
    wanted[len(elements) :] = True
    showing = Showing.of(view, partition.group, wanted)
    members, by_row = partition.members(), Partition(partition.group[view.person_of_row]).members()
    labels: dict[Label, int] = {}
    gone: list[tuple[int, int]] = []
    untyped: list[tuple[int, int]] = []
    sentences: list[int] = []
    entries: list[tuple[int, int]] = []
    of_all = AllGroups(elements, offers, showing, promise, forced, columns)
    run = current()
    for number in range(partition.count):
        if number % 16 == 0:
            run.tell(number / partition.count)
        places = int(held.ptr[number]) + np.flatnonzero(asked[held.ptr[number] : held.ptr[number + 1]])
        if showing.ptr[number] == showing.ptr[number + 1]:
            continue
        mine, rows = members[number], by_row[number]
        members_here = Members(mine, rows, np.searchsorted(mine, view.person_of_row[rows]))
        problem = problem_of(of_all, number, places, members_here)
        outcome = outcome_of(problem, choose(problem))
        fate[places] = outcome.fate
        label[places] = [
            -1 if text is None else labels.setdefault(text, len(labels)) for text in outcome.label
        ]
        gone += [(number, marker) for marker in outcome.gone]
        untyped += [(number, marker) for marker in outcome.untyped]
        sentences += outcome.sentences
        entries += outcome.entries
    return ElementLabels(
        held,
        fate,
        label,
        tuple(labels),
        _by_group(gone, partition.count),
        _by_group(untyped, partition.count),
        frozenset(sentences),
        _by_group(entries, view.rows),
    )


def _by_group(pairs: Sequence[tuple[int, int]], groups: int) -> Sets | None:
    if not pairs:
        return None
    owner, code = (np.array(part, np.int64) for part in zip(*pairs, strict=True))
    return Sets.of_pairs(owner, code, owners=groups, codes=int(code.max()) + 1)


def _asked(view: PersonView, partition: Partition, offers: Offers, k: int) -> Bools:
    """Elements that could be shown or whose mask shows; others stand in sets only, with too few holders."""
    elements, held = view.elements, offers.of_group
    in_text = np.zeros(len(elements), np.bool_)
    in_text[elements.of_mention[elements.of_mention >= 0]] = True
    in_text[list(elements.item_named_by.values())] = (
        True  # a text that names an item shows what the item shows
    )
    holders = partition.holders(view, held.owners(), held.codes)
    several = np.diff(offers.ptr) > 1
    single = np.flatnonzero(~several & (np.diff(offers.ptr) > 0))
    several[single] = offers.label[offers.ptr[:-1][single]] != AS_IT_IS
    asked: Bools = (holders >= k) | several | in_text[held.codes] | elements.is_event[held.codes]
    return asked
