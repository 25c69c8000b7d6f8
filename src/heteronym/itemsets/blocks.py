"""Blocks of items inside one group, so that m known items never single out fewer than k persons.

Set-based generalization: the items seen in a group are partitioned into blocks, a person releases
the blocks it touches. Greedy merging for a few k' >= k gives a clean start; annealing moves single
items between blocks (and into blocks of their own) while exact supports are kept, and the best
clean state wins. Groups of few items are solved exactly. Blocks never cross an items column.

Reference   Poulis et al. 2013, section 5 (generalization); Loukides et al. 2011 (COAT); the
            annealing is ours
Guarantee   every set of at most m blocks that a person of the group holds is held by >= k persons
            of it, and at most one in l of them shares a sensitive item
Cost        O(rounds * entries * items per record), entries = item occurrences in distinct records
Randomness  none: the walk is seeded by the group's own size
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.errors import PromiseError
from heteronym.itemsets import _block_kernels as kernels
from heteronym.itemsets import _walk_kernels as walks
from heteronym.itemsets._exact_kernels import best_blocks
from heteronym.itemsets._utility_kernels import utility_loss
from heteronym.model.elements import Elements
from heteronym.model.person_view import PersonView
from heteronym.model.promise import ItemPromise
from heteronym.model.sets import Sets
from heteronym.run import current

Objective = Literal["tncp", "ul"]

ROUNDS = 2000.0  # entries read by the search per entry of a large group; small ones settle sooner
LARGE = 15_000  # entries
SMALL = 1000  # entries; below, one start is enough
LEAST = 20_000  # entries read for the smallest group: half a millisecond
MOST_ENTRIES = 2e8  # over all groups: about five seconds
# Greedy merging is unstable: a solution for k' > k is one for k, too, and sometimes the better one.
STARTS = ((1, 0.0), (1, 0.1), (2, 0.0))  # k' / k, penalty on large blocks
# First temperature and first price of a violated set, per walk. No pair is best for all sizes of groups:
# hot walks find more in small groups, cold ones in large ones.
WALKS = ((2.0, 0.5), (0.6, 1.0), (0.3, 0.1))
ALONE = 0.1  # of the effort, where nobody knows two items: no pair constrains a move, few moves suffice
FEW_ITEMS = 8  # up to here all partitions of a group's items are tried
CUBE_SLOTS = 256  # beyond, triples are counted record by record


@dataclass(frozen=True, repr=False, eq=False)
class Blocked:
    """Blocks of one group: `block[i]` is the block number of element `items[i]`."""

    items: NDArray[np.int64]
    block: NDArray[np.int64]
    loss: float  # sum over item occurrences of (items in the block - 1) / (items in the domain - 1)
    meant: NDArray[np.int64] | None = None  # items that a block may mean; None: those that it holds

    def sizes(self) -> NDArray[np.int64]:
        if self.meant is not None:
            return self.meant
        return np.bincount(self.block) if len(self.block) else np.zeros(0, np.int64)


class Transactions:
    """The item sets of all persons, ready to be blocked group by group."""

    def __init__(self, view: PersonView, promise: ItemPromise, *, objective: Objective = "tncp") -> None:
        elements = view.elements
        is_item = ~elements.is_term & ~elements.is_event
        self.promise = promise
        self.objective = objective
        self.elements: Elements = elements
        self.attacker = is_item & ~elements.sensitive
        # without diversity nobody asks which sensitive items a record has
        self.sensitive = is_item & elements.sensitive & (promise.l > 1)
        self.persons = view.persons
        held = self.attacker[elements.of_person.codes]
        self.entries = int(held.sum())
        weight = np.array([d.weight for d in elements.domains], np.float64)
        mean = weight[elements.domain[elements.of_person.codes[held]]].mean() if self.entries else 1.0
        # Loss per occurrence and item of company; columns of items weigh as their attribute says.
        self._unit = weight / np.maximum(elements.domain_sizes() - 1, 1) / mean
        self.rounds = min(ROUNDS, MOST_ENTRIES / max(self.entries, 1))

    def blocked(self, members: NDArray[Any], *, effort: float = 1.0) -> Blocked:
        """Blocks for one group; `effort` scales the search."""
        items, group = self._group(np.asarray(members, np.int64))
        if not len(items):
            return Blocked(items, np.zeros(0, np.int64), 0.0)
        promise = self.promise
        longest = int(np.diff(group.ptr).max())
        m = min(promise.m, longest)
        share = min(1.0, max(0.15, len(group.codes) / LARGE))
        moves = effort * ALONE if m == 1 else effort
        budget = int(moves * max(self.rounds * share * len(group.codes), LEAST))
        walk = 0 if len(items) <= FEW_ITEMS else budget
        entries = int(np.diff(group.ptr) @ group.weight)
        starts = STARTS if effort >= 1 and entries >= SMALL else STARTS[:1]
        need = _Need(m, promise.k, promise.l if group.kinds else 1)
        best = _search(group, need._replace(m=min(m, 2)), walk, starts)
        if m >= 3:
            best = _deepen(group, best, need, walk)
        best = _improved(group, best, need, budget, by_ul=self.objective == "ul")
        _, block = np.unique(best, return_inverse=True)
        size = np.bincount(block)
        loss = float((group.mass * (size[block] - 1)).sum())
        return Blocked(items, block.astype(np.int64), loss)

    def _group(self, members: NDArray[np.int64]) -> tuple[NDArray[np.int64], Any]:
        """The items that members hold, and their distinct records; who holds none of the items has none."""
        owner, codes = self.elements.of_person.expand(members)
        is_item, is_secret = self.attacker[codes], self.sensitive[codes]
        items, number = np.unique(codes[is_item], return_inverse=True)
        secrets, behind = np.unique(codes[is_secret], return_inverse=True)
        local = np.empty(len(codes), np.int64)
        local[is_item], local[is_secret] = number, len(items) + behind
        holds = np.bincount(owner[is_item], minlength=len(members)) > 0
        used = (is_item | is_secret) & holds[owner]
        span = max(len(items) + len(secrets), 1)
        sets, of_member = Sets.of_pairs(owner[used], local[used], owners=len(members), codes=span).distinct()
        _, first, weight = np.unique(of_member, return_index=True, return_counts=True)
        order = np.argsort(first)  # of records by their first holder
        order = order[np.diff(sets.ptr)[order] > 0]
        record, code = sets.expand(order)
        listed = code < len(items)  # sensitive ones come behind
        item, holder = code[listed], record[listed]
        domain = self.elements.domain[items].astype(np.int32)
        held = np.bincount(item, weight[order][holder], minlength=len(items))
        group = kernels.RecordsOfGroup(
            ptr=_begins(holder, len(order)),
            codes=item,
            weight=weight[order],
            iptr=_begins(item, len(items)),
            irec=holder[np.argsort(item, kind="stable")].astype(np.int32),
            sptr=_begins(record[~listed], len(order)),
            sens=code[~listed] - np.int32(len(items)),
            kinds=len(secrets),
            domain=domain,
            mass=held * self._unit[domain],
            stop=current().stop,
            views=None,
        )
        return items.astype(np.int64), group._replace(views=kernels.RecordViews(group))


def _begins(owner: NDArray[Any], owners: int) -> NDArray[np.int64]:
    """Where each owner's entries begin, if they stand in the order of owners."""
    begins: NDArray[np.int64] = np.r_[0, np.cumsum(np.bincount(owner, minlength=owners))]
    return begins


