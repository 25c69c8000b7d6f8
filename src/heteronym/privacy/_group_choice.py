"""Chooses what the elements of one group show, so that the joint model holds and most is kept.

From below, labels are taken one after the other, those with most holders first, where they fit: every
combination with labels taken before has none or enough holders, by person and within a row. Elements that
were not taken as they are come again with their next offer, pooled by label. What is left is masked, and
masks show, too: placeholders, columns' labels in texts and the widest labels of events are laid down first,
the choice is made again under them, until nothing changes. Where a mask itself does not fit, or costs more
than it is worth, the sentences in which it stands go.

From above (`_refine`), where m is 2 and labels have others above them, everything is left out at first.
The choice that keeps more is taken.

Reference   ours; greedy by support, and what is masked shows
Guarantee   what is chosen passes the counts of the model, by person and by row
Cost        O(occurrences x labels taken per person) per pass; few passes
Randomness  none
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.model.offers import AS_IT_IS, Offers
from heteronym.model.person_view import PersonView
from heteronym.model.recoding import Fate, Label
from heteronym.model.sets import Sets
from heteronym.privacy._refine import GONE, MASKED, MERGED, Labels, Ladders, Occurrences, refined
from heteronym.privacy._showing import NOWHERE, Showing
from heteronym.privacy._tallies import Candidates, Promise, Tally
from heteronym.privacy._tells import widened

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

UNTYPED = "..."  # the type of a placeholder that does not tell it
_TRIES = 4  # rarest masks whose sentences are left out for a try
_EVENTS_FIRST = (3, 8)  # times k persons that a label of events needs to be chosen before all others
_AT_A_TIME = 6  # a part of an event's labels that is given up at once
_SENTENCE = 1.0  # what it costs if all sentences go, in the worth of all of a kind's elements
# from above: times k persons that a label needs, and how much more a label of events is worth
_FROM_ABOVE = ((1, 1.0), (3, 1.0), (3, 4.0))
_FROM_ABOVE_MANY = ((10, 1.0), (10, 4.0))
_TYPE = 0.01  # the price of a placeholder that tells its type: it is tried when all else is chosen
_MOST_PAIRS = 20_000_000  # of occurrences of one person, in a group that is looked at from above
_FEW, _MANY = 40, 100  # times k persons: up to few, also from below; from many on, with more for each label


class Base(NamedTuple):
    """A label that shows whether or not anything is chosen: a placeholder, a link, an event's widest."""

    kind: str  # "mask", "link" or "widest"
    text: str


@dataclass(frozen=True, eq=False)
class Choice:
    """Which offer each element takes (-1: masked), under masks of which some go with their sentences."""

    offer: Ints
    dropped: frozenset[int]
    score: float
    events_first: int = 0
    gone: frozenset[int] = frozenset()  # markers whose sentences go
    merged: frozenset[int] = frozenset()  # masks that read like those of other types
    closed: Bools | None = None  # occurrences in sentences that go, whatever else is in them


