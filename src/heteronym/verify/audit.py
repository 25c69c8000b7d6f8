"""The auditor: reads what was written and says whether the promise holds.

Shares no code with the search or the recoders. What it can check depends on what it is given: the
release alone (rows are counted), the owner's row map (persons), the original data (labels are true,
other columns unchanged, nothing sensitive left in the texts).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import row_list
from heteronym.model.hierarchy import Hierarchy
from heteronym.model.mention import Mentions
from heteronym.model.plan import Plan
from heteronym.model.release import Check, Released, Verdict
from heteronym.model.schema import Role
from heteronym.run import current
from heteronym.verify.bounds import bound_checks
from heteronym.verify.certain import certain_values
from heteronym.verify.groups import Label, entries_of, held_entries_of, rebuild
from heteronym.verify.labels import short_label
from heteronym.verify.masking import Put, blanked
from heteronym.verify.numbers import labelled, with_ranges
from heteronym.verify.population import matched_populations
from heteronym.verify.reading import alike
from heteronym.verify.residue import Residue, find_residue, visible_terms
from heteronym.verify.risk import residual_risk, risk_check, with_households
from heteronym.verify.stayed import count_own_labels, count_stayed, unchanged_mentions
from heteronym.verify.surrogates import names_in_texts, surrogate_checks, told_by_surrogates
from heteronym.verify.texts import Reading, core, read, shown_as
from heteronym.verify.told import Told, model_verdict, untold_checks
from heteronym.verify.truth import settled, truth_checks
from heteronym.verify.twins import Open, open_twins, twin_check
from heteronym.verify.values import Coded, persons_checks, values_of


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
    claimed: Mapping[str, float] | None = None,
) -> Verdict:
    """The verdict on a released table; `person` numbers the person of each released row.

    `claimed` are the figures of risk that facts.json tells, by name.
    """
    checks = [_columns_check(released, plan)]
    released = shown = labelled(released, plan)
    if originals is not None and len(originals.source_row) == released.height:
        shown, means = _with_ranges(released, plan, originals)
        checks += means
    texts = [n for n, a in plan.attributes.items() if a.role is Role.TEXT and n in released.columns]
    seen: InTexts | None = None
    standing: Counter[tuple[str, str, str]] = Counter()
    if originals is not None:
        checks += _row_checks(shown, plan, originals)
        if all(check.holds is not False for check in checks):
            checks += _bound_checks(shown, plan, originals)
            checks += persons_checks(person, originals.person[originals.source_row])
            person = originals.person[originals.source_row]
        if texts and originals.mentions is not None and all(check.holds is not False for check in checks):
            stands = _read_texts(shown, plan, originals)
            checks += _text_checks(left_in_texts(shown, plan, originals, stands))
            invents = plan.recode.terms.name != "suppress"  # a kind of the term may stand in its place
            seen = _shown_in_texts(shown, plan, originals, stands, invents=invents)
            checks.append(seen.outside)
            before = _texts(originals.frame, texts)
            standing = unchanged_mentions(stands.spans, stands.readings, before, originals.source_row)
    known = originals if all(check.holds is not False for check in checks) else None
    told = Told(
        persons=person is not None or plan.data.person is None,
        texts=not texts or seen is not None,
        surrogates=known is not None or not plan.surrogates,
    )
    checks += untold_checks(told)
    told_by = told_by_surrogates(released, plan, person, known)
    groups = rebuild(
        released,
        plan,
        person=person,
        in_texts=None if seen is None else seen.shown,
        replacing=() if seen is None else seen.replacing,
        told_by=told_by,
    )
    groups = replace(_with_others(groups, released, plan, originals), standing=standing)
    if seen is not None and settled(plan):
        checks.append(twin_check(_twins(released, plan, groups.group_of_row, seen)))
    models = tuple(model_verdict(model, groups, told) for model in plan.privacy)
    checks += certain_values(groups, plan)
    risk = residual_risk(groups, plan)
    checks += risk_check(risk, claimed or {}) if told.persons else []
    return Verdict(groups.unit, models, tuple(checks), risk)


def _with_others(
    groups: Released, released: pl.DataFrame, plan: Plan, originals: Originals | None
) -> Released:
    """The groups with what the promise is about beside persons: a population, and households."""
    trees = originals.hierarchies if originals is not None else {}
    groups = replace(groups, population=matched_populations(released, plan, groups, trees))
    if originals is None:
        return groups
    return with_households(groups, plan, originals.frame, originals.source_row, originals.missing)


def _with_ranges(
    released: pl.DataFrame, plan: Plan, originals: Originals
) -> tuple[pl.DataFrame, list[Check]]:
    rows = originals.source_row
    if plan.release.numeric != "mean" or ((rows < 0) | (rows >= originals.frame.height)).any():
        return released, []
    group, person = rebuild(released, plan).group_of_row, originals.person[rows]
    frame, missing = originals.frame, originals.missing
    return with_ranges(released, plan, frame, rows, group=group, person=person, missing=missing)


def twins_in_texts(released: pl.DataFrame, plan: Plan, originals: Originals) -> list[Open]:
    """What is masked for one of a group and open in another's text, with its places."""
    stands = _read_texts(released, plan, originals)
    seen = _shown_in_texts(released, plan, originals, stands, invents=True)
    groups = rebuild(
        released,
        plan,
        person=originals.person[originals.source_row],
        in_texts=seen.shown,
        replacing=seen.replacing,
    )
    return _twins(released, plan, groups.group_of_row, seen)


