"""Random notes whose terms generalize: every release passes its audit, reads well, and agrees with itself."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import polars as pl
import pytest

import heteronym as hn

CITIES = ["Madrid", "Barcelona", "Bilbao", "Oslo", "Bergen", "Hamburg", "Berlin", "Lyon", "Spain", "Norway"]
JOBS = ["engineer", "nurse", "lawyer", "architect", "teachers", "engineers", "accountant"]
DAYS = ["14 May 2004", "3 May 2004", "2004-06-01", "May 2004", "2004", "9 July 2003", "2003"]
FRAMES = (
    "She is an {job} from {city}.",
    "Seen on {day} in {city}.",
    "{city}'s streets were empty in {day}.",
    "The {job} is {age} years old.",
    "A {job} and an {job} met.",
    "Nothing new.",
    "{city} {job} {day}.",
)


def people(seed: int) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    persons = int(rng.integers(4, 12))
    rows = []
    for person in range(persons):
        age, sex = int(rng.integers(20, 60)), str(rng.choice(["f", "m"]))
        for _ in range(int(rng.integers(1, 4))):
            told = {
                "city": str(rng.choice(CITIES)),
                "job": str(rng.choice(JOBS)),
                "day": str(rng.choice(DAYS)),
                "age": age,
            }
            frames = rng.choice(FRAMES, int(rng.integers(1, 4)), replace=False).tolist()
            visit = str(np.datetime64("2020-01-01") + int(rng.integers(0, 400)))
            codes = " ".join(sorted(set(rng.choice(list("abcd"), 2).tolist())))
            note = " ".join(frame.format(**told) for frame in frames)
            rows.append((f"id-{person:04d}", sex, age, codes, visit, note))
    return pl.DataFrame(rows, ["id", "sex", "age", "codes", "visit", "note"], orient="row")


def plan_of(model: dict[str, Any], *, joint: bool) -> dict[str, Any]:
    attributes: dict[str, Any] = {
        "id": {"role": "identifier"},
        "sex": {"role": "quasi"},
        "age": {"role": "quasi", "scale": "numeric", "entities": ["AGE"]},
        "codes": {"role": "items", "separator": " "} if joint else {"role": "plain"},
        "visit": {"role": "event", "scale": "date"} if joint else {"role": "plain"},
        "note": {"role": "text"},
    }
    patterns = {"JOB": "|".join(sorted(JOBS, reverse=True)), "GPE": "|".join(CITIES)}
    patterns |= {
        "DATE": r"\d{1,2} (?:May|July) \d{4}|\d{4}-\d\d-\d\d|May 2004|200[34]",
        "AGE": r"\d\d(?= years)",
    }
    return {
        "data": {"person": "id"},
        "attributes": attributes,
        "text": {"model": "none", "patterns": patterns, "entities": ["JOB", "GPE", "DATE", "AGE"]},
        "privacy": [model],
        "recode": {"terms": "generalize"},
    }


def check(frame: pl.DataFrame, plan: dict[str, Any]) -> None:
    release = hn.anonymize(frame, plan)  # refuses what fails the audit
    assert release.verdict.holds
    for age, note in release.data.select("age", "note").drop_nulls("note").rows():  # null: all went
        assert not re.search(r"\ban (?:\[[A-Z]|professional|German|Spanish|Norwegian|science)", note)
        assert not re.search(r"\ba engineering |\bon the (?:second|third) quarter", note)
        assert all(told in (age, "[AGE]", "[...]") for told in re.findall(r"(\S+) years old", note))


@pytest.mark.parametrize("seed", range(25))
def test_under_k_anonymity(seed: int) -> None:
    check(people(seed), plan_of({"model": "k-anonymity", "k": 2}, joint=False))


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("m", [1, 2])
def test_under_the_joint_model(seed: int, m: int) -> None:
    check(people(seed + 500), plan_of({"model": "joint", "k": 2, "m": m}, joint=True))
