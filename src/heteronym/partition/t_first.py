"""Items first: persons in Gray order of their item sets, cut into chunks.

Reference   Poulis et al. 2013, section 3, TFIRST; Terrovitis et al. 2011, LRA: a baseline that loses
            little in the items and much in the columns
Guarantee   all models admit every group
Cost        O(n log n) comparisons of item rows
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.contracts import Models, Rng
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.partition._clusters import least_size
from heteronym.registry import partitioners
from heteronym.statistics.model_statistics import ModelStatistics


@partitioners.register("t-first")
@dataclass(frozen=True)
class TFirst:
    """Baseline: chunks of persons with similar item sets."""

    chunk: int | None = field(
        default=None,
        metadata={"help": "persons per chunk; left out: forty times the smallest group", "min": 2},
    )

    def partition(self, view: PersonView, *, models: Models, rng: Rng) -> Partition:
        least = least_size(view, models)
        size = max(self.chunk or 40 * least, least)
        statistics = ModelStatistics(view, models)
        done: list[NDArray[Any]] = []
        waiting: NDArray[Any] = np.empty(0, np.int32)
        for chunk in np.array_split(gray_order(view), max(view.persons // size, 1)):
            waiting = np.r_[waiting, chunk].astype(np.int32)
            if statistics.admits(waiting):
                done.append(waiting)
                waiting = np.empty(0, np.int32)
        if len(waiting):
            # every union of admitted groups is admitted, and the whole table is
            while done and not statistics.admits(waiting):
                waiting = np.r_[done.pop(), waiting].astype(np.int32)
            done.append(waiting)
        group = np.empty(view.persons, np.int32)
        for number, chunk in enumerate(done):
            group[chunk] = number
        return Partition(group, {"chunks": len(done)})


def gray_order(view: PersonView) -> NDArray[np.int64]:
    """Persons by the rank of their item row in the binary-reflected Gray code."""
    elements = view.elements
    kept = np.flatnonzero(~elements.is_term & ~elements.is_event & ~elements.sensitive)
    place = np.full(len(elements), -1)
    place[kept] = np.arange(len(kept))
    words = max((len(kept) + 63) // 64, 1)
    packed = np.zeros((view.persons, words), np.uint64)
    step = max(1, 2**26 // (words * 64))
    for begin in range(0, view.persons, step):
        end = min(begin + step, view.persons)
        rows = np.zeros((end - begin, words * 64), np.bool_)
        ptr = elements.of_person.ptr[begin : end + 1]
        codes = place[elements.of_person.codes[ptr[0] : ptr[-1]]]
        owner = np.repeat(np.arange(end - begin), np.diff(ptr))
        rows[owner[codes >= 0], codes[codes >= 0]] = True
        # rank bit i is the parity of the Gray bits up to i
        rank = np.logical_xor.accumulate(rows, axis=1)
        packed[begin:end] = np.packbits(rank, axis=1).view(">u8").astype(np.uint64)
    return np.lexsort(packed.T[::-1])
