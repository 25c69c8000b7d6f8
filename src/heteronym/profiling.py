"""Looks at a table and proposes a plan: scale and role per column with the reason, person keys, uniqueness.

Proposals follow the cardinality between persons and values: a value that leads to one person points
to an identifier, a value that many share to a quasi-identifier. The owner decides; what is shown
are column names, counts and shares, never a value.

Cost        O(n log n) per column, plus O(n log n) for each of at most 120 column combinations
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import polars as pl
import yaml

from heteronym.errors import InputError, UsageError, nearest
from heteronym.io.sets import holds_json_lists
from heteronym.io.tables import Table
from heteronym.io.values import DATE_FORMATS, comparable_cells, numbers, parse_days, text_cells
from heteronym.model.plan import TextPlan

_ID_NAME = re.compile(
    r"(^|[_\W])(id|uid|guid|key|ssn|nr|no|number|code|pid|mrn|record|rid|tid)([_\W]|$)|_?id$", re.I
)
_PERSON_NAME = re.compile(
    r"person|patient|user|customer|client|member|author|blogger|respondent|^id$|^rid$|^pid$", re.I
)
_NAMES = re.compile(
    r"(^|[_\W])(name|surname|firstname|lastname|first_name|last_name|fullname)([_\W]|$)", re.I
)
_SENSITIVE = re.compile(r"salary|income|diagnos|disease|wage|hiv|religion|politic|sexual|verdict|grade", re.I)
_CONTENT = {
    "mail addresses": re.compile(r"[^@\s]+@[^@\s]+\.[a-zA-Z]{2,}"),
    "web addresses": re.compile(r"(https?://|www\.)\S+"),
    "IP addresses": re.compile(r"\d{1,3}(\.\d{1,3}){3}"),
    "phone numbers": re.compile(r"\+?\d[\d ()/.-]{7,}\d"),
}
_POSTCODE_NAME = re.compile(r"zip|postcode|postal|plz", re.I)
_SEPARATORS = ("|", ";", ",", " ")
_SAMPLE = 2_000
_MOST_COLUMNS = 10  # for combinations: 10 columns have 120 triples


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


@dataclass(frozen=True)
class Profile:
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
    delimiter: str | None = None

    @property
    def plan(self) -> dict[str, Any]:
        data: dict[str, Any] = {}
        if self.person is not None:
            data["person"] = self.person
        if self.delimiter not in (None, ","):
            data["delimiter"] = self.delimiter
        plan: dict[str, Any] = {"version": 1}
        if data:
            plan["data"] = data
        plan["attributes"] = {c.name: _settings(c) for c in self.columns}
        items = any(c.role == "items" for c in self.columns)
        model = {"model": "kkm-anonymity", "k": 5, "m": 2} if items else {"model": "k-anonymity", "k": 5}
        plan["privacy"] = [model]
        plan["partition"] = {"method": "rum-bound", "delta": 0.65} if items else {"method": "mondrian"}
        plan["seed"] = 0
        return plan

    @property
    def text(self) -> str:
        """The draft plan with a comment per column."""
        lines = [
            f"# Draft plan for {_in_comment(self.source)}: {self.rows} rows, {self.persons} persons.",
            "# Read every line: roles are proposals, and the promise covers only what they say.",
        ]
        for count, shares in self.unique.items():
            names = ", ".join(_in_comment(name) for name in self.unique_on[count])
            lines.append(
                f"# Unique on {count} column{'s' if count > 1 else ''}: "
                f"{100 * shares['worst']:.1f} % of persons ({names}), {100 * shares['mean']:.1f} % on average"
            )
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
        tail = {key: plan[key] for key in ("privacy", "partition", "seed")}
        lines += yaml.safe_dump(tail, sort_keys=False).splitlines()
        return "\n".join(lines) + "\n"

    def to_dict(self) -> dict[str, Any]:
        return {
            "source": self.source,
            "rows": self.rows,
            "persons": self.persons,
            "person": self.person,
            "person_candidates": [{"column": c, "reason": why} for c, why in self.person_candidates],
            "columns": [
                {
                    "name": c.name,
                    "scale": c.scale,
                    "role": c.role,
                    "reason": c.reason,
                    "distinct": c.distinct,
                    "missing": c.missing,
                    "cardinality": c.cardinality,
                    **c.settings,
                }
                for c in self.columns
            ],
            "unique": {
                str(n): {**shares, "columns": list(self.unique_on[n])} for n, shares in self.unique.items()
            },
            "entities": {name: dict(found) for name, found in self.entities.items()},
            "plan": self.plan,
        }


def _in_comment(name: str) -> str:
    """A name on one line, for people to read."""
    line = "".join(character if character.isprintable() else " " for character in name)
    return line if len(line) <= 60 else f"{line[:59]}…"


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
    if column.role in ("quasi", "sensitive") and column.scale != "nominal":
        settings["scale"] = column.scale
    return settings | dict(column.settings)


def look_at(table: Table, *, person: str | None = None, with_entities: bool = True) -> Profile:
    frame = table.frame
    if person is not None and person not in frame.columns:
        raise UsageError(f"no column '{person}' in {table.source}.{nearest(person, frame.columns)}")
    cells = {name: _flat(frame[name]) for name in frame.columns}
    scales = {name: _scale_of(values) for name, values in cells.items()}
    candidates = _person_candidates(cells, scales)
    key = person or (candidates[0][0] if candidates else None)
    if key is not None and cells[key].null_count():
        key = None
    persons = cells[key].n_unique() if key is not None else frame.height
    columns = tuple(_propose(name, cells, scales, key, frame[name]) for name in frame.columns)
    unique, unique_on = _uniqueness(cells, columns, key)
    entities = _entities(frame, columns) if with_entities else {}
    return Profile(
        source=table.source,
        rows=frame.height,
        persons=persons,
        person=key,
        person_candidates=tuple(candidates),
        columns=columns,
        unique=unique,
        unique_on=unique_on,
        entities=entities,
        delimiter=table.format.delimiter if table.format.kind == "csv" else None,
    )


def _flat(cells: pl.Series) -> pl.Series:
    if _is_list_of_names(cells.dtype):
        return cells.cast(pl.List(pl.String)).list.join("|")
    if not _has_text(cells.dtype):
        odd = comparable_cells(cells).to_list()
        return pl.Series(cells.name, [None if cell is None else str(cell) for cell in odd], pl.String)
    return text_cells(cells)


def _is_list_of_names(dtype: pl.DataType) -> bool:
    return isinstance(dtype, (pl.List, pl.Array)) and not dtype.inner.is_nested()


def _has_text(dtype: pl.DataType) -> bool:
    return not (dtype.is_nested() or isinstance(dtype, (pl.Binary, pl.Duration, pl.Object)))


def _scale_of(cells: pl.Series) -> dict[str, Any]:
    """Scale of a column with what the plan needs for it."""
    known = cells.drop_nulls()
    if not len(known):
        return {"scale": "nominal"}
    try:
        numbers(known, source="")
        return {"scale": "numeric"}
    except InputError:
        pass
    sample = known.unique().head(_SAMPLE)
    for format_ in DATE_FORMATS:
        if parse_days(sample, format_).null_count() == 0 and parse_days(known, format_).null_count() == 0:
            iso = format_ == "%Y-%m-%d"
            return {"scale": "date"} if iso else {"scale": "date", "format": format_}
    if parse_days(sample.str.slice(0, 10), "%Y-%m-%d").null_count() == 0:
        return {"scale": "date"}
    return {"scale": "nominal"}


def _person_candidates(
    cells: Mapping[str, pl.Series], scales: Mapping[str, Mapping[str, Any]]
) -> list[tuple[str, str]]:
    """Columns whose values could number persons: repeated keys that fix other columns, best first."""
    found: list[tuple[int, str, str]] = []
    for name, values in cells.items():
        rows, distinct = len(values), values.n_unique()
        if values.null_count() or distinct < 2 or scales[name]["scale"] == "date" or _is_text(values):
            continue
        named = bool(_ID_NAME.search(name) or _PERSON_NAME.search(name))
        if distinct == rows:
            if named and rows > 1:
                found.append((1, name, "every row has its own value, and the name says so"))
            continue
        if not named or distinct < rows / 200:
            continue
        fixed = sum(
            1
            for other, theirs in cells.items()
            if other != name and theirs.n_unique() > 1 and _pairs(values, theirs) == distinct
        )
        if fixed:
            found.append((100 + fixed, name, f"repeated, and it fixes {fixed} other columns"))
    repeated = [f for f in found if f[0] >= 100]
    return [(name, why) for _, name, why in sorted(repeated or [], reverse=True)]


def _pairs(a: pl.Series, b: pl.Series) -> int:
    return pl.DataFrame({"a": a, "b": b}).n_unique()


def _cardinality(values: pl.Series, key: pl.Series | None) -> str:
    """How persons and values relate, read from person to value."""
    known = values.is_not_null()
    if key is None:
        return "one-to-one" if values.filter(known).n_unique() == int(known.sum()) else "many-to-one"
    pairs = pl.DataFrame({"person": key, "value": values}).filter(known).unique()
    many_values = bool(pairs["person"].is_duplicated().any())
    many_persons = bool(pairs["value"].is_duplicated().any())
    return {
        (False, False): "one-to-one",
        (True, False): "one-to-many",
        (False, True): "many-to-one",
        (True, True): "many-to-many",
    }[many_values, many_persons]


def _mean(values: pl.Series) -> float:
    mean = values.mean()
    return float(mean) if isinstance(mean, (int, float)) else 0.0


def _is_text(values: pl.Series) -> bool:
    known = values.drop_nulls().head(_SAMPLE)
    if not len(known):
        return False
    words = known.str.count_matches(r"[A-Za-z]+\s+[A-Za-z]+")
    return _mean(known.str.len_chars()) > 40 and _mean(words > 1) > 0.5


def _set_separator(values: pl.Series, scale: str) -> str | None:
    """The separator of a set-valued column: it occurs often, and its entries repeat across cells."""
    if scale != "nominal":
        return None
    known = values.drop_nulls().head(20_000)
    if len(known) < 20:
        return None
    for separator in _SEPARATORS:
        lists = known.str.split(separator)
        several = _mean(lists.list.len() > 1)
        if several < 0.3:
            continue
        entries = lists.explode().str.strip_chars()
        if entries.n_unique() < 0.5 * known.n_unique() and _mean(entries.str.len_chars()) < 30:
            return separator
    return None


def _propose(
    name: str,
    cells: Mapping[str, pl.Series],
    scales: Mapping[str, Mapping[str, Any]],
    key: str | None,
    raw: pl.Series,
) -> ColumnProfile:
    values = cells[name]
    scale = str(scales[name]["scale"])
    settings = {k: v for k, v in scales[name].items() if k != "scale"}
    known = values.drop_nulls()
    distinct, missing = known.n_unique(), values.null_count()
    cardinality = _cardinality(values, None if key is None or key == name else cells[key])
    share = distinct / max(len(known), 1)

    def proposed(role: str, reason: str, **more: Any) -> ColumnProfile:
        text = f"{scale}, {cardinality}, {distinct} different values"
        text += f", {missing} missing" if missing else ""
        kept = settings if role in ("quasi", "sensitive") else {}
        return ColumnProfile(
            name, scale, role, f"{text}: {reason}", distinct, missing, cardinality, kept | more
        )

    if name == key:
        return proposed("identifier", "the person key")
    if not len(known):
        return proposed("plain", "no values at all")
    if not (_has_text(raw.dtype) or _is_list_of_names(raw.dtype)):
        return proposed("identifier", "holds what cannot be generalized; leave it out, or say plain")
    for what, pattern in _CONTENT.items():
        sample = known.head(_SAMPLE)
        if scale == "nominal" and _mean(sample.str.contains(f"^(?:{pattern.pattern})$")) > 0.8:
            return proposed("identifier", f"holds {what}")
    if _is_list_of_names(raw.dtype):
        return proposed("items", "holds lists")
    if scale == "nominal" and holds_json_lists(values):
        return proposed("items", "holds JSON lists")
    separator = _set_separator(values, scale)
    # Names of goods have spaces, too: only a blank as separator leaves the choice to the look of a text.
    if _is_text(values) and (separator is None or not separator.strip()):
        return proposed("text", f"free text, {_mean(known.str.len_chars()):.0f} characters on average")
    if separator is not None:
        return proposed("items", "several entries per cell that repeat across cells", separator=separator)
    if _NAMES.search(name) and scale == "nominal" and share > 0.2:
        return proposed("identifier", "the name of the column says names")
    if _ID_NAME.search(name) and share > 0.9 and cardinality in ("one-to-one", "one-to-many"):
        return proposed("identifier", "each value leads to one person, and the name says key")
    if scale == "nominal" and cardinality in ("one-to-one", "one-to-many") and len(known) > 10:
        return proposed("identifier", "each value leads to one person")
    if distinct == 1:
        return proposed("plain", "the same value everywhere")
    if _SENSITIVE.search(name):
        return proposed("sensitive", "the name says something to protect, not to recognize people by")
    if _POSTCODE_NAME.search(name):
        return ColumnProfile(
            name,
            "nominal",
            "quasi",
            "postcodes: shared by many, generalized from the right",
            distinct,
            missing,
            cardinality,
            {"recode": "prefix"},
        )
    more: dict[str, Any] = {}
    if scale == "numeric" and re.search(r"(^|[_\W])age([_\W]|$)", name, re.I):
        more["entities"] = ["AGE"]
    if scale == "date":
        more["entities"] = ["DATE"]
    has_text = any(_is_text(other) for other in cells.values())
    return proposed("quasi", "many persons share values, others may know them", **(more if has_text else {}))


def _uniqueness(
    cells: Mapping[str, pl.Series], columns: Sequence[ColumnProfile], key: str | None
) -> tuple[dict[int, dict[str, float]], dict[int, tuple[str, ...]]]:
    """Share of persons that are alone with their values of 1, 2 and 3 quasi columns."""
    quasi = [c.name for c in sorted(columns, key=lambda c: -c.distinct) if c.role == "quasi"][:_MOST_COLUMNS]
    if not quasi:
        return {}, {}
    # numbers instead of names: polars would read a column called * or ^x$ as a pattern
    name_of = {str(number): name for number, name in enumerate(quasi)}
    quasi = list(name_of)
    frame = pl.DataFrame({number: cells[name] for number, name in name_of.items()})
    if key is not None:
        # a person's values of a column, all rows together
        frame = (
            frame.with_columns(cells[key].alias("\x00person"))
            .group_by("\x00person")
            .agg(pl.col(quasi).unique().sort())
            .drop("\x00person")
            .with_columns(pl.col(quasi).list.join("\x00"))
        )
    shares: dict[int, dict[str, float]] = {}
    worst_on: dict[int, tuple[str, ...]] = {}
    for count in (1, 2, 3):
        found = {
            names: float(frame.select(pl.struct(names).is_unique().mean()).item())
            for names in combinations(quasi, count)
        }
        if found:
            worst = max(found, key=lambda names: found[names])
            shares[count] = {"worst": found[worst], "mean": sum(found.values()) / len(found)}
            worst_on[count] = tuple(name_of[number] for number in worst)
    return shares, worst_on


def _entities(frame: pl.DataFrame, columns: Sequence[ColumnProfile]) -> dict[str, dict[str, int]]:
    from heteronym.text.scan import counts, recognize, recognizers_for

    found: dict[str, dict[str, int]] = {}
    texts = [c.name for c in columns if c.role == "text"]
    if not texts:
        return found
    plan = TextPlan()
    parts = recognizers_for(plan)
    for name in texts:
        sample = frame[name].drop_nulls().head(200).to_list()
        tally: dict[str, int] = {}
        for spans in recognize(sample, parts, wanted=lambda kind: counts(kind, plan)):
            for span in spans:
                tally[span.type] = tally.get(span.type, 0) + 1
        found[name] = tally
    return found
