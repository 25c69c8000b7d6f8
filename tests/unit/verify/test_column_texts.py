"""A phrase with a value of its person in it tells no more than the value's column."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import heteronym as hn
from heteronym.reading import link

JOBS = ["lawyer", "cook", "nurse", "lawyer", "cook", "nurse", "lawyer", "cook"]
NOTES = [
    "A reliable lawyer.",
    "He knows a reliable lawyer.",
    "A nurse.",
    "The reliable lawyer.",
    "A good cook.",
    "She knows a reliable lawyer.",
    "A lawyer.",
    "A reliable lawyer wrote.",
]
DATA = pl.DataFrame({"age": [30] * 8, "job": JOBS, "note": NOTES})
PLAN: dict[str, Any] = {
    "attributes": {
        "age": {"role": "quasi", "scale": "numeric"},
        "job": {"role": "quasi", "entities": ["JOB"]},
        "note": {"role": "text"},
    },
    "text": {"model": "none", "patterns": {"JOB": "(?:reliable |good )?(?:lawyer|cook|nurse)"}},
    "privacy": [{"model": "joint", "k": 4, "m": 1}],
    "partition": {"method": "joint"},
    "recode": {"terms": "generalize"},
}


def notes_of(release: hn.Release) -> list[str]:
    return [note for note in release.data["note"].to_list() if note]


def test_own_jobs_and_those_of_others_show_the_column_in_whatever_phrase() -> None:
    release = hn.anonymize(DATA, PLAN)
    label = "{cook,lawyer,nurse}"
    assert set(release.data["job"]) == {label}
    assert release.verdict.holds
    assert len(notes_of(release)) >= 4
    assert all(label in note or "[JOB]" in note for note in notes_of(release))
    assert not any("reliable" in note for note in notes_of(release))


def test_the_auditor_refuses_a_phrase_that_follows_no_column(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "_tells_by_words", lambda target, kind: False)
    monkeypatch.setattr("heteronym.reading.stated_values._values_in", lambda name, codes, *, whole: set())
    monkeypatch.setattr("heteronym.mending._LEAST", ())
    with pytest.raises(hn.PromiseError, match=r"left in the texts: \d of 'job'"):
        hn.anonymize(DATA, PLAN)


def births(entities: list[str]) -> tuple[pl.DataFrame, dict[str, Any]]:
    born = [f"19{60 + n}-03-05" for n in range(12)]
    notes = [f"Seen at {40 + n // 4} years of age." for n in range(12)]
    attributes = {
        "born": {"role": "quasi", "scale": "date", "entities": entities},
        "note": {"role": "text"},
    }
    text = {"model": "none", "patterns": {"AGE": r"\d\d years of age"}}
    plan = PLAN | {"attributes": attributes, "text": text, "partition": {"method": "joint", "delta": 0.9}}
    return pl.DataFrame({"born": born, "note": notes}), plan


def test_beside_dates_of_birth_an_age_shows_its_type_alone() -> None:
    assert any(any(map(str.isdigit, note)) for note in notes_of(hn.anonymize(*births(["DATE"]))))
    release = hn.anonymize(*births(["DATE", "AGE"]))
    assert release.verdict.holds
    assert not any(any(map(str.isdigit, note)) for note in notes_of(release))


def test_the_auditor_refuses_ages_beside_dates_of_birth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heteronym.reading.stated_values.AGE", "NO_TYPE")
    monkeypatch.setattr("heteronym.mending._LEAST", ())
    with pytest.raises(hn.PromiseError, match=r"left in the texts: \d+ of 'born'"):
        hn.anonymize(*births(["DATE", "AGE"]))


def test_drafts_say_that_ages_tell_a_birth() -> None:
    days = [f"{1 + n % 28:02}.0{1 + n % 9}.19{40 + n}" for n in range(40)]
    notes = [f"She called and asked for the doctor, number {n}, twice this week." for n in range(40)]
    plan = hn.profile(pl.DataFrame({"birthday": days, "seen": days, "note": notes})).plan
    assert plan["attributes"]["birthday"]["entities"] == ["DATE", "AGE"]
    assert plan["attributes"]["seen"]["entities"] == ["DATE"]
