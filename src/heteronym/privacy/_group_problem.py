"""What there is to choose for one group under the joint model, on numbers of its own: built once, frozen.

Labels are numbered: elements as they are, then offered texts, then the base, which is what shows whether or
not anything is chosen. A label is the string that shows: what is offered as "Italy" and an Italy that is kept
are one. Items and events show in columns of their own, where equal strings mean different things.

Cost        O(offers + occurrences)
Randomness  none
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.model.elements import Elements
from heteronym.model.offers import AS_IT_IS, Offers
from heteronym.model.sets import Sets
from heteronym.privacy._follow import Forced
from heteronym.privacy._showing import NOWHERE, Showing
from heteronym.privacy._tallies import Promise

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

UNTYPED = "..."  # the type of a placeholder that does not tell it


class Base(NamedTuple):
    """A label that shows whether or not anything is chosen: a placeholder, a link, an event's widest."""

    kind: str  # "mask", "link" or "widest"
    text: str


class Bases:
    """The base of a group while it is numbered."""

    def __init__(self) -> None:
        self.number_of: dict[Base, int] = {}

    def number(self, kind: str, text: str) -> int:
        return self.number_of.setdefault(Base(kind, text), len(self.number_of))


class Shown(NamedTuple):
    """Occurrences of one group, by local numbers; -1 where there is none."""

    person: Ints
    row: Ints
    cell: Ints
    element: Ints
    marker: Ints  # of a mention that is no element
    sentence: NDArray[np.int32]
    spelling: NDArray[np.int32]

    @property
    def in_text(self) -> Bools:
        return np.asarray(self.sentence != NOWHERE)

    def of_element(self, of_element: NDArray[Any], default: Any) -> NDArray[Any]:
        """What holds for the element of each occurrence, or the default where it has none."""
        out = np.full(len(self.element), default, of_element.dtype)
        has = self.element >= 0
        out[has] = of_element[self.element[has]]
        return out


class Offered(NamedTuple):
    """What each element may become, as numbers of labels in CSR form."""

    ptr: Ints
    label: Ints
    worth: NDArray[np.float64]
    first: Ints  # where an element's offers begin among those of all groups
    many: Ints
    same: Ints  # of each element as it is, its label
    counted: Bools  # [labels] whether it tells how often a label shows


class AllGroups(NamedTuple):
    """What the problems of all groups are made from."""

    vocabulary: Elements
    offers: Offers
    showing: Showing
    promise: Promise
    forced: Forced
    columns: Mapping[str, Sequence[str | None]]


class Members(NamedTuple):
    """The persons of one group, their rows, and which of the persons each row is of."""

    persons: NDArray[np.int32]
    rows: NDArray[np.int32]
    person_of_row: Ints


@dataclass(frozen=True, eq=False)
class GroupProblem:
    """One group: who shows what where, what that may become, and what shows in any case."""

    promise: Promise
    vocabulary: Elements
    offers: Offers  # of all groups
    elements: NDArray[np.int32]  # of this group, numbers in `vocabulary`
    members: Members
    shown: Shown
    offered: Offered
    allowed: Bools  # [elements] whether anything may be chosen
    follows: Ints  # [elements] base of the column's label that must stand, or -1
    twins: Mapping[int, int]  # term -> item that it names
    tells: Sequence[tuple[int, int]]  # term and value of an event of its person
    bases: Sequence[Base]
    mask: Ints  # [elements] base where nothing is chosen
    merged: int  # base of the placeholder that does not tell a type
    own: Ints  # [occurrences] base of a mention that is no element, or -1
    is_event: Bools  # [elements]
    masks_show: Bools  # [occurrences]

    @property
    def persons(self) -> int:
        return len(self.members.persons)

    @property
    def rows(self) -> int:
        return len(self.members.rows)

    @property
    def labels(self) -> int:
        """How many labels there are before the base."""
        return len(self.offered.counted)


def problem_of(of_all: AllGroups, number: int, places: Ints, members: Members) -> GroupProblem:
    """The problem of group `number`; `places` are where its elements that are asked for have their offers."""
    vocabulary, offers, forced = of_all.vocabulary, of_all.offers, of_all.forced
    elements = offers.of_group.codes[places]
    shown = _occurrences(of_all.showing, number, elements, len(vocabulary), members)
    offered = _offered(vocabulary, offers, places, elements, shown)
    bases = Bases()
    # what reads like something that may only be masked is masked, too
    allowed = ~np.isin(offered.same, offered.same[~forced.allowed[places]])
    text = forced.text[places]
    follows = np.array([-1 if t < 0 else bases.number("link", forced.texts[t]) for t in text], np.int64)
    place_of = {element: place for place, element in enumerate(elements.tolist())}
    shown, twins = _with_items(shown, vocabulary, place_of, allowed, follows)
    told = [(place_of[t], place_of[e]) for t, e in forced.events[number] if t in place_of and e in place_of]
    is_event = vocabulary.is_event[elements]
    mask = _masks(vocabulary, elements, number, of_all.columns, bases)
    merged = bases.number("mask", UNTYPED)
    own = _own(vocabulary, shown, number, of_all.columns, bases)
    # In sets only what follows a column shows; a mask is left out there.
    shows = shown.in_text | shown.of_element(is_event | (follows >= 0), False)
    return GroupProblem(
        promise=of_all.promise,
        vocabulary=vocabulary,
        offers=offers,
        elements=elements,
        members=members,
        shown=shown,
        offered=offered,
        allowed=allowed,
        follows=follows,
        twins=twins,
        tells=[(term, event) for term, event in told if follows[term] < 0],
        bases=list(bases.number_of),
        mask=np.where(follows >= 0, follows, mask),
        merged=merged,
        own=own,
        is_event=is_event,
        masks_show=shows & (shown.marker < 0),
    )


