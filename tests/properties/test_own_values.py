"""Values of a person in that person's notes, in every spelling: producer and auditor both find them.

The notes and the list of what stands in them come from a generator that knows nothing of the program.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import numpy as np
import polars as pl
import pytest
from benchmarks.generators.hospital_notes import PLAN, hospital_notes
from benchmarks.leaks import count

import heteronym as hn
from heteronym.io.plans import make_plan
from heteronym.io.tables import from_frame
from heteronym.model.edit import Edits
from heteronym.model.mention import Mentions
from heteronym.pipeline import make_dataset
from heteronym.reading.read_person import read_persons, reading_for
from heteronym.reading.scan import scan
from heteronym.verify.evidence import Evidence
from heteronym.verify.left_in_texts import left_in_texts
from heteronym.verify.originals import Originals
from heteronym.verify.shown import read_texts

NOTES = 300


@pytest.fixture(scope="module")
def notes() -> tuple[Any, Any]:
    return hospital_notes(NOTES, seed=7)


def no_evidence(columns: tuple[str, ...]) -> Evidence:
    none = np.empty(0, np.int32)
    mentions = Mentions(columns, (), (), (), (), (), *([none] * 12))
    return Evidence(mentions, Edits(columns, [], *([none] * 5)))


def test_the_auditor_sees_every_value_that_stands_in_a_text(notes: Any) -> None:
    frame, told = notes
    plan = make_plan(PLAN)
    identifiers = {"id", "name", "login", "mrn", "phone"}
    labels = {name: "*" for name in frame.columns if name not in identifiers | {"note", "diagnosis"}}
    hidden = frame.with_columns(pl.lit(star).alias(name) for name, star in labels.items()).drop(identifiers)
    person = np.unique(frame["id"].to_numpy(), return_inverse=True)[1]
    originals = Originals(frame, np.arange(frame.height), person, evidence=no_evidence(("note",)))
    texts = read_texts(hidden, plan, originals)
    seen = {(left.row, left.name) for left in left_in_texts(hidden, plan, originals, texts).places}
    lost = [one for one in told if (one.row, one.column) not in seen]
    assert not lost


def test_the_producer_links_every_value_that_stands_in_a_text(notes: Any) -> None:
    frame, told = notes
    plan = make_plan(PLAN)
    dataset = make_dataset(from_frame(frame)[0], plan)
    found = read_persons(dataset, scan(dataset, plan.text, recognizers=[]), reading_for(dataset, plan.text))
    linked: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for row, start, end in zip(found.row.tolist(), found.start.tolist(), found.end.tolist(), strict=True):
        linked[row].append((start, end))
    for one in told:
        text = frame["note"][one.row]
        at = text.index(one.surface)
        assert any(s < at + len(one.surface) and at < e for s, e in linked[one.row]), one


def test_nothing_of_their_own_is_left_in_released_notes(notes: Any) -> None:
    frame, told = notes
    release = hn.anonymize(frame, PLAN)
    rows = dict(zip(release.source_row.tolist(), release.data.to_dicts(), strict=True))
    written, left = count(told, rows)
    assert sum(written.values()) > NOTES / 2
    assert not left
    assert release.verdict.holds


def test_the_count_is_not_blind(notes: Any) -> None:
    frame, told = notes
    written, left = count(told, {row: {"note": text} for row, text in enumerate(frame["note"])})
    assert written == left


NAMES = (
    "May Long;Grace Mark;Will Young;An Do;Bo Li;Al Smith;Bill Bishop;Dean King;Don Said;Hope Joy;So He;"
    "Van Le;Rich Art;Ed Ng;Rose Bush;Mary-Ann May;Shane O'Brien;Karl Müller;Ana van der Berg;Sue Day;Jo To;"
    "Pat In;mark.long@mail.example;Ann Lee;Brown, Chloe;Maria del Carmen Garcia de la Cruz Lopez;Will;Do"
).split(";")
PLACES = (
    "{} came in",
    "we saw {} today",
    "{}'s wife called",
    "mr {} said so",
    "Then {}, again.",
    "see ({})",
    "the {}s were here",
    "re:{}/notes",
    "a {}-like thing",
    "{}",
)


@pytest.mark.parametrize("name", NAMES)
def test_both_find_the_same_parts_of_a_name_in_every_spelling(name: str) -> None:
    words = name.partition("@")[0].replace(",", " ").replace(".", " ").split()
    spellings = [name, " ".join(words), *words, words[0][0] + words[-1], f"{words[0][0]}.{words[-1][0]}."]
    texts = [
        place.format(spelt(spelling))
        for place in PLACES
        for spelling in spellings
        for spelt in (str, str.lower, str.upper)
    ]
    frame = pl.DataFrame({"id": ["X1"] * len(texts), "name": name, "age": 30, "note": texts})
    plan = make_plan(
        {
            "data": {"person": "id"},
            "attributes": {
                "id": {"role": "identifier"},
                "name": {"role": "identifier"},
                "age": {"role": "quasi"},
                "note": {"role": "text"},
            },
            "privacy": [{"model": "k-anonymity", "k": 2}],
        }
    )
    dataset = make_dataset(from_frame(frame)[0], plan)
    found = read_persons(dataset, scan(dataset, plan.text, recognizers=[]), reading_for(dataset, plan.text))
    produced = touched(texts, zip(found.row.tolist(), found.start.tolist(), found.end.tolist(), strict=True))
    person, rows = np.zeros(len(texts), np.int64), np.arange(len(texts))
    originals = Originals(frame, rows, person, evidence=no_evidence(("note",)))
    released = frame.select("age", "note")
    left = left_in_texts(released, plan, originals, read_texts(released, plan, originals)).places
    audited = touched(texts, ((one.row, one.start, one.end) for one in left))
    assert not {texts[row] for row, _ in produced ^ audited}


def touched(texts: list[str], places: Iterable[tuple[int, int, int]]) -> set[tuple[int, int]]:
    """The words that places lie in, as row and offset."""
    return {
        (row, word.start())
        for row, start, end in places
        for word in re.finditer(r"[^\W\d_]+", texts[row])
        if word.start() < end and start < word.end()
    }
