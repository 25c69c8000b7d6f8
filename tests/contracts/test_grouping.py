"""Partitioners, models and recoders on random persons: what each promises the others."""

from __future__ import annotations

import inspect
from dataclasses import replace
from typing import Any, get_args

import numpy as np
import polars as pl
import pytest

from heteronym import registry
from heteronym.contracts import Kind, SensitiveLimit, Trace
from heteronym.encode import encode
from heteronym.errors import PlanError
from heteronym.io.hierarchies import build_hierarchy
from heteronym.io.plans import make_plan
from heteronym.model.dataset import Dataset
from heteronym.model.part import Recoder
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.schema import Attribute, Role, Scale, Schema
from heteronym.model.sets import Sets
from heteronym.registry import parameters_of
from heteronym.statistics.model_statistics import ModelStatistics
from heteronym.verify.groups import rebuild
from heteronym.verify.labels import meaning
from tests.contracts.test_parts import a_value

JOBS = [f"job{n}" for n in range(8)]
HIERARCHY = build_hierarchy([[job, f"field{n // 3}", "*"] for n, job in enumerate(JOBS)])
ATTRIBUTES = {
    "id": Attribute(role=Role.IDENTIFIER),
    "age": Attribute(role=Role.QUASI, scale=Scale.NUMERIC),
    "height": Attribute(role=Role.QUASI, scale=Scale.NUMERIC),
    "born": Attribute(role=Role.QUASI, scale=Scale.DATE),
    "town": Attribute(role=Role.QUASI),
    "level": Attribute(role=Role.QUASI, scale=Scale.ORDINAL, order=("low", "mid", "high")),
    "zip": Attribute(role=Role.QUASI, recode="prefix"),
    "job": Attribute(role=Role.QUASI, hierarchy="job.csv"),
    "found": Attribute(role=Role.TERMS, separator="|"),
    "illness": Attribute(role=Role.SENSITIVE),
    "pay": Attribute(role=Role.SENSITIVE, scale=Scale.NUMERIC),
}
SENSITIVE = [name for name, attribute in ATTRIBUTES.items() if attribute.role is Role.SENSITIVE]
QUASI = [name for name, attribute in ATTRIBUTES.items() if attribute.role is Role.QUASI]


