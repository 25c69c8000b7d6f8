"""The audit of a release whose rows do not fit into memory, as sums over batches.

Whoever made the release claims what each person (by its key), or each combination of quasi cells, is released
as. Both files are read here again, row by row. The claim holds if every label covers the cells that it stands
for, and if in each class the rows of the data and of the release are as many and agree in their other cells:
then every row of the data is released once, under true labels. Persons are counted by the data's own keys.

Cells that must not change are compared by sums of two 64-bit hashes per class, which do not depend on the
order of rows.

Guarantee   a release passes only if each class has enough persons and every label is true; that two tables of
            different cells have equal sums has a chance of about 2 to the power of -128
Cost        a pass over the data and one over the release; memory: 12 bytes per person or combination, and
            what the classes take
Randomness  none
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym import registry
from heteronym.model.hierarchy import Hierarchy
from heteronym.model.part import Model
from heteronym.model.plan import Plan
from heteronym.model.release import Check, Counted, ModelVerdict, Verdict
from heteronym.model.schema import Role
from heteronym.verify.forms import BLANKS
from heteronym.verify.label_forms import is_starred
from heteronym.verify.risk import risk_check, risk_of_counted
from heteronym.verify.sensitive import sensitive_cells
from heteronym.verify.truth import untrue_labels
from heteronym.verify.values import cell_text, coded, values_of

Read = Callable[[Sequence[str]], Iterator[pl.DataFrame]]
Ids = NDArray[np.uint64]
_SEEDS = (1, 2)
_ODD = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, repr=False, eq=False)
class Claim:
    """What a release is claimed to show of whom. Holds personal data."""

    labels: pl.DataFrame  # by class
    members: Callable[[], Iterator[pl.DataFrame]]  # who, and the class
    who: str  # the column of `members` with the person's key
    of_class: str  # that with the class
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)


def audit_in_batches(
    data: Read, released: Read, columns: Sequence[str], plan: Plan, claim: Claim, claimed: Mapping[str, float]
) -> Verdict:
    """The verdict on a release with these columns; `claimed` are the figures of risk of facts.json."""
    audit = _Audit(plan, claim)
    checks = [audit.columns_check(columns)]
    if checks[0].holds:
        audit.read_data(data)
        audit.read_release(released)
        checks += audit.checks()
    if any(check.holds is False for check in checks):
        return Verdict("persons", (), tuple(checks))
    counted = audit.counted()
    models = tuple(_verdict(model, counted) for model in plan.privacy)
    risk = risk_of_counted(counted)
    checks += [*audit.certain(counted), *risk_check(risk, claimed)]
    return Verdict("persons", models, tuple(checks), risk)


def _verdict(model: Model, counted: Counted) -> ModelVerdict:
    part: Any = registry.privacy_models.build(model.name, model.parameters)
    verdict: ModelVerdict = part.audit_counted(counted)
    return verdict


class _Members(NamedTuple):
    """Who is in which class, by the hash of who it is; ascending."""

    ids: Ids
    of_class: NDArray[np.int32]

    def places(self, ids: Ids) -> NDArray[np.int64]:
        """Where each of these is; -1 for who is not claimed."""
        if not len(self.ids):
            return np.full(len(ids), -1)
        place = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        return np.where(self.ids[place] == ids, place, -1)


class _Audit:
    """Sums over the rows of the data and of the release."""

    def __init__(self, plan: Plan, claim: Claim) -> None:
        self.plan, self.claim = plan, claim
        self.quasi = plan.named(Role.QUASI)
        self.unchanged = plan.named(Role.PLAIN, Role.SENSITIVE)
        classes = claim.labels.height
        self.rows = {side: np.zeros(classes, np.int64) for side in ("data", "release")}
        self.cells = {side: np.zeros((classes, len(_SEEDS)), np.uint64) for side in ("data", "release")}
        self.problems: dict[str, int] = {}
        self.pairs: dict[str, list[pl.DataFrame]] = {name: [] for name in self.quasi}
        self.shown: dict[str, pl.DataFrame] = {}
        self.persons = np.zeros(classes, np.int64)

    def columns_check(self, columns: Sequence[str]) -> Check:
        expected = {n for n, one in self.plan.attributes.items() if one.role is not Role.IDENTIFIER}
        odd = sorted(expected ^ set(columns))
        fine = "the released columns are those of the plan, identifiers left out"
        return Check("columns", not odd, f"differ from the plan: {', '.join(odd)}" if odd else fine)

    # --- reading ----------------------------------------------------------------------------------

    def read_data(self, data: Read) -> None:
        key = self.plan.data.person
        members = self._members(key)
        seen = np.zeros(len(members.ids), np.bool_)
        wanted = [*self.quasi, *self.unchanged, *([] if key is None else [key])]
        for batch in data(wanted):
            ids = _ids(batch, self.quasi) if key is None else _key_ids(batch[key])
            place = members.places(ids)
            self._count("rows of the data belong to nobody who is claimed", place < 0)
            batch, place = batch.filter(pl.Series(place >= 0)), place[place >= 0]
            of_class = members.of_class[place]
            self._add("data", batch, of_class)
            # equal combinations have equal labels: each is looked at once
            fresh = ~seen[place] if key is None else np.ones(len(place), np.bool_)
            seen[place] = True
            self._pair(batch.filter(pl.Series(fresh)), of_class[fresh])
        self._count("claimed persons are not in the data", ~seen)
        if key is not None:
            self.persons = np.bincount(members.of_class[seen], minlength=len(self.persons))

    def read_release(self, released: Read) -> None:
        labels = self.claim.labels
        ids = _ids(labels, self.quasi)
        order = np.argsort(ids, kind="stable")
        classes = _Members(ids[order], order.astype(np.int32))
        self._count("claimed classes show the same labels", ids[order][1:] == ids[order][:-1])
        for batch in released([*self.quasi, *self.unchanged]):
            place = classes.places(_ids(batch, self.quasi))
            self._count("released rows show labels that nobody is claimed to have", place < 0)
            batch, place = batch.filter(pl.Series(place >= 0)), place[place >= 0]
            of_class = classes.of_class[place]
            self._add("release", batch, of_class)
            self._add_sensitive(batch, of_class)
        if self.plan.data.person is None:
            self.persons = self.rows["release"]

    def _members(self, key: str | None) -> _Members:
        ids, of_class = [np.empty(0, np.uint64)], [np.empty(0, np.int32)]
        for batch in self.claim.members():
            ids.append(_ids(batch, self.quasi) if key is None else _key_ids(batch[self.claim.who]))
            of_class.append(batch[self.claim.of_class].to_numpy().astype(np.int32))
        whole = np.concatenate(ids)
        order = np.argsort(whole, kind="stable")
        members = _Members(whole[order], np.concatenate(of_class)[order])
        twice = members.ids[1:] == members.ids[:-1]
        self._count("persons are claimed to be in two classes", twice & (np.diff(members.of_class) != 0))
        if key is not None:
            self._count("persons are claimed twice", twice)
        return _Members(members.ids[np.r_[True, ~twice]], members.of_class[np.r_[True, ~twice]])

    def _add(self, side: str, batch: pl.DataFrame, of_class: NDArray[np.int32]) -> None:
        self.rows[side] += np.bincount(of_class, minlength=len(self.rows[side]))
        if not self.unchanged:
            return
        for place, seed in enumerate(_SEEDS):
            np.add.at(self.cells[side][:, place], of_class, _ids(batch, self.unchanged, seed))

    def _pair(self, batch: pl.DataFrame, of_class: NDArray[np.int32]) -> None:
        """Which labels stand for which cells."""
        for name in self.quasi:
            labels = self.claim.labels[name].cast(pl.String).gather(of_class)
            pairs = pl.DataFrame({"label": labels, "cell": batch[name]}).unique()
            self.pairs[name].append(pairs)
            if len(self.pairs[name]) > 8:
                self.pairs[name] = [pl.concat(self.pairs[name]).unique()]

    def _add_sensitive(self, batch: pl.DataFrame, of_class: NDArray[np.int32]) -> None:
        missing = frozenset(self.plan.data.missing)
        for name in self.plan.named(Role.SENSITIVE):
            values = sensitive_cells(batch[name], self.plan.attributes[name], missing)
            counts = pl.DataFrame({"class": of_class, "value": values}).drop_nulls()
            counts = counts.group_by("class", "value").agg(pl.len().cast(pl.Int64).alias("persons"))
            if name in self.shown:
                both = pl.concat([self.shown[name], counts])
                counts = both.group_by("class", "value").agg(pl.col("persons").sum())
            self.shown[name] = counts

    def _count(self, what: str, bad: NDArray[np.bool_]) -> None:
        if bad.any():
            self.problems[what] = self.problems.get(what, 0) + int(bad.sum())

    # --- what follows -----------------------------------------------------------------------------

    def checks(self) -> list[Check]:
        differ = int((self.rows["data"] != self.rows["release"]).sum())
        problems = [f"{many:,} {what}" for what, many in self.problems.items()]
        problems += [f"{differ:,} classes have other numbers of rows than the data"] if differ else []
        rows = Check("rows", not problems, "; ".join(problems) or "every row of the data is released once")
        changed = int((self.cells["data"] != self.cells["release"]).any(axis=1).sum())
        same = f"cells of {changed:,} classes differ" if changed else "all other columns are as they came"
        untrue = self._untrue()
        said = f"labels that do not cover the original: {', '.join(untrue)}"
        truth = Check("truth", not untrue, said if untrue else "every label covers the original value")
        return [rows, Check("unchanged", not changed, same), truth]

    def _untrue(self) -> list[str]:
        missing, untrue = frozenset(self.plan.data.missing), []
        for name in self.quasi:
            attribute, tree = self.plan.attributes[name], self.claim.hierarchies.get(name)
            pairs = pl.concat(self.pairs[name]).unique()
            values = values_of(pairs["cell"].alias(name), attribute, missing, as_text=tree is not None)
            labels = coded(pairs["label"]).mapped(cell_text)
            starred = any(is_starred(label) for label in labels.values)  # nobody withholds a cell here
            if starred or len(untrue_labels(labels, values, attribute, tree)):
                untrue.append(f"'{name}'")
        return untrue

    def counted(self) -> Counted:
        there = np.flatnonzero(self.persons)
        number = np.cumsum(self.persons > 0) - 1
        held = {
            name: shown.with_columns(pl.Series("class", number[shown["class"].to_numpy()]))
            for name, shown in self.shown.items()
        }
        return Counted(self.persons[there], held)

    def certain(self, counted: Counted) -> list[Check]:
        """A remark for each sensitive column that no model is about."""
        limits = [
            getattr(registry.privacy_models.get(m.name), "limits_sensitive", None) for m in self.plan.privacy
        ]
        named = {
            m.parameters.get("attribute") for m, one in zip(self.plan.privacy, limits, strict=True) if one
        }
        remarks = []
        for name, held in counted.holders.items():
            if name in named or (None in named and len(counted.holders) == 1):
                continue
            alike = held.filter(
                pl.Series(held["persons"].to_numpy() == counted.persons[held["class"].to_numpy()])
            )
            detail = (
                f"no model is about the sensitive column '{name}'; its value is certain for "
                f"{int(alike['persons'].sum())} persons in {alike.height} of {len(counted.persons)} groups"
            )
            remarks.append(Check("certain", None, detail))
        return remarks


def _ids(batch: pl.DataFrame, columns: Sequence[str], seed: int = 0) -> Ids:
    """A number per row that follows from its cells in these columns, whatever kind of file they came from."""
    ids = np.full(batch.height, seed + 1, np.uint64)
    for name in columns:
        cells = batch[name] if batch[name].dtype == pl.String else batch[name].cast(pl.String)
        ids = (ids ^ (ids >> np.uint64(29))) * _ODD + cells.hash(seed=seed).to_numpy()
    return ids ^ (ids >> np.uint64(32))


def _key_ids(keys: pl.Series) -> Ids:
    """Of persons: blanks around a key do not count."""
    return _ids(keys.cast(pl.String).str.strip_chars(BLANKS).to_frame(), [keys.name])
