"""What the plans that were tried would leave of the data, and which of them is proposed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from heteronym.profiling.purposes import RANKS, Setup

_SHARES = ("words", "items", "cells")


@dataclass(frozen=True)
class Left:
    """What is left of one column: different labels and values, and the share that its labels still tell."""

    labels: int
    values: int
    kept: float

    @property
    def is_one_label(self) -> bool:
        return self.labels < 2 <= self.values


@dataclass(frozen=True)
class Outcome:
    """One plan on the sample: shares that are kept, from 0 to 1; None where there is no such data."""

    setup: Setup
    words: float | None = None
    items: float | None = None
    cells: float | None = None
    columns: Mapping[str, Left] = field(default_factory=dict)
    refused: str = ""

    @property
    def shares(self) -> dict[str, float]:
        return {name: share for name in _SHARES if (share := getattr(self, name)) is not None}

    def is_enough(self, enough: Mapping[str, float]) -> bool:
        return not self.refused and all(share >= enough[name] for name, share in self.shares.items())

    def single(self) -> list[str]:
        return [name for name, left in self.columns.items() if left.is_one_label]

    def to_dict(self) -> dict[str, Any]:
        told = {"promise": self.setup.promise, "search": self.setup.told}
        if self.refused:
            return {**told, "refused": self.refused}
        shares = {name: round(share, 3) for name, share in self.shares.items()}
        return {**told, **shares, "one_label": self.single()}


@dataclass(frozen=True)
class Trial:
    """What was tried on which persons, and what is proposed."""

    outcomes: tuple[Outcome, ...]
    chosen: int
    persons: int  # of the sample
    of: int
    enough: Mapping[str, float]

    @property
    def proposed(self) -> Outcome:
        return self.outcomes[self.chosen]

    @property
    def is_useful(self) -> bool:
        return self.proposed.is_enough(self.enough)

    def in_lines(self) -> Iterator[str]:
        """The table of all plans, and what is not promised."""
        if self.persons < self.of:
            sample = f"{self.persons:,} of {self.of:,} persons, in smaller groups as there are fewer"
        else:
            sample = f"all {self.of:,} persons"
        yield f"Tried on {sample}. Shares that would be left, before the audit:"
        yield f"  {'whoever knows ... meets at least so many persons':<66} {'search':<11} words items cells"
        for number, outcome in enumerate(self.outcomes):
            mark = ">" if number == self.chosen else " "
            shares = " ".join(
                "    -" if share is None else f"{share:5.2f}"
                for share in (outcome.words, outcome.items, outcome.cells)
            )
            shares = "refused" if outcome.refused else shares
            yield f"{mark} {_short(outcome.setup.promise):<66} {outcome.setup.told or '-':<11} {shares}"
        wanted = ", ".join(f"{name} {self.enough[name]:.2f}" for name in self.proposed.shares)
        if self.is_useful:
            yield f"The strongest promise that leaves enough to work with ({wanted}) is proposed."
        else:
            yield f"NO PLAN LEAVES ENOUGH ({wanted}): the one that comes nearest is proposed."
        yield from _not_promised(self.proposed.setup)

    def to_dict(self) -> dict[str, Any]:
        return {
            "persons": self.persons,
            "of": self.of,
            "enough": dict(self.enough),
            "useful": self.is_useful,
            "chosen": self.chosen,
            "tried": [outcome.to_dict() for outcome in self.outcomes],
            "left": {
                name: {"labels": left.labels, "values": left.values, "kept": round(left.kept, 3)}
                for name, left in self.proposed.columns.items()
            },
        }


def _short(promise: str) -> str:
    return promise if len(promise) <= 66 else promise[:63] + "..."


def _not_promised(setup: Setup) -> Iterator[str]:
    if setup.rank == "items":
        yield "Not promised: that words of a text beside the columns lead to nobody."
    elif setup.rank == "separate":
        yield "Not promised: that items or words of a text beside the columns lead to nobody."
    elif setup.known == 1:
        yield "Not promised: that two items, events or terms beside the columns lead to nobody."
    if setup.only:
        yield "Not promised: anything about times, amounts and other types of terms; they stay as they are."
    yield "Never promised: what a way of writing, or a story that only one person has, tells."


def choose(outcomes: Sequence[Outcome], enough: Mapping[str, float]) -> int:
    """The best plan of the strongest promise that leaves enough; else the plan that comes nearest."""
    done = [number for number, outcome in enumerate(outcomes) if not outcome.refused]
    if not done:
        return 0

    def quality(number: int) -> tuple[int, float]:
        outcome = outcomes[number]
        shares = list(outcome.shares.values()) or [1.0]
        return -len(outcome.single()), sum(shares) / len(shares)

    def nearness(number: int) -> float:
        shares = outcomes[number].shares
        return min((share / enough[name] for name, share in shares.items()), default=1.0)

    for rank, known in _promises(outcomes):
        able = [
            n
            for n in done
            if (outcomes[n].setup.rank, outcomes[n].setup.known) == (rank, known)
            and outcomes[n].is_enough(enough)
        ]
        if able:
            return max(able, key=quality)
    return max(done, key=nearness)


def _promises(outcomes: Sequence[Outcome]) -> list[tuple[str, int]]:
    given = {(outcome.setup.rank, outcome.setup.known) for outcome in outcomes}
    return sorted(given, key=lambda promise: (RANKS.index(promise[0]), -promise[1]))
