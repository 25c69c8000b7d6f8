"""Cells into values for the auditor: texts, numbers, days and persons, read by rules of its own.

Everything is done once per different cell: `coded` says which of its different cells each row has.
What does not fit the column's scale is refused by column and row number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import InputError, row_list
from heteronym.model.release import Check
from heteronym.model.schema import Attribute, Scale
from heteronym.verify.days import day_reader
from heteronym.verify.forms import key_form

_WHOLE = re.compile(r"[+-]?[0-9]{1,19}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


@dataclass(frozen=True, repr=False, eq=False)
class Coded:
    """A column as its different cells and, for each row, which of them it has."""

    code: NDArray[np.int64]
    values: Sequence[Any]

    def of(self, rows: NDArray[np.int64]) -> Coded:
        return Coded(self.code[rows], self.values)

    def mapped(self, change: Callable[[Any], Any]) -> Coded:
        return Coded(self.code, [change(value) for value in self.values])

    def by_row(self) -> list[Any]:
        return [self.values[code] for code in self.code.tolist()]

    def __repr__(self) -> str:
        return f"Coded({len(self.code)} rows, {len(self.values)} different)"


def coded(cells: pl.Series) -> Coded:
    """The different cells of a column, missing as None."""
    if cells.dtype.is_nested() or cells.dtype in (pl.Object, pl.Binary, pl.Null):
        number: dict[str, int] = {}
        values = [None if v is None else v.to_list() if isinstance(v, pl.Series) else v for v in cells]
        codes = [number.setdefault(nested_text(v), len(number)) for v in values]
        first: dict[int, Any] = {}
        for one, value in zip(codes, values, strict=True):
            first.setdefault(one, value)
        return Coded(np.array(codes, np.int64), [first[n] for n in range(len(number))])
    if cells.dtype == pl.Float32:  # as it is written: 0.2, and not the nearest number of twice the length
        cells = cells.cast(pl.String).cast(pl.Float64)
    different = cells.unique(maintain_order=False).drop_nulls()
    if isinstance(cells.dtype, (pl.Categorical, pl.Enum)):
        return _coded_categories(cells, different)
    if cells.dtype == pl.String:
        place = cells.cast(pl.Enum(different)).to_physical()
    else:
        table = pl.DataFrame({"cell": different}).with_row_index("place")
        place = cells.to_frame("cell").join(table, on="cell", how="left", maintain_order="left")["place"]
    code = place.cast(pl.Int64).fill_null(len(different)).to_numpy()
    return Coded(code, [*different.to_list(), None])


def _coded_categories(cells: pl.Series, different: pl.Series) -> Coded:
    known = different.to_physical().to_numpy()
    nothing = int(known.max(initial=0)) + 1
    place = np.full(nothing + 1, len(different), np.int64)
    place[known] = np.arange(len(different))
    code = place[cells.to_physical().cast(pl.UInt32).fill_null(nothing).to_numpy()]
    return Coded(code, [*different.cast(pl.String).to_list(), None])


def nested_text(value: Any) -> str:
    """A list or object as text that is the same for the same content; keys without value do not count."""
    return json.dumps(_bare(value), ensure_ascii=False, sort_keys=True, default=_scalar_text)


def _bare(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _bare(inner) for key, inner in value.items() if inner is not None}
    if isinstance(value, (list, tuple)):
        return [_bare(inner) for inner in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _scalar_text(value: Any) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)


def cell_text(value: Any) -> str | None:
    """A cell as a reader of a text file would see it; None for nothing."""
    if value is None or value != value:
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "True" if value else "False"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 2**63 else repr(value)
    if isinstance(value, (list, tuple, dict)):
        return nested_text(value)
    if isinstance(value, datetime):
        return value.isoformat(" ")
    return _scalar_text(value)


def texts(cells: Coded, missing: Collection[str] = ()) -> Coded:
    """Cells as texts; blank ones and those that mean missing as None."""
    gone = {"", *missing}

    def read(value: Any) -> str | None:
        text = cell_text(value)
        return None if text is None or key_form(text) in gone else text

    return cells.mapped(read)


def numbers(cells: Coded, *, column: str, missing: Collection[str] = ()) -> Coded:
    """Cells as whole numbers where all are whole, else as floats."""
    known = texts(cells, missing)
    read = [None if text is None else _number(key_form(text)) for text in known.values]
    bad = [n for n, text in enumerate(known.values) if text is not None and read[n] is None]
    if bad:
        raise InputError(f"column '{column}': {_rows_with(cells, bad)} cannot be read as numbers")
    if not all(value is None or isinstance(value, int) for value in read):
        read = [None if value is None else float(value) for value in read]
    return Coded(cells.code, read)


def _number(text: str) -> int | float | None:
    if _WHOLE.fullmatch(text) and -(2**63) <= int(text) < 2**63:
        return int(text)
    if not _NUMBER.fullmatch(text):
        return None
    number = float(text)
    return number if abs(number) <= 1e300 else None


def days(cells: Coded, format: str | None, *, column: str, missing: Collection[str] = ()) -> Coded:
    """Cells as days, by the plan's format or by what all of them look like."""
    typed = [value for value in cells.values if isinstance(value, date)]
    if typed:
        gone = texts(cells, missing).values
        found = [_day(v) if g is not None else None for v, g in zip(cells.values, gone, strict=True)]
        return Coded(cells.code, found)
    known = [None if t is None else key_form(t) for t in texts(cells, missing).values]
    read = day_reader([text for text in known if text is not None], format)
    found = [None if text is None else read(text) for text in known]
    bad = [n for n, text in enumerate(known) if text is not None and found[n] is None]
    if bad:
        raise InputError(f"column '{column}': {_rows_with(cells, bad)} cannot be read as dates")
    return Coded(cells.code, found)


