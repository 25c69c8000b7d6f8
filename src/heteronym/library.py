"""The Python calls: the same steps as the commands, on data frames or files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from heteronym.io.bundles import check_private, check_target
from heteronym.io.plans import make_plan, override, read_plan
from heteronym.io.tables import Table, from_frame, read_tables, to_frame
from heteronym.model.mention import Span
from heteronym.model.plan import Plan, TextPlan
from heteronym.model.release import Verdict
from heteronym.pipeline import make_dataset, make_draft
from heteronym.profiling import Profile, look_at
from heteronym.publish import Release, audit_in_memory, make_facts, publish, verify_release
from heteronym.run import Progress, Run

__all__ = ["analyze", "anonymize", "profile", "read_plan", "sanitize", "scan", "verify"]

PlanLike = Plan | Mapping[str, Any] | str | Path


def _plan_and_folder(plan: PlanLike) -> tuple[Plan, Path]:
    if isinstance(plan, (str, Path)):
        return read_plan(plan), Path(plan).parent
    return make_plan(plan), Path()


def anonymize(data: Any, plan: PlanLike, *, progress: Progress | None = None, **options: Any) -> Release:
    """Anonymize a pandas, polars or pyarrow table; the released one is `release.data`, of the same kind.

    `plan` is a Plan, a mapping, or the path of a plan file. Options override plan values by name:
    `anonymize(df, plan, k=10, method="gdf")`. Raises PromiseError if the promise cannot be met.
    """
    made, folder = _plan_and_folder(plan)
    if options:
        made = override(made, options)
    run = Run(progress)
    with run.step("read"):
        table, native = from_frame(data)
        dataset = make_dataset(table, made, folder=folder)
    run.folder = folder
    draft = make_draft(dataset, made, run=run)
    verdict = audit_in_memory(draft, made, run)
    facts = make_facts(draft, made, verdict, run)
    frame = to_frame(draft.frame, native, draft.source_row, draft.unchanged)
    return Release(frame, verdict, draft.measures, facts, made, draft.source_row)


def anonymize_files(
    paths: Sequence[str | Path],
    plan: Plan,
    target: Path,
    *,
    plan_folder: Path,
    overwrite: bool = False,
    private: Path | None = None,
    mentions: Path | None = None,
    cache: Path | None = None,
    progress: Progress | None = None,
) -> Release:
    """Anonymize files into a release folder; nothing is left behind unless the audit passes."""
    from heteronym.io.mentions import read_mentions

    check_target(target, overwrite=overwrite)
    if private is not None:
        check_private(private, target)
    run = Run(progress)
    with run.step("read"):
        table = read_tables(paths, plan.data)
        dataset = make_dataset(table, plan, folder=plan_folder)
        found = None if mentions is None else read_mentions(mentions, dataset)
    run.folder, run.cache = plan_folder, cache
    draft = make_draft(dataset, plan, run=run, mentions=found)
    return publish(draft, plan, table.format, target, run=run, private=private)


def verify(release: str | Path, *, against: Any = None, private: str | Path | None = None) -> Verdict:
    """Audit a release folder; `against` is the original data, `private` the owner's folder."""
    return verify_release(
        Path(release),
        against=None if against is None else _table(against),
        private=None if private is None else Path(private),
    )


def _table(data: Any) -> Table:
    if isinstance(data, (str, Path)):
        return read_tables([data])
    if isinstance(data, (list, tuple)) and all(isinstance(d, (str, Path)) for d in data):
        return read_tables(data)
    return from_frame(data)[0]


def profile(data: Any, *, person: str | None = None) -> Profile:
    """Look at data (a frame or files): scales, roles with reasons, uniqueness; `.plan` is a draft plan."""
    return look_at(_table(data), person=person)


def sanitize(text: str, *, method: str = "redact", model: str | None = None, **parameters: Any) -> str:
    """One document by a document method: `sanitize(text, method="redact")` masks what is found in it."""
    from heteronym.sanitizing import sanitize_text

    plan = TextPlan(model=model) if model else TextPlan()
    return sanitize_text(text, method=method, plan=plan, parameters=parameters)


def analyze(
    text: str, *, author: str | None = None, recipient: str | None = None, model: str | None = None
) -> dict[str, Any]:
    """Who a text is about and what it says of them: assertions with class, proprietors, canonical forms,
    sensitivity and a suggested replacement; `author` and `recipient` are who "I" and "you" are."""
    from heteronym.analyzing import analyze_texts, told

    plan = TextPlan(model=model) if model else TextPlan()
    content = told(analyze_texts([text], plan, authors=[author], recipient=recipient))
    document = content["documents"][0]
    del document["name"]
    return {**document, "ranking": content["persons"], "anonymity": content["anonymity"]}


def scan(texts: Sequence[str], *, plan: TextPlan | Mapping[str, Any] | None = None) -> list[list[Span]]:
    """Mentions in single texts: start, end, type, score and source of each."""
    from heteronym.text.scan import counts, recognize, recognizers_for

    settings = plan if isinstance(plan, TextPlan) else TextPlan.model_validate(plan or {})
    return recognize(list(texts), recognizers_for(settings), wanted=lambda kind: counts(kind, settings))
