"""Publishes only what passed: write, audit what lies on disk, then move into place, or refuse."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

import heteronym
from heteronym.io.bundles import Bundle, Target
from heteronym.io.database_targets import TableInTransaction
from heteronym.io.owner_files import SECRET_FILE, owner_secret
from heteronym.io.past_releases import Registry
from heteronym.io.plan_checks import check_found, check_listed
from heteronym.io.plans import build_parts, released_hash, released_plan
from heteronym.io.repeated import as_texts
from heteronym.io.tables import Format, render
from heteronym.mending import ROUNDS, Mending, found_places
from heteronym.model.plan import DataPlan, Plan
from heteronym.model.release import Check, Verdict
from heteronym.model.schema import Role
from heteronym.overlap import entry_of, overlap_of
from heteronym.owning import REPORT_FILE, hierarchy_texts, owner_files
from heteronym.pipeline import Draft, texts_of_all
from heteronym.refusing import refused_by_audit
from heteronym.registry import parameters_in_use
from heteronym.release_facts import (
    anonymity_in,
    counts_of,
    describe_column,
    fates_of,
    least_reported,
    meanings_in,
    promises_in_words,
    rounded_measures,
    shown_in,
)
from heteronym.report.html import render_report, render_summary
from heteronym.report.metadata import DataFile, render_metadata
from heteronym.run import Run, peak_memory_mb
from heteronym.text.language import remark_on
from heteronym.verify.audit import Audited, examine
from heteronym.verify.database_reader import content_of, read_by
from heteronym.verify.evidence import Evidence
from heteronym.verify.folder import TABLE_FILE, data_record
from heteronym.verify.numbers import labelled
from heteronym.verify.originals import Originals
from heteronym.verify.promises import differing_keys, released_promise
from heteronym.verify.risk import claimed_risk
from heteronym.verify.sweep import files_check
from heteronym.verify.tables import Source, read_data, read_table, readers_check, with_numbers_that_stay
from heteronym.verify.trees import read_tree
from heteronym.verify.values import number_persons
from heteronym.verify.withheld import claimed_cells

FACTS_VERSION = 1
_PARQUET = Format("parquet", ".parquet")
Written = tuple[pl.DataFrame, Sequence[str]]  # the table as read back, and keys of its plan that differ


@dataclass(frozen=True, repr=False, eq=False)
class Release:
    """What came out, with the auditor's word on it."""

    table: Any  # `data` with texts that repeat held once
    verdict: Verdict
    measures: Mapping[str, Any]
    facts: Mapping[str, Any]
    plan: Plan
    source_row: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    shown: Mapping[str, Any] = field(default_factory=dict)  # what the released table shows, for the report

    @cached_property
    def data(self) -> Any:
        """A frame of the caller's kind; a polars frame for files."""
        return as_texts(self.table) if isinstance(self.table, pl.DataFrame) else self.table

    def intervals(self) -> Any:
        """`data` with numbers and dates of quasi columns as intervals of pandas, or structs of two ends."""
        from heteronym.utility.intervals import with_intervals

        return with_intervals(self.data, self.plan.attributes)

    def report(self, path: str | Path) -> Path:
        """The report as one HTML file."""
        path = Path(path)
        path.write_text(render_report(self.facts, self.shown, promises_in_words(self.facts)), "utf-8")
        return path

    def _repr_html_(self) -> str:
        """The outcome as a notebook shows it."""
        return render_summary(self.facts, promises_in_words(self.facts))

    def __repr__(self) -> str:
        word = "holds" if self.verdict.holds else "does not hold"
        return f"Release({self.facts['data']['rows']} rows, verdict {word}, counting {self.verdict.unit})"


