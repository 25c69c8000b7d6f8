"""Terms become as general as their group needs: themselves, something that they are a kind of, or their type.

Every distinct term is looked up once and gets a ladder of labels: Madrid, Spanish city, European city.
Terms of a group pool their holders under a common label. A model that settles labels chooses among these
offers; under any other, a label is shown where all members show it, in the same columns, and the most
telling labels are tried first.

Reference   He and Naughton 2009 (local recoding of sets); Sanchez et al. 2013 (information content)
Guarantee   as `suppress`: all members of a group show the same labels; or what the settling model promises
Cost        one look-up per distinct term, then O(pairs of person and term x rungs), compiled
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from heteronym.contracts import Kind, Models, Rng
from heteronym.knowledge.ladders import has_ladders, ladder
from heteronym.model.offers import AS_IT_IS, Offers
from heteronym.model.partition import Partition
from heteronym.model.person_view import Column, PersonView
from heteronym.model.recoding import ElementLabels, Fate, Label
from heteronym.model.sets import Sets, distinct
from heteronym.recode.term_suppress import may_stay
from heteronym.registry import element_recoders
from heteronym.run import current

_WORD = re.compile(r"[^\W_]+")
_MOST_COLUMNS = 62  # bits of a number that says in which columns something shows


@element_recoders.register("generalize")
@dataclass(frozen=True)
class GeneralizeTerms:
    """Show terms by the most telling label that their group may show; the others become their entity type."""

    kind: ClassVar[Kind] = "terms"

    def offers(self, view: PersonView, partition: Partition, *, models: Models) -> Offers:
        held = partition.held(view, terms=True).of_group
        least = max((model.least_persons for model in models), default=1)
        return _without_values(view, partition, _offered(held, _ladders(view, held, partition, least)))

    def recode(self, view: PersonView, partition: Partition, *, models: Models, rng: Rng) -> ElementLabels:
        held = partition.held(view, terms=True)
        least = max((model.least_persons for model in models), default=1)
        ladders = _ladders(view, held.of_group, partition, least)
        offers = _without_values(view, partition, _offered(held.of_group, ladders))
        kept = may_stay(view, partition, held, models)
        label = _pooled(view, partition, offers, kept)
        fate = np.select([kept, label >= 0], [Fate.KEPT, Fate.GENERALIZED], Fate.TYPED).astype(np.uint8)
        return ElementLabels(offers.of_group, fate, label, offers.labels)


@dataclass(frozen=True, repr=False, eq=False)
class _Ladders:
    """Labels of every element, the most telling first, in CSR form."""

    ptr: NDArray[np.int64]  # [elements + 1]
    label: NDArray[np.int32]
    worth: NDArray[np.float64]
    labels: Sequence[Label]


def _ladders(view: PersonView, held: Sets, partition: Partition, least: int) -> _Ladders:
    """One look-up per element that is released; labels that too few persons could show are left out."""
    elements = view.elements
    number_of: dict[tuple[int, str], int] = {}
    sizes: list[int] = []
    owner: list[int] = []
    label: list[int] = []
    worth: list[float] = []
    run = current()
    known = np.array([domain.is_terms and has_ladders(domain.name) for domain in elements.domains], np.bool_)
    asked = np.unique(held.codes)
    released = asked[known[elements.domain[asked]]].tolist()
    for step, element in enumerate(released):
        if step % 4096 == 0:
            run.tell(step / len(released))
        domain = int(elements.domain[element])
        term = elements.term(element)
        found = ladder(term.text, term.type, term.sense)
        for text, size in found.rungs:
            number = number_of.setdefault((domain, text), len(number_of))
            if number == len(sizes):
                sizes.append(size)
            sizes[number] = max(sizes[number], size)
            owner.append(element)
            label.append(number)
            worth.append(found.information(size))
    labels = [Label(text, size) for (_, text), size in zip(number_of, sizes, strict=True)]
    codes = np.array(label, np.int32)
    lists = Sets(
        np.r_[0, np.cumsum(np.bincount(np.array(owner, np.int64), minlength=len(elements)))].astype(np.int64),
        np.arange(len(codes), dtype=np.int32),
    )
    person, element_of_pair = elements.terms()
    shown = partition.group[person] >= 0
    place, at = lists.expand(element_of_pair[shown])
    pairs = distinct(codes[at].astype(np.int64) * view.persons + person[shown][place])
    enough = np.bincount(pairs // max(view.persons, 1), minlength=len(labels)) >= least
    return _kept_rungs(_Ladders(lists.ptr, codes, np.array(worth), labels), enough)


def _kept_rungs(ladders: _Ladders, enough: NDArray[np.bool_]) -> _Ladders:
    stays = enough[ladders.label]
    before = np.r_[0, np.cumsum(stays)]
    number = np.cumsum(enough) - 1
    return _Ladders(
        before[ladders.ptr],
        number[ladders.label[stays]].astype(np.int32),
        ladders.worth[stays],
        [label for label, stay in zip(ladders.labels, enough.tolist(), strict=True) if stay],
    )


def _offered(held: Sets, ladders: _Ladders) -> Offers:
    """Every element of a group as it is, then by its ladder."""
    lists = Sets(ladders.ptr, np.arange(len(ladders.label), dtype=np.int32))
    place, at = lists.expand(held.codes)
    rungs = np.diff(ladders.ptr)[held.codes]
    ptr = np.r_[0, np.cumsum(rungs + 1)].astype(np.int64)
    label = np.full(int(ptr[-1]), AS_IT_IS, np.int32)
    worth = np.ones(int(ptr[-1]))
    where = np.arange(len(place)) + place + 1  # one more offer stands before every element's own rungs
    label[where], worth[where] = ladders.label[at], ladders.worth[at]
    return Offers(held, ptr, label, worth, ladders.labels)


# --- what a label must not say --------------------------------------------------------------------


def _without_values(view: PersonView, partition: Partition, offers: Offers) -> Offers:
    """Without labels that hold a member's value of a column that mentions follow: they would tell it.

    Without any for terms that the owner wants masked.
    """
    group = np.repeat(offers.of_group.owners(), np.diff(offers.ptr))
    itself = np.repeat(offers.of_group.codes, np.diff(offers.ptr))
    bad = view.elements.is_masked[itself]
    used = np.unique(itself[offers.label == AS_IT_IS])
    types = np.array([domain.name for domain in view.elements.domains])[view.elements.domain[used]]
    for column in view.columns:
        attribute = column.domain.attribute
        if not attribute.turns_up:
            continue
        span = column.domain.missing_code + 1
        covers = partition.held_codes(column)
        covered = covers.owners() * span + covers.codes
        # labels, and terms of the column's types as they are: "5 June 2004" tells the year
        mine = used[np.isin(types, list(attribute.entities))]
        for at, number, texts in (
            (np.flatnonzero(offers.label >= 0), offers.label, [label.text for label in offers.labels]),
            (
                np.flatnonzero((offers.label == AS_IT_IS) & np.isin(itself, mine)),
                np.searchsorted(mine, itself),
                [view.elements.names[element] for element in mine.tolist()],
            ),
        ):
            label, code = _values_in(column, texts)
            if len(label) and len(at):
                revealed = Sets.of_pairs(label, code, owners=len(texts), codes=span)
                place, value = revealed.expand(number[at])
                bad[at[place[np.isin(group[at][place] * span + value, covered)]]] = True
    if not bad.any():
        return offers
    before = np.r_[0, np.cumsum(~bad)]
    return Offers(offers.of_group, before[offers.ptr], offers.label[~bad], offers.worth[~bad], offers.labels)


def _values_in(column: Column, texts: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Which texts hold which values of a column, word by word."""
    code_of: dict[tuple[str, ...], list[int]] = {}
    for code, value in enumerate(column.domain.values.tolist()):
        text = f"{value:.0f}" if isinstance(value, float) and value.is_integer() else str(value)
        words = tuple(_WORD.findall(text.casefold()))
        if words:
            code_of.setdefault(words, []).append(code)
    longest = max(map(len, code_of), default=0)
    found: list[tuple[int, int]] = []
    for number, text in enumerate(texts):
        words = tuple(_WORD.findall(text.casefold()))
        for start in range(len(words)):
            for end in range(start + 1, min(start + longest, len(words)) + 1):
                found += [(number, code) for code in code_of.get(words[start:end], ())]
    pairs = np.array(found, np.int64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


# --- labels that all members show -----------------------------------------------------------------


def _pooled(view: PersonView, partition: Partition, offers: Offers, kept: NDArray[np.bool_]) -> Any:
    """The label that each element of each group takes, by number; -1 for none."""
    from heteronym.recode._pool_kernels import pool

    chosen = np.full(len(offers.of_group.codes), -1, np.int32)
    place = np.repeat(np.arange(len(chosen)), np.diff(offers.ptr))
    asked = np.flatnonzero(offers.label >= 0)
    if not len(asked):
        return chosen
    label = offers.label[asked].astype(np.int64)
    group = offers.of_group.owners()[place[asked]]
    size = np.array([each.stands_for for each in offers.labels], np.int64)
    order = np.lexsort((label, size[label], group))
    asked, label, group = asked[order], label[order], group[order]
    starts = np.flatnonzero(np.r_[True, (label[1:] != label[:-1]) | (group[1:] != group[:-1])])
    holders, person, columns = _holders(view, partition, offers.of_group)
    taken = np.zeros(len(asked), np.bool_)
    pool(
        np.r_[starts, len(asked)],
        partition.sizes()[group[starts]],
        place[asked],
        holders,
        person,
        columns,
        kept.copy(),
        taken,
        np.full(view.persons, -1, np.int64),
        np.zeros(view.persons, np.int64),
    )
    chosen[place[asked[taken]]] = label[taken]
    return chosen


def _holders(
    view: PersonView, partition: Partition, held: Sets
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Who holds each element of each group, in CSR form, and in which columns, as bits."""
    span = max(len(view.elements), 1)
    key = held.owners() * span + held.codes
    places: list[NDArray[np.int64]] = [np.empty(0, np.int64)]
    persons: list[NDArray[np.int64]] = [np.empty(0, np.int64)]
    bits: list[NDArray[np.int64]] = [np.empty(0, np.int64)]
    for number, (person, element) in enumerate(view.elements.by_column(view.person_of_row).values()):
        group = partition.group[person].astype(np.int64)
        asked = (group >= 0) & view.elements.is_term[element]
        places.append(np.searchsorted(key, group[asked] * span + element[asked]))
        persons.append(person[asked])
        bits.append(np.full(int(asked.sum()), 1 << min(number, _MOST_COLUMNS), np.int64))
    place = np.concatenate(places)
    order = np.argsort(place, kind="stable")
    ptr = np.r_[0, np.cumsum(np.bincount(place, minlength=len(key)))].astype(np.int64)
    return ptr, np.concatenate(persons)[order], np.concatenate(bits)[order]
