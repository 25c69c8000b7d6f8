"""The search behind the joint partitioner: leaves, the cuts they offer, the price at which one is made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.contracts import PrivacyModel
from heteronym.errors import PlanError, PromiseError
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView, ShapeKind
from heteronym.partition import _box_kernels as boxes
from heteronym.partition import _joint_kernels as kernels
from heteronym.partition._clusters import covers_of, join_equal, least_size
from heteronym.partition._leave_out import loss_of
from heteronym.run import current
from heteronym.statistics.model_statistics import ModelStatistics

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

STARTS = (2.0, 4.0, 6.0, 9.0, 13.0, 18.0)  # first prices, as multiples of the least that buys a cut
DEPTHS = (0.94, 0.88, 0.82)  # how far below the bound the cutting goes before merging
GROWTH = 1.05  # of the price, when nothing is worth it
MOST_COUNTS = 60_000_000  # groups times elements in memory while merging


@dataclass(frozen=True, repr=False, eq=False)
class Cuts:
    """The cuts of a leaf that are best at some price: what is lost of elements, what columns gain."""

    lost: Floats
    gained: Floats
    order: Ints  # which order of the members
    left: Ints  # how many of them are on the left


@dataclass(repr=False, eq=False)
class Leaf:
    members: Ints  # ascending
    kept: float
    loss: float  # of all members together
    cuts: Cuts


class Exchange:
    """One search over one view."""

    def __init__(self, view: PersonView, models: Sequence[PrivacyModel]) -> None:
        if not view.columns:
            raise PlanError("partition: 'joint' needs a quasi column to cut on")
        self.view, self.least = view, least_size(view, models)
        self.statistics = ModelStatistics(view, models)
        # what a group may show is decided by the largest k of all models
        self.k = max(self.least, *(getattr(model, "k", 1) for model in models))
        self.covers = covers_of(view)
        self.ptr, self.codes, self.weight, self.elements = held_by_many(view, self.k)
        self.kinds = max(len(view.events) + view.elements.has_terms + view.elements.has_items, 1)
        self._count = np.zeros(self.elements, np.int32)
        self._sum = np.zeros(self.elements)
        self._known: dict[bytes, Leaf] = {}
        self._orders = self._make_orders()

    # --- results --------------------------------------------------------------------------------------

    def within(self, delta: float) -> Partition:
        """The best grouping found whose columns lose at most delta."""
        bound = delta * self.view.persons
        best: tuple[float, Ints] | None = None
        root = self._leaf(np.arange(self.view.persons))
        run = current()
        for number, start in enumerate(STARTS):
            for leaves in self._cut_down(root, start, [depth * bound for depth in DEPTHS]):
                run.tell(number / len(STARTS))
                group = self._merged(leaves, bound)
                kept, lost = self._kept(group), loss_of(Partition(group.astype(np.int32)), self.covers)
                if lost <= bound + 1e-9 and (best is None or kept > best[0]):
                    best = (kept, group)
        if best is None:  # no price led there; the finest cut may still
            finest = self._finest(root, 1e12)
            cut = Partition(self._group_of(finest).astype(np.int32))
            reached = loss_of(cut, self.covers) / self.view.persons
            if reached <= delta + 1e-9:
                return self._partition(self._merged(finest, bound))
            raise PromiseError(
                f"no grouping keeps the loss of the columns at delta = {delta:g}; "
                f"the smallest reached is {np.ceil(reached * 1e4) / 1e4:g}"
            )
        return self._partition(best[1])

    def weighing(self, relational_weight: float) -> Partition:
        """Cut as long as the columns gain more than the elements lose, at a fixed price.

        All kinds of elements together weigh as much as all columns: with many of them the columns would
        else be worth nothing.
        """
        price = self.kinds * relational_weight / max(1.0 - relational_weight, 1e-9)
        leaves = self._finest(self._leaf(np.arange(self.view.persons)), price)
        return self._partition(self._group_of(leaves))

    def _partition(self, group: Ints) -> Partition:
        group = join_equal(self.covers, group)
        return Partition(group.astype(np.int32), {"cuts": int(group.max(initial=0))})

    # --- cutting --------------------------------------------------------------------------------------

    def _cut_down(self, root: Leaf, start: float, depths: Sequence[float]) -> Iterator[list[Leaf]]:
        """The leaves each time the columns' loss has come down to one of the depths."""
        leaves, total = [root], root.loss
        price = start * float(np.min(root.cuts.lost / root.cuts.gained)) if len(root.cuts.lost) else np.inf
        price = max(price, 1e-12)
        left = sorted(depths, reverse=True)
        while left:
            current().poll()
            if total <= left[0]:
                yield leaves
                left.pop(0)
                continue
            found = self._best(leaves, price)
            if found is None:
                if not any(len(leaf.cuts.lost) for leaf in leaves):
                    yield leaves
                    return
                price *= GROWTH
                continue
            total -= self._split(leaves, *found)

    def _finest(self, root: Leaf, price: float) -> list[Leaf]:
        """The leaves when no cut is worth its price any more."""
        leaves = [root]
        while (found := self._best(leaves, price)) is not None:
            current().poll()
            self._split(leaves, *found)
        return leaves

    @staticmethod
    def _best(leaves: Sequence[Leaf], price: float) -> tuple[int, int] | None:
        """Leaf and cut that are worth most at this price, if any is worth something."""
        best, found = 0.0, None
        for number, leaf in enumerate(leaves):
            if len(leaf.cuts.lost):
                value = price * leaf.cuts.gained - leaf.cuts.lost
                cut = int(np.argmax(value))
                if value[cut] > best:
                    best, found = float(value[cut]), (number, cut)
        return found

    def _split(self, leaves: list[Leaf], number: int, cut: int) -> float:
        """Replace a leaf by its two sides, if all models admit them; the gain of the columns."""
        leaf = leaves[number]
        order = self._arranged(leaf.members, int(leaf.cuts.order[cut]))[0]
        sides = [np.sort(order[: leaf.cuts.left[cut]]), np.sort(order[leaf.cuts.left[cut] :])]
        if self.statistics.asking and not all(
            self.statistics.admits(side.astype(np.int32)) for side in sides
        ):
            rest = np.arange(len(leaf.cuts.lost)) != cut
            leaf.cuts = Cuts(*(part[rest] for part in vars(leaf.cuts).values()))
            return 0.0
        halves = [self._leaf(side) for side in sides]
        leaves[number] = halves[0]
        leaves.append(halves[1])
        return leaf.loss - halves[0].loss - halves[1].loss

    # --- what a leaf offers ---------------------------------------------------------------------------

    def _make_orders(self) -> list[tuple[str, int, NDArray[Any]]]:
        """Keys to sort persons by: both ends of ordered columns; names, by their frequency and one by one."""
        orders: list[tuple[str, int, NDArray[Any]]] = []
        for column in self.view.columns:
            first, last = column.sets.ptr[:-1], column.sets.ptr[1:] - 1
            if column.shape.kind is ShapeKind.SET and not column.shape.ordered:
                orders.append(("frequency", len(column.sets), column.person_set))
                orders.append(("one", len(column.sets), column.person_set))
                continue
            low = column.sets.codes[first][column.person_set]
            orders.append(("value", 0, low))
            if len(column.sets.codes) > len(column.sets):
                orders.append(("value", 0, column.sets.codes[last][column.person_set]))
        return orders

    def _arranged(self, members: Ints, order: int) -> tuple[Ints, Ints]:
        """Members in an order, and where a cut may be made: after so many of them.

        Orders are numbered: those of `_make_orders`, and for names one by one, further ones behind them.
        """
        count = len(self._orders)
        how, values, key = self._orders[order % count]
        mine = key[members].astype(np.int64)
        if how == "frequency":
            often = np.bincount(mine, minlength=values)
            rank = np.empty(values, np.int64)
            rank[np.lexsort((np.arange(values), often))] = np.arange(values)
            mine = rank[mine]
        elif how == "one":
            chosen = order // count
            mine = (mine != chosen).astype(np.int64)
        arranged = np.argsort(mine, kind="stable")
        mine = mine[arranged]
        return members[arranged], np.flatnonzero(mine[1:] != mine[:-1]) + 1

    def _order_numbers(self, members: Ints) -> Iterator[int]:
        count = len(self._orders)
        for number, (how, values, key) in enumerate(self._orders):
            if how != "one":
                yield number
                continue
            often = np.bincount(key[members], minlength=values)
            both = (often >= self.least) & (often <= len(members) - self.least)
            for value in np.flatnonzero(both).tolist():
                yield number + count * value

    def _leaf(self, members: Ints) -> Leaf:
        name = members.tobytes()
        if name not in self._known:
            self._known[name] = self._weighed(members)
        known = self._known[name]
        return Leaf(known.members, known.kept, known.loss, known.cuts)

    def _weighed(self, members: Ints) -> Leaf:
        shapes, persons = self.covers.shapes, self.covers.persons
        count, summed = np.zeros_like(self._count), np.zeros_like(self._sum)
        kernels.count_members(members, self.ptr, self.codes, self.weight, count, summed)
        kept = float(kernels.kept_of(members, self.ptr, self.codes, self.k, count, summed))
        loss = float(boxes.cut_losses(shapes, *persons, members)[-1]) * len(members)
        found: list[tuple[Floats, Floats, Ints, Ints]] = []
        for number in self._order_numbers(members) if len(members) >= 2 * self.least else ():
            order, places = self._arranged(members, number)
            places = places[(places >= self.least) & (places <= len(members) - self.least)]
            if not len(places):
                continue
            ahead = boxes.cut_losses(shapes, *persons, order)[places - 1]
            behind = boxes.cut_losses(shapes, *persons, order[::-1].copy())[len(members) - places - 1]
            gained = loss - ahead * places - behind * (len(members) - places)
            if gained.max(initial=0.0) <= 1e-9:
                continue
            both = kernels.kept_along(
                order,
                int(places[-1]),
                self.ptr,
                self.codes,
                self.weight,
                count,
                summed,
                kept,
                self.k,
                self._count,
                self._sum,
            )
            found.append((kept - both[places - 1], gained, np.full(len(places), number), places))
        return Leaf(members, kept, loss, _best_at_some_price(found))

    # --- merging --------------------------------------------------------------------------------------

    def _group_of(self, leaves: Sequence[Leaf]) -> Ints:
        group = np.empty(self.view.persons, np.int64)
        for number, leaf in enumerate(leaves):
            group[leaf.members] = number
        return group

    def _merged(self, leaves: Sequence[Leaf], bound: float) -> Ints:
        group, count = self._group_of(leaves), len(leaves)
        if count * self.elements > MOST_COUNTS:
            return group
        shapes = self.covers.shapes
        low, high, bits = boxes.boxes_of(group, count, *self.covers.persons)
        loss = boxes.box_losses(shapes, low, high, bits)
        sizes = np.bincount(group, minlength=count)
        holders, summed = kernels.group_counts(group, count, self.elements, self.ptr, self.codes, self.weight)
        run = current()
        goes = run.call(
            kernels.merge_back,
            holders,
            summed,
            sizes,
            shapes,
            low,
            high,
            bits,
            loss,
            float(loss @ sizes),
            bound,
            self.k,
            run.stop,
        )
        return np.unique(goes[group], return_inverse=True)[1]

    def _kept(self, group: Ints) -> float:
        owner = np.repeat(np.arange(self.view.persons), np.diff(self.ptr))
        pair = group[owner] * self.elements + self.codes
        _, number, often = np.unique(pair, return_inverse=True, return_counts=True)
        return float(self.weight[often[number] >= self.k].sum())


