"""The best blocks of a group by trying all of them; groups with a handful of items only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.naive.transactions import is_km_anonymous, utility_loss


def partitions(items: Sequence[int]) -> Iterator[list[list[int]]]:
    """All ways to put the items into blocks."""
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for smaller in partitions(rest):
        yield [[first], *smaller]
        for place, block in enumerate(smaller):
            yield [*smaller[:place], [first, *block], *smaller[place + 1 :]]


def loss_of_blocks(
    sets: Sequence[Sequence[int]], blocks: Sequence[Sequence[int]], items: int, objective: str
) -> float:
    """Summed loss of the persons: TNCP per item occurrence, or UL per person."""
    size = {item: len(block) for block in blocks for item in block}
    if objective == "tncp":
        return sum((size[item] - 1) / max(items - 1, 1) for held in sets for item in held)
    shown = [[len(block) for block in blocks if set(block) & set(held)] for held in sets]
    return utility_loss(shown) * len(sets)


def is_clean(sets: Sequence[Sequence[int]], blocks: Sequence[Sequence[int]], k: int, m: int) -> bool:
    shown = [frozenset(str(n) for n, block in enumerate(blocks) if set(block) & set(held)) for held in sets]
    return is_km_anonymous(shown, k, m)


def least_loss(sets: Sequence[Sequence[int]], k: int, m: int, *, items: int, objective: str) -> float:
    held = sorted({item for record in sets for item in record})
    return min(
        (
            loss_of_blocks(sets, blocks, items, objective)
            for blocks in partitions(held)
            if is_clean(sets, blocks, k, m)
        ),
        default=float("inf"),
    )