def _twins(released: pl.DataFrame, plan: Plan, group_of_row: NDArray[np.int64], seen: InTexts) -> list[Open]:
    """What is masked in a text of a group, looked for in all texts of the group."""
    stays: dict[int, set[str]] = {}
    for row, kept in enumerate(seen.kept):
        stays.setdefault(int(group_of_row[row]), set()).update(kept)
    # what only went with its sentence may be shown by others
    masked = [
        replaced | (gone - stays[int(group_of_row[row])])
        for row, (replaced, gone) in enumerate(zip(seen.replaced, seen.gone, strict=True))
    ]
    texts = _texts(released, _text_columns(released, plan))
    return open_twins(texts, group_of_row, masked, seen.put, seen.kept)


def _columns_check(released: pl.DataFrame, plan: Plan) -> Check:
    called = {*plan.surrogates, *([plan.data.person] if plan.release.person_key == "pseudonym" else [])}
    named = [n for n, a in plan.attributes.items() if a.role is not Role.IDENTIFIER or n in called]
    expected = [column for name in named for column in plan.in_numbers.get(name, (name,))]
    extra = sorted(set(released.columns) - set(expected))
    lacking = sorted(set(expected) - set(released.columns))
    if extra or lacking:
        parts = [f"not in the plan: {', '.join(extra)}"] if extra else []
        parts += [f"not in the release: {', '.join(lacking)}"] if lacking else []
        return Check("columns", False, "; ".join(parts))
    return Check("columns", True, "the released columns are those of the plan, identifiers left out")


def _row_checks(released: pl.DataFrame, plan: Plan, originals: Originals) -> list[Check]:
    rows = _rows_check(released, plan, originals)
    lacking = [name for name in plan.attributes if name not in originals.frame.columns]
    if lacking:
        rows = Check("rows", False, f"the data has no column '{lacking[0]}'")
    if not rows.holds:
        return [rows]
    return [
        rows,
        *truth_checks(
            released,
            plan,
            originals.frame,
            originals.source_row,
            hierarchies=originals.hierarchies,
            missing=originals.missing,
        ),
        *surrogate_checks(released, plan, originals),
    ]


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
        tree = originals.hierarchies.get(name)
        return _series(values_of(cells, attribute, originals.missing, as_text=tree is not None))

    return bound_checks(
        released,
        plan,
        person=originals.person[originals.source_row],
        source_row=originals.source_row,
        values=values,
        hierarchies=originals.hierarchies,
    )


def _series(values: Coded) -> pl.Series:
    return pl.Series(list(values.values), strict=False).gather(values.code)


def shown_labels(released: pl.DataFrame, plan: Plan, originals: Originals) -> list[Counter[Label]]:
    """Per released row, the labels that its texts show."""
    stands = _read_texts(released, plan, originals)
    return _shown_in_texts(released, plan, originals, stands, invents=True).shown


def _texts(frame: pl.DataFrame, names: Sequence[str]) -> dict[str, list[str | None]]:
    return {name: frame[name].cast(pl.String).to_list() for name in names}


