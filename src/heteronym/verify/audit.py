"""The auditor: reads what was written and says whether the promise holds.

Shares no code with the search or the recoders. What it can check depends on what it is given: the
release alone (rows are counted), the owner's row map (persons), the original data (labels are true,
other columns unchanged, nothing sensitive left in the texts).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.model.plan import Plan
from heteronym.model.release import Check, Released, Verdict
from heteronym.model.schema import Role
from heteronym.run import current
from heteronym.verify.bounds import bound_checks
from heteronym.verify.certain import certain_values
from heteronym.verify.groups import rebuild
from heteronym.verify.left_in_texts import left_in_texts, residue_checks
from heteronym.verify.numbers import labelled, with_ranges
from heteronym.verify.originals import Originals
from heteronym.verify.population import matched_populations
from heteronym.verify.risk import residual_risk, risk_check, with_households
from heteronym.verify.shown import InTexts, read_texts, shown_in_texts, text_columns
from heteronym.verify.surrogates import surrogate_checks, told_by_surrogates
from heteronym.verify.told import Told, model_verdict, untold_checks
from heteronym.verify.truth import settled, truth_checks
from heteronym.verify.twins import twin_check, twins_of
from heteronym.verify.values import persons_checks
from heteronym.verify.withheld import withheld_checks


def audit(
    released: pl.DataFrame,
    plan: Plan,
    *,
    person: NDArray[np.int64] | None = None,
    originals: Originals | None = None,
    claimed: Mapping[str, float] | None = None,
    cells: Mapping[str, int] | None = None,
) -> Verdict:
    """The verdict on a released table; `person` numbers the person of each released row.

    `claimed` are the figures of risk that facts.json tells, by name, `cells` those that it says are withheld.
    """
    checks = [_columns_check(released, plan)]
    released = shown = labelled(released, plan)
    if originals is not None and len(originals.source_row) == released.height:
        shown, means = with_ranges(released, plan, originals)
        checks += means
    texts = text_columns(released, plan)
    seen: InTexts | None = None
    if originals is not None:
        checks.append(_rows_check(shown, plan, originals))
        if checks[-1].holds:
            checks += truth_checks(shown, plan, originals)
            checks += withheld_checks(shown, plan, originals, cells)
            checks += surrogate_checks(shown, plan, originals)
        if all(check.holds is not False for check in checks):
            checks += bound_checks(shown, plan, originals)
            checks += persons_checks(person, originals.released_person)
            person = originals.released_person
        if texts and originals.mentions is not None and all(check.holds is not False for check in checks):
            stands = read_texts(shown, plan, originals)
            checks += residue_checks(left_in_texts(shown, plan, originals, stands))
            seen = shown_in_texts(shown, plan, originals, stands)
            checks.append(seen.outside)
    known = originals if all(check.holds is not False for check in checks) else None
    told = Told(
        persons=person is not None or plan.data.person is None,
        texts=not texts or seen is not None,
        surrogates=known is not None or not plan.surrogates,
    )
    checks += untold_checks(told)
    surrogates = told_by_surrogates(released, plan, person, known)
    groups = _groups(released, plan, person, originals, seen, surrogates)
    if seen is not None and settled(plan):
        checks.append(twin_check(twins_of(released, plan, groups.group_of_row, seen)))
    current().poll()
    models = tuple(model_verdict(model, groups, told) for model in plan.privacy)
    checks += certain_values(groups, plan)
    risk = residual_risk(groups, plan)
    checks += risk_check(risk, claimed or {}) if told.persons else []
    return Verdict(groups.unit, models, tuple(checks), risk)


def _groups(
    released: pl.DataFrame,
    plan: Plan,
    person: NDArray[np.int64] | None,
    originals: Originals | None,
    seen: InTexts | None,
    surrogates: Sequence[pl.Series],
) -> Released:
    """The release as its readers see it, with what the originals tell of its persons."""
    in_texts, replacing = ((), ()) if seen is None else (seen.shown, seen.replacing)
    groups = rebuild(
        released, plan, person=person, in_texts=in_texts, replacing=replacing, told_by=surrogates
    )
    trees = {} if originals is None else originals.hierarchies
    groups = replace(groups, population=matched_populations(released, plan, groups, trees))
    groups = groups if originals is None else with_households(groups, plan, originals)
    return groups if seen is None else replace(groups, standing=seen.standing)


def _columns_check(released: pl.DataFrame, plan: Plan) -> Check:
    called = {*plan.surrogates, *([plan.data.person] if plan.release.person_key == "pseudonym" else [])}
    named = [n for n, a in plan.attributes.items() if a.role is not Role.IDENTIFIER or n in called]
    expected = [column for name in named for column in plan.in_numbers.get(name, (name,))]
    extra, lacking = set(released.columns) - set(expected), set(expected) - set(released.columns)
    odd = [("not in the plan", extra), ("not in the release", lacking)]
    detail = "; ".join(f"{what}: {', '.join(sorted(names))}" for what, names in odd if names)
    fine = "the released columns are those of the plan, identifiers left out"
    return Check("columns", not detail, detail or fine)


def _rows_check(released: pl.DataFrame, plan: Plan, originals: Originals) -> Check:
    """Every row once; only whole persons may be left out, and no more than the plan allows."""
    lacking = [name for name in plan.attributes if name not in originals.frame.columns]
    if lacking:
        return Check("rows", False, f"the data has no column '{lacking[0]}'")
    rows = originals.frame.height
    known = (originals.source_row >= 0) & (originals.source_row < rows)
    if not known.all() or len(originals.source_row) != released.height:
        return Check("rows", False, f"{released.height} rows were released for {rows} rows of data")
    times = np.bincount(originals.source_row, minlength=rows)
    absent = times == 0
    if (times > 1).any():
        return Check("rows", False, f"{int((times > 1).sum())} rows of the data were released more than once")
    if not absent.any():
        return Check("rows", True, "every row of the data is released once")
    gone = np.unique(originals.person[absent])
    persons = len(np.unique(originals.person))
    if np.isin(gone, originals.person[~absent]).any():
        return Check("rows", False, f"{int(absent.sum())} rows are missing of persons who are released")
    allowed = plan.release.suppress_up_to
    if len(gone) > allowed * persons + 1e-9:
        detail = f"{len(gone)} of {persons} persons are missing; the plan allows a share of {allowed:g}"
        return Check("rows", False, detail)
    return Check("rows", True, f"{len(gone)} of {persons} persons are left out, as the plan allows")
