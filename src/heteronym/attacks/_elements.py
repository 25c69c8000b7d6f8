"""Items, terms and events as an attacker sees them: who shows which label, and what a label may hide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heteronym.attacks._labels import KnownColumn, known_columns
from heteronym.attacks._match import Crowd, draw_targets, fitting_groups, gather, values_of
from heteronym.attacks._promise import element_bound, element_reach, outcome
from heteronym.model.attack import AttackResult, Knowledge, ReleasedTable
from heteronym.model.hierarchy import Hierarchy
from heteronym.model.schema import Attribute, Role
from heteronym.model.terms import normalize
from heteronym.run import current
from heteronym.verify.entries import entries_of
from heteronym.verify.labels import item_members, leaves_below

_DEFAULT_KNOWN = 2  # elements that an attacker knows where no model says how many it may


@dataclass(frozen=True, repr=False, eq=False)
class KnownElements:
    """The elements of one column.

    `shows[label]` marks the persons that show a label; `labels_of[element]` are those it may stand behind.
    """

    kind: str  # items, terms or events
    of_person: dict[int, list[str]]  # original persons
    shows: dict[str, NDArray[np.bool_]]  # [released persons]
    labels_of: dict[str, list[str]]
    may_be_gone: bool  # elements of this kind may be left out: who shows nothing may still have it

    def __repr__(self) -> str:
        return f"KnownElements({self.kind}, {len(self.labels_of)} elements)"


def known_elements(release: ReleasedTable, knowledge: Knowledge, crowd: Crowd) -> list[KnownElements]:
    found = []
    for name, attribute in release.plan.attributes.items():
        if attribute.role not in (Role.ITEMS, Role.TERMS):
            continue
        if name in release.frame.columns and name in knowledge.frame.columns:
            found.append(_read(name, attribute, release, knowledge, crowd))
    events = known_columns(release, knowledge, (Role.EVENT,))
    return found + [_read_events(column, knowledge, crowd) for column in events]


def _read_events(column: KnownColumn, knowledge: Knowledge, crowd: Crowd) -> KnownElements:
    """Values by their number, under the labels that may stand for them; a missing one is a value, too."""
    of_person: dict[int, set[str]] = {}
    for person, value in zip(knowledge.person.tolist(), column.value_of_row.tolist(), strict=True):
        of_person.setdefault(person, set()).add(str(value))
    shows = np.zeros((len(column.fits), crowd.persons), np.bool_)
    shows[column.label_of_row, crowd.person_of_row] = True
    return KnownElements(
        "events",
        {person: sorted(values) for person, values in of_person.items()},
        {str(label): marked for label, marked in enumerate(shows)},
        {str(value): list(map(str, np.flatnonzero(fit))) for value, fit in enumerate(column.fits.T)},
        may_be_gone=False,
    )


def _read(
    name: str, attribute: Attribute, release: ReleasedTable, knowledge: Knowledge, crowd: Crowd
) -> KnownElements:
    is_items = attribute.role is Role.ITEMS
    hidden = frozenset(attribute.sensitive)  # what is to be inferred is not known
    of_person: dict[int, set[str]] = {}
    for person, entries in zip(
        knowledge.person.tolist(),
        entries_of(knowledge.frame[name], attribute.separator, held=True),
        strict=True,
    ):
        mine = {entry.strip() for entry in entries} - {""} - hidden
        of_person.setdefault(person, set()).update(mine if is_items else {_term(entry) for entry in mine})
    holders: dict[str, list[int]] = {}
    for person, entries in zip(
        crowd.person_of_row.tolist(), entries_of(release.frame[name], attribute.separator), strict=True
    ):
        for entry in entries:
            holders.setdefault(entry.strip(), []).append(person)
    shows = {}
    for label, persons in holders.items():
        shows[label] = np.zeros(crowd.persons, np.bool_)
        shows[label][persons] = True
    labels_of: dict[str, list[str]] = {}
    hierarchy = knowledge.hierarchies.get(name)
    for label in shows:
        for element in _meant(label, is_items, hierarchy):
            labels_of.setdefault(element, []).append(label)
    return KnownElements(
        "items" if is_items else "terms",
        {person: sorted(elements) for person, elements in of_person.items()},
        shows,
        labels_of,
        may_be_gone=not is_items,
    )


def _meant(label: str, is_items: bool, hierarchy: Hierarchy | None) -> frozenset[str]:
    if not is_items:
        return frozenset([_term(label)])
    return item_members(label) | (leaves_below(label, hierarchy) if hierarchy is not None else frozenset())


def _term(entry: str) -> str:
    kind, _, term = entry.partition(":")
    return f"{kind.strip()}:{normalize(term)}" if term else normalize(entry)


def _holders(
    known: KnownElements, element: str, crowd: Crowd, group_of_person: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Persons who may have an element, by what they show."""
    labels = [*known.labels_of.get(element, ()), *(["*"] if "*" in known.shows else [])]
    shown = np.zeros(crowd.persons, np.bool_)
    for label in labels:
        shown |= known.shows[label]
    if known.may_be_gone:
        # in a group where nobody shows it, it was left out for all of them
        seen = np.zeros(len(crowd.labels), np.bool_)
        seen[group_of_person[shown]] = True
        shown |= ~seen[group_of_person]
    return shown


