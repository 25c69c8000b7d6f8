"""Spark in local mode makes the release of the single machine, in however many parts rows come."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import heteronym as hn
from heteronym.errors import InputError, UsageError

pytest.importorskip("pyspark", reason="needs heteronym[spark]")
pytestmark = [
    pytest.mark.skipif(shutil.which("java") is None, reason="needs Java 17 (openjdk-17-jre-headless)"),
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::ResourceWarning"),
]

ATTRIBUTES: dict[str, Any] = {
    "who": {"role": "identifier"},
    "age": {"role": "quasi", "scale": "numeric"},
    "note": {"role": "plain"},
    "town": {"role": "quasi"},
}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.log.level", "ERROR")
    builder = builder.config("spark.sql.adaptive.enabled", "false")
    made = builder.config("spark.local.dir", str(tmp_path_factory.mktemp("spark"))).getOrCreate()
    yield made
    made.stop()


def table(rows: int = 4_000) -> pl.DataFrame:
    rng = np.random.default_rng(3)
    towns = pl.Series(["Ulm", "Kiel", 'the "old", town', " Bonn ", None, "Köln"])
    return pl.DataFrame(
        {
            "who": [f" p{n} " for n in rng.integers(0, rows // 2, rows)],
            "age": pl.Series(rng.integers(17, 90, rows)).cast(pl.String),
            "note": pl.Series([None, "", "yes", "no\nnever"])[rng.integers(0, 4, rows).tolist()],
            "town": towns[np.minimum(rng.geometric(0.5, rows) - 1, 5).tolist()],
        }
    )


def plan(*, persons: bool = False, k: int = 5) -> dict[str, Any]:
    made = {"attributes": ATTRIBUTES, "privacy": [{"model": "k-anonymity", "k": k}]}
    return {**made, "data": {"person": "who"}} if persons else made


def same_bytes(session: Any, file: Path, given: dict[str, Any], parts: int) -> None:
    session.conf.set("spark.sql.shuffle.partitions", str(parts))
    session.conf.set("spark.sql.files.maxPartitionBytes", str(file.stat().st_size // parts + 1))
    one, other = file.parent / "one", file.parent / "spark"
    if not one.exists():
        hn.anonymize(file, given, output=one)
    made = hn.anonymize(file, given, output=other, engine="spark", overwrite=True)
    name = file.with_stem("data").name
    assert (one / name).read_bytes() == (other / name).read_bytes()
    assert made.verdict.holds
    assert made.facts["method"]["engine"]["name"] == "spark"
    assert not [path for path in file.parent.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_rows_in_1_2_4_and_7_parts_are_one_release(kind: str, session: Any, tmp_path: Path) -> None:
    file = tmp_path / f"rows.{kind}"
    rows = table()
    rows.write_csv(file) if kind == "csv" else rows.write_parquet(file, row_group_size=500)
    for parts in (1, 2, 4, 7):
        same_bytes(session, file, plan(), parts)


def test_persons_with_several_rows_are_one_release(session: Any, tmp_path: Path) -> None:
    table().write_ndjson(tmp_path / "rows.jsonl")
    same_bytes(session, tmp_path / "rows.jsonl", plan(persons=True), 3)


def test_a_table_in_which_nothing_collapses_is_one_release(session: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    rows = pl.DataFrame({"zip": rng.permutation(3_000), "day": rng.permutation(3_000)})
    rows.write_parquet(tmp_path / "rows.parquet")
    scales = {name: {"role": "quasi", "scale": "numeric"} for name in rows.columns}
    given = {"attributes": scales, "privacy": [{"model": "k-anonymity", "k": 7}]}
    same_bytes(session, tmp_path / "rows.parquet", given, 4)
    released = pl.read_parquet(tmp_path / "spark/data.parquet")
    assert min(Counter(released.rows()).values()) >= 7


def test_what_spark_does_not_do_is_refused(session: Any, tmp_path: Path) -> None:
    table(40).write_csv(tmp_path / "rows.csv")
    with pytest.raises(UsageError, match="row map"):
        hn.anonymize(
            tmp_path / "rows.csv", plan(), output=tmp_path / "out", private=tmp_path / "own", engine="spark"
        )
    table(40).with_columns(at=pl.lit("2020-01-01 10:00:00").str.to_datetime()).write_parquet(
        tmp_path / "rows.parquet"
    )
    given = plan() | {"attributes": ATTRIBUTES | {"at": {"role": "plain"}}}
    with pytest.raises(InputError, match="'at' holds"):
        hn.anonymize(tmp_path / "rows.parquet", given, output=tmp_path / "out", engine="spark")
    assert not (tmp_path / "out").exists()
