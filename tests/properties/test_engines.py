"""An engine makes the release of the single machine, to the byte, or refuses."""

from __future__ import annotations

import csv
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import heteronym as hn
from heteronym.errors import InputError
from tests.properties.tables import JOB_HIERARCHY, Case, cases

pytest.importorskip("duckdb", reason="needs heteronym[duckdb]")
WRITERS = {
    "csv": pl.DataFrame.write_csv,
    "parquet": pl.DataFrame.write_parquet,
    "jsonl": pl.DataFrame.write_ndjson,
}


@pytest.fixture(autouse=True, scope="module")
def beside_the_hierarchy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("hierarchies")
    (folder / "job.csv").write_text(JOB_HIERARCHY)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield


def exact(case: Case) -> dict[str, Any]:
    """The plan as engines take it: cuts by gain, and no sensitive column where persons have several rows."""
    plan = {**case.plan, "partition": {"method": "mondrian"}}
    if plan.get("data"):
        plan["attributes"] = {**plan["attributes"], "note": {"role": "plain"}}
    return plan


@given(cases(), st.sampled_from(sorted(WRITERS)))
@settings(deadline=None, max_examples=60)
def test_duckdb_makes_the_bytes_of_one_machine(case: Case, kind: str) -> None:
    assume(case.persons >= case.k)
    plan = exact(case)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        file = folder / f"rows.{kind}"
        WRITERS[kind](case.frame, file)
        try:
            hn.anonymize(file, plan, output=folder / "one", private=folder / "own")
        except InputError as refused:  # what one machine does not take, an engine does not either
            with pytest.raises(InputError):
                hn.anonymize(file, plan, output=folder / "engine", engine="duckdb")
            assume(bool(str(refused)))
            return
        by_engine = hn.anonymize(
            file, plan, output=folder / "engine", private=folder / "owner", engine="duckdb"
        )
        assert (folder / "one" / file.with_stem("data").name).read_bytes() == (
            folder / "engine" / file.with_stem("data").name
        ).read_bytes()
        assert by_engine.verdict.holds
        assert hn.verify(folder / "engine", against=file, private=folder / "owner").holds
        assert smallest_group(folder / "owner/rows.csv", by_engine.data.collect(), case) >= case.k
        assert not [path for path in folder.iterdir() if path.name.startswith(".heteronym")]


def smallest_group(row_map: Path, released: pl.DataFrame, case: Case) -> int:
    """Persons who share their labels, counted one row after another."""
    records = released.select(case.quasi).rows()
    persons = defaultdict(set)
    with row_map.open(newline="") as file:
        for line in csv.DictReader(file):
            persons[records[int(line["released_row"]) - 1]].add(line["person"])
    return min(map(len, persons.values()))