def left_in_texts(
    released: pl.DataFrame, plan: Plan, originals: Originals, stands: _Stands | None = None
) -> Residue:
    """What had to go and still stands in the texts, with its places."""
    if stands is None:
        released = _with_ranges(labelled(released, plan), plan, originals)[0]
        stands = _read_texts(released, plan, originals)
    assert originals.mentions is not None
    texts = [n for n, a in plan.attributes.items() if a.role is Role.TEXT and n in released.columns]
    # Who does not know what was meant to stay leaves terms to the models, which count their holders.
    kept = originals.kept if originals.kept is not None else np.ones(len(originals.mentions), np.bool_)
    columns = [n for n, a in plan.attributes.items() if a.role not in (Role.TEXT, Role.TERMS)]

    def cells(frame: pl.DataFrame, name: str) -> list[Any]:
        if plan.attributes[name].role is Role.ITEMS:
            split = entries_of if frame is released else held_entries_of
            return split(frame[name], plan.attributes[name].separator)
        return [v.isoformat() if isinstance(v, date) else v for v in frame[name].to_list()]

    short = _in_texts(released, plan)
    both = {
        name: [None if a is None else [a, b] for a, b in zip(labels, short[name], strict=True)]
        for name, labels in _labels(released, plan).items()
    }
    return find_residue(
        _texts(released, texts),
        originals.person[originals.source_row],
        labels={name: cells(released, name) for name in columns if name in released.columns} | both,
        original=_texts(originals.frame, texts),
        original_person=originals.person,
        cells={name: cells(originals.frame, name) for name in columns if name in originals.frame.columns},
        attributes=plan.attributes,
        mentions=originals.mentions,
        kept=kept,
        missing=originals.missing,
        put=stands.put,
    )


def _text_checks(residue: Residue) -> list[Check]:
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
    detail = (
        f"values of {names} occur {words} times as ordinary words in texts; give the columns `entities` to "
        "have them follow the columns"
    )
    return [left, Check("words", None, detail)]


def rebuilt_columns(released: pl.DataFrame, plan: Plan) -> list[str]:
    """The released columns that hold labels of values."""
    unchanged = (Role.TEXT, Role.TERMS, Role.ITEMS, Role.PLAIN, Role.SENSITIVE, Role.IDENTIFIER)
    return [n for n, a in plan.attributes.items() if n in released.columns and a.role not in unchanged]


def _text_columns(released: pl.DataFrame, plan: Plan) -> list[str]:
    return [n for n, a in plan.attributes.items() if a.role is Role.TEXT and n in released.columns]


def _labels(released: pl.DataFrame, plan: Plan) -> dict[str, list[str | None]]:
    """Labels that linking may have put into texts: never those of columns that are released as they came."""
    return _texts(released, rebuilt_columns(released, plan))


def _in_texts(released: pl.DataFrame, plan: Plan) -> dict[str, list[str | None]]:
    """The same labels as texts show them."""
    found = _labels(released, plan)
    return {name: [short_label(label, name) for label in mine] for name, mine in found.items()}


def _entries(released: pl.DataFrame, plan: Plan) -> dict[str, list[list[str]]]:
    return {
        n: entries_of(released[n], a.separator)
        for n, a in plan.attributes.items()
        if a.role is Role.ITEMS and n in released.columns
    }


@dataclass(frozen=True, repr=False, eq=False)
class _Stands:
    """What stands in the place of every mention, by text column and released row."""

    spans: Mapping[str, list[list[tuple[int, int, str]]]]
    readings: Mapping[str, list[list[Reading | None] | None]]  # None: gone, or the text changed elsewhere
    labels: list[set[str]]  # that linking may have put into the row's texts
    kept: list[dict[str, tuple[bool, str]]]  # own labels by spelling: whether an item, and the label
    put: Mapping[str, list[list[Put]]]  # labels of mentions: a term inside a label is no trace of the term

    def without_labels(self, released: Mapping[str, Sequence[str | None]]) -> dict[str, list[str | None]]:
        """Released texts in which labels of mentions are blanked."""
        return {
            name: [text and blanked(text, places) for text, places in zip(texts, self.put[name], strict=True)]
            for name, texts in released.items()
        }


