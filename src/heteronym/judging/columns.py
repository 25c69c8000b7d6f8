"""Columns of a release beside those of the data: values and labels in integers, and what labels may mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import InputError
from heteronym.judging.label_forms import Values, is_wiped, read_label
from heteronym.judging.meanings import Ints, Meanings, meanings_of
from heteronym.model.hierarchy import Hierarchy
from heteronym.model.schema import Attribute, Role, Scale
from heteronym.verify.days import day_reader
from heteronym.verify.forms import key_form
from heteronym.verify.values import cell_text

_READABLE = 0.9  # share of the rows whose cells must read as numbers or days for a column of them
KNOWN = (Role.QUASI, Role.EVENT)  # what an attacker knows of everybody


@dataclass(frozen=True, repr=False, eq=False)
class Column:
    """One column on both sides. `source` holds personal data."""

    name: str  # in the data
    released: str  # in the release
    attribute: Attribute
    source: Values
    labels: Sequence[str | None]
    value_of_row: Ints  # of the data; the number of values means missing
    label_of_row: Ints  # of the release
    meanings: Meanings
    shift: int = 0  # what was taken off every label before it was read: a constant that others can find
    is_coded: bool = False  # labels stand for one value each, and nobody can read which

    def __repr__(self) -> str:
        return f"Column({self.name!r}, {len(self.labels)} labels, {len(self.source.texts)} values)"

    @property
    def is_known(self) -> bool:
        """Whether an attacker is taken to know it, and can read it."""
        return self.attribute.role in KNOWN and not self.is_coded

    @property
    def exact(self) -> NDArray[np.bool_]:
        """Which labels are one value."""
        return np.asarray((self.meanings.sizes == 1) & ~self.meanings.missing, np.bool_)

    def fit(self, rows: Ints, originals: Ints) -> NDArray[np.bool_]:
        """Whether original rows fit released ones, pair by pair."""
        return self.meanings.fit(self.label_of_row[rows], self.value_of_row[originals])


def flat_texts(cells: pl.Series) -> list[str | None]:
    """Cells as texts; lists and objects as one text each."""
    if cells.dtype == pl.String:
        return cells.to_list()
    return [cell_text(cell) for cell in cells.to_list()]


def numbered(texts: Sequence[str | None]) -> tuple[list[str | None], Ints]:
    """The different texts, None among them only where it occurs, and which each row has."""
    place: dict[str | None, int] = {}
    rows = np.fromiter((place.setdefault(text, len(place)) for text in texts), np.int64, len(texts))
    return list(place), rows


def read_columns(
    released: pl.DataFrame,
    original: pl.DataFrame,
    attributes: Mapping[str, Attribute],
    *,
    missing: frozenset[str] = frozenset(),
    hierarchies: Mapping[str, Hierarchy],
) -> list[Column]:
    """All columns that both sides have and that hold one value a cell."""
    names = column_names(released.columns, original.columns)
    found = []
    for name, attribute in attributes.items():
        if attribute.role in (Role.TEXT, Role.ITEMS, Role.TERMS) or name not in names:
            continue
        found.append(
            read_column(released[names[name]], original[name], attribute, missing, hierarchies.get(name))
        )
    return found


def column_names(released: Iterable[str], original: Iterable[str]) -> dict[str, str]:
    """Which released column is which of the data: by name, whatever its case and signs."""
    there = list(released)
    loosely = {_loose(name): name for name in there}
    known = list(original)
    found = {name: name for name in known if name in there}
    for name in known:
        other = loosely.get(_loose(name))
        if name not in found and other is not None and other not in found.values():
            found[name] = other
    return found


def _loose(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def read_column(
    released: pl.Series,
    original: pl.Series,
    attribute: Attribute,
    missing: frozenset[str] = frozenset(),
    tree: Hierarchy | None = None,
) -> Column:
    """One column, its labels read."""
    source, value_of_row = _values(original, attribute, missing, tree)
    texts = [None if text is None or not key_form(text) else text for text in flat_texts(released)]
    labels, label_of_row = numbered(texts)
    gone_before = int((value_of_row == len(source.texts)).sum())
    empty = sum(text is None for text in texts)
    column = Column(
        original.name,
        released.name,
        attribute,
        source,
        labels,
        value_of_row,
        label_of_row,
        meanings_of(len(source.texts), []),
    )
    return read_again(column, empty_is_gone=empty > gone_before * len(texts) / max(len(value_of_row), 1))


def read_again(column: Column, *, empty_is_gone: bool) -> Column:
    """The same with the meanings of its labels."""
    source = column.source
    read = [read_label(label, source, empty_is_gone=empty_is_gone) for label in column.labels]
    return replace(column, meanings=meanings_of(len(source.texts), read))


def without_shift(column: Column, shift: int) -> Column:
    """A column of days or numbers whose labels all lie `shift` off, read as if they did not."""
    moved = moments(column)
    numbers = np.asarray(column.source.numbers, np.float64)
    read: list[Any] = []
    for value in moved.tolist():
        if value != value:
            read.append(None)
            continue
        first, last = np.searchsorted(numbers, [value - shift - 0.25, value - shift + 0.25])
        read.append(([(int(first), int(last))], False))
    return replace(column, meanings=meanings_of(len(column.source.texts), read), shift=shift)


def moments(column: Column) -> NDArray[np.float64]:
    """Labels that are single numbers or days as such; NaN for all others."""
    days = column.source.is_days
    read_day = (
        _day_reader([label for label in column.labels if label], column.attribute.format) if days else None
    )
    found = np.full(len(column.labels), np.nan)
    for place, label in enumerate(column.labels):
        if label is None or is_wiped(label):
            continue
        if read_day is not None:
            day = read_day(key_form(label))
            found[place] = np.nan if day is None else day.toordinal()
        else:
            number = _number(label)
            found[place] = np.nan if number is None else number
    return found


def _values(
    cells: pl.Series, attribute: Attribute, missing: frozenset[str], tree: Hierarchy | None
) -> tuple[Values, Ints]:
    gone = {"", *missing}
    texts = [None if text is None or key_form(text) in gone else key_form(text) for text in flat_texts(cells)]
    distinct, rows = numbered(texts)
    known = [text for text in distinct if text is not None]
    more = {"trees": tree, "order": attribute.order, "recoder": attribute.recoder}
    numbers, read_day = _as_numbers(known, attribute)
    if numbers is None:
        ordered = sorted(known)
        values = Values(ordered, **more)  # type: ignore[arg-type]
    else:
        pairs = sorted(zip(numbers, known, strict=True))
        ordered = [text for _, text in pairs]
        is_days = read_day is not None
        values = Values(ordered, [n for n, _ in pairs], is_days, read_day, **more)  # type: ignore[arg-type]
    place: dict[str | None, int] = {text: number for number, text in enumerate(ordered)}
    place[None] = len(ordered)
    of_text = np.fromiter((place[text] for text in distinct), np.int64, len(distinct))
    return values, of_text[rows] if len(distinct) else rows


def _as_numbers(known: Sequence[str], attribute: Attribute) -> tuple[list[float] | None, Any]:
    """Values as numbers or days where the plan says they are, and nearly all can be read so."""
    if attribute.scale is Scale.NUMERIC:
        read = [_number(text) for text in known]
        if known and sum(one is not None for one in read) >= _READABLE * len(known):
            return [float("inf") if one is None else one for one in read], None
    if attribute.scale is Scale.DATE:
        read_day = _day_reader(known, attribute.format)
        if read_day is not None:
            days = [read_day(text) for text in known]
            if known and sum(day is not None for day in days) >= _READABLE * len(known):
                return [float("inf") if day is None else float(day.toordinal()) for day in days], read_day
    return None, None


def _day_reader(texts: Sequence[str], format: str | None) -> Any:
    """A reader of days by the plan's format, that also reads the plain ISO form."""
    try:
        read = day_reader(texts, format)
    except InputError:
        return None

    def either(text: str) -> date | None:
        found = read(text)
        if found is None:
            try:
                return datetime.fromisoformat(text).date()
            except ValueError:
                return None
        return found

    return either


def _number(text: str) -> float | None:
    try:
        found = float(
            text.strip().replace(",", "") if re.fullmatch(r"\s*-?\d{1,3}(,\d{3})+(\.\d+)?\s*", text) else text
        )
    except ValueError:
        return None
    return found if abs(found) < 1e300 else None
