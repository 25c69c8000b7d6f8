"""The draft plan: what is proposed for each column, with models and a method that fit the roles found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import yaml

from heteronym.assertions.schemas import Relation
from heteronym.errors import UsageError
from heteronym.model.in_words import InWords
from heteronym.model.plan import Join
from heteronym.profiling.purposes import Setup, purpose_called
from heteronym.profiling.trial import Trial
from heteronym.text.entity_types import DIRECT

_SECTIONS = (
    ("what others may know of a person, and of a row", ("quasi", "event")),
    ("free text, and sets of items and terms", ("text", "items", "terms")),
    ("released as it is, and protected from being certain of somebody", ("sensitive",)),
    ("released as it is, protected by nothing: look at each", ("plain",)),
    ("left out, and masked in texts", ("identifier",)),
)
_TAIL = ("text", "privacy", "partition", "recode", "release", "seed")
_HALF = 0.5  # of a column or of the words, below which the draft says what would help
_HELP = {
    "quasi": "What would help: leave it out (identifier), a hierarchy, weight: 3, or a smaller k.",
    "event": "What would help: leave it out (identifier), weight: 3, m: 1, or a smaller k.",
    "items": "What would help: m: 1, a hierarchy of the items, a larger partition.delta, or a smaller k.",
    "text": "What would help: m: 1, a larger partition.delta, fewer types in text.entities, or a smaller k.",
    "terms": "What would help: m: 1, a larger partition.delta, or a smaller k.",
}
_INSIDE = ("settings", "of_row")  # of a column, not told as they are
_OF_ROW = "; it differs between the rows of a person, so each row keeps a label of its own"


_AS_EVER = Setup("joint-1", 5, 1)


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
    table: str | None = None  # of a database, as the caller named it
    query: str | None = None
    question: str | None = None  # what the owner should answer first
    decimal: str | None = None  # the sign of decimals, where numbers are not plain
    missing: tuple[str, ...] = ()  # cells that stand for a missing value
    setup: Setup = _AS_EVER  # what is promised, and how groups are searched
    purpose: str | None = None
    trial: Trial | None = None
    previewed: Any = field(default=None, repr=False, compare=False)  # of the trial; holds personal data
    relations: tuple[Relation, ...] = ()  # the tables, by whom their rows are about

    @property
    def plan(self) -> dict[str, Any]:
        counts_households = "items" not in self.roles and not self._is_joint
        data = {
            "person": self.person,
            "household": self.household if counts_households else None,
            "weight": self.weight,
            "sheet": self.sheet,
            "table": self.table,
            "query": self.query,
            "join": [_join(join) for join in self.joins] or None,
            "decimal": self.decimal,
            "missing": list(self.missing) or None,
            "delimiter": None if self.delimiter == "," else self.delimiter,
        }
        given = {key: value for key, value in data.items() if value is not None}
        plan: dict[str, Any] = {"version": 1, **({"data": given} if given else {})}
        plan["attributes"] = {c.name: _settings(c, events=self._is_joint) for c in self.columns}
        if self.setup.masked and "text" in self.roles:
            plan["text"] = self._of_texts()
        plan["privacy"] = self._models()
        plan["partition"] = {"method": "joint" if self._is_joint else "mondrian"}
        if self._is_joint and self.setup.delta is not None:
            plan["partition"]["delta"] = self.setup.delta
        if self.roles & {"text", "terms"} and (self._is_joint or self.setup.masked):
            plan["recode"] = {"terms": "generalize"}
        if self.setup.release:
            plan["release"] = dict(self.setup.release)
        plan["seed"] = 0
        return plan

    def _of_texts(self) -> dict[str, Any]:
        """Names are masked always; which types of terms count."""
        found: dict[str, Any] = {"direct": sorted({*DIRECT, *self.setup.masked})}
        if self.setup.only:
            found["entities"] = list(self.setup.only)
        return found

    @property
    def roles(self) -> set[str]:
        return {column.role for column in self.columns}

    @property
    def _is_joint(self) -> bool:
        """Columns beside sets, texts or events."""
        return self.setup.is_joint and self.could_be_joint

    @property
    def could_be_joint(self) -> bool:
        return "quasi" in self.roles and bool(self.roles & {"items", "text", "terms", "event"})

    @property
    def could_link_rows(self) -> bool:
        """Whether something released as it is could tell which rows are one person's: how two labels lie over
        such rows is not counted, and `joint` refuses to promise more than one."""
        return self.rows > self.persons and bool(self.roles & {"plain", "sensitive"})

    def preview(self) -> Any:
        """Five rows before and after, and what would be left of each column."""
        if self.previewed is None:
            raise UsageError("there is nothing to preview: no plan was tried, or none could be carried out")
        return self.previewed

    def with_events(self) -> Profile:
        """What belongs to the row becomes an event, where the model that knows events fits."""
        columns = [
            replace(c, role="event", reason=c.reason + _OF_ROW) if c.role == "quasi" and c.of_row else c
            for c in self.columns
        ]
        if "quasi" not in {c.role for c in columns} and any(c.of_row for c in columns):
            # `joint` cuts on columns: the one with fewest values stays one
            fewest = min((c for c in columns if c.of_row), key=lambda c: c.distinct)
            columns = [
                next(o for o in self.columns if o.name == c.name) if c is fewest else c for c in columns
            ]
        found = replace(self, columns=tuple(columns))
        return found if found.could_be_joint else self

    def _models(self) -> list[dict[str, Any]]:
        """Models that cover every role found; k-anonymity where there is nothing to cover."""
        roles, k = self.roles, self.setup.k
        models: list[dict[str, Any]] = []
        if self._is_joint:
            models.append({"model": "joint", "k": k, "m": self.setup.known})
        elif "items" in roles:
            model = "km-anonymity" if self.setup.rank == "separate" else "kkm-anonymity"
            models.append({"model": model, "k": k, "m": self.setup.known})
        beside = roles & {"text", "terms"} or self.setup.rank == "separate"
        if not models or (beside and not self._is_joint):
            models.append({"model": "k-anonymity", "k": k})
        # two values in every group: the least that keeps a group from telling what all its members have
        models += [
            {"model": "l-diversity", "l": 2, "attribute": column.name}
            for column in self.columns
            if column.role == "sensitive" and column.distinct > 1 and column.missing < self.rows / 2
        ]
        return models

    def in_words(self, *, verbose: bool = False) -> str:
        """The draft plan: what it is about, what was tried, and every column with the reason for its role."""
        lines = [f"# {line}" for line in self._head(verbose=verbose)]
        plan = self.plan
        head = {key: plan[key] for key in ("version", "data") if key in plan}
        lines += yaml.safe_dump(head, sort_keys=False, allow_unicode=True).splitlines()
        lines.append("attributes:")
        for title, roles in _SECTIONS:
            columns = [column for column in self.columns if column.role in roles]
            if columns:
                lines.append(f"  # --- {title}")
            for column in columns:
                lines += [f"  # {note}" for note in self._notes(column)]
                lines.append(_entry(column.name, plan["attributes"][column.name]))
        for name, found in self.entities.items():
            seen = ", ".join(f"{kind} {count}" for kind, count in sorted(found.items(), key=lambda f: -f[1]))
            lines.append(f"# Found in a sample of '{_in_comment(name)}': {seen or 'nothing'}")
        tail = {key: plan[key] for key in _TAIL if key in plan}
        lines += yaml.safe_dump(tail, sort_keys=False, width=110, default_flow_style=None).splitlines()
        return "\n".join(lines) + "\n"

    def _head(self, *, verbose: bool) -> Iterator[str]:
        if self.question is not None:
            yield f"QUESTION: {_in_comment(self.question, 400)}"
        yield f"Draft plan for {_in_comment(self.source)}: {self.rows} rows, {self.persons} persons."
        if self.purpose is not None:
            yield f"For {self.purpose}: {purpose_called(self.purpose).about}."
        yield "Read every line: roles are proposals, and the promise covers only what they say."
        if self.trial is not None:
            yield from self.trial.in_lines()
        for relation in self.relations:
            if relation.private:  # that nobody is meant cannot be said from names of columns alone
                yield f"{relation.kind.capitalize()} by its names: {_in_comment(relation.explanation, 300)}."
        for count, shares in self.unique.items():
            names = ", ".join(_in_comment(name) for name in self.unique_on[count])
            yield (
                f"Unique on {count} column{'s' if count > 1 else ''}: "
                f"{100 * shares['worst']:.1f} % of persons ({names}), {100 * shares['mean']:.1f} % on average"
            )
        yield from (line.removeprefix("# ") for line in _risk_lines(self.risk))
        for name, why in self.person_candidates:
            yield f"Could be the person key: {_in_comment(name)} ({why})"

    def _notes(self, column: ColumnProfile) -> Iterator[str]:
        """Why a column has its role, and what would be left of it."""
        yield column.reason
        left = None if self.trial is None else self.trial.proposed.columns.get(column.name)
        if left is None or column.role in ("plain", "sensitive", "identifier"):
            return
        what = {"text": "of the words", "items": "of the items"}.get(column.role, "of what it tells")
        labels = f", {left.labels} different labels" if column.role in ("quasi", "event") else ""
        if left.is_one_label:
            yield f"WARNING: one label for everybody is left. {_HELP[column.role]}"
        elif left.kept < _HALF:
            yield f"WARNING: {100 * left.kept:.0f} % {what} would be left{labels}. {_HELP[column.role]}"
        else:
            yield f"{100 * left.kept:.0f} % {what} would be left{labels}"

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
            "question": self.question,
            "purpose": self.purpose,
            "trial": None if self.trial is None else self.trial.to_dict(),
            "entities": {name: dict(found) for name, found in self.entities.items()},
            "plan": self.plan,
        }


def _join(join: Join) -> dict[str, Any]:
    """A join as people write it: one key is not a list."""
    written = join.model_dump(mode="json", exclude_defaults=True)
    keys = written["on"]
    return written | {"on": keys[0] if isinstance(keys, list) and len(keys) == 1 else keys}


def _entry(name: str, given: Mapping[str, Any]) -> str:
    """A column's line in the plan; odd names take the lines that YAML needs for them."""
    settings = yaml.safe_dump(given, default_flow_style=True, sort_keys=False, width=10_000)
    key = yaml.safe_dump(name, width=10_000, allow_unicode=True).removesuffix("\n...\n").strip()
    if len(key) <= 100 and key.isprintable():
        return f"  {key}: {settings.strip()}"
    block = yaml.safe_dump({name: given}, sort_keys=False)
    return "\n".join(f"  {line}" for line in block.splitlines())


