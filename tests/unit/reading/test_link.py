from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from tests.counting import growth
from tests.unit.reading.data import dataset, mentions_of, told

from heteronym.model.dataset import Dataset
from heteronym.model.schema import Role

ATTRIBUTES: dict[str, dict[str, Any]] = {
    "id": {"role": "identifier"},
    "age": {"role": "quasi", "scale": "numeric", "entities": ["AGE"]},
    "date": {"role": "quasi", "scale": "date", "entities": ["DATE"]},
    "city": {"role": "quasi", "entities": ["GPE"]},
    "text": {"role": "text"},
}
PLAN: dict[str, Any] = {
    "patterns": {"AGE": r"\d+ years old", "DATE": r"Four days ago|\b2004\b|in [A-Z]\w+", "GPE": "Rome|Oslo"}
}


def people(*rows: tuple[int, Any, Any, Any, str | None], **changes: Any) -> Dataset:
    columns = {name: [row[i] for row in rows] for i, name in enumerate(ATTRIBUTES)}
    return dataset(columns, {**ATTRIBUTES, **changes}, person="id")


def linked(data: Dataset, **plan: Any) -> list[tuple[int, str, str, str]]:
    return told(mentions_of(data, linked=True, **{**PLAN, **plan}))


def test_a_mention_shrinks_to_the_part_that_tells_the_value() -> None:
    assert linked(people((1, "36", "2004-05-14", "Bonn", "I am 36 years old."))) == [(0, "AGE", "36", "age")]


def test_each_mention_is_judged_by_itself() -> None:
    # Defect 1 of the public code: a redundant date let "Four days ago" slip through.
    data = people(
        (1, "24", "2004-01-17", "Bonn", "Four days ago"), (1, "24", "2004-01-19", "Bonn", "2004 it is")
    )
    assert linked(data) == [(0, "DATE", "four days ago", ""), (1, "DATE", "2004", "date")]


def test_a_value_on_any_row_of_the_person_links_but_not_one_of_another_person() -> None:
    data = people(
        (1, "24", "2004-01-17", "Rome", "x"),
        (1, "24", "2004-01-19", "Bonn", "Rome"),
        (2, "24", "2001-01-01", "Bonn", "Rome 2004"),
    )
    assert linked(data) == [(1, "GPE", "rome", "city"), (2, "GPE", "rome", ""), (2, "DATE", "2004", "")]


def test_values_that_no_recognizer_found_become_linked_mentions() -> None:
    data = people((1, "36", "2004-05-14", "Bonn", "36, bonn, 14 May 2004, 2004-05-14; 36.5 Bonner"))
    assert linked(data) == [
        (0, "AGE", "36", "age"),
        (0, "GPE", "bonn", "city"),
        (0, "DATE", "14 may 2004", "date"),
        (0, "DATE", "2004-05-14", "date"),
    ]
    found = mentions_of(data, linked=True, **PLAN)
    assert {found.sources[s] for s in found.source} == {"value"}
    assert found.rule is not None
    assert [found.rules[r] for r in found.rule] == ["age", "city", "date", "date"]


def test_a_value_takes_over_a_mention_of_another_type() -> None:
    data = people((1, "36", "2004-05-14", "Bonn", "Bonn rocks"))
    assert linked(data, patterns={"PERSON": "Bonn"}) == [(0, "GPE", "bonn", "city")]
    assert linked(data, patterns={"ORG": "Bonn rocks"}) == [(0, "ORG", "bonn rocks", "")]


def test_a_mention_that_reaches_into_a_value_covers_both() -> None:
    data = people((1, "36", "2004-05-14", "New York", "the New York Times"))
    assert linked(data, patterns={"ORG": "York Times"}) == [(0, "ORG", "new york times", "")]


