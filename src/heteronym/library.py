"""The Python calls: the same steps as the commands, on data frames or files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heteronym.describing import shown_in
from heteronym.errors import UsageError
from heteronym.io.bundles import Target, check_private, check_target
from heteronym.io.mentions import read_mentions
from heteronym.io.past_releases import Registry, open_registry
from heteronym.io.plan_checks import check_reviewed
from heteronym.io.plans import make_plan, override, read_plan
from heteronym.io.tables import Table, from_frame, join_for_profile, read_tables, to_frame
from heteronym.model.dataset import Dataset
from heteronym.model.mention import Mentions
from heteronym.model.plan import Plan, TextPlan
from heteronym.model.release import Verdict
from heteronym.pipeline import Draft, make_dataset, make_draft
from heteronym.publish import Release, audit_in_memory, make_facts, publish
from heteronym.registering import check_registrable
from heteronym.run import Progress, Run
from heteronym.sanitizing import owner_files
from heteronym.surrogates.vault import KEY, VAULT, Vault, open_vault
from heteronym.text.entity_types import is_direct
from heteronym.verify.folder import verify_release

if TYPE_CHECKING:
    from heteronym.attacking import Siege
    from heteronym.comparing.comparison import Comparison
    from heteronym.estimating import Estimate
    from heteronym.explaining import Explanation
    from heteronym.profiling import Profile
    from heteronym.weighing import Utility

__all__ = [
    "analyze",
    "anonymize",
    "attack",
    "compare",
    "estimate",
    "explain",
    "profile",
    "read_plan",
    "sanitize",
    "scan",
    "utility",
    "verify",
]

PlanLike = Plan | Mapping[str, Any] | str | Path
TextPlanLike = TextPlan | PlanLike


def _plan_and_folder(plan: PlanLike) -> tuple[Plan, Path]:
    if isinstance(plan, (str, Path)):
        return read_plan(plan), Path(plan).parent
    return make_plan(plan), Path()


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
    made, folder = _plan_and_folder(plan)
    made, run = override(made, options) if options else made, run or Run(progress)
    run.folder, run.cache = run.folder or folder, None if cache is None else Path(cache)
    target, owner = (None if p is None else Path(p) for p in (output, private))
    if target is None and (owner is not None or registry is not None):
        raise UsageError("private and registry belong to a release folder; name one with `output`")
    place = None if target is None else _place(target, owner, overwrite=overwrite)
    past = None if registry is None else _open_registry(made, registry, registry_key, target)
    vault = _vault(made, owner, passphrase)
    with run.active():
        with run.step("read"):
            table, native = _read(data, made)
            dataset = make_dataset(table, made, folder=run.folder)
            found = None if mentions is None else _reviewed(Path(mentions), dataset, made)
            layout = table.format
            del table  # its cells may be held in less space by now
        draft = make_draft(dataset, made, mentions=found, run=run, vault=vault)
        source, as_given = _readable_again(data), partial(_as_given, native)
        if place is not None:
            return publish(
                draft,
                made,
                layout,
                place,
                run=run,
                private=owner,
                as_given=as_given,
                source=source,
                registry=past,
            )
        draft, verdict = audit_in_memory(draft, made, run, source=source)
        facts, shown = make_facts(draft, made, verdict, run), shown_in(draft.frame, made)
        return Release(as_given(draft), verdict, draft.measures, facts, made, draft.source_row, shown)


def _place(target: Path, owner: Path | None, *, overwrite: bool) -> Target:
    place = check_target(target, overwrite=overwrite)
    if owner is not None:
        check_private(owner, target)
    return place


def _as_given(native: Any, passed: Draft) -> Any:
    """The released table in the caller's kind."""
    if native is None:
        return passed.frame
    return to_frame(passed.frame, native, passed.source_row, passed.unchanged)


def _reviewed(path: Path, dataset: Dataset, plan: Plan) -> Mentions:
    found = read_mentions(path, dataset)
    direct = frozenset(kind for kind in found.types if is_direct(kind, direct=plan.text.direct))
    check_reviewed(found.types, plan, direct=direct)
    return found


