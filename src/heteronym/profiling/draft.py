"""The draft plan: what is proposed for each column, with models and a method that fit the roles found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import yaml

from heteronym.assertions.schemas import Relation
from heteronym.model.in_words import InWords
from heteronym.model.plan import Join

_K = 5
_INSIDE = ("settings", "of_row")  # of a column, not told as they are
_OF_ROW = "; it differs between the rows of a person, so each row keeps a label of its own"
_SMALL = 3 * _K  # with fewer persons than this, five to a group would leave two groups


@dataclass(frozen=True)
class ColumnProfile:
    """What one column looks like, and what is proposed for it."""

    name: str
    scale: str
    role: str
    reason: str
    distinct: int
    missing: int
    cardinality: str  # between person and value
    settings: Mapping[str, Any] = field(default_factory=dict)  # further plan keys
    of_row: bool = False  # the rows of a person differ


@dataclass(frozen=True)
class Profile(InWords):
    """A first look at a table. `text` is a commented draft plan, `plan` the same as plain data."""

    source: str
    rows: int
    persons: int
    person: str | None
    person_candidates: tuple[tuple[str, str], ...]  # column, why
    columns: tuple[ColumnProfile, ...]
    unique: Mapping[int, Mapping[str, float]]  # number of columns -> {worst, mean} share of unique persons
    unique_on: Mapping[int, tuple[str, ...]]  # number of columns -> the worst combination
    entities: Mapping[str, Mapping[str, int]]  # text column -> entity type -> mentions in the sample
    risk: Mapping[str, Any] = field(default_factory=dict)  # over the quasi columns, before anything is done
    household: str | None = None  # columns that the caller named
    weight: str | None = None
    delimiter: str | None = None
    joins: tuple[Join, ...] = ()
    sheet: str | None = None  # which the caller chose
    relations: tuple[Relation, ...] = ()  # the tables, by whom their rows are about

    @property
    def plan(self) -> dict[str, Any]:
        counts_households = "items" not in self._roles and not self._is_joint
        data = {
            "person": self.person,
            "household": self.household if counts_households else None,
            "weight": self.weight,
            "sheet": self.sheet,
            "join": [_join(join) for join in self.joins] or None,
            "delimiter": None if self.delimiter == "," else self.delimiter,
        }
        given = {key: value for key, value in data.items() if value is not None}
        plan: dict[str, Any] = {"version": 1, **({"data": given} if given else {})}
        plan["attributes"] = {c.name: _settings(c) for c in self.columns}
        plan["privacy"] = self._models()
        plan["partition"] = {"method": "joint" if self._is_joint else "mondrian"}
        if self._is_joint and self._roles & {"text", "terms"}:
            plan["recode"] = {"terms": "generalize"}
        plan["seed"] = 0
        return plan

    @property
    def _roles(self) -> set[str]:
        return {column.role for column in self.columns}

    @property
    def _is_joint(self) -> bool:
        """Columns beside sets, texts or events."""
        return "quasi" in self._roles and bool(self._roles & {"items", "text", "terms", "event"})

    @property
    def _known_at_once(self) -> int:
        """One where something released as it is could tell which rows are one person's: how two labels lie
        over such rows is not counted, and `joint` refuses that."""
        return 1 if self.rows > self.persons and self._roles & {"plain", "sensitive"} else 2

    def with_events(self) -> Profile:
        """What belongs to the row becomes an event, where the model that knows events fits."""
        columns = [
            replace(c, role="event", reason=c.reason + _OF_ROW) if c.role == "quasi" and c.of_row else c
            for c in self.columns
        ]
        found = replace(self, columns=tuple(columns))
        return found if found._is_joint else self

    def _models(self) -> list[dict[str, Any]]:
        """Models that cover every role found; k-anonymity where there is nothing to cover."""
        roles = self._roles
        k = _K if self.persons >= _SMALL else 2
        models: list[dict[str, Any]] = []
        if self._is_joint:
            models.append({"model": "joint", "k": k, "m": self._known_at_once})
        elif "items" in roles:
            models.append({"model": "kkm-anonymity", "k": k, "m": 2})
        if not models or (roles & {"text", "terms"} and not self._is_joint):
            models.append({"model": "k-anonymity", "k": k})
        # two values in every group: the least that keeps a group from telling what all its members have
        models += [
            {"model": "l-diversity", "l": 2, "attribute": column.name}
            for column in self.columns
            if column.role == "sensitive" and column.distinct > 1 and column.missing < self.rows / 2
        ]
        return models

    def in_words(self, *, verbose: bool = False) -> str:
        """The draft plan with a comment per column."""
        lines = [
            f"# Draft plan for {_in_comment(self.source)}: {self.rows} rows, {self.persons} persons.",
            "# Read every line: roles are proposals, and the promise covers only what they say.",
        ]
        lines += [
            f"# {r.kind.capitalize()} by its names: {_in_comment(r.explanation, 300)}."
            for r in self.relations
        ]
        for count, shares in self.unique.items():
            names = ", ".join(_in_comment(name) for name in self.unique_on[count])
            lines.append(
                f"# Unique on {count} column{'s' if count > 1 else ''}: "
                f"{100 * shares['worst']:.1f} % of persons ({names}), {100 * shares['mean']:.1f} % on average"
            )
        lines += _risk_lines(self.risk)
        for name, why in self.person_candidates:
            lines.append(f"# Could be the person key: {_in_comment(name)} ({why})")
        plan = self.plan
        head = {key: plan[key] for key in ("version", "data") if key in plan}
        lines += yaml.safe_dump(head, sort_keys=False).splitlines()
        lines.append("attributes:")
        for column in self.columns:
            lines += [f"  # {column.reason}", _entry(column)]
        for name, found in self.entities.items():
            seen = ", ".join(f"{kind} {count}" for kind, count in sorted(found.items(), key=lambda f: -f[1]))
            lines.append(f"# Found in a sample of '{_in_comment(name)}': {seen or 'nothing'}")
        tail = {key: plan[key] for key in ("privacy", "partition", "recode", "seed") if key in plan}
        lines += yaml.safe_dump(tail, sort_keys=False).splitlines()
        return "\n".join(lines) + "\n"

    def to_dict(self) -> dict[str, Any]:
        columns = [
            {k: v for k, v in asdict(c).items() if k not in _INSIDE} | dict(c.settings) for c in self.columns
        ]
        return {
            "source": self.source,
            "rows": self.rows,
            "persons": self.persons,
            "person": self.person,
            "person_candidates": [{"column": c, "reason": why} for c, why in self.person_candidates],
            "columns": columns,
            "unique": {
                str(n): {**shares, "columns": list(self.unique_on[n])} for n, shares in self.unique.items()
            },
            "relations": [relation.to_dict() for relation in self.relations],
            "risk": dict(self.risk),
            "entities": {name: dict(found) for name, found in self.entities.items()},
            "plan": self.plan,
        }


def _join(join: Join) -> dict[str, Any]:
    """A join as people write it: one key is not a list."""
    written = join.model_dump(mode="json", exclude_defaults=True)
    keys = written["on"]
    return written | {"on": keys[0] if isinstance(keys, list) and len(keys) == 1 else keys}


def _entry(column: ColumnProfile) -> str:
    """A column's line in the plan; odd names take the lines that YAML needs for them."""
    settings = yaml.safe_dump(_settings(column), default_flow_style=True, sort_keys=False, width=10_000)
    key = yaml.safe_dump(column.name, width=10_000, allow_unicode=True).removesuffix("\n...\n").strip()
    if len(key) <= 100 and key.isprintable():
        return f"  {key}: {settings.strip()}"
    block = yaml.safe_dump({column.name: _settings(column)}, sort_keys=False)
    return "\n".join(f"  {line}" for line in block.splitlines())


