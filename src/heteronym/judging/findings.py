"""What a judgement says: findings by row and column, how far crowds go, and what was not looked at.

Nothing here holds a value of a cell or a word of a text: reports travel. Whom a finding is about stands in
`persons`, which only the owner's file shows.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from heteronym.errors import row_list
from heteronym.model.in_words import InWords

NOTHING, FOUND, CANNOT_TELL = 0, 1, 3  # exit codes
_ROWS_TOLD = 1000  # row numbers of a finding that a report names


@dataclass(frozen=True)
class Finding:
    """One kind of leak in one place: a column, or a column and the texts beside it."""

    kind: str
    columns: tuple[str, ...]
    rows: tuple[int, ...] = ()  # released rows, counted from 1
    persons: int = 0
    detail: str = ""
    counts: bool = True  # whether it fails the release; otherwise it is a remark

    @property
    def said(self) -> Mapping[str, Any]:
        """Title, why it matters, and what to do about it."""
        said: Mapping[str, Any] = wording()["kinds"][self.kind]
        return said

    @property
    def rank(self) -> tuple[bool, int, int]:
        """Most important first."""
        return (not self.counts, int(self.said["rank"]), -self.persons)

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "title": self.said["title"],
            "columns": list(self.columns),
            "rows": list(self.rows[:_ROWS_TOLD]),
            "rows_in_all": len(self.rows),
            "persons": self.persons,
            "detail": self.detail,
            "advice": self.said["advice"],
            "counts": self.counts,
        }


@dataclass(frozen=True)
class Level:
    """How many persons could be behind a row for one attacker."""

    name: str  # columns | items | words
    m: int  # pieces that the attacker knows beside the columns
    smallest: (
        int | None
    )  # persons behind the row that the fewest fit; None: there is nothing to know, or k or more
    alone: int  # persons who are the only one
    below: int  # persons among fewer than k
    is_judged: bool = True

    def to_dict(self) -> dict[str, Any]:
        return {
            "attacker": self.name,
            "m": self.m,
            "smallest": self.smallest,
            "alone": self.alone,
            "below_k": self.below,
            "is_judged": self.is_judged,
        }


@dataclass(frozen=True, repr=False)
class Judgement(InWords):
    """All that was found in a release that anybody made."""

    k: int
    m: int
    rows: int
    persons: int
    matched: Mapping[str, Any]
    levels: tuple[Level, ...]
    findings: tuple[Finding, ...]
    not_looked_at: tuple[str, ...]
    columns: Mapping[str, Mapping[str, Any]]
    roles: Mapping[str, str] = field(default_factory=dict)  # of the data's columns, by the plan
    plan: str = ""  # the plan that it was judged by, as text, where it was proposed
    who: Mapping[str, Sequence[int]] = field(default_factory=dict)  # original rows (from 1), for the owner

    @property
    def is_sound(self) -> bool | None:
        """True: nothing found at this k. False: something was. None: it cannot be told."""
        if any(one.counts for one in self.findings):
            return False
        return None if self.matched["cannot_tell"] else True

    @property
    def exit_code(self) -> int:
        return {True: NOTHING, False: FOUND, None: CANNOT_TELL}[self.is_sound]

    @property
    def verdict(self) -> str:
        said = wording()["verdicts"]
        return str(said[{True: "sound", False: "leaks", None: "cannot_tell"}[self.is_sound]]).format(k=self.k)

    def smallest(self, name: str, m: int) -> int | None:
        """The crowd that an attacker is left with at worst; None: at least k, or nothing to know."""
        return next((one.smallest for one in self.levels if (one.name, one.m) == (name, m)), None)

    def to_dict(self) -> dict[str, Any]:
        return {
            "sound": self.is_sound,
            "verdict": self.verdict,
            "k": self.k,
            "m": self.m,
            "rows": self.rows,
            "persons": self.persons,
            "matched": dict(self.matched),
            "attackers": [one.to_dict() for one in self.levels],
            "findings": [one.to_dict() for one in self.findings],
            "not_looked_at": list(self.not_looked_at),
            "roles": dict(self.roles),
            "columns": {name: dict(one) for name, one in self.columns.items()},
        }

    def in_words(self, *, verbose: bool = False) -> str:
        """The verdict, what each attacker gets, and the findings, most important first."""
        lines = [self.verdict, f"rows: {matched_in_words(self.matched)}"]
        for level in self.levels:
            lines.append(f"  {level_in_words(level, self.k)}")
        for one in self.findings:
            mark = "LEAK" if one.counts else "note"
            where = ", ".join(one.columns)
            at = f", {row_list(one.rows)}" if one.rows else ""
            lines.append(f"{mark}  {one.said['title']}: {where}{at}")
            lines += [f"      {one.detail}"] if one.detail else []
            lines += [f"      do: {one.said['advice']}"] if one.counts or verbose else []
        if verbose or self.is_sound is None:
            lines += [f"not looked at: {said}" for said in self.not_looked_at]
        return "\n".join(lines) + "\n"

    def __repr__(self) -> str:
        return f"Judgement({len(self.findings)} findings, sound: {self.is_sound})"


def level_in_words(level: Level, k: int) -> str:
    """What one attacker gets."""
    told = wording()["attackers"][level.name].format(m=level.m, s="" if level.m == 1 else "s")
    if level.smallest is None:
        return f"who knows {told}: there is nothing of the kind"
    crowd = f"at least {level.smallest}" if level.smallest >= k else str(level.smallest)
    rest = f"; {level.alone} alone, {level.below} among fewer than {k}" if level.below else ""
    judged = "" if level.is_judged else " (not counted: more than the plan's attacker knows)"
    return f"who knows {told}: {crowd} person{'' if crowd == '1' else 's'} behind a row{rest}{judged}"


def matched_in_words(matched: Mapping[str, Any]) -> str:
    by = f" ({matched['by']})" if matched["by"] else ""
    if not matched["sure"]:
        return f"none of {matched['rows']} could be matched with the data{by}"
    return f"{matched['sure']} of {matched['rows']} matched with the data by {matched['how']}{by}"


@cache
def wording() -> dict[str, Any]:
    return tomllib.loads(files("heteronym.judging").joinpath("wording.toml").read_text("utf-8"))
