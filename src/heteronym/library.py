"""The Python calls: the same steps as the commands, on data frames or files."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heteronym.errors import UsageError
from heteronym.io.bundles import check_target
from heteronym.io.given import PlanLike, TextPlanLike, paths_in, plan_and_folder, read_given, text_plan_of
from heteronym.io.mentions import read_mentions
from heteronym.io.owner_files import write_private
from heteronym.io.past_releases import Registry, open_registry
from heteronym.io.plan_checks import check_reviewed
from heteronym.io.plans import override
from heteronym.io.tables import to_frame
from heteronym.io.unplanned import join_for_profile
from heteronym.keeping import opened_method, opened_vault, sealed_files
from heteronym.model.dataset import Dataset
from heteronym.model.mention import Mentions
from heteronym.model.plan import Plan
from heteronym.model.release import Verdict
from heteronym.pipeline import direct_types, make_dataset, make_draft
from heteronym.publish import Release, publish, release_in_memory
from heteronym.registering import check_registrable
from heteronym.registry import document_methods
from heteronym.run import Progress, Run
from heteronym.verify.folder import verify_release

if TYPE_CHECKING:
    from heteronym.profiling import Profile


def anonymize(
    data: Any,
    plan: PlanLike,
    *,
    output: str | Path | None = None,
    private: str | Path | None = None,
    passphrase: str | None = None,
    mentions: str | Path | None = None,
    cache: str | Path | None = None,
    registry: str | Path | None = None,
    registry_key: str | Path | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
    run: Run | None = None,
    **options: Any,
) -> Release:
    """Anonymize a table; the released one is `release.data`.

    `data` is a pandas, polars or pyarrow table (the same kind comes back), or the path of a file or a
    list of them. `plan` is a Plan, a mapping, or the path of a plan file. `output` is a release folder to
    make, `private` the owner's folder, `passphrase` seals the vault of surrogates there, and gives their
    key, `mentions` a reviewed file as `scan` writes it, `cache` a folder that remembers what was
    recognized, `registry` the owner's file of releases: what this one and earlier ones of the same people
    give away together is told, and this one remembered. Options override plan values by name:
    `anonymize(df, plan, k=10, method="gdf")`. `run.cancel()`, from any thread, ends the work.
    Raises PromiseError if the promise cannot be met; nothing is left behind then.
    """
    made, folder = plan_and_folder(plan)
    made, run = override(made, options) if options else made, run or Run(progress)
    run.folder, run.cache = run.folder or folder, None if cache is None else Path(cache)
    target, owner = (None if p is None else Path(p) for p in (output, private))
    if target is None and (owner is not None or registry is not None):
        raise UsageError("private and registry belong to a release folder; name one with `output`")
    place = None if target is None else check_target(target, overwrite=overwrite, private=owner)
    past = None if registry is None else _open_registry(made, registry, registry_key, target)
    vault = opened_vault(made, owner, passphrase)
    with run.active():
        with run.step("read"):
            table, native = read_given(data, made.data)
            dataset = make_dataset(table, made, folder=run.folder)
            found = None if mentions is None else _reviewed(Path(mentions), dataset, made)
            layout = table.format
            del table  # its cells may be held in less space by now
        draft = make_draft(dataset, made, mentions=found, run=run, vault=vault)
        # what the auditor can read for itself: anything but standard input, which is gone
        source = None if any(str(path) == "-" for path in paths_in(data)) else data
        if place is not None:
            release = publish(draft, made, layout, place, run=run, source=source, registry=past)
        else:
            release = release_in_memory(draft, made, run, source=source)
        if native is None:
            return release
        return replace(release, table=to_frame(release.table, native, release.source_row, draft.unchanged))


def _reviewed(path: Path, dataset: Dataset, plan: Plan) -> Mentions:
    found = read_mentions(path, dataset)
    check_reviewed(found.types, plan, direct=direct_types(found, plan))
    return found


def _open_registry(plan: Plan, path: str | Path, key: str | Path | None, release: Path | None) -> Registry:
    check_registrable(plan)
    return open_registry(Path(path), key=None if key is None else Path(key), release=release)


def verify(release: str | Path, *, against: Any = None, private: str | Path | None = None) -> Verdict:
    """Audit a release folder; `private` is the owner's folder, `against` the original data.

    Data is a file or a frame, or several of them: a list in the order in which `anonymize` took them, or
    a mapping by the names that the plan joins. `verdict.holds` is None where the promise cannot be told.
    """
    owner = None if private is None else Path(private)
    return verify_release(Path(release), against=against, private=owner)


def profile(
    data: Any, *, person: str | None = None, household: str | None = None, weight: str | None = None
) -> Profile:
    """Look at data (a frame or files): scales, roles with reasons, uniqueness; `.plan` is a draft plan.

    `person`, `household` and `weight` name columns: the person key, the household, survey weights.
    """
    from heteronym.profiling import look_at

    table = join_for_profile(data) if isinstance(data, (list, tuple)) else read_given(data)[0]
    return look_at(table, person=person, household=household, weight=weight)


def sanitize(
    text: str,
    *,
    method: str = "redact",
    model: str | None = None,
    plan: TextPlanLike | None = None,
    private: str | Path | None = None,
    passphrase: str | None = None,
    **parameters: Any,
) -> str:
    """One document by a document method: `sanitize(text, method="redact")` masks what is found in it.

    `plan` says what counts in texts: a plan file, a Plan, or its `text` part alone. `private` is the owner's
    folder, where the method `pseudonyms` keeps its key and vault.
    """
    from heteronym.sanitizing import documents_of, sanitized

    folder = None if private is None else Path(private)
    built = opened_method(document_methods.build(method, parameters), folder, passphrase)
    texts, result = sanitized(documents_of([text], text_plan_of(plan, model)), built)
    for warning in result.facts.get("warnings", ()):
        warnings.warn(warning, stacklevel=2)
    if folder is not None:
        write_private(folder, sealed_files(result.owner, built, passphrase))
    return texts[0]


def scan(texts: str | Sequence[str], *, plan: TextPlanLike | None = None) -> Any:
    """Mentions (start, end, type, score, source, rule): a list for one text, a list of lists for several."""
    from heteronym.text.recognize import counts, recognize, recognizers_for

    settings = text_plan_of(plan)
    given = [texts] if isinstance(texts, str) else list(texts)
    found = recognize(given, recognizers_for(settings), wanted=lambda kind: counts(kind, settings))
    return found[0] if isinstance(texts, str) else found
