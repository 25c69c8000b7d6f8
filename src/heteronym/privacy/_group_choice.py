"""Chooses what the elements of one group show, so that the joint model holds and most is kept.

From below, labels are taken one after the other, those with most holders first, where they fit: every
combination with labels taken before has none or enough holders, by person and within a row. Elements that
were not taken as they are come again with their next offer, pooled by label. What is left is masked, and
masks show, too: placeholders, columns' labels in texts and the widest labels of events are laid down first,
the choice is made again under them, until nothing changes. Where a mask itself does not fit, it reads like
those of other types; where that does not fit either, or costs more than it is worth, its sentences go.

From above (`_refine`), where m is 2 and labels have others above them, everything is left out at first.
The choice that keeps more is taken.

Reference   ours; greedy by support, and what is masked shows
Guarantee   what is chosen passes the counts of the model, by person and by row
Cost        O(occurrences x labels taken per person) per pass; few passes
Randomness  none
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from heteronym.model.sets import Sets
from heteronym.privacy._group_problem import GroupProblem
from heteronym.privacy._refine import GONE, MASKED, MERGED, Labels, Ladders, Occurrences, refined
from heteronym.privacy._tallies import Candidates, Tally
from heteronym.privacy._tells import widened

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

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


@dataclass(frozen=True, eq=False)
class Choice:
    """Which offer each element takes (or MASKED, MERGED, GONE), and what becomes of masks and sentences."""

    offer: Ints
    dropped: frozenset[int] = frozenset()  # masks whose sentences go
    events_first: int = 0
    merged: frozenset[int] = frozenset()  # masks that read like those of other types
    gone: frozenset[int] = frozenset()  # markers whose sentences go
    closed: Bools | None = None  # occurrences in sentences and entries that go, whatever else is in them
    score: float = 0.0


def choose(problem: GroupProblem) -> Choice:
    """The best choice in which no text tells more of an event than its column does."""
    narrowest = np.zeros(len(problem.elements), np.int64)  # first offer that an element may take
    while True:
        choice = _best(problem, narrowest)
        wider = widened(problem, choice, narrowest)
        if wider is None:
            return choice
        narrowest = wider


def _best(problem: GroupProblem, narrowest: Ints) -> Choice:
    if not _may_refine(problem):
        return _from_below(problem, narrowest)
    k = problem.promise.k
    starts = _FROM_ABOVE_MANY if problem.persons >= _MANY * k else _FROM_ABOVE
    tries = [_from_above(problem, narrowest, floor, price) for floor, price in starts]
    if problem.persons <= _FEW * k:
        tries.insert(0, _from_below(problem, narrowest))
    return max(tries, key=lambda choice: choice.score)


def _may_refine(problem: GroupProblem) -> bool:
    """Whether labels have others above them, and pairs of labels can be counted in a reasonable time."""
    climbs = problem.is_event.any() or (problem.offered.many > 1).any()
    pairs = float((np.bincount(problem.shown.person).astype(np.float64) ** 2).sum())
    promise = problem.promise
    return promise.m == 2 and not promise.absence and bool(climbs) and pairs <= _MOST_PAIRS


# --- from above -----------------------------------------------------------------------------------


def _from_above(problem: GroupProblem, narrowest: Ints, floor: int, price: float) -> Choice:
    """Everything left out at first; labels of at least so many times k persons, events by their price."""
    shown, count = problem.shown, len(problem.elements)
    # Mentions that are no elements are masked or left out, and so is what follows a column's label: with
    # the mentions of members' own values, all together, whoever holds them.
    base = np.where(shown.marker >= 0, problem.own, shown.of_element(problem.follows, -1))
    whole = base >= 0
    own, number = np.unique(base[whole], return_inverse=True)
    element = shown.element.copy()
    element[whole] = count + number
    found, closed = refined(
        Occurrences(
            shown.person, shown.row, shown.cell, element, _places(problem), problem.masks_show | whole
        ),
        _ladders(problem, narrowest, own + problem.labels),
        _labels(problem, price),
        least=problem.promise.k,
        floor=floor * problem.promise.k,
        persons=problem.persons,
        rows=problem.rows,
    )
    goes, merged = own[found[count:] == GONE], own[found[count:] == MERGED]
    offer = np.where(np.isin(problem.follows, goes), GONE, found[:count])
    offer[np.isin(problem.follows, merged)] = MERGED
    gone = np.unique(shown.marker[(shown.marker >= 0) & np.isin(problem.own, goes)])
    choice = Choice(offer, gone=frozenset(gone.tolist()), merged=frozenset(merged.tolist()), closed=closed)
    return replace(choice, score=_score(problem, choice))


def _places(problem: GroupProblem) -> Ints:
    """What may go alone: the sentence of each occurrence, or an item's entry in the sets of a row."""
    shown = problem.shown
    place = np.where(shown.in_text, shown.sentence, -1).astype(np.int64)
    is_item = shown.of_element(problem.vocabulary.is_item[problem.elements], False)
    entries = np.flatnonzero(~shown.in_text & is_item)
    key = shown.row[entries] * len(problem.elements) + shown.element[entries]
    place[entries] = int(place.max(initial=0)) + 1 + np.unique(key, return_inverse=True)[1]
    return place


