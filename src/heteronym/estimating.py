"""What a run would do and about what it would take, told before it is started.

The rates are those of the runs that README lists under "Measured", on a small machine; other machines
and data differ by a factor of two either way.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from heteronym.io.given import PlanLike, plan_and_folder, read_given
from heteronym.io.persons import number_persons
from heteronym.io.plans import build_parts, override
from heteronym.model.dataset import Dataset
from heteronym.model.in_words import InWords
from heteronym.model.schema import Role
from heteronym.pipeline import check_feasible, make_dataset
from heteronym.text.recognize import model_in_use

# CPU seconds
PER_WORD = {"accurate": 1 / 3_000, "fast": 1 / 14_000, "none": 1 / 23_000}
PER_CELL = {"encode": 2.0e-7, "recode": 3.0e-7, "write": 1.0e-7, "verify": 6.0e-7, "measure": 5.0e-8}
PER_ENTRY = {"encode": 1.5e-6, "recode": 5.0e-7, "verify": 1.0e-6, "measure": 3.0e-7}
LINKING = 1 / 60_000  # per word
SEARCH = 4.0e-7  # per person and pair of columns
SEARCH_TERMS = 1.0e-6  # per person and entry
CLUSTERS = 2.0e-9  # per pair of persons, where clusters are built
# bytes
PROGRAM = 250e6
CELL, ENTRY, CHARACTER = 60.0, 150.0, 6.0

_QUADRATIC = {"k-member", "r-first", "rum-bound", "tum-bound"}


@dataclass(frozen=True)
class Estimate(InWords):
    """Steps with what they work on and their CPU seconds, and the memory of the whole."""

    steps: tuple[tuple[str, str, float], ...]
    memory_mb: float

    @property
    def seconds(self) -> float:
        return sum(seconds for _, _, seconds in self.steps)

    def in_words(self, *, verbose: bool = False) -> str:
        lines = [f"{name:<10} {about(seconds):>12}  {what}" for name, what, seconds in self.steps]
        lines.append(f"{'in all':<10} {about(self.seconds):>12}  CPU time, give or take a factor of two")
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


def estimate(data: Any, plan: PlanLike, *, folder: str | Path | None = None, **options: Any) -> Estimate:
    """What `anonymize` would do with this data and plan, and about how long and how much memory it takes.

    Reads sizes off the data; recognizes, searches and writes nothing.
    """
    plan, beside = plan_and_folder(plan)
    plan = override(plan, options) if options else plan
    dataset = make_dataset(read_given(data, plan.data)[0], plan, folder=Path(folder or beside))
    check_feasible(dataset, build_parts(plan))
    _, persons = number_persons(dataset)
    schema, rows = dataset.schema, dataset.rows
    quasi = len(schema.named(Role.QUASI))
    texts = [dataset.frame[name].cast(pl.String) for name in schema.named(Role.TEXT)]
    words = sum(int(t.str.count_matches(r"\w+").sum() or 0) for t in texts)
    characters = sum(int(t.str.len_bytes().sum() or 0) for t in texts)
    entries = sum(_entries(dataset, name) for name in schema.named(Role.ITEMS, Role.TERMS)) + words // 12
    cells = rows * max(len(schema.attributes), 1)
    method = plan.partition.name
    search = SEARCH * persons * quasi**2
    if schema.named(Role.TERMS, Role.TEXT):
        search += SEARCH_TERMS * entries
    if method in _QUADRATIC:
        search += CLUSTERS * persons**2
    steps: list[tuple[str, str, float]] = []
    if texts:
        model = model_in_use(plan.text)
        scan = words * PER_WORD.get(model, PER_WORD["accurate"])
        steps.append(("scan", f"{words:,} words in {len(texts)} text columns, model '{model}'", scan))
        steps.append(("link", "mentions to columns, person by person", words * LINKING))
    steps.append(("encode", f"{persons:,} persons, {rows:,} rows", _cost("encode", cells, entries)))
    steps.append(("partition", f"'{method}' over {quasi} quasi columns", search))
    steps.append(("recode", f"about {entries:,} items and terms", _cost("recode", cells, entries)))
    steps.append(("measure", "what it cost", _cost("measure", cells, entries)))
    steps.append(("write", "one release folder", _cost("write", cells, 0)))
    steps.append(("verify", "everything that was written", _cost("verify", cells, entries) + words * LINKING))
    memory = PROGRAM + float(dataset.frame.estimated_size()) * 3 + cells * CELL / 4 + entries * ENTRY
    return Estimate(tuple(steps), (memory + characters * CHARACTER) / 1e6)


def _entries(dataset: Dataset, name: str) -> int:
    cells, separator = dataset.frame[name], dataset.schema[name].separator
    if cells.dtype.is_nested():
        return int(cells.list.len().sum() or 0)
    text = cells.cast(pl.String).drop_nulls()
    return int(text.str.count_matches(separator or ",", literal=True).sum() or 0) + len(text)


def _cost(step: str, cells: int, entries: int) -> float:
    return PER_CELL[step] * cells + PER_ENTRY.get(step, 0.0) * entries
