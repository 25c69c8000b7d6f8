"""Cells into values: text, numbers and days, with missing ones as null.

What does not fit the column's scale is refused by column and row number.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from importlib.resources import files

import polars as pl

from heteronym.errors import InputError, PlanError, row_list
from heteronym.io.repeated import REPEATED

DATE_FORMATS = tuple(
    "%Y-%m-%d|%Y/%m/%d|%Y.%m.%d|%Y%m%d|%d.%m.%Y|%d/%m/%Y|%m/%d/%Y|%d-%m-%Y|"
    "%d %B %Y|%d %b %Y|%d,%B,%Y|%B %d, %Y|%b %d, %Y|%d-%b-%Y".split("|")
)
_SIGNS = r"[€$£¥₹]|kr\.?|zł|Kč|Fr\.|%"  # of currencies, and per cent
_LARGEST_WHOLE = 2.0**63  # of what is told without an exponent
_SMALLEST_PLAIN = 1e-4
_UNSEEN = "[\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufe0e\ufe0f\ufeff]"
_LARGEST = 1e300  # beyond, the distance between two numbers may be none


def is_readable(cells: pl.Series) -> bool:
    """Whether each cell is one value that can be told as text."""
    return not (cells.dtype.is_nested() or isinstance(cells.dtype, (pl.Binary, pl.Duration, pl.Object)))


def text_cells(cells: pl.Series, missing: Collection[str] = ()) -> pl.Series:
    """Cells as text; empty ones and those that mean missing become null."""
    text = cells if cells.dtype == pl.String else _as_text(cells)
    blank = text.str.strip_chars().is_in(["", *missing]).fill_null(True)
    return text.set(blank, None) if blank.any() else text


def sensitive_cells(cells: pl.Series, missing: Collection[str] = ()) -> pl.Series:
    """Cells as text that is equal where a reader sees no difference: blanks around it, encoded accents,
    characters that nobody sees."""
    seen = text_cells(cells, missing).str.replace_all(_UNSEEN, "").str.normalize("NFC").str.strip_chars()
    return text_cells(seen)


def _as_text(cells: pl.Series) -> pl.Series:
    if cells.dtype.is_float():
        return _numbers_as_text(cells.fill_nan(None))
    if cells.dtype == pl.Datetime:
        return _times_as_text(cells)
    if cells.dtype == pl.Boolean:
        return cells.cast(pl.String).str.to_titlecase()
    if cells.dtype == pl.Binary:
        raise InputError(f"column '{cells.name}' holds bytes, which cannot be read as text")
    if isinstance(cells.dtype, (pl.List, pl.Array, pl.Struct, pl.Object)):
        raise InputError(f"column '{cells.name}' holds lists or objects; only items and terms columns may")
    try:
        return cells.cast(pl.String)
    except pl.exceptions.PolarsError:
        raise InputError(f"column '{cells.name}' holds {cells.dtype}, which cannot be read as text") from None


def _numbers_as_text(cells: pl.Series) -> pl.Series:
    """Whole numbers without a point, others as short as they can be told: 5, 2.25, 1e-05."""
    if cells.dtype == pl.Float32:  # as it is written: 0.2, and not the nearest number of twice the length
        cells = cells.cast(pl.String).cast(pl.Float64)
    whole = (cells == cells.round()) & (cells.abs() < _LARGEST_WHOLE)
    text = cells.cast(pl.String)
    odd = (~whole & (text.str.contains("e", literal=True) | (cells.abs() < _SMALLEST_PLAIN))).arg_true()
    if len(odd):
        text = text.scatter(odd, [repr(one) for one in cells.gather(odd).to_list()])
    return text.set(whole.fill_null(False), None).fill_null(
        cells.set(~whole, None).cast(pl.Int64, strict=False).cast(pl.String)
    )


def _times_as_text(cells: pl.Series) -> pl.Series:
    """Parts of a second where there are any: 2024-03-04 10:00:00."""
    different = cells.unique().drop_nulls()
    texts = pl.Series([one.isoformat(" ") for one in different.to_list()], dtype=pl.String)
    return cells.replace_strict(different, texts, default=None, return_dtype=pl.String)


def comparable_cells(cells: pl.Series) -> pl.Series:
    """Cells of any kind in a form that sorts and compares; lists and objects as JSON."""
    if cells.dtype.is_nested():
        return pl.DataFrame({"cell": cells}).select(pl.struct("cell").struct.json_encode()).to_series()
    return cells


def _without(cells: pl.Series, missing: Collection[str]) -> pl.Series:
    """Typed cells without those that mean missing; cells of text are looked at when they are read."""
    if not missing or cells.dtype in (pl.String, REPEATED) or cells.dtype.is_nested():
        return cells
    return cells.set(text_cells(cells, missing).is_null(), None)


@cache
def _codes_of_currencies() -> str:
    text = files("heteronym.knowledge").joinpath("data", "currencies.txt").read_text(encoding="utf-8")
    return "|".join(code for line in text.splitlines() if not line.startswith("#") for code in line.split())


def written_number(decimal: str) -> str:
    """The pattern of a whole cell that is a number: this decimal sign, signs for thousands, a currency.

    A dash right behind the code of a currency parts a key (`TOP-3000`): it is no minus.
    """
    codes = _codes_of_currencies()
    apart = "[.'\u2019\u00a0\u202f ]" if decimal == "," else "[,'\u2019\u00a0\u202f ]"
    digits = rf"(?:\d{{1,3}}(?:{apart}\d{{3}})+|\d+)(?:{re.escape(decimal)}\d+)?"
    before = rf"(?:(?:{_SIGNS})\s*[+-]?|(?:{codes})(?:\s+[+-]?)?|[+-]?)"
    return rf"^\s*{before}{digits}\s*(?:{_SIGNS}|{codes})?\s*$"


def with_plain_numbers(frame: pl.DataFrame, decimal: str | None, missing: Collection[str]) -> pl.DataFrame:
    """Columns whose cells are all numbers, some written with signs, as plain ones: 1.234,50 € is 1234.50.

    A column is changed as a whole or not at all. Without a decimal sign nothing is.
    """
    if decimal is None:
        return frame
    pattern, changed = written_number(decimal), []
    other = "," if decimal == "." else "."
    for column in frame:
        if column.dtype != pl.String:
            continue
        known = text_cells(column, missing)
        signed = known.str.contains(r"[^\s\d+-]")
        if not signed.any() or not known.str.contains(pattern).all():
            continue
        plain = known.str.replace_all(r"[^\d,.+-]", "").str.strip_chars_start(".")
        plain = plain.str.replace_all(other, "", literal=True).str.replace(decimal, ".", literal=True)
        changed.append(pl.when(known.is_null()).then(column).otherwise(plain).alias(column.name))
    return frame.with_columns(changed)


def numbers(cells: pl.Series, *, source: str, missing: Collection[str] = ()) -> pl.Series:
    """Cells as Int64 where all are whole, else as Float64."""
    cells = _without(cells, missing)
    if cells.dtype.is_integer():
        whole = cells.cast(pl.Int64, strict=False)
        return whole if whole.null_count() == cells.null_count() else cells.cast(pl.Float64)
    if cells.dtype.is_numeric():
        # 0.1 of 32 bits is 0.1, not 0.10000000149011612
        exact = cells.cast(pl.String) if cells.dtype == pl.Float32 else cells
        values = exact.cast(pl.Float64).fill_nan(None)
        known = values.is_not_null()
    else:
        text = text_cells(cells, missing).str.strip_chars()
        whole = text.cast(pl.Int64, strict=False)
        if whole.null_count() == text.null_count():
            return whole
        values = text.cast(pl.Float64, strict=False)
        known = text.is_not_null()
    bad = known & (values.is_null() | values.is_nan() | (values.abs() > _LARGEST))
    if bad.any():
        raise _misfit(cells.name, "numeric", bad, source)
    fits = values.drop_nulls()
    if (fits == fits.round()).all() and (fits.abs() < 2**53).all():
        return values.cast(pl.Int64)
    return values


def days(cells: pl.Series, format: str | None, *, source: str, missing: Collection[str] = ()) -> pl.Series:
    """Cells as dates, by the plan's format or by the first common format that fits all of them."""
    cells = _without(cells, missing)
    if cells.dtype == pl.Date or isinstance(cells.dtype, pl.Datetime):
        dates = cells if cells.dtype == pl.Date else cells.dt.date()
        bad = ~dates.dt.year().is_between(1, 9999).fill_null(True)
        if bad.any():
            raise _misfit(cells.name, "date between the years 1 and 9999", bad, source)
        return dates
    text = text_cells(cells, missing).str.strip_chars()
    if format is not None:
        parsed = parse_days(text, format)
        bad = text.is_not_null() & parsed.is_null()
        if bad.any():
            raise _misfit(cells.name, f"date with format '{format}'", bad, source)
        return parsed
    best, fewest = None, len(text) + 1
    for candidate in DATE_FORMATS:
        parsed = parse_days(text, candidate)
        wrong = parsed.null_count() - text.null_count()
        if wrong == 0:
            _refuse_open_order(text, parsed, candidate, source)
            return parsed
        if wrong < fewest:
            best, fewest = parsed, wrong
    # a time of day behind an ISO date says nothing more about the day
    head = parse_days(text.str.slice(0, 10), "%Y-%m-%d")
    if head.null_count() == text.null_count():
        return head
    assert best is not None
    if fewest == text.len() - text.null_count():
        raise InputError(
            f"{source}: column '{cells.name}' is a date in the plan, but no common format fits. "
            "Say it with `format:` (strptime codes)"
        )
    raise _misfit(cells.name, "date", text.is_not_null() & best.is_null(), source)


