"""What an attacker reads from a released label: which of the values it knows may stand behind it.

Written from docs/release-format.md alone. A label that cannot be read (a node of a hierarchy that the
attacker does not have) may stand for anything: such an attacker is weaker than one who has the hierarchy.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.io.values import days, numbers, text_cells
from heteronym.model.attack import Knowledge, ReleasedTable
from heteronym.model.hierarchy import Hierarchy
from heteronym.model.schema import Attribute, Role, Scale
from heteronym.verify.label_forms import is_starred, names_between, set_members, unstarred
from heteronym.verify.labels import leaves_below, meaning

_NUMBER = r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?"
_RANGE = re.compile(rf"\[({_NUMBER})-({_NUMBER})([\])])")
_DAY = r"\d{4}(?:-Q[1-4]|-\d\d(?:-\d\d)?)?"
_DAYS = re.compile(rf"\[({_DAY})-({_DAY})\]|({_DAY})")


@dataclass(frozen=True, repr=False, eq=False)
class KnownColumn:
    """One column in both tables: values by original row, labels by released row, and which fit which.

    The last value means missing. `distance[label, value]` is 0 where the value is all that the label can
    mean and 1 where it cannot be meant.
    """

    name: str
    values: list[Any]
    value_of_row: NDArray[np.int64]
    label_of_row: NDArray[np.int64]
    fits: NDArray[np.bool_]  # [labels, values]
    distance: NDArray[np.float32]  # [labels, values]

    def __repr__(self) -> str:
        return f"KnownColumn({self.name!r}, {self.fits.shape[0]} labels, {self.fits.shape[1]} values)"

    def codes_of(self, values: pl.Series) -> NDArray[np.int64]:
        """Numbers of other people's values; a value that nobody in the data has counts as missing."""
        place = {value: number for number, value in enumerate(self.values)}
        missing = len(self.values)
        return np.array([place.get(v, missing) for v in values.to_list()], np.int64)


def known_columns(
    release: ReleasedTable, knowledge: Knowledge, roles: tuple[Role, ...] = (Role.QUASI,)
) -> list[KnownColumn]:
    """The columns of these roles that both tables have, in the plan's order."""
    released, known = dict(release.frame.schema), dict(knowledge.frame.schema)
    return [
        _known_column(name, attribute, release, knowledge)
        for name, attribute in release.plan.attributes.items()
        if attribute.role in roles
        and name in released
        and name in known
        and not released[name].is_nested()
        and not known[name].is_nested()
    ]


