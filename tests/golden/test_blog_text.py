"""Paper 000: the terms of Table 4 and the texts of Table 5 from the texts of Table 1."""

from __future__ import annotations

from collections import defaultdict
from importlib.resources import files
from pathlib import Path

import polars as pl
import pytest
import yaml
from tests.unit.reading.data import read, rewrite

from heteronym.model.dataset import Dataset
from heteronym.model.mention import Mentions
from heteronym.model.plan import Plan
from heteronym.model.recoding import placeholder
from heteronym.model.schema import Schema
from heteronym.reading.scan import scan
from heteronym.text.recognize import recognizers_for

FOLDER = Path(str(files("heteronym") / "examples" / "blog"))
PLAN = Plan.model_validate(yaml.safe_load((FOLDER / "plan.yaml").read_text(encoding="utf-8")))
DATA = Dataset(
    Schema(PLAN.attributes, PLAN.data.person), pl.read_csv(FOLDER / "posts.csv", infer_schema=False)
)


@pytest.fixture(scope="module")
def mentions() -> Mentions:
    found = scan(DATA, PLAN.text, recognizers=recognizers_for(PLAN.text, folder=FOLDER))
    return read(DATA, found, PLAN.text)


def test_the_terms_of_each_person_are_those_of_table_4(mentions: Mentions) -> None:
    persons = DATA.frame["id"].to_list()
    terms: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for i in range(len(mentions)):
        if mentions.link[i] < 0:
            pair = (mentions.types[mentions.type[i]], mentions.terms[mentions.term[i]].text)
            terms[persons[mentions.row[i]]].add(pair)
    assert terms == {
        "1": {("PERSON", "pedro"), ("JOB", "engineer"), ("GPE", "mexico")},
        "2": {("JOB", "engineer")},
        "3": {("PERSON", "ben"), ("GPE", "canada")},
        "4": {("DATE", "four days ago"), ("JOB", "scientist"), ("JOB", "biologist"), ("GPE", "uk")},
        "6": {("GPE", "uk")},
    }


def test_age_and_year_are_linked_to_their_columns(mentions: Mentions) -> None:
    linked = {
        (int(mentions.row[i]), mentions.terms[mentions.term[i]].text, mentions.links[mentions.link[i]])
        for i in range(len(mentions))
        if mentions.link[i] >= 0
    }
    # the paper links columns with entity types; that a text names the writer's own sign is found beside
    assert linked == {(0, "36", "age"), (6, "2004", "date"), (7, "pisces", "sign")}


def test_the_texts_become_those_of_table_5(mentions: Mentions) -> None:
    # Deliberate differences: [TYPE] instead of the bare type, GPE for location.
    labels = {0: "[24-36]", 6: "2004", 7: "Pisces"}
    kept = {(0, "engineer"), (2, "engineer"), (4, "uk"), (8, "uk")}
    replacements: list[str | None] = []
    for i in range(len(mentions)):
        row = int(mentions.row[i])
        if mentions.link[i] >= 0:
            replacements.append(labels[row])
        elif (row, mentions.terms[mentions.term[i]].text) in kept:
            replacements.append(None)
        else:
            replacements.append(placeholder(mentions.types[mentions.type[i]]))
    assert rewrite(DATA.frame["text"].to_list(), mentions, replacements, column="text") == [
        "My name is [PERSON], I'm a [24-36] years old engineer from [GPE].",
        "A quick follow up: I will post updates about my education in more detail.",
        "I will start working for a big tech company as an engineer.",
        "During my last business trip to [GPE] I met my friend [PERSON] from college.",
        "As a [JOB] from the UK, you can be proud!",
        "[DATE], I started my blog. Stay tuned for more content.",
        "2004 will be a great year for science and for my career as a [JOB].",
        "Did you know that Pisces is the last constellation of the zodiac.",
        "Rainy weather again here in the UK. I hope you all have a good day!",
    ]
