"""Labels of a person's own values in its texts, as the auditor reads them."""

from __future__ import annotations

from typing import Any

import polars as pl
from tests.unit.verify.test_residue import people, residue

import heteronym as hn
from heteronym.verify.masking import Put

NOTES: dict[str, Any] = {
    "data": {"person": "id"},
    "attributes": {
        "id": {"role": "identifier"},
        "name": {"role": "identifier"},
        "age": {"role": "quasi", "scale": "numeric"},
        "note": {"role": "text"},
    },
    "text": {"model": "none"},
}


def test_an_item_that_one_row_tells_may_be_held_in_another() -> None:
    frame = pl.DataFrame(
        {
            "id": ["1", "1", "2", "2"],
            "age": [30, 30, 31, 31],
            "drugs": ["Qwerin", None, "Zomba", None],
            "note": ["", "I take Qwerin daily.", "", "I take Zomba daily."],
        }
    )
    plan: dict[str, Any] = {
        "data": {"person": "id"},
        "attributes": {
            "id": {"role": "identifier"},
            "age": {"role": "quasi", "scale": "numeric"},
            "drugs": {"role": "items", "separator": " "},
            "note": {"role": "text"},
        },
        "privacy": [{"model": "kkm-anonymity", "k": 2, "m": 1}, {"model": "k-anonymity", "k": 2}],
        "text": {"model": "none"},
    }
    release = hn.anonymize(frame, plan)
    assert release.verdict.holds
    assert set(release.data["note"]) == {"", "I take (Qwerin,Zomba) daily."}


def test_what_is_masked_for_one_of_a_group_is_masked_for_all_of_it() -> None:
    notes = ["may came in.", "He may go home.", "He slept.", "He slept well."]
    frame = pl.DataFrame(
        {"id": ["a1", "a2", "a3", "a4"], "name": ["May Ott", "Ada Fox", "Ida Poe", "Eva Roe"], "age": 30}
    ).with_columns(note=pl.Series(notes))
    plan = NOTES | {"privacy": [{"model": "joint", "k": 2, "m": 1}]}
    release = hn.anonymize(frame, plan)
    assert release.verdict.holds
    assert set(release.data["note"]) == {
        "He [PERSON] go home.", "[PERSON] came in.", "He slept.", "He slept well.",
    }  # fmt: skip


def test_the_name_of_a_month_in_a_label_is_not_the_name_of_a_person() -> None:
    data = people(("May", "36", "Education", "seen 20/05/2004"), ("May", "36", "Education", "seen by May"))
    put = {"text": [[Put(5, 13, "20/05/2004")], [Put(8, 11, "May Ott")]]}
    found = residue(data, ["seen May 2004", "seen by may"], put=put)
    assert found.rows == (1,)  # the second stands for something that tells the name


def test_a_name_stays_in_its_bearers_texts_nowhere() -> None:
    data = people(("May", "36", "Education", "x"), ("Ann", "36", "Education", "x"))
    assert residue(data, ["it may be", "it may be"]).rows == (0,)