def swapped_order(format: str) -> str | None:
    """The format with day and month swapped, if people write both: not behind the year, not with dots."""
    if "%d" not in format or "%m" not in format or format.startswith("%Y") or "." in format:
        return None
    return format.replace("%d", "\0").replace("%m", "%d").replace("\0", "%m")


def _refuse_open_order(text: pl.Series, parsed: pl.Series, format: str, source: str) -> None:
    other = swapped_order(format)
    if other is None:
        return
    also = parse_days(text, other)
    if also.null_count() == text.null_count() and not (also == parsed).all():
        raise InputError(
            f"{source}: column '{text.name}': day and month could be swapped in every row. Say which with "
            f'`format: "{format}"` or `format: "{other}"`'
        )


def parse_days(text: pl.Series, format: str) -> pl.Series:
    """Days by a format, or by the first that fits of several with a bar between; a month is its first day."""
    first, *others = format.split("|")
    found = _parsed(text, first)
    for other in others:
        found = found.zip_with(found.is_not_null(), _parsed(text, other))
    return found


def _parsed(text: pl.Series, format: str) -> pl.Series:
    if not re.search(r"%[-_0]?[dejDFxcs]", format):
        return _parsed("1 " + text, f"%d {format}")
    try:
        if any(code in format for code in ("%H", "%I", "%T", "%M", "%S")):
            return text.str.to_datetime(format, strict=False).dt.date()
        return text.str.to_date(format, strict=False)
    except pl.exceptions.PolarsError:
        raise PlanError(f"column '{text.name}': '{format}' is not a date format") from None


def _misfit(column: str, scale: str, bad: pl.Series, source: str) -> InputError:
    rows = (bad.arg_true() + 1).to_list()
    odd = f"{row_list(rows)} {'hold' if len(rows) > 1 else 'holds'} something else"
    return InputError(f"{source}: column '{column}' is {scale} in the plan, but {odd}")
