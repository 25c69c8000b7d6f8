"""`anonymize`: read a table, make a draft of its release, audit it, and write or return it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from heteronym.api.vaults import opened_vault
from heteronym.comparing.remedies import in_words, remedies
from heteronym.engines.choose import engine_for, release_by_engine
from heteronym.errors import InputError, PromiseError, UsageError
from heteronym.io.bundles import Target
from heteronym.io.database_targets import check_output
from heteronym.io.decisions import Decisions, holds_decisions, read_decisions
from heteronym.io.given import (
    PlanLike,
    as_frames,
    door,
    paths_in,
    plan_and_folder,
    read_given,
    run_for,
    with_index,
)
from heteronym.io.mentions import read_mentions
from heteronym.io.past_releases import Registry, open_registry
from heteronym.io.plan_checks import check_reviewed
from heteronym.io.plans import fit_to_data, override
from heteronym.io.tables import Table, to_frame
from heteronym.model.dataset import Dataset
from heteronym.model.mention import Mentions
from heteronym.model.plan import Plan
from heteronym.overlap import check_registrable
from heteronym.pipeline import direct_types, make_dataset, make_draft
from heteronym.publish import Release, publish, release_in_memory
from heteronym.refusing import refusals_listed
from heteronym.reviewing.sampling import described
from heteronym.run import Progress, Run

_IMPOSSIBLE = ("k = ", "privacy: ")  # how a demand begins that no data of this size or these values meets


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
    report_folder: str | Path | None = None,
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

    `data` is a pandas, polars or pyarrow table (the same kind comes back), a path, or the address of a table
    (`sqlite:///people.db#visits`). Levels of a pandas index that the plan names are columns. Several tables,
    which the plan joins, are a mapping by name, the main one first, or a list. `plan` is a Plan, a mapping,
    or a path. `output` is a release folder to make, or an address (`report_folder` then holds report, facts
    and plan), `private` the owner's folder, `passphrase` seals its vault, `mentions` a reviewed file as
    `scan` writes it, or decisions, `cache` a folder that remembers what was recognized, `registry` the
    owner's file of releases. `metadata` adds files for catalogues. `engine` is for a file that does not fit
    into memory: `duckdb`, within `memory` ("4GB"), or `spark` at its `master`. Options override the plan:
    `k=10`.
    PromiseError: the promise cannot be met; nothing is left but the owner's list of reasons, `refused.jsonl`.
    """
    made = _plan_with(plan, options)
    run = run_for(run or Run(progress), plan, cache)
    owner = None if private is None else Path(private)
    place = check_output(output, report_folder, overwrite=overwrite, private=owner, metadata=metadata)
    others = {"mentions": mentions, "registry": registry, "passphrase": passphrase, "metadata": metadata}
    chosen = engine_for(data, made, place, engine=engine, memory=memory, master=master, others=others)
    if chosen is not None:
        with run.active(), refusals_listed(owner):
            return release_by_engine(chosen, made, run)
    past = None if registry is None else _open_registry(made, registry, registry_key, place)
    vault = opened_vault(made, owner, passphrase)
    with run.active(), refusals_listed(owner), _with_remedies(data, made, run):
        with run.step("read"):
            table, native = read_given(as_frames(data, made.attributes), made.data)
            made, layout = fit_to_data(made, table.frame), table.format
            dataset = make_dataset(table, made, folder=run.folder)
            found, decided = _reviewed(mentions, dataset, made)
            del table  # its cells may be held in less space by now
        draft = make_draft(dataset, made, mentions=found, decisions=decided, run=run, vault=vault)
        draft = replace(draft, reviewed=described(decided)) if decided else draft
        source = None if _is_read_once(data) else as_frames(data, made.attributes)
        if place is None:
            release = release_in_memory(draft, made, run, source=source)
        else:
            release = publish(draft, made, layout, place, run=run, source=source, registry=past)
        return release if native is None else _as_given(release, native, data, draft.unchanged)


def _plan_with(plan: PlanLike, options: Mapping[str, Any]) -> Plan:
    made, _ = plan_and_folder(plan)
    return override(made, options) if options else made


def _is_read_once(data: Any) -> bool:
    """Standard input, which is gone."""
    return any(str(path) == "-" for path in paths_in(data))


@contextmanager
def _with_remedies(data: Any, plan: Plan, run: Run) -> Iterator[None]:
    """A refusal says which smaller demands were carried out on the data, and would do."""
    try:
        yield
    except (PromiseError, InputError) as error:
        of_the_plan = isinstance(error, PromiseError) or str(error).startswith(_IMPOSSIBLE)
        if not of_the_plan or _is_read_once(data):
            raise

        def carry_out(some: Table, plan: Plan) -> None:
            draft = make_draft(make_dataset(some, plan, folder=run.folder), plan, run=run)
            release_in_memory(draft, plan, run)

        told = in_words(
            *remedies(read_given(as_frames(data, plan.attributes), plan.data)[0], plan, str(error), carry_out)
        )
        said = f"{str(error).removesuffix('. Nothing was released')}. {told}. Nothing was released"
        if isinstance(error, PromiseError):
            raise PromiseError(said, verdict=error.verdict, places=error.places) from None
        raise InputError(said) from None


def _as_given(release: Release, native: Any, data: Any, unchanged: Iterable[str]) -> Release:
    """The release with a frame of the caller's kind, and with what is left of its index."""
    released = to_frame(release.table, native, release.source_row, unchanged)
    return replace(release, table=with_index(released, data))


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


def _open_registry(plan: Plan, path: str | Path, key: str | Path | None, place: Target | None) -> Registry:
    check_registrable(plan)
    if place is None:
        raise UsageError("private, registry and metadata belong to a release folder; name it with `output`")
    return open_registry(Path(path), key=None if key is None else Path(key), release=place.folder)
