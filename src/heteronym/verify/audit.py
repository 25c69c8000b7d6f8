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
from heteronym.verify.texts import Shown, overlay_sentences, shown_as
from heteronym.verify.twins import twin_check


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
    seen: InTexts | None = None
    if originals is not None:
        checks += _row_checks(released, plan, originals)
        if all(check.holds for check in checks):
            checks += _bound_checks(released, plan, originals)
        if texts and originals.mentions is not None and all(check.holds for check in checks):
            checks += _text_checks(released, plan, originals, texts)
            seen = _shown_in_texts(released, originals, texts, may_go=_settled(plan))
            checks.append(seen.outside)
    elif texts:
        checks.append(Check("texts", None, "the texts were not searched: that needs the original data"))
    if person is None and plan.data.person is not None and plan.release.person_key == "drop":
        checks.append(
            Check(
                "persons", None, "rows were counted, not persons: that needs the owner's row map (--private)"
            )
        )
    groups = rebuild(
        released,
        plan,
        person=person,
        in_texts=None if seen is None else seen.shown,
        replacing=() if seen is None else seen.replacing,
    )
    if seen is not None and _settled(plan):
        checks.append(_twins(released, texts, groups.group_of_row, seen))
    models = tuple(
        registry.privacy_models.build(model.name, model.parameters).audit(groups) for model in plan.privacy
    )
    checks += certain_values(groups, plan)
    return Verdict(groups.unit, models, tuple(checks))


def _settled(plan: Plan) -> bool:
    """Whether a model decides on all labels of a group together."""
    return any(hasattr(registry.privacy_models.get(model.name), "settle") for model in plan.privacy)


def _twins(
    released: pl.DataFrame,
    texts: Sequence[str],
    group_of_row: NDArray[np.int64],
    seen: InTexts,
) -> Check:
    """What is masked in a text of a group, looked for in all texts of the group."""
    stays: dict[int, set[str]] = {}
    for row, kept in enumerate(seen.kept):
        stays.setdefault(int(group_of_row[row]), set()).update(kept)
    # what only went with its sentence may be shown by others
    masked = [
        replaced | (gone - stays[int(group_of_row[row])])
        for row, (replaced, gone) in enumerate(zip(seen.replaced, seen.gone, strict=True))
    ]
    labels = [{text for _, kind, text in found if kind != "term"} for found in seen.shown]
    for name in released.columns:
        if name not in texts and not released[name].dtype.is_nested():
            for row, label in enumerate(released[name].cast(pl.String).to_list()):
                if label:
                    labels[row].add(label)
    return twin_check(_texts(released, texts), group_of_row, masked, labels)


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
    may_lack = _settled(plan)
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
    return _shown_in_texts(released, originals, texts).shown


def _texts(frame: pl.DataFrame, names: Sequence[str]) -> dict[str, list[str | None]]:
    return {name: frame[name].cast(pl.String).to_list() for name in names}


def _text_checks(
    released: pl.DataFrame, plan: Plan, originals: Originals, texts: Sequence[str]
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


class InTexts:
    """Per released row what its texts show and how often, and what became of the mentions they had."""

    def __init__(self, shown: list[Counter[Label]]) -> None:
        self.shown = shown
        self.replacing: set[Label] = set()  # labels that stand in the place of something else
        self.kept: list[set[str]] = [set() for _ in shown]  # spellings that stand where they stood
        self.replaced: list[set[str]] = [set() for _ in shown]  # something else stands there
        self.gone: list[set[str]] = [set() for _ in shown]  # gone with their sentence
        self.outside = Check("outside", True, "outside of mentions every text is as it came")

    def note(self, row: int, column: str, surface: str, stands: str | None, seen: Shown | None) -> None:
        """What stands in the place of a mention, and what a reader sees in it."""
        became = self.gone if stands is None else self.kept if stands == surface else self.replaced
        became[row].add(surface)
        if seen is not None and (seen.kind != "term" or stands != surface):
            label = (column, seen.kind, seen.label)
            self.shown[row][label] += 1
            if " ".join(surface.split()).casefold() != seen.label:
                self.replacing.add(label)


def _shown_in_texts(
    released: pl.DataFrame, originals: Originals, texts: Sequence[str], *, may_go: bool = False
) -> InTexts:
    """What the released texts show, laid over the original ones; `may_go`: a text may be gone as a whole.

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
    now, before = _texts(released, texts), _texts(originals.frame, texts)
    visible = visible_terms(
        now,
        originals.person[originals.source_row],
        original=before,
        original_person=originals.person,
        mentions=mentions,
        labels=labels,
    )
    found = InTexts([Counter({(name, "term", term): 1 for name, term in terms}) for terms in visible])
    first_of = np.searchsorted(mentions.row, np.arange(originals.frame.height + 1))
    changed: list[int] = []
    run = current()
    for row, source in enumerate(originals.source_row.tolist()):
        if row % 1024 == 0:
            run.tell(row / len(originals.source_row))
        mine = range(first_of[source], first_of[source + 1])
        own = {label for cells in labels.values() if (label := cells[row])}
        for number, name in enumerate(mentions.columns):
            spans = [
                (int(mentions.start[i]), int(mentions.end[i]), mentions.types[mentions.type[i]])
                for i in mine
                if mentions.column[i] == number
            ]
            text, result = before[name][source] or "", now[name][row] or ""
            told = (
                [None] * len(spans) if may_go and not result else overlay_sentences(text, result, spans, own)
            )
            if told is None:
                changed.append(row + 1)
                continue
            for (start, end, kind), stands in zip(spans, told, strict=True):
                found.note(row, name, text[start:end], stands, shown_as(text[start:end], stands, kind, own))
    if changed:
        detail = f"the texts of released {row_list(changed)} changed outside of what was found in them"
        found.outside = Check("outside", False, detail)
    return found
