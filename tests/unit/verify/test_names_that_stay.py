"""What was taken for a person's name and stays is counted by a check of its own, whatever its type there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import heteronym as hn
from heteronym.model.release import Check


def names_of(notes: list[str], patterns: dict[str, str], tmp_path: Path) -> Check:
    """The check in the run; a later `verify` must say the same."""
    plan: dict[str, Any] = {
        "data": {"person": "id"},
        "attributes": {"id": {"role": "identifier"}, "sex": {"role": "quasi"}, "note": {"role": "text"}},
        "text": {"model": "none", "entities": ["PERSON", "PRODUCT"], "patterns": patterns},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    frame = pl.DataFrame(
        {"id": [f"p{n}" for n in range(len(notes))], "sex": ["f"] * len(notes), "note": notes}
    )
    frame.write_csv(tmp_path / "d.csv")
    out, own = tmp_path / "out", tmp_path / "own"
    release = hn.anonymize(tmp_path / "d.csv", plan, output=out, private=own)
    later = hn.verify(out, private=own, against=tmp_path / "d.csv")
    assert later.holds
    run, then = (next(c for c in v.checks if c.name == "names") for v in (release.verdict, later))
    assert run == then
    return run


def test_a_name_that_all_of_a_group_write_is_counted(tmp_path: Path) -> None:
    check = names_of(["Seen by Zorinka Valeska."] * 4, {"PERSON": "Zorinka Valeska"}, tmp_path)
    assert check.holds is None
    assert check.detail.startswith("4 mentions")


def test_a_name_that_goes_is_not(tmp_path: Path) -> None:
    notes = ["Seen by Zorinka Valeska.", "Seen by nobody.", "Seen alone.", "Not seen."]
    assert names_of(notes, {"PERSON": "Zorinka Valeska"}, tmp_path).holds is True


@pytest.mark.parametrize("other", ["PRODUCT"])
def test_a_name_that_stays_under_another_type_is_told(other: str, tmp_path: Path) -> None:
    notes = ["We saw Zorinka Valeska. The unit Zorinka Valeska hums."] * 4
    patterns = {"PERSON": r"(?<=saw )Zorinka Valeska", other: r"(?<=unit )Zorinka Valeska"}
    check = names_of(notes, patterns, tmp_path)
    assert check.holds is None
    assert "8 mentions" in check.detail
    assert f"4 {other}" in check.detail
