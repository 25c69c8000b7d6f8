"""Sensitive values of a released table, spelt in one way by their scale."""

from __future__ import annotations

import numpy as np
import polars as pl

from heteronym.errors import InputError
from heteronym.model.schema import Attribute, Scale
from heteronym.verify.forms import sensitive_form
from heteronym.verify.values import Coded, cell_text, coded, days, numbers, texts


def sensitive_cells(cells: pl.Series, attribute: Attribute, missing: frozenset[str]) -> pl.Series:
    """Values by row, spelt in one way by their scale: lists where a cell holds several, null for none."""
    column = coded(cells)
    several = attribute.separator is not None or isinstance(cells.dtype, (pl.List, pl.Array))
    if several:
        parts = [_several(cell, attribute.separator) for cell in column.values]
        flat = Coded(np.arange(sum(map(len, parts))), [one for part in parts for one in part])
        values = iter(_sensitive_values(flat, attribute, cells.name, missing))
        lists = [[value for value in [next(values) for _ in part] if value is not None] for part in parts]
        return pl.Series(cells.name, lists, pl.List(pl.String)).gather(column.code)
    single = _sensitive_values(column, attribute, cells.name, missing)
    return pl.Series(cells.name, single, pl.String).gather(column.code)


def _several(cell: object, separator: str | None) -> list[object]:
    if cell is None:
        return []
    if isinstance(cell, list):
        return cell
    return list(str(cell).split(separator)) if separator else [cell]


def _sensitive_values(
    column: Coded, attribute: Attribute, name: str, missing: frozenset[str]
) -> list[str | None]:
    try:
        if attribute.scale is Scale.NUMERIC:
            found = numbers(column, column=name, missing=missing)
            return [cell_text(value) for value in found.values]
        if attribute.scale is Scale.DATE:
            found = days(column, attribute.format, column=name, missing=missing)
            return [cell_text(value) for value in found.values]
    except InputError:
        # Cells that do not fit are different values, as they stand; that they changed is told elsewhere.
        pass
    return [None if text is None else sensitive_form(text) or None for text in texts(column, missing).values]
