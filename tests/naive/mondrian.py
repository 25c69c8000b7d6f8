"""Mondrian with weight lambda as Singhofer et al. 2021 describe it, and by gain, with numbers and terms.

A person is a pair (numbers, terms): one number per column, and `TYPE:word` entries.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

Person = tuple[tuple[int, ...], frozenset[str]]


def span(people: Sequence[Person], members: Collection[int], attribute: int | str) -> float:
    """Range of a column; number of distinct terms of a type."""
    if isinstance(attribute, int):
        values = [people[p][0][attribute] for p in members]
        return max(values) - min(values)
    return len({t for p in members for t in people[p][1] if t.startswith(attribute + ":")})


def halves(
    people: Sequence[Person], members: Collection[int], attribute: int | str, k: int, *, paper: bool = False
) -> tuple[frozenset[int], frozenset[int]] | None:
    """At the boundary nearest to the median; with and without the most frequent term of the type."""
    members = frozenset(members)
    if isinstance(attribute, int):
        values = sorted({people[p][0][attribute] for p in members})
        lefts = [frozenset(p for p in members if people[p][0][attribute] <= v) for v in values[:-1]]
        allowed = [left for left in lefts if k <= len(left) <= len(members) - k]
        chosen = min(allowed, key=lambda left: (abs(2 * len(left) - len(members)), len(left)), default=None)
    elif paper:
        # every term is mentioned once, so the modal one is the first of the alphabet; none comes before all
        mode = {
            p: min((t for t in people[p][1] if t.startswith(attribute + ":")), default="") for p in members
        }
        names = sorted(set(mode.values()))
        left = frozenset(p for p in members if mode[p] in names[: len(names) // 2])
        chosen = left if k <= len(left) <= len(members) - k else None
    else:
        terms = sorted({t for p in members for t in people[p][1] if t.startswith(attribute + ":")})
        having = [frozenset(p for p in members if t in people[p][1]) for t in terms]
        allowed = [left for left in having if k <= len(left) <= len(members) - k]
        chosen = max(allowed, key=len, default=None)  # the first of the alphabet among equals
    return None if chosen is None else (chosen, members - chosen)


def widest(
    people: Sequence[Person],
    types: Sequence[str],
    weights: Sequence[float],
    lam: float,
    k: int,
    *,
    paper: bool = False,
) -> set[frozenset[int]]:
    """Groups of `cut: widest`, or of `cut: paper`."""
    everyone = frozenset(range(len(people)))
    attributes: list[int | str] = [*(range(len(weights)) if lam > 0 else ()), *(types if lam < 1 else ())]
    full = {a: span(people, everyone, a) for a in attributes}

    def score(attribute: int | str, members: frozenset[int]) -> float:
        part = span(people, members, attribute) / full[attribute]
        if isinstance(attribute, int):
            return (part + (weights[attribute] - 1) + lam) / 2
        return (part + 1 - lam) / 2

    def cut(members: frozenset[int]) -> set[frozenset[int]]:
        if len(members) >= 2 * k:
            wide = [a for a in attributes if span(people, members, a) > 0]
            for attribute in sorted(wide, key=lambda a: -score(a, members)):
                found = halves(people, members, attribute, k, paper=paper)
                if found is not None:
                    return cut(found[0]) | cut(found[1])
        return {members}

    return cut(everyone)


def column_loss(people: Sequence[Person], members: Collection[int]) -> float:
    """Ranges of the columns, each of the range of all persons, times persons."""
    everyone, columns = range(len(people)), range(len(people[0][0]))
    parts = [span(people, members, c) / span(people, everyone, c) for c in columns]
    return len(members) * sum(parts) / len(parts)


def concentration(
    people: Sequence[Person], members: Collection[int], weighed: Collection[str], k: int
) -> float:
    """What keeping terms would be worth, times the fourth power of the share of members who hold them."""
    total = 0.0
    for term in sorted(weighed):
        holders = [p for p in members if term in people[p][1]]
        if len(holders) >= k:
            total += sum(1 / len(people[p][1]) for p in holders) * (len(holders) / len(members)) ** 4
    return total


def best_cut(people: Sequence[Person], members: frozenset[int], lam: float, k: int) -> frozenset[int] | None:
    """The left side of the best of all cuts: the best of each column by columns alone, and six terms."""

    def parted(left: frozenset[int]) -> bool:
        return k <= len(left) <= len(members) - k

    def drop(left: frozenset[int]) -> float:
        return sum(s * column_loss(people, m) for s, m in ((1, members), (-1, left), (-1, members - left)))

    tried = []
    for column in range(len(people[0][0])):
        values = sorted({people[p][0][column] for p in members})
        lefts = [frozenset(p for p in members if people[p][0][column] <= v) for v in values[:-1]]
        tried += [max(filter(parted, lefts), key=drop, default=frozenset())]
    terms = sorted({t for p in members for t in people[p][1]})
    holders = {t: frozenset(p for p in members if t in people[p][1]) for t in terms}
    common = sorted((t for t in terms if parted(holders[t])), key=lambda t: -len(holders[t]))[:6]
    tried += [holders[t] for t in common]
    fewest = max(k, len(holders[common[5]]) // 8) if len(common) == 6 else k
    weighed = [t for t in terms if len(holders[t]) >= fewest]

    def score(left: frozenset[int]) -> float:
        sides = [concentration(people, side, weighed, k) for side in (left, members - left)]
        return lam * drop(left) + (1 - lam) * (sum(sides) - concentration(people, members, weighed, k))

    best = max(filter(None, tried), key=lambda left: round(score(left), 9), default=None)
    return best if best is not None and score(best) > 1e-12 else None


def by_gain(people: Sequence[Person], members: frozenset[int], lam: float, k: int) -> set[frozenset[int]]:
    """Groups of `cut: gain` where lambda is between 0 and 1."""
    left = best_cut(people, members, lam, k) if len(members) >= 2 * k else None
    if left is None:
        return {members}
    return by_gain(people, left, lam, k) | by_gain(people, members - left, lam, k)
