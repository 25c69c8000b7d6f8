"""Chooses what the elements of each group show, so that the joint model holds and most is kept.

Labels are taken one after the other, those with most holders first, where they fit: every combination
with labels taken before has none or enough holders, by person and within a row. Elements that were not
taken as they are come again with their next offer, pooled by label. What is left is masked, and masks
show, too: placeholders, columns' labels in texts and the widest labels of events are laid down first, the
choice is made again under them, until nothing changes. Where a mask itself does not fit, or costs more
than it is worth, the sentences in which it stands go.

Reference   ours; greedy by support, and what is masked shows
Guarantee   what is chosen passes the counts of the model, by person and by row
Cost        O(occurrences x labels taken per person) per pass and group; few passes
Randomness  none
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.model.offers import AS_IT_IS, Offers
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView, Sets
from heteronym.model.recoding import ElementLabels, Fate, Label
from heteronym.privacy._follow import forced_labels
from heteronym.privacy._showing import NOWHERE, Showing
from heteronym.privacy._tallies import Candidates, Promise, Tally
from heteronym.run import current

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

_MASKED = -1
_TRIES = 4  # rarest masks whose sentences are left out for a try
_AT_A_TIME = 6  # a part of an event's labels that is given up at once
_SENTENCE = 1.0  # what a sentence that goes costs, in elements


class Base(NamedTuple):
    """A label that shows whether or not anything is chosen: a placeholder, a link, an event's widest."""

    kind: str  # "mask", "link" or "widest"
    text: str


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
    people = _People.of(view, partition)
    labels: dict[Label, int] = {text: number for number, text in enumerate(offers.labels)}
    gone: list[tuple[int, int]] = []
    run = current()
    for number in range(partition.count):
        if number % 16 == 0:
            run.tell(number / partition.count)
        places = int(held.ptr[number]) + np.flatnonzero(asked[held.ptr[number] : held.ptr[number + 1]])
        if showing.ptr[number] == showing.ptr[number + 1]:
            continue
        problem = _Group(view, offers, places, showing, people.of_group(number), number, promise)
        problem.force(forced.allowed[places], forced.text[places], forced.texts)
        problem.place_masks(columns)
        chosen = problem.solve()
        fate[places], text_of = problem.fates(chosen)
        label[places] = [-1 if text is None else labels.setdefault(text, len(labels)) for text in text_of]
        gone += [(number, marker) for marker in problem.gone_markers(chosen)]
    return ElementLabels(held, fate, label, tuple(labels), _by_group(gone, partition.count))


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
    span = max(len(elements), 1)
    owner = elements.of_person.owners()
    group = partition.group[owner].astype(np.int64)
    key = np.sort((group * span + elements.of_person.codes)[group >= 0])
    mine = held.owners() * span + held.codes
    holders = np.searchsorted(key, mine, side="right") - np.searchsorted(key, mine, side="left")
    several = np.diff(offers.ptr) > 1
    single = np.flatnonzero(~several & (np.diff(offers.ptr) > 0))
    several[single] = offers.label[offers.ptr[:-1][single]] != AS_IT_IS
    asked: Bools = (holders >= k) | several | in_text[held.codes] | elements.is_event[held.codes]
    return asked


@dataclass(frozen=True, repr=False, eq=False)
class _People:
    """Members and rows of all groups."""

    members: Sets
    rows: Sets
    person_of_row: NDArray[np.int32]

    @classmethod
    def of(cls, view: PersonView, partition: Partition) -> _People:
        group = partition.group[view.person_of_row]
        order = np.argsort(group, kind="stable").astype(np.int32)[int((group < 0).sum()) :]
        counts = np.bincount(group[group >= 0], minlength=partition.count)
        return cls(partition.members(), Sets(np.r_[0, np.cumsum(counts)], order), view.person_of_row)

    def of_group(self, number: int) -> tuple[NDArray[np.int32], NDArray[np.int32], Ints]:
        """Persons, rows, and the place of each row's person among the persons."""
        members, rows = self.members[number], self.rows[number]
        return members, rows, np.searchsorted(members, self.person_of_row[rows])


@dataclass(frozen=True, eq=False)
class _Choice:
    """Which offer each element takes (-1: masked), under masks of which some go with their sentences."""

    offer: Ints
    dropped: frozenset[int]
    score: float


