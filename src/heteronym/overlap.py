"""A release beside the earlier ones of the same people: what two of them tell together.

The owner's registry (`io/past_releases.py`) knows persons by keyed hashes only; here the persons of a draft
become such hashes, are looked up, and counted with `risk/crowds.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
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
from heteronym.risk.crowds import Shown, common_crowds, values_revealed


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
    found: dict[tuple[int, int], set[int]] = {}
    columns = zip(
        release.value_group.tolist(), release.value_column.tolist(), release.value.tolist(), strict=True
    )
    for group, column, value in columns:
        found.setdefault((group, column), set()).add(value)
    return {key: frozenset(values) for key, values in found.items()}
