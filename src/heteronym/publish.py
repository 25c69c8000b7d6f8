"""Publishes only what passed: write, audit what lies on disk, then move into place, or refuse."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import heteronym
from heteronym.errors import InputError, PromiseError
from heteronym.io.bundles import (
    SECRET_FILE,
    Bundle,
    Target,
    check_private,
    differing_files,
    owner_folder,
    owner_secret,
    read_release,
)
from heteronym.io.mentions import read_mentions, trace_lines
from heteronym.io.plans import (
    build_parts,
    make_schema,
    read_plan,
    read_released_plan,
    released_hash,
    released_plan,
)
from heteronym.io.recodings import recoding_files
from heteronym.io.releases import ROWS_FILE, parse_release, read_row_map
from heteronym.io.tables import Format, Table, parse_released, render
from heteronym.model.dataset import Dataset
from heteronym.model.mention import Mentions
from heteronym.model.plan import Plan
from heteronym.model.release import Check, Verdict
from heteronym.model.schema import Role
from heteronym.pipeline import Draft, counts_of
from heteronym.registry import parameters_in_use
from heteronym.report.html import render_report, render_summary
from heteronym.run import Run, peak_memory_mb
from heteronym.text.scan import model_in_use
from heteronym.verify.audit import Originals, audit, compare_unlinked

FACTS_VERSION = 1
MENTIONS_FILE = "mentions.jsonl"
PLAN_FILE = "plan.json"  # the owner's: with what the released one leaves out


@dataclass(frozen=True, repr=False, eq=False)
class Release:
    """What came out, with the auditor's word on it."""

    data: Any  # a frame of the caller's kind; a polars frame for files
    verdict: Verdict
    measures: Mapping[str, Any]
    facts: Mapping[str, Any]
    plan: Plan
    source_row: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))

    def report(self, path: str | Path) -> Path:
        """The report as one HTML file."""
        path = Path(path)
        path.write_text(render_report(self.facts), "utf-8")
        return path

    def _repr_html_(self) -> str:
        """The outcome as a notebook shows it."""
        return render_summary(self.facts)

    def __repr__(self) -> str:
        word = "holds" if self.verdict.holds else "does not hold"
        return f"Release({self.facts['data']['rows']} rows, verdict {word}, counting {self.verdict.unit})"


def originals_of(draft: Draft) -> Originals:
    return Originals(
        frame=draft.dataset.frame,
        source_row=draft.source_row,
        person=draft.view.person_of_row.astype(np.int64),
        hierarchies=draft.dataset.hierarchies,
        missing=draft.dataset.missing,
        mentions=draft.mentions,
        kept=_kept(draft),
    )


def _kept(draft: Draft) -> NDArray[np.bool_]:
    """Per mention, whether it was to stay as it was: no edit touches it."""
    if draft.mentions is None or draft.edits is None:
        return np.zeros(0, np.bool_)
    mentions, edits = draft.mentions, draft.edits
    places = [np.stack([m.row, m.column, m.start], axis=1).astype(np.int64) for m in (mentions, edits)]
    span = [int(max(p[:, i].max(initial=0) for p in places)) + 1 for i in range(3)]
    keys = [(p[:, 0] * span[1] + p[:, 1]) * span[2] + p[:, 2] for p in places]
    return ~np.isin(keys[0], keys[1])


def refuse_failed(verdict: Verdict) -> None:
    if verdict.holds:
        return
    reasons = [f"{m.model}: {m.detail or 'does not hold'}" for m in verdict.models if not m.holds]
    reasons += [f"{c.name}: {c.detail}" for c in verdict.checks if c.holds is False]
    raise PromiseError(f"the written files failed the audit ({'; '.join(reasons)}). Nothing was released")


def audit_in_memory(draft: Draft, plan: Plan, run: Run) -> Verdict:
    """For callers of the library: the table goes through a file's bytes before it is audited."""
    with run.step("verify"):
        written = parse_released(*render(draft.frame, Format("parquet", ".parquet")))
        verdict = audit(written, plan, person=draft.person, originals=originals_of(draft))
    refuse_failed(verdict)
    return verdict


def publish(
    draft: Draft,
    plan: Plan,
    layout: Format,
    folder: Path | Target,
    *,
    run: Run,
    private: Path | None = None,
    data: Any = None,
) -> Release:
    """Write, audit, move into place. Raises PromiseError and leaves nothing if the audit fails.

    `data` is the released table in the caller's kind, for the Release that comes back.
    """
    if layout.kind == "frame":
        layout = Format("parquet", ".parquet")
    name = f"data{layout.ending}"
    if private is not None:
        check_private(private, folder.folder if isinstance(folder, Target) else folder)
    secret = None if private is None else owner_secret(private)
    with Bundle(folder) as bundle:
        with run.step("write"):
            content, layout = render(draft.frame, layout)
            bundle.write(name, content)
            del content  # long labels on many rows: the auditor reads them again from the file
            is_csv = layout.kind == "csv"
            plan_text = released_plan(
                plan,
                delimiter=layout.delimiter if is_csv else None,
                encoding=layout.encoding if is_csv else None,
                secret=secret,
            )
            bundle.write("plan.yaml", plan_text.encode())
        with run.step("verify"):
            as_written = read_released_plan(bundle.read("plan.yaml").decode())
            table = parse_released(bundle.read(name), layout)
            audited = plan.model_copy(update={"privacy": as_written.privacy})
            verdict = audit(table, audited, person=draft.person, originals=originals_of(draft))
        refuse_failed(verdict)
        facts = make_facts(draft, plan, verdict, run)
        with run.step("report"):
            bundle.write("report.html", render_report(facts).encode())
        facts = make_facts(draft, plan, verdict, run)
        facts["files"] = {file: _digest(bundle.read(file)) for file in (name, "plan.yaml", "report.html")}
        bundle.write("facts.json", json.dumps(facts, indent=1, ensure_ascii=False).encode())
        owners = {} if secret is None else {**_owner_files(draft, plan), SECRET_FILE: secret}
        bundle.publish(private, owners)
    return Release(data, verdict, draft.measures, facts, plan, draft.source_row)