def _day(value: Any) -> date | None:
    return value.date() if isinstance(value, datetime) else value if isinstance(value, date) else None


def _rows_with(cells: Coded, which: Sequence[int]) -> str:
    return row_list((np.flatnonzero(np.isin(cells.code, which)) + 1).tolist())


def values_of(cells: pl.Series, attribute: Attribute, missing: Collection[str], *, as_text: bool) -> Coded:
    """A column's values by its scale; `as_text` where a hierarchy names them."""
    given = coded(cells)
    if attribute.scale is Scale.NUMERIC:
        found = numbers(given, column=cells.name, missing=missing)
    elif attribute.scale is Scale.DATE:
        found = days(given, attribute.format, column=cells.name, missing=missing)
    else:
        return texts(given, missing)
    return found.mapped(cell_text) if as_text else found


def counted_pairs(
    number: NDArray[np.int64], values: Coded
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The different pairs of a number and a value that is not missing, as two arrays, and their counts."""
    width = len(values.values)
    key = number * width + values.code
    span = (int(number.max(initial=-1)) + 1) * width
    if span <= 4 * len(key):
        counts = np.bincount(key, minlength=span)
        pairs = np.flatnonzero(counts)
        counts = counts[pairs]
    else:
        pairs, counts = np.unique(key, return_counts=True)
    known = np.array([value is not None for value in values.values], np.bool_)[pairs % max(width, 1)]
    return (pairs // max(width, 1))[known], (pairs % max(width, 1))[known], counts[known]


def is_numbering(person: NDArray[np.int64]) -> bool:
    """Whether every row is a person of its own, in the usual order."""
    return bool((person == np.arange(len(person))).all())


def number_persons(frame: pl.DataFrame, key: str | None, missing: Collection[str] = ()) -> NDArray[np.int64]:
    """The person of each row by the plan's key; without one every row is a person."""
    if key is None:
        return np.arange(frame.height)
    if key not in frame.columns:
        raise InputError(f"the data has no column '{key}', which the plan says tells persons apart")
    known = texts(coded(frame[key]), missing)
    number: dict[str, int] = {}
    place = [-1 if text is None else number.setdefault(key_form(text), len(number)) for text in known.values]
    found: NDArray[np.int64] = np.array(place, np.int64)[known.code]
    if (found < 0).any():
        raise InputError(f"no person key in column '{key}', {row_list(np.flatnonzero(found < 0) + 1)}")
    return found


def persons_checks(person: NDArray[np.int64] | None, own: NDArray[np.int64]) -> list[Check]:
    """Whether those who made the release took the same rows for one person as the data's own keys say."""
    if person is None or (_follows(person, own) and _follows(own, person)):
        return []
    return [Check("persons", False, "rows were taken for one person that are not, or for several")]


def _follows(a: NDArray[np.int64], b: NDArray[np.int64]) -> bool:
    """Whether rows with the same number in a have the same in b."""
    last = np.zeros(int(a.max(initial=0)) + 1, np.int64)
    last[a] = b
    return bool((last[a] == b).all())
