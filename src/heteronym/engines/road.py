"""The road of a release on an engine: the steps of `pipeline` and `publish`, of which none holds all rows.

    rows -- engine.collapse --> kinds -- encode, partition, recode --> classes -- engine.recode --> rows

What lies between the two calls is the code that serves one machine, on kinds of persons in place of persons:
therefore the same groups, labels and bytes. What was written is read back piece by piece by the auditor.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.encode import encode
from heteronym.engines.contract import CLASS, TIMES, Classes, Engine, Kinds
from heteronym.engines.sources import BATCH, WHO
from heteronym.errors import InputError
from heteronym.io.bundles import Bundle, Target
from heteronym.io.hierarchies import read_hierarchy
from heteronym.io.owner_files import SECRET_FILE, owner_secret
from heteronym.io.plans import build_parts, make_schema, released_plan
from heteronym.io.repeated import REPEATED
from heteronym.io.tables import ROW_GROUP, Format
from heteronym.model.dataset import Dataset
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.plan import Plan
from heteronym.model.release import Check, Verdict
from heteronym.model.schema import Role, Schema
from heteronym.owning import MEASURES_FILE, REPORT_FILE, hierarchy_texts
from heteronym.pipeline import Draft, check_enough, check_feasible, measure_all, recoded
from heteronym.publish import Release, make_facts
from heteronym.refusing import refused_by_audit
from heteronym.release_facts import Table, example_places, promises_in_words, shown_of
from heteronym.report.html import render_report
from heteronym.run import Run
from heteronym.verify.batches import Batches
from heteronym.verify.folder import PLAN_FILE, ROWS_FILE, TREES_FILE
from heteronym.verify.in_batches import Claim, audit_in_batches
from heteronym.verify.promises import differing_keys, released_promise
from heteronym.verify.risk import claimed_risk
from heteronym.verify.trees import read_tree

LOOKED_AT = 1_000_000  # rows whose numbers messages tell


@dataclass(frozen=True)
class Job:
    """What is to be released, and where."""

    data: Path
    plan: Plan
    target: Target
    spill: Path
    reason: str  # why on this engine


def release_on(engine: Engine, job: Job, run: Run) -> Release:
    """Anonymize a file on an engine, audit what was written, and move it into place."""
    plan = job.plan
    with run.step("read"):
        schema = make_schema(plan, list(engine.columns), job.data.name)
        parts = build_parts(plan)
        check_feasible(_nobody(schema, engine), parts)
        engine.check(schema)
        kinds = engine.collapse(schema.named(Role.QUASI), schema.person)
        check_enough(int(kinds.persons.sum()), parts)
    draft = _draft(kinds, schema, plan, run, job.data.name)
    with run.step("recode"):
        order = [name for name, one in schema if one.role is not Role.IDENTIFIER]
        classes = _classes(draft, order)
    with Bundle(job.target) as bundle:
        return _published(_Work(engine, job, kinds, classes, order, draft), bundle, run)


def _nobody(schema: Schema, engine: Engine) -> Dataset:
    return Dataset(schema, pl.DataFrame(schema=dict(engine.columns)))


# --- groups and labels, on kinds ----------------------------------------------------------------------


def _draft(kinds: Kinds, schema: Schema, plan: Plan, run: Run, source: str) -> Draft:
    """A draft whose persons are kinds; none of its rows is released."""
    parts, rng = build_parts(plan), np.random.default_rng(plan.seed)
    with run.active():
        with run.step("encode"):
            dataset = _dataset(kinds, schema, plan, run, source)
            view = replace(_encoded(dataset, kinds), times=kinds.persons)
        with run.step("partition"):
            found = parts.partitioner.partition(view, models=parts.models, rng=rng)
            partition = Partition(found.group, found.splits, times=kinds.persons)
        with run.step("recode"):
            recoding = recoded(view, partition, plan, rng)
            rows = np.bincount(partition.group, kinds.rows, partition.count).astype(np.int64)
        with run.step("measure"):
            measures = measure_all(view, partition, recoding, parts)
    nothing = pl.DataFrame(), np.empty(0, np.int64), None
    return Draft(dataset, None, view, partition, recoding, *nothing, measures, rows_of_group=rows)


def _dataset(kinds: Kinds, schema: Schema, plan: Plan, run: Run, source: str) -> Dataset:
    quasi = {name: one for name, one in schema if one.role is Role.QUASI}
    hierarchies = {
        name: read_hierarchy((run.folder or Path()) / one.hierarchy)
        for name, one in quasi.items()
        if one.hierarchy is not None
    }
    frame, key = kinds.frame, None
    if any(dtype.is_nested() for dtype in frame.dtypes):
        frame, key = _unfolded(frame), WHO
    return Dataset(Schema(quasi, key), frame, hierarchies, frozenset(plan.data.missing), source)


def _encoded(dataset: Dataset, kinds: Kinds) -> PersonView:
    try:
        return encode(dataset)
    except InputError:
        _refuse_by_rows(dataset, kinds)
        raise InputError(
            f"{dataset.source}: cells do not fit the scales of the plan; in which rows cannot be told here"
        ) from None


def _refuse_by_rows(dataset: Dataset, kinds: Kinds) -> None:
    """Refuse cells that do not fit by the first rows that they stand in, as far as these are looked at."""
    if kinds.first is None or dataset.schema.person is not None:
        return
    early = np.flatnonzero(kinds.first <= LOOKED_AT)
    place = kinds.first[early] - 1
    for name, attribute in dataset.schema:
        cells = (
            dataset.frame[name].cast(pl.String)
            if dataset.frame[name].dtype == REPEATED
            else dataset.frame[name]
        )
        column = cells.clear(int(place.max(initial=-1)) + 1).scatter(place, cells.gather(early))
        alone = replace(dataset, schema=Schema({name: attribute}), frame=pl.DataFrame([column]))
        encode(alone)


def _unfolded(frame: pl.DataFrame) -> pl.DataFrame:
    """Kinds with lists of cells as persons with rows; shorter lists repeat their last cell."""
    lengths = {cells.name: cells.list.len().to_numpy().astype(np.int64) for cells in frame}
    rows = np.max([*lengths.values()], axis=0)
    kind = np.repeat(np.arange(frame.height), rows)
    place = np.arange(len(kind)) - np.repeat(np.cumsum(rows) - rows, rows)
    width = len(str(frame.height))  # so that persons keep their order as texts
    unfolded = [pl.Series(WHO, kind).cast(pl.String).str.zfill(width)]
    for cells in frame:
        mine = lengths[cells.name]
        begin = np.cumsum(mine) - mine
        unfolded.append(cells.explode().gather(begin[kind] + np.minimum(place, mine[kind] - 1)))
    return pl.DataFrame(unfolded)


def _classes(draft: Draft, order: Sequence[str]) -> Classes:
    """Groups that show the same labels are one class."""
    columns = draft.recoding.columns
    by_group = pl.DataFrame([pl.Series(name, labels, pl.String) for name, labels in columns.items()])
    of_group = by_group.select(pl.struct(pl.all()).rank("dense").cast(pl.Int64) - 1).to_series().to_numpy()
    _, first = np.unique(of_group, return_index=True)
    labels = by_group[first]
    return Classes(of_group[draft.partition.group], labels, _ranks(labels, order))


def _ranks(labels: pl.DataFrame, order: Sequence[str]) -> dict[str, NDArray[np.int64]]:
    """The place of each class by the labels of every run of columns that stand beside each other."""
    runs: list[list[str]] = []
    before = False
    for name in order:
        if name in labels.columns:
            runs = [*runs[:-1], [*runs[-1], name]] if before else [*runs, [name]]
        before = name in labels.columns
    ranks = {}
    for run in runs:
        some = labels.select(run)
        place = some.select(pl.arg_sort_by(run, nulls_last=True)).to_series().to_numpy()
        rank = np.empty(labels.height, np.int64)
        rank[place] = some[place].select(pl.struct(run).rle_id()).to_series().to_numpy()
        ranks[run[0]] = rank
    return ranks


# --- rows out, and their audit ------------------------------------------------------------------------


@dataclass(frozen=True, repr=False, eq=False)
class _Work:
    """What is to be written of whom."""

    engine: Engine
    job: Job
    kinds: Kinds
    classes: Classes
    order: Sequence[str]  # of released columns
    draft: Draft

    @property
    def layout(self) -> Format:
        return self.engine.layout

    @property
    def file(self) -> str:
        return f"data{self.layout.ending}"

    @property
    def rows(self) -> int:
        return int(self.kinds.rows.sum())


@dataclass(eq=False)
class _Seen:
    """What passed by while rows were written: for the report."""

    wanted: Sequence[int]
    examples: list[pl.DataFrame] = field(default_factory=list)
    counts: dict[str, pl.DataFrame] = field(default_factory=dict)
    rows: int = 0

    def pass_by(self, frame: pl.DataFrame, unchanged: Sequence[str]) -> None:
        here = [place - self.rows for place in self.wanted if self.rows <= place < self.rows + frame.height]
        self.examples.append(frame[here])
        self.rows += frame.height
        for name in unchanged:
            counts = frame.group_by(name).agg(pl.len().cast(pl.Int64).alias(TIMES))
            if name in self.counts:
                counts = pl.concat([self.counts[name], counts]).group_by(name).agg(pl.col(TIMES).sum())
            self.counts[name] = counts


def _released(work: _Work, seen: _Seen) -> Iterator[pl.DataFrame]:
    """The rows of the release, piece by piece."""
    labels = work.classes.labels
    unchanged = [name for name in work.order if name not in labels.columns]
    for batch in work.engine.recode(work.kinds, work.classes, work.order):
        times, of_class = batch[TIMES].to_numpy(), batch[CLASS].to_numpy()
        ends = np.cumsum(times)
        for begin in range(0, int(ends[-1]) if len(ends) else 0, BATCH):
            row = np.searchsorted(ends, np.arange(begin, min(begin + BATCH, ends[-1])), side="right")
            columns = {name: labels[name].gather(of_class[row]) for name in labels.columns}
            columns |= {name: batch[name].gather(row) for name in unchanged}
            frame = pl.DataFrame([columns[name] for name in work.order])
            seen.pass_by(frame, unchanged)
            yield frame


def _write(work: _Work, seen: _Seen, file: Any) -> None:
    """Rows as the writers of `io.tables` write them, which do so piece by piece."""
    from polars.io.plugins import register_io_source

    kept = {name: work.engine.columns[name] for name in work.order if name not in work.classes.labels.columns}
    schema = pl.Schema({name: kept.get(name, pl.String()) for name in work.order})
    rows = register_io_source(lambda *_: _released(work, seen), schema=schema)
    if work.layout.kind == "csv":
        rows.sink_csv(file, separator=work.layout.delimiter, quote_style="necessary")
    elif work.layout.kind == "parquet":
        rows.sink_parquet(file, row_group_size=ROW_GROUP)
    else:
        rows.sink_ndjson(file)


def _published(work: _Work, bundle: Bundle, run: Run) -> Release:
    plan, draft, private = work.job.plan, work.draft, bundle.target.private
    secret = None if private is None else owner_secret(private)
    seen = _Seen(example_places(work.rows))
    with run.step("write"):
        bundle.write_by(work.file, lambda file: _write(work, seen, file))
        found = {}
        if work.layout.kind == "csv":
            found = {"delimiter": work.layout.delimiter, "encoding": work.layout.encoding}
        bundle.write("plan.yaml", released_plan(plan, found, secret=secret).encode())
    with run.step("verify"):
        verdict = _verdict(work, bundle, run)
        run.poll()
        if not verdict.holds:
            raise refused_by_audit(draft, verdict, (), ())
    with run.step("report"):
        facts, shown = make_facts(draft, plan, verdict, run), _shown(work, seen)
        facts["method"]["engine"] = {"name": work.engine.name, "reason": work.job.reason}
        bundle.write(REPORT_FILE, render_report(facts, shown, promises_in_words(facts)).encode())
        owners = {} if secret is None else _owner_files(work, run) | {SECRET_FILE: secret}
    facts["timing"]["report"] = round(run.seconds["report"], 4)
    facts["files"] = {name: bundle.digest(name) for name in (work.file, "plan.yaml", REPORT_FILE)}
    bundle.write("facts.json", json.dumps(facts, indent=1, ensure_ascii=False).encode())
    bundle.publish(owners, data={"files": [_digest(work.job.data)]} if owners else {})
    return Release(
        _scanned(bundle.folder / work.file, work.layout), verdict, draft.measures, facts, plan, shown=shown
    )


def _verdict(work: _Work, bundle: Bundle, run: Run) -> Verdict:
    """The auditor's word on what lies on disk."""
    plan = work.job.plan
    as_written = released_promise(bundle.read("plan.yaml"))
    kind, delimiter = work.layout.kind, work.layout.delimiter
    data = Batches(work.job.data, work.job.data.name, kind, delimiter)
    released = Batches(bundle.path(work.file), work.file, kind, as_written.data.delimiter or delimiter)
    trees = hierarchy_texts(work.draft.dataset.schema, run.folder or Path())
    claim = Claim(
        work.classes.labels,
        lambda: work.engine.members(work.kinds, work.classes),
        WHO,
        CLASS,
        {name: read_tree(one["text"], one["name"]) for name, one in trees.items()}
        or work.draft.dataset.hierarchies,
    )
    claimed = claimed_risk({"measures": work.draft.measures})
    verdict = audit_in_batches(data, released, released.columns, plan, claim, claimed)
    differing = differing_keys(as_written, plan)
    if differing:
        broken = Check("plan", False, f"plan.yaml differs: {', '.join(differing)}")
        verdict = replace(verdict, checks=(*verdict.checks, broken))
    return verdict


