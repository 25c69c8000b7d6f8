"""Two hundred random datasets with texts, items, events, joins and nasty spellings, counted independently."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import polars as pl
import pytest
from benchmarks.fuzz import run_case, violations
from benchmarks.generators.fuzz_tables import fuzz_case
from benchmarks.generators.joint_tables import JointCase, joint_case
from benchmarks.joint_count import joint_violations

CASES = 200
AT_ONCE = 25
outcomes: Counter[str] = Counter()


@pytest.mark.parametrize("first", range(0, CASES, AT_ONCE))
def test_no_release_breaks_a_promise_and_nothing_crashes(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + AT_ONCE):
        folder = tmp_path / str(seed)
        folder.mkdir()
        outcome, told = run_case(seed, folder)
        outcomes[outcome] += 1
        assert outcome != "crashed", f"seed {seed}: {told}"
        assert outcome == "refused" or not told, f"seed {seed}: {told}"
        assert outcome == "released" or "Nothing was released" in told[0], f"seed {seed}: {told}"
    assert outcomes["refused"] <= 0.01 * CASES


def test_the_count_sees_what_is_wrong(tmp_path: Path) -> None:
    """Texts as they came and single persons: the counter must object."""
    case = fuzz_case(3)
    (tmp_path / "out").mkdir()
    (tmp_path / "own").mkdir()
    case = type(case)(**{**vars(case), "format": "parquet", "joined": False})
    case.frame.write_parquet(tmp_path / "out" / "data.parquet")
    rows = [f"{i + 1},{i + 1},{key}" for i, key in enumerate(case.frame["id"])]
    (tmp_path / "own" / "rows.csv").write_text("\n".join(["released_row,source_row,person", *rows]))
    found = " ".join(violations(case, tmp_path / "out", tmp_path / "own"))
    assert "a group of 1" in found
    assert "id is released" in found
    assert "is left in a text" in found


def test_the_count_of_joint_releases_sees_what_is_wrong(tmp_path: Path) -> None:
    """Texts, items and events as they came, in one group: the counter must object."""
    seed = next(n for n in range(2, 400, 4) if {"drugs", "visit", "note"} <= set(joint_case(n).frame.columns))
    case = joint_case(seed)
    quasi = [name for name, a in case.plan["attributes"].items() if a["role"] == "quasi"]
    own = [name for name, a in case.plan["attributes"].items() if a["role"] == "identifier"]
    rows, ids = list(range(case.frame.height)), case.frame["id"].to_list()
    alike = case.frame.with_columns(pl.lit("*").alias(name) for name in quasi).drop(own)
    found = " ".join(joint_violations(case, alike.to_dicts(), ids, rows))
    assert "1 persons show some labels by person" in found
    assert "1 persons show some labels by row" in found
    assert "is left in a text" in found
    other = alike.with_columns(note=pl.lit("Something else."))
    assert "changed outside" in " ".join(joint_violations(case, other.to_dicts(), ids, rows))
    alone = alike.with_columns(pl.Series(quasi[0], ids))
    assert "a group of 1" in " ".join(joint_violations(case, alone.to_dicts(), ids, rows))


def test_labels_that_follow_the_holder_are_seen() -> None:
    """One job of a group is kept in one text and masked in another."""
    case, (row, name, surface) = next(
        found for n in range(2, 800, 4) if (found := _repeated_job(joint_case(n)))
    )
    quasi = [n for n, a in case.plan["attributes"].items() if a["role"] == "quasi"]
    rows = case.frame.with_columns(pl.lit("*").alias(n) for n in quasi).to_dicts()
    rows[row][name] = rows[row][name].replace(surface, "[JOB]")
    ids = case.frame["id"].to_list()
    assert "a 'job' became 2 things" in joint_violations(case, rows, ids, list(range(len(rows))))


def _repeated_job(case: JointCase) -> tuple[JointCase, tuple[int, str, str]] | None:
    """Where a job stands that stands elsewhere, too."""
    told = [
        (row, name, one.surface)
        for row, texts in enumerate(case.said)
        for name, sentences in texts.items()
        for one in sentences
        if one.column == "job"
    ]
    jobs = Counter(surface for _, _, surface in told)
    return next(((case, place) for place in told if jobs[place[2]] > 1), None)
