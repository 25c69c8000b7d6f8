"""Telling pairs by their definition: every pair of every unit, counted document by document."""

from __future__ import annotations

import math


def telling_pairs(units: list[set[str]], references: list[set[str]], beta: float) -> set[tuple[str, str]]:
    def bits(*terms: str) -> float:
        holding = sum(all(term in reference for term in terms) for reference in references)
        return math.log2(len(references) / holding) if holding else math.inf

    return {
        (a, b)
        for unit in units
        for a in unit
        for b in unit
        if a < b and bits(a) <= beta and bits(b) <= beta and bits(a, b) > beta
    }