def _shown(work: _Work, seen: _Seen) -> dict[str, Any]:
    """What the report draws, from counts."""
    labels = work.classes.labels
    often = np.bincount(work.classes.of_kind, work.kinds.rows, labels.height).astype(np.int64)
    columns: dict[str, pl.Series] = {}
    times: dict[str, NDArray[np.int64]] = {}
    for name in work.order:
        if name in labels.columns:
            columns[name], times[name] = labels[name], often
        else:
            columns[name] = seen.counts[name][name]
            times[name] = seen.counts[name][TIMES].to_numpy()
    return shown_of(Table(columns, pl.concat(seen.examples), seen.rows, times), work.job.plan)


def _owner_files(work: _Work, run: Run) -> dict[str, bytes | Path]:
    """The row map, the plan and all digits; files for single groups and their explanation are not made."""
    rows, number = work.job.spill / ROWS_FILE, 0
    with rows.open("wb") as file:
        file.write(b"released_row,source_row,person\n")
        for batch in work.engine.row_map(work.kinds, work.classes, work.order):
            released = pl.int_range(number + 1, number + batch.height + 1, eager=True)
            lines = batch.select(released.alias("released_row"), pl.col("row"), pl.col("person"))
            lines.write_csv(file, include_header=False, quote_style="necessary")
            number += batch.height
    files: dict[str, bytes | Path] = {
        ROWS_FILE: rows,
        PLAN_FILE: json.dumps(work.job.plan.to_dict(), indent=1).encode(),
        MEASURES_FILE: json.dumps(work.draft.measures, indent=1).encode(),
    }
    trees = hierarchy_texts(work.draft.dataset.schema, run.folder or Path())
    if trees:
        files[TREES_FILE] = json.dumps(trees, indent=1, ensure_ascii=False).encode()
    return files


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _scanned(path: Path, layout: Format) -> pl.LazyFrame:
    """The released table, to be read by whoever asks for it."""
    if layout.kind == "csv":
        return pl.scan_csv(path, separator=layout.delimiter, infer_schema=False)
    return (
        pl.scan_parquet(path) if layout.kind == "parquet" else pl.scan_ndjson(path, infer_schema_length=None)
    )
