"""Item labels as the auditor sees them: persons by group, each with the labels it shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import reduce
from itertools import combinations, pairwise
from operator import and_
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.model.release import Released
from heteronym.model.sets import Sets


class ShownItems(NamedTuple):
    """Some persons: what an attacker may know of each, and the sensitive items beside."""

    known: Sets
    secret: Sets


def persons_by_group(released: Released, *, whole_table: bool) -> list[ShownItems]:
    """Persons with the same released columns (or all of them), rows of a person taken together."""
    item = np.array([kind == "item" for _, kind, _ in released.labels], np.bool_)
    secret = np.array(
        [(name, text) in released.sensitive_items for name, _, text in released.labels], np.bool_
    )
    persons, number = np.unique(released.person_of_row, return_inverse=True)
    owner, code, count = number[released.shown.owners()], released.shown.codes, len(persons)

    def sets(which: NDArray[np.bool_]) -> Sets:
        mine = which[code] if len(code) else np.zeros(0, np.bool_)
        return Sets.of_pairs(owner[mine], code[mine], owners=count, codes=max(len(which), 1))

    of_groups = int(released.group_of_row.max(initial=-1)) + 1
    groups_of = _parts(Sets.of_pairs(number, released.group_of_row, owners=count, codes=max(of_groups, 1)))
    members: dict[tuple[int, ...], list[int]] = {}
    for person, numbers in enumerate(groups_of):
        members.setdefault(() if whole_table else numbers, []).append(person)
    known, hidden = sets(item & ~secret), sets(item & secret)
    return [ShownItems(_chosen(known, group), _chosen(hidden, group)) for group in members.values()]


def _chosen(sets: Sets, members: Sequence[int]) -> Sets:
    chosen = np.array(members, np.int64)
    return Sets(np.r_[0, np.cumsum(np.diff(sets.ptr)[chosen])], sets.expand(chosen)[1])


def _parts(sets: Sets) -> list[tuple[int, ...]]:
    ptr, codes = sets.ptr.tolist(), tuple(sets.codes.tolist())
    return [codes[begin:end] for begin, end in pairwise(ptr)]


def _holders(sets: Sets) -> dict[int, int]:
    """Per label the persons that show it, as bits of one whole number."""
    order = np.argsort(sets.codes, kind="stable")
    labels, begins = np.unique(sets.codes[order], return_index=True)
    persons, ends, bits = sets.owners()[order], np.r_[begins, len(order)], {}
    for label, (begin, end) in zip(labels.tolist(), pairwise(ends.tolist()), strict=True):
        flags = np.zeros(len(sets), np.bool_)
        flags[persons[begin:end]] = True
        bits[label] = int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")
    return bits


def rare_sets(group: ShownItems, *, k: int, m: int) -> tuple[int, int]:
    """How many sets of at most m labels fewer than k persons show, and the fewest persons of any.

    A set is shown by no more persons than its subsets, so for each person its largest known sets
    (m labels, or all if it has fewer) decide.
    """
    if m == 1:
        counts = list(Counter(group.known.codes.tolist()).values())
    else:
        holders = _holders(group.known)
        largest: set[tuple[int, ...]] = set()
        for record in set(_parts(group.known)):
            largest.update(combinations(record, min(m, len(record))))
        largest.discard(())
        counts = [reduce(and_, (holders[label] for label in known)).bit_count() for known in largest]
    return sum(count < k for count in counts), min(counts, default=0)


def broken_items(
    released: Released, *, k: int, m: int, l: int = 1, whole_table: bool
) -> tuple[list[str], int]:
    """What breaks a promise about items, in words, and the fewest persons that show anything."""
    groups = persons_by_group(released, whole_table=whole_table)
    sizes = [] if whole_table else [len(group.known) for group in groups]
    found = [rare_sets(group, k=k, m=m) for group in groups]
    short, rare = sum(size < k for size in sizes), sum(sets for sets, _ in found)
    telling = sum(telling_sets(group, l=l, m=m) for group in groups) if l > 1 else 0
    whose = released.unit if whole_table else "of their group"
    reasons = {
        "nobody is released": not groups,
        f"{short} groups have fewer than {k} {released.unit}": short,
        f"{rare} sets of items are shown by fewer than {k} {whose}": rare,
        f"{telling} sets of items tell a sensitive item too surely": telling,
    }
    fewest = min([*sizes, *(least for _, least in found if least)], default=0)
    return [reason for reason, breaks in reasons.items() if breaks], fewest


def telling_sets(group: ShownItems, *, l: int, m: int) -> int:
    """How many sets of at most m known labels tie some sensitive item to more than one in l.

    A rarer combination of sensitive items is implied: it has no more holders than each of its items.
    """
    holders = _holders(group.known)
    secrets = list(_holders(group.secret).values())
    everyone = (1 << len(group.known)) - 1
    known_sets: set[tuple[int, ...]] = {()}
    for record in set(_parts(group.known)):
        for size in range(1, min(m, len(record)) + 1):
            known_sets.update(combinations(record, size))
    telling = 0
    for known in known_sets:
        matching = reduce(and_, (holders[label] for label in known), everyone)
        count = matching.bit_count()
        telling += any((matching & secret).bit_count() * l > count for secret in secrets)
    return telling
