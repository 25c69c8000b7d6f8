"""Terms that tell little alone and much together: "engineer" and "Reus", each common, both in few documents.

A pair tells log2(N / n) bits if n of N reference documents hold both terms. Two terms of a unit (a
sentence, a document) may stay together only if that is at most beta: if N / 2^beta reference documents hold
both. A pair that no document holds tells more than N documents can vouch for, and never may.

Reference   future work of Sanchez, Batet and Viejo 2013 (paper 001) and Anandan et al. 2012 (paper 003)
Guarantee   after `terms_to_hide`, no two kept terms of a unit tell more than beta together, counted in the
            reference documents; nothing is said about three and more terms
Cost        O(pairs of a unit) set intersections
Randomness  none
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import combinations

from heteronym.errors import UsageError

Pair = tuple[str, str]  # in alphabetical order


def holders_of(references: Sequence[Iterable[str]]) -> dict[str, frozenset[int]]:
    """Which reference documents hold a term."""
    found: dict[str, set[int]] = {}
    for number, terms in enumerate(references):
        for term in terms:
            found.setdefault(term, set()).add(number)
    return {term: frozenset(numbers) for term, numbers in found.items()}


def information_together(terms: Iterable[str], holders: Mapping[str, Set[int]], *, documents: int) -> float:
    """Bits that terms tell together; infinite if no reference document holds them all."""
    common = set.intersection(*(set(holders.get(term, ())) for term in terms))
    return math.log2(documents / len(common)) if common else math.inf


def telling_pairs(
    units: Iterable[Iterable[str]], holders: Mapping[str, Set[int]], *, documents: int, beta: float
) -> set[Pair]:
    """Pairs of a unit of which each term alone tells at most beta, and both together more."""
    if documents < 1 or beta < 0 or beta > math.log2(documents):
        most = math.log2(documents) if documents > 0 else 0.0
        raise UsageError(
            f"{documents} reference documents can vouch for a beta between 0 and {most:.2f} bits"
        )
    least = documents / 2**beta - 1e-9  # holders that a pair needs; 2 ** log2(7) is not quite 7
    found: set[Pair] = set()
    for unit in units:
        quiet = sorted({term for term in unit if len(holders.get(term, ())) >= least})
        for first, second in combinations(quiet, 2):
            if len(holders[first] & holders[second]) < least:
                found.add((first, second))
    return found


def terms_to_hide(pairs: Set[Pair], holders: Mapping[str, Set[int]]) -> set[str]:
    """Terms that break all pairs: again and again the one in most of them, of equals the rarer one."""
    left = set(pairs)
    hidden: set[str] = set()
    while left:
        counts = Counter(term for pair in left for term in pair)
        worst = min(counts, key=lambda term: (-counts[term], len(holders.get(term, ())), term))
        hidden.add(worst)
        left = {pair for pair in left if worst not in pair}
    return hidden
