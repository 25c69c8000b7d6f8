"""What a reader of a release takes its labels for: numbers, days or names, all values of a label alike.

Written from docs/release-format.md. Original cells are read the same way, each as a label of one value, so
that before and after are compared by one reading. A suppressed cell (`*`) may be anything.

Cost        O(rows) to number the cells; everything else by distinct label
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.io.repeated import REPEATED, distinct_cells
from heteronym.io.values import days, numbers, text_cells
from heteronym.model.hierarchy import Hierarchy
from heteronym.model.schema import Attribute, Role, Scale
from heteronym.verify.entries import read_entries
from heteronym.verify.label_forms import is_starred, set_members, unstarred
from heteronym.verify.labels import leaves_below, split_entries
from heteronym.verify.numbers import labelled

__all__ = [
    "Bins",
    "Cells",
    "bins_for",
    "counted",
    "entries_of",
    "is_drawable",
    "labelled",
    "read_entries",
    "read_labels",
    "read_values",
    "shares",
]

Kind = Literal["numbers", "days", "names"]
SUPPRESSED = "*"
_AS_THEY_WERE = (Role.SENSITIVE, Role.PLAIN)
_NUMBER = r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?"
_RANGE = re.compile(rf"\[({_NUMBER})-({_NUMBER})[\])]")
_DAY = r"\d{4}(?:-Q[1-4]|-\d\d(?:-\d\d)?)?"
_OPEN = re.compile(r"(?<=\d)(?:\+| or earlier| or less)\Z")
_DAYS = re.compile(rf"\[({_DAY})-({_DAY})\]|({_DAY})")


@dataclass(frozen=True, repr=False, eq=False)
class Cells:
    """A column by its distinct labels. Of originals, it holds personal data.

    `low` and `high` are the ends of what a label covers, half-open where `step` is 1 (whole numbers and
    days) and equal for a single number otherwise; NaN where a label can be anything, or is no number.
    """

    name: str
    kind: Kind
    texts: tuple[str | None, ...]  # None, always last, is missing
    of_row: NDArray[np.int64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    step: float = 0.0
    is_labelled: bool = True  # else cells are values, whatever they look like
    stands_for: Mapping[str, Sequence[str]] = field(
        default_factory=dict
    )  # labels that are no sets: nodes, prefixes
    times: NDArray[np.int64] | None = None  # where equal rows stand once, how many they are

    @property
    def rows(self) -> NDArray[np.int64]:
        """How many rows show each label."""
        return np.bincount(self.of_row, self.times, len(self.texts)).astype(np.int64)

    @property
    def missing(self) -> int:
        return int(self.rows[-1])

    @property
    def suppressed(self) -> int:
        if not self.is_labelled:
            return 0
        return int(sum(n for t, n in zip(self.texts, self.rows.tolist(), strict=True) if t == SUPPRESSED))

    def middle(self) -> NDArray[np.float64]:
        """What a label is on average: the middle of what it covers."""
        return (self.low + self.high - self.step) / 2

    def members(self) -> list[list[str]]:
        """Names that each label stands for; none for missing and suppressed."""
        if not self.is_labelled:
            return [[] if t is None else [t] for t in self.texts]
        return [
            [] if t is None or t == SUPPRESSED else list(self.stands_for.get(t, ())) or set_members(t)
            for t in self.texts
        ]

    def __repr__(self) -> str:
        return f"Cells({self.name!r}, {self.kind}, {len(self.texts)} labels)"


def is_drawable(kind: pl.DataType) -> bool:
    """Whether cells of a kind have numbers, days or names to be counted."""
    plain = (pl.String, pl.Boolean, pl.Categorical, pl.Enum, pl.Date, pl.Datetime)
    return kind.is_numeric() or isinstance(kind, plain)


def read_labels(
    cells: pl.Series, attribute: Attribute, *, known: Sequence[str] = (), hierarchy: Hierarchy | None = None
) -> Cells:
    """A released column; who knows the values and the hierarchy reads prefixes and nodes as well."""
    shown = cells
    if attribute.role not in _AS_THEY_WERE:  # few withhold their value: a label is taken for what it tells
        starred = [label for label in cells.unique().cast(pl.String).to_list() if is_starred(label)]
        if starred:
            labels = [unstarred(label) for label in starred]
            shown = cells.cast(pl.String).replace(starred, labels).cast(cells.dtype)
    texts, of_row = _numbered(shown)
    readers = {Scale.NUMERIC: ("numbers", _number_ends), Scale.DATE: ("days", day_ends)}
    if attribute.scale in readers:
        kind, ends = readers[attribute.scale]
        found = np.array([_ends_of(text, ends) for text in texts]).reshape(-1, 2)
        readable = {t for t, pair in zip(texts, found, strict=True) if np.isfinite(pair[0])}
        unreadable = [t for t in texts if t not in (None, SUPPRESSED) and t not in readable]
        if readable and not unreadable:
            whole = kind == "days" or bool((found[np.isfinite(found)] % 1 == 0).all())
            step = 1.0 if whole else 0.0
            high = found[:, 1] + (step if kind == "numbers" else 0.0)
            return Cells(cells.name, kind, texts, of_row, found[:, 0], high, step)  # type: ignore[arg-type]
    nothing = np.full(len(texts), np.nan)
    is_labelled = attribute.role not in _AS_THEY_WERE
    meant = _meant(texts, attribute, known, hierarchy) if is_labelled else {}
    return Cells(cells.name, "names", texts, of_row, nothing, nothing, 0.0, is_labelled, meant)


def _meant(
    texts: Sequence[str | None], attribute: Attribute, known: Sequence[str], hierarchy: Hierarchy | None
) -> dict[str, Sequence[str]]:
    """What nodes of a hierarchy and prefixes stand for, as far as the reader knows the values."""
    labels = [text for text in texts if text is not None and text != SUPPRESSED]
    if hierarchy is not None:
        return {label: sorted(leaves_below(label, hierarchy)) for label in labels}
    if attribute.recoder == "prefix":
        return {t: [n for n in known if n.startswith(t[:-1])] for t in labels if t.endswith("*")}
    return {}


def read_values(cells: pl.Series, attribute: Attribute, missing: frozenset[str] = frozenset()) -> Cells:
    """An original column."""
    if attribute.scale not in (Scale.NUMERIC, Scale.DATE):
        texts, of_row = _numbered(cells, missing)
        nothing = np.full(len(texts), np.nan)
        return Cells(cells.name, "names", texts, of_row, nothing, nothing, is_labelled=False)
    if attribute.scale is Scale.NUMERIC:
        kind: Kind = "numbers"
        values = numbers(cells, source="data", missing=missing).cast(pl.Float64)
        whole = bool((values.drop_nulls() % 1 == 0).all())
    else:
        kind, whole = "days", True
        values = days(cells, attribute.format, source="data", missing=missing)
        values = values.cast(pl.Int32).cast(pl.Float64)
    distinct = values.drop_nulls().unique().sort()
    place = pl.DataFrame({"v": distinct}).with_row_index("n")
    joined = values.rename("v").to_frame().join(place, on="v", how="left", maintain_order="left")
    of_row = joined["n"].cast(pl.Int64).fill_null(len(distinct)).to_numpy()
    low = np.append(distinct.to_numpy(), np.nan)
    step = 1.0 if whole else 0.0
    texts = (*(f"{v:g}" for v in distinct.to_list()), None)
    return Cells(cells.name, kind, texts, of_row, low, low + step, step, is_labelled=False)


def entries_of(cell: Any, separator: str) -> list[str]:
    """Of a cell of a set: its items, terms or labels."""
    if cell is None:
        return []
    if isinstance(cell, (list, tuple)):
        return [str(entry) for entry in cell]
    return split_entries(str(cell), separator)


def _numbered(
    cells: pl.Series, missing: frozenset[str] = frozenset()
) -> tuple[tuple[str | None, ...], NDArray[np.int64]]:
    if cells.dtype == REPEATED:
        different, of_row = distinct_cells(cells)
        known, place = _numbered(different, missing)
        return known, np.append(place, len(known) - 1)[of_row]
    texts = text_cells(cells, missing)
    distinct = texts.drop_nulls().unique().sort()
    codes = texts.cast(pl.Enum(distinct)).to_physical().cast(pl.Int64)
    return (*distinct.to_list(), None), codes.fill_null(len(distinct)).to_numpy()


def _ends_of(text: str | None, reader: Any) -> tuple[float, float]:
    if text is None or text == SUPPRESSED:
        return np.nan, np.nan
    # what is open to one side, `90+` or `1936 or earlier`, is taken for its end
    found = [reader(_OPEN.sub("", part)) for part in set_members(text) if part]
    if not found or any(pair is None for pair in found):
        return np.nan, np.nan
    return min(pair[0] for pair in found), max(pair[1] for pair in found)


def _number_ends(text: str) -> tuple[float, float] | None:
    interval = _RANGE.fullmatch(text)
    try:
        return (float(interval[1]), float(interval[2])) if interval else (float(text), float(text))
    except ValueError:
        return None


def day_ends(text: str) -> tuple[float, float] | None:
    found = _DAYS.fullmatch(text)
    if found is None:
        return None
    try:
        return _period(found[1] or found[3])[0], _period(found[2] or found[3])[1]
    except ValueError:
        return None


def _period(text: str) -> tuple[float, float]:
    """First day of a day, month, quarter or year, and the day after its last, counted from 1970."""
    if "Q" in text:
        first: Any = np.datetime64(f"{text[:4]}-01", "M") + 3 * (int(text[-1]) - 1)
        last = first + 3
    else:
        first = np.datetime64(text)
        last = first + 1
    return tuple(float(t.astype("datetime64[D]").astype(np.int64)) for t in (first, last))  # type: ignore[return-value]


# --- bins -----------------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False, eq=False)
class Bins:
    """Places of a histogram that columns of originals and of labels share."""

    names: tuple[str, ...]
    edges: NDArray[np.float64] | None = None  # half-open; None for names


def bins_for(columns: Sequence[Cells], *, most: int = 20, pool_below: int = 0) -> Bins:
    """At most so many places over all that these columns show; rarer names are one place, `others`."""
    if columns[0].kind == "names" or any(c.kind != columns[0].kind for c in columns):
        return _name_bins(columns[0], most, pool_below)
    ends = np.concatenate([e[np.isfinite(e)] for c in columns for e in (c.low, c.high)])
    if not len(ends):
        return Bins(())
    low, high = float(ends.min()), float(ends.max())
    if columns[0].kind == "days":
        return _day_bins(low, high, most)
    step = max(_round_up((high - low) / most), max(c.step for c in columns)) or 1.0
    first = np.floor(low / step) * step
    edges = first + step * np.arange(int(np.ceil((high - first) / step - 1e-9)) + 1)
    if len(edges) < 2:
        edges = np.array([first, first + step])
    whole = all(c.step == 1 for c in columns)
    names = [
        f"{a:g}" if whole and step == 1 else f"{a:g}-{(b - 1 if whole else b):g}"
        for a, b in pairwise(edges.tolist())
    ]
    return Bins(tuple(names), edges)


def _round_up(least: float) -> float:
    if least <= 0:
        return 0.0
    power = 10.0 ** np.floor(np.log10(least))
    return float(next(m * power for m in (1, 2, 5, 10) if m * power >= least * (1 - 1e-9)))


def _day_bins(low: float, high: float, most: int) -> Bins:
    first, last = (np.datetime64(int(day), "D") for day in (low, high - 1))
    for unit, each in (("D", 1), ("M", 1), ("M", 3), ("Y", 1), ("Y", 2), ("Y", 5), ("Y", 10), ("Y", 50)):
        start: Any = first.astype(f"datetime64[{unit}]")
        start = start - int(start.astype(np.int64)) % each
        count = int((last.astype(f"datetime64[{unit}]") - start).astype(np.int64)) // each + 1
        if count <= most:
            break
    starts = start + each * np.arange(count + 1)
    names = [_period_name(a, b, unit, each) for a, b in pairwise(starts)]
    return Bins(tuple(names), starts.astype("datetime64[D]").astype(np.float64))


def _period_name(first: Any, after: Any, unit: str, each: int) -> str:
    if each == 1:
        return str(first)
    return f"{first}-{after - 1}" if unit == "Y" else f"{str(first)[:4]}-Q{int(str(first)[5:]) // 3 + 1}"


def _name_bins(column: Cells, most: int, pool_below: int) -> Bins:
    weight = _name_weights(column)
    ranked = sorted((name for name, w in weight.items() if w >= pool_below), key=lambda n: (-weight[n], n))
    shown = ranked if len(ranked) == len(weight) <= most else ranked[: most - 1]
    return Bins((*shown, "others") if len(shown) < len(weight) else tuple(shown))


def _name_weights(column: Cells) -> dict[str, float]:
    """Rows of each name; a row that may be several counts in parts."""
    weight: dict[str, float] = {}
    for names, rows in zip(column.members(), column.rows.tolist(), strict=True):
        for name in names:
            weight[name] = weight.get(name, 0.0) + rows / len(names)
    return weight


def shares(column: Cells, bins: Bins) -> NDArray[np.float64]:
    """[labels, places]: the parts in which a label counts, its values taken alike; 0 for what is unknown."""
    if bins.edges is None:
        place = {name: number for number, name in enumerate(bins.names)}
        others = place.get("others") if bins.names[-1:] == ("others",) else None
        found = np.zeros((len(column.texts), len(bins.names)))
        for label, names in enumerate(column.members()):
            for name in names:
                at = place.get(name, others)
                if at is not None:
                    found[label, at] += 1 / len(names)
        return found
    edges = bins.edges
    low, high = column.low[:, None], column.high[:, None]
    alone = high <= low  # a single number: where it falls
    overlap = np.minimum(high, edges[None, 1:]) - np.maximum(low, edges[None, :-1])
    last = (low == edges[-1]) & (edges[None, 1:] == edges[-1])
    inside = (edges[None, :-1] <= low) & ((low < edges[None, 1:]) | last)
    parts = np.where(alone, inside, np.clip(overlap, 0, None) / np.where(alone, 1.0, high - low))
    return np.where(np.isfinite(low), parts, 0.0)


def counted(column: Cells, bins: Bins) -> NDArray[np.float64]:
    """Rows in each place."""
    return np.asarray(column.rows.astype(np.float64) @ shares(column, bins), np.float64)
