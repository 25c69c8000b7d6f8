"""Terms that generalize: the most telling labels that all members show, as the naive twin finds them."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.naive.pooling import pooled

import heteronym as hn
from heteronym.io.plans import make_plan
from heteronym.io.tables import from_frame
from heteronym.knowledge.ladders import ladder
from heteronym.model.offers import AS_IT_IS
from heteronym.model.recoding import Fate
from heteronym.pipeline import Draft, make_dataset, make_draft
from heteronym.recode.term_generalize import GeneralizeTerms

TERMS = [
    *("GPE:Madrid", "GPE:Barcelona", "GPE:Tarragona", "GPE:Spain", "GPE:Lyon", "GPE:France", "GPE:UK"),
    *("GPE:Britain", "GPE:Nowhereville", "DATE:14 May 2004", "DATE:2004-05-14", "DATE:May 2004", "DATE:2004"),
    *(
        "DATE:3 June 2004",
        "DATE:yesterday",
        "JOB:nurse",
        "JOB:nurses",
        "JOB:engineer",
        "JOB:lawyer",
        "ORG:Acme Bank",
    ),
]


def plan_for(**more: Any) -> dict[str, Any]:
    return {
        "data": {"person": "id"},
        "attributes": {
            "id": {"role": "identifier"},
            "sex": {"role": "quasi"},
            "found": {"role": "terms", "separator": "|"},
            "other": {"role": "terms", "separator": "|"},
        },
        "privacy": [{"model": "k-anonymity", "k": 2}],
        "recode": {"terms": "generalize"},
        **more,
    }


def people(seed: int) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(4, 14))
    terms = rng.choice(TERMS, int(rng.integers(2, len(TERMS))), replace=False)

    def cell() -> str | None:
        mine = rng.choice(terms, int(rng.integers(0, min(6, len(terms)) + 1)), replace=False).tolist()
        return "|".join(mine) or None

    return pl.DataFrame(
        {
            "id": rng.integers(0, rows // 2 + 1, rows),
            "sex": ["f"] * rows,
            "found": [cell() for _ in range(rows)],
            "other": [cell() if rng.random() < 0.3 else None for _ in range(rows)],
        },
        schema_overrides={"found": pl.String, "other": pl.String},
    ).filter(pl.col("id").n_unique() > 1)


def draft_of(frame: pl.DataFrame, plan: dict[str, Any]) -> Draft:
    made = make_plan(plan)
    return make_draft(make_dataset(from_frame(frame)[0], made), made)


def expected_labels(draft: Draft, group: int) -> tuple[dict[str, str], frozenset[str]]:
    view = draft.view
    key = {
        e: f"{view.elements.domains[view.elements.domain[e]].name}:{view.elements.names[e]}"
        for e in range(len(view.elements))
    }
    held: dict[int, dict[str, frozenset[str]]] = {p: {} for p in range(view.persons)}
    for column, (person, element) in view.elements.by_column(view.person_of_row).items():
        for p, e in zip(person.tolist(), element.tolist(), strict=True):
            held[p][key[e]] = held[p].get(key[e], frozenset()) | {column}
    members = np.flatnonzero(draft.partition.group == group).tolist()
    everywhere = set.intersection(*(set(held[p]) for p in members))
    kept = frozenset(e for e in everywhere if len({held[p][e] for p in members}) == 1)
    ladders = {}
    for name in key.values():
        kind, _, text = name.partition(":")
        ladders[name] = [(rung.size, f"{kind}:{rung.label}") for rung in ladder(text, kind).rungs]
    return pooled(members, held, kept, ladders), kept


@pytest.mark.parametrize("seed", range(120))
def test_labels_are_those_of_the_naive_twin(seed: int) -> None:
    frame = people(seed)
    if frame.is_empty():
        pytest.skip("one person")
    draft = draft_of(frame, plan_for())
    elements, made = draft.view.elements, draft.recoding.elements
    for group in range(draft.partition.count):
        expected, kept = expected_labels(draft, group)
        for place in range(int(made.of_group.ptr[group]), int(made.of_group.ptr[group + 1])):
            element = int(made.of_group.codes[place])
            kind, text, *_ = elements.term(element)
            name = f"{kind}:{text}"
            if name in kept:
                assert made.fate[place] == Fate.KEPT
            elif name in expected:
                assert made.fate[place] == Fate.GENERALIZED
                assert f"{kind}:{made.labels[made.label[place]].text}" == expected[name]
            else:
                assert made.fate[place] == Fate.TYPED


@pytest.mark.parametrize("seed", range(30))
def test_what_is_released_passes_the_audit_and_never_tells_less_than_suppression(seed: int) -> None:
    frame = people(seed + 1000)
    if frame.is_empty():
        pytest.skip("one person")
    general = hn.anonymize(frame, plan_for())
    alone = hn.anonymize(frame, plan_for(recode={"terms": "suppress"}))
    assert general.verdict.holds
    assert general.measures["ncp"]["textual"] == pytest.approx(alone.measures["ncp"]["textual"])
    assert general.measures["ncp"]["information"] <= alone.measures["ncp"]["information"] + 1e-12
    assert alone.measures["ncp"]["information"] == pytest.approx(alone.measures["ncp"]["textual"])


@pytest.mark.parametrize("seed", range(20))
def test_a_label_is_offered_at_one_turn_by_all_who_offer_it(seed: int) -> None:
    draft = draft_of(frame, plan_for()) if not (frame := people(seed)).is_empty() else None
    if draft is None:
        pytest.skip("one person")
    offers = GeneralizeTerms().offers(draft.view, draft.partition, models=()).in_step()
    turns: dict[int, set[int]] = {}
    for place in range(len(offers.of_group.codes)):
        mine = offers.label[offers.ptr[place] : offers.ptr[place + 1]].tolist()
        worth = offers.worth[offers.ptr[place] : offers.ptr[place + 1]].tolist()
        assert mine[0] == AS_IT_IS
        assert worth == sorted(worth, reverse=True)
        for label in set(mine) - {AS_IT_IS}:
            at = {turn for turn, each in enumerate(mine) if each == label}
            turns[label] = turns.get(label, at) & at
    assert all(turns.values())


def test_no_label_tells_a_value_of_a_column_that_mentions_follow() -> None:
    frame = pl.DataFrame(
        {
            "id": ["a", "b"],
            "region": ["Catalonia", "Madrid"],
            "note": ["He moved to Tarragona.", "She moved to Barcelona."],
        }
    )
    plan = {
        "data": {"person": "id"},
        "attributes": {
            "id": {"role": "identifier"},
            "region": {"role": "quasi", "entities": ["GPE"]},
            "note": {"role": "text"},
        },
        "text": {"model": "none", "patterns": {"GPE": "Tarragona|Barcelona"}, "entities": ["GPE"]},
        "privacy": [{"model": "k-anonymity", "k": 2}],
        "recode": {"terms": "generalize"},
    }
    release = hn.anonymize(frame, plan)
    assert set(release.data["note"]) == {"He moved to a Spanish city.", "She moved to a Spanish city."}
    plain = {**plan, "attributes": plan["attributes"] | {"region": {"role": "plain"}}}  # type: ignore[operator]
    assert "He moved to a city in Catalonia." in set(hn.anonymize(frame, plain).data["note"])


def _notes(texts: list[str], ages: list[int], **more: Any) -> pl.DataFrame:
    plan: dict[str, Any] = {
        "attributes": {
            "age": {"role": "quasi", "scale": "numeric", "entities": ["AGE"]},
            "note": {"role": "text"},
        },
        "text": {
            "model": "none",
            "patterns": {
                "GPE": "Madrid|Barcelona|Tarragona|Sevilla|Bilbao|Murcia",
                "AGE": r"\d\d(?= years)",
                "DATE": r"[12]\d{3}",
            },
            "entities": ["GPE", "AGE", "DATE"],
        },
        "privacy": [{"model": "k-anonymity", "k": 2}],
        "recode": {"terms": "generalize"},
        **more,
    }
    release = hn.anonymize(pl.DataFrame({"age": ages, "note": texts}), plan)
    assert release.verdict.holds
    return release.data


def test_labels_that_several_groups_share_stand_where_they_belong() -> None:
    towns = ["Madrid", "Barcelona", "Tarragona", "Sevilla", "Bilbao", "Murcia"]
    ages = [20, 21, 40, 41, 60, 61]
    texts = [f"An {a} years old from {t}." for a, t in zip(ages, towns, strict=True)]
    released = _notes(texts, ages)
    assert sorted(released["note"]) == sorted(
        f"A {age} years old from a Spanish city." for age in released["age"]
    )
    assert len(set(released["age"])) == 3


def test_a_term_that_reads_as_its_label_is_no_residue() -> None:
    released = _notes(["born in 2004", "born in 2004 or so"], [20, 21])
    assert set(released["note"]) == {"born in 2004", "born in 2004 or so"}
