"""The values that limits are about, beside the records of a search: who of a record holds what.

Cost        O(n log n) once per run
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.model.sets import Sets
from heteronym.partition import _limited_cut_kernels as kernels
from heteronym.partition._column_search import small_node
from heteronym.partition._limited_cut_kernels import Holders, Tally
from heteronym.partition._pack import Packed, work_for
from heteronym.partition._search_kernels import grow
from heteronym.run import current
from heteronym.statistics._limit_kernels import PackedLimits
from heteronym.statistics.histograms import Histogram, Holdings, LimitKind, pack_limits

LARGE_NODE = 4096  # persons up to which even clusters are tried where limits have stopped the cuts
LARGE_WORK = 1 << 27  # persons times those of a large node: fewer per node where there are many
SLACK = 0.25  # of the distance between everybody and what a limit allows, above which large nodes are not cut


class GroupsFound(NamedTuple):
    group: NDArray[np.int32]  # of each person searched
    groups: int
    loss: float  # times persons
    stopped: int  # persons in groups that the limits alone kept from being divided


class LimitedSearch:
    """The search under limits, over everybody or over parts."""

    def __init__(
        self,
        packed: Packed,
        record_of: NDArray[np.int64],
        histograms: list[Histogram],
        least: int,
        *,
        clusters: bool,
    ) -> None:
        self.packed, self.record_of, self.least = packed, record_of, least
        self.limits, places = pack_limits(histograms)
        self.strict = strict_limits(histograms)
        self.holding, self.held = held_sets(places, len(record_of))
        self.small = small_node(least) if clusters else 0
        self.large = large_node(len(record_of), least) if clusters else 0

    def search(self, persons: NDArray[np.int64]) -> GroupsFound:
        """What cuts and clusters find for some persons."""
        packed, number = self._records(persons)
        holders, slots = self._holders(number, self.holding[persons], len(packed.weight))
        work, run, done = work_for(packed), current(), np.zeros(1, np.int64)
        tally = self._tally(len(packed.weight), len(work.place))
        records = len(packed.weight)
        roots, stopped = np.empty((records + 1, 2), np.int64), np.empty(records + 1, np.int64)
        cuts = kernels.LimitedCuts(
            self.limits, self.strict, packed, holders, self.least, self.small, self.large, work, tally, roots,
            stopped,
        )  # fmt: skip
        with run.watching(done, records):
            order, _, ends = run.call(grow, cuts, np.arange(records), np.array([records]), done, run.stop)
        roots, stopped = roots[: len(ends)], stopped[: len(ends)]
        by_slot, count, loss = run.call(
            kernels.finish_limited, self.limits, order, ends, roots, stopped, packed, holders, self.least,
            work, run.stop,
        )  # fmt: skip
        group = np.empty(len(persons), np.int32)
        group[slots] = by_slot
        return GroupsFound(group, int(count), float(loss), int(stopped.sum()))

    def search_parts(self, parts: list[NDArray[np.int64]]) -> GroupsFound:
        group = np.empty(len(self.record_of), np.int32)
        groups, total, stopped = 0, 0.0, 0
        for part in parts:
            result = self.search(part)
            group[part] = result.group + groups
            groups, total, stopped = groups + result.groups, total + result.loss, stopped + result.stopped
        return GroupsFound(group, groups, total, stopped)

    def _records(self, persons: NDArray[np.int64]) -> tuple[Packed, NDArray[np.int64]]:
        if len(persons) == len(self.record_of):
            return self.packed, self.record_of
        chosen, number, weight = np.unique(self.record_of[persons], return_inverse=True, return_counts=True)
        part = self.packed._replace(
            weight=weight.astype(np.int64),
            sets=np.ascontiguousarray(self.packed.sets[chosen]),
            ranks=np.ascontiguousarray(self.packed.ranks[:, chosen]),
        )
        return part, number

    def _holders(
        self, record: NDArray[np.int64], holding: NDArray[np.int64], records: int
    ) -> tuple[Holders, NDArray[np.int64]]:
        """The holders of values by record, and the persons by slot."""
        count = max(len(self.held), 1)
        key = record.astype(np.int64) * count + holding
        slots = np.argsort(key, kind="stable")
        ordered = key[slots]
        first = np.flatnonzero(np.r_[np.ones(min(len(ordered), 1), np.bool_), ordered[1:] != ordered[:-1]])
        holders = Holders(
            unit_ptr=np.r_[0, np.cumsum(np.bincount(ordered[first] // count, minlength=records))],
            weight=np.diff(np.r_[first, len(ordered)]),
            holding=ordered[first] % count,
            slot_ptr=np.r_[first, len(ordered)],
            ptr=self.held.ptr.astype(np.int64),
            codes=self.held.codes,
        )
        return holders, slots

    def _tally(self, records: int, ranks: int) -> Tally:
        values = int(self.limits.last.max(initial=0)) + 1
        return Tally(
            whole=np.zeros(values, np.int64),
            left=np.zeros(values, np.int64),
            right=np.zeros(values, np.int64),
            present=np.zeros(values, np.int64),
            bucket=np.zeros(records, np.int64),
            bucket_ptr=np.zeros(ranks + 1, np.int64),
        )


def large_node(persons: int, least: int) -> int:
    """Persons of a node that even clusters are tried in."""
    return max(min(LARGE_NODE, LARGE_WORK // max(persons, 1)), 40 * least)


def held_sets(places: list[tuple[int, Holdings]], persons: int) -> tuple[NDArray[np.int64], Sets]:
    """Per person the number of the set of values held, over all attributes; and these sets."""
    number = np.zeros(persons, np.int64)
    for _, holdings in places:
        own = _numbered(holdings.of_person)
        number = _dense(number * (int(own.max(initial=0)) + 1) + own)
    someone = np.empty(int(number.max(initial=-1)) + 1, np.int64)  # one person per set of values
    someone[number[::-1]] = np.arange(persons)[::-1]
    owners, codes = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for place, holdings in places:
        owner, code = holdings.of_person.expand(someone)
        owners.append(owner)
        codes.append(code.astype(np.int64) + place)
    end = max((place + max(holdings.values, 1) for place, holdings in places), default=1)
    sets = Sets.of_pairs(np.concatenate(owners), np.concatenate(codes), owners=len(someone), codes=end)
    return number, sets


def _numbered(sets: Sets) -> NDArray[np.int64]:
    """A number per set, equal where the sets are."""
    length = np.diff(sets.ptr)
    number = np.zeros(len(sets), np.int64)
    for place in range(int(length.max(initial=0))):
        longer = length > place
        code = np.zeros(len(sets), np.int64)  # 0: the set has ended
        code[longer] = sets.codes[sets.ptr[:-1][longer] + place].astype(np.int64) + 1
        number = _dense(number * (int(code.max()) + 1) + code)
    return number


def _dense(number: NDArray[np.int64]) -> NDArray[np.int64]:
    """Numbered anew without gaps, in the same order; counting is far faster than sorting where it can be."""
    most = int(number.max(initial=0)) + 1
    if most > max(4 * len(number), 1 << 16):
        return np.unique(number, return_inverse=True)[1]
    used = np.bincount(number, minlength=most) > 0
    return (np.cumsum(used) - 1)[number]


def strict_limits(histograms: list[Histogram]) -> PackedLimits:
    """Limits that only allow a part of the way from everybody to what the models allow.

    A node that has used up what a limit allows cannot be divided any further, whoever is in it.
    """
    limits, _ = pack_limits(histograms)
    numbers, reference = limits.numbers.copy(), limits.reference.copy()
    for r, histogram in enumerate(histograms):
        held = np.bincount(histogram.holdings.of_person.codes, minlength=len(histogram.counts))
        share = held / max(held.sum(), 1)
        kind, number = histogram.limit.kind, numbers[r, 0]
        if kind is LimitKind.ENTROPY:
            entropy = -float((share[share > 0] * np.log(share[share > 0])).sum())
            numbers[r, 0] = np.exp(entropy - SLACK * (entropy - np.log(number)))
        elif kind is LimitKind.RECURSIVE:
            ordered = np.sort(held)[::-1]
            least = ordered[0] / max(ordered[int(numbers[r, 1]) - 1 :].sum(), 1)
            numbers[r, 0] = least + SLACK * (number - least)
        elif kind is LimitKind.SHARE:
            own = slice(limits.at[r], limits.at[r] + len(held))
            among = held / max(len(histogram.holdings.of_person), 1)
            reference[own] = among + SLACK * (reference[own] - among)
        elif kind in (LimitKind.EQUAL, LimitKind.LINE, LimitKind.TREE):
            numbers[r, 0] = SLACK * number
    return limits._replace(numbers=numbers, reference=reference)