def _settings(column: ColumnProfile) -> dict[str, Any]:
    settings: dict[str, Any] = {"role": column.role}
    if column.role in ("quasi", "sensitive", "event") and column.scale != "nominal":
        settings["scale"] = column.scale
    more = dict(column.settings)
    if column.role == "event":
        more.pop("recode", None)
    return settings | more


_RISKS = ("prosecutor", "journalist", "marketer", "singling_out", "linkability", "inference", "household")


def _in_comment(name: str, most: int = 60) -> str:
    """A name on one line, for people to read."""
    line = "".join(character if character.isprintable() else " " for character in name)
    return line if len(line) <= most else f"{line[: most - 1]}…"


def _risk_lines(risk: Mapping[str, Any]) -> list[str]:
    if not risk:
        return []
    found = risk["combinations"]
    figures = [f"{name.replace('_', ' ')} {risk[name]:.3g}" for name in _RISKS if name in risk]
    lines = [
        f"# Risk as it is: {', '.join(figures)}.",
        f"# {100 * risk['marketer']:.1f} % of persons would be matched by who knows all quasi columns, "
        f"{100 * risk['at_risk']:.1f} % hide among fewer than five.",
        f"# Alone on up to {found['largest']} columns: {found['singled_out']} persons, driven by "
        + ", ".join(f"{_in_comment(n)} ({100 * s:.0f} %)" for n, s in list(found["drivers"].items())[:3])
        + ".",
        f"# Special uniques: {found['special']} persons are alone on fewer columns than there are.",
    ]
    lines += [
        f"#   {one['persons']} by {', '.join(map(_in_comment, one['columns']))} and by no part of it"
        for one in found["combinations"][:3]
    ]
    for share, guess in risk["population"].items():
        lines.append(
            f"# If the data is {100 * float(share):g} % of a population, about {100 * guess['unique']:.1f} % "
            f"of that are unique in it, assuming that {guess['assumption']}."
        )
    return [*lines, *(f"# {part.strip()}" for part in risk["advice"].replace(". ", ".\n").split("\n"))]