class _Need(NamedTuple):
    """Every set of at most m blocks has k persons, and no sensitive item more than one in l of them."""

    m: int
    k: int
    l: int


def _improved(group: Any, best: NDArray[Any], need: _Need, budget: int, *, by_ul: bool) -> NDArray[Any]:
    """Few items: the best of all partitions. Many: as found, or moved on by utility loss."""
    few, blocks = len(best) <= FEW_ITEMS, len(np.unique(best))
    if not few and (not by_ul or need.m > 3 or (need.m == 3 and (need.l > 1 or blocks > CUBE_SLOTS))):
        return best
    loss = _loss(group, _tables(group, best, 2, spare=False), by_ul)
    if loss == 0:
        return best
    if few:
        loss_now, _ = best_blocks(group.views, np.asarray(best, np.int64), loss, *need, by_ul)
        return np.asarray(loss_now, np.int64)
    return _annealed(group, best, need, 3 * budget, loss, by_ul=True)


def _loss(group: Any, tables: Any, by_ul: bool) -> float:
    if not by_ul:
        return float(kernels.total_loss(tables.views))
    touched = np.full(len(tables.size), -1, np.int64)
    return float(utility_loss(group.views, tables.of_item, tables.size, touched))


def _tables(group: Any, of_item: NDArray[Any], m: int, *, spare: bool) -> Any:
    """Fresh block tables for an assignment, with free slots for new blocks of every domain."""
    names, block = np.unique(of_item, return_inverse=True)
    count = len(names)
    domain = np.empty(count, np.int32)
    domain[block] = group.domain
    if spare:
        limit = CUBE_SLOTS if m >= 3 else count + 160
        room = max(0, min(len(of_item), limit) - count)
        domains, share = np.unique(group.domain, return_counts=True)
        extra = np.repeat(domains, np.ceil(share / len(of_item) * room).astype(np.int64))
        domain = np.r_[domain, extra.astype(np.int32)]
    slots = len(domain)
    cube = slots if m >= 3 else 0
    tables = kernels.Blocks(
        block.astype(np.int32),
        np.bincount(block, minlength=slots).astype(np.int64),
        np.bincount(block, weights=group.mass, minlength=slots),
        domain,
        np.zeros((slots, slots), np.int32),
        np.zeros((group.kinds, slots, slots), np.int32),
        np.zeros((cube, cube, cube), np.int32),
        views=None,
    )
    return tables._replace(views=kernels.BlockViews(tables))


