"""A release beside the earlier ones of the same people: what two of them tell together.

The owner's registry (`io/past_releases.py`) knows persons by keyed hashes only; here the persons of a draft
become such hashes and are looked up. What is counted holds for somebody who knows which of the releases a
person is in, and the person's group in each.

Reference   Ganta, Kasiviswanathan and Smith 2008 (composition attacks)
Guarantee   exact counts
Cost        O(persons log persons) per different set of releases that persons are in
Randomness  none
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.errors import PlanError
from heteronym.io.past_releases import PastRelease, Registry
from heteronym.io.plans import build_parts
from heteronym.io.values import text_cells
from heteronym.model.plan import Plan
from heteronym.model.release import Check
from heteronym.pipeline import Draft


@dataclass(frozen=True)
class Overlap:
    """People who are in earlier releases as well, and what all of them together tell about them."""

    releases: int  # earlier ones with some of these persons
    persons: int  # who are in one of them, too
    k: int  # smallest group that was promised
    narrowed: int  # persons whose common crowd is smaller
    smallest_crowd: int
    told: int  # persons with a sensitive value that is in both their groups alone, of several in each

    def to_dict(self) -> dict[str, int]:
        return dict(vars(self))

    def check(self) -> Check:
        """A remark: what was published cannot be called back, and the owner must decide."""
        if not self.persons:
            return Check("intersection", None, "nobody of this release is in an earlier one of the registry")
        detail = (
            f"{self.persons} persons are in {self.releases} earlier releases as well; who has all of them "
            f"narrows {self.narrowed} persons to fewer than {self.k} (the smallest crowd has "
            f"{self.smallest_crowd}), and learns a sensitive value of {self.told} that no release alone tells"
        )
        return Check("intersection", None, detail)


def check_registrable(plan: Plan) -> None:
    if plan.data.person is None:
        raise PlanError(
            "--registry: needs data.person; without a key nobody can be known again in a later release"
        )


def entry_of(draft: Draft, plan: Plan, registry: Registry, data: bytes) -> PastRelease:
    """What the registry keeps of a release; `data` is its data file."""
    check_registrable(plan)
    view, stays = draft.view, draft.partition.group >= 0
    first = np.zeros(view.persons, np.int64)
    first[view.person_of_row[::-1]] = np.arange(view.rows)[::-1]
    keys = text_cells(draft.dataset.frame[plan.data.person or ""], draft.dataset.missing)
    person = registry.hashes("person", keys.str.strip_chars().gather(first[stays]).to_list())
    group = _label_classes(draft)[draft.partition.group[stays]]
    owner, column, value = [], [], []
    for number, name in zip(
        registry.hashes("column", (one.name for one in view.sensitive)), view.sensitive, strict=True
    ):
        who, code = name.pairs()
        known = stays[who] & (code < name.domain.missing_code)
        class_of = np.full(view.persons, -1, np.int64)
        class_of[stays] = group
        shown = np.unique(np.stack([class_of[who[known]], code[known].astype(np.int64)], 1), axis=0)
        hashed = registry.hashes("value", (str(one) for one in name.domain.values))
        owner.append(shown[:, 0])
        column.append(np.full(len(shown), number, np.uint64))
        value.append(hashed[shown[:, 1]])
    return PastRelease(
        registry.name_of(data),
        _promised(plan),
        person,
        group,
        np.concatenate([np.zeros(0, np.int64), *owner]),
        np.concatenate([np.zeros(0, np.uint64), *column]),
        np.concatenate([np.zeros(0, np.uint64), *value]),
    )


def _label_classes(draft: Draft) -> NDArray[np.int64]:
    """Groups with equal labels are one to whoever reads the release."""
    labels = [draft.recoding.columns[column.name] for column in draft.view.columns]
    records = zip(*labels, strict=True) if labels else [()] * draft.partition.count
    number_of: dict[tuple[Any, ...], int] = {}
    return np.array([number_of.setdefault(one, len(number_of)) for one in records], np.int64)


def _promised(plan: Plan) -> int:
    own = [model for model in build_parts(plan).models if not hasattr(model, "population")]
    return max((getattr(model, "k", None) or model.least_persons for model in own), default=1)


def overlap_of(new: PastRelease, past: Sequence[PastRelease]) -> Overlap:
    """Beside the earlier releases, without an entry of this very release."""
    others = [one for one in past if one.name != new.name]
    before = [(one, one.groups_of(new.person)) for one in others]
    before = [(one, group) for one, group in before if (group >= 0).any()]
    common = np.zeros(len(new.person), np.bool_)
    is_revealed = np.zeros(len(new.person), np.bool_)
    for one, group in before:
        common |= group >= 0
        is_revealed |= values_revealed(new.group, group, _shown(new), _shown(one))
    crowd = common_crowds(new.group, [group for _, group in before])[common]
    k = min([new.k, *(one.k for one, _ in before)])
    narrowed = int((crowd < k).sum())
    smallest = int(crowd.min()) if len(crowd) else 0
    return Overlap(len(before), int(common.sum()), k, narrowed, smallest, int(is_revealed.sum()))


def _shown(release: PastRelease) -> Shown:
    shown: dict[tuple[int, int], set[int]] = {}
    columns = zip(
        release.value_group.tolist(), release.value_column.tolist(), release.value.tolist(), strict=True
    )
    for group, column, value in columns:
        shown.setdefault((group, column), set()).add(value)
    return {key: frozenset(values) for key, values in shown.items()}


def common_crowds(new: NDArray[Any], earlier: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    """Per person of a new release, how many of it share its groups there and wherever it was before.

    `new` is the group of each person, `earlier` that of the same person in each earlier release, -1 for who
    is not in it.
    """
    groups = np.stack([np.asarray(new, np.int64), *(np.asarray(one, np.int64) for one in earlier)], 1)
    there = groups >= 0
    crowd = np.zeros(len(groups), np.int64)
    for pattern in np.unique(there, axis=0):
        alike = (there[:, pattern]).all(1)  # in all those releases, and maybe in others
        _, number, sizes = np.unique(
            groups[np.ix_(alike, pattern)], axis=0, return_inverse=True, return_counts=True
        )
        of_alike = np.zeros(len(groups), np.int64)
        of_alike[alike] = sizes[number.ravel()]
        mine = (there == pattern).all(1)
        crowd[mine] = of_alike[mine]
    return crowd


Shown = Mapping[tuple[int, int], frozenset[int]]  # group and column -> values that the group shows


def values_revealed(
    new: NDArray[Any], earlier: NDArray[Any], shown: Shown, shown_before: Shown
) -> NDArray[np.bool_]:
    """Whose sensitive value two releases tell together: one value is in both groups, several in each."""
    both = np.flatnonzero(earlier >= 0)
    pairs, number = np.unique(np.stack([new[both], earlier[both]], 1), axis=0, return_inverse=True)
    columns = {column for _, column in shown} & {column for _, column in shown_before}
    is_revealed = np.zeros(len(pairs), np.bool_)
    for place, (now, before) in enumerate(pairs.tolist()):
        for column in columns:
            a, b = shown.get((now, column), frozenset()), shown_before.get((before, column), frozenset())
            is_revealed[place] |= len(a) > 1 and len(b) > 1 and len(a & b) == 1
    result = np.zeros(len(new), np.bool_)
    result[both] = is_revealed[number.ravel()] if len(both) else False
    return result
