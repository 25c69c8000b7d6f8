from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from tests.unit.reading.data import dataset, mentions_of, rewrite

from heteronym.model.dataset import Dataset
from heteronym.model.mention import Mentions
from heteronym.model.recoding import placeholder
from heteronym.verify.residue import FreeTerm, Residue, Side, find_residue, visible_terms
from heteronym.verify.wanted import Wanted

ATTRIBUTES: dict[str, dict[str, Any]] = {
    "id": {"role": "identifier"},
    "age": {"role": "quasi", "scale": "numeric", "entities": ["AGE"]},
    "topic": {"role": "quasi"},
    "text": {"role": "text"},
}


def residue(
    data: Dataset,
    released: Sequence[str | None],
    *,
    ages: Sequence[str | None] = (),
    topics: Sequence[str | None] = (),
    kept: Sequence[str] = (),
    order: Sequence[int] | None = None,
    put: Any = None,
    **plan: Any,
) -> Residue:
    """The released texts (rows in `order`) against the data; `kept` lists normalized terms."""
    mentions = mentions_of(data, linked=True, **plan)
    person = np.array(data.frame["id"].to_list())
    return find_residue(
        Side(
            person if order is None else person[list(order)],
            {"text": released},
            {"age": ages or ["*"] * data.rows, "topic": topics or ["*"] * data.rows},
        ),
        Side(
            person,
            {"text": data.frame["text"].to_list()},
            {name: data.frame[name].to_list() for name in ("id", "age", "topic")},
        ),
        data.schema.attributes,
        terms=free_terms(data, mentions, kept),
        types=mentions.types,
        put=put,
    )


def free_terms(data: Dataset, mentions: Mentions, kept: Sequence[str] = ()) -> dict[Any, list[FreeTerm]]:
    """By person, what repeats no column; terms that are `kept` stand as they stood."""
    found: dict[Any, list[FreeTerm]] = {}
    for i in np.flatnonzero(mentions.link < 0).tolist():
        row = int(mentions.row[i])
        text = data.frame[mentions.columns[mentions.column[i]]][row]
        surface = text[mentions.start[i] : mentions.end[i]]
        stays = mentions.terms[mentions.term[i]].text in kept
        term = FreeTerm(surface, mentions.types[mentions.type[i]], stays)
        found.setdefault(data.frame["id"][row], []).append(term)
    return found


def counts(found: Residue) -> dict[str, int]:
    return Counter(left.name for left in found.places)


def people(*rows: tuple[str, str | None, str | None, str | None]) -> Dataset:
    return dataset(
        {name: [row[i] for row in rows] for i, name in enumerate(ATTRIBUTES)}, ATTRIBUTES, person="id"
    )


PEDRO = people(("p1", "36", "Education", "Pedro is 36 years old"), ("p1", "36", "Education", "pedro again"))
NAMES = {"patterns": {"PERSON": "Pedro", "AGE": r"\d+ years old"}}


def test_a_clean_release_has_no_residue() -> None:
    found = residue(PEDRO, ["[PERSON] is [24-36] years old", "[PERSON] again"], ages=["[24-36]"] * 2, **NAMES)
    assert found == Residue([], [])


@pytest.mark.parametrize(
    "left",
    ["Pedro", "PEDRO!", "<b>pedro</b>", "Pedros", "pedro's", "x-Pedro-x", "[PERSON]Pedro", "\u200fPedro"],
)
def test_a_term_left_in_any_spelling_is_found(left: str) -> None:
    found = residue(PEDRO, ["fine", left], **NAMES)
    assert [(left.kind, left.name, left.row) for left in found.places] == [("term", "PERSON", 1)]


@pytest.mark.parametrize("left", ["36", "I am 36.", "36-year-old", "(36)"])
def test_a_value_left_is_found(left: str) -> None:
    assert counts(residue(PEDRO, [left, ""], **NAMES)) == {"age": 1}


@pytest.mark.parametrize("fine", ["136", "36.5", "1,36", "Pedrolino", "", None, "[PERSON]", "[24-36]"])
def test_other_words_and_what_the_release_put_there_are_no_residue(fine: str | None) -> None:
    assert not residue(PEDRO, [fine, fine], ages=["[24-36]"] * 2, **NAMES).places


def test_a_value_that_is_released_unchanged_may_stand_in_the_text() -> None:
    assert not residue(PEDRO, ["36 years old", ""], ages=["36"] * 2, **NAMES).places


def test_a_kept_term_may_stay_and_a_longer_one_inside_it_too() -> None:
    data = people(("p1", "36", "x", "Pedro of Pedro Inc"))
    plan = {"patterns": {"ORG": "Pedro Inc", "PERSON": "Pedro(?= of)"}}
    assert not residue(data, ["[PERSON] of Pedro Inc"], kept=["pedro inc"], **plan).places
    assert counts(residue(data, ["Pedro of Pedro Inc"], kept=["pedro inc"], **plan)) == {"PERSON": 1}
    assert not residue(data, ["Pedro of [ORG]"], kept=["pedro"], **plan).places


def test_terms_of_another_person_are_no_residue() -> None:
    data = people(("p1", "36", "x", "Pedro"), ("p2", "40", "x", "fine"))
    assert not residue(data, ["[PERSON]", "Pedro 36"], **NAMES).places


def test_released_rows_may_come_in_any_order() -> None:
    data = people(("p1", "36", "x", "Pedro"), ("p2", "40", "x", "fine"))
    found = residue(data, ["36", "Pedro"], order=[1, 0], **NAMES)
    assert [(left.kind, left.name, left.row) for left in found.places] == [("term", "PERSON", 1)]


