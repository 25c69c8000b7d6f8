"""What is true of every release, on random schemas and tables."""

from __future__ import annotations

import io
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings

import heteronym as hn
from heteronym.errors import InputError
from heteronym.io.plans import make_plan, override
from heteronym.run import Run
from heteronym.verify.audit import audit
from tests.properties.tables import JOB_HIERARCHY, Case, cases


@pytest.fixture(autouse=True, scope="module")
def beside_the_hierarchy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("hierarchies")
    (folder / "job.csv").write_text(JOB_HIERARCHY)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield


def anonymized(case: Case, **options: Any) -> Any:
    if case.persons < case.k:
        with pytest.raises(InputError, match="number of persons"):
            hn.anonymize(case.frame, case.plan, **options)
        assume(False)
    return hn.anonymize(case.frame, case.plan, **options)


def persons_of(case: Case, release: Any) -> list[Any]:
    source = case.frame[release.source_row.tolist()]
    return (source["id"] if case.plan.get("data") else source["number"]).to_list()


@given(cases())
def test_every_person_shares_its_record_with_k_persons(case: Case) -> None:
    release = anonymized(case)
    records: dict[Any, set[Any]] = defaultdict(set)
    for person, record in zip(persons_of(case, release), release.data.select(case.quasi).rows(), strict=True):
        records[person].add(record)
    assert all(len(seen) == 1 for seen in records.values()), "a person's rows show one record"
    holders: dict[Any, int] = defaultdict(int)
    for seen in records.values():
        holders[next(iter(seen))] += 1
    assert min(holders.values()) >= case.k
    assert sum(holders.values()) == case.persons
    assert release.verdict.holds
    assert release.verdict.unit == "persons"


@given(cases())
def test_a_release_for_k_passes_for_every_smaller_k(case: Case) -> None:
    release = anonymized(case)
    person = np.unique(np.array(persons_of(case, release), object).astype(str), return_inverse=True)[1]
    for k in range(2, case.k + 1):
        assert audit(release.data, override(make_plan(case.plan), {"k": k}), person=person).holds
    smallest = release.verdict.models[0].smallest_group
    assert not audit(release.data, override(make_plan(case.plan), {"k": smallest + 1}), person=person).holds


@given(cases())
def test_the_verdict_ignores_the_order_of_rows(case: Case) -> None:
    release = anonymized(case)
    order = np.random.default_rng(3).permutation(release.data.height)
    person = np.unique(np.array(persons_of(case, release), object).astype(str), return_inverse=True)[1]
    plan = make_plan(case.plan)
    there = audit(release.data, plan, person=person)
    shuffled = audit(release.data[order.tolist()], plan, person=person[order])
    assert there.to_dict() == shuffled.to_dict()


@given(cases())
def test_a_release_of_persons_with_keys_does_not_depend_on_the_order_of_rows(case: Case) -> None:
    assume("data" in case.plan)  # without a key, equal persons are told apart by their place
    order = np.random.default_rng(4).permutation(case.frame.height).tolist()
    there = anonymized(case).data
    shuffled = hn.anonymize(case.frame[order], case.plan).data
    assert there.select(case.quasi).sort(case.quasi).equals(shuffled.select(case.quasi).sort(case.quasi))


@given(cases())
def test_the_same_seed_gives_the_same_release(case: Case) -> None:
    first, second = anonymized(case, seed=7), anonymized(case, seed=7)
    assert first.data.equals(second.data)


@given(cases())
def test_plain_and_sensitive_columns_come_through_in_order_and_identifiers_do_not(case: Case) -> None:
    release = anonymized(case)
    assert release.data.columns == [name for name in case.frame.columns if name != "id"]
    kept = case.frame.select("note", "number")
    assert release.data.select("note", "number").sort("number").equals(kept.sort("number"))


@given(cases())
def test_missing_cells_never_cost_a_row_or_a_person(case: Case) -> None:
    release = anonymized(case)
    assert release.data.height == case.frame.height
    assert release.facts["data"]["persons"] == case.persons


@given(cases())
def test_losses_lie_between_nothing_and_everything(case: Case) -> None:
    ncp = anonymized(case).measures["ncp"]
    every = [ncp["total"], ncp["relational"], *ncp["by_attribute"].values(), *ncp["published"].values()]
    assert all(0 <= loss <= 1 for loss in every)


@given(cases())
def test_the_facts_are_plain_json(case: Case) -> None:
    facts = anonymized(case).facts
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts


KINDS = {"csv": "write_csv", "jsonl": "write_ndjson", "parquet": "write_parquet", "xlsx": "write_excel"}


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=12)
@given(case=cases())
def test_what_is_read_back_audits_the_same(
    kind: str, case: Case, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assume(case.persons >= case.k)
    if kind == "xlsx":
        assume("huge" not in case.frame.columns)  # Excel's numbers have 15 digits
    folder: Path = tmp_path_factory.mktemp("files")
    out = io.BytesIO()
    frame = case.frame
    if "day" in frame.columns:
        frame = frame.with_columns(pl.col("day").cast(pl.String))
    getattr(frame, KINDS[kind])(out)
    (folder / f"people.{kind}").write_bytes(out.getvalue())
    (folder / "job.csv").write_text(JOB_HIERARCHY)
    release = hn.anonymize(
        folder / f"people.{kind}",
        make_plan(case.plan),
        output=folder / "release",
        private=folder / "own",
        run=Run(folder=folder),
    )
    again = hn.verify(folder / "release", against=folder / f"people.{kind}", private=folder / "own")
    assert again.holds
    assert again.models == release.verdict.models
    assert again.unit == release.verdict.unit == "persons"
    rows = hn.verify(folder / "release")
    assert rows.holds is (None if case.plan.get("data") else True)
