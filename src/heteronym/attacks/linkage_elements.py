"""Who knows a few items or terms of a target looks for the persons whose labels may stand for them.

Reference   Terrovitis et al. 2008
Guarantee   finds a target if the elements it draws, the rarest ones first, fit fewer persons than promised
Cost        O(targets * elements of a target * persons)
Randomness  which targets are tried, and some of the elements
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from heteronym.attacks._elements import link_by_elements
from heteronym.contracts import Rng
from heteronym.model.attack import AttackResult, Knowledge, ReleasedTable, Threat
from heteronym.registry import attacks


@attacks.register("linkage-elements")
@dataclass(frozen=True)
class LinkageByElements:
    """Knows some items or terms of the target, and no column."""

    threat: ClassVar[Threat] = "linkability"
    name: ClassVar[str] = "linkage-elements"
    with_columns: ClassVar[bool] = False

    targets: int = field(default=1000, metadata={"help": "persons that are tried", "min": 1})
    known: int | None = field(
        default=None,
        metadata={"help": "elements known of each target; left out: as many as a model bounds", "min": 1},
    )

    def attack(self, release: ReleasedTable, knowledge: Knowledge, *, rng: Rng) -> AttackResult:
        return link_by_elements(
            self.name,
            release,
            knowledge,
            with_columns=self.with_columns,
            targets=self.targets,
            known=self.known,
            rng=rng,
        )