def _labels(problem: GroupProblem, price: float) -> Labels:
    n, bases = problem.labels, len(problem.bases)
    event = np.zeros(n + bases, np.bool_)
    event[problem.offered.label[np.repeat(problem.is_event, problem.offered.many)]] = True
    typed, widest = np.zeros(n + bases, np.bool_), np.zeros(n + bases, np.bool_)
    widest[n:] = [base.kind == "widest" for base in problem.bases]
    if problem.promise.merges:
        typed[n:] = [base.kind == "mask" and b != problem.merged for b, base in enumerate(problem.bases)]
    return Labels(
        np.r_[problem.offered.counted, np.ones(bases, np.bool_)],
        widest,
        event,
        n,
        np.where(event, price, np.where(typed, _TYPE, 1.0)),
    )


def _ladders(problem: GroupProblem, narrowest: Ints, own: Ints) -> Ladders:
    """The offers of elements without repetitions, and for mentions that are no elements their masks."""
    offered = problem.offered
    element = np.repeat(np.arange(len(problem.elements)), offered.many)
    offer = np.arange(len(element)) - offered.ptr[:-1][element]
    # in step, offers repeat: a rung is the last of equal ones
    new = (element[1:] != element[:-1]) | (offered.label[1:] != offered.label[:-1])
    last = np.r_[new, True][: len(element)] & (problem.allowed & (problem.follows < 0))[element]
    last &= offer >= narrowest[element]
    element, offer, label = element[last], offer[last], offered.label[last]
    mask = np.r_[problem.mask + problem.labels, own]
    is_event = np.r_[problem.is_event, np.zeros(len(own), np.bool_)]
    behind = np.full(len(mask), MASKED)
    if problem.promise.merges:
        masked = np.flatnonzero(~is_event)
        element, offer = np.r_[element, masked], np.r_[offer, np.full(len(masked), MASKED)]
        label = np.r_[label, mask[masked]]
        order = np.argsort(element, kind="stable")
        element, offer, label = element[order], offer[order], label[order]
        mask = np.where(is_event, mask, problem.merged + problem.labels)
        behind[masked] = MERGED
    rungs = np.bincount(element, minlength=len(mask))
    return Ladders(np.r_[0, np.cumsum(rungs)], label, offer, mask, behind, is_event)


# --- from below -----------------------------------------------------------------------------------


def _from_below(problem: GroupProblem, narrowest: Ints) -> Choice:
    start = Choice(np.full(len(problem.elements), MASKED))
    best = _settled(problem, narrowest, start)
    if problem.promise.m != 1 and problem.is_event.any():
        # labels of events come late by their holders, and then fit beside nothing: also try them first
        tries = [_settled(problem, narrowest, replace(start, events_first=floor)) for floor in _EVENTS_FIRST]
        best = max([best, *tries], key=lambda choice: choice.score)
    if problem.promise.m == 1:
        return best  # single labels do not bear on each other
    # also of masks that read like others: the sentences of one type may go alone
    base = np.where(_visible(problem, best), _base_of(problem, replace(best, merged=frozenset())), -1)
    person = problem.shown.person
    persons = {b: len(np.unique(person[base == b])) for b in np.unique(base[base >= 0]).tolist()}
    rarest = sorted((count, b) for b, count in persons.items() if problem.bases[b].kind != "widest")
    for _, b in rarest[:_TRIES]:
        if b not in best.dropped:
            other = _settled(problem, narrowest, replace(best, dropped=best.dropped | {b}))
            if other.score > best.score:
                best = other
    return best