def held_by_many(view: PersonView, least: int) -> tuple[Ints, NDArray[np.int32], Floats, int]:
    """What some group could show, by person: a person's weights add up to at most 1 for each kind it has.

    Of events, what a group could show is seldom a value itself: each counts half as the value's run among
    thirty-two of the column, and half as that among eight.
    """
    elements = view.elements
    owner, codes = elements.of_person.owners(), elements.of_person.codes.astype(np.int64)
    known = ~elements.sensitive[codes] & ~elements.is_event[codes] if len(codes) else np.zeros(0, np.bool_)
    owners, coded = [owner[known]], [codes[known]]
    kind = elements.is_term[coded[0]].astype(np.int64) if len(codes) else coded[0]
    total = np.bincount(owners[0] * 2 + kind, minlength=2 * view.persons)
    weights = [1.0 / np.maximum(total[owners[0] * 2 + kind], 1)]
    used = len(elements)
    for column in view.events:
        person, code = column.pairs()
        values = max(column.domain.missing_code, 1)
        for parts in (32, 8):
            run = np.minimum(code.astype(np.int64) * parts // values, parts)
            pairs = np.unique(person * (parts + 1) + run)
            holder = pairs // (parts + 1)
            owners.append(holder)
            coded.append(used + pairs % (parts + 1))
            weights.append(0.5 / np.bincount(holder, minlength=view.persons)[holder])
            used += parts + 1
    owner, codes, weight = np.concatenate(owners), np.concatenate(coded), np.concatenate(weights)
    holders = np.bincount(codes, minlength=used)
    many = np.flatnonzero(holders[codes] >= least) if len(codes) else np.zeros(0, np.int64)
    many = many[np.argsort(owner[many], kind="stable")]
    number = np.cumsum(holders >= least) - 1
    ptr = np.r_[0, np.cumsum(np.bincount(owner[many], minlength=view.persons))]
    return ptr, number[codes[many]].astype(np.int32), weight[many], max(int((holders >= least).sum()), 1)


def _best_at_some_price(found: Sequence[tuple[Floats, Floats, Ints, Ints]]) -> Cuts:
    """Of all cuts, those that some price makes the best: the upper hull of gain over loss."""
    if not found:
        nothing = np.empty(0, np.int64)
        return Cuts(np.empty(0), np.empty(0), nothing, nothing)
    lost, gained, order, left = (np.concatenate(part) for part in zip(*found, strict=True))
    lost = np.maximum(lost, 0.0)
    rank = np.lexsort((-gained, lost))
    hull: list[int] = []
    for i in rank[gained[rank] > 1e-9].tolist():
        if hull and gained[i] <= gained[hull[-1]]:
            continue
        while len(hull) > 1:
            a, b = hull[-2], hull[-1]
            if (gained[b] - gained[a]) * (lost[i] - lost[b]) <= (gained[i] - gained[b]) * (lost[b] - lost[a]):
                hull.pop()
            else:
                break
        hull.append(i)
    chosen = np.array(hull, np.int64)
    return Cuts(lost[chosen], gained[chosen], order[chosen], left[chosen])