class _Group:
    """The choice for one group, on numbers of its own."""

    def __init__(
        self,
        view: PersonView,
        offers: Offers,
        places: Ints,
        showing: Showing,
        people: tuple[NDArray[np.int32], NDArray[np.int32], Ints],
        number: int,
        promise: Promise,
    ) -> None:
        self.view, self.offers, self.places, self.promise, self.number = view, offers, places, promise, number
        self.elements = offers.of_group.codes[places]
        part = slice(int(showing.ptr[number]), int(showing.ptr[number + 1]))
        code = showing.element[part]
        count = len(view.elements)
        local = np.searchsorted(self.elements, code)
        known = local < len(self.elements)
        known[known] = self.elements[local[known]] == code[known]
        known |= code >= count
        self.marker = np.where(code[known] >= count, code[known].astype(np.int64) - count, -1)
        self.element = np.where(code[known] >= count, -1, local[known])
        members, rows, self.person_of_row = people
        self.persons, self.rows = len(members), len(rows)
        self.person = np.searchsorted(members, showing.person[part][known])
        self.row = np.searchsorted(rows, showing.row[part][known])
        self.cell = showing.cell[part][known]
        self.sentence = showing.sentence[part][known]
        self.spelling = showing.spelling[part][known]
        self.in_text = self.sentence != NOWHERE
        self.first = offers.ptr[:-1][places]
        self.count = np.diff(offers.ptr)[places]
        self.own = np.full(len(self.person), -1, np.int64)
        self.bases: list[Base] = []
        self._name_labels()

    def _name_labels(self) -> None:
        """Label numbers of this group: elements as they are, then offered texts, then the base.

        A label is the string that shows: what is offered as "Italy" and an Italy that is kept are one. Items
        and events show in columns of their own, where equal strings mean different things.
        """
        n = len(self.elements)
        self.offer_ptr = np.r_[0, np.cumsum(self.count)]
        _, place = Sets(self.offers.ptr, np.arange(len(self.offers.label), dtype=np.int32)).expand(
            self.places
        )
        self.offer_worth = self.offers.worth[place]
        label, itself = self.offers.label[place].tolist(), np.repeat(np.arange(n), self.count).tolist()
        elements, labels = self.view.elements, self.offers.labels
        space = np.where(elements.is_term[self.elements], -1, elements.domain[self.elements]).tolist()
        number_of: dict[tuple[int, str], int] = {}
        for number, i in zip(label, itself, strict=True):
            if number != AS_IT_IS:
                number_of.setdefault((space[i], _shown(labels[number].text)), n + len(number_of))
        same = list(range(n))
        if number_of or self.in_text.any():
            # terms of different types that read alike are one label, too
            for i, element in enumerate(self.elements.tolist()):
                same[i] = number_of.setdefault((space[i], _shown(elements.names[element])), i)
        self.offer_label = np.array(
            [
                same[i] if number == AS_IT_IS else number_of[space[i], _shown(labels[number].text)]
                for number, i in zip(label, itself, strict=True)
            ],
            np.int64,
        )
        self.counted = np.arange(int(max([n - 1, *number_of.values()])) + 1) >= n
        self.same = np.array(same, np.int64)
        # a date is no name: how often a value shows is told by the rows it stands in
        self.counted[:n] |= elements.is_event[self.elements]
        self._count_respelt(n)

    def _count_respelt(self, n: int) -> None:
        """A term that is spelt in several ways is kept as one string: it stands for the others, too."""
        spelt = self.spelling
        at = np.flatnonzero((self.element >= 0) & (spelt >= 0))
        pairs = np.unique(np.stack([self.element[at], spelt[at]]), axis=1)[0]
        ways = np.bincount(pairs, minlength=n)
        self.counted[:n] |= ways[:n] > 1

    # --- what shows in any case -----------------------------------------------------------------------

    def force(self, allowed: Bools, text: Ints, texts: Sequence[str]) -> None:
        """Elements that must follow a column's label (`text`, or -1), or may only be masked."""
        # what reads like something that may only be masked is masked, too
        self.allowed = ~np.isin(self.same, self.same[~allowed])
        self.follows = np.array([-1 if t < 0 else self._base("link", texts[t]) for t in text], np.int64)

    def _base(self, kind: str, text: str) -> int:
        base = Base(kind, text)
        if base not in self.bases:
            self.bases.append(base)
        return self.bases.index(base)

    def place_masks(self, columns: Mapping[str, Sequence[str | None]]) -> None:
        """What each element and marker shows in texts, and in event columns, where nothing is chosen."""
        elements = self.view.elements
        domain_base: dict[int, int] = {}
        for domain in np.unique(elements.domain[self.elements]).tolist():
            name = elements.domains[domain].name
            if elements.domains[domain].is_event:
                label = columns[name][self.number]
                domain_base[domain] = self._base("widest", f"{name}\0{'' if label is None else label}")
            else:
                domain_base[domain] = self._base("mask", name)
        self.mask = np.array([domain_base[d] for d in elements.domain[self.elements].tolist()], np.int64)
        self.mask = np.where(self.follows >= 0, self.follows, self.mask)
        self.is_event = elements.is_event[self.elements]
        self.of_event = self.element >= 0
        self.of_event[self.of_event] = self.is_event[self.element[self.of_event]]
        base_of = [
            self._base("mask", name)
            if kind == "direct"
            else self._base("link", (columns[name][self.number] if name in columns else None) or "")
            for kind, name in elements.markers
        ]
        marked = self.marker >= 0
        if marked.any():
            self.own[marked] = np.array(base_of, np.int64)[self.marker[marked]]
        # In sets only what follows a column shows; a mask is left out there.
        shows = self.in_text | self._at(self.is_event | (self.follows >= 0), False)
        self.masks_show = shows & ~marked

    def _at(self, of_element: NDArray[Any], default: Any) -> NDArray[Any]:
        """What holds for the element of each occurrence, or the default where it has none."""
        out = np.full(len(self.element), default, of_element.dtype)
        has = self.element >= 0
        out[has] = of_element[self.element[has]]
        return out

    # --- choosing -------------------------------------------------------------------------------------

    def solve(self) -> _Choice:
        best = self._settled(frozenset())
        base = self._showing_base(best)
        persons = {b: len(np.unique(self.person[base == b])) for b in np.unique(base[base >= 0]).tolist()}
        rarest = sorted((count, b) for b, count in persons.items() if self.bases[b].kind != "widest")
        if self.promise.m == 1:
            return best  # single labels do not bear on each other
        for _, b in rarest[:_TRIES]:
            if b not in best.dropped:
                other = self._settled(best.dropped | {b})
                if other.score > best.score:
                    best = other
        return best

    def _settled(self, dropped: frozenset[int]) -> _Choice:
        """Choose, lay the masks down, choose again under them, until nothing changes."""
        offer = np.where(self.allowed & (self.count > 0) & (self.follows < 0), 0, _MASKED)
        offer, _ = self._pass(offer, dropped, with_base=False)
        while True:
            after, rejected = self._pass(offer, dropped, with_base=True)
            if rejected:
                offer = self._widened(offer, [b for b in rejected if self.bases[b].kind == "widest"])
                dropped |= frozenset(b for b in rejected if self.bases[b].kind != "widest")
            elif (after == offer).all():
                return _Choice(offer, dropped, self._score(offer, dropped))
            else:
                offer = after

    def _widened(self, offer: Ints, bases: Sequence[int]) -> Ints:
        """Where too few rows show an event's widest label, those labels become it that fewest show.

        In the end every row shows it, and it tells nothing.
        """
        offer = offer.copy()
        for b in bases:
            mine = np.flatnonzero((self.mask == b) & (offer != _MASKED))
            label = self.offer_label[self.offer_ptr[:-1][mine] + offer[mine]]
            times = np.bincount(self.element[self.element >= 0], minlength=len(offer))[mine]
            names, number = np.unique(label, return_inverse=True)
            often = np.bincount(number, weights=times, minlength=len(names))
            rare = np.argsort(often, kind="stable")[: -(-len(names) // _AT_A_TIME)]
            offer[mine[np.isin(number, rare)]] = _MASKED
        return offer

    def _visible(self, offer: Ints, dropped: frozenset[int]) -> Bools:
        """Occurrences outside of sentences that go: those with a mask that does not stay."""
        if not dropped:
            return np.ones(len(self.person), np.bool_)
        base = self._base_of(offer)
        goes = self.in_text & np.isin(base, list(dropped))
        visible: Bools = ~self.in_text | ~np.isin(self.sentence, self.sentence[goes])
        return visible

    def _base_of(self, offer: Ints) -> Ints:
        masked = self._at(offer == _MASKED, False) & self.masks_show
        return np.where(masked, self._at(self.mask, -1), self.own)

    def _showing_base(self, choice: _Choice) -> Ints:
        base = self._base_of(choice.offer)
        return np.where(self._visible(choice.offer, choice.dropped), base, -1)

    def _pass(self, offer: Ints, dropped: frozenset[int], *, with_base: bool) -> tuple[Ints, frozenset[int]]:
        """One choice from the offers at hand (and later ones); the masks that do not fit."""
        n = len(self.counted)
        visible = self._visible(offer, dropped)
        tally = Tally(
            self.promise, self.person, self.row, self.person_of_row, self.persons, n + len(self.bases)
        )
        if with_base:
            base = np.where(visible, self._base_of(offer), -1)
            shown = np.where(base >= 0, base + n, -1)
            candidates = self._candidates(shown)
            taken = tally.take(candidates, np.ones(len(candidates.label), np.bool_))
            if not taken.all():
                return offer, frozenset((candidates.label[~taken] - n).tolist())
        after = np.full(len(offer), _MASKED)
        most = int(self.count.max(initial=0))
        for turn in range(most):
            open_ = (after == _MASKED) & (offer != _MASKED) & (offer <= turn) & (turn < self.count)
            if not open_.any():
                continue
            wanted = np.full(len(offer), -1, np.int64)
            wanted[open_] = self.offer_label[self.offer_ptr[:-1][open_] + turn]
            fresh = np.unique(wanted[open_])
            settled = np.flatnonzero(after != _MASKED)
            now = self.offer_label[self.offer_ptr[:-1][settled] + after[settled]]
            again = np.isin(now, fresh)
            wanted[settled[again]] = now[again]
            shown = np.where(visible, self._at(wanted, -1), -1)
            candidates = self._candidates(shown)
            taken = tally.take(candidates, self.counted[candidates.label])
            accepted = np.zeros(n, np.bool_)
            accepted[candidates.label[taken]] = True
            after[open_ & (wanted >= 0) & accepted[wanted]] = turn
        return after, frozenset()

    def _candidates(self, shown: Ints) -> Candidates:
        """Labels by their number of persons, most first, each with where it shows; free ones left out."""
        at = np.flatnonzero(shown >= 0)
        order = at[np.lexsort((self.cell[at], self.row[at], self.person[at], shown[at]))]
        label = shown[order]
        new = np.r_[True, (label[1:] != label[:-1]) | (self.cell[order][1:] != self.cell[order][:-1])]
        order, label = order[new[: len(order)]], label[new[: len(order)]]
        names, first, times = np.unique(label, return_index=True, return_counts=True)
        person = self.person[order]
        fresh = np.r_[True, (label[1:] != label[:-1]) | (person[1:] != person[:-1])][: len(order)]
        persons = np.add.reduceat(fresh.astype(np.int64), first) if len(first) else times
        rank = np.lexsort((names, -persons))
        _, place = Sets(np.r_[first, len(order)], np.arange(len(order), dtype=np.int32)).expand(rank)
        # a label that every row shows in an event column tells the number of its rows only
        in_events = np.add.reduceat(self.of_event[order].astype(np.int64), first) if len(first) else times
        free = (in_events == times) & (times == self.rows)
        order = order[place]
        return Candidates(
            names[rank], np.r_[0, np.cumsum(times[rank])], self.person[order], self.row[order], free[rank]
        )

    def _score(self, offer: Ints, dropped: frozenset[int]) -> float:
        visible = self._visible(offer, dropped)
        kept = visible & (self.element >= 0)
        kept[kept] = offer[self.element[kept]] != _MASKED
        pair = np.unique(self.person[kept] * len(self.elements) + self.element[kept])
        element = pair % max(len(self.elements), 1)
        worth = self.offer_worth[self.offer_ptr[:-1][element] + offer[element]].sum()
        lost = len(np.unique(self.sentence[~visible])) if len(visible) else 0
        return float(worth) - _SENTENCE * lost

    # --- outcome --------------------------------------------------------------------------------------

    def fates(self, choice: _Choice) -> tuple[NDArray[np.uint8], list[Label | None]]:
        """The fate of each element, and its label where it has one."""
        fate = np.full(len(self.elements), Fate.TYPED, np.uint8)
        texts: list[Label | None] = [None] * len(self.elements)
        for i, taken in enumerate(choice.offer.tolist()):
            if taken != _MASKED:
                number = int(self.offers.label[self.first[i] + taken])
                fate[i] = Fate.KEPT if number == AS_IT_IS else Fate.GENERALIZED
                texts[i] = None if number == AS_IT_IS else self.offers.labels[number]
                continue
            base = self.bases[self.mask[i]]
            if base.kind == "widest":
                text = base.text.split("\0", 1)[1]
                fate[i] = Fate.GENERALIZED if text else Fate.DROPPED
                texts[i] = Label(text, 0) if text else None
            elif self.mask[i] in choice.dropped:
                fate[i] = Fate.DROPPED
            elif base.kind == "link":
                fate[i], texts[i] = Fate.GENERALIZED, Label(base.text, 0)
        return fate, texts

    def gone_markers(self, choice: _Choice) -> list[int]:
        """Markers whose sentences go."""
        marked = self.marker >= 0
        goes = marked & np.isin(self.own, list(choice.dropped))
        return [int(marker) for marker in np.unique(self.marker[goes])]


def _shown(text: str) -> str:
    return " ".join(text.split()).casefold()