class Group:
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
        self.rows_of = rows
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
        self.twins: dict[int, int] = {}  # term -> item
        self.tells: list[tuple[int, int]] = []  # term and value of an event
        self.narrowest = np.zeros(len(places), np.int64)  # offer that an element may take
        self._base_number: dict[Base, int] = {}
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

    def force(
        self, allowed: Bools, text: Ints, texts: Sequence[str], events: Sequence[tuple[int, int]]
    ) -> None:
        """Elements that must follow a column's label (`text`, or -1), or may only be masked; terms that tell
        an event of their person, and which."""
        # what reads like something that may only be masked is masked, too
        self.allowed = ~np.isin(self.same, self.same[~allowed])
        self.follows = np.array([-1 if t < 0 else self._base("link", texts[t]) for t in text], np.int64)
        # what names an item that somebody else has shows what the item shows
        place_of = {element: place for place, element in enumerate(self.elements.tolist())}
        for element, place in place_of.items():
            item = place_of.get(self.view.elements.item_named_by.get(element, -1))
            if item is not None and self.follows[place] < 0:
                self.twins[place] = item
                self.element[self.element == place] = item
                self.allowed[item] &= self.allowed[place]
        told = [(place_of[t], place_of[e]) for t, e in events if t in place_of and e in place_of]
        self.tells = [(term, event) for term, event in told if self.follows[term] < 0]

    def _base(self, kind: str, text: str) -> int:
        base = Base(kind, text)
        if base not in self._base_number:
            self._base_number[base] = len(self.bases)
            self.bases.append(base)
        return self._base_number[base]

    def place_masks(self, columns: Mapping[str, Sequence[str | None]]) -> None:
        """What each element and marker shows in texts, and in event columns, where nothing is chosen."""
        elements = self.view.elements
        masks: list[int] = []
        for element, domain in zip(self.elements.tolist(), elements.domain[self.elements], strict=True):
            name = elements.domains[domain].name
            if elements.domains[domain].is_event:
                label = columns[name][self.number]
                masks.append(self._base("widest", f"{name}\0{'' if label is None else label}"))
            else:
                masks.append(self._base("mask", elements.type_of_item_in_texts.get(element, name)))
        self.mask = np.array(masks, np.int64)
        self.merged = self._base("mask", UNTYPED)
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

    def solve(self) -> Choice:
        """The best choice in which no text tells more of an event than its column does."""
        while True:
            choice = self._solved()
            if not widened(self, choice):
                return choice

    def _solved(self) -> Choice:
        if not self._may_refine():
            return self._from_below()
        many = self.persons >= _MANY * self.promise.k
        tries = [self._from_above(*start) for start in (_FROM_ABOVE_MANY if many else _FROM_ABOVE)]
        if self.persons <= _FEW * self.promise.k:
            tries.insert(0, self._from_below())
        return max(tries, key=lambda choice: choice.score)

    def _may_refine(self) -> bool:
        """Whether labels have others above them, and pairs of labels can be counted in a reasonable time."""
        climbs = self.is_event.any() or (self.count > 1).any()
        pairs = float((np.bincount(self.person).astype(np.float64) ** 2).sum())
        return self.promise.m == 2 and not self.promise.absence and bool(climbs) and pairs <= _MOST_PAIRS

    def _from_above(self, floor: int, price: float) -> Choice:
        """Everything left out at first; labels of at least so many times k persons, events by their price."""
        n, bases, count = len(self.counted), len(self.bases), len(self.elements)
        # Mentions that are no elements are masked or left out, and so is what follows a column's label: with
        # the mentions of members' own values, all together, whoever holds them.
        base = np.where(self.marker >= 0, self.own, self._at(self.follows, -1))
        whole = base >= 0
        own, number = np.unique(base[whole], return_inverse=True)
        of = self.element.copy()
        of[whole] = count + number
        event = np.zeros(n + bases, np.bool_)
        event[self.offer_label[np.repeat(self.is_event, self.count)]] = True
        typed = np.zeros(n + bases, np.bool_)
        typed[n:] = self.promise.merges & (np.arange(bases) != self.merged)
        typed[n:] &= [base.kind == "mask" for base in self.bases]
        widest = [base.kind == "widest" for base in self.bases]
        labels = Labels(
            np.r_[self.counted, np.ones(bases, np.bool_)],
            np.r_[np.zeros(n, np.bool_), np.array(widest, np.bool_)],
            event,
            n,
            np.where(event, price, np.where(typed, _TYPE, 1.0)),
        )
        place = np.where(self.in_text, self.sentence, -1).astype(np.int64)
        entries = np.flatnonzero(~self.in_text & self._at(self.view.elements.is_item[self.elements], False))
        _, number = np.unique(self.row[entries] * count + self.element[entries], return_inverse=True)
        place[entries] = int(place.max(initial=0)) + 1 + number
        found, closed = refined(
            Occurrences(self.person, self.row, self.cell, of, place, self.masks_show | whole),
            self._ladders(own + n),
            labels,
            least=self.promise.k,
            floor=floor * self.promise.k,
            persons=self.persons,
            rows=self.rows,
        )
        goes, merged = own[found[count:] == GONE], own[found[count:] == MERGED]
        offer = np.where(np.isin(self.follows, goes), GONE, found[:count])
        offer[np.isin(self.follows, merged)] = MERGED
        gone = np.unique(self.marker[(self.marker >= 0) & np.isin(self.own, goes)])
        choice = Choice(
            offer,
            frozenset(),
            0.0,
            gone=frozenset(gone.tolist()),
            merged=frozenset(merged.tolist()),
            closed=closed,
        )
        return replace(choice, score=self._score(choice))

    def _ladders(self, own: Ints) -> Ladders:
        """The offers of elements without repetitions, and for mentions that are no elements their masks."""
        element = np.repeat(np.arange(len(self.elements)), self.count)
        offer = np.arange(len(element)) - self.offer_ptr[:-1][element]
        # in step, offers repeat: a rung is the last of equal ones
        new = (element[1:] != element[:-1]) | (self.offer_label[1:] != self.offer_label[:-1])
        last = np.r_[new, True][: len(element)] & (self.allowed & (self.follows < 0))[element]
        last &= offer >= self.narrowest[element]
        element, offer, label = element[last], offer[last], self.offer_label[last]
        bases = len(self.counted)
        mask = np.r_[self.mask + bases, own]
        is_event = np.r_[self.is_event, np.zeros(len(own), np.bool_)]
        behind = np.full(len(mask), MASKED)
        if self.promise.merges:
            masked = np.flatnonzero(~is_event)
            element, offer = np.r_[element, masked], np.r_[offer, np.full(len(masked), MASKED)]
            label = np.r_[label, mask[masked]]
            order = np.argsort(element, kind="stable")
            element, offer, label = element[order], offer[order], label[order]
            mask = np.where(is_event, mask, self.merged + bases)
            behind[masked] = MERGED
        rungs = np.bincount(element, minlength=len(mask))
        return Ladders(np.r_[0, np.cumsum(rungs)], label, offer, mask, behind, is_event)

    def _choice(
        self,
        offer: Ints,
        dropped: frozenset[int],
        *,
        events_first: int = 0,
        merged: frozenset[int] = frozenset(),
    ) -> Choice:
        choice = Choice(offer, dropped, 0.0, events_first, merged=merged)
        return replace(choice, score=self._score(choice))

    def _from_below(self) -> Choice:
        best = self._settled(frozenset(), 0)
        if self.promise.m != 1 and self.is_event.any():
            # labels of events come late by their holders, and then fit beside nothing: also try them first
            tries = [self._settled(frozenset(), floor) for floor in _EVENTS_FIRST]
            best = max([best, *tries], key=lambda choice: choice.score)
        if self.promise.m == 1:
            return best  # single labels do not bear on each other
        visible = self._visible(best.offer, best.dropped, merged=best.merged)
        base = np.where(visible, self._base_of(best.offer), -1)
        persons = {b: len(np.unique(self.person[base == b])) for b in np.unique(base[base >= 0]).tolist()}
        rarest = sorted((count, b) for b, count in persons.items() if self.bases[b].kind != "widest")
        for _, b in rarest[:_TRIES]:
            if b not in best.dropped:
                other = self._settled(best.dropped | {b}, best.events_first, best.merged)
                if other.score > best.score:
                    best = other
        return best

    def _settled(
        self, dropped: frozenset[int], events_first: int, merged: frozenset[int] = frozenset()
    ) -> Choice:
        """Choose, lay the masks down, choose again under them, until nothing changes.

        Where `events_first` is not 0, labels of events with so many times k persons are chosen before others.
        """
        free = self.allowed & (self.count > self.narrowest) & (self.follows < 0)
        offer = np.where(free, self.narrowest, MASKED)
        offer, _ = self._pass(offer, dropped, merged, events_first, with_base=False)
        while True:
            after, rejected = self._pass(offer, dropped, merged, events_first, with_base=True)
            if rejected:
                offer = self._widened(offer, [b for b in rejected if self.bases[b].kind == "widest"])
                masks = frozenset(b for b in rejected if self.bases[b].kind != "widest")
                if self.promise.merges and not masks <= {self.merged} and self.merged not in dropped:
                    merged |= masks - {self.merged}
                elif masks:
                    dropped |= masks | merged
            elif (after == offer).all():
                return self._choice(offer, dropped, events_first=events_first, merged=merged)
            else:
                offer = after

    def _widened(self, offer: Ints, bases: Sequence[int]) -> Ints:
        """Where too few rows show an event's widest label, those labels become it that fewest show.

        In the end every row shows it, and it tells nothing.
        """
        offer = offer.copy()
        for b in bases:
            mine = np.flatnonzero((self.mask == b) & (offer != MASKED))
            label = self.offer_label[self.offer_ptr[:-1][mine] + offer[mine]]
            times = np.bincount(self.element[self.element >= 0], minlength=len(offer))[mine]
            names, number = np.unique(label, return_inverse=True)
            often = np.bincount(number, weights=times, minlength=len(names))
            rare = np.argsort(often, kind="stable")[: -(-len(names) // _AT_A_TIME)]
            offer[mine[np.isin(number, rare)]] = MASKED
        return offer

    def _visible(
        self,
        offer: Ints,
        dropped: frozenset[int],
        gone: frozenset[int] = frozenset(),
        merged: frozenset[int] = frozenset(),
    ) -> Bools:
        """Outside of sentences that go, those with a mask that does not stay; sets leave such a mask out."""
        # what is dropped is a mask of a type, or the one that several types have
        off = np.isin(self._base_of(offer), list(dropped))
        off |= (self.merged in dropped) & np.isin(self._base_of(offer), list(merged))
        goes = off | self._at(offer == GONE, False) | np.isin(self.marker, list(gone))
        lost = np.isin(self.sentence, self.sentence[goes & self.in_text])
        visible: Bools = ~np.where(self.in_text, lost, off)
        return visible

    def _base_of(self, offer: Ints, merged: frozenset[int] = frozenset()) -> Ints:
        masked = self._at(offer == MASKED, False) & self.masks_show
        base = np.where(masked, self._at(self.mask, -1), self.own)
        base[np.isin(base, list(merged)) | self._at(offer == MERGED, False) & self.masks_show] = self.merged
        return base

    def _pass(
        self,
        offer: Ints,
        dropped: frozenset[int],
        merged: frozenset[int],
        events_first: int,
        *,
        with_base: bool,
    ) -> tuple[Ints, frozenset[int]]:
        """One choice from the offers at hand (and later ones); the masks that do not fit."""
        n = len(self.counted)
        visible = self._visible(offer, dropped, merged=merged)
        labels = n + len(self.bases)
        tally = Tally(self.promise, self.person, self.row, self.person_of_row, self.persons, labels)
        if with_base:
            base = np.where(visible, self._base_of(offer, merged), -1)
            shown = np.where(base >= 0, base + n, -1)
            candidates = self._candidates(shown)
            taken = tally.take(candidates, np.ones(len(candidates.label), np.bool_))
            if not taken.all():
                return offer, frozenset((candidates.label[~taken] - n).tolist())
        after = np.full(len(offer), MASKED)
        if events_first:
            self._take_turns(tally, offer, after, visible, self.is_event, events_first * self.promise.k)
            self._take_turns(tally, offer, after, visible, ~self.is_event, 0)
        else:
            self._take_turns(tally, offer, after, visible, np.ones(len(offer), np.bool_), 0)
        return after, frozenset()

    def _take_turns(
        self, tally: Tally, offer: Ints, after: Ints, visible: Bools, mine: Bools, least: int
    ) -> None:
        """Take what fits of some elements' offers, turn by turn, where at least so many persons show it."""
        for turn in range(int(self.count.max(initial=0))):
            open_ = (after == MASKED) & (offer != MASKED) & (offer <= turn) & (turn < self.count) & mine
            if not open_.any():
                continue
            wanted = np.full(len(offer), -1, np.int64)
            wanted[open_] = self.offer_label[self.offer_ptr[:-1][open_] + turn]
            fresh = np.unique(wanted[open_])
            settled = np.flatnonzero(after != MASKED)
            now = self.offer_label[self.offer_ptr[:-1][settled] + after[settled]]
            again = np.isin(now, fresh)
            wanted[settled[again]] = now[again]
            candidates = self._candidates(np.where(visible, self._at(wanted, -1), -1), least)
            taken = tally.take(candidates, self.counted[candidates.label])
            accepted = np.zeros(len(self.counted), np.bool_)
            accepted[candidates.label[taken]] = True
            after[open_ & (wanted >= 0) & accepted[wanted]] = turn

    def _candidates(self, shown: Ints, least: int = 0) -> Candidates:
        """Labels by their number of persons, most first and at least so many, each with where it shows."""
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
        rank = rank[persons[rank] >= least]
        _, place = Sets(np.r_[first, len(order)], np.arange(len(order), dtype=np.int32)).expand(rank)
        # a label that every row shows in an event column tells the number of its rows only
        in_events = np.add.reduceat(self.of_event[order].astype(np.int64), first) if len(first) else times
        free = (in_events == times) & (times == self.rows)
        order = order[place]
        return Candidates(
            names[rank], np.r_[0, np.cumsum(times[rank])], self.person[order], self.row[order], free[rank]
        )

    def _score(self, choice: Choice) -> float:
        offer = choice.offer
        visible = self._visible(offer, choice.dropped, choice.gone, choice.merged)
        if choice.closed is not None:
            visible &= ~choice.closed
        kept = visible & (self.element >= 0)
        kept[kept] = offer[self.element[kept]] >= 0
        pair = np.unique(self.person[kept] * len(self.elements) + self.element[kept])
        element = pair % max(len(self.elements), 1)
        worth = self.offer_worth[self.offer_ptr[:-1][element] + offer[element]]
        # a person's terms, items and events are worth as much as each other, however many there are
        elements = self.view.elements
        kinds = np.where(elements.is_term, 0, np.where(elements.is_event, 1, 2))[self.elements]
        has = self.element >= 0
        known = np.unique(self.person[has] * len(self.elements) + self.element[has])
        total = np.bincount(kinds[known % max(len(self.elements), 1)], minlength=3)
        shares = np.bincount(kinds[element], weights=worth, minlength=3) / np.maximum(total, 1)
        lost = len(np.unique(self.sentence[~visible])) if len(visible) else 0
        texts = max(len(np.unique(self.sentence[self.in_text])), 1)
        return float(shares.sum()) - _SENTENCE * lost / texts

    # --- outcome --------------------------------------------------------------------------------------

    def fates(self, choice: Choice) -> tuple[NDArray[np.uint8], list[Label | None]]:
        """The fate of each element, and its label where it has one."""
        fate = np.full(len(self.elements), Fate.TYPED, np.uint8)
        texts: list[Label | None] = [None] * len(self.elements)
        for i, taken in enumerate(choice.offer.tolist()):
            if taken == GONE:
                fate[i] = Fate.DROPPED
                continue
            if taken >= 0:
                number = int(self.offers.label[self.first[i] + taken])
                fate[i] = Fate.KEPT if number == AS_IT_IS else Fate.GENERALIZED
                texts[i] = None if number == AS_IT_IS else self.offers.labels[number]
                continue
            base = self.bases[self.mask[i]]
            if taken == MERGED or (self.mask[i] in choice.merged and self.mask[i] not in choice.dropped):
                fate[i] = Fate.UNTYPED
            elif base.kind == "widest":
                text = base.text.split("\0", 1)[1]
                fate[i] = Fate.GENERALIZED if text else Fate.DROPPED
                texts[i] = Label(text, 0) if text else None
            elif self.mask[i] in choice.dropped:
                fate[i] = Fate.DROPPED
            elif base.kind == "link":
                fate[i], texts[i] = Fate.GENERALIZED, Label(base.text, 0)
        for term, item in self.twins.items():
            fate[term], texts[term] = fate[item], texts[item]
        return fate, texts

    def gone_sentences(self, choice: Choice) -> list[int]:
        """Sentences that go because of what their person shows."""
        if choice.closed is None:
            return []
        return [int(sentence) for sentence in np.unique(self.sentence[choice.closed & self.in_text])]

    def gone_entries(self, choice: Choice) -> list[tuple[int, int]]:
        """Rows and elements whose entries in sets go because of what their person shows."""
        if choice.closed is None:
            return []
        at = np.flatnonzero(choice.closed & ~self.in_text)
        return [
            *zip(self.rows_of[self.row[at]].tolist(), self.elements[self.element[at]].tolist(), strict=True)
        ]

    def merged_markers(self, choice: Choice) -> list[int]:
        """Markers of which texts show the mask of several types."""
        merged = (self.marker >= 0) & np.isin(self.own, list(choice.merged - choice.dropped))
        return [int(marker) for marker in np.unique(self.marker[merged])]

    def gone_markers(self, choice: Choice) -> list[int]:
        """Markers whose sentences go."""
        marked = self.marker >= 0
        goes = marked & (np.isin(self.own, list(choice.dropped)) | np.isin(self.marker, list(choice.gone)))
        return [int(marker) for marker in np.unique(self.marker[goes])]


def _shown(text: str) -> str:
    return " ".join(text.split()).casefold()