def _open_registry(plan: Plan, path: str | Path, key: str | Path | None, release: Path | None) -> Registry:
    check_registrable(plan)
    return open_registry(Path(path), key=None if key is None else Path(key), release=release)


def _vault(plan: Plan, private: Path | None, passphrase: str | None) -> Vault | None:
    """The vault of the owner's folder, or a new one, where the plan asks for surrogates."""
    if not plan.renames:
        if passphrase is not None:
            raise UsageError("a passphrase seals the vault of surrogates, and the plan asks for none")
        return None
    return open_vault(owner_files(private, (VAULT, KEY)), passphrase)


def _read(data: Any, plan: Plan) -> tuple[Table, Any]:
    """A table, and the caller's frame where it was given as one."""
    paths = _paths(data)
    return (read_tables(paths, plan.data), None) if paths else from_frame(data)


def _readable_again(data: Any) -> Any:
    """What the auditor can read for itself: anything but standard input, which is gone."""
    return None if any(str(path) == "-" for path in _paths(data)) else data


def _paths(data: Any) -> list[str | Path]:
    if isinstance(data, (str, Path)):
        return [data]
    if isinstance(data, (list, tuple)) and data and all(isinstance(d, (str, Path)) for d in data):
        return list(data)
    return []


def estimate(data: Any, plan: PlanLike, *, folder: str | Path | None = None, **options: Any) -> Estimate:
    """What `anonymize` would do with this data and plan, and about how long and how much memory it takes."""
    from heteronym.estimating import estimate_run

    made, beside = _plan_and_folder(plan)
    if options:
        made = override(made, options)
    return estimate_run(make_dataset(_read(data, made)[0], made, folder=Path(folder or beside)), made)


def compare(
    data: Any,
    plan: PlanLike,
    *,
    output: str | Path | None = None,
    mentions: str | Path | None = None,
    cache: str | Path | None = None,
    paths: Mapping[str, Any] | None = None,
    overwrite: bool = False,
    processes: int = 0,
    run: Run | None = None,
    **options: Any,
) -> Comparison:
    """What settings cost, side by side: `compare(df, plan, k=[2, 5, 10], relational_weight="0:1:0.1")`.

    Options are plan values as for `anonymize`, each with one value, a list, or a text like `2,5,10` and
    `0:1:0.1` (both ends included); `paths` names any other plan value: {"attributes.age.weight": [1, 2]}.
    `output` is a folder for table and page; a comparison that was stopped goes on there. Nothing
    is released: the plan of a run, `comparison.plan(7)`, is for `anonymize`.
    """
    from heteronym.comparing.comparison import compare_plans, digest_of

    made, folder = _plan_and_folder(plan)
    run = run or Run()
    run.folder, run.cache = run.folder or folder, None if cache is None else Path(cache)
    beside, named = run.folder, _paths(data)
    tables: dict[str, Table] = {} if named else {"": from_frame(data)[0]}

    def dataset_of(one: Plan) -> Dataset:
        key = one.data.model_dump_json() if named else ""
        if key not in tables:
            tables[key] = read_tables(named, one.data)
        return make_dataset(tables[key], one, folder=beside)

    found = None if mentions is None else read_mentions(Path(mentions), dataset_of(made))
    return compare_plans(
        made,
        dataset_of,
        options=options,
        paths=paths or {},
        inputs=digest_of(named or tables[""], made, beside, mentions),
        folder=None if output is None else Path(output),
        overwrite=overwrite,
        mentions=found,
        processes=processes,
        run=run,
    )


def verify(release: str | Path, *, against: Any = None, private: str | Path | None = None) -> Verdict:
    """Audit a release folder; `private` is the owner's folder, `against` the original data.

    Data is a file or a frame, or several of them: a list in the order in which `anonymize` took them, or
    a mapping by the names that the plan joins. `verdict.holds` is None where the promise cannot be told.
    """
    owner = None if private is None else Path(private)
    return verify_release(Path(release), against=against, private=owner)


