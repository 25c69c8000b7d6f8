"""Reads a file of rows piece by piece, with the cells that `io.tables` would read from the whole of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from heteronym.errors import InputError, reading, row_list
from heteronym.io.csv_files import check_names, read_csv
from heteronym.io.plan_checks import check_unchanged
from heteronym.io.tables import ENDINGS, Format
from heteronym.io.values import text_cells
from heteronym.model.dataset import Dataset
from heteronym.model.plan import DataPlan
from heteronym.model.schema import Role, Schema
from heteronym.run import Run, current

BATCH = 250_000  # rows
ROW, WHO = "number of the row", "person of the row"  # further columns of batches
KINDS = ("csv", "parquet", "jsonl")
_HEAD = 1 << 20  # bytes that tell a delimiter
_EXACT = 2.0**53
_PLAIN = (pl.String, pl.Boolean, pl.Date, pl.Datetime)


@dataclass(frozen=True, repr=False)
class Rows:
    """A file of rows, which is never in memory as a whole."""

    path: Path
    layout: Format
    columns: dict[str, pl.DataType]
    missing: frozenset[str] = frozenset()

    @property
    def source(self) -> str:
        """What messages call it."""
        return self.path.name

    def batches(self, columns: Sequence[str]) -> Iterator[pl.DataFrame]:
        """Some columns, in the order of the file, beside the numbers of rows (`ROW`, from 1)."""
        return self._batches(columns, current())  # whoever asks for a batch may be another thread

    def _batches(self, columns: Sequence[str], run: Run) -> Iterator[pl.DataFrame]:
        rows = 0
        try:
            for batch in self._scan().select(columns).collect_batches(chunk_size=BATCH, maintain_order=True):
                run.poll()
                self._check(batch)
                yield batch.with_row_index(ROW, rows + 1)
                rows += batch.height
        except (pl.exceptions.PolarsError, OSError):  # what they say may quote cells
            raise InputError(
                f"{self.source}: cannot be read as {self.layout.kind} behind row {rows}. Engines read files "
                "that are plainly written, in UTF-8"
            ) from None

    def persons(self, key: str, columns: Sequence[str]) -> Iterator[pl.DataFrame]:
        """The same with the person's key as text, without blanks around it (`WHO`)."""
        batches = self.batches([key, *(name for name in columns if name != key)])
        return (self._with_person(batch, key).select(*columns, ROW, WHO) for batch in batches)

    def _with_person(self, batch: pl.DataFrame, key: str) -> pl.DataFrame:
        known = text_cells(batch[key], self.missing)
        if known.null_count():
            rows = batch[ROW].filter(known.is_null()).to_list()
            raise InputError(f"{self.source}: no person key in column '{key}', {row_list(rows)}")
        return batch.with_columns(known.str.strip_chars().alias(WHO))

    def check_unchanged(self, schema: Schema) -> None:
        """Refuse columns that would stay as they are and repeat an identifier in one of the batches."""
        wanted = schema.named(Role.IDENTIFIER, Role.PLAIN, Role.SENSITIVE)
        asked = Schema({name: schema[name] for name in wanted}, schema.person)
        if not asked.named(Role.IDENTIFIER) or not asked.named(Role.PLAIN, Role.SENSITIVE):
            return
        before = 0
        for batch in self.batches(wanted):
            check_unchanged(Dataset(asked, batch, missing=self.missing), before=before)
            before += batch.height

    def _scan(self) -> pl.LazyFrame:
        if self.layout.kind == "csv":
            return pl.scan_csv(self.path, separator=self.layout.delimiter, infer_schema=False)
        if self.layout.kind == "parquet":
            return pl.scan_parquet(self.path)
        return pl.scan_ndjson(self.path, schema=self.columns)

    def _check(self, batch: pl.DataFrame) -> None:
        if self.layout.kind != "jsonl":
            return
        for cells in batch:
            if cells.dtype.is_float() and (cells.abs() >= _EXACT).any():
                raise InputError(
                    f"{self.source}: column '{cells.name}' has whole numbers of more than 15 digits beside "
                    "fractions. Engines read such columns from Parquet or as text"
                )

    def __repr__(self) -> str:
        return f"Rows({self.source!r}, columns {list(self.columns)})"


def open_rows(path: Path, plan: DataPlan) -> Rows:
    """A CSV, Parquet or JSON lines file, with its columns."""
    kind = ENDINGS.get(path.suffix.lower(), "")
    if kind not in KINDS:
        raise InputError(f"{path.name}: engines read CSV, Parquet and JSON lines files")
    with reading(path), path.open("rb") as file:
        head = file.read(_HEAD)
    if not head or head.isspace():
        raise InputError(f"{path.name}: the file is empty")
    layout = Format(kind, path.suffix.lower())
    if kind == "csv":
        layout = _csv_layout(path, head, plan)
    rows = Rows(path, layout, {})
    try:
        scan = pl.scan_ndjson(path, infer_schema_length=None) if kind == "jsonl" else rows._scan()
        found = dict(scan.collect_schema())
    except (pl.exceptions.PolarsError, OSError):
        raise InputError(f"{path.name}: not a readable {kind} file") from None
    # nothing in any row is text that is missing everywhere
    columns = {name: pl.String() if dtype == pl.Null else dtype for name, dtype in found.items()}
    check_names(list(columns), path.name)
    for name, dtype in columns.items():
        if isinstance(dtype, pl.Decimal) or not (dtype.is_numeric() or isinstance(dtype, _PLAIN)):
            raise InputError(
                f"{path.name}: column '{name}' holds {dtype}, which engines do not read. They read texts, "
                "numbers, booleans and dates; leave out --engine, or change the column's type"
            )
    return Rows(path, layout, columns, frozenset(plan.missing))


def _csv_layout(path: Path, head: bytes, plan: DataPlan) -> Format:
    end = path.suffix.lower()
    whole = head if len(head) < _HEAD else head[: head.rfind(b"\n") + 1]
    delimiter = plan.delimiter or ("\t" if end in (".tsv", ".tab") else None)
    frame, delimiter, encoding = read_csv(whole, path.name, delimiter=delimiter, encoding=plan.encoding)
    if encoding not in ("utf-8", "ascii") or not delimiter.isascii():
        raise InputError(
            f"{path.name}: engines read CSV files in UTF-8 without a mark at the beginning, and this is "
            f"{encoding}. Convert it, or leave out --engine"
        )
    if not frame.height:
        raise InputError(f"{path.name}: no data rows")
    return Format("csv", end, delimiter, encoding)
