"""What a run would do and about what it would take, told before it is started.

The rates were measured on a small machine: those without items as README lists them under "Measured", those
of items with k from 2 to 100 and m from 1 to 3 on 2,000 to 20,000 persons with 4 and 8 items each.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from heteronym.io.database_targets import check_output
from heteronym.io.decisions import holds_decisions, read_decisions
from heteronym.io.given import PlanLike, as_frames, door, plan_and_folder, read_given
from heteronym.io.mentions import read_mentions
from heteronym.io.persons import number_persons
from heteronym.io.plans import build_parts, override
from heteronym.model.dataset import Dataset
from heteronym.model.in_words import InWords
from heteronym.model.plan import Plan
from heteronym.model.schema import Role
from heteronym.pipeline import check_enough, check_feasible, make_dataset
from heteronym.registry import privacy_models
from heteronym.text.recognize import model_in_use

# CPU seconds
PER_WORD = {"accurate": 1 / 3_000, "fast": 1 / 14_000, "none": 1 / 23_000}
PER_CELL = {"encode": 2.0e-7, "recode": 3.0e-7, "write": 1.0e-7, "verify": 6.0e-7, "measure": 5.0e-8}
PER_ENTRY = {"encode": 1.5e-6, "recode": 5.0e-7, "verify": 1.0e-6, "measure": 3.0e-7}
LINKING = 1 / 60_000  # per word
SEARCH = 4.0e-7  # per person and pair of columns
SEARCH_TERMS = 1.0e-6  # per person and entry
CLUSTERS = 2.0e-9  # per pair of persons, where clusters are built
PERSONS = 1.4  # in a group, times k
ITEM_GROUP = {"partition": 4.2e-4, "verify": 1.2e-4}  # per group, where there are items
ITEM_PERSON = {"measure": 3.0e-5}
BLOCKS, BLOCKS_BY_K = 1.0e-3, 0.4  # per group, times k to this power: blocks of items for who knows two
BLOCKS_AT_ONCE = 1.5e-5  # per item, where blocks are the same for all groups
DEEPER = 2.0  # times as much for each further item that is known
FACTOR = 3  # between the estimate and what it takes in the end, where the rates were measured
# bytes
PROGRAM = 250e6
CELL, ENTRY, CHARACTER = 60.0, 150.0, 6.0

_QUADRATIC = {"k-member", "r-first", "rum-bound", "tum-bound"}


@dataclass(frozen=True)
class Estimate(InWords):
    """Steps with what they work on and their CPU seconds, and the memory of the whole."""

    steps: tuple[tuple[str, str, float], ...]
    memory_mb: float
    factor: int | None = FACTOR  # by which it may be off; None: nobody measured plans like this one

    @property
    def seconds(self) -> float:
        return sum(seconds for _, _, seconds in self.steps)

    def in_words(self, *, verbose: bool = False) -> str:
        lines = [f"{name:<10} {about(seconds):>12}  {what}" for name, what, seconds in self.steps]
        off = f"give or take a factor of {self.factor}" if self.factor else "a rough guess"
        lines.append(f"{'in all':<10} {about(self.seconds):>12}  CPU time, {off}")
        lines.append(f"memory: about {self.memory_mb:,.0f} MB. Nothing was written.")
        return "".join(f"{line}\n" for line in lines)

    def to_dict(self) -> dict[str, Any]:
        return {
            "steps": [{"step": n, "what": w, "cpu_seconds": round(s, 2)} for n, w, s in self.steps],
            "cpu_seconds": round(self.seconds, 2),
            "memory_mb": round(self.memory_mb),
        }


def about(seconds: float) -> str:
    if seconds < 1:
        return "under 1 s"
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


@door
def estimate(
    data: Any,
    plan: PlanLike,
    *,
    folder: str | Path | None = None,
    output: str | Path | None = None,
    private: str | Path | None = None,
    mentions: str | Path | None = None,
    report_folder: str | Path | None = None,
    overwrite: bool = False,
    **options: Any,
) -> Estimate:
    """What `anonymize` would do with this data and plan, and about how long and how much memory it takes.

    Reads sizes off the data; recognizes, searches and writes nothing. What `anonymize` would refuse before it
    begins is refused. `folder` is where the files are that a plan names, if it is none itself.
    """
    plan, beside = plan_and_folder(plan)
    plan = override(plan, options) if options else plan
    if output is not None:
        owner = None if private is None else Path(private)
        check_output(output, report_folder, overwrite=overwrite, private=owner)
    dataset = make_dataset(
        read_given(as_frames(data, plan.attributes), plan.data)[0], plan, folder=Path(folder or beside)
    )
    scans = mentions is None or holds_decisions(Path(mentions))
    if mentions is not None:
        (read_decisions if scans else partial(read_mentions, dataset=dataset))(Path(mentions))
    parts = build_parts(plan)
    check_feasible(dataset, parts)
    _, persons = number_persons(dataset)
    check_enough(persons, parts)
    return _estimated(dataset, plan, persons, scans=scans)


def _estimated(dataset: Dataset, plan: Plan, persons: int, *, scans: bool) -> Estimate:
    schema, rows = dataset.schema, dataset.rows
    quasi = len(schema.named(Role.QUASI))
    texts = [dataset.frame[name].cast(pl.String) for name in schema.named(Role.TEXT)]
    words = sum(int(t.str.count_matches(r"\w+").sum() or 0) for t in texts)
    characters = sum(int(t.str.len_bytes().sum() or 0) for t in texts)
    items = sum(_entries(dataset, name) for name in schema.named(Role.ITEMS))
    entries = items + sum(_entries(dataset, name) for name in schema.named(Role.TERMS)) + words // 12
    cells = rows * max(len(schema.attributes), 1)
    method = plan.partition.name
    search = SEARCH * persons * quasi**2
    if schema.named(Role.TERMS, Role.TEXT):
        search += SEARCH_TERMS * entries
    if method in _QUADRATIC:
        search += CLUSTERS * persons**2
    more = _for_items(plan, persons, items)

    def cost(step: str) -> float:
        return PER_CELL[step] * cells + PER_ENTRY.get(step, 0.0) * entries + more.get(step, 0.0)

    steps: list[tuple[str, str, float]] = []
    if texts and scans:
        model = model_in_use(plan.text)
        scan = words * PER_WORD.get(model, PER_WORD["accurate"])
        steps.append(("scan", f"{words:,} words in {len(texts)} text columns, model '{model}'", scan))
    if texts:
        steps.append(("link", "mentions to columns, person by person", words * LINKING))
    steps.append(("encode", f"{persons:,} persons, {rows:,} rows", cost("encode")))
    steps.append(("partition", f"'{method}' over {quasi} quasi columns", search + more.get("partition", 0.0)))
    steps.append(("recode", f"about {entries:,} items and terms", cost("recode")))
    steps.append(("measure", "what it cost", cost("measure")))
    steps.append(("write", "one release folder", PER_CELL["write"] * cells))
    steps.append(("verify", "everything that was written", cost("verify") + words * LINKING))
    memory = PROGRAM + float(dataset.frame.estimated_size()) * 3 + cells * CELL / 4 + entries * ENTRY
    models = [privacy_models.get(model.name) for model in plan.privacy]
    measured = all(getattr(model, "estimate_was_measured", False) for model in models)
    megabytes = (memory + characters * CHARACTER) / 1e6
    return Estimate(tuple(steps), megabytes, FACTOR if measured and method == "mondrian" else None)


def _for_items(plan: Plan, persons: int, items: int) -> dict[str, float]:
    """What items add to the steps: their blocks are searched in every group, or once where all share them."""
    if not items:
        return {}
    given = [model.parameters for model in plan.privacy]
    k = max((one["k"] for one in given if isinstance(one.get("k"), int)), default=2)
    known = max((one["m"] for one in given if isinstance(one.get("m"), int)), default=2)
    groups = persons / (PERSONS * k)
    # without columns among what is protected, blocks are the same for all groups
    by_group = any(
        "m" in model.parameters and "columns" in getattr(privacy_models.get(model.name), "protects", ())
        for model in plan.privacy
    )
    blocks = groups * BLOCKS * k**BLOCKS_BY_K if by_group else items * BLOCKS_AT_ONCE
    found = {step: groups * rate for step, rate in ITEM_GROUP.items()}
    found |= {step: persons * rate for step, rate in ITEM_PERSON.items()}
    return {**found, "recode": blocks * DEEPER ** (known - 2)}


def _entries(dataset: Dataset, name: str) -> int:
    cells, separator = dataset.frame[name], dataset.schema[name].separator
    if cells.dtype.is_nested():
        return int(cells.list.len().sum() or 0)
    text = cells.cast(pl.String).drop_nulls()
    return int(text.str.count_matches(separator or ",", literal=True).sum() or 0) + len(text)
