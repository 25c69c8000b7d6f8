"""How the cells of a table are written, before anything is said about its columns.

Two things, so that numbers and dates are seen as such: words that stand for a missing value in a column of
numbers or dates, and the decimal sign where numbers have thousands signs, decimal commas or currencies.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

import polars as pl

from heteronym.io.values import text_cells, with_plain_numbers, written_number
from heteronym.knowledge.column_names import naming_of
from heteronym.knowledge.wordlists import words
from heteronym.profiling.shapes import scale_of

_IDENTIFYING = ("phone", "account", "national_number", "record", "login")


@dataclass(frozen=True)
class FirstReading:
    frame: pl.DataFrame  # with plain numbers, and nothing where nothing is known
    decimal: str | None
    missing: tuple[str, ...]


def read_first(frame: pl.DataFrame) -> FirstReading:
    texts = [column for column in frame if column.dtype == pl.String and not _names_identifiers(column.name)]
    missing = sorted({word for column in texts for word in _stand_ins(column)})
    decimal = _decimal_sign([text_cells(column, missing) for column in texts])
    frame = with_plain_numbers(frame, decimal, missing)
    if missing:
        strings = [column for column in frame if column.dtype == pl.String]
        frame = frame.with_columns(text_cells(column, missing) for column in strings)
    return FirstReading(frame, decimal, tuple(missing))


def _names_identifiers(name: str) -> bool:
    meaning = naming_of(name).identifying
    return meaning is not None and meaning.name in _IDENTIFYING


def _stand_ins(column: pl.Series) -> list[str]:
    """Words for missing in a column that holds numbers or dates beside them."""
    known = text_cells(column).drop_nulls()
    known_words = words("missing_words")
    found = [value for value in known.unique().to_list() if value.strip().casefold() in known_words]
    rest = known.filter(~known.is_in(found)) if found else known
    if not found or not len(rest):
        return []
    return found if _decimal_sign([rest]) or scale_of(rest)["scale"] != "nominal" else []


def _decimal_sign(columns: list[pl.Series]) -> str | None:
    """The sign that most columns of such numbers have; None where no column needs one."""
    said: Counter[str] = Counter()
    either = False  # numbers beside a currency: any sign reads them
    for column in columns:
        known = column.drop_nulls()
        if not len(known) or not known.str.contains(r"[^\d\s+-]").any() or _are_plain(known):
            continue
        fits = [sign for sign in ",." if known.str.contains(written_number(sign)).all()]
        if len(fits) == 2:
            # every comma stands before three digits: it parts thousands; so do dots
            signs = [known.str.contains(sign, literal=True).any() for sign in ",."]
            fits, either = [".,"[signs[1]]] if any(signs) else [], True
        said.update(fits)
    return said.most_common(1)[0][0] if said else ("." if either else None)


def _are_plain(known: pl.Series) -> bool:
    return bool(known.str.contains(_PLAIN).all())


_PLAIN = re.compile(r"^\s*[+-]?\d*\.?\d+\s*$").pattern
