"""Which cells are better withheld, by trying all ways. Small groups only."""

from __future__ import annotations

from itertools import combinations

from tests.naive.tables import ROLES, published_loss

Person = dict[str, set[object]]


def group_loss_of(name: str, group: list[Person], away: set[int], domain: set[object]) -> float:
    """What all members lose together in a column, if those at these places withhold their cell."""
    told = [person[name] for place, person in enumerate(group) if place not in away]
    return len(told) * published_loss(name, set().union(*told), domain) + len(away)


def best_gains(name: str, group: list[Person], domain: set[object]) -> list[float]:
    """For each number of cells the largest gain; more members are told than withheld."""
    before = group_loss_of(name, group, set(), domain)
    return [
        max(
            before - group_loss_of(name, group, set(away), domain)
            for away in combinations(range(len(group)), n)
        )
        for n in range((len(group) + 1) // 2)
    ]


def gains_by_holders(name: str, group: list[Person], domain: set[object], order: list[object]) -> list[float]:
    """The same where values of a set go one after the other, the rarest first; -1: not reached."""
    before = group_loss_of(name, group, set(), domain)
    most = (len(group) - 1) // 2
    gains, away = [0.0] + [-1.0] * most, set[int]()
    held = {value: sum(value in person[name] for person in group) for value in order}
    for value in sorted((v for v in order if held[v]), key=lambda v: held[v]):
        more = {place for place, person in enumerate(group) if value in person[name]} - away
        if not more:
            continue
        if len(away | more) > most:
            break
        away |= more
        gains[len(away)] = before - group_loss_of(name, group, away, domain)
    return gains


def corners(gains: list[float]) -> list[tuple[int, float]]:
    """Numbers of cells and gains that no mixture of others beats, up to the largest gain."""
    found, at = [], 0
    while True:
        steps = [
            ((gains[n] - gains[at]) / (n - at), -n)
            for n in range(at + 1, len(gains))
            if gains[n] > gains[at] + 1e-9
        ]
        if not steps:
            return found
        best = max(slope for slope, _ in steps)
        at = max(-n for slope, n in steps if slope > best - 1e-9)
        found.append((at, gains[at]))


def greedy(found: list[tuple[float, list[tuple[int, float]]]], budget: int) -> float:
    """Total gain if steps are taken by their gain per cell; each item is a weight and its corners."""
    steps = []
    for item, (weight, points) in enumerate(found):
        cells, gain = 0, 0.0
        for n, (more, total) in enumerate(points):
            steps.append(
                (-weight * (total - gain) / (more - cells), item, n, more - cells, weight * (total - gain))
            )
            cells, gain = more, total
    total, broken = 0.0, set[int]()
    for _, item, _, cells, gain in sorted(steps):
        if item in broken:
            continue
        if cells > budget:
            broken.add(item)
            continue
        budget -= cells
        total += gain
    return total


def weight_of(name: str) -> float:
    return ROLES[name].weight