def _search(group: Any, need: _Need, budget: int, starts: Sequence[tuple[int, float]]) -> NDArray[Any]:
    """The best clean assignment for sets of at most two blocks."""
    n, (m, k, l) = len(group.mass), need
    best, best_loss = group.domain.astype(np.int64), np.inf
    whole = _tables(group, best, m, spare=False)
    if kernels.count_supports(group.views, whole.views, m, k, l) == 0:
        best_loss = kernels.total_loss(whole.views)
    for times, penalty in starts:
        start_k = times * k
        tables = _tables(group, np.arange(n), m, spare=False)
        if kernels.count_supports(group.views, tables.views, m, start_k, l) == 0 and start_k == k:
            return np.arange(n)
        walks.merge_until_clean(group.views, tables.views, m, start_k, l, penalty)
        loss, counts = kernels.total_loss(tables.views), np.zeros(n, np.int64)
        if loss < best_loss and kernels.violations(tables.views, *need, counts) == 0:
            best, best_loss = tables.of_item.astype(np.int64), loss
    if best_loss == np.inf:
        raise PromiseError(
            f"the items of a group of {int(group.weight.sum())} persons cannot be generalized enough: "
            f"too few of them hold items, or too many share a sensitive one"
        )
    if budget > 0:
        best = _annealed(group, best, need, budget, best_loss)
    return np.asarray(best, np.int64)


