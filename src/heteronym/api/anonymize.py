"""`anonymize`: read a table, make a draft of its release, audit it, and write or return it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from heteronym.api.vaults import opened_vault
from heteronym.engines.choose import engine_for, release_by_engine
from heteronym.errors import UsageError
from heteronym.io.bundles import Target, check_target
from heteronym.io.decisions import Decisions, holds_decisions, read_decisions
from heteronym.io.given import PlanLike, door, paths_in, plan_and_folder, read_given, run_for
from heteronym.io.mentions import read_mentions
from heteronym.io.past_releases import Registry, open_registry
from heteronym.io.plan_checks import check_reviewed
from heteronym.io.plans import fit_to_data, override
from heteronym.io.tables import to_frame
from heteronym.model.dataset import Dataset
from heteronym.model.mention import Mentions
from heteronym.model.plan import Plan
from heteronym.overlap import check_registrable
from heteronym.pipeline import direct_types, make_dataset, make_draft
from heteronym.publish import Release, publish, release_in_memory
from heteronym.refusing import refusals_listed
from heteronym.reviewing.sampling import described
from heteronym.run import Progress, Run


@door
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
    metadata: bool = False,
    engine: str | None = None,
    memory: str | None = None,
    master: str | None = None,
    progress: Progress | None = None,
    run: Run | None = None,
    **options: Any,
) -> Release:
    """Anonymize a table; the released one is `release.data`.

    `data` is a pandas, polars or pyarrow table (the same kind comes back), or the path of a file. Several
    of either, which the plan joins, are a mapping by name, the main table first, or a list, where frames
    come in the order of the joins. `plan` is a Plan, a mapping, or the path of a plan file. `output` is a
    release folder to make, `private` the owner's folder, `passphrase` seals the vault of surrogates there,
    and gives their key, `mentions` a reviewed file as `scan` writes it, or decisions (`hn.review`) about
    what a scan finds, `cache` a folder that remembers what was recognized, `registry` the owner's file of
    releases: what this one and earlier ones of the same people give away together is told. `metadata` adds
    files for catalogues. `engine` is for rows of one file that do not fit into memory: `duckdb`, within
    `memory` ("4GB"), or `spark` at its `master`. Options override plan values by name: `k=10`.
    PromiseError: the promise cannot be met; nothing is left but the owner's list of reasons, `refused.jsonl`.
    """
    made, _ = plan_and_folder(plan)
    made = override(made, options) if options else made
    run = run_for(run or Run(progress), plan, cache)
    target, owner = (None if p is None else Path(p) for p in (output, private))
    place = _place(target, overwrite, private=owner, registry=registry, metadata=metadata)
    others = {"mentions": mentions, "registry": registry, "passphrase": passphrase, "metadata": metadata}
    chosen = engine_for(data, made, place, engine=engine, memory=memory, master=master, others=others)
    if chosen is not None:
        with run.active(), refusals_listed(owner):
            return release_by_engine(chosen, made, run)
    past = None if registry is None else _open_registry(made, registry, registry_key, target)
    vault = opened_vault(made, owner, passphrase)
    with run.active(), refusals_listed(owner):
        with run.step("read"):
            table, native = read_given(data, made.data)
            made, layout = fit_to_data(made, table.frame), table.format
            dataset = make_dataset(table, made, folder=run.folder)
            found, decided = _reviewed(mentions, dataset, made)
            del table  # its cells may be held in less space by now
        draft = make_draft(dataset, made, mentions=found, decisions=decided, run=run, vault=vault)
        draft = replace(draft, reviewed=described(decided)) if decided else draft
        source = None if any(str(path) == "-" for path in paths_in(data)) else data  # `-` is read once
        if place is None:
            release = release_in_memory(draft, made, run, source=source)
        else:
            release = publish(draft, made, layout, place, run=run, source=source, registry=past)
        return release if native is None else _as_given(release, native, draft.unchanged)


def _place(
    target: Path | None, overwrite: bool, *, private: Path | None, registry: Any, metadata: bool
) -> Target | None:
    if target is not None:
        return check_target(target, overwrite, private=private, metadata=metadata)
    if private is not None or registry is not None or metadata:
        raise UsageError("private, registry and metadata belong to a release folder; name it with `output`")
    return None


def _as_given(release: Release, native: Any, unchanged: tuple[str, ...]) -> Release:
    """With a table of the caller's kind."""
    return replace(release, table=to_frame(release.table, native, release.source_row, unchanged))


def _reviewed(
    path: str | Path | None, dataset: Dataset, plan: Plan
) -> tuple[Mentions | None, Decisions | None]:
    """Mentions in place of those that a scan would find, or what reviewers decided about those."""
    if path is None:
        return None, None
    if holds_decisions(Path(path)):
        return None, Decisions(read_decisions(Path(path)))
    found = read_mentions(Path(path), dataset)
    check_reviewed(found.types, plan, direct=direct_types(found, plan))
    return found, None


def _open_registry(plan: Plan, path: str | Path, key: str | Path | None, release: Path | None) -> Registry:
    check_registrable(plan)
    return open_registry(Path(path), key=None if key is None else Path(key), release=release)
