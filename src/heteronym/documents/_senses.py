"""Which sense of a word is meant, what a set of senses has in common, and how likely its base words are.

Reference   Anandan et al. 2012 (paper 003), algorithm 2 and eq. 2
Cost        senses of a word x senses of its neighbours x length of their chains
Randomness  none
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

from heteronym.knowledge.bases import base, senses_of
from heteronym.knowledge.frequencies import phrase_frequency

_NEIGHBOURS = 12  # words on either side that say what is meant
_USUAL = 1.0  # bits by which an earlier sense goes before the next


def sense_in_context(term: str, around: Sequence[str]) -> int:
    """The sense that shares the most special ancestors with the words around; usual senses go first."""
    wordnet = base("wordnet")
    senses = wordnet.senses(term) or [s.node for s in senses_of(term) if s.base == "wordnet"]
    if len(senses) < 2:
        return 1
    others = [[set(wordnet.chain(s.node)) for s in senses_of(w)[:4] if s.base == "wordnet"] for w in around]
    top = wordnet.leaves[wordnet.chain(senses[0])[-1]]
    scores = []
    for number, sense in enumerate(senses):
        chain = wordnet.chain(sense)
        shared = 0.0
        for trees in others[-2 * _NEIGHBOURS :]:
            common = (math.log2(top / wordnet.leaves[h]) for h in chain if any(h in tree for tree in trees))
            shared += max(common, default=0.0)
        scores.append((shared - _USUAL * number * (1 + 0.1 * len(others)), -number))
    return scores.index(max(scores)) + 1


def common_term(term: str, volume: int) -> tuple[int, float] | None:
    """Algorithm 2: a concept of that volume or more in the lower half of most senses' trees; its coverage.

    It has to lie in the tree of another sense, too; of equal coverage the smaller volume wins.
    """
    wordnet = base("wordnet")
    senses = [s.node for s in senses_of(term) if s.base == "wordnet"]
    if len(senses) < 2:
        return None
    chains = [wordnet.chain(sense) for sense in senses]
    found: dict[int, set[int]] = {}
    for number, chain in enumerate(chains):
        for node in chain[1 : len(chain) // 2 + 1]:
            elsewhere = any(node in other for i, other in enumerate(chains) if i != number)
            if elsewhere and wordnet.leaves[node] >= volume:
                found.setdefault(node, set()).add(number)
    if not found:
        return None
    best = min(found, key=lambda node: (-len(found[node]), wordnet.leaves[node], node))
    return best, len(found[best]) / len(senses)


@cache
def _children(name: str) -> list[list[int]]:
    taxonomy = base(name)
    below: list[list[int]] = [[] for _ in range(len(taxonomy))]
    for node in range(len(taxonomy)):
        for parent in taxonomy.parents(node):
            below[parent].append(node)
    return below


@cache
def entropy_by_frequency(name: str, node: int) -> float:
    """Eq. 2 where base words below a concept are as likely as they are common."""
    below, taxonomy = _children(name), base(name)
    seen, queue = {node}, [node]
    shares = []
    for now in queue:
        if not below[now]:
            shares.append(phrase_frequency(taxonomy.names[now]))
        for child in below[now]:
            if child not in seen:
                seen.add(child)
                queue.append(child)
    total = math.fsum(shares)
    return -math.fsum(p / total * math.log2(p / total) for p in shares if p > 0) if total > 0 else 0.0