def random_data(seed: int, rows: int = 90) -> Dataset:
    """Persons with one to three rows, missing cells, ties, odd characters."""
    rng = np.random.default_rng(seed)

    def pick(values: list[Any], missing: float = 0.1) -> list[Any]:
        chosen = [values[int(n)] for n in rng.integers(0, len(values), rows)]
        return [None if rng.random() < missing else value for value in chosen]

    frame = pl.DataFrame(
        {
            "id": [str(n) for n in np.sort(rng.integers(0, rows // 2, rows))],
            "age": pick(list(range(-5, 40))),
            "height": pick([1.5, 1.75, 0.0, -0.25, 1e-7, 12345678.5]),
            "born": pick(
                [
                    f"{year}-{month:02d}-1{day}"
                    for year in (1899, 1969, 2004)
                    for month in (1, 12)
                    for day in range(3)
                ]
            ),
            "town": pick(["a", "b,c", "{d}", "e\\", "ü😀", "*", "[1-2]"]),
            "level": pick(["low", "mid", "high"]),
            "zip": pick(["8810", "8811", "88", "9000", "8*"]),
            "job": pick(JOBS),
            "found": pick(["GPE:UK|JOB:engineer", "GPE:uk", "JOB:Engineer", "PERSON:Paris|GPE:Paris"]),
            "illness": pick(["flu", "cold", "none"]),
            "pay": pick([0.0, -0.25, 1e-7, 12345678.5]),
        },
        schema_overrides={"age": pl.Int64, "height": pl.Float64, "pay": pl.Float64},
    )
    return Dataset(Schema(ATTRIBUTES, "id"), frame, {"job": HIERARCHY})


SEEDS = [0, 1, 2]
VIEWS: dict[int, PersonView] = {}


def view_of(seed: int) -> PersonView:
    if seed not in VIEWS:
        view = encode(random_data(seed))
        # some three persons to a household
        VIEWS[seed] = replace(view, household=np.arange(view.persons) * 7 % view.persons // 3)
    return VIEWS[seed]


def built(kind: Any, name: str, **given: Any) -> Any:
    parameters = {p.name: a_value(p) for p in parameters_of(kind.get(name)) if p.required}
    known = {p.name for p in parameters_of(kind.get(name))}
    return kind.build(name, parameters | {k: v for k, v in given.items() if k in known})


# --- partitioners -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("k", [2, 5])
@pytest.mark.parametrize("name", registry.partitioners.names())
def test_every_person_is_in_one_group_of_at_least_k_every_time(name: str, k: int, seed: int) -> None:
    view, model = view_of(seed), registry.privacy_models.build("k-anonymity", {"k": k})
    partitioner = built(registry.partitioners, name, delta=1.0)  # where loss is bounded, all of it
    if hasattr(partitioner, "delta"):  # random persons have little in common
        partitioner = replace(partitioner, delta=1.0)
    try:
        first = partitioner.partition(view, models=[model], rng=np.random.default_rng(1))
    except PlanError as error:
        pytest.skip(f"needs other data: {error}")
    second = partitioner.partition(view, models=[model], rng=np.random.default_rng(1))
    assert len(first.group) == view.persons
    assert set(first.group.tolist()) == set(range(first.count))
    assert first.sizes().min() >= k
    assert (first.group == second.group).all()


# --- privacy models ---------------------------------------------------------------------------------

GROUP_MODELS = [
    name
    for name in registry.privacy_models.names()
    if "columns" in registry.privacy_models.get(name).protects  # type: ignore[attr-defined]
]


def model_named(name: str, attribute: str = "illness") -> Any:
    return built(registry.privacy_models, name, attribute=attribute)


@pytest.mark.parametrize("name", registry.privacy_models.names())
def test_a_model_declares_how_it_behaves(name: str) -> None:
    model = model_named(name)
    assert isinstance(model.size_only, bool)
    assert model.protects <= set(get_args(Kind))
    assert model.least_persons >= 1
    assert getattr(model, "limits_sensitive", "nothing") in get_args(SensitiveLimit)
    assert getattr(model, "bounds_traces", frozenset()) <= set(get_args(Trace))


@pytest.mark.parametrize("name", registry.privacy_models.names())
def test_a_model_with_an_attribute_says_that_it_is_about_sensitive_values(name: str) -> None:
    is_about_one = getattr(registry.privacy_models.get(name), "limits_sensitive", "nothing") == "attribute"
    assert is_about_one == registry.privacy_models.has(name, "attribute")


@pytest.mark.parametrize("limit", ["largest_share", "largest_distance"])
def test_limits_on_sensitive_values_are_shares(limit: str) -> None:
    models = [model_named(name) for name in registry.privacy_models.names()]
    limits = [value for model in models if (value := getattr(model, limit, None)) is not None]
    assert limits
    assert all(0 < value <= 1 for value in limits)


@pytest.mark.parametrize("name", registry.privacy_models.names())
def test_the_two_roads_of_a_model_share_no_code(name: str) -> None:
    part = registry.privacy_models.get(name)
    assert "start" not in inspect.getsource(part.audit)
    assert "audit" not in inspect.getsource(part.start)


@pytest.mark.parametrize("attribute", SENSITIVE)
@pytest.mark.parametrize("name", GROUP_MODELS)
def test_a_group_is_admitted_if_and_only_if_its_release_passes_the_audit(name: str, attribute: str) -> None:
    model, rng = model_named(name, attribute), np.random.default_rng(5)
    if hasattr(model, "population"):
        pytest.skip("needs a population: tests/unit/privacy/test_population.py")
    if not getattr(model, "counts_persons", True):
        pytest.skip("says nothing about groups: tests/unit/privacy/test_hipaa.py")
    agreed = {True: 0, False: 0}
    for seed in SEEDS:
        view = view_of(seed)
        dataset = random_data(seed)
        for _ in range(25):
            size = int(rng.integers(1, 7))
            members = np.sort(rng.choice(view.persons, size, replace=False)).astype(np.int32)
            rows = np.flatnonzero(np.isin(view.person_of_row, members))
            plan = make_plan(
                {
                    "data": {"person": "id"},
                    "attributes": {
                        "town": {"role": "quasi"},
                        attribute: {"role": "sensitive", "scale": ATTRIBUTES[attribute].scale},
                    },
                    "privacy": [{"model": "k-anonymity", "k": 2}],
                }
            )
            released = pl.DataFrame({"town": ["*"] * len(rows), attribute: dataset.frame[attribute][rows]})
            assert view.household is not None
            rebuilt = rebuild(released, plan, person=view.person_of_row[rows].astype(np.int64))
            rebuilt = replace(rebuilt, household_of_row=view.household[view.person_of_row[rows]])
            verdict = model.audit(rebuilt)
            admitted = ModelStatistics(view, [model]).admits(members)
            if "linked" in verdict.detail:
                continue  # said of what is released unchanged, which no grouping changes
            assert admitted == verdict.holds, f"{size} persons"
            agreed[admitted] += 1
    assert min(agreed.values()) > 0, "both outcomes must occur"


# --- recoders ---------------------------------------------------------------------------------------


def recoded_by(name: str, column_name: str) -> Attribute:
    return ATTRIBUTES[column_name].model_copy(update={"recode": Recoder(name=name)})


def column_under(name: str, column_name: str, seed: int) -> Any:
    """A column as a recoder wants it coded."""
    data = random_data(seed)
    attributes = {"id": ATTRIBUTES["id"], column_name: recoded_by(name, column_name)}
    trees = {n: tree for n, tree in data.hierarchies.items() if n == column_name}
    frame = data.frame.select("id", column_name)
    return encode(Dataset(Schema(attributes, "id"), frame, trees)).columns[0]


def fits(name: str, column_name: str) -> bool:
    """A recoder may refuse a scale, but only as a fault of the plan."""
    try:
        column_under(name, column_name, 0)
    except PlanError:
        return False
    return True


FITTING = [(name, column) for name in registry.recoders.names() for column in QUASI if fits(name, column)]


def labelled(name: str, column_name: str, seed: int, groups: int = 8) -> tuple[list[str | None], Any, Any]:
    column = column_under(name, column_name, seed)
    recoder = registry.recoders.build(name)
    group = (np.random.default_rng(seed).permutation(len(column.person_set)) % groups).astype(np.int32)
    partition = Partition(group)
    return recoder.labels(column.domain, partition.covers(column)), column, partition.covers(column)


def value_at(column: Any, code: int) -> Any:
    if code == column.domain.missing_code:
        return None
    value = column.domain.values[code]
    return value.item() if isinstance(value, np.generic) else value


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("name", "column_name"), FITTING, ids=[f"{n}-{c}" for n, c in FITTING])
def test_a_label_covers_every_value_of_its_group(name: str, column_name: str, seed: int) -> None:
    labels, column, cover = labelled(name, column_name, seed)
    attribute = recoded_by(name, column_name)
    hierarchy = HIERARCHY if column_name == "job" and name == "hierarchy" else None
    for number, label in enumerate(labels):
        for code in cover[number].tolist():
            assert meaning(label, attribute, hierarchy)(value_at(column, code))


EXACT = [(n, c) for n, c in FITTING if not hasattr(registry.recoders.get(n), "coarsen")]


@pytest.mark.parametrize(("name", "column_name"), EXACT, ids=[f"{n}-{c}" for n, c in EXACT])
def test_a_single_value_stays_itself_and_missing_stays_missing(name: str, column_name: str) -> None:
    _, column, _ = labelled(name, column_name, 0)
    codes = np.arange(column.domain.missing_code + 1, dtype=np.int32)
    labels = registry.recoders.build(name).labels(column.domain, Sets(np.arange(len(codes) + 1), codes))
    attribute = ATTRIBUTES[column_name]
    assert labels[-1] is None
    for code, label in enumerate(labels[:-1]):
        value = value_at(column, code)
        assert label is not None
        if attribute.scale is Scale.NUMERIC:
            assert float(label) == value
        else:
            # a value that reads like a label is written as a set of one
            of_one = label.startswith("{") and meaning(label, attribute, None)(value)
            assert label == str(value) or (of_one and str(value)[0] in "*[{(")
    assert len(set(labels)) == len(labels)


@pytest.mark.parametrize("column_name", QUASI)
def test_every_column_has_a_recoder_of_its_own_accord(column_name: str) -> None:
    labels, _, cover = labelled(ATTRIBUTES[column_name].labelled_by, column_name, 0)
    assert len(labels) == len(cover)