def originals_of(draft: Draft, source: Source | None = None, folder: Path | None = None) -> Originals:
    """What the auditor compares with: the data and the hierarchies as it read them itself, where it can."""
    dataset, evidence = draft.original or draft.dataset, draft.evidence
    frame = dataset.frame if source is None else source.frame
    trees = {} if folder is None else hierarchy_texts(dataset.schema, folder)
    return Originals(
        frame=frame,
        source_row=draft.source_row,
        person=number_persons(frame, dataset.schema.person, dataset.missing),
        hierarchies={name: read_tree(one["text"], one["name"]) for name, one in trees.items()}
        or dataset.hierarchies,
        missing=dataset.missing,
        evidence=None if evidence is None else Evidence(*evidence),
    )


def release_in_memory(draft: Draft, plan: Plan, run: Run, *, source: Any = None) -> Release:
    """For callers of the library: the table goes through a file's bytes before it is audited."""

    def written(draft: Draft) -> Written:
        with run.step("verify"):
            table = read_table(render(draft.frame, _PARQUET)[0], "data.parquet")
            return with_numbers_that_stay(table, plan), ()

    draft, verdict, as_read = audit_and_mend(draft, plan, run, _known(source, plan.data, run), written)
    facts, shown = make_facts(draft, plan, verdict, run), shown_in(as_read, plan)
    return Release(draft.frame, verdict, draft.measures, facts, plan, draft.source_row, shown)


def _known(source: Any, how: DataPlan, run: Run) -> Source | None:
    with run.step("verify"):
        return None if source is None else read_data(source, how)


def audit_and_mend(
    draft: Draft, plan: Plan, run: Run, known: Source | None, write: Callable[[Draft], Written]
) -> tuple[Draft, Verdict, pl.DataFrame]:
    """Write, audit what was written, mend, and again: the draft that passed, its verdict, its table as read.

    It ends: every mended draft counts one round more, `Mending.better` makes none after the last round, and
    a draft that is not mended is returned or refused.
    """
    mending = Mending(draft, plan)
    for _ in range(ROUNDS + 1):
        written, differing = write(draft)
        with run.step("verify"):
            audited = _audited(draft, plan, written, known, run)
        with run.step("recode"):
            verdict, better = audited.verdict, mending.better(draft, audited, written)
        run.poll()  # whoever cancelled while it was audited gets no release
        if differing:
            broken = Check("plan", False, f"plan.yaml differs: {', '.join(differing)}")
            verdict, better = replace(verdict, checks=(*verdict.checks, broken)), None
        if better is None:
            if not verdict.holds:
                found = found_places(draft, plan, audited, written)
                raise refused_by_audit(draft, verdict, found, audited.broken)
            return draft, with_remarks(verdict, draft, plan, known), written
        draft = better
    raise AssertionError("a draft was mended after the last round")


def _audited(draft: Draft, plan: Plan, written: pl.DataFrame, known: Source | None, run: Run) -> Audited:
    """The verdict on what was written, and what it found in texts."""
    originals, claims = originals_of(draft, known, run.folder), {"measures": draft.measures}
    claimed, cells = claimed_risk(claims), claimed_cells(claims)
    return examine(written, plan, person=draft.person, originals=originals, claimed=claimed, cells=cells)


def with_remarks(verdict: Verdict, draft: Draft, plan: Plan, source: Source | None) -> Verdict:
    """The verdict with what the plan lists in vain, and what was not checked independently."""
    mentions = draft.mentions
    found = () if mentions is None else [mentions.types[number] for number in np.unique(mentions.type)]
    remarks = [*check_listed(draft.dataset), *check_found(plan, found)]
    more = [Check("listed", None, text) for text in remarks]
    foreign = remark_on(texts_of_all(draft.dataset), plan.text.language)
    more += [] if foreign is None else [Check("language", None, foreign)]
    more += [] if source is None else readers_check(source)
    return replace(verdict, checks=(*verdict.checks, *more))