def control_values(
    knowledge: Knowledge, release: ReleasedTable, columns: Sequence[KnownColumn], rows: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Numbers of what these rows of the control group have in the columns."""
    frame: pl.DataFrame = knowledge.control  # type: ignore[assignment]
    chosen = frame[rows.tolist()]
    found = [
        column.codes_of(
            cells_as_values(chosen[column.name], release.plan.attributes[column.name], knowledge.missing)
        )
        for column in columns
    ]
    return np.stack(found, 1) if found else np.zeros((len(rows), 0), np.int64)


def cells_as_values(cells: pl.Series, attribute: Attribute, missing: frozenset[str]) -> pl.Series:
    if attribute.scale is Scale.NUMERIC:
        return numbers(cells, source="data", missing=missing)
    if attribute.scale is Scale.DATE:
        return days(cells, attribute.format, source="data", missing=missing)
    return text_cells(cells, missing)


def _known_column(
    name: str, attribute: Attribute, release: ReleasedTable, knowledge: Knowledge
) -> KnownColumn:
    cells = cells_as_values(knowledge.frame[name], attribute, knowledge.missing)
    values, value_of_row = _numbered(cells)
    shown = release.frame[name].cast(pl.String)
    labels, label_of_row = _numbered(shown)
    hierarchy = knowledge.hierarchies.get(name)
    reader = _reader(attribute, hierarchy, values)
    unreadable = attribute.hierarchy is not None and hierarchy is None
    unreadable |= attribute.recoder == "range" and not attribute.order  # a released plan does not tell it
    fits = np.zeros((len(labels) + 1, len(values) + 1), np.bool_)
    fits[-1, -1] = True  # a missing label means a missing value
    for number, label in enumerate(labels):
        plain = unstarred(str(label)) if attribute.role is Role.QUASI else str(label)
        fits[number] = _fit(plain, reader, len(values), anything=unreadable)
    if attribute.role is not Role.QUASI:  # released as they were, whatever they look like
        texts = {text: number for number, text in enumerate(_spelled(values, attribute, knowledge, name))}
        for number, label in enumerate(labels):
            if str(label) in texts:
                fits[number] = False
                fits[number, texts[str(label)]] = True
    width = np.maximum(fits.sum(1, keepdims=True), 1)
    distance = np.where(fits, 1 - 1 / width, 1).astype(np.float32)
    if attribute.role is Role.QUASI:  # who withholds a value may have any, but most do not
        starred = np.array([*(is_starred(str(label)) for label in labels), False])[:, None]
        distance[starred & ~fits] = 1 - 0.5 / fits.shape[1]
        fits |= starred
    if release.plan.release.numeric == "mean" and attribute.is_interval:
        fits, distance = _from_means(labels, np.array(values, np.float64))
    return KnownColumn(name, values, value_of_row, label_of_row, fits, distance)


def _from_means(
    labels: list[Any], values: NDArray[np.float64]
) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
    """A group's mean rules nobody out; whose value is nearer is likelier."""
    means = np.array([np.nan if label == "*" else float(label) for label in labels])
    width = float(np.ptp(values)) if len(values) else 0.0
    far = np.abs(means[:, None] - values[None, :]) / max(width, 1e-300)
    distance = np.ones((len(labels) + 1, len(values) + 1), np.float32)
    distance[:-1, :-1] = np.where(np.isnan(far), 1.0, np.minimum(far, 1.0))
    return np.ones(distance.shape, np.bool_), distance


def _spelled(values: list[Any], attribute: Attribute, knowledge: Knowledge, name: str) -> list[str]:
    """How the data spells each value."""
    if attribute.scale in (Scale.NOMINAL, Scale.ORDINAL):
        return [str(value) for value in values]
    cells = knowledge.frame[name]
    parsed = cells_as_values(cells, attribute, knowledge.missing)
    spelling = dict(zip(parsed.to_list(), text_cells(cells).to_list(), strict=True))
    return [str(spelling.get(value)) for value in values]


def _numbered(cells: pl.Series) -> tuple[list[Any], NDArray[np.int64]]:
    """Distinct values in order, and the number of each cell; null comes after the last."""
    domain = cells.drop_nulls().unique().sort()
    place = pl.DataFrame({"cell": domain}).with_row_index("number")
    joined = cells.rename("cell").to_frame().join(place, on="cell", how="left", maintain_order="left")
    return domain.to_list(), joined["number"].cast(pl.Int64).fill_null(len(domain)).to_numpy()


Reader = Callable[[str], NDArray[Any] | None]  # which values a part of a label means; None: it cannot be read


def _fit(label: str | None, reader: Reader, values: int, *, anything: bool) -> NDArray[np.bool_]:
    fit = np.zeros(values + 1, np.bool_)
    if label is None:
        fit[values] = True
        return fit
    if label == "*":
        return ~fit
    whole = reader(label)
    if whole is not None:
        fit[whole] = True
        return fit
    parts = set_members(label)
    if len(parts) == 1 and parts[0] == label:
        return ~fit if anything else fit
    for part in parts:
        found = reader(part)
        if part == "":
            fit[values] = True
        elif found is not None:
            fit[found] = True
        elif anything:
            return ~fit
    return fit


def _reader(attribute: Attribute, hierarchy: Hierarchy | None, values: list[Any]) -> Reader:
    place = {str(value): number for number, value in enumerate(values)}
    if hierarchy is not None:
        known = hierarchy

        def node(label: str) -> NDArray[Any] | None:
            leaves = leaves_below(label, known)
            return np.array([place[leaf] for leaf in leaves if leaf in place], np.int64) if leaves else None

        return node
    if attribute.scale is Scale.NUMERIC:
        return _number_reader(np.array(values, np.float64))
    if attribute.scale is Scale.DATE:
        return _day_reader(np.array(values, "datetime64[D]"))

    def name(label: str) -> NDArray[Any] | None:
        if attribute.recoder in ("zip3", "hipaa-values") and label:
            areas = meaning(label, attribute)
            return np.array([n for text, n in place.items() if areas(text)], np.int64)
        if label in place:
            return np.array([place[label]])
        if attribute.recoder == "prefix" and label.endswith("*"):
            return np.array([n for text, n in place.items() if text.startswith(label[:-1])], np.int64)
        between = names_between(label, attribute)
        return np.array([place[name] for name in between if name in place], np.int64) if between else None

    return name


def _number_reader(values: NDArray[np.float64]) -> Reader:
    def read(label: str) -> NDArray[Any] | None:
        if label[-1:] == "+" and label[:-1].isdecimal():
            return np.flatnonzero(values >= float(label[:-1]))
        if label.endswith(" or less"):
            return np.flatnonzero(values <= float(label.removesuffix(" or less")))
        interval = _RANGE.fullmatch(label)
        if interval:
            low, high = float(interval[1]), float(interval[2])
            below = values <= high if interval[3] == "]" else values < high
            return np.flatnonzero((values >= low) & below)
        try:
            return np.flatnonzero(values == float(label))
        except ValueError:
            return None

    return read


def _day_reader(values: NDArray[Any]) -> Reader:
    def read(label: str) -> NDArray[Any] | None:
        if label.endswith(" or earlier"):
            return np.flatnonzero(values < _days_of(label[:4])[1])
        found = _DAYS.fullmatch(label)
        if found is None:
            return None
        try:
            first, last = _days_of(found[1] or found[3])[0], _days_of(found[2] or found[3])[1]
        except ValueError:
            return None
        return np.flatnonzero((values >= first) & (values < last))

    return read


def _days_of(text: str) -> tuple[np.datetime64, np.datetime64]:
    """The first day of a day, month, quarter or year, and the day after its last."""
    if "Q" in text:
        first = np.datetime64(f"{text[:4]}-01", "M") + 3 * (int(text[-1]) - 1)
        return first.astype("datetime64[D]"), (first + 3).astype("datetime64[D]")
    whole: Any = np.datetime64(text)  # in the unit it is written in
    return whole.astype("datetime64[D]"), (whole + 1).astype("datetime64[D]")