def _read_texts(released: pl.DataFrame, plan: Plan, originals: Originals) -> _Stands:
    assert originals.mentions is not None
    mentions = originals.mentions
    cells = [*_labels(released, plan).values(), *_in_texts(released, plan).values()]
    sets = [*_entries(released, plan).values()]
    whose = originals.person[originals.source_row].tolist()
    held: dict[int, set[str]] = {}  # by a person: what one row tells may be held in another
    for row, person in enumerate(whose):
        held.setdefault(person, set()).update(entry for column in sets for entry in column[row])
    own = [
        {cell for column in cells if (cell := column[row])} | held[person] for row, person in enumerate(whose)
    ]
    quasi = [n for n, a in plan.attributes.items() if a.role is Role.QUASI and n in released.columns]
    values = [*_texts(released, quasi).values()]
    kept = [
        {alike(cell): (False, cell) for column in values if (cell := column[row])}
        | {alike(entry): (True, entry) for entry in held[person]}
        for row, person in enumerate(whose)
    ]
    texts = _text_columns(released, plan)
    now, before = _texts(released, texts), _texts(originals.frame, texts)
    own = [mine | names for mine, names in zip(own, names_in_texts(released, plan, [*now.values()]))]
    written, may_go = frozenset(map(core, originals.written)), settled(plan)
    spans: dict[str, list[list[tuple[int, int, str]]]] = {name: [] for name in mentions.columns}
    readings: dict[str, list[list[Reading | None] | None]] = {name: [] for name in mentions.columns}
    put: dict[str, list[list[Put]]] = {name: [[] for _ in texts] for name, texts in now.items()}
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
            told: list[Reading | None] | None = [None] * len(found)
            if text and may_go and now[name][row] == "":
                told = None  # an empty text is not a missing one: it tells that something was there
            elif result or not may_go:
                told = read(text, result, found, own[row], written)
            spans[name].append(found)
            readings[name].append(told)
            for (start, end, kind), reading in zip(found, told or (), strict=told is not None):
                if reading is None or not reading.changed:
                    continue
                seen = shown_as(text[start:end], reading.text, kind, own[row])
                if seen is not None and seen.kind != "placeholder" and kind not in plan.recode.surrogates:
                    put[name][row].append(Put(reading.start, reading.end, text[start:end]))
    return _Stands(spans, readings, own, kept, put)


@dataclass(frozen=True, repr=False, eq=False)
class InTexts:
    """Per released row what its texts show and how often, and what became of the mentions they had."""

    shown: list[Counter[Label]]
    replacing: set[Label]  # labels that stand in the place of something else
    kept: list[set[str]]  # spellings that stand where they stood
    replaced: list[set[str]]  # something else stands there
    gone: list[set[str]]  # gone with their sentence
    put: list[set[str]]  # labels that the release itself put there
    outside: Check  # whether texts changed outside of mentions


def _shown_in_texts(
    released: pl.DataFrame, plan: Plan, originals: Originals, stands: _Stands, *, invents: bool
) -> InTexts:
    """What the released texts show, laid over the original ones.

    Unless the plan's recoder `invents` terms, a mention is left as it was, masked, or given a label.
    Terms are searched wherever they stand, whatever was meant to happen to them; what stands in the
    place of a mention is read off beside: something more general, a placeholder, a column's label.
    """
    assert originals.mentions is not None
    mentions = originals.mentions
    labels, entries = _labels(released, plan), _entries(released, plan)
    before = _texts(originals.frame, _text_columns(released, plan))
    visible = visible_terms(
        stands.without_labels(_texts(released, _text_columns(released, plan))),
        originals.person[originals.source_row],
        original=before,
        original_person=originals.person,
        mentions=mentions,
        labels=labels
        | {n: [[e for e in row if e[:1] == "("] for row in rows] for n, rows in entries.items()},
    )
    shown = [Counter({(name, "term", term): 1 for name, term in found}) for found in visible]
    replacing: set[Label] = set()
    kept, replaced, gone = ([set[str]() for _ in visible] for _ in range(3))
    put = [set(own) for own in stands.labels]
    changed: set[int] = set()
    stayed: Counter[tuple[int, Label]] = Counter()  # places where a term stands as it stood
    for name in mentions.columns:
        for row, (source, readings) in enumerate(
            zip(originals.source_row.tolist(), stands.readings[name], strict=True)
        ):
            if readings is None:
                changed.add(row + 1)
                continue
            text = before[name][source] or ""
            for (start, end, kind), reading in zip(stands.spans[name][row], readings, strict=True):
                surface, now = text[start:end], None if reading is None else reading.text
                (gone if now is None else kept if now == surface else replaced)[row].add(surface)
                seen = shown_as(surface, now, kind, stands.labels[row], renamed=plan.recode.surrogates)
                if seen is None:
                    continue
                if seen.kind == "term" and reading is not None and not reading.changed:
                    stayed[row, (name, seen.kind, seen.label)] += 1
                    continue
                if now is not None and now != surface:
                    put[row].add(now)
                if seen.kind == "term" and not (invents or kind in plan.recode.surrogates):
                    changed.add(row + 1)
                shown[row][name, seen.kind, seen.label] += 1
                if alike(surface) != seen.label:
                    replacing.add((name, seen.kind, seen.label))
    if settled(plan):
        count_own_labels(shown, stayed, replacing, stands.kept)
    count_stayed(shown, stayed, replacing, visible)
    detail = "outside of mentions, and of articles that agree with them, every text is as it came"
    if changed:
        where = row_list(sorted(changed))
        detail = f"the texts of released {where} changed otherwise than by masking what was found in them"
    return InTexts(shown, replacing, kept, replaced, gone, put, Check("outside", not changed, detail))