def _settled(problem: GroupProblem, narrowest: Ints, start: Choice) -> Choice:
    """Choose, lay the masks down, choose again under them, until nothing changes.

    Where `events_first` is not 0, labels of events with so many times k persons are chosen before others.
    """
    free = problem.allowed & (problem.offered.many > narrowest) & (problem.follows < 0)
    first = replace(start, offer=np.where(free, narrowest, MASKED))
    choice = replace(first, offer=_pass(problem, first, with_base=False)[0])
    while True:
        after, rejected = _pass(problem, choice, with_base=True)
        if rejected:
            choice = _without(problem, choice, rejected)
        elif (after == choice.offer).all():
            return replace(choice, score=_score(problem, choice))
        else:
            choice = replace(choice, offer=after)


def _without(problem: GroupProblem, choice: Choice, rejected: frozenset[int]) -> Choice:
    """The choice with other masks where these do not fit: wider, of no type, or none."""
    kinds = {b: problem.bases[b].kind for b in rejected}
    wide = [b for b in rejected if kinds[b] == "widest"]
    choice = replace(choice, offer=_widened(problem, choice.offer, wide))
    masks = frozenset(b for b in rejected if kinds[b] != "widest")
    if not masks:
        return choice
    if problem.promise.merges and not masks <= {problem.merged} and problem.merged not in choice.dropped:
        return replace(choice, merged=choice.merged | masks - {problem.merged})
    return replace(choice, dropped=choice.dropped | masks | choice.merged)


