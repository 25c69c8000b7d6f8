"""Tables beyond memory for the auditor: read piece by piece, by another library than the engines'."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from heteronym.errors import InputError
from heteronym.run import current

_BLOCK = 1 << 25  # bytes of a CSV file
_ROWS = 250_000


@dataclass(frozen=True, repr=False)
class Batches:
    """A file as the auditor reads it."""

    path: Path
    name: str  # what messages call it
    kind: str  # csv, parquet or jsonl
    delimiter: str = ","

    def __call__(self, columns: Sequence[str]) -> Iterator[pl.DataFrame]:
        import pyarrow as pa

        run, read = current(), {"csv": self._csv, "parquet": self._parquet, "jsonl": self._json}[self.kind]
        try:
            for batch in read(list(columns)):
                run.poll()
                frame = batch if isinstance(batch, pl.DataFrame) else pl.from_arrow(batch)
                assert isinstance(frame, pl.DataFrame)
                yield frame
        except (pa.ArrowException, pl.exceptions.PolarsError, OSError):  # what they say may quote cells
            raise InputError(f"{self.name}: the auditor cannot read it as {self.kind}") from None

    @property
    def columns(self) -> list[str]:
        """The names of all columns."""
        if self.kind == "jsonl":
            return pl.scan_ndjson(self.path, infer_schema_length=None).collect_schema().names()
        import pyarrow.csv
        import pyarrow.parquet

        if self.kind == "parquet":
            return list(pyarrow.parquet.read_schema(self.path).names)
        with self.path.open("rb") as file:
            head = file.readline()
        parse = pyarrow.csv.ParseOptions(delimiter=self.delimiter)
        return list(pyarrow.csv.read_csv(pyarrow.BufferReader(head), parse_options=parse).column_names)

    def _csv(self, columns: list[str]) -> Iterator[Any]:
        import pyarrow as pa
        from pyarrow import csv

        found = csv.open_csv(
            self.path,
            read_options=csv.ReadOptions(block_size=_BLOCK),
            parse_options=csv.ParseOptions(delimiter=self.delimiter, newlines_in_values=self._has_quotes()),
            convert_options=csv.ConvertOptions(
                include_columns=columns,
                column_types=dict.fromkeys(columns, pa.string()),
                strings_can_be_null=True,
                null_values=[""],
                quoted_strings_can_be_null=False,
            ),
        )
        with found:
            yield from found

    def _has_quotes(self) -> bool:
        with self.path.open("rb") as file:
            return any(b'"' in block for block in iter(lambda: file.read(_BLOCK), b""))

    def _parquet(self, columns: list[str]) -> Iterator[Any]:
        from pyarrow import parquet

        with parquet.ParquetFile(self.path) as file:
            yield from file.iter_batches(batch_size=_ROWS, columns=columns)

    def _json(self, columns: list[str]) -> Iterator[pl.DataFrame]:
        scan = pl.scan_ndjson(self.path, infer_schema_length=None)
        yield from scan.select(columns).collect_batches(chunk_size=_ROWS, maintain_order=True)

    def __repr__(self) -> str:
        return f"Batches({self.name!r})"
