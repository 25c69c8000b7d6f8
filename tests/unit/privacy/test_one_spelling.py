"""Under joint, items and events that differ in capitals or blanks alone are released as one string.

Whoever counts holders takes "el3249" and "EL3249" for one label; whoever reads them does not, and the rare
spelling would tell its holder from everybody else of the group.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import heteronym as hn

PLAN: dict[str, Any] = {
    "data": {"person": "id"},
    "attributes": {
        "id": {"role": "identifier"},
        "age": {"role": "quasi", "scale": "numeric"},
        "lot": {"role": "event"},
        "drugs": {"role": "items", "separator": ";"},
        "note": {"role": "text"},
    },
    "text": {"model": "none"},
    "privacy": [{"model": "joint", "k": 3, "m": 2}],
}
LOTS = ["EL3249", "el3249", "EL3249", "El3249", "EL3249", "EL3249"]
DRUGS = [
    "Qwerin;Xylofen",
    "qwerin;Xylofen",
    "Qwerin;XYLOFEN",
    "Qwerin;Xylofen",
    "QWERIN;Xylofen",
    "Qwerin;Xylofen",
]


def frame() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "id": [f"p{n}" for n in range(6)],
            "age": [30, 30, 30, 30, 30, 30],
            "lot": LOTS,
            "drugs": DRUGS,
            "note": ["Took qwerin again.", "Took QWERIN again.", "", "Fine.", "Took Qwerin again.", ""],
        }
    )


def test_a_rare_spelling_is_released_as_the_common_one(tmp_path: Path) -> None:
    frame().write_csv(tmp_path / "d.csv")
    hn.anonymize(tmp_path / "d.csv", PLAN, output=tmp_path / "out", private=tmp_path / "own")
    released = pl.read_csv(tmp_path / "out" / "data.csv")
    assert set(released["lot"]) == {"EL3249"}
    entries = {entry for cell in released["drugs"].drop_nulls() for entry in cell.split(";")}
    assert len(entries) == len({entry.casefold() for entry in entries})
    assert hn.verify(tmp_path / "out", private=tmp_path / "own", against=tmp_path / "d.csv").holds


@pytest.mark.parametrize("column", ["lot", "drugs"])
def test_the_audit_refuses_a_label_in_two_spellings(column: str) -> None:
    from heteronym.io.plans import make_plan
    from heteronym.verify.audit import audit

    table = frame().drop("id", "note").with_columns(lot=pl.lit("EL3249"), drugs=pl.lit("Qwerin;Xylofen"))
    plan = make_plan({**PLAN, "attributes": {n: a for n, a in PLAN["attributes"].items() if n != "note"}})
    persons = frame()["id"].rank("dense").to_numpy().astype("int64")
    assert audit(table, plan, person=persons).models[0].holds
    spelt = frame().select(column).to_series()
    verdict = audit(table.with_columns(spelt), plan, person=persons)
    assert verdict.models[0].holds is False
    assert "several spellings" in verdict.models[0].detail


def test_a_sensitive_item_keeps_its_own_writing() -> None:
    """Which items are sensitive, the plan says in their own spelling."""
    attributes = PLAN["attributes"] | {"drugs": {"role": "items", "separator": ";", "sensitive": ["qwerin"]}}
    release = hn.anonymize(
        frame().drop("note"),
        PLAN
        | {
            "attributes": {n: a for n, a in attributes.items() if n != "note"},
        },
    )
    cells = pl.DataFrame(release.data)["drugs"].to_list()
    assert sum("qwerin" in cell for cell in cells) == 1
