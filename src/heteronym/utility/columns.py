"""Statistics of one column before and after, and how far two columns still go together.

Reference   Cramér 1946 (V); Pearson; earth mover's distance and total variation as in measures/drift
Guarantee   a column that is released as it was has the same statistics before and after
Cost        O(rows + labels * places) per column and pair
Randomness  none

After means: as a reader of the release computes it, who takes all values of a label for equally likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.run import current
from heteronym.utility.read_cells import Bins, Cells, bins_for, shares

PLACES = 12  # of a contingency table, per column
MOST_COLUMNS = 16  # whose pairs are looked at


@dataclass(frozen=True, repr=False, eq=False)
class Both:
    """A column as it was and as it is released, and places that both can be counted in."""

    before: Cells
    after: Cells
    bins: Bins

    @classmethod
    def of(cls, before: Cells, after: Cells) -> Both:
        return cls(before, after, bins_for([before, after], most=PLACES))

    @property
    def name(self) -> str:
        return self.before.name

    @property
    def comparable(self) -> bool:
        return self.before.kind == self.after.kind

    def __repr__(self) -> str:
        return f"Both({self.name!r}, {self.before.kind})"


def statistics(column: Both) -> dict[str, Any]:
    """Both sides of one column, and the distance between them."""
    sides = {"before": _side(column.before), "after": _side(column.after)}
    figures: dict[str, Any] = {"kind": column.before.kind, **sides}
    if column.comparable:
        before, after = (_spread(c, column.bins) for c in (column.before, column.after))
        figures["distance"] = float(np.abs(before - after).sum() / 2)
    figures["lost"] = _shown(column.after) < 2 <= _shown(column.before)
    return figures


def _shown(cells: Cells) -> int:
    """Different cells that a reader sees: labels, and whether one is empty."""
    return len(cells.texts) - 1 + bool(cells.missing)


def _side(cells: Cells) -> dict[str, Any]:
    figures: dict[str, Any] = {
        "missing": cells.missing,
        "suppressed": cells.suppressed,
        "different": len(cells.texts) - 1,
    }
    known, rows = np.isfinite(cells.low), cells.rows
    if cells.kind == "names" or not rows[known].sum():
        return figures
    weight = rows[known] / rows[known].sum()
    middle, width = cells.middle()[known], (cells.high - cells.low)[known]
    mean = float(weight @ middle)
    # values spread evenly over a label vary inside of it as well; whole numbers by (n^2 - 1) / 12
    inside = np.clip(width**2 - cells.step, 0, None) / 12
    quarters = _quantiles(cells, known, (0.25, 0.5, 0.75))
    return figures | {
        "mean": mean,
        "std": float(np.sqrt(weight @ ((middle - mean) ** 2 + inside))),
        "lower_quartile": quarters[0],
        "median": quarters[1],
        "upper_quartile": quarters[2],
    }


def _quantiles(cells: Cells, known: NDArray[np.bool_], wanted: Sequence[float]) -> list[float]:
    """Of the mixture of all labels, each spread evenly over what it covers."""
    low, high, rows = cells.low[known], cells.high[known], cells.rows[known].astype(np.float64)
    edges = np.unique(np.r_[low, high])
    alone = high <= low
    begins, ends = np.searchsorted(edges, low), np.searchsorted(edges, high)
    slope = np.zeros(len(edges) + 1)
    each = rows / np.where(alone, 1.0, high - low)
    np.add.at(slope, begins[~alone], each[~alone])
    np.add.at(slope, ends[~alone], -each[~alone])
    at_once = np.bincount(begins[alone], weights=rows[alone], minlength=len(edges))
    grown = np.r_[0.0, np.cumsum(np.cumsum(slope[:-1])[:-1] * np.diff(edges))]
    below = grown + np.cumsum(at_once) - at_once  # rows below each edge, those exactly there left out
    reached = np.empty(2 * len(edges))
    reached[0::2], reached[1::2] = below, below + at_once
    places = np.repeat(edges, 2)
    found = [float(np.interp(share * rows.sum(), reached, places)) for share in wanted]
    return [float(np.floor(q)) if cells.step else q for q in found]


def _spread(cells: Cells, bins: Bins) -> NDArray[np.float64]:
    counts = cells.rows.astype(np.float64) @ shares(cells, bins)
    return np.asarray(counts / max(counts.sum(), 1e-12), np.float64)


# --- pairs ----------------------------------------------------------------------------------------


def pairs(columns: Sequence[Both]) -> list[dict[str, Any]]:
    """Of every two columns: association before and after, correlation where both are numbers, and drift."""
    chosen = [column for column in columns if column.comparable and column.bins.names][:MOST_COLUMNS]
    parts = {c.name: (shares(c.before, c.bins), shares(c.after, c.bins)) for c in chosen}
    found = []
    for number, first in enumerate(chosen):
        current().tell(number / len(chosen))
        for second in chosen[number + 1 :]:
            tables = [
                _together(a, parts[first.name][side], b, parts[second.name][side])
                for side, (a, b) in enumerate(((first.before, second.before), (first.after, second.after)))
            ]
            figures: dict[str, Any] = {
                "columns": [first.name, second.name],
                "association": {"before": cramers_v(tables[0]), "after": cramers_v(tables[1])},
                "contingency_drift": float(np.abs(tables[0] - tables[1]).sum() / 2),
            }
            if first.before.kind != "names" and second.before.kind != "names":
                figures["correlation"] = {
                    "before": correlation(first.before, second.before),
                    "after": correlation(first.after, second.after),
                }
            found.append(figures)
    return found


def _together(a: Cells, of_a: NDArray[Any], b: Cells, of_b: NDArray[Any]) -> NDArray[np.float64]:
    """Shares of the rows by place of the first and of the second column."""
    span = len(b.texts)
    key, rows = np.unique(a.of_row * span + b.of_row, return_counts=True)
    table = np.zeros((of_a.shape[1], of_b.shape[1]))
    for start in range(0, len(key), 65536):  # label pairs by the thousand, to keep memory flat
        part = slice(start, start + 65536)
        table += (of_a[key[part] // span] * rows[part, None]).T @ of_b[key[part] % span]
    return np.asarray(table / max(table.sum(), 1e-12), np.float64)


def cramers_v(table: NDArray[np.float64]) -> float:
    """0: the columns say nothing about each other; 1: one tells the other."""
    table = table[table.sum(1) > 0][:, table.sum(0) > 0]
    if min(table.shape) < 2:
        return 0.0
    expected = np.outer(table.sum(1), table.sum(0))
    return float(np.sqrt(((table - expected) ** 2 / expected).sum() / (min(table.shape) - 1)))


def correlation(a: Cells, b: Cells) -> float:
    """Pearson's, over rows on which both are known, by the middles of labels."""
    x, y = a.middle()[a.of_row], b.middle()[b.of_row]
    known = np.isfinite(x) & np.isfinite(y)
    x, y = x[known], y[known]
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return 0.0
    return float(np.corrcoef(x, y)[0, 1])
