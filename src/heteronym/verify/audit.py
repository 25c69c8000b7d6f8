"""The auditor: reads what was written and says whether the promise holds.

Shares no code with the search or the recoders. What it can check depends on what it is given: the
release alone (rows are counted), the owner's row map (persons), the original data (labels are true,
other columns unchanged, nothing sensitive left in the texts).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym import registry
from heteronym.errors import row_list
from heteronym.io.values import comparable_cells, days, numbers, text_cells
from heteronym.model.hierarchy import Hierarchy
from heteronym.model.mention import Mentions
from heteronym.model.plan import Plan
from heteronym.model.release import Check, Verdict
from heteronym.model.schema import Attribute, Role, Scale
from heteronym.run import current
from heteronym.verify.bounds import bound_checks
from heteronym.verify.certain import certain_values
from heteronym.verify.groups import Label, entries_of, rebuild
from heteronym.verify.labels import covers, item_members, leaves_below
from heteronym.verify.residue import find_residue, visible_terms
from heteronym.verify.texts import Reading, core, read, shown_as


@dataclass(frozen=True, repr=False, eq=False)
class Originals:
    """What only the owner has: the data, where each released row came from, what was found in it."""

    frame: pl.DataFrame
    source_row: NDArray[np.int64]
    person: NDArray[np.int64]  # of each original row
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    missing: frozenset[str] = frozenset()
    mentions: Mentions | None = None
    kept: NDArray[np.bool_] | None = None
    written: frozenset[str] = frozenset()  # texts that stand somewhere in the place of mentions

    def __repr__(self) -> str:
        return f"Originals({self.frame.height} rows)"


def audit(
    released: pl.DataFrame,
    plan: Plan,
    *,
    person: NDArray[np.int64] | None = None,
    originals: Originals | None = None,
) -> Verdict:
    """The verdict on a released table; `person` numbers the person of each released row."""
    checks = [_columns_check(released, plan)]
    texts = [n for n, a in plan.attributes.items() if a.role is Role.TEXT and n in released.columns]
    shown: list[Counter[Label]] | None = None
    replacing: set[Label] = set()
    if originals is not None:
        checks += _row_checks(released, plan, originals)
        if all(check.holds for check in checks):
            checks += _bound_checks(released, plan, originals)
        if texts and originals.mentions is not None and all(check.holds for check in checks):
            told = _read_texts(released, originals, texts)
            checks += _text_checks(released, plan, originals, texts, told)
            shown, replacing, outside = _shown_in_texts(released, originals, texts, told)
            checks.append(outside)
    elif texts:
        checks.append(Check("texts", None, "the texts were not searched: that needs the original data"))
    if person is None and plan.data.person is not None and plan.release.person_key == "drop":
        checks.append(
            Check(
                "persons", None, "rows were counted, not persons: that needs the owner's row map (--private)"
            )
        )
    groups = rebuild(released, plan, person=person, in_texts=shown, replacing=replacing)
    models = tuple(
        registry.privacy_models.build(model.name, model.parameters).audit(groups) for model in plan.privacy
    )
    checks += certain_values(groups, plan)
    return Verdict(groups.unit, models, tuple(checks))


def _columns_check(released: pl.DataFrame, plan: Plan) -> Check:
    pseudonym = {plan.data.person} if plan.release.person_key == "pseudonym" else set()
    expected = [n for n, a in plan.attributes.items() if a.role is not Role.IDENTIFIER or n in pseudonym]
    extra = sorted(set(released.columns) - set(expected))
    lacking = sorted(set(expected) - set(released.columns))
    if extra or lacking:
        parts = [f"not in the plan: {', '.join(extra)}"] if extra else []
        parts += [f"not in the release: {', '.join(lacking)}"] if lacking else []
        return Check("columns", False, "; ".join(parts))
    return Check("columns", True, "the released columns are those of the plan, identifiers left out")


def _row_checks(released: pl.DataFrame, plan: Plan, originals: Originals) -> list[Check]:
    rows = _rows_check(released, plan, originals)
    if not rows.holds:
        return [rows]

    def source(name: str) -> pl.Series:
        return originals.frame[name].gather(originals.source_row)

    checks = [rows]
    changed = [
        name
        for name, attribute in plan.attributes.items()
        if attribute.role in (Role.PLAIN, Role.SENSITIVE)
        and name in released.columns
        and not _same_cells(released[name], source(name))
    ]
    detail = f"changed: {', '.join(changed)}" if changed else "all other columns are as they came"
    checks.append(Check("unchanged", not changed, detail))
    untrue: list[str] = []
    # a model that settles labels may leave items out
    may_lack = any(hasattr(registry.privacy_models.get(model.name), "settle") for model in plan.privacy)
    for name, attribute in plan.attributes.items():
        if attribute.role in (Role.QUASI, Role.EVENT) and name in released.columns:
            hierarchy = originals.hierarchies.get(name)
            if attribute.hierarchy is not None and hierarchy is None:
                continue
            bad = _untrue_rows(released[name], source(name), attribute, hierarchy, originals.missing)
            if bad:
                untrue.append(f"'{name}' in released {row_list(bad)}")
        if attribute.role is Role.ITEMS and name in released.columns:
            bad = _untrue_item_rows(
                released[name],
                source(name),
                attribute,
                originals.hierarchies.get(name),
                whole=not may_lack,
            )
            if bad:
                untrue.append(f"'{name}' in released {row_list(bad)}")
    detail = (
        f"labels that do not cover the original: {'; '.join(untrue)}"
        if untrue
        else "every label covers the original value"
    )
    checks.append(Check("truth", not untrue, detail))
    return checks


def _rows_check(released: pl.DataFrame, plan: Plan, originals: Originals) -> Check:
    """Every row once; only whole persons may be left out, and no more than the plan allows."""
    rows = originals.frame.height
    known = (originals.source_row >= 0) & (originals.source_row < rows)
    if not known.all() or len(originals.source_row) != released.height:
        return Check("rows", False, f"{released.height} rows were released for {rows} rows of data")
    times = np.bincount(originals.source_row, minlength=rows)
    absent = times == 0
    if (times > 1).any():
        return Check("rows", False, f"{int((times > 1).sum())} rows of the data were released more than once")
    if not absent.any():
        return Check("rows", True, "every row of the data is released once")
    gone = np.unique(originals.person[absent])
    persons = len(np.unique(originals.person))
    if np.isin(gone, originals.person[~absent]).any():
        return Check("rows", False, f"{int(absent.sum())} rows are missing of persons who are released")
    allowed = plan.release.suppress_up_to
    if len(gone) > allowed * persons + 1e-9:
        detail = f"{len(gone)} of {persons} persons are missing; the plan allows a share of {allowed:g}"
        return Check("rows", False, detail)
    return Check("rows", True, f"{len(gone)} of {persons} persons are left out, as the plan allows")


def _bound_checks(released: pl.DataFrame, plan: Plan, originals: Originals) -> list[Check]:
    def values(name: str) -> pl.Series:
        attribute, cells = plan.attributes[name], originals.frame[name]
        if attribute.role is Role.ITEMS:
            return cells
        return _values(cells, attribute, originals.hierarchies.get(name), originals.missing)

    return bound_checks(
        released,
        plan,
        person=originals.person[originals.source_row],
        source_row=originals.source_row,
        values=values,
        hierarchies=originals.hierarchies,
    )


def compare_unlinked(released: pl.DataFrame, plan: Plan, original: pl.DataFrame) -> list[Check]:
    """What can be compared without knowing which row became which: their number, and unchanged columns."""
    if released.height != original.height and not (
        plan.release.suppress_up_to and released.height < original.height
    ):
        return [
            Check("rows", False, f"{released.height} rows were released for {original.height} rows of data")
        ]
    same = [
        name
        for name, attribute in plan.attributes.items()
        if attribute.role in (Role.PLAIN, Role.SENSITIVE)
        and name in released.columns
        and name in original.columns
        and released.height == original.height
    ]
    changed = [
        name for name in same if not _as_text(released[name]).sort().equals(_as_text(original[name]).sort())
    ]
    remark = Check(
        "truth", None, "labels were not compared with the data: that needs the row map (--private)"
    )
    if changed:
        return [Check("unchanged", False, f"changed: {', '.join(changed)}"), remark]
    return [Check("unchanged", True, "all other columns hold the values that they held"), remark]


def _same_cells(released: pl.Series, source: pl.Series) -> bool:
    if released.dtype == source.dtype:
        return released.equals(source, null_equal=True) or _as_text(released).equals(_as_text(source))
    return _as_text(released).equals(_as_text(source))


def _as_text(cells: pl.Series) -> pl.Series:
    if cells.dtype.is_nested():
        return comparable_cells(cells)
    return text_cells(cells.bin.encode("hex") if cells.dtype == pl.Binary else cells)


def _untrue_rows(
    released: pl.Series,
    source: pl.Series,
    attribute: Attribute,
    hierarchy: Hierarchy | None,
    missing: frozenset[str],
) -> list[int]:
    pairs = pl.DataFrame(
        {"label": released.cast(pl.String), "value": _values(source, attribute, hierarchy, missing)}
    ).with_row_index("row")
    distinct = pairs.group_by("label", "value").agg(pl.col("row").min())
    return sorted(
        int(row) + 1
        for label, value, row in distinct.iter_rows()
        if not covers(label, value, attribute, hierarchy)
    )


def _untrue_item_rows(
    released: pl.Series,
    source: pl.Series,
    attribute: Attribute,
    hierarchy: Hierarchy | None,
    *,
    whole: bool = True,
) -> list[int]:
    """Rows that show a label none of whose items they have, or (`whole`) have an item no label stands for."""
    shown = entries_of(released, attribute.separator)
    held = entries_of(source, attribute.separator)
    stands_for: dict[str, frozenset[str]] = {}
    for label in {label for labels in shown for label in labels}:
        stands_for[label] = item_members(label) | (
            leaves_below(label, hierarchy) if hierarchy else frozenset()
        )
    bad = []
    for row, (labels, cells) in enumerate(zip(shown, held, strict=True), 1):
        items = {item.strip() for item in cells} - {""}
        left, true = items, True
        for label in labels:
            covered = items if label == "*" else items & stands_for[label]
            left = left - covered
            true = true and bool(covered)
        if (left and whole) or not true:
            bad.append(row)
    return bad


def _values(
    source: pl.Series, attribute: Attribute, hierarchy: Hierarchy | None, missing: frozenset[str]
) -> pl.Series:
    if attribute.scale is Scale.NUMERIC:
        values = numbers(source, source="data", missing=missing)
    elif attribute.scale is Scale.DATE:
        values = days(source, attribute.format, source="data", missing=missing)
    else:
        values = text_cells(source, missing)
    return values.cast(pl.String) if hierarchy is not None else values


def shown_labels(released: pl.DataFrame, plan: Plan, originals: Originals) -> list[Counter[Label]]:
    """Per released row, the labels that its texts show."""
    texts = [n for n, a in plan.attributes.items() if a.role is Role.TEXT and n in released.columns]
    return _shown_in_texts(released, originals, texts, _read_texts(released, originals, texts))[0]


def _texts(frame: pl.DataFrame, names: Sequence[str]) -> dict[str, list[str | None]]:
    return {name: frame[name].cast(pl.String).to_list() for name in names}


def _text_checks(
    released: pl.DataFrame, plan: Plan, originals: Originals, texts: Sequence[str], told: _Told
) -> list[Check]:
    assert originals.mentions is not None
    # Who does not know what was meant to stay leaves terms to the models, which count their holders.
    kept = originals.kept if originals.kept is not None else np.ones(len(originals.mentions), np.bool_)
    columns = [n for n, a in plan.attributes.items() if a.role not in (Role.TEXT, Role.TERMS, Role.ITEMS)]
    cells: dict[str, list[Any]] = {
        name: [v.isoformat() if isinstance(v, date) else v for v in originals.frame[name].to_list()]
        for name in columns
        if name in originals.frame.columns
    }
    residue = find_residue(
        _texts(released, texts),
        originals.person[originals.source_row],
        labels={
            name: released[name].cast(pl.String).to_list() for name in columns if name in released.columns
        },
        original=_texts(originals.frame, texts),
        original_person=originals.person,
        cells=cells,
        attributes=plan.attributes,
        mentions=originals.mentions,
        kept=kept,
        missing=originals.missing,
        without_labels=told.without_labels,
    )
    if residue.clean:
        left = Check("residue", True, "no value or term that had to go stands in the person's texts")
    else:
        found = [f"{n} of '{name}'" for name, n in sorted({**residue.values, **residue.terms}.items())]
        where = row_list([row + 1 for row in residue.rows])
        left = Check("residue", False, f"left in the texts: {', '.join(found)}, released {where}")
    words = sum(residue.words.values())
    if not words:
        return [left]
    names = ", ".join(sorted(residue.words))
    return [left, Check("words", None, f"values of {names} occur {words} times as ordinary words in texts")]


@dataclass(frozen=True, repr=False, eq=False)
class _Told:
    """What stands in the place of every mention, by text column and released row."""

    spans: Mapping[str, list[list[tuple[int, int, str]]]]
    readings: Mapping[str, list[list[Reading | None] | None]]  # None: gone, or the text changed elsewhere
    labels: list[set[str]]  # cells of the row
    # Released texts in which labels of mentions are blanked: a term inside a label is no trace of the term.
    without_labels: Mapping[str, list[str | None]]


def _read_texts(released: pl.DataFrame, originals: Originals, texts: Sequence[str]) -> _Told:
    assert originals.mentions is not None
    mentions = originals.mentions
    cells = [
        released[n].cast(pl.String).to_list()
        for n in released.columns
        if n not in texts and not released[n].dtype.is_nested()
    ]
    labels = [{cell for column in cells if (cell := column[row])} for row in range(released.height)]
    now, before = _texts(released, texts), _texts(originals.frame, texts)
    written = frozenset(map(core, originals.written))
    spans: dict[str, list[list[tuple[int, int, str]]]] = {name: [] for name in mentions.columns}
    readings: dict[str, list[list[Reading | None] | None]] = {name: [] for name in mentions.columns}
    blanked = {name: list(now[name]) for name in now}
    first_of = np.searchsorted(mentions.row, np.arange(originals.frame.height + 1))
    run = current()
    for row, source in enumerate(originals.source_row.tolist()):
        if row % 1024 == 0:
            run.tell(row / len(originals.source_row))
        mine = range(first_of[source], first_of[source + 1])
        for number, name in enumerate(mentions.columns):
            found = [
                (int(mentions.start[i]), int(mentions.end[i]), mentions.types[mentions.type[i]])
                for i in mine
                if mentions.column[i] == number
            ]
            text, result = before[name][source] or "", now[name][row] or ""
            told = read(text, result, found, labels[row], written)
            spans[name].append(found)
            readings[name].append(told)
            for (start, end, kind), reading in zip(found, told or (), strict=told is not None):
                if reading is None or not reading.changed:
                    continue
                seen = shown_as(text[start:end], reading.text, kind, labels[row])
                if seen is not None and seen.kind == "term":
                    left, right = result[: reading.start], result[reading.end :]
                    result = left + "\x00" * (reading.end - reading.start) + right
            blanked[name][row] = result if now[name][row] is not None else None
    return _Told(spans, readings, labels, blanked)


def _shown_in_texts(
    released: pl.DataFrame, originals: Originals, texts: Sequence[str], told: _Told
) -> tuple[list[Counter[Label]], set[Label], Check]:
    """Per released row what its texts show and how often, which labels stand in the place of something else,
    and whether texts changed outside of mentions.

    Terms are searched wherever they stand, whatever was meant to happen to them; what stands in the
    place of a mention is read off beside: something more general, a placeholder, a column's label.
    """
    assert originals.mentions is not None
    mentions = originals.mentions
    labels = {
        n: released[n].cast(pl.String).to_list()
        for n in released.columns
        if n not in texts and not released[n].dtype.is_nested()
    }
    before = _texts(originals.frame, texts)
    visible = visible_terms(
        told.without_labels,
        originals.person[originals.source_row],
        original=before,
        original_person=originals.person,
        mentions=mentions,
        labels=labels,
    )
    shown = [Counter({(name, "term", term): 1 for name, term in found}) for found in visible]
    replacing: set[Label] = set()
    changed: set[int] = set()
    for name in mentions.columns:
        for row, (source, readings) in enumerate(
            zip(originals.source_row.tolist(), told.readings[name], strict=True)
        ):
            if readings is None:
                changed.add(row + 1)
                continue
            text = before[name][source] or ""
            for (start, end, kind), reading in zip(told.spans[name][row], readings, strict=True):
                stands = None if reading is None else reading.text
                seen = shown_as(text[start:end], stands, kind, told.labels[row])
                if seen is None or (seen.kind == "term" and reading is not None and not reading.changed):
                    continue
                shown[row][name, seen.kind, seen.label] += 1
                if " ".join(text[start:end].split()).casefold() != seen.label:
                    replacing.add((name, seen.kind, seen.label))
    if changed:
        where = row_list(sorted(changed))
        detail = f"the texts of released {where} changed outside of what was found in them"
        return shown, replacing, Check("outside", False, detail)
    detail = "outside of mentions, and of articles that agree with them, every text is as it came"
    return shown, replacing, Check("outside", True, detail)
