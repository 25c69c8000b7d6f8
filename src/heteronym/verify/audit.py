"""The auditor: reads what was written and says whether the promise holds.

Shares no code with the search or the recoders. What it can check depends on what it is given: the
release alone (rows are counted), the owner's row map (persons), the original data (labels are true, other
columns unchanged) and the owner's evidence about texts (they are the data's after the edits, and nothing
sensitive is left in them). The run that makes a release and whoever verifies it later call the same function
with the same evidence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.model.plan import Plan
from heteronym.model.release import Check, Released, Verdict
from heteronym.model.schema import Role
from heteronym.run import current
from heteronym.verify.bounds import bound_checks
from heteronym.verify.breaking import Broken, breaking_places, broken_rows
from heteronym.verify.certain import certain_values
from heteronym.verify.groups import rebuild
from heteronym.verify.left_in_texts import left_in_texts, names_check, residue_checks
from heteronym.verify.missed import missed_check, missed_in_others
from heteronym.verify.model_verdicts import Verifiable, model_verdict, unverifiable_checks
from heteronym.verify.numbers import labelled, with_ranges
from heteronym.verify.originals import Originals
from heteronym.verify.population import matched_populations
from heteronym.verify.residue import Left
from heteronym.verify.risk import residual_risk, risk_check, with_households
from heteronym.verify.shown import (
    UNKNOWN_TYPE,
    InTexts,
    Texts,
    read_texts,
    shown_in_texts,
    text_columns,
)
from heteronym.verify.surrogates import revealed_by_surrogates, surrogate_checks
from heteronym.verify.sweep import Place, sweep, sweep_checks
from heteronym.verify.truth import settled, truth_checks
from heteronym.verify.values import persons_checks
from heteronym.verify.withheld import withheld_checks


class Audited(NamedTuple):
    """The verdict, where in the released texts something stands that breaks it, and which rows do."""

    verdict: Verdict
    places: Sequence[Left]
    broken: Sequence[Broken] = ()


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
    return examine(released, plan, person=person, originals=originals, claimed=claimed, cells=cells).verdict


def examine(
    released: pl.DataFrame,
    plan: Plan,
    *,
    person: NDArray[np.int64] | None = None,
    originals: Originals | None = None,
    claimed: Mapping[str, float] | None = None,
    cells: Mapping[str, int] | None = None,
) -> Audited:
    """The same with the places in texts that would have to be masked for the promise to hold."""
    checks = [_columns_check(released, plan)]
    released = shown = labelled(released, plan)
    if originals is not None and len(originals.source_row) == released.height:
        shown, means = with_ranges(released, plan, originals)
        checks += means
    names, seen = text_columns(released, plan), _NO_TEXTS
    if originals is not None:
        checks.append(_rows_check(shown, plan, originals))
        if checks[-1].holds:
            checks += truth_checks(shown, plan, originals)
            checks += withheld_checks(shown, plan, originals, cells)
            checks += surrogate_checks(shown, plan, originals)
        if _sound(checks):
            checks += bound_checks(shown, plan, originals)
            checks += persons_checks(person, originals.released_person)
            person = originals.released_person
        if names and originals.evidence is not None and _sound(checks):
            seen = _see_texts(shown, plan, originals)
        if _rows_fit(released, originals):
            seen = _swept(seen, shown, plan, originals)
    known = originals if _sound(checks) and _sound([c for c in seen.checks if c.name in _EVIDENCE]) else None
    checks += seen.checks
    places = [*seen.places]
    verifiable = Verifiable(
        persons=person is not None or plan.data.person is None,
        texts=not names or seen.shown is not None,
        surrogates=known is not None or not plan.surrogates,
    )
    checks += unverifiable_checks(verifiable)
    surrogates = revealed_by_surrogates(released, plan, person, known)
    groups = _groups(released, plan, person, originals, seen.shown, surrogates)
    if originals is not None and seen.texts is not None and seen.shown is not None and settled(plan):
        missed = missed_in_others(released, plan, groups.group_of_row, originals, seen.texts)
        checks.append(missed_check(missed))
        places += missed
    current().poll()
    models = tuple(model_verdict(model, groups, verifiable) for model in plan.privacy)
    broken = broken_rows(models, groups)
    if seen.shown is not None:
        places += breaking_places(broken, seen.shown.where)
    checks += certain_values(groups, plan)
    risk = residual_risk(groups, plan)
    checks += risk_check(risk, claimed or {}) if verifiable.persons else []
    verdict = Verdict(groups.unit, models, tuple(checks), risk)
    return Audited(verdict, places, broken)


class _Seen(NamedTuple):
    """What was seen in texts: what stands for mentions, what rows show, what is wrong, and where."""

    texts: Texts | None
    shown: InTexts | None
    checks: tuple[Check, ...]
    places: tuple[Left, ...]


_NO_TEXTS = _Seen(None, None, (), ())
_EVIDENCE = ("edits", "labels")  # checks without which nothing in texts is known


def _see_texts(shown: pl.DataFrame, plan: Plan, originals: Originals) -> _Seen:
    texts = read_texts(shown, plan, originals)
    if not texts.check.holds:
        return _Seen(texts, None, (texts.check,), ())
    residue = left_in_texts(shown, plan, originals, texts)
    seen = shown_in_texts(shown, plan, originals, texts)
    checks = (texts.check, *residue_checks(residue), names_check(texts), seen.invented)
    return _Seen(texts, seen, checks, tuple(residue.places))


def _swept(seen: _Seen, shown: pl.DataFrame, plan: Plan, originals: Originals) -> _Seen:
    """The same with what a search finds that knows nothing of mentions."""
    masked = [] if seen.texts is None else seen.texts.masked(originals.released_person)
    put = {} if seen.texts is None else seen.texts.standing()
    swept = sweep({}, shown, plan, originals, masked, put)
    names = text_columns(shown, plan)
    places = [_as_left(one) for one in swept.places if one.column in names]
    checks = (*seen.checks, *sweep_checks(swept))
    return seen._replace(checks=checks, places=(*seen.places, *places))


def _rows_fit(released: pl.DataFrame, originals: Originals) -> bool:
    rows, known = originals.source_row, originals.frame.height
    return len(rows) == released.height and bool(((rows >= 0) & (rows < known)).all())


def _as_left(place: Place) -> Left:
    of_column = place.kind != "surface"
    return Left(
        place.row,
        place.column,
        place.start,
        place.end,
        "value" if of_column else "term",
        place.name if of_column else UNKNOWN_TYPE,
    )


def _sound(checks: Sequence[Check]) -> bool:
    return all(check.holds is not False for check in checks)


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
        released,
        plan,
        person=person,
        in_texts=in_texts,
        replacing=replacing,
        revealed_by_surrogate=surrogates,
    )
    trees = {} if originals is None else originals.hierarchies
    groups = replace(groups, population=matched_populations(released, plan, groups, trees))
    groups = groups if originals is None else with_households(groups, plan, originals)
    return groups if seen is None else replace(groups, standing=seen.standing)


def _columns_check(released: pl.DataFrame, plan: Plan) -> Check:
    called = {*plan.surrogates, *([plan.data.person] if plan.release.person_key == "pseudonym" else [])}
    named = [n for n, a in plan.attributes.items() if a.role is not Role.IDENTIFIER or n in called]
    in_numbers = plan.in_numbers
    expected = [column for name in named for column in in_numbers.get(name, (name,))]
    extra, lacking = set(released.columns) - set(expected), set(expected) - set(released.columns)
    odd = [("not in the plan", extra), ("not in the release", lacking)]
    detail = "; ".join(f"{what}: {', '.join(sorted(names))}" for what, names in odd if names)
    fine = "the released columns are those of the plan, identifiers left out"
    return Check("columns", not detail, detail or fine)


def _rows_check(released: pl.DataFrame, plan: Plan, originals: Originals) -> Check:
    """Every row once; only whole persons may be left out, and no more than the plan allows."""
    given = set(originals.frame.columns)
    lacking = [name for name in plan.attributes if name not in given]
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