def test_a_word_that_is_also_a_value_without_entities_is_a_warning() -> None:
    found = residue(PEDRO, ["my education", "Educations, education"], **NAMES)
    assert not found.places
    assert [left.name for left in found.words] == ["topic"] * 3
    assert not residue(PEDRO, ["my education", ""], topics=["Education"] * 2, **NAMES).words


def test_a_function_word_is_residue_only_in_its_own_capitals() -> None:
    data = people(("p1", "36", "x", "WHO and Will"))
    plan = {"patterns": {"ORG": "WHO", "PERSON": "Will"}}
    assert not residue(data, ["who will"], **plan).places
    assert counts(residue(data, ["WHO or Will"], **plan)) == {"ORG": 1, "PERSON": 1}


def test_spacing_and_hyphens_do_not_hide_a_term() -> None:
    data = people(("p1", "36", "x", "New York"))
    for left in ("new\n  york", "New-York", "NEW YORK's"):
        assert counts(residue(data, [left], patterns={"GPE": "New York"})) == {"GPE": 1}
    assert not residue(data, ["new. York"], patterns={"GPE": "New York"}).places


def test_a_label_excuses_only_itself() -> None:
    attributes = {**ATTRIBUTES, "age": {"role": "quasi", "scale": "date", "entities": ["DATE"]}}
    data = dataset(
        {"id": ["p"], "age": ["2004-05-14"], "topic": ["x"], "text": ["-"]}, attributes, person="id"
    )
    assert not residue(data, ["2004 was fine"], ages=["2004"]).places
    assert counts(residue(data, ["on 2004-05-14"], ages=["2004"])) == {"age": 1}


def test_what_scan_and_rewrite_leave_is_clean_on_random_texts() -> None:
    rng = np.random.default_rng(3)
    words = "Pedro pedros Rome romes New York 36 37 city Cities it IT boss bosses".split()
    for _ in range(150):
        rows = [
            (f"p{i % 3}", str(rng.integers(36, 38)), "x", " ".join(rng.choice(words, rng.integers(0, 9))))
            for i in range(6)
        ]
        data = people(*rows)
        plan = {
            "patterns": {
                "PERSON": r"\b(?:Pedro|IT)\b",
                "GPE": r"New York|\bRome\b|\bbosses\b",
                "X": r"\bcity\b",
            }
        }
        mentions = mentions_of(data, linked=True, **plan)
        texts = rewrite(
            data.frame["text"].to_list(),
            mentions,
            [
                "[36-37]" if link >= 0 else placeholder(mentions.types[kind])
                for link, kind in zip(mentions.link, mentions.type)
            ],
            column="text",
        )
        assert not residue(data, texts, ages=["[36-37]"] * 6, **plan).places


def test_many_rows_are_searched_and_nothing_is_found_where_nothing_is() -> None:
    count = 5_000
    text = "some ordinary words about nothing in particular that go on for a while " * 2
    data = people(*((f"p{i // 5}", str(20 + i % 50), "Education", f"Pedro {text}") for i in range(count)))
    plan: dict[str, Any] = {"patterns": {"PERSON": "Pedro"}}
    mentions = mentions_of(data, linked=True, **plan)
    person = np.arange(count) // 5
    found = find_residue(
        Side(person, {"text": [text] * count}, {"age": ["[20-69]"] * count, "topic": ["*"] * count}),
        Side(person, {"text": data.frame["text"].to_list()}, {"age": data.frame["age"].to_list()}),
        data.schema.attributes,
        terms=free_terms(data, mentions),
        types=mentions.types,
    )
    assert not found.places


def visible(data: Dataset, released: Sequence[str | None], **plan: Any) -> list[list[tuple[str, str]]]:
    person = np.array(data.frame["id"].to_list())
    mentions = mentions_of(data, linked=True, **plan)
    found = visible_terms(Side(person, {"text": released}), free_terms(data, mentions), mentions.types)
    return [sorted({(one.column, one.term) for one in row}) for row in found]


def test_terms_are_visible_where_they_stand_and_only_there() -> None:
    data = people(("p1", "36", "x", "Pedro of Pedro Inc, engineer, engineers"), ("p2", "37", "x", "Rome"))
    plan = {"patterns": {"ORG": "Pedro Inc", "PERSON": "Pedro(?= of)", "JOB": "engineer(?=,)", "GPE": "Rome"}}
    assert visible(data, ["[PERSON] of PEDRO  inc, [JOB], engineers", "[GPE] Pedro Inc"], **plan) == [
        [("text", "engineers"), ("text", "pedro inc")],
        [],
    ]
    assert visible(data, ["Pedro [ORG] engineer", None], **plan) == [
        [("text", "engineer"), ("text", "pedro")],
        [],
    ]


@pytest.mark.parametrize("spellings", [("Sweden", "sweden"), ("sweden", "Sweden")])
def test_a_term_that_its_person_writes_in_small_letters_is_no_doubt_there(spellings: tuple[str, str]) -> None:
    """Whichever spelling comes first: what stands as the person wrote it is shown."""
    wanted = Wanted()
    for spelling in spellings:
        wanted.add_term(spelling, "GPE")
    assert [place[:2] for place in wanted.places_in("in sweden we")] == [(3, 9)]
    only = Wanted()
    only.add_term("Sweden", "GPE")
    assert not list(only.places_in("in sweden we"))
