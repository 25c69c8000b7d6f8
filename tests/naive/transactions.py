"""Item sets in plain Python: what the models promise, what the measures say, word for word.

A person is a pair (columns, items): a tuple of released labels, and a set of released items.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations

import numpy as np

from heteronym.model.elements import ElementDomain, Elements
from heteronym.model.person_view import PersonView
from heteronym.model.release import Released
from heteronym.model.sets import Sets

Person = tuple[tuple[str, ...], frozenset[str]]


def subsets(items: Iterable[str], m: int) -> Iterable[frozenset[str]]:
    items = sorted(items)
    for size in range(1, min(m, len(items)) + 1):
        yield from map(frozenset, combinations(items, size))


def is_km_anonymous(sets: Sequence[Collection[str]], k: int, m: int, secret: Collection[str] = ()) -> bool:
    known = [set(items) - set(secret) for items in sets]
    return all(sum(few <= other for other in known) >= k for items in known for few in subsets(items, m))


def groups_of(people: Sequence[Person]) -> list[list[frozenset[str]]]:
    return [
        [items for other, items in people if other == columns]
        for columns in dict.fromkeys(c for c, _ in people)
    ]


def is_kkm_anonymous(people: Sequence[Person], k: int, m: int, secret: Collection[str] = ()) -> bool:
    return all(len(group) >= k and is_km_anonymous(group, k, m, secret) for group in groups_of(people))


def is_lm_diverse(people: Sequence[Person], k: int, l: int, m: int, secret: Collection[str]) -> bool:
    if not is_kkm_anonymous(people, k, m, secret):
        return False
    for group in groups_of(people):
        for items in group:
            for few in [frozenset(), *subsets(items - set(secret), m)]:
                matching = [other for other in group if few <= other]
                for item in secret:
                    if sum(item in other for other in matching) * l > len(matching):
                        return False
    return True


def tncp(sets: Sequence[Collection[str]], size_of: dict[str, int], domain: int) -> float:
    losses = [(size_of[item] - 1) / (domain - 1) for items in sets for item in items]
    return sum(losses) / len(losses)


def utility_loss(label_sizes: Sequence[Sequence[int]]) -> float:
    """Per person the sizes of its labels; single items weigh nothing."""
    total = 0.0
    for sizes in label_sizes:
        if sizes:
            total += sum(2**u - 1 for u in sizes if u > 1) / (2 ** sum(sizes) - 1)
    return total / len(label_sizes)


def spread(first: Collection[int], second: Collection[int]) -> float:
    """BTD of two records."""
    a, b = set(first), set(second)
    return (len(a ^ b) + 1) / (len(a & b) + 1)


def random_sets(
    seed: int, *, persons: int, items: int, longest: int = 5, empty: float = 0.1
) -> list[list[int]]:
    rng = random.Random(seed)
    weights = [1 / (i + 1) for i in range(items)]
    return [
        []
        if rng.random() < empty
        else sorted(set(rng.choices(range(items), weights, k=rng.randint(1, longest))))
        for _ in range(persons)
    ]


def item_view(
    sets: Sequence[Sequence[int]],
    *,
    items: int,
    secret: Collection[int] = (),
    domains: Sequence[int] | None = None,
    columns: tuple = (),
) -> PersonView:
    """A view with item columns only; `domains` numbers the column of each item (ascending)."""
    of_person = Sets(
        np.cumsum([0, *map(len, sets)]).astype(np.int64), np.array([i for s in sets for i in s], np.int32)
    )
    domain = np.array(domains if domains is not None else [0] * items, np.int32)
    rows = np.arange(len(sets), dtype=np.int32)
    elements = Elements(
        tuple(ElementDomain(f"items{d}", is_terms=False) for d in range(int(domain.max(initial=0)) + 1)),
        domain,
        [f"i{number}" for number in range(items)],
        np.isin(np.arange(items), list(secret)),
        of_person,
    )
    return PersonView(columns, elements, rows, len(sets))


def released(people: Sequence[Person], secret: Collection[str] = (), column: str = "items") -> Released:
    """What an auditor sees of these persons, one row each."""
    number_of: dict[str, int] = {}
    rows = [
        sorted(number_of.setdefault(item, len(number_of)) for item in sorted(items)) for _, items in people
    ]
    groups = {columns: n for n, columns in enumerate(dict.fromkeys(c for c, _ in people))}
    return Released(
        group_of_row=np.array([groups[columns] for columns, _ in people], np.int64),
        person_of_row=np.arange(len(people)),
        unit="persons",
        quasi=("column",),
        shown=Sets(
            np.cumsum([0, *map(len, rows)]).astype(np.int64),
            np.array([n for row in rows for n in row], np.int32),
        ),
        labels=[(column, "item", name) for name in number_of],
        sensitive_items=frozenset((column, item) for item in secret),
    )


def utility_loss_as_printed(label_sizes: Sequence[Sequence[int]]) -> float:
    """UL with weight 1 for every label, also for single items."""
    total = 0.0
    for sizes in label_sizes:
        if sizes:
            total += sum(2**u - 1 for u in sizes) / (2 ** sum(sizes) - 1)
    return total / len(label_sizes)


def coat_loss(labels: Sequence[tuple[int, int]], persons: int, domain: int) -> float:
    """COAT's UL: per label of a group its size and its holders; single items lose nothing."""
    return sum((2**size - 1) / (2**domain - 1) * holders / persons for size, holders in labels if size > 1)
