"""Millions of different texts told apart and put in order by their hashes, every result looked at.

Polars moves texts fast and compares them slowly where it also has to say where each came from. Numbers that
stand for texts say that; texts that share a number are found by comparing once, and then done the slow way.

Cost        O(n) to tell apart; O(n log n) to put in order
"""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.model._set_kernels import numbered
from heteronym.model.sets import MANY


def distinct_texts(texts: pl.Series) -> tuple[pl.Series, NDArray[np.int32]]:
    """The different texts of a column without missing ones, and which of them every row has."""
    hashes = texts.hash().to_numpy()
    if len(hashes) >= MANY:
        number, first = numbered(hashes, 1 << (2 * len(hashes)).bit_length())
    else:
        _, first, number = np.unique(hashes, return_index=True, return_inverse=True)
    different = texts.gather(first)
    if not (different.gather(number) == texts).all():  # two texts of one hash
        different = texts.unique()
        number = texts.cast(pl.Enum(different)).to_physical().to_numpy()
    return different, number.astype(np.int32)


def text_order(texts: pl.Series) -> NDArray[np.int64]:
    """The order of texts by the alphabet of their bytes; that of equal ones is any."""
    ordered = texts.sort()
    order = np.empty(len(texts), np.int64)
    order[ordered.hash().arg_sort().to_numpy()] = texts.hash().arg_sort().to_numpy()
    if (texts.gather(order) == ordered).all():
        return order
    return texts.arg_sort().to_numpy().astype(np.int64)


def vocabulary_order(whole: pl.DataFrame, telling: list[str]) -> NDArray[np.int64]:
    """Rows by what tells terms apart; the most frequent spelling of each first, ties by the alphabet."""
    if not {"place", "domain", "term"}.issuperset(telling):
        by = [*telling, "count", "spelling"]
        down = [False] * len(telling) + [True, False]
        return whole.select(pl.arg_sort_by(by, descending=down)).to_series().to_numpy().astype(np.int64)
    order = text_order(whole["term"])
    domain = whole["domain"].cast(pl.Enum(whole["domain"].unique().sort())).to_physical().to_numpy()
    head = (whole["place"].to_numpy().astype(np.int64) + 1) * (int(domain.max(initial=0)) + 1) + domain
    small = int(head.max(initial=0)) < 1 << 16  # such numbers are dealt out, not compared
    order = order[np.argsort(head[order].astype(np.uint16 if small else np.int64), kind="stable")]
    term = whole["term"].gather(order)
    new = term.ne_missing(term.shift()).to_numpy() | np.r_[True, np.diff(head[order]) != 0][: len(order)]
    run = np.cumsum(new)
    tied = np.flatnonzero((np.bincount(run) > 1)[run])
    again = whole.select("count", "spelling")[order[tied]].with_columns(run=run[tied])
    by_count = pl.arg_sort_by("run", "count", "spelling", descending=[False, True, False])
    order[tied] = order[tied][again.select(by_count).to_series().to_numpy()]
    return order
