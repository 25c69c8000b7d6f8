"""Merging of clusters as Poulis et al. 2013 print it, one plain step after the other.

A person is a pair (cells, items). Cells are numbers (ranges) or words (sets of values). Where a choice is
open the cluster with the smaller number is taken; a cluster keeps the number of the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tests.naive.transactions import spread

Cells = tuple[int | str, ...]
Record = tuple[Cells, frozenset[str]]
State = dict[int, frozenset[int]]  # cluster number -> its persons


@dataclass(frozen=True)
class Table:
    """All persons, and the weight of every column."""

    people: Sequence[Record]
    weights: Sequence[float]

    def rum(self, cluster: frozenset[int]) -> float:
        """NCP of one person of the cluster."""
        total = 0.0
        for column, weight in enumerate(self.weights):
            everybody = [cells[column] for cells, _ in self.people]
            values = {self.people[p][0][column] for p in cluster}
            if len(values) == 1:
                continue
            if isinstance(everybody[0], int):
                loss = (max(values) - min(values)) / (max(everybody) - min(everybody))  # type: ignore[operator]
            else:
                loss = len(values) / len(set(everybody))
            total += weight * loss
        return total / sum(self.weights)

    def rum_of_all(self, state: State) -> float:
        return sum(len(c) * self.rum(c) for c in state.values()) / len(self.people)

    def btd(self, cluster: frozenset[int]) -> float:
        items = [sorted(map(hash, self.people[p][1])) for p in cluster]
        return max(
            (spread(a, b) for n, a in enumerate(items) for b in items[:n]), default=spread(items[0], items[0])
        )

    def labels(self, cluster: frozenset[int]) -> tuple[object, ...]:
        """What the columns of a cluster cover."""
        columns = range(len(self.weights))
        values = [{self.people[p][0][c] for p in cluster} for c in columns]
        return tuple(
            (min(v), max(v)) if isinstance(next(iter(v)), int) else frozenset(v)  # type: ignore[type-var]
            for v in values
        )

    def joined(self, state: State) -> set[frozenset[int]]:
        """Clusters with equal labels are one group of the release."""
        groups: dict[tuple[object, ...], frozenset[int]] = {}
        for cluster in state.values():
            label = self.labels(cluster)
            groups[label] = groups.get(label, frozenset()) | cluster
        return set(groups.values())


def places(values: Mapping[int, float]) -> dict[int, int]:
    return {number: place for place, number in enumerate(sorted(values, key=lambda n: (values[n], n)))}


def states(
    table: Table,
    start: Sequence[frozenset[int]],
    merge: str,
    *,
    delta: float | None = None,
    nearness: Callable[[frozenset[int]], float] | None = None,
) -> Iterator[State]:
    """The state before the first merge and after every one; `nearness` of items is BTD if not given."""
    nearness = nearness or table.btd
    state: State = dict(enumerate(start))
    stuck: set[int] = set()
    yield dict(state)
    while len(state) > 1:
        seeds = sorted((table.rum(c), n) for n, c in state.items() if n not in stuck)
        if not seeds:
            return
        seed = seeds[0][1]
        others = [n for n in state if n != seed]
        by_columns = {n: table.rum(state[seed] | state[n]) for n in others}
        if merge == "r":
            order = [n for n in sorted(others) if by_columns[n] == min(by_columns.values())]
        else:
            by_items = {n: nearness(state[seed] | state[n]) for n in others}
            if merge == "t":
                order = sorted(others, key=lambda n: (by_items[n], by_columns[n], n))
            else:
                u, v = places(by_columns), places(by_items)
                order = sorted(others, key=lambda n: (u[n] + v[n], by_columns[n], n))
        for other in order:
            after = {n: c for n, c in state.items() if n not in (seed, other)}
            after[seed] = state[seed] | state[other]
            if delta is None or table.rum_of_all(after) <= delta + 1e-12:
                state = after
                stuck.discard(seed)
                yield dict(state)
                break
        else:
            stuck.add(seed)
