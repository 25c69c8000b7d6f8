"""Releases from files that do not fit into memory, on this machine: DuckDB counts, joins, sorts and spills.

Rows are read by polars, as for releases in memory, and handed over piece by piece; each verb reads the file
once. Columns have numbers in place of names, since DuckDB does not tell `a` from `A`.

Cost        a pass over the file per verb; what does not fit into the memory given goes to the spill folder
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from heteronym.engines.contract import CLASS, TIMES, Classes, Kinds
from heteronym.engines.kinds import (
    Batches,
    by_class,
    kept,
    listed,
    members_by_cells,
    numbered,
    placed,
    ranks_of,
    sorted_by,
)
from heteronym.engines.sources import BATCH, ROW, WHO, Rows
from heteronym.errors import HeteronymError, InputError, OutputError, UsageError
from heteronym.io.tables import Format
from heteronym.model.schema import Schema
from heteronym.run import current

SHARE = 0.4  # of the memory given: DuckDB's limit does not bound its process, and kinds need room as well
_PER_CELL, _PER_KIND = (
    56,
    120,
)  # bytes that a kind takes until its group is found, and its share of the search


class DuckDB:
    """One file, and the folder to spill to."""

    name = "duckdb"

    def __init__(self, rows: Rows, folder: Path, *, memory: int) -> None:
        self.rows, self.memory = rows, memory
        self.columns: Mapping[str, pl.DataType] = rows.columns
        self.layout: Format = rows.layout
        self._failure: BaseException | None = None
        self._person: str | None = None  # the key by which a table of persons was made
        self._con = self._opened(folder)

    def _opened(self, folder: Path) -> Any:
        try:
            import duckdb
            import pyarrow  # noqa: F401 - rows are handed over as Arrow
        except ImportError:
            raise UsageError("engine 'duckdb' needs more: pip install 'heteronym[duckdb]'") from None
        self._error = duckdb.Error
        settings: dict[str, Any] = {
            "memory_limit": f"{int(self.memory * SHARE) // 1_000_000}MB",
            "temp_directory": str(folder),
            "threads": str(max(1, min(os.cpu_count() or 1, self.memory // 1_000_000_000 + 1))),
            "default_null_order": "nulls_last",
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
        }
        return duckdb.connect(str(folder / "rows.duckdb"), config=settings)

    def close(self) -> None:
        with suppress(self._error):  # the folder goes anyway
            self._con.close()

    # --- verbs ------------------------------------------------------------------------------------

    def check(self, schema: Schema) -> None:
        self.rows.check_unchanged(schema)

    def collapse(self, quasi: Sequence[str], person: str | None) -> Kinds:
        names = numbered(quasi)
        if person is None:
            rows, counted = self._hand_over(self.rows.batches(quasi), quasi, names), "count(*)"
        else:
            self._tabulate_persons(quasi, person)
            rows, counted = "persons", "sum(rows)::BIGINT"
        cells = ", ".join(names)
        counts = f"count(*) AS persons, {counted} AS rows, min(row)::BIGINT AS first"
        sql = f"SELECT {cells}, {counts} FROM {rows} GROUP BY {cells}"
        frame = kept(self._asked(sql), len(quasi), self.memory * (1 - SHARE / 2), self.rows.source)
        found = [frame[name].to_numpy().astype(np.int64) for name in ("persons", "rows", "first")]
        return Kinds(frame.select(names).rename(dict(zip(names, quasi, strict=True))), *found)

    def recode(self, kinds: Kinds, classes: Classes, order: Sequence[str]) -> Batches:
        stay = [name for name in order if name not in classes.labels.columns]
        if not stay:
            yield from by_class(kinds, classes)
            return
        names = numbered(stay, "u")
        shown = ", ".join(["class", *names])
        keys = ", ".join(sorted_by(order, classes, stay))
        grouped = f"SELECT {shown}, {listed(ranks_of(classes))}, count(*) AS times"
        sql = f"{grouped} FROM {self._joined(kinds, classes, stay)} GROUP BY ALL ORDER BY {keys}"
        for batch in self._asked(sql):
            back = {**dict(zip(names, stay, strict=True)), "class": CLASS, "times": TIMES}
            yield batch.select(back.keys()).rename(back)

    def row_map(self, kinds: Kinds, classes: Classes, order: Sequence[str]) -> Batches:
        stay = [name for name in order if name not in classes.labels.columns]
        keys = ", ".join([*sorted_by(order, classes, stay), "row"])
        joined = self._joined(kinds, classes, stay, whose=True)
        yield from self._asked(f"SELECT row, person FROM {joined} ORDER BY {keys}")

    def members(self, kinds: Kinds, classes: Classes) -> Batches:
        if self._person is not None:
            self._place_kinds(kinds, classes)
            on = _same("p", "k", numbered(kinds.frame.columns))
            for batch in self._asked(f"SELECT p.person, k.class FROM persons p JOIN kinds k ON {on}"):
                yield batch.rename({"person": WHO, "class": CLASS})
            return
        yield from members_by_cells(kinds, classes)

    # --- what they are made of --------------------------------------------------------------------

    def _tabulate_persons(self, quasi: Sequence[str], person: str) -> None:
        """A table of persons with their different cells, in order, and the number of their rows."""
        names = numbered(quasi)
        rows = self._hand_over(self.rows.persons(person, quasi), quasi, names)
        cells = ", ".join(f"list_sort(list(DISTINCT {n}), 'ASC', 'NULLS LAST') AS {n}" for n in names)
        made = f"SELECT person, {cells}, count(*) AS rows, min(row) AS row FROM {rows} GROUP BY person"
        self._run(f"CREATE OR REPLACE TABLE persons AS {made}")
        self._person = person

    def _place_kinds(self, kinds: Kinds, classes: Classes) -> None:
        """A table of kinds with the class of each, and the places of classes in the order of their labels."""
        quasi = kinds.frame.columns
        rows = self._hand_over(placed(kinds, classes), quasi, numbered(quasi))
        self._run(f"CREATE OR REPLACE TABLE kinds AS SELECT * FROM {rows}")

    def _joined(self, kinds: Kinds, classes: Classes, stay: Sequence[str], *, whose: bool = False) -> str:
        """What to select from: rows beside their class, with the columns that stay, u0, u1 ..."""
        self._place_kinds(kinds, classes)
        quasi = kinds.frame.columns
        mine, cells = numbered(stay, "u"), numbered(quasi)
        if self._person is None:
            rows = self._hand_over(self.rows.batches([*quasi, *stay]), [*quasi, *stay], [*cells, *mine])
            join, person = f"JOIN kinds k ON {_same('s', 'k', cells)}", "s.row::VARCHAR"
        else:
            rows = self._hand_over(self.rows.persons(self._person, stay), stay, mine)
            join = f"JOIN persons p ON s.person = p.person JOIN kinds k ON {_same('p', 'k', cells)}"
            person = "s.person"
        shown = ["k.class", *(f"k.{n}" for n in ranks_of(classes)), *(f"s.{n}" for n in mine)]
        shown += ["s.row AS row", f"{person} AS person"] if whose else []
        return f"(SELECT {', '.join(shown)} FROM {rows} s {join})"

    # --- rows in, rows out ------------------------------------------------------------------------

    def _hand_over(self, batches: Batches, columns: Sequence[str], names: Sequence[str]) -> str:
        """A table that can be read once, from batches of which some columns get other names."""
        import pyarrow as pa

        first = next(batches, None)
        if first is None:
            raise InputError(f"{self.rows.source}: no data rows")
        called = {**dict(zip(columns, names, strict=True)), ROW: "row", WHO: "person", CLASS: "class"}

        def as_arrow(batch: pl.DataFrame) -> Any:
            return batch.rename(called, strict=False).to_arrow(compat_level=pl.CompatLevel.oldest())

        def handed_over() -> Iterator[Any]:
            try:
                yield from as_arrow(first).to_batches()
                for batch in batches:
                    yield from as_arrow(batch).to_batches()
            except BaseException as failure:
                self._failure = failure  # DuckDB would tell it in its own words
                raise

        schema = as_arrow(first[:0]).schema
        self._con.register("handed_over", pa.RecordBatchReader.from_batches(schema, handed_over()))
        return "handed_over"

    def _asked(self, sql: str) -> Batches:
        """The rows of an answer, piece by piece."""
        run = current()
        try:
            for batch in self._con.sql(sql).to_arrow_reader(BATCH):
                run.poll()
                frame = pl.from_arrow(batch)
                assert isinstance(frame, pl.DataFrame)
                yield frame
        except Exception as error:  # noqa: BLE001 - Arrow wraps what DuckDB says, which may quote cells
            raise self._in_our_words(error) from None

    def _run(self, sql: str) -> None:
        try:
            self._con.execute(sql)
        except Exception as error:  # noqa: BLE001
            raise self._in_our_words(error) from None

    def _in_our_words(self, error: Exception) -> Exception:
        current().poll()
        if self._failure is not None:
            return self._failure if isinstance(self._failure, Exception) else error
        if isinstance(error, HeteronymError):
            return error
        said = f"{type(error).__name__} {error}"
        if "No space left" in said or "max_temp_directory_size" in said:
            return OutputError(
                "the disk is full: rows could not be spilled beside the release. Nothing was released"
            )
        if "Out of Memory" in said or "OutOfMemory" in said or "could not allocate" in said:
            given = f"{self.memory / 1e9:.3g} GB"
            return UsageError(
                f"{self.rows.source}: {given} of memory are too little for engine 'duckdb'. Give it more "
                "with --memory, or leave out or coarsen quasi columns"
            )
        if isinstance(error, (self._error, OSError, ValueError)):
            return InputError(f"{self.rows.source}: engine 'duckdb' failed ({type(error).__name__})")
        return error


def _same(one: str, other: str, names: Sequence[str]) -> str:
    return " AND ".join(f"{one}.{n} IS NOT DISTINCT FROM {other}.{n}" for n in names)
