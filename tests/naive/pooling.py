"""The slow, obvious twin of generalizing recoding where all members must show the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Held = Mapping[int, Mapping[str, frozenset[str]]]  # person -> element -> columns in which it shows


def pooled(
    members: Sequence[int], held: Held, kept: frozenset[str], ladders: Mapping[str, Sequence[tuple[int, str]]]
) -> dict[str, str]:
    """The label of each element of one group that gets one; the smallest labels are given first."""
    elements = {e for p in members for e in held[p]}
    found: dict[str, str] = {}
    for _, label in sorted({rung for e in elements for rung in ladders.get(e, ())}):
        mine = {e for e in elements if label in [text for _, text in ladders.get(e, ())]}
        mine -= kept | set(found)
        shows = [frozenset().union(*(held[p][e] for e in mine & set(held[p]))) for p in members]
        if mine and all(columns and columns == shows[0] for columns in shows):
            found |= dict.fromkeys(mine, label)
    return found