def _widened(problem: GroupProblem, offer: Ints, bases: Sequence[int]) -> Ints:
    """Where too few rows show an event's widest label, those labels become it that fewest show.

    In the end every row shows it, and it tells nothing.
    """
    offer, offered, element = offer.copy(), problem.offered, problem.shown.element
    for b in bases:
        mine = np.flatnonzero((problem.mask == b) & (offer != MASKED))
        label = offered.label[offered.ptr[:-1][mine] + offer[mine]]
        times = np.bincount(element[element >= 0], minlength=len(offer))[mine]
        names, number = np.unique(label, return_inverse=True)
        often = np.bincount(number, weights=times, minlength=len(names))
        rare = np.argsort(often, kind="stable")[: -(-len(names) // _AT_A_TIME)]
        offer[mine[np.isin(number, rare)]] = MASKED
    return offer


def _pass(problem: GroupProblem, choice: Choice, *, with_base: bool) -> tuple[Ints, frozenset[int]]:
    """One choice from the offers at hand (and later ones); the masks that do not fit."""
    shown, n, offer = problem.shown, problem.labels, choice.offer
    visible = _visible(problem, choice)
    labels = n + len(problem.bases)
    tally = Tally(
        problem.promise, shown.person, shown.row, problem.members.person_of_row, problem.persons, labels
    )
    if with_base:
        base = np.where(visible, _base_of(problem, choice), -1)
        candidates = _candidates(problem, np.where(base >= 0, base + n, -1))
        taken = tally.take(candidates, np.ones(len(candidates.label), np.bool_))
        if not taken.all():
            return offer, frozenset((candidates.label[~taken] - n).tolist())
    after = np.full(len(offer), MASKED)
    every = np.ones(len(offer), np.bool_)
    turns = [(every, 0)]
    if choice.events_first:
        turns = [(problem.is_event, choice.events_first * problem.promise.k), (~problem.is_event, 0)]
    for mine, least in turns:
        _take_turns(problem, tally, offer, after, visible, mine, least)
    return after, frozenset()


def _take_turns(
    problem: GroupProblem, tally: Tally, offer: Ints, after: Ints, visible: Bools, mine: Bools, least: int
) -> None:
    """Take what fits of some elements' offers, turn by turn, where at least so many persons show it."""
    offered = problem.offered
    for turn in range(int(offered.many.max(initial=0))):
        open_ = (after == MASKED) & (offer != MASKED) & (offer <= turn) & (turn < offered.many) & mine
        if not open_.any():
            continue
        wanted = np.full(len(offer), -1, np.int64)
        wanted[open_] = offered.label[offered.ptr[:-1][open_] + turn]
        fresh = np.unique(wanted[open_])
        settled = np.flatnonzero(after != MASKED)
        now = offered.label[offered.ptr[:-1][settled] + after[settled]]
        again = np.isin(now, fresh)
        wanted[settled[again]] = now[again]
        shows = np.where(visible, problem.shown.of_element(wanted, -1), -1)
        candidates = _candidates(problem, shows, least)
        taken = tally.take(candidates, offered.counted[candidates.label])
        accepted = np.zeros(len(offered.counted), np.bool_)
        accepted[candidates.label[taken]] = True
        after[open_ & (wanted >= 0) & accepted[wanted]] = turn


def _candidates(problem: GroupProblem, label_of: Ints, least: int = 0) -> Candidates:
    """Labels by their number of persons, most first and at least so many, each with where it shows."""
    shown = problem.shown
    at = np.flatnonzero(label_of >= 0)
    order = at[np.lexsort((shown.cell[at], shown.row[at], shown.person[at], label_of[at]))]
    label = label_of[order]
    new = np.r_[True, (label[1:] != label[:-1]) | (shown.cell[order][1:] != shown.cell[order][:-1])]
    order, label = order[new[: len(order)]], label[new[: len(order)]]
    names, first, times = np.unique(label, return_index=True, return_counts=True)
    person = shown.person[order]
    fresh = np.r_[True, (label[1:] != label[:-1]) | (person[1:] != person[:-1])][: len(order)]
    persons = np.add.reduceat(fresh.astype(np.int64), first) if len(first) else times
    rank = np.lexsort((names, -persons))
    rank = rank[persons[rank] >= least]
    _, place = Sets(np.r_[first, len(order)], np.arange(len(order), dtype=np.int32)).expand(rank)
    # a label that every row shows in an event column tells the number of its rows only
    of_event = shown.of_element(problem.is_event, False)
    in_events = np.add.reduceat(of_event[order].astype(np.int64), first) if len(first) else times
    free = (in_events == times) & (times == problem.rows)
    order = order[place]
    ptr = np.r_[0, np.cumsum(times[rank])]
    return Candidates(names[rank], ptr, shown.person[order], shown.row[order], free[rank])


# --- what a choice shows --------------------------------------------------------------------------


def _base_of(problem: GroupProblem, choice: Choice) -> Ints:
    """The mask that each occurrence shows, or -1."""
    shown = problem.shown
    masked = shown.of_element(choice.offer == MASKED, False) & problem.masks_show
    base = np.where(masked, shown.of_element(problem.mask, -1), problem.own)
    merged = np.isin(base, list(choice.merged))
    merged |= shown.of_element(choice.offer == MERGED, False) & problem.masks_show
    return np.where(merged, problem.merged, base)


def _visible(problem: GroupProblem, choice: Choice) -> Bools:
    """Outside of sentences that go, those with a mask that does not stay; sets leave such a mask out."""
    shown = problem.shown
    typed = _base_of(problem, replace(choice, merged=frozenset()))
    # what is dropped is a mask of a type, or the one that several types have
    off = np.isin(typed, list(choice.dropped))
    off |= (problem.merged in choice.dropped) & np.isin(typed, list(choice.merged))
    goes = off | shown.of_element(choice.offer == GONE, False) | np.isin(shown.marker, list(choice.gone))
    lost = np.isin(shown.sentence, shown.sentence[goes & shown.in_text])
    visible: Bools = ~np.where(shown.in_text, lost, off)
    return visible if choice.closed is None else visible & ~choice.closed


def _score(problem: GroupProblem, choice: Choice) -> float:
    """A person's terms, items and events are worth as much as each other, however many there are."""
    shown, offered, offer = problem.shown, problem.offered, choice.offer
    count = len(problem.elements)
    visible = _visible(problem, choice)
    kept = visible & (shown.element >= 0)
    kept[kept] = offer[shown.element[kept]] >= 0
    element = np.unique(shown.person[kept] * count + shown.element[kept]) % max(count, 1)
    worth = offered.worth[offered.ptr[:-1][element] + offer[element]]
    is_term = problem.vocabulary.is_term[problem.elements]
    kinds = np.where(is_term, 0, np.where(problem.is_event, 1, 2))
    has = shown.element >= 0
    known = np.unique(shown.person[has] * count + shown.element[has])
    total = np.bincount(kinds[known % max(count, 1)], minlength=3)
    shares = np.bincount(kinds[element], weights=worth, minlength=3) / np.maximum(total, 1)
    lost = len(np.unique(shown.sentence[~visible])) if len(visible) else 0
    texts = max(len(np.unique(shown.sentence[shown.in_text])), 1)
    return float(shares.sum()) - _SENTENCE * lost / texts
