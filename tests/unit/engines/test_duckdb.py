"""The road on DuckDB: what is refused, what is left behind, who counts."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import heteronym as hn
from heteronym.engines import choose
from heteronym.engines.spill import check_room, spill_folder
from heteronym.errors import CancelledError, InputError, OutputError, PlanError, PromiseError, UsageError
from heteronym.run import Run

pytest.importorskip("duckdb", reason="needs heteronym[duckdb]")

PLAN: dict[str, Any] = {
    "attributes": {
        "age": {"role": "quasi", "scale": "numeric"},
        "town": {"role": "quasi"},
        "income": {"role": "sensitive"},
        "note": {"role": "plain"},
        "born": {"role": "quasi", "scale": "date"},
    },
    "privacy": [{"model": "k-anonymity", "k": 5}],
}


def table(rows: int = 3_000, seed: int = 1) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": rng.integers(17, 90, rows),
            "town": rng.choice(["Ulm", "Bonn", "Kiel", ""], rows),
            "income": rng.choice(["low", "high", "none"], rows),
            "note": [f'said "{n % 97}", twice' for n in range(rows)],
            "born": pl.Series(rng.integers(0, 20_000, rows).astype("datetime64[D]")),
        }
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    table().write_csv(tmp_path / "rows.csv")
    return tmp_path / "rows.csv"


def on_engine(file: Path, plan: dict[str, Any] | None = None, **given: Any) -> Any:
    return hn.anonymize(file, plan or PLAN, output=file.parent / "out", engine="duckdb", **given)


def with_plan(**changes: Any) -> dict[str, Any]:
    return {**PLAN, **changes}


def with_column(name: str, **attribute: Any) -> dict[str, Any]:
    return with_plan(attributes={**PLAN["attributes"], name: attribute})


def nothing_left(folder: Path) -> bool:
    return not [path for path in folder.iterdir() if path.name.startswith(".") or path.name == "out"]


# --- the release ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl"])
def test_the_release_is_that_of_one_machine_with_the_same_facts(kind: str, tmp_path: Path) -> None:
    file = tmp_path / f"rows.{kind}"
    {"csv": table().write_csv, "parquet": table().write_parquet, "jsonl": table().write_ndjson}[kind](file)
    one = hn.anonymize(file, PLAN, output=tmp_path / "one")
    other = on_engine(file)
    name = f"data.{kind}"
    assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()
    for part in ("groups", "ncp", "drift"):
        assert one.facts["measures"][part] == other.facts["measures"][part]
    assert one.facts["fates"] == other.facts["fates"]
    assert one.facts["data"] == other.facts["data"]
    assert one.facts["verdict"]["risk"] == other.facts["verdict"]["risk"]
    assert one.shown == other.shown
    assert other.facts["method"]["engine"] == {"name": "duckdb", "reason": "asked for"}
    assert other.data.collect().height == 3_000


def test_a_nothing_collapses_table_is_that_of_one_machine(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    rows = pl.DataFrame({"zip": rng.permutation(9_000), "day": rng.permutation(9_000)}).cast(pl.String)
    rows.write_csv(tmp_path / "rows.csv")
    plan = {
        "attributes": {
            "zip": {"role": "quasi", "recode": "prefix"},
            "day": {"role": "quasi", "scale": "numeric"},
        },
        "privacy": PLAN["privacy"],
    }
    hn.anonymize(tmp_path / "rows.csv", plan, output=tmp_path / "one")
    on_engine(tmp_path / "rows.csv", plan)
    assert (tmp_path / "one/data.csv").read_bytes() == (tmp_path / "out/data.csv").read_bytes()
    counts = Counter(pl.read_csv(tmp_path / "out/data.csv", infer_schema=False).rows())
    assert min(counts.values()) >= 5


def test_a_person_with_very_many_rows_is_one_person(tmp_path: Path) -> None:
    rows = table(2_000).drop("income").with_columns(who=pl.int_range(2_000).cast(pl.String))
    one = rows[:1].with_columns(who=pl.lit(" 7 "))
    pl.concat([rows, *([one] * 10_000)]).write_csv(tmp_path / "rows.csv")
    attributes = {name: one for name, one in PLAN["attributes"].items() if name != "income"}
    plan = {"data": {"person": "who"}, "attributes": {**attributes, "who": {"role": "identifier"}}}
    plan["privacy"] = PLAN["privacy"]
    hn.anonymize(tmp_path / "rows.csv", plan, output=tmp_path / "one")
    release = on_engine(tmp_path / "rows.csv", plan)
    assert (tmp_path / "one/data.csv").read_bytes() == (tmp_path / "out/data.csv").read_bytes()
    assert (release.facts["data"]["persons"], release.facts["data"]["rows"]) == (2_000, 12_000)


def test_the_owner_gets_a_row_map_that_verifies(file: Path) -> None:
    on_engine(file, private=file.parent / "own")
    assert hn.verify(file.parent / "out", against=file, private=file.parent / "own").holds
    lines = (file.parent / "own/rows.csv").read_text().splitlines()
    one = hn.anonymize(file, PLAN, output=file.parent / "one", private=file.parent / "own1")
    assert lines == (file.parent / "own1/rows.csv").read_text().splitlines()
    assert one.verdict.holds
    assert (file.parent / "own/rows.csv").stat().st_mode & 0o077 == 0


# --- what is refused --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plan", "named"),
    [
        (with_plan(privacy=[{"model": "t-closeness", "t": 0.3, "attribute": "income"}]), "t-closeness"),
        (with_plan(partition={"method": "k-member"}), "k-member"),
        (with_plan(partition={"method": "mondrian", "cut": "widest"}), "mondrian"),
        (with_plan(release={"suppress_up_to": 0.1}), "left out"),
        (with_plan(release={"suppress_cells_up_to": 0.1}), "withholds"),
        (with_plan(release={"numeric": "mean"}), "labels"),
        (with_plan(data={"weight": "age"}), "weight"),
        (with_plan(data={"decimal": ","}), "decimal"),
        (with_column("note", role="text"), "role text"),
        (with_column("note", role="items", separator=" "), "role items"),
        (with_column("note", role="event"), "role event"),
    ],
)
def test_what_is_not_exact_is_refused_before_a_row_is_read(
    plan: dict[str, Any], named: str, tmp_path: Path
) -> None:
    (tmp_path / "rows.csv").write_text("no such columns\n1\n")
    with pytest.raises(PlanError, match=named):
        on_engine(tmp_path / "rows.csv", plan)
    assert nothing_left(tmp_path)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"engine": "dukdb"}, "Did you mean 'duckdb'"),
        ({"engine": "duckdb", "memory": "some"}, "4GB"),
        ({"engine": "duckdb", "memory": "10MB"}, "at least 1GB"),
        ({"memory": "4GB"}, "engine"),
        ({"engine": "duckdb", "metadata": True}, "metadata"),
        ({"engine": "duckdb", "output": None}, "output"),
    ],
)
def test_what_does_not_go_together_is_refused(given: dict[str, Any], said: str, file: Path) -> None:
    with pytest.raises(UsageError, match=said):
        hn.anonymize(file, PLAN, **{"output": file.parent / "out", **given})


def test_frames_do_not_go_to_an_engine(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="one file"):
        hn.anonymize(table(20), PLAN, output=tmp_path / "out", engine="duckdb")


def test_a_missing_package_is_one_line_with_the_remedy(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(UsageError, match=r"pip install 'heteronym\[duckdb\]'"):
        on_engine(file)
    assert nothing_left(file.parent)


def test_cells_that_do_not_fit_are_told_by_their_rows(tmp_path: Path) -> None:
    rows = table(2_000).with_columns(pl.col("age").cast(pl.String))
    rows = rows.with_columns(age=rows["age"].scatter([6, 1_400], ["secret", "hidden"]))
    rows.write_csv(tmp_path / "rows.csv")
    with pytest.raises(InputError, match="'age' is numeric in the plan, but rows 7, 1401 hold") as refused:
        on_engine(tmp_path / "rows.csv")
    assert "secret" not in str(refused.value)
    assert nothing_left(tmp_path)


def test_persons_without_key_are_told_by_their_rows(tmp_path: Path) -> None:
    rows = table(50).drop("income").with_columns(who=pl.lit("a").cast(pl.String))
    rows.with_columns(who=rows["who"].scatter([11], None)).write_csv(tmp_path / "rows.csv")
    attributes = {name: one for name, one in PLAN["attributes"].items() if name != "income"}
    plan = {"data": {"person": "who"}, "attributes": {**attributes, "who": {"role": "identifier"}}}
    with pytest.raises(InputError, match="'who', row 12"):
        on_engine(tmp_path / "rows.csv", {**plan, "privacy": PLAN["privacy"]})


def test_a_column_that_repeats_an_identifier_is_refused(tmp_path: Path) -> None:
    rows = table(400).with_columns(card=pl.format("S-{}", pl.int_range(400) + 10_000))
    rows.with_columns(note=pl.col("card").str.replace("-", "")).write_csv(tmp_path / "rows.csv")
    with pytest.raises(PlanError, match="repeats the identifier 'card'"):
        on_engine(tmp_path / "rows.csv", with_column("card", role="identifier"))


@pytest.mark.parametrize(
    "content", [b"", b"age,town\n", "a,b\n1,Köln\n".encode("latin-1"), b"\xef\xbb\xbfa,b\n1,2\n"]
)
def test_odd_files_are_refused_in_one_line(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_bytes(content)
    with pytest.raises(InputError) as refused:
        on_engine(tmp_path / "rows.csv")
    assert "\n" not in str(refused.value)
    assert nothing_left(tmp_path)


@pytest.mark.parametrize("kind", ["parquet", "jsonl"])
def test_a_file_without_rows_is_refused(kind: str, tmp_path: Path) -> None:
    file = tmp_path / f"rows.{kind}"
    {"parquet": table(0).write_parquet, "jsonl": table(0).write_ndjson}[kind](file)
    with pytest.raises(InputError, match=r"no data rows|is empty"):
        on_engine(file)
    assert nothing_left(tmp_path)


def test_a_row_that_lacks_a_field_far_behind_is_refused(tmp_path: Path) -> None:
    table(40_000).write_csv(tmp_path / "rows.csv")
    with (tmp_path / "rows.csv").open("a") as file:
        file.write("36,Ulm\n")
    with pytest.raises(InputError, match=r"rows\.csv"):
        on_engine(tmp_path / "rows.csv")
    assert nothing_left(tmp_path)


def test_too_few_persons_are_refused(tmp_path: Path) -> None:
    table(4).write_csv(tmp_path / "rows.csv")
    with pytest.raises(InputError, match="k = 5 is larger than the number of persons, 4"):
        on_engine(tmp_path / "rows.csv")


# --- what is left behind ----------------------------------------------------------------------------


def test_the_spill_folder_is_the_owners_alone_and_goes_on_every_exit(tmp_path: Path) -> None:
    def interrupted() -> None:
        with spill_folder(tmp_path / "out") as folder:
            assert folder.stat().st_mode & 0o777 == 0o700
            (folder / "rows").write_text("cells")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert not list(tmp_path.iterdir())


def test_what_a_killed_run_spilled_goes_with_the_next_start(tmp_path: Path) -> None:
    left = tmp_path / ".heteronym-spill-abc"
    left.mkdir(mode=0o700)
    (left / "rows").write_text("cells")
    with spill_folder(tmp_path / "out") as mine:
        assert not left.exists()
        with spill_folder(tmp_path / "other") as another:
            assert mine.exists()
            assert another.exists()


def test_a_full_disk_is_told_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="larger disk"):
        check_room(tmp_path, 10**18)


def test_a_cancelled_run_leaves_nothing(file: Path) -> None:
    run = Run()
    run.progress = lambda step, share: run.cancel() if step == "write" else None
    with pytest.raises(CancelledError):
        on_engine(file, run=run)
    assert nothing_left(file.parent)


def test_a_failed_audit_leaves_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from heteronym.engines import road

    whole = road._released

    def lacking(work: Any, seen: Any) -> Any:
        for frame in whole(work, seen):
            yield frame[1:]

    monkeypatch.setattr(road, "_released", lacking)
    with pytest.raises(PromiseError):
        on_engine(file)
    assert nothing_left(file.parent)


# --- who chooses ------------------------------------------------------------------------------------


def test_an_engine_is_chosen_where_memory_will_not_do_and_said(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choose, "free_memory", lambda: 1_000_000)
    release = hn.anonymize(file, PLAN, output=file.parent / "out")
    engine = json.loads((file.parent / "out/facts.json").read_text())["method"]["engine"]
    assert engine["name"] == "duckdb"
    assert "are free" in engine["reason"]
    assert release.verdict.holds


def test_no_engine_is_chosen_where_its_release_would_be_another(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choose, "free_memory", lambda: 1_000_000)
    release = hn.anonymize(file, PLAN, output=file.parent / "out", cut="widest")
    assert "engine" not in release.facts["method"]


def test_free_memory_is_that_of_this_machine() -> None:
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert 0 < choose.free_memory() <= machine
