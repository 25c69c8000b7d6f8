"""Columns, sets, terms and texts in nasty spellings, through every kind of file, verified from the outside.

A release that was made is true to its owner, and never broken to who has the release alone.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import heteronym as hn
from heteronym.errors import InputError, PromiseError

CELLS = [
    "a",
    "é",
    "e\u0301",
    " x ",
    "a,b",
    '"q"',
    "St Luke’s",
    "N.Y.",
    "*",
    "[1-2]",
    "{x}",
    "NA",
    "007",
    "1.50",
]
CELLS += ["true", "(z", "z)", "\\y", "北京"]
TEXTS = ["In Rome, aged 33.", "Oslo!", "", "He said: Rome; Rome", "nothing", None]
WRITERS: dict[str, Any] = {
    "csv": pl.DataFrame.write_csv,
    "jsonl": pl.DataFrame.write_ndjson,
    "json": pl.DataFrame.write_json,
    "parquet": pl.DataFrame.write_parquet,
    "xlsx": pl.DataFrame.write_excel,
}
EXPLAINED = ("larger than the number of persons", "cannot be generalized")
PLAN: dict[str, Any] = {
    "attributes": {
        "id": {"role": "identifier"},
        "number": {"role": "quasi", "scale": "numeric"},
        "part": {"role": "quasi", "scale": "numeric"},
        "day": {"role": "quasi", "scale": "date"},
        "name": {"role": "quasi"},
        "truth": {"role": "quasi"},
        "codes": {"role": "items", "separator": "|"},
        "found": {"role": "terms", "separator": "|"},
        "illness": {"role": "sensitive"},
        "note": {"role": "plain"},
        "text": {"role": "text"},
    },
    "privacy": [{"model": "k-anonymity", "k": 2}, {"model": "kkm-anonymity", "k": 2, "m": 1}],
    "text": {"model": "none", "patterns": {"GPE": "Rome|Oslo"}},
}


def people(rng: random.Random) -> pl.DataFrame:
    rows = range(rng.randint(8, 25))

    def some(values: list[Any]) -> list[Any]:
        return [rng.choice(values) for _ in rows]

    def sets(values: list[str], before: str = "") -> list[str]:
        return ["|".join(before + v for v in rng.sample(values, rng.randint(0, 3))) for _ in rows]

    texts = {name: pl.Series(some([*CELLS, None]), dtype=pl.String) for name in ("name", "illness", "note")}
    return pl.DataFrame(
        {
            "id": [rng.choice(["p%d", " p%d", "p%d "]) % rng.randint(0, len(rows)) for _ in rows],
            "number": some([*range(-5, 10), None]),
            "part": some([0.5, 1.0, 2.25, -3.0]),
            "day": some(["2001-02-03", "1999-12-31", "2020-02-29"]),
            "name": texts["name"],
            "truth": some([True, False]),
            "codes": sets(CELLS),
            "found": sets(["Rome", "rome", "Oslo", "Zürich"], "GPE:"),
            "illness": texts["illness"],
            "note": texts["note"],
            "text": pl.Series(some(TEXTS), dtype=pl.String),
        }
    )


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", WRITERS)
def test_a_release_is_true_to_its_owner_and_not_broken_to_others(
    kind: str, seed: int, tmp_path: Path
) -> None:
    rng = random.Random(f"{kind} {seed}")
    path = tmp_path / f"people.{kind}"
    WRITERS[kind](people(rng), path)
    plan = {**PLAN, "data": {"person": "id"}} if seed % 2 else PLAN
    try:
        hn.anonymize(path, plan, output=tmp_path / "release", private=tmp_path / "own")
    except (InputError, PromiseError) as error:
        if not any(reason in str(error) for reason in EXPLAINED):
            raise
        return
    owners = hn.verify(tmp_path / "release", against=path, private=tmp_path / "own")
    assert owners.holds is True, [check for check in owners.checks if check.holds is False]
    assert hn.verify(tmp_path / "release").holds is None  # it has texts, and its rows may be one person's