def _with_items(
    shown: Shown, vocabulary: Elements, place_of: Mapping[int, int], allowed: Bools, follows: Ints
) -> tuple[Shown, dict[int, int]]:
    """What names an item that somebody else has shows what the item shows; which terms those are. An item may
    be chosen only where they may (`allowed` is changed)."""
    twins: dict[int, int] = {}
    element_of = shown.element.copy()
    for element, place in place_of.items():
        item = place_of.get(vocabulary.item_named_by.get(element, -1))
        if item is not None and follows[place] < 0:
            twins[place] = item
            element_of[element_of == place] = item
            allowed[item] &= allowed[place]
    return shown._replace(element=element_of), twins


def _occurrences(
    showing: Showing,
    number: int,
    elements: NDArray[np.int32],
    count: int,
    members: Members,
) -> Shown:
    part = slice(int(showing.ptr[number]), int(showing.ptr[number + 1]))
    code = showing.element[part]
    local = np.searchsorted(elements, code)
    known = local < len(elements)
    known[known] = elements[local[known]] == code[known]
    known |= code >= count
    code, local = code[known].astype(np.int64), local[known]
    return Shown(
        np.searchsorted(members.persons, showing.person[part][known]),
        np.searchsorted(members.rows, showing.row[part][known]),
        showing.cell[part][known],
        np.where(code >= count, -1, local),
        np.where(code >= count, code - count, -1),
        showing.sentence[part][known],
        showing.spelling[part][known],
    )


def _offered(
    vocabulary: Elements, offers: Offers, places: Ints, elements: NDArray[np.int32], shown: Shown
) -> Offered:
    n = len(elements)
    count = np.diff(offers.ptr)[places]
    _, place = Sets(offers.ptr, np.arange(len(offers.label), dtype=np.int32)).expand(places)
    label, itself = offers.label[place].tolist(), np.repeat(np.arange(n), count).tolist()
    space = np.where(vocabulary.is_term[elements], -1, vocabulary.domain[elements]).tolist()
    number_of: dict[tuple[int, str], int] = {}
    for number, i in zip(label, itself, strict=True):
        if number != AS_IT_IS:
            number_of.setdefault((space[i], _read(offers.labels[number].text)), n + len(number_of))
    same = list(range(n))
    if number_of or shown.in_text.any():
        # terms of different types that read alike are one label, too
        for i, element in enumerate(elements.tolist()):
            same[i] = number_of.setdefault((space[i], _read(vocabulary.names[element])), i)
    labels = [
        same[i] if number == AS_IT_IS else number_of[space[i], _read(offers.labels[number].text)]
        for number, i in zip(label, itself, strict=True)
    ]
    counted = np.arange(int(max([n - 1, *number_of.values()])) + 1) >= n
    # a date is no name: how often a value shows is told by the rows it stands in
    counted[:n] |= vocabulary.is_event[elements] | _spelt_in_several_ways(shown, n)
    return Offered(
        ptr=np.r_[0, np.cumsum(count)],
        label=np.array(labels, np.int64),
        worth=offers.worth[place],
        first=offers.ptr[:-1][places],
        many=count,
        same=np.array(same, np.int64),
        counted=counted,
    )


def _spelt_in_several_ways(shown: Shown, elements: int) -> Bools:
    """Terms that are kept as one string, which stands for their other spellings, too."""
    at = np.flatnonzero((shown.element >= 0) & (shown.spelling >= 0))
    pairs = np.unique(np.stack([shown.element[at], shown.spelling[at]]), axis=1)[0]
    several: Bools = np.bincount(pairs, minlength=elements)[:elements] > 1
    return several


def _masks(
    vocabulary: Elements,
    elements: NDArray[np.int32],
    number: int,
    columns: Mapping[str, Sequence[str | None]],
    bases: Bases,
) -> Ints:
    """What each element shows in texts, and in event columns, where nothing is chosen."""
    masks: list[int] = []
    for element, domain in zip(elements.tolist(), vocabulary.domain[elements], strict=True):
        name = vocabulary.domains[domain].name
        if vocabulary.domains[domain].is_event:
            label = columns[name][number]
            masks.append(bases.number("widest", f"{name}\0{'' if label is None else label}"))
        else:
            masks.append(bases.number("mask", vocabulary.type_of_item_in_texts.get(element, name)))
    return np.array(masks, np.int64)


def _own(
    vocabulary: Elements,
    shown: Shown,
    number: int,
    columns: Mapping[str, Sequence[str | None]],
    bases: Bases,
) -> Ints:
    """What shows of each mention that is no element."""
    base_of = [
        bases.number("mask", name)
        if kind == "direct"
        else bases.number("link", (columns[name][number] if name in columns else None) or "")
        for kind, name in vocabulary.markers
    ]
    own = np.full(len(shown.person), -1, np.int64)
    marked = shown.marker >= 0
    if marked.any():
        own[marked] = np.array(base_of, np.int64)[shown.marker[marked]]
    return own


def _read(text: str) -> str:
    return " ".join(text.split()).casefold()
