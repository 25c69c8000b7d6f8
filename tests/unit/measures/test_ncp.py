"""NCP against the definition, person by person."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from tests.naive.tables import ROLES, persons_of, published_loss, random_dataset

from heteronym.encode import encode
from heteronym.io.hierarchies import build_hierarchy
from heteronym.measures.ncp import NormalizedCertaintyPenalty
from heteronym.model.dataset import Dataset
from heteronym.model.partition import Partition
from heteronym.model.recoding import ElementLabels, Recoding
from heteronym.model.schema import Attribute, Role, Scale, Schema
from heteronym.privacy.k_anonymity import KAnonymity
from heteronym.recode.term_suppress import SuppressTerms

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("seed", range(40))
def test_published_loss_is_the_mean_over_persons_of_the_loss_of_their_labels(seed: int) -> None:
    dataset = random_dataset(seed, persons=20, rows_per_person=2)
    view, people = encode(dataset), persons_of(dataset)
    group = np.random.default_rng(seed).integers(0, 4, len(people)).astype(np.int32)
    group = np.unique(group, return_inverse=True)[1].astype(np.int32)
    found = NormalizedCertaintyPenalty().measure(view, Partition(group), Recoding({}, ElementLabels.none(1)))
    for name in ROLES:
        everybody = set().union(*(p[name] for p in people))
        losses = []
        for person in range(len(people)):
            values = set().union(*(people[q][name] for q in range(len(people)) if group[q] == group[person]))
            losses.append(published_loss(name, values, everybody))
        assert found["published"][name] == pytest.approx(np.mean(losses))
    weights = np.array([ROLES[name].weight for name in ROLES])
    losses = np.array([found["by_attribute"][name] for name in ROLES])
    assert found["relational"] == pytest.approx(losses @ weights / weights.sum())


def test_numeric_ranges_are_exact() -> None:
    schema = Schema({"x": Attribute(role=Role.QUASI, scale=Scale.NUMERIC)})
    view = encode(Dataset(schema, pl.DataFrame({"x": [0, 11, 20, 40]})))
    found = NormalizedCertaintyPenalty().measure(
        view, Partition(np.array([0, 0, 1, 1], np.int32)), Recoding({}, ElementLabels.none(1))
    )
    assert found["by_attribute"]["x"] == pytest.approx((11 / 40 + 20 / 40) / 2)


def test_a_hierarchy_publishes_more_than_a_group_covers() -> None:
    tree = build_hierarchy([[str(i), "low" if i < 6 else "high", "*"] for i in range(8)])
    schema = Schema({"x": Attribute(role=Role.QUASI, hierarchy="x.csv")})
    view = encode(Dataset(schema, pl.DataFrame({"x": ["0", "1", "6", "7"]}), {"x": tree}))
    found = NormalizedCertaintyPenalty().measure(
        view, Partition(np.array([0, 0, 1, 1], np.int32)), Recoding({}, ElementLabels.none(1))
    )
    assert found["by_attribute"]["x"] == pytest.approx(2 / 4)
    assert found["published"]["x"] == pytest.approx((6 / 8 + 2 / 8) / 2)


def test_five_people_who_all_keep_their_term_lose_nothing() -> None:
    frame = pl.DataFrame({"t": ["GPE:UK", "GPE:uk", "GPE: UK ", "GPE:UK", "GPE:UK|ORG:BBC"]})
    view = encode(Dataset(Schema({"t": Attribute(role=Role.TERMS, separator="|")}), frame))
    partition = Partition(np.zeros(5, np.int32))
    recoding = SuppressTerms().recode(view, partition, models=[KAnonymity(2)], rng=RNG)
    found = NormalizedCertaintyPenalty().measure(view, partition, Recoding({}, recoding))
    assert found["textual"] == pytest.approx(0.5 / 5)
    assert found["by_entity"] == {"GPE": 0.0, "ORG": pytest.approx(1 / 5)}
    assert found["of_holders"] == {"GPE": 0.0, "ORG": pytest.approx(1.0)}


def test_a_person_without_terms_loses_none_and_still_counts() -> None:
    frame = pl.DataFrame({"t": ["GPE:UK", None]})
    view = encode(Dataset(Schema({"t": Attribute(role=Role.TERMS)}), frame))
    partition = Partition(np.zeros(2, np.int32))
    recoding = SuppressTerms().recode(view, partition, models=[KAnonymity(2)], rng=RNG)
    found = NormalizedCertaintyPenalty().measure(view, partition, Recoding({}, recoding))
    assert found["textual"] == pytest.approx(0.5)


def test_terms_are_counted_some_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pl.DataFrame(
        {"t": ["GPE:UK|GPE:Rome|GPE:Bern|ORG:BBC", "GPE:UK|GPE:Oslo", "GPE:UK|ORG:BBC|ORG:ZDF"]}
    )
    view = encode(Dataset(Schema({"t": Attribute(role=Role.TERMS, separator="|")}), frame))
    partition = Partition(np.zeros(3, np.int32))
    recoding = SuppressTerms().recode(view, partition, models=[KAnonymity(2)], rng=RNG)
    whole = NormalizedCertaintyPenalty().measure(view, partition, Recoding({}, recoding))
    assert whole["textual"] == pytest.approx((3 / 4 + 1 / 2 + 2 / 3) / 3)
    monkeypatch.setattr(
        "heteronym.model.sets.AT_ONCE", 2
    )  # three terms of the first person are in two blocks
    assert NormalizedCertaintyPenalty().measure(view, partition, Recoding({}, recoding)) == whole