def publish(
    draft: Draft,
    plan: Plan,
    layout: Format,
    target: Target,
    *,
    run: Run,
    source: Any = None,
    registry: Registry | None = None,
) -> Release:
    """Write, audit, move into place. Raises PromiseError and leaves nothing if the audit fails.

    The rows go to a table of a database where the target names one, and are read back from there.
    What the audit finds in texts is masked, written and audited again, a few times. `source` is what the
    auditor reads for itself to compare with: files or frames; left out, it has to believe the draft.
    `registry` knows earlier releases of the same people, and will know this one.
    """
    written_as, table = _file_format(layout, draft), target.table
    name = TABLE_FILE if table is not None else f"data{written_as.ending}"
    secret = None if target.private is None else owner_secret(target.private)
    with Bundle(target) as bundle, ExitStack() as held:
        known = _known(source, _as_read(plan, layout, source), run)
        if table is None:
            write = partial(_written, bundle, name, plan, written_as, run, secret)
        else:
            there = held.enter_context(TableInTransaction(table, layout, draft.unchanged))
            write = partial(_written_to_database, bundle, there, plan, run, secret)
        draft, verdict, as_written = audit_and_mend(draft, plan, run, known, write)
        with run.step("verify"):
            entry = None if registry is None else entry_of(draft, plan, registry, bundle.read(name))
            overlap = None if registry is None or entry is None else overlap_of(entry, registry.read())
        if overlap is not None:
            verdict = replace(verdict, checks=(*verdict.checks, overlap.check()))
        with run.step("report"):
            facts, shown = make_facts(draft, plan, verdict, run), shown_in(as_written, plan)
            facts |= {} if overlap is None else {"intersection": overlap.to_dict()}
            facts |= {} if table is None else {"table": table.fact}
            bundle.write(REPORT_FILE, render_report(facts, shown, promises_in_words(facts)).encode())
            owners = {} if secret is None else {**owner_files(draft, plan, facts, run), SECRET_FILE: secret}
            described = _described(bundle, name, as_written, facts) if target.metadata else ()
        # what the report told must be what stands here: only what it could not know is added
        facts["timing"]["report"] = round(run.seconds["report"], 4)
        audited = (name, "plan.yaml", REPORT_FILE, *described)
        facts["files"] = {file: bundle.digest(file) for file in audited}
        bundle.write("facts.json", json.dumps(facts, indent=1, ensure_ascii=False).encode())
        with run.step("verify"):
            files = {file: bundle.read(file) for file in (*audited, "facts.json")}
            originals = originals_of(draft, known, run.folder)
            swept = files_check(files, labelled(as_written, plan), plan, originals)
        if swept.holds is False:
            verdict = replace(verdict, checks=(*verdict.checks, swept))
            raise refused_by_audit(draft, verdict, (), ())
        with nullcontext() if registry is None or entry is None else registry.entering(entry):
            record = data_record(known or Source(draft.dataset.frame))
            bundle.publish(owners, data=record, before=None if table is None else there.commit)
    return Release(draft.frame, verdict, draft.measures, facts, plan, draft.source_row, shown)


def _file_format(layout: Format, draft: Draft) -> Format:
    """As the data lay; of a frame Parquet, of a database CSV unless there are lists."""
    if layout.kind not in ("frame", "database"):
        return layout
    has_lists = any(kind.is_nested() for kind in draft.frame.dtypes)
    return _PARQUET if layout.kind == "frame" or has_lists else Format()


def _described(bundle: Bundle, name: str, table: pl.DataFrame, facts: Mapping[str, Any]) -> tuple[str, ...]:
    """Write what catalogues read of a release; the names of the files."""
    how = released_promise(bundle.read("plan.yaml")).data
    size = len(bundle.read(name))
    data = DataFile(name, size, bundle.digest(name), table, how.delimiter, how.encoding)
    made = render_metadata(facts, data)
    for file, content in made.items():
        bundle.write(file, content)
    return tuple(made)


def draw_again(facts: Any, frame: pl.DataFrame, plan: Plan) -> str | None:
    """The report of a release, from what lies in its folder; None if another version drew it."""
    if facts["method"]["versions"].get("heteronym") != heteronym.__version__:
        return None
    timing = {name: seconds for name, seconds in facts["timing"].items() if name != "report"}
    released = {**{name: one for name, one in facts.items() if name != "files"}, "timing": timing}
    return render_report(released, shown_in(frame, plan), promises_in_words(released))


