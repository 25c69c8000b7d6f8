"""Risk that remains: the producer's figures, the auditor's own and plain counting agree; a lie is found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.naive.risk import figures

import heteronym as hn

ATTRIBUTES: dict[str, Any] = {
    "id": {"role": "identifier"},
    "home": {"role": "identifier"},
    "weight": {"role": "plain"},
    "age": {"role": "quasi", "scale": "numeric"},
    "town": {"role": "quasi"},
    "ill": {"role": "sensitive"},
    "drugs": {"role": "sensitive", "separator": " "},
}


def people(seed: int, rows: int = 60) -> pl.DataFrame:
    """Persons of one or two rows, three or so to a household."""
    rng = np.random.default_rng(seed)
    person = np.sort(rng.integers(0, rows * 3 // 4, rows))
    _, person = np.unique(person, return_inverse=True)
    weight = rng.integers(1, 40, rows) / 4
    return pl.DataFrame(
        {
            "id": [f"p{n}" for n in person],
            "home": [None if n % 11 == 0 else f"h{n // 3}" for n in person],
            "weight": weight[person],
            "age": rng.integers(20, 60, rows),
            "town": rng.choice(["a", "b", "c"], rows),
            "ill": [
                None if rng.random() < 0.2 else str(v) for v in rng.choice(["flu", "gout", "cold"], rows)
            ],
            "drugs": [
                " ".join(rng.choice(["x", "y", "z"], rng.integers(0, 3), replace=False)) for _ in range(rows)
            ],
        }
    )


def plan(**data: Any) -> dict[str, Any]:
    return {
        "data": {"person": "id", **data},
        "attributes": ATTRIBUTES,
        "privacy": [{"model": "k-anonymity", "k": 3}],
        "release": {"suppress_up_to": 0.1},
    }


def counted(frame: pl.DataFrame, release: Any, *, household: bool, weight: bool) -> dict[str, float]:
    """By the released rows, whose they are being known."""
    source = frame[release.source_row]
    labels = list(release.data.select("age", "town").iter_rows())
    of: dict[str, dict[str, Any]] = {}
    for row, one in enumerate(source.iter_rows(named=True)):
        mine = of.setdefault(one["id"], {"class": labels[row], "ill": set(), "drugs": set(), **one_of(one)})
        mine["ill"] |= {one["ill"]} - {None}
        mine["drugs"] |= set((one["drugs"] or "").split())
    persons = list(of.values())
    return figures(
        [p["class"] for p in persons],
        values=[[p["ill"] for p in persons], [p["drugs"] for p in persons]],
        households=[p["home"] for p in persons] if household else None,
        weights=[p["weight"] for p in persons] if weight else None,
    )


def one_of(row: dict[str, Any]) -> dict[str, Any]:
    return {"home": row["home"], "weight": row["weight"]}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("data", [{}, {"household": "home"}, {"weight": "weight"}])
def test_producer_auditor_and_plain_counting_agree(seed: int, data: dict[str, str]) -> None:
    frame = people(seed)
    release = hn.anonymize(frame, plan(**data))
    truth = counted(frame, release, household="household" in data, weight="weight" in data)
    told = {name: one["after"] for name, one in release.measures["risk"].items()}
    assert {name: told[name] for name in truth} == pytest.approx(truth)
    found = dict(release.verdict.risk)
    if "weight" in data:  # two searches for the parameters of one estimate end a little apart
        assert found.pop("population_unique") == pytest.approx(told["population_unique"], rel=0.01)
    assert found == pytest.approx(truth)
    assert [check.holds for check in release.verdict.checks if check.name == "risk"] == [True]


def written(folder: Path, frame: pl.DataFrame, given: dict[str, Any]) -> tuple[Path, Path]:
    hn.anonymize(frame, given, output=folder / "release", private=folder / "owner")
    return folder / "release", folder / "owner"


def test_a_stand_alone_audit_has_the_figures_of_facts(tmp_path: Path) -> None:
    frame = people(1)
    release, owner = written(tmp_path, frame, plan(household="home", weight="weight"))
    facts = json.loads((release / "facts.json").read_text())
    told = {name: one["after"] for name, one in facts["measures"]["risk"].items()}
    verdict = hn.verify(release, private=owner, against=frame)
    assert verdict.holds is True
    assert {"prosecutor", "journalist", "marketer", "singling_out", "linkability", "inference"} <= set(
        verdict.risk
    )
    assert {name: told[name] for name in verdict.risk} == pytest.approx(dict(verdict.risk))
    assert facts["verdict"]["risk"] == pytest.approx(dict(verdict.risk))
    # without the data nobody knows households and weights: what needs them is not told
    alone = hn.verify(release, private=owner)
    assert not {"journalist", "marketer", "household"} & set(alone.risk)
    assert "prosecutor" in alone.risk


@pytest.mark.parametrize("name", ["prosecutor", "marketer", "singling_out", "linkability", "inference"])
def test_facts_that_tell_less_risk_than_there_is_are_found_by_anybody(tmp_path: Path, name: str) -> None:
    frame = people(2).unique("id").drop("id", "home", "weight")
    given = {**plan(), "data": {}, "attributes": {n: a for n, a in ATTRIBUTES.items() if n in frame.columns}}
    release, _ = written(tmp_path, frame, given)
    assert hn.verify(release).holds is True
    facts = json.loads((release / "facts.json").read_text())
    found = facts["measures"]["risk"][name]
    found["after"] = found["after"] * 0.99 - 0.01
    (release / "facts.json").write_text(json.dumps(facts))
    verdict = hn.verify(release)
    assert verdict.holds is False
    [check] = [check for check in verdict.checks if check.name == "risk"]
    assert name in check.detail
