"""What the page says of a decision is what a full run with the same groups gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import heteronym as hn
from heteronym.io.plans import build_parts, read_plan
from heteronym.io.tables import read_table
from heteronym.model.recoding import ElementLabels, Fate, Label
from heteronym.model.terms import normalize
from heteronym.pipeline import Draft, drafted, encode_persons, make_dataset, measure_all, recoded
from heteronym.publish import originals_of
from heteronym.reviewing.effects import Outcome
from heteronym.run import Run
from heteronym.verify.audit import examine

TOWNS = ("Paris", "Madrid", "Lyon", "Turin")
JOBS = ("nurse", "teacher", "welder")
PLAN = """
data: {person: id}
attributes:
  id: {role: identifier}
  age: {role: quasi, scale: numeric}
  sex: {role: quasi}
  note: {role: text}
  more: {role: text, weight: WEIGHT}
TERMS
text: {model: none, words: {GPE: towns.txt, JOB: jobs.txt}, entities: [GPE, JOB]}
privacy: [{model: k-anonymity, k: 3}]
recode: {terms: RECODE}
"""


def study(
    folder: Path, seed: int, *, recode: str, terms: bool = False, persons: int = 24
) -> tuple[Path, Path]:
    """A small table with several rows per person, and its plan."""
    rng = np.random.default_rng(seed)
    rows = []
    for person in range(persons):
        for _ in range(int(rng.integers(1, 3))):
            town, other, job = rng.choice(TOWNS), rng.choice(TOWNS), rng.choice(JOBS)
            rows.append(
                {
                    "id": f"p{person}",
                    "age": 20 + person % 4 * 10,
                    "sex": "fm"[person % 2],
                    "note": f"Went to {town} and {other} once." if rng.random() < 0.8 else "",
                    "more": f"Was a {job} in {town}." if rng.random() < 0.6 else "Nothing.",
                    "tags": f"GPE:{other.lower()}|JOB:{job}",
                }
            )
    frame = pl.DataFrame(rows)
    if not terms:
        frame = frame.drop("tags")
    frame.write_csv(folder / "data.csv")
    (folder / "towns.txt").write_text("\n".join(TOWNS))
    (folder / "jobs.txt").write_text("\n".join(JOBS))
    listed = '  tags: {role: terms, separator: "|"}' if terms else ""
    text = PLAN.replace("WEIGHT", str(1 + seed % 2)).replace("TERMS", listed).replace("RECODE", recode)
    (folder / "plan.yaml").write_text(text)
    return folder / "data.csv", folder / "plan.yaml"


def full_run(data: Path, plan_path: Path, term: str | None, fate: Fate, label: str | None) -> Outcome:
    """The whole road after the search, with one term shown, generalized or masked in all groups."""
    plan = read_plan(plan_path)
    dataset = make_dataset(read_table(data, plan.data), plan, folder=plan_path.parent)
    run = Run()
    run.folder = plan_path.parent
    with run.active():
        persons = encode_persons(dataset, plan, run=run)
        from heteronym.pipeline import content_of_rows, form_groups

        rest = lambda: content_of_rows(dataset, persons.mentions)  # noqa: E731
        partition = form_groups(persons.view, plan, run, np.random.default_rng(plan.seed), rest)
        recoding = recoded(persons.view, partition, plan, np.random.default_rng(plan.seed))
        base = drafted(dataset, persons, partition, recoding, plan, None)
        if term is not None:
            recoding = replace(recoding, elements=forced(recoding.elements, persons.view, term, fate, label))
        draft = drafted(dataset, persons, partition, recoding, plan, None)
        measures = measure_all(draft.view, partition, recoding, build_parts(plan))
    draft = replace(draft, measures=measures)
    found = examine(draft.frame, plan, person=draft.person, originals=originals_of(complete(draft, dataset)))
    [k_anonymity] = found.verdict.models
    texts = ["note", "more", *(["tags"] if "tags" in draft.frame.columns else [])]
    was = dict(zip(base.source_row.tolist(), base.frame.select(texts).rows(), strict=True))
    now = dict(zip(draft.source_row.tolist(), draft.frame.select(texts).rows(), strict=True))
    rows = sum(was[row] != now[row] for row in was)
    return Outcome(k_anonymity.smallest_group, measures["ncp"]["total"], rows)


def complete(draft: Draft, dataset: Any) -> Draft:
    from heteronym.pipeline import _emptied_texts

    return replace(draft, original=dataset, cuts=_emptied_texts(dataset, dataset))


def forced(labels: ElementLabels, view: Any, term: str, fate: Fate, label: str | None) -> ElementLabels:
    mine = [n for n, name in enumerate(view.elements.names) if normalize(name) == term]
    here = np.isin(labels.of_group.codes, mine)
    number = len(labels.labels) if label is not None else -1
    return replace(
        labels,
        fate=np.where(here, np.uint8(fate), labels.fate),
        label=np.where(here, np.int32(number), labels.label).astype(np.int32),
        labels=(*labels.labels, *([Label(label, 9)] if label is not None else [])),
    )


def last_run(folder: Path, data: Path, plan: Path) -> Any:
    hn.anonymize(data, plan, output=folder / "release", private=folder / "owner")
    return hn.review(
        data, plan, decisions=folder / "d.jsonl", release=folder / "release", private=folder / "owner"
    )


def agrees(told: Outcome, full: Outcome) -> None:
    assert told.fewest == full.fewest
    assert told.loss == pytest.approx(full.loss, abs=1e-9)
    assert told.rows == full.rows


@pytest.mark.parametrize("recode", ["suppress", "generalize"])
@pytest.mark.parametrize("terms", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_an_effect_is_that_of_a_full_run_with_these_groups(
    tmp_path: Path, seed: int, recode: str, terms: bool
) -> None:
    data, plan = study(tmp_path, seed, recode=recode, terms=terms)
    review = last_run(tmp_path, data, plan)
    for term in ("paris", "madrid", "lyon", "turin", "nurse", "welder"):
        found = review.effect(term)
        assert found is not None
        assert found.now == Outcome(*full_run(data, plan, None, Fate.KEPT, None))
        agrees(found.keep, full_run(data, plan, term, Fate.KEPT, None))
        agrees(found.mask, full_run(data, plan, term, Fate.TYPED, None))
        if found.generalize is not None and recode == "generalize":
            agrees(found.generalize, full_run(data, plan, term, Fate.GENERALIZED, found.label))


def test_an_effect_tells_who_holds_a_term(tmp_path: Path) -> None:
    data, plan = study(tmp_path, 1, recode="suppress")
    frame = pl.read_csv(data)
    review = last_run(tmp_path, data, plan)
    for town in TOWNS:
        holds = frame.filter(pl.any_horizontal(pl.col("note", "more").str.contains(town).fill_null(False)))
        found = review.effect(town)
        assert found.persons == holds["id"].n_unique()
        assert found.rows == holds.height
        assert found.kept + found.masked == found.groups


def test_without_a_run_there_is_no_effect(tmp_path: Path) -> None:
    data, plan = study(tmp_path, 1, recode="suppress")
    assert hn.review(data, plan, decisions=tmp_path / "d.jsonl").effect("paris") is None


def test_effects_are_refused_for_other_persons(tmp_path: Path) -> None:
    data, plan = study(tmp_path, 1, recode="suppress")
    hn.anonymize(data, plan, output=tmp_path / "release", private=tmp_path / "owner")
    pl.read_csv(data)[:20].write_csv(data)
    given: Mapping[str, Any] = {"release": tmp_path / "release", "private": tmp_path / "owner"}
    with pytest.raises(hn.InputError, match="other persons"):
        hn.review(data, plan, decisions=tmp_path / "d.jsonl", **given)


def test_a_type_that_is_always_removed_tells_what_showing_it_would_do(tmp_path: Path) -> None:
    data, plan = study(tmp_path, 1, recode="suppress")
    text = plan.read_text().replace("entities: [GPE, JOB]", "entities: [GPE, JOB], direct: [JOB]")
    plan.write_text(text)
    review = last_run(tmp_path, data, plan)
    found = review.effect("nurse")
    assert found.always
    assert found.mask == found.now
    assert found.keep.loss == found.now.loss
    assert found.keep.rows == found.rows > 0
    assert found.keep.fewest < found.now.fewest
