"""What comes out, what an auditor sees of it, and what is claimed about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from heteronym.model.in_words import InWords
from heteronym.model.schema import Attribute
from heteronym.model.sets import Sets

Unit = Literal["persons", "rows"]
_SAID = {
    True: "the promise holds",
    False: "the promise does not hold",
    None: "whether the promise holds cannot be told with what was given; the remarks say what is missing",
}


@dataclass(frozen=True, repr=False, eq=False)
class Matched:
    """A population beside a release: whom the labels of its groups may mean."""

    persons: NDArray[np.int64]  # of the population, by group
    likely: NDArray[np.float64]  # by its records: share of those meant who are released, over groups
    surely: NDArray[np.float64]  # the largest of these shares
    size: int  # of the population


@dataclass(frozen=True, repr=False, eq=False)
class Released:
    """A release as the auditor rebuilt it from the written files, in plain numbers.

    Rows with equal quasi columns form a group. `shown` lists per row the labels that a reader sees in
    it; `labels` says what each number means, as (attribute, kind, label). Kinds are `item` and `term`
    for entries of sets and for terms in texts, kept or generalized, `event` for the values of event columns,
    and for texts also `placeholder` (the label is the type) and `link` (a column's label in a text).
    """

    group_of_row: NDArray[np.int64]
    person_of_row: NDArray[np.int64]
    unit: Unit
    quasi: tuple[str, ...]
    shown: Sets
    labels: Sequence[tuple[str, str, str]]
    sensitive: Mapping[str, Any] = field(default_factory=dict)  # by row: texts, or lists of them
    sensitive_items: frozenset[tuple[str, str]] = frozenset()  # attribute and label
    times: NDArray[np.int64] | None = None  # beside `shown`, how often the row shows it; None: once
    general: frozenset[int] = frozenset()  # labels that stand in the place of something else somewhere
    term_columns: frozenset[str] = frozenset()  # whose entries are TYPE:term
    linking: NDArray[np.int64] | None = None  # equal where all that is released unchanged is equal
    population: Mapping[str, Matched] = field(default_factory=dict)  # by the file that a model names
    household_of_row: NDArray[np.int64] | None = None  # where the plan names one and the data is at hand
    weight_of_row: NDArray[np.float64] | None = None
    cells: Mapping[str, Mapping[str, int]] = field(default_factory=dict)  # per column: text -> rows
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    # mentions that stand as they stood, where somebody who knows the originals has looked: column, type, text
    standing: Mapping[tuple[str, str, str], int] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Released({len(self.group_of_row)} rows, quasi {list(self.quasi)}, counting {self.unit})"


@dataclass(frozen=True, repr=False, eq=False)
class Counted:
    """A release as an auditor counted it whose rows were not in memory: classes that show the same labels."""

    persons: NDArray[np.int64]  # of each class
    holders: Mapping[str, Any] = field(
        default_factory=dict
    )  # sensitive column -> frame: class, value, persons

    def __repr__(self) -> str:
        return f"Counted({int(self.persons.sum())} persons in {len(self.persons)} classes)"


@dataclass(frozen=True)
class ModelVerdict:
    """Whether one privacy model holds on what was written; None if that cannot be told."""

    model: str
    parameters: Mapping[str, Any]
    holds: bool | None
    smallest_group: int
    detail: str = ""


LANGUAGE = "language"  # the check whose remark stands on the first line of a verdict


@dataclass(frozen=True)
class Check:
    """One more thing the auditor looked at; `holds` is None for a mere remark."""

    name: str
    holds: bool | None
    detail: str


@dataclass(frozen=True)
class Verdict(InWords):
    """The auditor's word on a release: all models and all checks together."""

    unit: Unit
    models: tuple[ModelVerdict, ...]
    checks: tuple[Check, ...] = ()
    risk: Mapping[str, float] = field(default_factory=dict)  # as computed from what was written

    @property
    def holds(self) -> bool | None:
        """False if anything is broken, None if a promise cannot be told, True only if all of it was seen."""
        answers = [model.holds for model in self.models]
        if not answers or False in answers or any(check.holds is False for check in self.checks):
            return False
        return None if None in answers else True

    def in_words(self, *, verbose: bool = False) -> str:
        """What holds and what does not; `verbose` lists the checks that passed, too."""
        lines = []
        for model in self.models:
            parameters = ", ".join(f"{name} = {value}" for name, value in model.parameters.items())
            word = {True: "holds", False: "FAILS", None: "cannot be told"}[model.holds]
            least = f"smallest group {model.smallest_group} {self.unit}"
            lines.append(f"{model.model} ({parameters}): {word}, {least}")
            lines += [f"  {model.detail}"] if model.detail else []
        for check in self.checks:
            if check.holds is not True or verbose:
                word = {None: "remark", True: "passed", False: "FAILED"}[check.holds]
                lines.append(f"{word}: {check.name}: {check.detail}")
        if self.risk:
            figures = (f"{name.replace('_', ' ')} {figure:.4g}" for name, figure in self.risk.items())
            lines.append(f"risk that remains, counting {self.unit}: {', '.join(figures)}")
        return "\n".join([*lines, _SAID[self.holds]]) + "\n"

    def to_dict(self) -> dict[str, Any]:
        fields = asdict(self)
        return {
            "holds": self.holds,
            **fields,
            "models": list(fields["models"]),
            "checks": list(fields["checks"]),
        }
