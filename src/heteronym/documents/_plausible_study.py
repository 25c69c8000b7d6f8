"""The paper's own searches, for study: exhaustive with pruning, least upper bound, and its two greedy ends.

Reference   Anandan et al. 2012 (paper 003), algorithms 1, 3 to 6; docs/guarantees/plausibility.md
Guarantee   each result is t-plausible; only the exhaustive ones are optimal
Cost        exhaustive: exponential, given up after two million nodes; LUB O(m h); MSGS O((2m)^delta);
            TDGS O(m^2 h)
Randomness  none
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from heteronym.documents._plausible import Choice, Problem
from heteronym.errors import UsageError
from heteronym.run import current

MOST_NODES = 2_000_000


class _Nodes:
    """Counts what a search looks at, and ends it when that is too much."""

    def __init__(self) -> None:
        self.seen = 0

    def look(self) -> None:
        self.seen += 1
        if self.seen % 4096 == 0:
            current().poll()
        if self.seen > MOST_NODES:
            raise UsageError(
                f"exhaustive search was given up after {MOST_NODES:,} nodes; 'exact' finds the same"
            )


def exhaustive_smallest(problem: Problem) -> Choice:
    """Algorithm 1: t-PAT by trying all, cutting off what is already larger than the best."""
    problem.check()
    if problem.volumes is None:
        raise UsageError("the exhaustive search for the smallest product needs a uniform prior")
    volumes = problem.volumes
    nodes = _Nodes()
    best: tuple[int, Choice] = (math.prod(v[-1] for v in volumes) + 1, ())

    def search(chosen: Choice, product: int) -> None:
        nonlocal best
        if len(chosen) == problem.words:
            if problem.t <= product < best[0]:
                best = (product, chosen)
            return
        for option, volume in enumerate(volumes[len(chosen)]):
            nodes.look()
            if product * volume > best[0]:
                return
            search((*chosen, option), product * volume)
            if best[0] == problem.t:
                return

    search((), 1)
    return best[1]


def exhaustive_uniform(problem: Problem) -> Choice:
    """Algorithm 3: uniform t-PAT by trying all, cut off by observations 1 and 2."""
    problem.check()
    m = problem.words
    nodes = _Nodes()
    best: tuple[float, Choice] = (math.inf, ())

    def search(chosen: Choice, entropy: float, spread: float) -> None:
        nonlocal best
        local = (1 - problem.alpha) / m * spread
        if len(chosen) == m:
            cost = problem.cost(chosen)
            if cost < best[0] and problem.reaches(chosen):
                best = (cost, chosen)
            return
        over = (
            entropy >= problem.bits and problem.alpha / m**2 * (entropy - problem.bits) ** 2 + local > best[0]
        )
        if over or local > best[0]:
            return
        for option, x in enumerate(problem.entropies[len(chosen)]):
            nodes.look()
            search((*chosen, option), entropy + x, spread + (x - problem.bits / m) ** 2)

    search((), 0.0, 0.0)
    return best[1] if m else ()


def least_upper_bound(problem: Problem) -> Choice:
    """Algorithm 4, steps 1 to 3: every word up to the first option with at least log t / m bits."""
    problem.check()
    need = problem.bits / max(problem.words, 1)
    chosen = [
        next((i for i, x in enumerate(row) if x >= need - 1e-12), len(row) - 1) for row in problem.entropies
    ]
    while not problem.reaches(chosen):  # some word ends below its share: the others go further
        word = min(
            (i for i, row in enumerate(problem.entropies) if chosen[i] + 1 < len(row)), key=chosen.__getitem__
        )
        chosen[word] += 1
    return tuple(chosen)


def multi_step(problem: Problem, start: Sequence[int], *, delta: int = 1) -> Choice:
    """Algorithm 5: the best of all that lies at most delta steps up or down around the start."""
    best = (problem.cost(start), tuple(start))
    seen = {tuple(start)}
    layer = [tuple(start)]
    for _ in range(delta):
        following: list[Choice] = []
        for choice in layer:
            current().poll()
            for word, row in enumerate(problem.entropies):
                for option in (choice[word] + 1, choice[word] - 1):
                    near = (*choice[:word], option, *choice[word + 1 :])
                    if not 0 <= option < len(row) or near in seen:
                        continue
                    seen.add(near)
                    following.append(near)
                    if problem.reaches(near):
                        best = min(best, (problem.cost(near), near))
        layer = following
    return best[1]


def top_down(problem: Problem, start: Sequence[int]) -> Choice:
    """Algorithm 6: the best single step down, again and again, while it lowers the cost."""
    chosen = tuple(start)
    cost = problem.cost(chosen)
    while True:
        current().poll()
        lower = [
            (*chosen[:word], chosen[word] - 1, *chosen[word + 1 :])
            for word in range(problem.words)
            if chosen[word]
        ]
        offers = [(problem.cost(choice), choice) for choice in lower if problem.reaches(choice)]
        offer = min(offers, default=(math.inf, chosen))
        if offer[0] >= cost:
            return chosen
        cost, chosen = offer


def true_cost(
    entropies: Sequence[float], right: Sequence[bool], roots: Sequence[float], *, t: int, alpha: float = 0.5
) -> float:
    """Eq. 1 over occurrences, where a generalization that its true sense does not have counts as the root."""
    charged = [h if fine else root for h, fine, root in zip(entropies, right, roots, strict=True)]
    problem = Problem(tuple((h,) for h in charged), t, alpha)
    return problem.cost((0,) * len(charged))
