"""Releases on Spark, local or on a cluster: executors count, join and sort, the driver groups and writes.

DataFrames and SQL alone: no RDDs, no JVM gateway, no Python in executors; a task that is retried does the
same again. Answers come as Parquet files in the spill folder, which driver and executors must both see.

Cost        a pass over the data per verb, and a session; kinds lie in the driver's memory
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
from heteronym.engines.sources import BATCH, WHO, Rows
from heteronym.errors import HeteronymError, InputError, UsageError
from heteronym.io.tables import Format
from heteronym.model.schema import Schema
from heteronym.run import current

_TYPES: dict[Any, str] = {
    pl.String: "string",
    pl.Boolean: "boolean",
    pl.Date: "date",
    pl.Float64: "double",
    pl.Float32: "float",
    pl.Int64: "bigint",
    pl.Int32: "int",
    pl.Int16: "smallint",
    pl.Int8: "tinyint",
    pl.UInt8: "smallint",
    pl.UInt16: "int",
    pl.UInt32: "bigint",
}
_NOTHING = "\x00 nothing"  # what an empty cell is called on the way; two quotes are an empty text
_BLANKS = r"(?U)^\s+|\s+$"


class Spark:
    """One file as a DataFrame, and the folder for what comes out of it."""

    name = "spark"

    def __init__(self, rows: Rows, folder: Path, *, memory: int, master: str | None = None) -> None:
        self.rows, self.folder, self.memory = rows, folder, memory
        self.columns: Mapping[str, pl.DataType] = rows.columns
        self.layout: Format = rows.layout
        for name, dtype in rows.columns.items():
            if type(dtype) not in _TYPES:
                raise InputError(
                    f"{rows.source}: column '{name}' holds {dtype}, which engine 'spark' does not read. "
                    "Make it text, or take engine 'duckdb'"
                )
        self._person: str | None = None
        self._answers = 0
        self._session, self._is_ours = self._opened(master)

    def _opened(self, master: str | None) -> tuple[Any, bool]:
        """The session that is there, or one of our own."""
        try:
            from pyspark.sql import SparkSession
        except ImportError:
            raise UsageError("engine 'spark' needs more: pip install 'heteronym[spark]'") from None
        active = SparkSession.getActiveSession()
        if active is not None:
            return active, False
        settings = {
            "spark.app.name": "heteronym",
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.driver.memory": f"{self.memory // 2_000_000}m",
            "spark.driver.maxResultSize": "0",
            "spark.local.dir": str(self.folder),
            "spark.sql.warehouse.dir": str(self.folder / "warehouse"),
            "spark.log.level": "ERROR",
        }
        if master is None or master.startswith("local"):
            settings |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
        builder = SparkSession.builder.master(master or "local[*]")
        for key, value in settings.items():
            builder = builder.config(key, value)
        try:
            return builder.getOrCreate(), True
        except Exception as error:  # noqa: BLE001 - no Java, no such master: each has an error of its own
            raise UsageError(
                f"engine 'spark' could not start a session ({type(error).__name__}). It needs Java 17 or "
                "newer, and a master that answers"
            ) from None

    def close(self) -> None:
        if self._is_ours:
            self._session.stop()

    # --- verbs ------------------------------------------------------------------------------------

    def check(self, schema: Schema) -> None:
        self.rows.check_unchanged(schema)

    def collapse(self, quasi: Sequence[str], person: str | None) -> Kinds:
        names = numbered(quasi)
        if person is None:
            source, counted = self._read(quasi, names), "count(*)"
        else:
            self._person = person
            source, counted = self._persons(quasi), "sum(rows)"
        cells = listed(names)
        sql = f"SELECT {cells}, count(*) AS persons, {counted} AS rows FROM {{source}} GROUP BY {cells}"
        frame = kept(self._asked(sql, source=source), len(quasi), self.memory, self.rows.source)
        found = [frame[name].to_numpy().astype(np.int64) for name in ("persons", "rows")]
        return Kinds(frame.select(names).rename(dict(zip(names, quasi, strict=True))), *found)

    def recode(self, kinds: Kinds, classes: Classes, order: Sequence[str]) -> Batches:
        stay = [name for name in order if name not in classes.labels.columns]
        if not stay:
            yield from by_class(kinds, classes)
            return
        names = numbered(stay, "u")
        shown = listed(["class", *names, *ranks_of(classes)])
        keys = listed(f"{key} NULLS LAST" for key in sorted_by(order, classes, stay))
        sql = f"SELECT {shown}, count(*) AS times FROM {{joined}} GROUP BY {shown} ORDER BY {keys}"
        back = {**dict(zip(names, stay, strict=True)), "class": CLASS, "times": TIMES}
        types = {name: self.columns[name] for name in stay}
        for batch in self._asked(sql, joined=self._joined(kinds, classes, stay)):
            yield batch.select(back.keys()).rename(back).cast(types)  # type: ignore[arg-type]

    def row_map(self, kinds: Kinds, classes: Classes, order: Sequence[str]) -> Batches:
        raise NotImplementedError("rows of Spark have no order; who asks for a row map is refused before")

    def members(self, kinds: Kinds, classes: Classes) -> Batches:
        if self._person is None:
            yield from members_by_cells(kinds, classes)
            return
        sql = f"SELECT p.person, k.class FROM {{p}} p JOIN {{k}} k ON {_same('p', 'k', kinds.frame.columns)}"
        found = self._asked(sql, p=self._persons(kinds.frame.columns), k=self._placed(kinds, classes))
        for batch in found:
            yield batch.rename({"person": WHO, "class": CLASS})

    # --- what they are made of --------------------------------------------------------------------

    def _read(self, columns: Sequence[str], names: Sequence[str]) -> Any:
        """Some columns of the file, under other names."""
        from pyspark.sql import functions

        every = numbered([*self.columns], "x")
        reader, path = self._session.read, str(self.rows.path.absolute())
        if self.layout.kind == "parquet":
            whole = reader.parquet(path)
        else:
            kinds = zip(every, self.columns.values(), strict=True)
            called = dict(zip(every, self.columns, strict=True))
            named = (
                every if self.layout.kind == "csv" else [f"`{called[n].replace('`', '``')}`" for n in every]
            )
            types = [_TYPES[type(dtype)] for _, dtype in kinds]
            reader = reader.schema(", ".join(f"{n} {t}" for n, t in zip(named, types, strict=True)))
            if self.layout.kind == "csv":
                has_quotes = self._has_quotes()
                whole = reader.csv(
                    path,
                    header=True,
                    enforceSchema=True,
                    sep=self.layout.delimiter,
                    quote='"',
                    escape='"',
                    nullValue=_NOTHING,
                    emptyValue="",
                    multiLine=has_quotes,
                    mode="FAILFAST",
                )
            else:
                whole = reader.json(path, mode="FAILFAST")
        whole = whole.toDF(*every)
        at = {name: number for number, name in zip(every, self.columns, strict=True)}
        chosen = zip(columns, names, strict=True)
        return whole.select(*[functions.col(at[name]).alias(number) for name, number in chosen])

    def _has_quotes(self) -> bool:
        with self.rows.path.open("rb") as file:
            return any(b'"' in block for block in iter(lambda: file.read(1 << 24), b""))

    def _with_person(self, columns: Sequence[str], names: Sequence[str]) -> Any:
        from pyspark.sql import functions

        assert self._person is not None
        frame = self._read([*columns, self._person], [*names, "key"])
        person = functions.regexp_replace(functions.col("key").cast("string"), _BLANKS, "")
        return frame.withColumn("person", person).drop("key")

    def _persons(self, quasi: Sequence[str]) -> Any:
        """Persons with their different cells, in an order that is the same for the same cells."""
        names = numbered(quasi)
        # sets leave out what is missing: cells are put into structs
        cells = [
            f"transform(array_sort(collect_set(struct({n} AS cell))), one -> one.cell) AS {n}" for n in names
        ]
        sql = f"SELECT person, {listed(cells)}, count(*) AS rows FROM {{rows}} GROUP BY person"
        return self._session.sql(sql, rows=self._with_person(quasi, names))

    def _placed(self, kinds: Kinds, classes: Classes) -> Any:
        quasi = kinds.frame.columns
        called = {**dict(zip(quasi, numbered(quasi), strict=True)), CLASS: "class"}
        whole = pl.concat([*placed(kinds, classes)]).rename(called)
        return self._session.createDataFrame(whole.to_arrow(compat_level=pl.CompatLevel.oldest()))

    def _joined(self, kinds: Kinds, classes: Classes, stay: Sequence[str]) -> Any:
        """Rows beside their class, with the columns that stay, u0, u1 ..."""
        quasi, mine = kinds.frame.columns, numbered(stay, "u")
        on = _same("p" if self._person else "s", "k", quasi)
        shown = listed(["k.class", *(f"k.{n}" for n in ranks_of(classes)), *(f"s.{n}" for n in mine)])
        tables = {"k": self._placed(kinds, classes)}
        if self._person is None:
            tables["s"] = self._read([*quasi, *stay], [*numbered(quasi), *mine])
            return self._session.sql(f"SELECT {shown} FROM {{s}} s JOIN {{k}} k ON {on}", **tables)
        tables |= {"s": self._with_person(stay, mine), "p": self._persons(quasi)}
        join = f"{{s}} s JOIN {{p}} p ON s.person = p.person JOIN {{k}} k ON {on}"
        return self._session.sql(f"SELECT {shown} FROM {join}", **tables)

    # --- answers ----------------------------------------------------------------------------------

    def _asked(self, sql: str, **tables: Any) -> Batches:
        """The rows of an answer in its order, through files that executors write and the driver reads."""
        self._answers += 1
        place, run = self.folder / f"answer-{self._answers}", current()
        try:
            self._session.sql(sql, **tables).write.parquet(str(place))
        except Exception as error:  # messages of Spark quote cells
            run.poll()
            if isinstance(error, HeteronymError):
                raise
            raise InputError(f"{self.rows.source}: engine 'spark' failed ({type(error).__name__})") from None
        return self._batches(sorted(place.glob("part-*.parquet")))

    def _batches(self, files: Sequence[Path]) -> Iterator[pl.DataFrame]:
        for file in files:
            yield from pl.scan_parquet(file).collect_batches(chunk_size=BATCH, maintain_order=True)
            file.unlink()


def _same(one: str, other: str, columns: Sequence[str]) -> str:
    return " AND ".join(f"{one}.{n} <=> {other}.{n}" for n in numbered(columns))