def link_by_elements(
    name: str,
    release: ReleasedTable,
    knowledge: Knowledge,
    *,
    with_columns: bool,
    targets: int,
    known: int | None,
    rng: np.random.Generator,
) -> AttackResult:
    """Who fits the quasi columns, if these are known, and `known` elements of each target: the rarest, and
    random ones."""
    quasi = known_columns(release, knowledge)
    crowd = gather(release, quasi)
    columns = known_elements(release, knowledge, crowd)
    if not columns:
        return AttackResult.idle(name, "linkability", "no items, terms or events column is in both tables")
    kinds = {column.kind for column in columns}
    reach = min((element_reach(release.plan, {kind}) for kind in kinds), default=0)
    m = known or (min(reach, 3) if reach else _DEFAULT_KNOWN)
    group_of_person = np.zeros(crowd.persons, np.int64)
    group_of_person[crowd.person_of_row] = crowd.group_of_row
    rows = draw_targets(knowledge, targets, rng)
    in_crowd = _column_crowds(crowd, quasi if with_columns else (), rows)
    certainty = np.zeros(len(rows))
    for number, row in enumerate(rows.tolist()):
        person = int(knowledge.person[row])
        mine = [(c, e) for c, column in enumerate(columns) for e in column.of_person.get(person, ())]
        marks = {pair: _holders(columns[pair[0]], pair[1], crowd, group_of_person) for pair in mine}
        near = in_crowd(number)
        by_rarity = sorted(mine, key=lambda pair: int((marks[pair] & near).sum()))
        tries = [by_rarity[:m]] + [
            [mine[int(i)] for i in rng.permutation(len(mine))[:m]] for _ in range(3 if len(mine) > m else 0)
        ]
        for chosen in tries:
            fit = near.copy()
            for pair in chosen:
                fit &= marks[pair]
            left = int(fit.sum())
            certainty[number] = max(certainty[number], 1 / left if left else 0)
        current().tell(number / len(rows))
    bounds = [element_bound(release.plan, kind, m) for kind in sorted(kinds)]
    bound = None if any(b is None for b in bounds) else max(b for b in bounds if b is not None)
    worst = float(certainty.max(initial=0))
    over = certainty > (bound + 1e-9 if bound is not None else 1 - 1e-9)
    return AttackResult(
        name,
        "linkability",
        len(rows),
        int(over.sum()),
        worst,
        bound,
        outcome(worst, bound, can_tell=crowd.knows_persons),
        f"knows {m} of each target's {' and '.join(sorted(kinds))}; the smallest crowd has "
        f"{round(1 / worst) if worst else 0} {crowd.unit}"
        + ("" if bound is not None else "; no model of the plan bounds that"),
        {"known": m, "mean_certainty": float(certainty.mean())},
    )


def _column_crowds(crowd: Crowd, columns: Sequence[KnownColumn], rows: NDArray[np.int64]):  # type: ignore[no-untyped-def]
    """Per target the persons who fit its columns; everybody if none is known."""
    if not columns:
        everybody = np.ones(crowd.persons, np.bool_)
        return lambda number: everybody
    fits = np.concatenate([fit for _, fit in fitting_groups(crowd, columns, values_of(columns, rows))])

    def near(number: int) -> NDArray[np.bool_]:
        mine = np.zeros(crowd.persons, np.bool_)
        mine[crowd.person_of_row[fits[number][crowd.group_of_row]]] = True
        return mine

    return near
