"""What a group's texts show of a value does not depend on whose it is: names, items, columns, events."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import heteronym as hn

ROLES: dict[str, Any] = {
    "id": {"role": "identifier"},
    "name": {"role": "identifier"},
    "age": {"role": "quasi", "scale": "numeric", "entities": ["AGE"]},
    "plan": {"role": "quasi", "entities": ["VALUE"]},
    "goods": {"role": "items", "separator": "|", "entities": ["VALUE"]},
    "ward": {"role": "event", "entities": ["VALUE"]},
    "note": {"role": "text"},
}


def released(columns: dict[str, list[Any]], **options: Any) -> pl.DataFrame:
    """The released table in the order of the data."""
    frame = pl.DataFrame(columns)
    plan = {
        "data": {"person": "id"},
        "attributes": {name: ROLES[name] for name in frame.columns},
        "text": {"model": "none", "entities": ["GPE", "JOB", "AGE", "PERSON", "VALUE"]},
        "privacy": [{"model": "joint", "k": 2, "m": 1}],
        "partition": {"method": "joint", "delta": 0.6},
        **options,
    }
    release = hn.anonymize(frame, plan)
    assert release.verdict.holds
    return release.data[pl.Series(release.source_row).arg_sort()]


@pytest.mark.parametrize("m", [1, 2])
def test_a_name_that_is_a_word_goes_in_the_texts_of_its_group_and_stays_elsewhere(m: int) -> None:
    notes = ["Works as an engineer and may come again."] * 4
    notes += ["It may take an hour.", "Nothing new.", "Nothing new.", "Nothing new."]
    columns = {
        "id": list(range(8)),
        "name": [
            "An May",
            "Olga Petrova",
            "Ruth Adler",
            "Lars Falk",
            "Emeka Obi",
            "Li Wei",
            "Ivo Cruz",
            "Eva Ott",
        ],
        "age": [30, 30, 30, 30, 70, 70, 70, 70],
        "note": notes,
    }
    data = released(columns, privacy=[{"model": "joint", "k": 2, "m": m}])
    young, old = data["note"].to_list()[:4], data["note"].to_list()[4:]
    assert len(set(young)) == 1
    assert not {"an", "may"} & set(str(young[0]).split())
    assert old == notes[4:]


def test_an_item_that_somebody_else_has_shows_what_the_item_shows() -> None:
    columns = {
        "id": list(range(8)),
        "age": [30, 30, 30, 30, 30, 30, 30, 30],
        "goods": ["phone", "phone", "phone|camera", "camera", "camera", "phone", "camera", "phone"],
        "note": ["The phone is broken."] * 8,
    }
    data = released(columns)
    assert data["goods"].to_list()[0] == "phone"
    assert set(data["note"]) == {"The phone is broken."}


def test_a_value_of_a_column_that_another_has_shows_the_column_s_label() -> None:
    columns = {
        "id": list(range(8)),
        "age": [30, 31, 32, 33, 34, 35, 36, 37],
        "plan": ["Basic", "Premium"] * 4,
        "note": ["I have Premium now."] * 8,
    }
    data = released(columns, privacy=[{"model": "joint", "k": 5, "m": 1}], partition={"method": "joint"})
    assert set(data["plan"]) == {"{Basic,Premium}"}
    assert set(data["note"]) == {"I have {Basic,Premium} now."}


def test_a_value_of_an_event_that_another_has_is_masked_like_one_s_own() -> None:
    columns = {
        "id": [0, 0, 1, 1, 2, 2, 3, 3],
        "age": [30] * 8,
        "ward": ["Qwex", "Zorn"] * 4,
        "note": ["Seen in Qwex.", None, "Seen in Qwex.", None, "Seen in Qwex.", None, "Seen in Qwex.", None],
    }
    data = released(columns)
    assert len({text for text in data["note"] if text}) == 1
