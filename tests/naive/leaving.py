"""Leaving persons out one after the other, as one would do it by hand."""

from __future__ import annotations

from tests.naive.tables import group_loss

Person = dict[str, set[object]]


def best_to_leave(group: list[int], people: list[Person], least: int, budget: int) -> tuple[float, list[int]]:
    """Who saves most by leaving a group: all with the same values, if the group can spare them."""
    best: tuple[float, list[int]] = (1e-12, [])
    before = len(group) * group_loss([people[p] for p in group], people)
    for one in group:
        equal = [p for p in group if people[p] == people[one]]
        rest = [p for p in group if p not in equal]
        if not rest or len(rest) < least or len(equal) > budget:
            continue
        saved = before - len(rest) * group_loss([people[p] for p in rest], people) - len(equal)
        if saved > best[0] + 1e-12:
            best = saved, equal
    return best


def without_costly(groups: list[list[int]], people: list[Person], least: int, budget: int) -> set[int]:
    """Who is gone when nobody's leaving saves anything any more."""
    groups, gone = [list(group) for group in groups], set[int]()
    while True:
        found = [(*best_to_leave(group, people, least, budget - len(gone)), group) for group in groups]
        _, leaving, group = max(found, key=lambda one: one[0])
        if not leaving:
            return gone
        gone |= set(leaving)
        group[:] = [p for p in group if p not in leaving]
