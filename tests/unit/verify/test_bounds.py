"""The bound of rum-bound and tum-bound is read off the written labels, by code of its own."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import heteronym as hn
from heteronym.errors import PromiseError

TREE = "\n".join(f"{leaf},{'low' if leaf < 'E' else 'high'},all" for leaf in "ABCDEFGHIJ") + "\n"
CITIES = "Ulm,South,Europe\nRom,South,Europe\nOslo,North,Europe\nBern,South,Europe\nKyoto,East,Asia\n"


def table(seed: int) -> pl.DataFrame:
    rng = random.Random(seed)
    return pl.DataFrame(
        {
            "age": [None if rng.random() < 0.1 else rng.choice([18, 20, 25, 40, 77]) for _ in range(60)],
            "city": [rng.choice(["Ulm", "Rom", "Oslo", "Bern"]) for _ in range(60)],
            "zip": [rng.choice(["8810", "8811", "8900", "89", "1"]) for _ in range(60)],
            "day": [f"200{rng.randint(3, 4)}-0{rng.randint(1, 9)}-1{rng.randint(0, 9)}" for _ in range(60)],
            "level": [rng.choice(["low", "mid", "high"]) for _ in range(60)],
            "codes": [" ".join(sorted({rng.choice("ABCDEFGH") for _ in range(3)})) for _ in range(60)],
        }
    )


def release(folder: Path, seed: int, partition: dict[str, Any], **more: Any) -> hn.Release:
    (folder / "tree.csv").write_text(TREE)
    (folder / "cities.csv").write_text(CITIES)
    table(seed).write_csv(folder / "data.csv")
    quasi = {"role": "quasi"}
    plan = {
        "attributes": {
            "age": quasi | {"scale": "numeric"},
            "city": quasi | {"hierarchy": "cities.csv"},
            "zip": quasi | {"recode": "prefix", "weight": 2.0},
            "day": quasi | {"scale": "date"},
            "level": quasi | {"scale": "ordinal", "order": ["low", "mid", "high"]},
            "codes": {"role": "items", "separator": " ", "hierarchy": "tree.csv"},
        },
        "privacy": [{"model": "kkm-anonymity", "k": 4, "m": 2}],
        "partition": partition,
        "measures": {"query_error": {"queries": 1}},
        **more,
    }
    (folder / "plan.yaml").write_text(json.dumps(plan))
    return hn.anonymize(folder / "data.csv", folder / "plan.yaml", output=folder / "out", overwrite=True)


def audited(found: hn.Release) -> float:
    (check,) = [check for check in found.verdict.checks if check.name == "bound"]
    assert check.holds
    told = re.search(r"lose ([\d.]+)", check.detail)
    assert told is not None
    return float(told[1])


@pytest.mark.parametrize("seed", range(5))
def test_the_auditor_reads_the_loss_of_the_columns_off_their_labels(seed: int, tmp_path: Path) -> None:
    found = release(tmp_path, seed, {"method": "rum-bound", "delta": 0.8, "merge": "rt"})
    losses = found.measures["ncp"]["published"]
    weight = {name: 2.0 if name == "zip" else 1.0 for name in ("age", "city", "zip", "day", "level")}
    expected = sum(weight[name] * losses[name] for name in weight) / sum(weight.values())
    assert audited(found) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("rum", ["discernibility", "class-size"])
def test_the_auditor_reads_the_sizes_of_groups(rum: str, tmp_path: Path) -> None:
    delta = {"discernibility": 0.4, "class-size": 3.0}[rum]
    found = release(tmp_path, 1, {"method": "rum-bound", "delta": delta, "rum": rum})
    sizes = [int(size) for size, often in found.measures["groups"]["histogram"].items() for _ in range(often)]
    value = sum(s * s for s in sizes) / 3600 if rum == "discernibility" else 60 / len(sizes) / 4
    assert audited(found) == pytest.approx(value, abs=1e-4)


@pytest.mark.parametrize("recode", ["sets", "hierarchy"])
@pytest.mark.parametrize("tum", ["ul", "tncp"])
def test_the_auditor_reads_the_loss_of_the_items_off_their_labels(
    tum: str, recode: str, tmp_path: Path
) -> None:
    for seed in range(3):
        method = {"method": "tum-bound", "delta": 1.0, "tum": tum}
        found = release(tmp_path, seed, method, recode={"items": recode})
        assert audited(found) == pytest.approx(found.measures["transaction"][tum], abs=1e-4)


def test_items_recoded_by_a_hierarchy_are_refused_if_they_lose_more_than_delta(tmp_path: Path) -> None:
    method = {"method": "tum-bound", "delta": 0.3, "items": "sets"}
    release(tmp_path, 0, method)  # as blocks they keep the bound, and the search believes in blocks
    with pytest.raises(PromiseError, match=r"bound: the items lose 0\.\d+ \(ul\), delta is 0\.3"):
        release(tmp_path, 0, method, recode={"items": "hierarchy"})


@pytest.mark.parametrize("merge", ["r", "t", "rt"])
@pytest.mark.parametrize("tum", ["ul", "tncp"])
def test_a_bound_on_items_with_a_hierarchy_is_kept_or_a_bound_is_named_that_can_be(
    merge: str, tum: str, tmp_path: Path
) -> None:
    hierarchy = {"items": "hierarchy"}
    method = {"method": "tum-bound", "merge": merge, "tum": tum}
    with pytest.raises(PromiseError, match="the smallest reached is") as refused:
        release(tmp_path, 1, method | {"delta": 0.0}, recode=hierarchy)
    least = float(re.search(r"the smallest reached is ([\d.]*\d)", str(refused.value))[1])
    most = audited(release(tmp_path, 1, method | {"delta": 1.0}, recode=hierarchy))
    assert least < most
    for delta in (least, (least + most) / 2):
        assert audited(release(tmp_path, 1, method | {"delta": delta}, recode=hierarchy)) <= delta + 1e-4


def test_a_plan_without_a_bound_has_no_such_check(tmp_path: Path) -> None:
    found = release(tmp_path, 0, {"method": "k-member"})
    assert "bound" not in [check.name for check in found.verdict.checks]
