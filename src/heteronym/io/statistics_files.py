"""Files of SPSS, Stata and SAS, by way of pyreadstat (the extra `statistics`).

Codes stay codes: value labels are not put in their place. Dates become dates. Released are labels, so the
release is written as CSV.
"""

from __future__ import annotations

import io

import polars as pl

from heteronym.errors import InputError, UsageError

READERS = {
    ".sav": "read_sav",
    ".zsav": "read_sav",
    ".por": "read_por",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}


def read_statistics(content: bytes, source: str, ending: str) -> pl.DataFrame:
    try:
        import pyreadstat
    except ImportError:
        raise UsageError(
            f"{source}: files of SPSS, Stata and SAS need the package pyreadstat: "
            "pip install 'heteronym[statistics]'"
        ) from None
    try:
        columns, _ = getattr(pyreadstat, READERS[ending])(io.BytesIO(content), output_format="dict")
        return pl.DataFrame({name: _column(name, list(cells)) for name, cells in columns.items()})
    except Exception:  # noqa: BLE001 - the reader's own kinds, and their texts may quote cells
        raise InputError(f"{source}: not a readable {ending[1:]} file") from None


def _column(name: str, cells: list[object]) -> pl.Series:
    """Missing is NaN or an empty text there; whole numbers are stored as floats."""
    known = [None if cell is None or cell != cell or cell == "" else cell for cell in cells]
    column = pl.Series(name, known, strict=False)
    if column.dtype.is_float() and (column.drop_nulls() == column.drop_nulls().round()).all():
        whole = column.cast(pl.Int64, strict=False)
        return whole if whole.null_count() == column.null_count() else column
    return column