def make_facts(draft: Draft, plan: Plan, verdict: Verdict, run: Run) -> dict[str, Any]:
    """Everything that is claimed about a release, as one plain dict."""
    part = build_parts(plan).partitioner
    return {
        "version": FACTS_VERSION,
        "verdict": verdict.to_dict(),
        "measures": dict(draft.measures),
        "data": counts_of(draft, plan),
        "timing": {name: round(seconds, 4) for name, seconds in run.seconds.items()},
        "peak_memory_mb": round(peak_memory_mb(), 1),
        "method": {
            "partition": {"method": plan.partition.name, **parameters_in_use(part)},
            "privacy": [model.model_dump() for model in plan.privacy],
            "recode": plan.recode.model_dump(),
            "attributes": {
                name: {"role": a.role.value, "scale": a.scale.value, "weight": a.weight}
                for name, a in plan.attributes.items()
            },
            "release": plan.release.model_dump(),
            "text": {"model": _language_model(plan), "language": plan.text.language},
            "seed": plan.seed,
            "plan_hash": released_hash(plan),
            "versions": _versions(),
        },
    }


def _language_model(plan: Plan) -> str:
    """Who read the texts; nobody, where there are none."""
    has_texts = any(attribute.role is Role.TEXT for attribute in plan.attributes.values())
    return model_in_use(plan.text) if has_texts else "none"


def _versions() -> dict[str, str]:
    found = {"heteronym": heteronym.__version__, "python": platform.python_version()}
    for package in ("numpy", "numba", "polars"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return found


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _owner_files(draft: Draft, plan: Plan) -> dict[str, bytes]:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["released_row", "source_row", "person"])
    key = draft.dataset.schema.person
    keys = draft.dataset.frame[key][draft.source_row].to_list() if key else (draft.source_row + 1).tolist()
    for released, (source, person) in enumerate(zip(draft.source_row.tolist(), keys, strict=True), 1):
        writer.writerow([released, source + 1, person])
    for source in np.flatnonzero(draft.partition.group[draft.view.person_of_row] < 0).tolist():
        writer.writerow(["", source + 1, draft.dataset.frame[key][source] if key else source + 1])
    files = {ROWS_FILE: out.getvalue().encode(), PLAN_FILE: json.dumps(plan.to_dict(), indent=1).encode()}
    files |= recoding_files(draft.dataset, draft.view, draft.partition, draft.recoding)
    if draft.mentions is not None:
        files[MENTIONS_FILE] = "".join(f"{line}\n" for line in trace_lines(draft.mentions)).encode()
    return files


# --- a release that already lies somewhere --------------------------------------------------------


def verify_release(folder: Path, *, against: Table | None = None, private: Path | None = None) -> Verdict:
    """Audit a release folder with as much as the caller has: nothing, the row map, the data."""
    files = read_release(folder)
    table, plan, name = parse_release(folder, files)
    changed = _changed_since_audit(files, name)
    person = source_row = everybody = None
    if private is not None:
        private = owner_folder(private, files.get("facts.json", b""))
        changed += [name for name in differing_files(private, files) if name not in changed]
        try:
            source_row, person, everybody = read_row_map(private, released=table.height)
        except InputError:
            if not changed:
                raise
    elif plan.release.person_key == "pseudonym" and plan.data.person in table.columns:
        person = table[plan.data.person].rank("dense").to_numpy().astype(np.int64)
    originals = None
    if against is not None and source_row is not None and everybody is not None:
        if len(everybody) != against.frame.height:
            raise InputError(
                f"{against.source}: {against.frame.height} rows, but the row map has {len(everybody)}"
            )
        originals = Originals(
            against.frame,
            source_row,
            everybody,
            missing=_read_missing(private),
            mentions=_read_found(private, plan, against),
        )
    verdict = audit(table, plan, person=person, originals=originals)
    checks = list(verdict.checks)
    if changed:
        # Without the row map this is no more than a remark: the promise may still hold. With it, rows
        # that moved or vanished would be counted for the wrong persons.
        detail = f"{', '.join(changed)} changed since the audit that facts.json tells of"
        checks.append(Check("intact", None if private is None else False, detail))
    if against is not None and source_row is None:
        checks += compare_unlinked(table, plan, against.frame)
    return replace(verdict, checks=tuple(checks))


def _changed_since_audit(files: Mapping[str, bytes], data: str) -> list[str]:
    try:
        told: Any = json.loads(files.get("facts.json", b"{}"))
        digests = dict(told.get("files", {}))
    except (ValueError, AttributeError, TypeError):
        return ["facts.json"]
    return [name for name in (data, "plan.yaml") if name in digests and digests[name] != _digest(files[name])]


def _read_missing(private: Path | None) -> frozenset[str]:
    """Which cells mean missing, if the owner kept the plan."""
    if private is None or not (private / PLAN_FILE).is_file():
        return frozenset()
    return frozenset(read_plan(private / PLAN_FILE).data.missing)


def _read_found(private: Path | None, plan: Plan, table: Table) -> Mentions | None:
    """What was found in the texts, if the owner kept it."""
    if private is None or not (private / MENTIONS_FILE).is_file():
        return None
    dataset = Dataset(make_schema(plan, table.frame.columns, table.source), table.frame)
    return read_mentions(private / MENTIONS_FILE, dataset)
