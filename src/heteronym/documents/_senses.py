"""Which sense of a word is meant, what a set of senses has in common, and how likely its base words are.

Reference   Anandan et al. 2012 (paper 003), algorithm 2 and eq. 2
Cost        senses of a word x senses of its neighbours x length of their chains
Randomness  none
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache

from heteronym.knowledge.bases import base, senses_of
from heteronym.knowledge.frequencies import phrase_frequency
from heteronym.knowledge.word_classes import times_seen

_NEIGHBOURS = 12  # words on either side that say what is meant
_COMMON = 5.0  # bits of a shared concept below which it says nothing
_WEIGHT = 0.2  # by how many bits a shared bit makes a sense likelier
_MOST = 3.0  # bits that all neighbours together may add
_LATER = 0.7  # how likely a sense is beside the one before it, where nobody has counted
_ASKED_FOR = 10.0  # times likelier, of the kind that a word before asks for
_EMPTY = 4  # levels of the hierarchy that say nothing
_SURE = 0.75
_ENOUGH = 0.6  # of all senses, by how likely they are


def sense_in_context(term: str, around: Sequence[str], kinds: Sequence[int] = ()) -> int:
    """The likeliest sense beside these words, see `meant_concept`."""
    wordnet = base("wordnet")
    senses = wordnet.senses(term) or [s.node for s in senses_of(term) if s.base == "wordnet"]
    if len(senses) < 2:
        return 1
    return list(senses).index(_likeliest(times_seen(term, senses), around, kinds)[0]) + 1


def common_term(term: str, volume: int) -> tuple[int, float] | None:
    """Algorithm 2: a concept of that volume or more in the lower half of most senses' trees; its coverage.

    The lower half are levels 1 to half the nodes on the path from a sense to the root, rounded down.

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


def meant_concept(seen: Mapping[int, int], around: Sequence[str], kinds: Sequence[int] = ()) -> int:
    """The concept that a word means: its likeliest sense, or what is above that and most of the others.

    A sense is as likely as it was seen in tagged texts, earlier ones first, and likelier for every special
    concept that it shares with a word around, or where it is of the kind that the word before it asks for
    (`kinds`): what is eaten is food. A scooter is a boat or has wheels: a vehicle in any case.
    """
    wordnet = base("wordnet")
    best, likely = _likeliest(seen, around, kinds)
    weights = _weights(seen, likely)
    found = next((h for h in wordnet.chain(best) if weights[h] >= _ENOUGH * sum(likely)), best)
    return best if len(wordnet.chain(found)) <= _EMPTY else found


def concepts_above_most(seen: Mapping[int, int], around: Sequence[str], kinds: Sequence[int]) -> set[int]:
    """Concepts that are right for a word in nearly all cases."""
    _, likely = _likeliest(seen, around, kinds)
    return {h for h, weight in _weights(seen, likely).items() if weight >= _SURE * sum(likely)}


def _weights(nodes: Iterable[int], likely: Sequence[float]) -> dict[int, float]:
    weights: dict[int, float] = {}
    for node, weight in zip(nodes, likely, strict=True):
        for h in base("wordnet").chain(node):
            weights[h] = weights.get(h, 0.0) + weight
    return weights


def _likeliest(
    seen: Mapping[int, int], around: Sequence[str], kinds: Sequence[int]
) -> tuple[int, list[float]]:
    """The likeliest of some senses, of which each was seen so many times, and how likely each is."""
    wordnet = base("wordnet")
    top = math.log2(max(wordnet.leaves))
    trees = _trees(tuple(around[: 2 * _NEIGHBOURS]))
    likely: list[float] = []
    for number, (node, times) in enumerate(seen.items()):
        chain = [(h, top - math.log2(wordnet.leaves[h]) - _COMMON) for h in wordnet.chain(node)]
        shared = sum(next((bits for h, bits in chain if h in tree and bits > 0), 0.0) for tree in trees)
        likely.append((times + 0.5 * _LATER**number) * 2 ** min(_WEIGHT * shared, _MOST))
        if any(h in kinds for h, _ in chain):
            likely[-1] *= _ASKED_FOR
    return list(seen)[likely.index(max(likely))], likely


@lru_cache(1 << 10)
def _trees(around: tuple[str, ...]) -> list[frozenset[int]]:
    """Concepts above the first two senses of each word."""
    wordnet = base("wordnet")
    return [
        frozenset(h for s in senses_of(word)[:2] if s.base == "wordnet" for h in wordnet.chain(s.node))
        for word in dict.fromkeys(around)
    ]
