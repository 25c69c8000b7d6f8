"""Choosing generalizations that make a text plausible for t base texts at least cost: the exact solver.

Every word offers options, from itself (volume 1) upwards. A choice is t-plausible if the product of its
volumes is at least t. `optimal` minimizes eq. 1 (uniform t-PAT), `smallest` the product (t-PAT).

Reference   Anandan et al. 2012 (paper 003), definitions 3 and 4
Guarantee   the product of the chosen volumes, as a whole number, is at least t; the cost is minimal
Cost        optimal: 60 lower bounds, then labels (entropy, cost) word by word, of which bounds and
            dominance leave a few dozen; smallest: sums of logarithms as bits of one large number
Randomness  none
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.errors import PromiseError
from heteronym.run import current

Floats = NDArray[np.float64]
Choice = tuple[int, ...]  # the chosen option of each word

LARGEST_EXPONENT = 1000  # of two, in floats
_CLOSE = 1e-9  # bits; below it, whole numbers decide
_GRAIN = 14  # t-PAT counts entropy in 2**-14 bits
_NEIGHBOURS = 6
_MOST_LABELS = 200_000
_MOST_PRODUCTS = 150_000


class InfeasibleError(PromiseError):
    """No generalization reaches t; `largest` can be reached."""

    def __init__(self, t: int, largest: int) -> None:
        shown = f"{largest:,}" if largest < 10**15 else f"about 2^{math.log2(largest):.1f}"
        asked = f"{t:,}" if t < 10**15 else f"2^{math.log2(t):.1f}"
        super().__init__(f"t = {asked} cannot be reached: the most general words allow {shown}")
        self.largest = largest


@dataclass(frozen=True)
class Problem:
    """Entropy of each option of each word, rising; its volumes where every base word is equally likely."""

    entropies: tuple[tuple[float, ...], ...]
    t: int
    alpha: float = 0.5
    volumes: tuple[tuple[int, ...], ...] | None = None

    @cached_property
    def words(self) -> int:
        return len(self.entropies)

    @cached_property
    def bits(self) -> float:
        return math.log2(self.t)

    def entropy(self, choice: Sequence[int]) -> float:
        return math.fsum(options[i] for options, i in zip(self.entropies, choice, strict=True))

    def cost(self, choice: Sequence[int]) -> float:
        """Eq. 1: a/m^2 (H - log t)^2 + (1 - a)/m sum (H_i - log t / m)^2."""
        m = self.words
        if not m:
            return 0.0
        each = math.fsum(
            (options[i] - self.bits / m) ** 2 for options, i in zip(self.entropies, choice, strict=True)
        )
        return self.alpha / m**2 * (self.entropy(choice) - self.bits) ** 2 + (1 - self.alpha) / m * each

    def reaches(self, choice: Sequence[int]) -> bool:
        """Whether the choice is t-plausible, by whole numbers where there are any."""
        if self.volumes is None:
            return self.entropy(choice) >= self.bits - _CLOSE
        return math.prod(v[i] for v, i in zip(self.volumes, choice, strict=True)) >= self.t

    def top(self) -> Choice:
        return tuple(len(options) - 1 for options in self.entropies)

    def check(self) -> None:
        """Refuses what cannot be reached."""
        if self.reaches(self.top()):
            return
        if self.volumes is None:
            raise InfeasibleError(self.t, count_of_bits(math.floor(self.entropy(self.top()))))
        raise InfeasibleError(self.t, math.prod(v[-1] for v in self.volumes))


def count_of_bits(bits: float) -> int:
    """At least 2^bits, as a whole number; floats end at 2^1024."""
    return math.ceil(2**bits) if bits < LARGEST_EXPONENT else 1 << math.ceil(bits)


def uniform(volumes: Sequence[Sequence[int]], t: int, alpha: float = 0.5) -> Problem:
    """The problem where all base words below an option are equally likely."""
    rows = tuple(tuple(row) for row in volumes)
    return Problem(tuple(tuple(math.log2(v) for v in row) for row in rows), t, alpha, rows)


def optimal(problem: Problem) -> Choice:
    """The choice of least cost among the t-plausible ones."""
    problem.check()
    if not problem.words or problem.t == 1:
        return (0,) * problem.words
    if problem.alpha == 1:
        return smallest(problem)
    return _Search(problem).run()


class _Search:
    """Label-setting over words, largest spread of cost first.

    cost = A (S - T)^2 + sum c_i(x_i), S = sum x_i >= T, A = alpha / m^2. For every multiplier l
        cost >= sum_i min_x [c_i(x) + l x] - l T - (l > 0 ? l^2 / 4A : 0),
    because (S - T)^2 >= 2u (S - T) - u^2 for all u and S - T >= 0.
    """

    def __init__(self, problem: Problem) -> None:
        m = problem.words
        self.problem = problem
        self.T = problem.bits
        self.A = problem.alpha / m**2
        options = [np.array(row) for row in problem.entropies]
        costs = [(1 - problem.alpha) / m * (x - self.T / m) ** 2 for x in options]
        self.order = sorted(range(m), key=lambda i: -float(np.ptp(costs[i])))
        self.x = [options[i] for i in self.order]
        self.c = [costs[i] for i in self.order]
        width = max(map(len, self.x))
        self.wide_x = np.full((m, width), np.inf)
        self.wide_c = np.full((m, width), np.inf)
        for i, (x, c) in enumerate(zip(self.x, self.c, strict=True)):
            self.wide_x[i, : len(x)], self.wide_c[i, : len(c)] = x, c
        self.wide_x[np.isinf(self.wide_x)] = 0.0  # their cost is infinite

    def run(self) -> Choice:
        best = self._multiplier()
        start = self._raised(self._greedy(best))
        limit = self.problem.cost(start)
        multipliers = [best, 0.5 * best, best - abs(best) * 0.25 - 1e-6, best + abs(best) * 0.25 + 1e-6]
        multipliers = [l for l in multipliers if l <= 0 or self.A > 0]
        found = self._labels(np.array(multipliers), limit, self.T)
        if found is not None and not self.problem.reaches(found):
            # so close below t that only whole numbers tell: look above it
            found = self._labels(np.array(multipliers), limit, self.T + 2 * _CLOSE)
        candidates = [
            choice for choice in (found, start) if choice is not None and self.problem.reaches(choice)
        ]
        return min(candidates, key=lambda choice: (self.problem.cost(choice), choice))

    def _bound(self, multiplier: float) -> float:
        low = float((self.wide_c + multiplier * self.wide_x).min(axis=1).sum())
        return low - multiplier * self.T - self._penalty(multiplier)

    def _penalty(self, multiplier: float) -> float:
        if multiplier <= 0:
            return 0.0
        return multiplier**2 / (4 * self.A) if self.A > 0 else math.inf

    def _multiplier(self) -> float:
        """Where the concave lower bound is largest."""
        steepest = max(
            float(np.abs(np.diff(c) / np.diff(x)).max(initial=0)) for x, c in zip(self.x, self.c, strict=True)
        )
        low, high = -2 * steepest - 1e-6, (2 * steepest + 1e-6 if self.A > 0 else 0.0)
        for _ in range(60):
            one, two = low + (high - low) * 0.382, low + (high - low) * 0.618
            if self._bound(one) < self._bound(two):
                low = one
            else:
                high = two
        return (low + high) / 2

    def _greedy(self, multiplier: float) -> list[int]:
        """The options that the multiplier picks, raised by the cheapest slope until they reach t."""
        chosen = [int(i) for i in (self.wide_c + multiplier * self.wide_x).argmin(axis=1)]
        while not self._reaches(chosen):
            slopes = [
                ((c[i + 1] - c[i]) / (x[i + 1] - x[i]), word)
                for word, (x, c, i) in enumerate(zip(self.x, self.c, chosen, strict=True))
                if i + 1 < len(x)
            ]
            chosen[min(slopes)[1]] += 1
        return chosen

    def _raised(self, chosen: list[int]) -> Choice:
        """Best single moves until none helps."""
        best = self._cost(chosen)
        moved = True
        while moved:
            moved = False
            total = sum(float(x[i]) for x, i in zip(self.x, chosen, strict=True))
            each = sum(float(c[i]) for c, i in zip(self.c, chosen, strict=True))
            offer = (best, -1, -1)
            for word, (x, c) in enumerate(zip(self.x, self.c, strict=True)):
                now = chosen[word]
                for option in range(len(x)):
                    gap = total - float(x[now]) + float(x[option]) - self.T
                    if option != now and gap > _CLOSE:
                        cost = self.A * gap**2 + each - float(c[now]) + float(c[option])
                        offer = min(offer, (cost, word, option))
            if offer[0] < best - 1e-15:
                best, chosen[offer[1]], moved = offer[0], offer[2], True
        return self._restored(chosen)

    def _labels(self, multipliers: Floats, limit: float, bits: float) -> Choice | None:
        """The cheapest label behind the last word; None if the limit was not beaten."""
        run = current()
        limit += 1e-12 + 1e-12 * abs(limit)
        after = self._suffixes(multipliers)
        least_after = np.append(np.cumsum([c.min() for c in self.c][::-1])[::-1], 0.0)
        most_after = np.append(np.cumsum([x[-1] for x in self.x][::-1])[::-1], 0.0)
        slack = math.sqrt(max(limit - least_after[0], 0.0) / self.A) if self.A > 0 else 0.0
        penalties = np.array([self._penalty(float(l)) for l in multipliers])
        total, cost = np.zeros(1), np.zeros(1)
        trace: list[tuple[NDArray[np.intp], NDArray[np.intp]]] = []
        for word, (x, c) in enumerate(zip(self.x, self.c, strict=True)):
            if word % 16 == 0:
                run.poll()
            totals = (total[:, None] + x).ravel()
            costs = (cost[:, None] + c).ravel()
            gap = totals - bits
            keep = (totals + most_after[word + 1] >= bits - _CLOSE) & (
                costs + self.A * np.maximum(gap, 0.0) ** 2 + least_after[word + 1] <= limit
            )
            for number, multiplier in enumerate(multipliers):
                keep &= costs + multiplier * gap + after[number, word + 1] - penalties[number] <= limit
            kept = np.flatnonzero(keep)
            if not len(kept):
                return None
            kept = kept[_undominated(totals[kept], costs[kept], self.A, slack)]
            total, cost = totals[kept], costs[kept]
            trace.append((kept // len(x), kept % len(x)))
        final = cost + self.A * (total - bits) ** 2
        return self._traced(trace, int(final.argmin()))

    def _suffixes(self, multipliers: Floats) -> Floats:
        least = (self.wide_c[None] + multipliers[:, None, None] * self.wide_x[None]).min(axis=2)
        suffix = np.cumsum(least[:, ::-1], axis=1)[:, ::-1]
        return np.concatenate([suffix, np.zeros((len(multipliers), 1))], axis=1)

    def _traced(self, trace: Sequence[tuple[Any, Any]], label: int) -> Choice:
        chosen = [0] * len(self.x)
        for word in range(len(self.x) - 1, -1, -1):
            before, option = trace[word]
            chosen[word] = int(option[label])
            label = int(before[label])
        return self._restored(chosen)

    def _restored(self, chosen: Sequence[int]) -> Choice:
        back = [0] * len(chosen)
        for place, option in zip(self.order, chosen, strict=True):
            back[place] = option
        return tuple(back)

    def _reaches(self, chosen: Sequence[int]) -> bool:
        return self.problem.reaches(self._restored(chosen))

    def _cost(self, chosen: Sequence[int]) -> float:
        return self.problem.cost(self._restored(chosen))


def _undominated(total: Floats, cost: Floats, weight: float, slack: float) -> NDArray[np.intp]:
    """Labels that another one does not make superfluous.

    a kills b if S_a >= S_b and K_a + A d (d + 2 slack) <= K_b, d = S_a - S_b: whatever completes b within
    the limit has S - T <= slack, and completes a at no higher cost. As d <= D, A d (D + 2 slack) suffices.
    """
    order = np.lexsort((cost, -total))
    total, cost = total[order], cost[order]
    slope = weight * (float(np.ptp(total)) + 2 * slack)
    level = cost + slope * total
    before = np.concatenate([[np.inf], np.minimum.accumulate(level)[:-1]])
    alive = np.flatnonzero(level < before - 1e-15)
    for step in range(1, min(_NEIGHBOURS, len(alive) - 1) + 1):
        if len(alive) <= step:
            break
        d = total[alive[:-step]] - total[alive[step:]]
        killed = cost[alive[:-step]] + weight * d * (d + 2 * slack) <= cost[alive[step:]]
        alive = np.concatenate([alive[:step], alive[step:][~killed]])
    if len(alive) > _MOST_LABELS:  # beyond any text: one label per 2**-20 bits is kept
        _, first = np.unique(np.round(total[alive] * 2**20), return_index=True)
        alive = alive[first]
    return order[alive]


def smallest(problem: Problem) -> Choice:
    """t-PAT: the smallest product that reaches t; of equal ones the cheaper by eq. 1, then lower levels."""
    problem.check()
    if not problem.words or problem.t == 1:
        return (0,) * problem.words
    if problem.volumes is not None:
        found = _smallest_product(problem, problem.volumes)
        if found is not None:
            return found
    return _smallest_sum(problem)


def _smallest_product(problem: Problem, volumes: Sequence[Sequence[int]]) -> Choice | None:
    """All products that can still reach t, last word first; None if there are too many.

    Going backwards, the first of equal labels is the one with the lower levels.
    """
    limit = math.prod(v[i] for v, i in zip(volumes, _smallest_sum(problem), strict=True))
    mean = problem.bits / problem.words
    most_before = [1]
    for row in volumes:
        most_before.append(most_before[-1] * row[-1])
    stages: list[dict[int, tuple[float, int]]] = [{1: (0.0, 0)}]
    tried = 0
    for word in range(problem.words - 1, -1, -1):
        following: dict[int, tuple[float, int]] = {}
        for option, volume in enumerate(volumes[word]):
            local = (problem.entropies[word][option] - mean) ** 2
            for product, (cost, _) in stages[-1].items():
                new = product * volume
                if new <= limit and new * most_before[word] >= problem.t:
                    known = following.get(new)
                    if known is None or cost + local < known[0] - 1e-12:
                        following[new] = (cost + local, option)
        tried += len(stages[-1]) * len(volumes[word])
        if tried > _MOST_PRODUCTS:
            return None
        stages.append(following)
    product = min(stages[-1])
    chosen = []
    for word, stage in enumerate(reversed(stages[1:])):
        chosen.append(stage[product][1])
        product //= volumes[word][chosen[-1]]
    return tuple(chosen)


def _smallest_sum(problem: Problem) -> Choice:
    """Sums of entropies, each rounded down to a grain, as set bits; the first that really reaches t.

    Within m grains of the optimum.
    """
    grains = [[math.floor(x * 2**_GRAIN) for x in row] for row in problem.entropies]
    need = max(0, math.ceil(problem.bits * 2**_GRAIN) - problem.words - 1)
    widest = sum(row[-1] for row in grains)
    mask = (1 << (min(widest, need + max(row[-1] for row in grains) + problem.words) + 1)) - 1
    reach = [1]
    for row in grains:
        now = 0
        for grain in dict.fromkeys(row):
            now |= reach[-1] << grain
        reach.append(now & mask)
    sets = [bits.to_bytes(bits.bit_length() // 8 + 1, "little") for bits in reach]
    for total in range(need, 8 * len(sets[-1])):
        if _holds(sets[-1], total):
            choice = _back(grains, sets, total)
            if problem.reaches(choice):
                return choice
    return problem.top()


def _holds(bits: bytes, number: int) -> bool:
    return number >= 0 and number >> 3 < len(bits) and bits[number >> 3] >> (number & 7) & 1 == 1


def _back(grains: Sequence[Sequence[int]], reach: Sequence[bytes], total: int) -> Choice:
    chosen = []
    for row, before in zip(reversed(grains), reach[-2::-1], strict=True):
        # the highest option of a grain: equal grains, larger volume
        option = next(i for i in range(len(row) - 1, -1, -1) if _holds(before, total - row[i]))
        chosen.append(option)
        total -= row[option]
    return tuple(reversed(chosen))
