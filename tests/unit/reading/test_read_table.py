"""What was decided about a term holds also for what a text takes over from other persons."""

from __future__ import annotations

import pytest
from tests.unit.reading.data import dataset, told

from heteronym.io.decisions import Decision, Decisions
from heteronym.model.dataset import Dataset
from heteronym.model.mention import Mentions, Status
from heteronym.model.plan import TextPlan
from heteronym.reading.read_table import read_table
from heteronym.reading.scan import scan
from heteronym.text.recognizers.words import Words

PLAN = TextPlan(model="none", entities=["GPE", "JOB", "LOC"])


def people(jobs: list[str], texts: list[str]) -> Dataset:
    columns = {"id": [f"p-{n}" for n in range(len(texts))], "job": jobs, "text": texts}
    quasi = {"role": "quasi", "entities": ["JOB"]}
    return dataset(columns, {"id": {"role": "identifier"}, "job": quasi, "text": {"role": "text"}}, "id")


def mentions_of(data: Dataset, *decided: Decision, towns: tuple[str, ...] = ()) -> Mentions:
    found = scan(data, PLAN, recognizers=[Words({"GPE": towns})])
    return read_table(data, PLAN, found, decisions=Decisions(decided), across_persons=True)


def surfaces(data: Dataset, mentions: Mentions) -> list[tuple[int, str]]:
    texts = data.frame["text"].to_list()
    places = zip(mentions.row.tolist(), mentions.start.tolist(), mentions.end.tolist())
    return [(row, texts[row][start:end]) for row, start, end in places]


def test_without_a_decision_a_value_of_another_is_a_mention() -> None:
    data = people(["welder", "baker"], ["My neighbour is a baker.", "Nothing else."])
    assert surfaces(data, mentions_of(data)) == [(0, "baker")]


@pytest.mark.parametrize("decision", ["never", "keep"])
def test_what_was_said_to_be_no_mention_is_not_taken_over_from_the_column_of_another(decision: str) -> None:
    data = people(["welder", "baker"], ["My neighbour is a baker.", "Nothing else."])
    assert surfaces(data, mentions_of(data, Decision(decision, "baker"))) == []


@pytest.mark.parametrize("decision", ["never", "keep"])
def test_an_own_value_stays_one_and_is_not_searched_in_texts_of_others(decision: str) -> None:
    data = people(["welder", "baker"], ["My neighbour is a baker.", "I work as a baker."])
    assert told(mentions_of(data, Decision(decision, "baker"))) == [(1, "JOB", "baker", "job")]


def test_what_is_no_mention_takes_the_place_of_none() -> None:
    data = people(["welder", "York guide"], ["She is a York guide here.", "Nothing else."])
    assert surfaces(data, mentions_of(data, towns=("York",))) == [(0, "York guide")]
    left = mentions_of(data, Decision("never", "york guide"), towns=("York",))
    assert surfaces(data, left) == [(0, "York")]


def test_what_is_always_masked_is_masked_also_as_a_value_of_another() -> None:
    data = people(["welder", "baker"], ["My neighbour is a baker.", "Nothing else."])
    mentions = mentions_of(data, Decision("mask", "baker"))
    assert surfaces(data, mentions) == [(0, "baker")]
    assert mentions.status.tolist() == [Status.MASKED]


def test_a_longer_value_of_another_is_masked_where_a_part_of_it_is() -> None:
    data = people(["welder", "York guide"], ["She is a York guide here.", "Nothing else."])
    mentions = mentions_of(data, Decision("mask", "york", type="GPE"), towns=("York",))
    assert surfaces(data, mentions) == [(0, "York guide")]
    assert mentions.status.tolist() == [Status.MASKED]


def test_an_identifier_of_another_stays_a_mention_whatever_was_said_of_its_word() -> None:
    columns = {"name": ["Zlatka", "Ana Quimby"], "text": ["I met Ana Quimby.", "Nothing else."]}
    data = dataset(columns, {"name": {"role": "identifier"}, "text": {"role": "text"}}, "name")
    assert surfaces(data, mentions_of(data, Decision("never", "ana quimby"))) == [(0, "Ana Quimby")]
