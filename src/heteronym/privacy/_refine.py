"""The choice for one group from coarse to fine: everything left out at first, then one label after the other.

Bottom up, the first narrow labels that are taken leave no room for what most others could show. From above,
whatever is shown at first is shown by many, and each step asks one thing: do the holders of a narrower label,
and those that stay behind, still have enough company in all their pairs? Elements whose holders do not are
taken out of the step, one by one.

Reference   ours; top-down specialization (Fung, Wang and Yu 2005) of labels that overlap in persons and rows
Guarantee   what is chosen passes the counts of the model for m = 2, by person and by row
Cost        O(pairs of labels of the holders) per label, compiled
Randomness  none
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.run import current

if TYPE_CHECKING:
    from heteronym.privacy._pair_kernels import ElementArrays

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

MASKED, GONE, MERGED = -1, -2, -3  # instead of an offer: its own mask, nothing, the mask of several types

_ROUNDS = 40  # times that elements are taken out of a step before it is given up


class Occurrences(NamedTuple):
    """What shows where in one group."""

    person: Ints
    row: Ints
    cell: Ints
    element: Ints
    place: Ints  # what may be left out alone: a sentence, or an entry of a set; -1: nothing
    masks_show: Bools


class Ladders(NamedTuple):
    """What elements may become, narrowest first; behind the last rung they are masked, then left out.

    Where masks merge, an element's own mask is its last rung, and behind it is the mask of several types.
    """

    ptr: Ints
    label: Ints
    offer: Ints  # which offer a rung is
    mask: Ints  # the label of the mask
    last: Ints  # what the mask is: MASKED or MERGED
    event: Bools  # never left out


class Labels(NamedTuple):
    counted: Bools
    widest: Bools  # of an event: tells nothing while every row shows it
    event: Bools
    masks: int  # the first label that is no offer
    price: NDArray[np.float64]  # labels are tried by persons times price


def refined(
    occurrences: Occurrences,
    ladders: Ladders,
    labels: Labels,
    *,
    least: int,
    floor: int,
    persons: int,
    rows: int,
) -> tuple[Ints, Bools]:
    """The offer of every element, MASKED, MERGED or GONE; which occurrences go with their places."""
    from heteronym.privacy import _refine_kernels as kernels

    order = np.lexsort((occurrences.cell, occurrences.row, occurrences.person))
    parts: Iterable[Any] = (part[order] for part in occurrences)
    shown = Occurrences(*parts)
    ladders = _with_enough(shown, ladders, len(labels.counted), floor)
    lengths = np.diff(ladders.ptr)
    tried = _tried(shown, ladders, labels, rows)
    arrays = _arrays(shown, ladders, labels, tried.everywhere, persons, rows)._replace(
        least=least, floor=floor
    )
    run = current()
    run.call(kernels.refine, tried.order, tried.ptr, tried.element, tried.rung, arrays, _ROUNDS, run.stop)
    rung = arrays.rung
    offer = np.where(rung > lengths, GONE, ladders.last)
    chosen = np.flatnonzero(rung < lengths)
    offer[chosen] = ladders.offer[ladders.ptr[chosen] + rung[chosen]]
    closed = np.zeros(len(order), np.bool_)
    closed[order] = (arrays.place >= 0) & arrays.closed[arrays.place]
    return offer, closed


def _arrays(
    shown: Occurrences, ladders: Ladders, labels: Labels, everywhere: Bools, persons: int, rows: int
) -> ElementArrays:
    """The group as kernels read it, everything left out at first."""
    from heteronym.privacy._pair_kernels import ElementArrays

    lengths = np.diff(ladders.ptr)
    root = np.where(ladders.event, lengths, lengths + 1)
    place = np.where(shown.place >= 0, np.unique(shown.place, return_inverse=True)[1], -1)
    out = (place >= 0) & ~ladders.event[shown.element]
    hidden = np.bincount(place[out], minlength=int(place.max(initial=0)) + 1)
    return ElementArrays(
        ptr=np.r_[0, np.cumsum(np.bincount(shown.person, minlength=persons))],
        row=shown.row,
        cell=shown.cell,
        element=shown.element,
        place=place,
        masks_show=shown.masks_show,
        at_ptr=np.r_[0, np.cumsum(np.bincount(shown.element, minlength=len(lengths)))],
        at=np.argsort(shown.element, kind="stable"),
        person=shown.person,
        ladder_ptr=ladders.ptr,
        ladder=ladders.label,
        mask=ladders.mask,
        root=root,
        rung=root.copy(),
        worth=hidden.copy(),
        hidden=hidden,
        closed=np.zeros(len(hidden), np.bool_),
        counted=labels.counted,
        free=labels.widest.copy(),
        everywhere=everywhere,
        event=labels.event,
        changed=np.zeros(len(labels.counted), np.bool_),
        moves=np.zeros(len(root), np.bool_),
        by_row=rows > persons,
        least=1,
        floor=1,
        masks=labels.masks,
    )


class _Tried(NamedTuple):
    order: Ints
    ptr: Ints
    element: Ints
    rung: Ints
    everywhere: Bools


def _holders(shown: Occurrences, element: Ints, label: Ints, labels: int) -> tuple[Ints, Ints]:
    """How many persons, and how many rows, would show each label if all its elements did."""
    order = np.argsort(element, kind="stable")
    ptr = np.r_[0, np.cumsum(np.bincount(element, minlength=int(shown.element.max(initial=0)) + 1))]
    times = np.diff(ptr)[shown.element]
    place = np.repeat(np.arange(len(times)), times)
    step = np.arange(len(place)) - np.repeat(np.cumsum(times) - times, times)
    reached = label[order][ptr[shown.element[place]] + step]
    out: list[Any] = []
    for owner in (shown.person, shown.row):
        span = int(owner.max(initial=0)) + 1
        pairs = np.unique(reached * span + owner[place])
        out.append(np.bincount(pairs // span, minlength=labels))
    return out[0], out[1]


def _with_enough(shown: Occurrences, ladders: Ladders, labels: int, least: int) -> Ladders:
    """Without rungs that too few persons could show."""
    element = np.repeat(np.arange(len(ladders.mask)), np.diff(ladders.ptr))
    persons, _ = _holders(shown, element, ladders.label, labels)
    stays = persons[ladders.label] >= least
    before = np.r_[0, np.cumsum(stays)]
    return ladders._replace(ptr=before[ladders.ptr], label=ladders.label[stays], offer=ladders.offer[stays])


def _tried(shown: Occurrences, ladders: Ladders, labels: Labels, rows: int) -> _Tried:
    """Labels in the order in which they are tried: most persons first, then wider ones."""
    count, n = len(labels.counted), len(ladders.mask)
    lengths = np.diff(ladders.ptr)
    element = np.repeat(np.arange(n), lengths)
    rung = np.arange(len(element)) - ladders.ptr[:-1][element]
    masked = np.flatnonzero(~ladders.event)
    element, rung = np.r_[element, masked], np.r_[rung, lengths[masked]]
    label = np.r_[ladders.label, ladders.mask[masked]]
    persons, on_rows = _holders(shown, element, label, count)
    order = np.argsort(label, kind="stable")
    ptr = np.r_[0, np.cumsum(np.bincount(label, minlength=count))]
    deepest = np.zeros(count, np.int64)
    np.maximum.at(deepest, label, rung)
    used = np.flatnonzero(np.diff(ptr))
    ranked = used[np.lexsort((used, -deepest[used], -(persons * labels.price)[used]))]
    return _Tried(ranked, ptr, element[order], rung[order], labels.event & (on_rows == rows))
