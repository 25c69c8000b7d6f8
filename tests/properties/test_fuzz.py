"""Two hundred random datasets with texts, items, joins and nasty spellings, counted independently."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from benchmarks.fuzz import run_case, violations
from benchmarks.generators.fuzz_tables import fuzz_case

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
