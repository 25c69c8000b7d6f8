"""Cells are withheld beside texts, several rows, left-out persons and every recoder, and the audit passes."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import heteronym as hn

LEVELS = ["low", "mid", "high"]
TOWNS = ["Ulm", "Rome", "Oslo", "Bonn", "Jena", "Kiel"]


def people(seed: int, persons: int = 60) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    age = rng.integers(20, 40, persons)
    age[rng.choice(persons, 4, replace=False)] = rng.integers(60, 99, 4)
    town = rng.choice(TOWNS, persons, p=[0.3, 0.3, 0.2, 0.1, 0.05, 0.05])
    other = rng.choice(["Rome", "Oslo", "Paris"], persons)
    said = [
        f"I am {a} years old, I live in {t} and saw {o} in {2020 - a}." for a, t, o in zip(age, town, other)
    ]
    frame = pl.DataFrame(
        {
            "id": np.arange(persons) // (1 + seed % 2),
            "age": age,
            "level": pl.Series(rng.choice(LEVELS, persons)).cast(
                pl.Enum(LEVELS) if seed % 3 == 0 else pl.String
            ),
            "town": town,
            "zip": rng.choice(["02139", "02140", "03601", "10001"], persons),
            "born": [f"{2020 - a}-0{m}-15" for a, m in zip(age, rng.integers(1, 10, persons))],
            "text": said,
            "ill": rng.choice(["a", "b", "c"], persons),
        }
    )
    lacking = pl.Series(rng.random(persons) < 0.05)
    return frame.with_columns(age=pl.when(lacking).then(None).otherwise(pl.col("age")))


def plan(seed: int) -> dict[str, Any]:
    return {
        "data": {"person": "id"},
        "attributes": {
            "id": {"role": "identifier"},
            "age": {"role": "quasi", "scale": "numeric", "entities": ["AGE"]},
            "level": {
                "role": "quasi",
                "scale": "ordinal",
                "order": LEVELS,
                "recode": "range" if seed % 2 else "set",
            },
            "town": {"role": "quasi", "entities": ["GPE"]},
            "zip": {"role": "quasi", "recode": "prefix" if seed % 3 else "suppress"},
            "born": {
                "role": "quasi",
                "scale": "date",
                "recode": ["date", "calendar", "year"][seed % 3],
                "entities": ["DATE"],
            },
            "text": {"role": "text"},
            "ill": {"role": "sensitive"},
        },
        "text": {"model": "none", "patterns": {"GPE": "|".join([*TOWNS, "Paris"])}},
        "privacy": [{"model": "k-anonymity", "k": 4}],
        "recode": {"terms": "generalize" if seed % 4 == 1 else "suppress"},
        "release": {
            "suppress_cells_up_to": [0.02, 0.1, 0.5][seed % 3],
            "person_key": "pseudonym" if seed % 5 == 0 else "drop",
            "suppress_up_to": 0.05 if seed % 4 == 0 else 0.0,
        },
    }


@pytest.mark.parametrize("seed", range(12))
def test_withheld_cells_go_with_everything_else(seed: int) -> None:
    release = hn.anonymize(people(seed), plan(seed))
    assert release.verdict.holds
    assert release.measures["withheld"]["cells"] > 0
    # what is withheld stands in no text: all members of a group show the same label there
    quasi = ["age", "level", "town", "zip", "born"]
    data = release.data.with_columns(pl.col("age").fill_null(""))
    for age, text in data.select("age", "text").iter_rows():
        # who lacks the value in the column shows the type
        assert text.startswith((f"I am {age} years old", "I am [AGE],"))
    assert data.group_by(quasi).len()["len"].min() >= 4


def test_a_policy_of_its_own_rules_goes_with_withheld_cells() -> None:
    """HIPAA Safe Harbor: ages over 89 as one, years, areas by three digits."""
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "age": rng.choice([31, 32, 33, 34, 95], 80, p=[0.24, 0.24, 0.24, 0.24, 0.04]),
            "zip": rng.choice(["02139", "02140", "03601", "10001"], 80),
            "seen": [f"20{y}-03-02" for y in rng.choice([10, 11, 19], 80)],
            "ill": rng.choice(["a", "b"], 80),
        }
    )
    given = {
        "attributes": {
            "age": {"role": "quasi", "scale": "numeric", "recode": {"method": "top", "at": 90}},
            "zip": {"role": "quasi", "recode": {"method": "zip3"}},
            "seen": {"role": "quasi", "scale": "date", "recode": "year"},
            "ill": {"role": "sensitive"},
        },
        "privacy": [{"model": "k-anonymity", "k": 8}, {"model": "hipaa", "as_of": 2026}],
        "release": {"suppress_cells_up_to": 0.2},
    }
    release = hn.anonymize(frame, given)
    assert release.verdict.holds
    assert release.measures["withheld"]["cells"] > 0