def explain(release: str | Path, *, private: str | Path, row: int, values: bool = False) -> Explanation:
    """Why a row of a release (counted from 1) looks as it does; `values` adds originals, for the owner."""
    from heteronym.explaining import explain_row

    return explain_row(Path(release), Path(private), row, values=values)


def utility(release: str | Path, *, against: Any, private: str | Path, **options: Any) -> Utility:
    """What a release is still good for, beside its originals, for their owner.

    Options: `target` (a column to learn), `queries` (counts like "age < 30 and codes has 250"), `hierarchies`
    (a folder), `seed`. The figures are written to the owner's folder as well.
    """
    from heteronym.io.releases import original_tables
    from heteronym.weighing import weigh_release

    if options.get("hierarchies") is not None:
        options["hierarchies"] = Path(options["hierarchies"])
    paths = _paths(against)
    table = original_tables(Path(release), paths) if paths else from_frame(against)[0]
    return weigh_release(Path(release), table, Path(private), **options)


def attack(release: str | Path, *, against: Any, private: str | Path | None = None, **options: Any) -> Siege:
    """Simulated attackers on a release folder; options as for the command: `only`, `seed`, `hierarchies`, ...

    Parameters of attacks are given as `parameters={"targets": 100}`.
    """
    paths = ("hierarchies", "other", "other_private", "registry", "registry_key")
    options |= {name: Path(options[name]) for name in paths if options.get(name) is not None}
    if options.get("control") is not None:
        options["control"] = _table(options["control"]).frame
    owner = None if private is None else Path(private)
    from heteronym.attacking import attack_release

    return attack_release(Path(release), _table(against), private=owner, **options)


def _table(data: Any) -> Table:
    paths = _paths(data)
    return read_tables(paths) if paths else from_frame(data)[0]


def profile(
    data: Any, *, person: str | None = None, household: str | None = None, weight: str | None = None
) -> Profile:
    """Look at data (a frame or files): scales, roles with reasons, uniqueness; `.plan` is a draft plan.

    `person`, `household` and `weight` name columns: the person key, the household, survey weights.
    """
    from heteronym.profiling import look_at

    table = join_for_profile(data) if isinstance(data, (list, tuple)) else _table(data)
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
    from heteronym.sanitizing import sanitize_text

    settings = _text_plan(plan)
    settings = settings.model_copy(update={"model": model}) if model else settings
    folder = None if private is None else Path(private)
    return sanitize_text(
        text, method=method, plan=settings, parameters=parameters, private=folder, passphrase=passphrase
    )


def analyze(
    text: str,
    *,
    author: str | None = None,
    recipient: str | None = None,
    model: str | None = None,
    plan: TextPlanLike | None = None,
) -> dict[str, Any]:
    """Who a text is about and what it says of them: assertions with class, proprietors, canonical forms,
    sensitivity and a suggested replacement; `author` and `recipient` are who "I" and "you" are."""
    from heteronym.analyzing import analyze_texts, told

    settings = _text_plan(plan)
    settings = settings.model_copy(update={"model": model}) if model else settings
    content = told(analyze_texts([text], settings, authors=[author], recipient=recipient))
    document = content["documents"][0]
    del document["name"]
    return {**document, "ranking": content["persons"], "anonymity": content["anonymity"]}


def scan(texts: str | Sequence[str], *, plan: TextPlanLike | None = None) -> Any:
    """Mentions (start, end, type, score, source, rule): a list for one text, a list of lists for several."""
    from heteronym.text.scan import counts, recognize, recognizers_for

    settings = _text_plan(plan)
    given = [texts] if isinstance(texts, str) else list(texts)
    found = recognize(given, recognizers_for(settings), wanted=lambda kind: counts(kind, settings))
    return found[0] if isinstance(texts, str) else found


def _text_plan(plan: TextPlanLike | None) -> TextPlan:
    if isinstance(plan, TextPlan):
        return plan
    if isinstance(plan, (Plan, str, Path)):
        return _plan_and_folder(plan)[0].text
    return TextPlan.model_validate(plan or {})
