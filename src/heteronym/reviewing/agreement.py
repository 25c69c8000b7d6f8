"""Two reviewers: where they agree, where they differ, and by how much more than chance.

Reference   Cohen 1960
Cost        O(decisions)
Randomness  none
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from heteronym.io.decisions import CHECKED, NONE, OPEN, Decision, Decisions, now


class Agreement(NamedTuple):
    """Of what both decided."""

    both: int
    agreed: int
    differing: int
    only_first: int
    only_second: int
    kappa: float | None  # None: nothing was decided by both

    def to_dict(self) -> dict[str, float | int | None]:
        return dict(self._asdict())


def kappa(pairs: Sequence[tuple[object, object]]) -> float | None:
    """Agreement beyond chance; 1 where chance alone would agree always, and they do."""
    if not pairs:
        return None
    count = len(pairs)
    agreed = sum(a == b for a, b in pairs) / count
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    chance = sum(first[name] * second[name] for name in first) / count**2
    return 1.0 if chance >= 1.0 else (agreed - chance) / (1 - chance)


def agreement(first: Decisions, second: Decisions) -> Agreement:
    mine, others = _said(first), _said(second)
    both = mine.keys() & others.keys()
    pairs = [(mine[one].verdict, others[one].verdict) for one in sorted(both, key=str)]
    agreed = sum(a == b for a, b in pairs)
    return Agreement(
        len(both), agreed, len(both) - agreed, len(mine) - len(both), len(others) - len(both), kappa(pairs)
    )


def merged(first: Decisions, second: Decisions, *, who: str = "") -> list[Decision]:
    """What has to be added to the first: what only the second decided, and what is open between both."""
    mine = _said(first)
    added: list[Decision] = []
    for one in second.all:
        known = mine.get(one.subject)
        if one.decision == CHECKED:
            if one.subject not in first.of_place:
                added.append(one)
        elif one.decision in (OPEN, NONE):
            continue
        elif known is None:
            added.append(one)
        elif known.verdict != one.verdict:
            name, other = _name(known, "first"), _name(one, "second")
            other += " (second)" if other == name else ""
            said = {name: _words(known), other: _words(one)}
            made = replace(known, decision=OPEN, said=said, who=who, when=now(), id="", same_as=None)
            added.append(made)
    return added


def _said(decisions: Decisions) -> dict[object, Decision]:
    return {one.subject: one for one in decisions.all if one.settles}


def _name(one: Decision, otherwise: str) -> str:
    return one.who or f"the {otherwise}"


def _words(one: Decision) -> str:
    return " ".join(filter(None, one.verdict))
