"""`review`: the distinct terms of a table's texts, for people to decide about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from heteronym import registry
from heteronym.errors import PlanError
from heteronym.io.decisions import holds_decisions
from heteronym.io.given import PlanLike, as_frames, door, plan_and_folder, read_given, run_for
from heteronym.io.mentions import read_mentions
from heteronym.io.owned import open_owned
from heteronym.io.plans import build_parts, fit_to_data
from heteronym.model.plan import Plan
from heteronym.model.schema import Role
from heteronym.pipeline import direct_types, find, make_dataset
from heteronym.reviewing.effects import MEASURES_FILE, LastRun
from heteronym.reviewing.review import Review
from heteronym.reviewing.terms import Terms
from heteronym.run import Run
from heteronym.text.recognize import counts


@door
def review(
    data: Any,
    plan: PlanLike,
    *,
    decisions: str | Path,
    who: str = "",
    mentions: str | Path | None = None,
    release: str | Path | None = None,
    private: str | Path | None = None,
    cache: str | Path | None = None,
    read_only: bool = False,
    run: Run | None = None,
) -> Review:
    """Review what a scan finds in a table's texts, term by term.

    `decisions` is the owner's file for what is decided, which `anonymize(mentions=...)` takes; the review
    goes on where it ends. `mentions` is a file that `scan` wrote; without one the texts are scanned, with
    `cache` as there. `release` and `private` are those of a run: then `effect` tells what a decision would
    change in its groups. `who` is written beside each decision.

    `queue` lists terms, `contexts` shows where one stands, `decide` says of one: confirm, keep, mask, type,
    same, never; `decide_all` of all in view, `add` marks what nobody found, `undo` takes the last step back,
    `sample` and `check` estimate how much is missed, `merge` takes in a second reviewer's file.
    """
    made, _ = plan_and_folder(plan)
    run = run_for(run, plan, cache)
    with run.active():
        table, _ = read_given(as_frames(data, made.attributes), made.data)
        made = fit_to_data(made, table.frame)
        dataset = make_dataset(table, made, folder=run.folder)
        if not dataset.schema.named(Role.TEXT):
            raise PlanError("no column has role text: there is nothing to review")
        if mentions is not None and not holds_decisions(Path(mentions)):
            found = read_mentions(Path(mentions), dataset)
        else:
            found = find(dataset, made, run=run)
        which = [counts(kind, made.text) for kind in found.types]
        found = found.only(which)
        ks = [m.parameters["k"] for m in made.privacy if isinstance(m.parameters.get("k"), int)]
        terms = Terms(dataset, found, k=min(ks, default=5), direct=direct_types(found, made))
        last = None
        if release is not None and private is not None and build_parts(made).settling is None:
            last = _last_run(Path(release), Path(private), dataset)
    return Review(
        terms,
        Path(decisions),
        who=who,
        types=_types(made),
        last_run=last,
        read_only=read_only,
        seed=made.seed,
    )


def _last_run(release: Path, private: Path, dataset: Any) -> LastRun:
    import json

    owned = open_owned(release, private)
    measures = json.loads((owned.owners / MEASURES_FILE).read_bytes())
    return LastRun(owned.owners, dataset, owned.plan, measures)


def _types(plan: Plan) -> list[str]:
    """Types that the plan counts, the plan's own first."""
    own = [*plan.text.patterns, *plan.text.words]
    known = [kind for kind in registry.entity_types() if counts(kind, plan.text)]
    return list(dict.fromkeys([*own, *(kind for kind in known if kind not in ("DENIED", "VALUE"))]))