def _settings(column: ColumnProfile, *, events: bool = True) -> dict[str, Any]:
    """`events`: whether the plan's model knows values of rows; else they are values of the person."""
    role = "quasi" if column.role == "event" and not events else column.role
    settings: dict[str, Any] = {"role": role}
    if column.role in ("quasi", "sensitive", "event") and column.scale != "nominal":
        settings["scale"] = column.scale
    more = dict(column.settings)
    if role == "event":
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
        f"# {found['singled_out']} persons can be singled out by at most {found['largest']} columns, "
        "most often with "
        + ", ".join(f"{_in_comment(n)} ({100 * s:.0f} %)" for n, s in list(found["drivers"].items())[:3])
        + ".",
        f"# {found['special']} persons can be singled out by only some of the columns.",
    ]
    lines += [
        f"#   {one['persons']} by {', '.join(map(_in_comment, one['columns']))}, all of these needed"
        for one in found["combinations"][:3]
    ]
    for share, guess in risk["population"].items():
        lines.append(
            f"# If the data is {100 * float(share):g} % of a population, about {100 * guess['unique']:.1f} % "
            f"of that are unique in it, assuming that {guess['assumption']}."
        )
    return [*lines, *(f"# {part.strip()}" for part in risk["advice"].replace(". ", ".\n").split("\n"))]