def test_a_phrase_of_the_columns_type_around_a_value_follows_the_column() -> None:
    """Beside a label for several jobs, "legal professional" for "reliable lawyer" would tell which it was."""
    job = {"role": "quasi", "entities": ["JOB"]}
    text = "Ann, a reliable lawyer, and her brother, a tired cook."
    data = people((1, "36", "2004-05-14", "lawyer", text), city=job)
    jobs = {"JOB": "reliable lawyer|tired cook"}
    assert linked(data, patterns=jobs) == [
        (0, "JOB", "reliable lawyer", "city"),
        (0, "JOB", "tired cook", ""),
    ]
    assert linked(data, patterns={"ORG": "reliable lawyer"}) == [(0, "ORG", "reliable lawyer", "")]


def test_another_place_whose_name_has_a_value_in_it_is_another_place() -> None:
    data = people((1, "36", "2004-05-14", "York", "Flew to New York."))
    assert linked(data, patterns={"GPE": "New York"}) == [(0, "GPE", "new york", "")]


def test_synonyms_of_the_plan_link_both_ways() -> None:
    data = people(
        (1, "36", "2004-05-14", "UK", "from Britain"),
        (2, "36", "2004-05-14", "Britain", "the United Kingdom"),
    )
    synonyms = {"UK": ["United Kingdom", "Britain"]}
    assert linked(data, synonyms=synonyms, patterns={}) == [
        (0, "GPE", "britain", "city"),
        (1, "GPE", "united kingdom", "city"),
    ]


def test_only_quasi_attributes_take_links() -> None:
    data = people((1, "36", "2004-05-14", "Rome", "Rome"), city={"role": "sensitive", "entities": ["GPE"]})
    assert linked(data) == [(0, "GPE", "rome", "")]


def test_types_that_do_not_count_stay_only_where_they_repeat_a_column() -> None:
    data = people((1, "36", "2004-05-14", "Bonn", "36 years old, 37 years old, Rome"))
    assert linked(data, entities=["GPE"]) == [(0, "AGE", "36", "age"), (0, "GPE", "rome", "")]


def test_missing_values_link_nothing() -> None:
    data = people((1, None, None, "", "36 years old in May 2004, Rome"), (1, "", "", None, None))
    assert [link for *_, link in linked(data)] == ["", "", "", ""]


def test_a_cell_that_means_missing_is_no_value() -> None:
    data = people((1, "36", "2004-05-14", "unknown", "an unknown place"))
    marked = Dataset(data.schema, data.frame, missing=frozenset({"unknown"}))
    assert linked(data) != []
    assert linked(marked) == []


def test_columns_may_hold_numbers_and_dates_instead_of_texts() -> None:
    data = people((1, 36, dt.date(2004, 5, 14), "Bonn", "36 years old in May"))
    assert linked(data) == [(0, "AGE", "36", "age"), (0, "DATE", "may", "date")]


def test_without_entities_only_values_that_are_no_ordinary_words_are_linked() -> None:
    plain = {name: {"role": "quasi"} for name in ("age", "date", "city")}
    data = people((1, "36", "Education", "Rome", "Rome, 36, education and Education"), **plain)
    assert [link for *_, link in linked(data)] == ["city"]
    assert linked(data)[0] == (0, "VALUE", "rome", "city")


def test_values_of_events_are_looked_for_as_those_of_columns_are() -> None:
    """A ward that its column hides does not stand in the note of the visit; what does, the model says."""
    data = people((1, "36", "2004", "Zermatt", "Seen on Zermatt."), city={"role": "event"})
    assert linked(data)[-1][2:] == ("zermatt", "")


def test_a_megabyte_of_values_is_linked_in_one_pass() -> None:
    def read(times: int) -> int:
        text = "36 years old in Bonn, 37, on 14 May 2004; " * times
        return len(linked(people((1, "36", "2004-05-14", "Bonn", text))))

    assert read(25_000) == 75_000
    assert growth(read, 100) < 6


@pytest.mark.parametrize("text", [None, "", " "])
def test_empty_texts_have_no_mentions(text: str | None) -> None:
    data = people((1, "36", "2004-05-14", "Bonn", text))
    assert linked(data) == []
    assert data.schema.named(Role.TEXT) == ["text"]
