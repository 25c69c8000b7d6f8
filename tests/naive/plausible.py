"""t-plausibility by trying everything."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product


def cost(volumes: Sequence[int], t: int, alpha: float) -> float:
    """Eq. 1 of paper 003."""
    m, bits = len(volumes), math.log2(t)
    entropy = [math.log2(v) for v in volumes]
    return alpha / m**2 * (sum(entropy) - bits) ** 2 + (1 - alpha) / m * sum(
        (h - bits / m) ** 2 for h in entropy
    )


def best(options: Sequence[Sequence[int]], t: int, alpha: float) -> float:
    """The least cost of a choice whose product is at least t."""
    return min(cost(choice, t, alpha) for choice in product(*options) if math.prod(choice) >= t)


def smallest_product(options: Sequence[Sequence[int]], t: int) -> int:
    return min(math.prod(choice) for choice in product(*options) if math.prod(choice) >= t)
