"""Why a released row looks as it does: its group, what is behind each label, why each mention went or stayed.

Everything is read from the release and the owner's folder, where the run wrote down what it decided. Original
values are left out unless they are asked for: an explanation can then be shown to others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from heteronym import registry
from heteronym.errors import InputError, UsageError
from heteronym.io.given import door
from heteronym.io.owned import ROWS_FILE, open_owned
from heteronym.io.recodings import (
    COLUMNS_FILE,
    DECISIONS_FILE,
    ELEMENTS_FILE,
    PARTITION_FILE,
    VALUES_FILE,
    WITHHELD,
)
from heteronym.model.in_words import InWords
from heteronym.model.part import Model
from heteronym.model.plan import Plan
from heteronym.model.recoding import placeholder
from heteronym.model.schema import Role
from heteronym.verify.labels import split_entries

_MOST_VALUES = 12  # that are listed one by one
_KINDS = {  # what models call it, and what a reader does
    Role.ITEMS: ("items", "items"),
    Role.TERMS: ("terms", "terms"),
    Role.EVENT: ("events", "values"),
}


@dataclass(frozen=True, repr=False)
class Explanation(InWords):
    """One released row explained. With `values` it holds personal data."""

    row: int
    source_row: int
    group: Mapping[str, int]
    columns: tuple[Mapping[str, Any], ...]
    sets: tuple[Mapping[str, Any], ...]
    mentions: tuple[Mapping[str, Any], ...]
    unchanged: tuple[str, ...] = ()
    same_person: tuple[int, ...] = ()  # released rows of this person, this one among them
    others: tuple[tuple[int, ...], ...] = ()  # those of each other person of the group

    def to_dict(self) -> dict[str, Any]:
        return {
            "row": self.row,
            "source_row": self.source_row,
            "group": dict(self.group),
            "columns": [dict(column) for column in self.columns],
            "sets": [dict(entry) for entry in self.sets],
            "mentions": [dict(mention) for mention in self.mentions],
            "unchanged": list(self.unchanged),
            "same_person": list(self.same_person),
            "others": [list(rows) for rows in self.others],
        }

    @property
    def text(self) -> str:
        return self.in_words(verbose=True)

    def in_words(self, *, verbose: bool = False) -> str:
        """The explanation in sentences; original values stand in it only if it holds some and is verbose."""
        group = self.group
        listed = _listed if verbose else lambda told: ""
        lines = [
            f"released row {self.row} is row {self.source_row} of the data. Its person is in group "
            f"{group['number']}, with {group['persons']} persons; {_sizes(group)}"
        ]
        lines += [f"column {c['column']} {_shows(c)}: {c['why']}{listed(c)}" for c in self.columns]
        lines += [f"column {e['column']} shows {e['shown']}: {e['why']}{listed(e)}" for e in self.sets]
        lines += [
            f"column {name} is released as it was: the plan does not count it among what identifies"
            for name in self.unchanged
        ]
        for m in self.mentions:
            where = f"column {m['column']}, characters {m['start']} to {m['end']} of the original"
            found = f"{m['type']} found by {m['source']}" + (f", rule '{m['rule']}'" if m["rule"] else "")
            why = f"{m['why'][:1].upper()}{m['why'][1:]}"
            lines.append(f"{where}: {found} (score {m['score']:.2f}). {why}{listed(m)}")
        return "\n".join(lines) + "\n"

    def __repr__(self) -> str:
        return f"Explanation(row {self.row}, {len(self.columns)} columns, {len(self.mentions)} mentions)"


def _sizes(group: Mapping[str, int]) -> str:
    if group["groups"] == 1:
        return "there is no other group"
    sizes = f"{group['smallest']} to {group['largest']}"
    sizes = str(group["smallest"]) if group["smallest"] == group["largest"] else sizes
    return f"there are {group['groups']:,} groups of {sizes}"


def _shows(column: Mapping[str, Any]) -> str:
    return "is empty" if column["label"] is None else f"shows {column['label']}"


def _listed(fate: Mapping[str, Any]) -> str:
    return f". Originals: {', '.join(map(str, fate['values']))}" if fate.get("values") else ""


@door
def explain(release: str | Path, *, private: str | Path, row: int, values: bool = False) -> Explanation:
    """Why a row of a release (counted from 1) looks as it does; `values` adds originals, for the owner."""
    table, plan, _, owners = open_owned(Path(release), Path(private))
    if not 1 <= row <= table.height:
        raise UsageError(f"--row must be from 1 to {table.height}")
    rows = _rows(owners)
    source_row, person = _source(owners, rows, row)
    group, sizes, withheld = _group(owners, person)
    of_person = _rows_of_group(owners, rows, group)
    members = int(sizes[group])
    released = table.row(row - 1, named=True)
    elements = _of_group(owners / ELEMENTS_FILE, group)
    telling = _Telling(plan, members, released, elements, values, withheld)
    return Explanation(
        row,
        source_row,
        {
            "number": group + 1,
            "persons": members,
            "groups": len(sizes),
            "smallest": min(sizes.values()),
            "largest": max(sizes.values()),
        },
        tuple(
            telling.columns(_of_group(owners / COLUMNS_FILE, group), _of_group(owners / VALUES_FILE, group))
        ),
        tuple(telling.sets()),
        tuple(telling.mentions(_mentions(owners, source_row))),
        tuple(n for n, a in plan.attributes.items() if a.role in (Role.SENSITIVE, Role.PLAIN)),
        of_person.pop(person, ()),
        tuple(sorted(of_person.values())),
    )


# --- the owner's files ----------------------------------------------------------------------------


def _rows(owners: Path) -> pl.DataFrame:
    try:
        return pl.read_csv(owners / ROWS_FILE, schema_overrides={"person": pl.String})
    except (OSError, pl.exceptions.PolarsError):
        raise InputError(f"{owners}: has no readable {ROWS_FILE}") from None


def _rows_of_group(owners: Path, rows: pl.DataFrame, group: int) -> dict[str, tuple[int, ...]]:
    """Released rows of each person of a group."""
    members = _read(owners / PARTITION_FILE, pl.col("group") == group)["person"]
    mine = rows.with_columns(pl.col("person").str.strip_chars()).filter(
        pl.col("person").is_in(members.implode()) & pl.col("released_row").is_not_null()
    )
    listed = mine.sort("released_row").group_by("person").agg("released_row")
    return {person: tuple(numbers) for person, numbers in listed.iter_rows()}


def _source(owners: Path, rows: pl.DataFrame, row: int) -> tuple[int, str]:
    found = rows.filter(pl.col("released_row") == row)
    if found.height != 1:
        raise InputError(f"{owners / ROWS_FILE}: does not belong to this release")
    return int(found["source_row"][0]), str(found["person"][0]).strip()


def _group(owners: Path, person: str) -> tuple[int, dict[int, int], frozenset[str]]:
    """The group of a person, the sizes of all, and the columns of which the person withholds the cell."""
    groups = _read(owners / PARTITION_FILE)
    found = groups.filter(pl.col("person") == person)
    if found.height != 1 or found["group"][0] < 0:
        raise InputError(f"{owners / PARTITION_FILE}: does not know the person of this row")
    counts = groups.filter(pl.col("group") >= 0).group_by("group").agg(pl.len().alias("persons"))
    withheld = {name.removeprefix(WITHHELD) for name in groups.columns if name.startswith(WITHHELD)}
    mine = frozenset(name for name in withheld if found[f"{WITHHELD}{name}"][0])
    return int(found["group"][0]), dict(counts.iter_rows()), mine


def _of_group(path: Path, group: int) -> pl.DataFrame:
    return _read(path, pl.col("group") == group)


def _mentions(owners: Path, source_row: int) -> pl.DataFrame | None:
    path = owners / DECISIONS_FILE
    return _read(path, pl.col("row") == source_row) if path.is_file() else None


def _read(path: Path, wanted: pl.Expr | None = None) -> pl.DataFrame:
    try:
        found = pl.scan_parquet(path)
        return (found if wanted is None else found.filter(wanted)).collect()
    except (OSError, pl.exceptions.PolarsError):
        raise InputError(f"{path}: cannot be read; was it written by an older version?") from None


# --- reasons --------------------------------------------------------------------------------------


class _Telling:
    """The reasons of one row, in words."""

    def __init__(
        self,
        plan: Plan,
        members: int,
        released: Mapping[str, Any],
        elements: pl.DataFrame,
        values: bool,
        withheld: frozenset[str],
    ) -> None:
        self._plan, self._members, self._released = plan, members, released
        self._elements, self._values, self._withheld = elements, values, withheld

    def _deciding(self, kind: str) -> list[Model]:
        """Who decides about elements of a kind: terms, items, events."""
        parts: dict[str, Any] = {m.name: registry.privacy_models.get(m.name) for m in self._plan.privacy}
        return [m for m in self._plan.privacy if kind in parts[m.name].protects] or [*self._plan.privacy]

    def _models(self, kind: str) -> str:
        return " and ".join(model.name for model in self._deciding(kind))

    def _not_enough(self, holders: int, kind: str) -> str:
        """Why so many members are not enough: by their number, or by what else they show."""
        asked = [(registry.privacy_models.get(m.name), m.parameters) for m in self._deciding(kind)]
        # a model that is asked what a group may show wants all members to hold it
        needed = [self._members if hasattr(part, "may_show") else given.get("k", 0) for part, given in asked]
        if holders < max(needed):
            return f"too few for {self._models(kind)}"
        return f"which {self._models(kind)} does not allow beside what else they show or what columns tell"

    def _original(self, found: Sequence[Any]) -> dict[str, Any]:
        return (
            {"values": ["missing" if v is None else v for v in found][:_MOST_VALUES]} if self._values else {}
        )

    def columns(self, labels: pl.DataFrame, values: pl.DataFrame) -> list[dict[str, Any]]:
        found = []
        for name, label, away in labels.select("attribute", "label", "withheld").iter_rows():
            mine = values.filter(pl.col("attribute") == name)
            held = sorted(mine["persons"].to_list(), reverse=True)
            recoder = self._plan.attributes[name].labelled_by
            rule = (registry.recoders.get(recoder).__doc__ or "").split("\n")[0].rstrip(".")
            rule = f"{recoder}: {rule[:1].lower()}{rule[1:]}"
            if len(held) == 1:
                fate = "missing" if label is None else "kept"
                why = f"all {self._members} members of the group have the same value, so that it stays"
            else:
                fate = "suppressed" if label == "*" else "generalized"
                why = (
                    f"the {self._members} members of the group have {len(held)} different values, "
                    f"{_held(held)} of them; the label must be true of all ({rule})"
                )
            if away:
                fate = "withheld" if name in self._withheld else fate
                others = f"true of all but {away} ({rule})"
                why = f"{why.split(';')[0]}; the label must be {others}, who withhold the cell, because all "
                why += f"lose less so. This person {'withholds it' if fate == 'withheld' else 'does not'}"
            found.append(
                {
                    "column": name, "label": label, "fate": fate, "recoder": recoder, "why": why,
                    "different_values": len(held), "held_by": held, **self._original(mine["value"].to_list()),
                }
            )  # fmt: skip
        return found

    def sets(self) -> list[dict[str, Any]]:
        """Every entry of the row's set-valued cells, with what it stands for."""
        found = []
        for name, attribute in self._plan.attributes.items():
            if attribute.role not in (Role.ITEMS, Role.TERMS, Role.EVENT) or self._released.get(name) is None:
                continue
            cell = self._released[name]
            if isinstance(cell, list):
                entries = [str(entry) for entry in cell]
            elif attribute.role is Role.EVENT:
                entries = [str(cell)]
            else:
                entries = split_entries(str(cell), attribute.separator or " ")
            for number, entry in enumerate(entries, 1):
                behind = self._behind(name, entry, is_terms=attribute.role is Role.TERMS)
                origin = self._entry(behind, *_KINDS[attribute.role])
                found.append({"column": name, "number": number, "shown": entry, **origin})
        return found

    def _behind(self, name: str, entry: str, *, is_terms: bool) -> pl.DataFrame:
        """The elements of the group that are shown as this entry."""
        shown = pl.coalesce("label", "name")
        if is_terms:
            wanted = pl.concat_str(pl.col("domain"), pl.lit(":"), shown) == entry
        else:
            wanted = (pl.col("domain") == name) & shown.is_in([entry, entry.removeprefix("\\")])
        return self._elements.filter(wanted & pl.col("fate").is_in(["kept", "generalized"]))

    def _entry(self, behind: pl.DataFrame, kind: str, noun: str) -> dict[str, Any]:
        held = sorted(behind["holders"].to_list(), reverse=True)
        if behind.height and behind["fate"][0] == "generalized":
            of = behind.select(pl.col("stands_for").max()).item()
            those = f"it stands for {of} {noun}, of which members of the group have {len(held)}"
            if of < len(held):  # a label of the whole group
                those = f"it stands for all {noun} that members of the group have, {len(held)} of them"
            alone = self._not_enough(min(held), kind)
            why = f"{those} ({_held(held)} of {self._members}), alone {alone}"
        else:
            share = f"{held[0] if held else 0} of {self._members} members have it"
            why = f"it is shown as it was: {share}, which {self._models(kind)} allows"
        fate = behind["fate"][0] if behind.height else "kept"
        return {"fate": fate, "held_by": held, "why": why, **self._original(behind["name"].to_list())}

    def mentions(self, decisions: pl.DataFrame | None) -> list[dict[str, Any]]:
        found = []
        for mention in () if decisions is None else decisions.iter_rows(named=True):
            by_text = {
                key: mention[key] for key in ("column", "start", "end", "type", "score", "source", "rule")
            }
            if mention["status"] != "found":
                by_text["reviewed"] = mention["status"]
            found.append(by_text | self._mention(mention))
        return found

    def _mention(self, mention: Mapping[str, Any]) -> dict[str, Any]:
        if mention["link"] is not None:
            return self._linked(mention["link"], mention["type"])
        if mention["domain"] is None:
            why = f"{mention['type']} is a direct identifier: such mentions are always replaced by their type"
            return {"fate": "suppressed", "shown": placeholder(mention["type"]), "holders": None, "why": why}
        mine = self._elements.filter(
            (pl.col("domain") == mention["domain"]) & (pl.col("name") == mention["name"])
            & (pl.col("sense") == mention["sense"]) & (pl.col("context") == mention["context"])
        )  # fmt: skip
        if mine.height != 1:
            raise InputError("the owner's files contradict each other: a mention has no decision")
        fate, label, holders = mine["fate"][0], mine["label"][0], int(mine["holders"][0])
        entry = {"holders": holders, **self._original([mention["name"]])}
        of = f"{holders} of the {self._members} members of the group mention it"
        if fate == "kept":
            under = ", under its surrogate" if mention["type"] in self._plan.recode.surrogates else ""
            why = f"it stays{under}: {of}, which {self._models('terms')} allows"
            return {"fate": fate, "shown": None, "why": why, **entry}
        if fate == "generalized":
            alike = self._elements.filter(
                (pl.col("domain") == mention["domain"]) & (pl.col("label") == label)
            ).height
            why = (
                f"it is generalized to '{label}', as {'is' if alike == 2 else 'are'} {alike - 1} other "
                f"{'term' if alike == 2 else 'terms'} of the group: {of}, "
                f"{self._not_enough(holders, 'terms')}, and the broader term can be shown"
            )
            return {"fate": fate, "shown": label, "why": why, **entry}
        if fate == "dropped":
            why = f"it goes, and its sentence with it: {of}"
            return {"fate": "suppressed", "shown": "", "why": why, **entry}
        shown = {"typed": placeholder(mention["type"]), "untyped": placeholder()}.get(fate, "")
        why = f"it goes: {of}, {self._not_enough(holders, 'terms')}"
        if holders == self._members:
            why = f"it goes although {of}: they do not spell it alike, or show it in different columns"
        return {"fate": "suppressed", "shown": shown, "why": why, **entry}

    def _is_numbered(self, column: str) -> bool:
        """Whether persons are numbered, in texts as in the column of their keys; not under `joint`."""
        models = [registry.privacy_models.get(model.name) for model in self._plan.privacy]
        settles = any(hasattr(model, "settle") for model in models)
        return column == self._plan.data.person and column in self._released and not settles

    def _linked(self, column: str, type: str) -> dict[str, Any]:
        """A mention of a value that the person has in a column."""
        role = self._plan.attributes[column].role
        why = f"it repeats the person's value of column {column}"
        if column in self._plan.surrogates or self._is_numbered(column):
            why += ", an identifier: what that column shows for the person stands there, or words of it"
            entry = {"fate": "follows_column", "shown": self._released.get(column), "why": why}
        elif role is Role.QUASI:
            label = self._released.get(column)
            entry = {"fate": "follows_column", "shown": label, "why": f"{why}, and shows that column's label"}
        elif role is Role.ITEMS:
            entry = {
                "fate": "follows_column",
                "shown": None,
                "why": f"{why}, and shows what became of that item",
            }
        else:
            what = "an identifier" if role is Role.IDENTIFIER else "an event of one row"
            entry = {
                "fate": "suppressed",
                "shown": placeholder(type),
                "why": f"{why}, {what}: its type stands there",
            }
        return {"holders": None, **entry}


def _held(held: Sequence[int]) -> str:
    """`held by 3, 1 and 1`, `each held by 1`."""
    return f"each held by {held[0]:,}" if len(set(held)) == 1 < len(held) else f"held by {_counts(held)}"


def _counts(held: Sequence[int]) -> str:
    """`3, 1 and 1`; long lists by their ends."""
    texts = [f"{n:,}" for n in held]
    if len(texts) > _MOST_VALUES:
        return f"{texts[0]} down to {texts[-1]}"
    return " and ".join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else "".join(texts)
