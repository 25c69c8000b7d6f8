"""What a privacy model asks of item sets, in numbers that searches and recoders can use."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class ItemPromise:
    """Every set of at most m items that someone holds is held by at least k persons.

    With `l` > 1, at most one in l of them shares any one sensitive item. `whole_table` says that
    the attacker knows no column, so that all persons form one group.
    """

    k: int
    m: int
    l: int = 1
    whole_table: bool = False


def joint_promise(models: Iterable[object]) -> ItemPromise | None:
    """One promise that covers those of all models, or None if none speaks about items.

    Sets held by k persons of a group are held by k persons of the table, so a promise per group
    with the largest k and m covers one about the table.
    """
    promises = [p for p in (getattr(model, "item_promise", None) for model in models) if p is not None]
    if not promises:
        return None
    return ItemPromise(
        k=max(p.k for p in promises),
        m=max(p.m for p in promises),
        l=max(p.l for p in promises),
        whole_table=all(p.whole_table for p in promises),
    )
