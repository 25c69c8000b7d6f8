"""The running example of paper 000: Table 1 in, Tables 4 and 5 out.

Deliberate differences from the printed Table 5: sets read `{a,b}` and are sorted, a suppressed
mention reads `[TYPE]`, the person key is not released, rows are sorted by what is released.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from tests.unit.reading.data import read

from heteronym.encode import encode
from heteronym.io.plans import read_plan
from heteronym.io.tables import read_tables
from heteronym.model.mention import Mentions
from heteronym.model.person_view import PersonView
from heteronym.partition.gdf import GlobalDocumentFrequency
from heteronym.pipeline import find, make_dataset, make_draft
from heteronym.privacy.k_anonymity import KAnonymity
from heteronym.run import Run

FOLDER = Path(str(files("heteronym") / "examples" / "blog"))
PLAN = read_plan(FOLDER / "plan.yaml")
TABLE_5 = {
    ("male", "[24-36]", "{Education,Student}", "{Aries,Leo}", "[2004-2005]",
     "My name is [PERSON], I'm a [24-36] years old engineer from [GPE]."),
    ("male", "[24-36]", "{Education,Student}", "{Aries,Leo}", "[2004-2005]",
     "A quick follow up: I will post updates about my education in more detail."),
    ("male", "[24-36]", "{Education,Student}", "{Aries,Leo}", "[2004-2005]",
     "I will start working for a big tech company as an engineer."),
    ("male", "[29-37]", "{Banking,indUnk}", "Pisces", "2004-05",
     "During my last business trip to [GPE] I met my friend [PERSON] from college."),
    ("female", "[24-27]", "Science", "Aries", "2004", "As a [JOB] from the UK, you can be proud!"),
    ("female", "[24-27]", "Science", "Aries", "2004",
     "[DATE], I started my blog. Stay tuned for more content."),
    ("female", "[24-27]", "Science", "Aries", "2004",
     "2004 will be a great year for science and for my career as a [JOB]."),
    ("male", "[29-37]", "{Banking,indUnk}", "Pisces", "2004-05",
     "Did you know that Pisces is the last constellation of the zodiac."),
    ("female", "[24-27]", "Science", "Aries", "2004",
     "Rainy weather again here in the UK. I hope you all have a good day!"),
}  # fmt: skip


@pytest.fixture(scope="module")
def linked() -> tuple[PersonView, Mentions]:
    dataset = make_dataset(read_tables([FOLDER / "posts.csv"]), PLAN, folder=FOLDER)
    mentions = read(dataset, find(dataset, PLAN, run=Run(folder=FOLDER)), PLAN.text)
    return encode(dataset, mentions), mentions


def test_the_person_view_is_table_4(linked: tuple[PersonView, Mentions]) -> None:
    view, _ = linked
    elements = view.elements
    terms = [
        {f"{elements.names[e]}/{elements.domains[elements.domain[e]].name}" for e in elements.of_person[p]}
        for p in range(view.persons)
    ]
    assert terms == [
        {"pedro/PERSON", "engineer/JOB", "mexico/GPE"},
        {"engineer/JOB"},
        {"ben/PERSON", "canada/GPE"},
        {"four days ago/DATE", "scientist/JOB", "biologist/JOB", "uk/GPE"},
        set(),
        {"uk/GPE"},
    ]
    dates = next(c for c in view.columns if c.name == "date")
    held = [[str(dates.domain.values[d]) for d in dates.sets[int(s)]] for s in dates.person_set]
    assert held[0] == ["2004-05-14", "2004-05-15"]
    assert held[3] == ["2004-01-13", "2004-01-17", "2004-01-19"]


def test_two_mentions_repeat_a_column(linked: tuple[PersonView, Mentions]) -> None:
    _, mentions = linked
    links = sorted(
        (mentions.links[n], mentions.terms[t].text)
        for n, t in zip(mentions.link, mentions.term, strict=True)
        if n >= 0
    )
    # the paper links columns with entity types; that a text names the writer's own sign is found beside
    assert links == [("age", "36"), ("date", "2004"), ("sign", "pisces")]


def test_gdf_makes_the_groups_of_the_paper(linked: tuple[PersonView, Mentions]) -> None:
    view, _ = linked
    found = GlobalDocumentFrequency().partition(view, models=[KAnonymity(2)], rng=np.random.default_rng(0))
    members = found.members()
    assert {tuple((members[g] + 1).tolist()) for g in range(found.count)} == {(1, 2), (4, 6), (3, 5)}


def test_the_release_is_table_5() -> None:
    dataset = make_dataset(read_tables([FOLDER / "posts.csv"]), PLAN, folder=FOLDER)
    assert set(make_draft(dataset, PLAN, run=Run(folder=FOLDER)).frame.rows()) == TABLE_5
