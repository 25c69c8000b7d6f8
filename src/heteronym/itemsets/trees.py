"""Nodes of hierarchies in place of items inside one group, as few levels up as the promise allows.

Apriori anonymization: sets of growing size are counted; a set with too few holders sends its items
to the cheapest ancestors whose joint count suffices. With all of a node's leaves goes every item
below it (full-subtree recoding). After every size all sets are counted again until none is left,
because joined cuts can make new rare sets. Where two top nodes meet in 1..k-1 persons, only the
root is left: such collapse is a property of hierarchies, blocks do not know it.

Reference   Terrovitis, Mamoulis, Kalnis 2011 (AA)
Guarantee   any m nodes that a person of the group shows are shown by >= k persons of it
Cost        O(rounds * sets * levels^m) bit operations over the group's persons
Randomness  none
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import combinations, product
from operator import and_, or_
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from heteronym.errors import PlanError, PromiseError
from heteronym.itemsets.blocks import Blocked, Objective, Transactions
from heteronym.model.hierarchy import Hierarchy
from heteronym.model.person_view import PersonView
from heteronym.model.promise import ItemPromise

ROOT = "*"


class TreeTransactions(Transactions):
    """The item sets of all persons, ready to be lifted in their hierarchies group by group."""

    def __init__(self, view: PersonView, promise: ItemPromise) -> None:
        super().__init__(view, promise)
        self.trees = ItemTrees(view)

    def blocked(self, members: NDArray[Any], *, effort: float = 1.0) -> Blocked:
        """A block per node that the group shows; `effort` is not needed, as nothing is searched."""
        cut = self.trees.cut(members, self.promise)
        items = np.array(sorted(cut.level), np.int64)
        held = np.array([cut.bits[item].bit_count() for item in items.tolist()], np.int64)
        nodes, block = np.unique([cut.node(item) for item in items.tolist()], return_inverse=True)
        meant = np.array(self.trees.leaves, np.int64)[nodes.astype(np.int64)]
        lost = held * self._unit[self.elements.domain[items]] * (meant[block] - 1)
        return Blocked(items, block.astype(np.int64), float(lost.sum()), meant)


def weighed(
    view: PersonView, promise: ItemPromise, *, items: Literal["sets", "hierarchy"], objective: Objective
) -> Transactions:
    """What generalizes the items of a group in a search, as the recoder of that name will."""
    if items == "hierarchy":
        return TreeTransactions(view, promise)
    return Transactions(view, promise, objective=objective)


class ItemTrees:
    """Nodes of all items columns: per element its path of node numbers, leaf first, root last."""

    def __init__(self, view: PersonView) -> None:
        elements = view.elements
        self.view = view
        self.name: list[str] = []
        self.width: list[float] = []  # leaves below, as a share of the domain
        self.leaves: list[int] = []  # leaves below
        self.below: list[set[int]] = []  # elements below
        self.path: dict[int, list[int]] = {}
        for number, domain in enumerate(elements.domains):
            if domain.is_terms or domain.is_event:
                continue
            hierarchy = elements.hierarchies[number] if number < len(elements.hierarchies) else None
            if hierarchy is None:
                raise PlanError(f"attributes.{domain.name}: recode.items 'hierarchy' needs a hierarchy file")
            self._grow(hierarchy, np.flatnonzero(elements.domain == number))

    def _grow(self, hierarchy: Hierarchy, items: NDArray[Any]) -> None:
        leaf_of = {leaf: place for place, leaf in enumerate(hierarchy.leaves)}
        elements = self.view.elements
        secret = [leaf_of[elements.names[item]] for item in items.tolist() if elements.sensitive[item]]
        open_ = np.ones(len(hierarchy.leaves), np.bool_)
        open_[secret] = False  # no label means a sensitive item
        leaves = int(open_.sum())
        node_of: dict[tuple[int, int], int] = {}
        for item in items.tolist():
            leaf = leaf_of[self.view.elements.names[item]]
            path: list[int] = []
            for level in range(hierarchy.levels + 1):
                top = level == hierarchy.levels
                key = (level, 0 if top else int(hierarchy.node[level, leaf]))
                if key not in node_of:
                    node_of[key] = len(self.name)
                    width = leaves if top else int((open_ & (hierarchy.node[level] == key[1])).sum())
                    self.name.append(ROOT if top else hierarchy.names[level][key[1]])
                    self.width.append((width - 1) / max(leaves - 1, 1))
                    self.leaves.append(width)
                    self.below.append(set())
                node = node_of[key]
                self.below[node].add(item)
                # a node with the same leaves as the one below it is no step up
                if not path or self.width[node] > self.width[path[-1]]:
                    path.append(node)
            self.path[item] = path

    def cut(self, members: NDArray[Any], promise: ItemPromise) -> Cut:
        """Where the items of a group have to stand."""
        elements = self.view.elements
        sets = elements.of_person
        holders: dict[int, list[int]] = {}
        for place, person in enumerate(members.tolist()):
            for item in sets[person].tolist():
                if item in self.path:
                    holders.setdefault(item, []).append(place)
        bits = {item: _bits(places, len(members)) for item, places in holders.items()}
        secret = [b for item, b in bits.items() if elements.sensitive[item]]
        open_items = sorted(item for item in bits if not elements.sensitive[item])
        cut = Cut(self, {item: bits[item] for item in open_items}, secret, promise)
        records = {
            frozenset(i for i in sets[person].tolist() if i in cut.level) for person in members.tolist()
        }
        for size in range(1, promise.m + 1):
            while cut.repair(records, size):
                pass
        return cut


class Cut:
    """Where each item stands on its path, and how many persons that gives a set of nodes."""

    def __init__(
        self, trees: ItemTrees, bits: dict[int, int], secrets: list[int], promise: ItemPromise
    ) -> None:
        self.trees, self.bits, self.secrets, self.promise = trees, bits, secrets, promise
        self.level = dict.fromkeys(bits, 0)
        self._node_bits: dict[int, int] = {}

    def node(self, item: int) -> int:
        return self.trees.path[item][self.level[item]]

    def _held(self, node: int) -> int:
        if node not in self._node_bits:
            parts = (self.bits[item] for item in self.trees.below[node] if item in self.bits)
            self._node_bits[node] = reduce(or_, parts, 0)
        return self._node_bits[node]

    def _rare(self, nodes: Sequence[int]) -> bool:
        matching = reduce(and_, (self._held(node) for node in nodes))
        persons = matching.bit_count()
        if 0 < persons < self.promise.k:
            return True
        return self.promise.l > 1 and any(
            (matching & secret).bit_count() * self.promise.l > persons for secret in self.secrets
        )

    def repair(self, records: set[frozenset[int]], size: int) -> bool:
        """One pass over all sets of at most `size` nodes; True if something was lifted."""
        shown = {frozenset(self.node(item) for item in record) for record in records}
        seen: set[tuple[int, ...]] = set()
        for record in shown:
            for few in range(1, size + 1):
                seen.update(combinations(sorted(record), few))
        lifted = False
        current = {self.node(item) for item in self.level}
        for nodes in sorted(seen, key=lambda s: (len(s), s)):
            # a node that was lifted meanwhile is no longer shown: the next pass counts its heir
            if all(node in current for node in nodes) and self._rare(nodes):
                self._lift(nodes)
                current = {self.node(item) for item in self.level}
                lifted = True
        return lifted

    def _lift(self, nodes: Sequence[int]) -> None:
        paths = []
        for node in nodes:
            item = next(i for i in self.trees.below[node] if i in self.level)
            path = self.trees.path[item]
            paths.append(path[path.index(node) :])

        def cost(image: tuple[int, ...]) -> float:
            return sum(self._cost(old, new) for old, new in zip(nodes, image, strict=True))

        images = sorted((image for image in product(*paths) if image != tuple(nodes)), key=cost)
        roots = tuple(path[-1] for path in paths)
        chosen = next((image for image in images if not self._rare(image)), roots)
        if chosen == tuple(nodes):
            raise PromiseError(
                "the items of a group cannot be generalized enough: even the roots of their hierarchies "
                "are held by too few persons, or too many share a sensitive item"
            )
        for target in chosen:
            for item in self.trees.below[target]:
                if item in self.level:
                    place = self.trees.path[item].index(target)
                    self.level[item] = max(self.level[item], place)

    def _cost(self, old: int, new: int) -> float:
        persons = sum(self.bits[item].bit_count() for item in self.trees.below[new] if item in self.bits)
        return persons * (self.trees.width[new] - self.trees.width[old])


def _bits(places: list[int], count: int) -> int:
    flags = np.zeros(count, np.bool_)
    flags[places] = True
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")
