"""k-anonymity over the quasi columns and the terms of a person.

Reference   Sweeney 2002; Singhofer et al. 2021, section 3.2
Guarantee   persons with equal released columns and equal visible terms are at least k
Cost        size of a group O(1); audit O(n log n) sorting of released records
Randomness  none
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from heteronym.contracts import Kind, PromiseInWords
from heteronym.model.partition import Held, Partition
from heteronym.model.person_view import PersonView
from heteronym.model.release import Counted, ModelVerdict, Released, Unit
from heteronym.model.sets import Sets
from heteronym.registry import privacy_models
from heteronym.statistics.histograms import Size


@privacy_models.register("k-anonymity")
@dataclass(frozen=True)
class KAnonymity:
    """Every person shares all released columns and terms with at least k - 1 others."""

    k: int = field(metadata={"help": "smallest group of persons", "min": 2})

    size_only: ClassVar[bool] = True
    protects: ClassVar[frozenset[Kind]] = frozenset({"columns", "terms"})
    smallest_group_is_a_class: ClassVar[bool] = True
    estimate_was_measured: ClassVar[bool] = True
    in_words: ClassVar[PromiseInWords] = PromiseInWords(
        promise="Every released record, that is {record}, is shared by at least {k} persons.",
        attacker="Someone who knows that a person is in the data, {knowledge}, and how the release was"
        " made. Nobody can be narrowed down to fewer than {k} persons by these.",
        not_promised=("What all members of a group have in common is known of each of them.",),
    )

    @property
    def least_persons(self) -> int:
        return self.k

    def start(self, view: PersonView) -> Size:
        return Size(self.k)

    def may_show(self, view: PersonView, partition: Partition, held: Held) -> NDArray[np.bool_]:
        """A term that every member holds, spelt alike and in the same columns: less would tell who."""
        sizes = partition.sizes().astype(held.holders.dtype)
        everyone: NDArray[np.bool_] = held.holders == np.repeat(sizes, np.diff(held.of_group.ptr))
        distinguishable = _spelt_differently(view, partition, held) | _in_other_columns(view, partition, held)
        return everyone & ~distinguishable

    def audit(self, released: Released) -> ModelVerdict:
        """Count persons per equal record in what was written, whatever the search believed."""
        return self._verdict(_record_sizes(released), len(released.person_of_row), released.unit)

    def audit_counted(self, counted: Counted) -> ModelVerdict:
        """The same where somebody has counted the persons of each class, and there are no terms."""
        return self._verdict(counted.persons, int(counted.persons.sum()), "persons")

    def _verdict(self, sizes: NDArray[np.int64], all_of_them: int, unit: Unit) -> ModelVerdict:
        smallest = int(sizes.min(initial=all_of_them))
        short = int((sizes < self.k).sum())
        detail = f"{short} of {len(sizes)} groups have fewer than {self.k} {unit}" if short else ""
        return ModelVerdict("k-anonymity", {"k": self.k}, short == 0 and smallest >= self.k, smallest, detail)

    def too_rare(self, released: Released) -> NDArray[np.bool_]:
        """Which of the shown labels break the promise: terms that only some of a group show, in groups with a
        record that fewer than k persons have."""
        return _uneven_terms(released, self.k)


def _uneven_terms(released: Released, k: int) -> NDArray[np.bool_]:
    person, group = released.person_of_row.tolist(), released.group_of_row.tolist()
    is_term = [kind == "term" for _, kind, _ in released.labels]
    shown = list(zip(released.shown.owners().tolist(), released.shown.codes.tolist(), strict=True))
    terms: dict[int, dict[int, set[int]]] = {}  # by group and person
    for row, who in enumerate(person):
        terms.setdefault(group[row], {}).setdefault(who, set())
    for row, code in shown:
        if is_term[code]:
            terms[group[row]][person[row]].add(code)
    uneven: set[tuple[int, int]] = set()
    for which, of_person in terms.items():
        if min(Counter(map(frozenset, of_person.values())).values()) < k:
            holders = Counter(code for mine in of_person.values() for code in mine)
            uneven |= {(which, code) for code, many in holders.items() if many < len(of_person)}
    return np.array([(group[row], code) in uneven for row, code in shown], np.bool_)


def _spelt_differently(view: PersonView, partition: Partition, held: Held) -> NDArray[np.bool_]:
    """Per element of a group, whether its texts spell it in several ways."""
    elements, group = view.elements, partition.group[view.person_of_row[view.elements.mention_row]]
    shown = np.flatnonzero((elements.of_mention >= 0) & (group >= 0))
    shown = shown[elements.is_term[elements.of_mention[shown]]]
    place = held.of_group.places(group[shown], elements.of_mention[shown])
    _, spelling = np.unique(elements.mention_spelling[shown], return_inverse=True)
    ways = Sets.of_pairs(place, spelling, owners=len(held.holders), codes=max(len(shown), 1))
    return np.diff(ways.ptr) > 1


def _in_other_columns(view: PersonView, partition: Partition, held: Held) -> NDArray[np.bool_]:
    """Per element of a group, whether some column shows it for some members and not for others."""
    torn = np.zeros(len(held.holders), np.bool_)
    if len(view.elements.cells) + len(view.elements.text_columns) < 2:
        return torn
    size = partition.sizes()[held.of_group.owners()]
    for person, element in view.elements.by_column(view.person_of_row).values():
        group = partition.group[person]
        asked = (group >= 0) & view.elements.is_term[element]
        place = held.of_group.places(group[asked], element[asked])
        holders = np.bincount(place, minlength=len(torn))
        torn |= (holders > 0) & (holders < size)
    return torn


def _record_sizes(released: Released) -> NDArray[np.int64]:
    """How many persons show each record: the groups their rows are in and the terms they show."""
    person, group = released.person_of_row, released.group_of_row.astype(np.int64)
    groups = int(group.max(initial=-1)) + 1
    is_term = np.array([kind == "term" for _, kind, _ in released.labels], np.bool_)
    if not is_term.any() and np.array_equal(person, np.arange(len(person))):  # every row is a person
        return np.bincount(group)
    persons, number = np.unique(person, return_inverse=True)
    owner, code = released.shown.owners(), released.shown.codes
    terms = is_term[code] if len(code) else np.zeros(0, np.bool_)
    record = Sets.of_pairs(
        np.concatenate([number, number[owner[terms]]]),
        np.concatenate([group, groups + code[terms].astype(np.int64)]),
        owners=len(persons),
        codes=groups + len(is_term),
    )
    if len(record.codes) == len(record):  # one group and no term each
        return np.unique(record.codes, return_counts=True)[1]
    sizes = Counter(record[number].tobytes() for number in range(len(record)))
    return np.array(list(sizes.values()), np.int64)
