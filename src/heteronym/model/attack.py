"""What an attacker has, what it knows, and what it got out of a release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from heteronym.model.hierarchy import Hierarchy
from heteronym.model.plan import Plan

if TYPE_CHECKING:
    import polars as pl

# the three ways in which anonymization can fail (Article 29 Data Protection Working Party, opinion 05/2014)
Threat = Literal["singling-out", "linkability", "inference"]


@dataclass(frozen=True, repr=False, eq=False)
class ReleasedTable:
    """The files of a release, and with the owner's help who is who in them."""

    frame: pl.DataFrame
    plan: Plan
    person: NDArray[np.int64] | None = None  # of each released row; None: nobody can tell
    source_row: NDArray[np.int64] | None = None  # the original row of each released one

    def __repr__(self) -> str:
        return f"ReleasedTable({self.frame.height} rows, columns {self.frame.columns})"


@dataclass(frozen=True, repr=False, eq=False)
class Earlier:
    """Who was in which group of an earlier release."""

    group: NDArray[np.int64]  # of each original row's person, -1 for who was not in it
    k: int  # smallest group that was promised


@dataclass(frozen=True, repr=False, eq=False)
class Knowledge:
    """What the attacker knows: the original data, and whatever else lies about."""

    frame: pl.DataFrame
    person: NDArray[np.int64]  # of each original row, numbered as in ReleasedTable.person
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    missing: frozenset[str] = frozenset()
    control: pl.DataFrame | None = None  # people like those in the release, who are not in it
    other: ReleasedTable | None = None  # another release of the same people
    earlier: tuple[Earlier, ...] = ()  # further ones, of which only the owner's registry knows

    def __repr__(self) -> str:
        return f"Knowledge({self.frame.height} rows)"


@dataclass(frozen=True)
class AttackResult:
    """Who could be matched, how surely, and whether that is more than was promised.

    `holds` is None where no model of the plan promises anything against this attack.
    """

    attack: str
    threat: Threat
    targets: int  # persons that were tried; rows where nobody can tell persons; conditions for singling out
    matched: int  # of them: those about whom the attacker learned more than `bound` allows
    certainty: float  # how sure the attacker is about the one it knows best
    bound: float | None  # how sure the promise lets it be
    holds: bool | None
    detail: str
    figures: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def idle(cls, attack: str, threat: Threat, why: str) -> AttackResult:
        """There is nothing to attack."""
        return cls(attack, threat, 0, 0, 0.0, None, None, why)

    @property
    def tried(self) -> bool:
        return self.targets > 0

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)
