"""A handful of plans, carried out on a sample of the data: what each of them would leave.

Texts are read once for all plans. Nothing is written and nothing is audited: what the audit still masks in a
real run comes on top, and a sample has fewer persons to share with, so more is lost on it than on all data.

Cost        one recognition of the sample's texts, one encoding per set of roles, one search per plan
Randomness  which persons are in the sample, seeded
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from heteronym.comparing.remains import Remains, remains_of
from heteronym.errors import HeteronymError
from heteronym.io.persons import keep_person_level_cells_on_first_row
from heteronym.io.plans import build_parts, make_plan
from heteronym.io.tables import Table
from heteronym.io.values import text_cells
from heteronym.model.mention import Mentions
from heteronym.model.plan import Plan
from heteronym.model.schema import Role
from heteronym.pipeline import (
    Draft,
    Persons,
    check_feasible,
    draft_of,
    encode_persons,
    make_dataset,
    recognize_texts,
)
from heteronym.run import Run

WORDS, ROWS = 30_000, 6_000  # of the sample, unless more time may be taken
_LEAST_PERSONS = 100


@dataclass(frozen=True, repr=False, eq=False)
class Tried:
    """A plan that was carried out on the sample, or why it could not be."""

    name: str
    plan: Mapping[str, Any]
    remains: Remains | None
    draft: Draft | None
    refused: str = ""

    def __repr__(self) -> str:
        return f"Tried({self.name!r}, {'refused' if self.remains is None else 'done'})"


@dataclass(frozen=True, repr=False, eq=False)
class Sample:
    """Some persons with all their rows."""

    table: Table
    persons: int
    of: int

    def __repr__(self) -> str:
        return f"Sample({self.persons} of {self.of} persons)"


def sample_of(
    table: Table,
    key: str | None,
    texts: Sequence[str],
    *,
    words: int = WORDS,
    rows: int = ROWS,
    seed: int = 0,
) -> Sample:
    """Persons drawn at random until there are enough words and rows of them."""
    frame = table.frame
    person = (
        np.arange(frame.height) if key is None else frame[key].rank("dense").to_numpy().astype(np.int64) - 1
    )
    count = int(person.max(initial=-1)) + 1
    told = np.zeros(frame.height, np.int64)
    for name in texts:
        told += text_cells(frame[name]).str.count_matches(r"\w+").fill_null(0).to_numpy().astype(np.int64)
    order = np.random.default_rng(seed).permutation(count)
    of_words = np.bincount(person, told, count)[order].cumsum()
    of_rows = np.bincount(person, minlength=count)[order].cumsum()
    enough = int(np.searchsorted(of_words, words, "right"))
    enough = min(enough, int(np.searchsorted(of_rows, rows, "right")))
    chosen = np.zeros(count, np.bool_)
    chosen[order[: max(enough, min(_LEAST_PERSONS, count))]] = True
    kept = frame.filter(pl.Series(chosen[person]))
    return Sample(replace(table, frame=kept), int(chosen.sum()), count)


def on_sample(plan: Mapping[str, Any], sample: Sample) -> dict[str, Any]:
    """The plan with groups as much smaller as there are fewer persons to share with."""
    share = sample.persons / max(sample.of, 1)
    given: list[dict[str, Any]] = [
        {"model": model} if isinstance(model, str) else dict(model) for model in plan["privacy"]
    ]
    models = [{**one, "k": max(2, round(one["k"] * share))} if "k" in one else one for one in given]
    # the table is joined, and its numbers are plain
    data = {
        name: value
        for name, value in plan.get("data", {}).items()
        if name not in ("join", "unite", "decimal")
    }
    return {**plan, "privacy": models, "data": data}


def try_plans(sample: Sample, plans: Sequence[tuple[str, Mapping[str, Any]]], run: Run) -> Iterator[Tried]:
    """Each plan in turn; whoever has seen enough stops asking."""
    recognized: dict[str, Mentions] = {}
    encoded: dict[str, Persons] = {}
    for number, (name, content) in enumerate(plans):
        run.tell(number / len(plans), "trial")
        try:
            draft = _drafted(sample, make_plan(content), run, recognized, encoded)
        except HeteronymError as error:
            yield Tried(name, content, None, None, str(error))
            continue
        yield Tried(name, content, remains_of(draft), draft)


def _drafted(
    sample: Sample, plan: Plan, run: Run, recognized: dict[str, Mentions], encoded: dict[str, Persons]
) -> Draft:
    dataset = original = make_dataset(sample.table, plan, folder=run.folder or Path())
    parts = build_parts(plan)
    check_feasible(dataset, parts)
    if parts.settling:
        dataset = keep_person_level_cells_on_first_row(dataset)
    texts = repr((dataset.schema.named(Role.TEXT), plan.text, parts.settling is not None))
    if dataset.schema.named(Role.TEXT) and texts not in recognized:
        with run.step("scan"):
            recognized[texts] = recognize_texts(dataset, plan, run)
    roles = repr((plan.data, plan.attributes, texts))
    if roles not in encoded:
        encoded[roles] = encode_persons(dataset, plan, mentions=recognized.get(texts), run=run)
    return replace(draft_of(dataset, encoded[roles], plan, run), original=original)