def _annealed(
    group: Any, best: NDArray[Any], need: _Need, budget: int, best_loss: float, *, by_ul: bool = False
) -> NDArray[Any]:
    m, k, l = need
    for number, (heat, toll) in enumerate(WALKS):
        tables = _tables(group, best, m, spare=True)
        unit, seed = best_loss / len(group.mass), len(group.codes) + 1 + number
        share = budget // len(WALKS)
        loss, found = walks.anneal(group.views, tables.views, m, k, l, share, unit, seed, heat, toll, by_ul)
        if loss < best_loss:
            best, best_loss = found, loss
        # The walk may end next to something better than it ever saw clean.
        violated = walks.merge_until_clean(group.views, tables.views, m, k, l, 0.0)
        loss = _loss(group, tables, by_ul)
        if loss < best_loss and violated == 0:
            best, best_loss = tables.of_item, loss
        if best_loss == 0:
            break
    return np.asarray(best, np.int64)


def _deepen(group: Any, of_item: NDArray[Any], need: _Need, budget: int) -> NDArray[Any]:
    """From clean pairs to clean sets of m blocks."""
    blocks = len(np.unique(of_item))
    if blocks <= CUBE_SLOTS and need.l == 1:
        tables = _tables(group, of_item, 3, spare=False)
        triples = _Need(3, need.k, 1)
        kernels.count_supports(group.views, tables.views, *triples)
        walks.merge_until_clean(group.views, tables.views, *triples, 0.0)
        of_item = tables.of_item.astype(np.int64)
        loss = kernels.total_loss(tables.views)
        if budget > 0 and loss > 0:  # otherwise nothing had to be generalized
            of_item = _annealed(group, of_item, triples, budget, loss)
        if need.m == 3:
            return of_item
    return _merge_by_counting(group, of_item, need)


def _merge_by_counting(group: Any, of_item: NDArray[Any], need: _Need) -> NDArray[Any]:
    """Plain repair for any m: merge the two cheapest blocks of some violated set, count again."""
    of_item = of_item.copy()
    items = np.split(group.codes, group.ptr[1:-1])
    secrets = np.split(group.sens, group.sptr[1:-1])
    while True:
        violated = _violated_set(items, secrets, group.weight, of_item, need)
        if violated is None:
            return of_item
        size = {b: int((of_item == b).sum()) for b in np.unique(of_item).tolist()}
        mass = {b: float(group.mass[of_item == b].sum()) for b in size}
        domain = {b: int(group.domain[of_item == b][0]) for b in size}
        pairs = [(a, b) for a in violated for b in size if a != b and domain[a] == domain[b]]
        if not pairs:
            return np.asarray(group.domain, np.int64)
        inside = [p for p in pairs if p[1] in violated]
        a, b = min(inside or pairs, key=lambda p: (mass[p[0]] * size[p[1]] + mass[p[1]] * size[p[0]], p))
        of_item[of_item == b] = a


def _violated_set(
    items: list[Any], secrets: list[Any], weight: Any, of_item: Any, need: _Need
) -> frozenset[int] | None:
    """The violated set with most persons, or None.

    Without diversity the largest sets of each record decide, as smaller ones have more holders.
    """
    m, k, l = need
    records = [frozenset(of_item[codes].tolist()) for codes in items]
    holds: dict[int, NDArray[np.bool_]] = {}
    with_secret: dict[int, NDArray[np.bool_]] = {}
    for found, sets in (holds, records), (with_secret, secrets if l > 1 else ()):
        for number, one in enumerate(sets):
            for code in one:
                found.setdefault(int(code), np.zeros(len(records), np.bool_))[number] = True
    wanted: set[tuple[int, ...]] = set()
    for record in set(records):
        most = min(m, len(record))
        for size in range(1, most + 1) if l > 1 else (most,):
            wanted.update(combinations(sorted(record), size))
    worst, most_persons = None, 0
    for known in sorted(wanted):
        matching = np.logical_and.reduce([holds[block] for block in known])
        persons = int(weight[matching].sum())
        bad = persons < k or any(
            int(weight[matching & secret].sum()) * l > persons for secret in with_secret.values()
        )
        if bad and persons > most_persons:
            worst, most_persons = known, persons
    return None if worst is None else frozenset(worst)
