"""Counts of the labels taken so far in one group: does one more label fit among them?

Up to two labels are counted by compiled kernels; more of them, absence and complete records plainly, with
sets of persons as bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.run import current

Ints = NDArray[np.int64]


class Promise(NamedTuple):
    """What is asked of a group's labels; m = 0 means all."""

    k: int
    m: int
    absence: bool = False
    merges: bool = False  # whether masks of several types may read alike

    @property
    def most(self) -> int:
        """The largest j for which "at least j times" is counted."""
        return self.m + 1 if self.absence else self.m


class Candidates(NamedTuple):
    """Labels in the order in which they are tried, each with where it shows, by person, then row."""

    label: Ints
    ptr: Ints
    person: Ints
    row: Ints
    free: NDArray[np.bool_]  # taken without being counted


class Tally:
    """The labels taken in one group."""

    def __init__(
        self, promise: Promise, person: Ints, row: Ints, person_of_row: Ints, persons: int, labels: int
    ) -> None:
        """`person` and `row` are where anything may show."""
        self.promise, self.persons, self.rows = promise, persons, len(person_of_row)
        self.person_of_row = person_of_row
        self._plain: _Plain | None = None
        if promise.m not in (1, 2) or promise.absence:
            self._plain = _Plain(promise, persons, person_of_row, by_row=self.rows > persons)
            return
        # who shows everything on one row shows the same by row
        self.by_row = promise.m != 1 and len(np.unique(row)) > len(np.unique(person))
        span, entries = promise.m, len(person) if promise.m > 1 else 0
        self._lists = (
            np.full(self.persons, -1, np.int64),
            np.empty(entries, np.int64),
            np.empty(entries, np.int64),
            np.arange(self.persons),
        )
        some = entries if self.by_row else 0
        self._row_lists = (
            np.full(self.rows if self.by_row else 0, -1, np.int64),
            np.empty(some, np.int64),
            np.empty(some, np.int64),
        )
        self._state = np.zeros(2, np.int64)
        self._work = (
            np.zeros(labels * span, np.int64),
            np.full(labels * span, -1, np.int64),
            np.empty(labels * span, np.int64),
            np.empty(max(len(person), 1), np.int64),
        )

    def take(self, candidates: Candidates, counted: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which candidates fit, one after the other; those are counted from now on."""
        if self._plain is not None:
            fits = [
                free or self._plain.take(label, person, row, many)
                for (label, person, row), many, free in zip(
                    _one_by_one(candidates), counted, candidates.free, strict=True
                )
            ]
            return np.array(fits, np.bool_)
        from heteronym.privacy import _joint_kernels as kernels

        asked = np.flatnonzero(~candidates.free)
        lengths = np.diff(candidates.ptr)
        inside = np.repeat(~candidates.free, lengths)
        run = current()
        taken = candidates.free.copy()
        taken[asked] = kernels.take(
            np.r_[0, np.cumsum(lengths[asked])],
            candidates.person[inside],
            candidates.row[inside],
            candidates.label[asked],
            counted[asked],
            self.promise.k,
            self.promise.m,
            self.by_row,
            self.person_of_row,
            self._lists,
            self._row_lists,
            self._state,
            self._work,
            run.stop,
        )
        run.poll()
        return taken


def _one_by_one(candidates: Candidates) -> Iterator[tuple[int, Ints, Ints]]:
    for number, label in enumerate(candidates.label.tolist()):
        part = slice(int(candidates.ptr[number]), int(candidates.ptr[number + 1]))
        yield label, candidates.person[part], candidates.row[part]


class _Level:
    """Taken features as bits of their owners: persons, or rows whose persons are counted."""

    def __init__(self, promise: Promise, person_of: Ints, persons: int) -> None:
        self.promise, self.person_of, self.persons = promise, person_of.tolist(), persons
        self.by_row = len(self.person_of) > persons
        self.everyone = (1 << len(self.person_of)) - 1
        self.taken: dict[int, list[int]] = {}  # label -> owners that show it at least 1, 2, ... times
        self.records = [0] * len(self.person_of)  # m = 0: what each owner shows so far, numbered

    def holders(self, bits: int) -> int:
        if not self.by_row:
            return bits.bit_count()
        found = set()
        while bits:
            low = bits & -bits
            found.add(self.person_of[low.bit_length() - 1])
            bits ^= low
        return len(found)

    def enough(self, bits: int) -> bool:
        return bits == 0 or self.holders(bits) >= self.promise.k

    def fits(self, label: int, features: list[int]) -> bool:
        others = [mine for other, mine in self.taken.items() if other != label]
        for feature in features:
            for start in (feature, self.everyone & ~feature) if self.promise.absence else (feature,):
                if not self._combine(start, others, 0, self.promise.m - 1):
                    return False
        return True

    def _combine(self, bits: int, others: list[list[int]], first: int, left: int) -> bool:
        """Whether the owners in `bits`, and those among them with up to `left` more features, are enough."""
        if not self.enough(bits):
            return False
        if not left or not bits:
            return True
        for number in range(first, len(others)):
            for feature in others[number]:
                if not self._combine(bits & feature, others, number + 1, left - 1):
                    return False
                if self.promise.absence and not self._combine(bits & ~feature, others, number + 1, left - 1):
                    return False
        return True

    def records_with(self, times: dict[int, int]) -> list[tuple[int, int]] | None:
        """Each owner's record with one more label, if every complete record keeps enough persons."""
        longer = [(record, times.get(owner, 0)) for owner, record in enumerate(self.records)]
        held: dict[tuple[int, int], set[int]] = {}
        for owner, record in enumerate(longer):
            held.setdefault(record, set()).add(self.person_of[owner])
        if any(len(persons) < self.promise.k for persons in held.values()):
            return None
        return longer


class _Plain:
    """Counts combinations of any size, absence, and complete records."""

    def __init__(self, promise: Promise, persons: int, person_of_row: Ints, *, by_row: bool) -> None:
        self.promise = promise
        self.levels = [_Level(promise, np.arange(persons), persons)]
        if by_row:
            self.levels.append(_Level(promise, person_of_row, persons))

    def take(self, label: int, person: Ints, row: Ints, counted: bool) -> bool:
        owners = [dict(zip(*np.unique(who, return_counts=True), strict=True)) for who in (person, row)]
        if self.promise.m == 0:
            return self._take_records(owners if counted else [dict.fromkeys(o, 1) for o in owners])
        most = self.promise.most if counted else 1
        features = [_features(times, most) for times in owners[: len(self.levels)]]
        if not all(level.fits(label, mine) for level, mine in zip(self.levels, features, strict=True)):
            return False
        for level, mine in zip(self.levels, features, strict=True):
            level.taken[label] = mine
        return True

    def _take_records(self, owners: list[dict[int, int]]) -> bool:
        longer = [level.records_with(times) for level, times in zip(self.levels, owners, strict=False)]
        if any(records is None for records in longer):
            return False
        for level, records in zip(self.levels, longer, strict=True):
            number_of: dict[tuple[int, int], int] = {}
            level.records = [number_of.setdefault(record, len(number_of)) for record in records or ()]
        return True


def _features(times: dict[int, int], most: int) -> list[int]:
    """Owners that show a label at least 1, 2, ... times, as bits, as far as somebody does."""
    features = []
    for j in range(1, most + 1):
        bits = 0
        for owner, often in times.items():
            if often >= j:
                bits |= 1 << int(owner)
        if not bits:
            break
        features.append(bits)
    return features