def _as_read(plan: Plan, layout: Format, source: Any) -> DataPlan:
    """How the one file lies there; of several each has its own way."""
    several = isinstance(source, (list, tuple, Mapping)) and len(source) > 1
    if layout.kind != "csv" or several:
        return plan.data
    return plan.data.model_copy(update={"delimiter": layout.delimiter, "encoding": layout.encoding})


def _written(
    bundle: Bundle, name: str, plan: Plan, layout: Format, run: Run, secret: bytes | None, draft: Draft
) -> Written:
    """Write the table and the plan of a draft, and read back what lies on disk."""
    with run.step("write"):
        content, layout = render(draft.frame, layout)
        bundle.write(name, content)
        del content  # long labels on many rows: the auditor reads them again from the file
        found = {"delimiter": layout.delimiter, "encoding": layout.encoding} if layout.kind == "csv" else {}
        bundle.write("plan.yaml", released_plan(plan, found, secret=secret).encode())
    with run.step("verify"):
        as_written = released_promise(bundle.read("plan.yaml"))
        how = {"delimiter": as_written.data.delimiter, "encoding": as_written.data.encoding}
        table = with_numbers_that_stay(read_table(bundle.read(name), name, **how), plan)
        return table, differing_keys(as_written, plan)


def _written_to_database(
    bundle: Bundle, there: TableInTransaction, plan: Plan, run: Run, secret: bytes | None, draft: Draft
) -> Written:
    """Write the table of a draft into a transaction, and read back what stands there."""
    with run.step("write"):
        there.write(draft.frame)
        bundle.write("plan.yaml", released_plan(plan, secret=secret).encode())
    with run.step("verify"):
        as_written = released_promise(bundle.read("plan.yaml"))
        table = read_by(there.connection, there.target.address, there.source)
        bundle.write(TABLE_FILE, content_of(table), elsewhere=True)
        return with_numbers_that_stay(table, plan), differing_keys(as_written, plan)


def make_facts(draft: Draft, plan: Plan, verdict: Verdict, run: Run) -> dict[str, Any]:
    """Everything that is claimed about a release, as one plain dict."""
    part = build_parts(plan).partitioner
    return {
        "version": FACTS_VERSION,
        "made": datetime.now(UTC).date().isoformat(),
        "verdict": verdict.to_dict(),
        "measures": rounded_measures(draft),
        "fates": fates_of(draft, least_reported(plan)),
        "anonymity": anonymity_in(plan),
        "data": {"title": plan.data.title, **counts_of(draft, plan)},
        **({} if draft.reviewed is None else {"review": draft.reviewed}),
        "timing": {name: round(seconds, 4) for name, seconds in run.seconds.items()},
        "peak_memory_mb": round(peak_memory_mb(), 1),
        "method": {
            "partition": {"method": plan.partition.name, **parameters_in_use(part)},
            "privacy": [model.model_dump() for model in plan.privacy],
            "recode": plan.recode.model_dump(mode="json"),
            "attributes": {name: describe_column(attribute) for name, attribute in plan.attributes.items()},
            "meanings": meanings_in(draft, plan),
            "release": plan.release.model_dump(),
            "text": {"model": _language_model(plan), "language": plan.text.language},
            "seed": plan.seed,
            "plan_hash": released_hash(plan),
            "versions": _versions(),
        },
    }


def _language_model(plan: Plan) -> str:
    """Who read the texts; nobody, where there are none."""
    if not plan.named(Role.TEXT):
        return "none"
    from heteronym.text.recognize import model_in_use

    return model_in_use(plan.text)


def _versions() -> dict[str, str]:
    ours = {"heteronym": heteronym.__version__, "python": platform.python_version()}
    return ours | {package: version(package) for package in ("numpy", "polars")}
