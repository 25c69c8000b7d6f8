"""The order of the steps: read columns, match rows, lay texts over each other, count crowds, list leaks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from heteronym.errors import InputError
from heteronym.judging import rows as matching
from heteronym.judging.columns import Column, column_names, moments, read_columns, without_shift
from heteronym.judging.crowds import Tables, fitting_persons, smallest_by_columns, smallest_with_pieces
from heteronym.judging.findings import Finding, Judgement, Level
from heteronym.judging.meanings import Ints, meanings_of
from heteronym.judging.pairs import patterns_of
from heteronym.judging.pieces import PieceBook, roles_of
from heteronym.judging.texts import Mention, TextPairs, spotted, standing
from heteronym.judging.traces import constant_shift, noise, one_to_one
from heteronym.model.hierarchy import Hierarchy
from heteronym.model.plan import Plan
from heteronym.model.schema import Attribute, Role
from heteronym.run import current

_NO_CROWD = np.iinfo(np.int64).max
_ENOUGH = 0.5  # share of rows that must be matched for texts and items to be judged
_OTHERS = 0.05  # of the rows: fewer that fit anybody, and the data is of others


@dataclass(frozen=True, repr=False, eq=False)
class Case:
    """All that a judgement is about. Holds personal data."""

    released: pl.DataFrame
    original: pl.DataFrame
    plan: Plan
    person: Ints  # of each row of the data
    k: int
    m: int
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    missing: frozenset[str] = frozenset()
    mentions: Sequence[Mention] = ()
    rows: Ints | None = None  # the caller's map: the original row of each released one
    match: str | None = None  # the caller's key

    def __repr__(self) -> str:
        return f"Case({self.released.height} rows beside {self.original.height})"

    @property
    def attributes(self) -> Mapping[str, Attribute]:
        """Of the columns that the data has."""
        return {n: a for n, a in self.plan.attributes.items() if n in self.original.columns}


@dataclass(frozen=True, repr=False, eq=False)
class Opened:
    """Both tables after their rows were matched and their labels read."""

    case: Case
    columns: Sequence[Column]
    texts: TextPairs
    matched: matching.Matched
    widened: Mapping[str, float] = field(
        default_factory=dict
    )  # columns whose numbers are noisy, and by how much

    def __repr__(self) -> str:
        return f"Opened({self.matched!r})"

    @property
    def known(self) -> list[Column]:
        return [column for column in self.columns if column.is_known]

    @property
    def tables(self) -> Tables:
        return Tables(self.known, self.case.person, self.matched.source, self.case.released.height)

    @property
    def is_true(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Rows whose labels are true of the original; of the others nobody learns anything by fitting."""
        rows = np.flatnonzero(self.matched.sure)
        found = np.ones(self.case.released.height, np.bool_)
        for column in self.known:
            found[rows] &= column.fit(rows, self.matched.source[rows])
        return found


def open_case(case: Case) -> Opened:
    """Columns read, rows matched."""
    columns = read_columns(
        case.released, case.original, case.attributes, missing=case.missing, hierarchies=case.hierarchies
    )
    names = column_names(case.released.columns, case.original.columns)
    text_names = [name for name in roles_of(case.attributes, Role.TEXT) if name in names]
    released = {name: case.released[names[name]].cast(pl.String).to_list() for name in text_names}
    original = {name: case.original[name].cast(pl.String).to_list() for name in text_names}
    if not columns and not text_names and not _has_sets(case, names):
        raise InputError("the release has none of the columns of the data")
    both = matching.Both(
        columns,
        [(name, released[name], original[name]) for name in text_names],
        case.released.height,
        case.original.height,
    )
    matched = _matched(case, both, names)
    columns, widened = _understood(columns, matched, both)
    if matched.share < _ENOUGH and any(column.shift for column in columns):
        again = replace(both, columns=columns)
        second = _matched(case, again, names)
        if second.share > matched.share:
            matched = second
    _refuse_others(columns, matched, case)
    pairs = TextPairs(text_names, released, original, matched.source)
    return Opened(case, columns, pairs, matched, widened)


def _has_sets(case: Case, names: Mapping[str, str]) -> bool:
    return any(name in names for name in roles_of(case.attributes, Role.ITEMS, Role.TERMS))


def _matched(case: Case, both: matching.Both, names: Mapping[str, str]) -> matching.Matched:
    if case.rows is not None:
        return matching.Matched(case.rows, "a map of rows")
    if case.match is not None:
        return _by_given_key(case, both, names)
    for name in roles_of(case.attributes, Role.IDENTIFIER):
        if name in names:
            found = matching.by_key(case.released[names[name]], case.original[name])
            if found.share > 0.9:
                return found
    found = matching.match_rows(both)
    if found.share < 0.999:
        for name in roles_of(case.attributes, Role.IDENTIFIER):
            blocks = None
            if name in names:
                blocks = matching.key_blocks(case.released[names[name]], case.original[name])
            if blocks is not None:
                second = matching.by_content(both, blocks, "key", name)
                found = second if second.share > found.share else found
    return found


def _by_given_key(case: Case, both: matching.Both, names: Mapping[str, str]) -> matching.Matched:
    name = str(case.match)
    ours = case.released[names.get(name, name)]
    theirs = case.original[name]
    found = matching.by_key(ours, theirs)
    if found.share < 0.999:
        blocks = matching.key_blocks(ours, theirs)
        if blocks is None and not found.sure.any():
            raise InputError(f"--match {name}: no key of the release is one of the data")
        if blocks is not None:
            second = matching.by_content(both, blocks, "key", name)
            source = np.where(found.sure, found.source, second.source)
            found = replace(second, source=source)
    return found


def _understood(
    columns: Sequence[Column], matched: matching.Matched, both: matching.Both
) -> tuple[list[Column], dict[str, float]]:
    """Columns after what matched rows tell: constant shifts, nodes of hierarchies, codes, noise."""
    found, widened = [], {}
    for column in columns:
        rows = np.flatnonzero(matched.sure)
        own = column.fit(rows, matched.source[rows]).mean() if len(rows) else 1.0
        exact = bool(column.exact[column.label_of_row].mean() > 0.5) if len(column.label_of_row) else False
        read = column.meanings.is_read[column.label_of_row].mean() if len(column.label_of_row) else 1.0
        shift = constant_shift(column, matched.source) if own < 0.5 or not len(rows) else None
        if shift is not None and not (not len(rows) and _fits_anyhow(column)):
            found.append(replace(without_shift(column, shift)))  # type: ignore[arg-type]
            continue
        off = noise(column, matched.source) if own < 0.9 else None
        if off is not None and off > 0:
            widened[column.name] = off
            found.append(_widened(column, off))
            continue
        if read < 1.0 or (own < 0.5 and exact):
            column = _with_observed(column, matched, is_false=own < 0.5 and read > 0.5)
        found.append(column)
    return found, widened


def _fits_anyhow(column: Column) -> bool:
    """Whether the labels are values of the data as they are."""
    return bool((column.meanings.sizes[column.label_of_row] > 0).mean() > 0.9)


def _with_observed(column: Column, matched: matching.Matched, *, is_false: bool) -> Column:
    """Labels that nobody could read, by the values of the rows that show them; or known for codes."""
    rows = np.flatnonzero(matched.sure)
    labels, values = column.label_of_row[rows], column.value_of_row[matched.source[rows]]
    mostly_unread = (~column.meanings.is_read[labels]).mean() > 0.5 if len(rows) else False
    if is_false or (mostly_unread and one_to_one(labels, values)):
        return replace(column, is_coded=True)
    if column.attribute.role is Role.IDENTIFIER or matched.share < _ENOUGH:
        return column
    unread = np.flatnonzero(~column.meanings.is_read)
    seen: dict[int, set[int]] = defaultdict(set)
    for label, value in set(zip(labels.tolist(), values.tolist(), strict=True)):
        seen[label].add(value)
    return replace(column, meanings=column.meanings.with_observed(unread.tolist(), seen))


def _widened(column: Column, off: float) -> Column:
    """Noisy numbers, read as all that lies as near as the noise reaches."""
    numbers = np.asarray(column.source.numbers, np.float64)
    read: list[Any] = []
    for place, value in enumerate(moments(column).tolist()):
        if value != value:
            runs = column.meanings.runs(place)
            read.append(
                ([run for run in runs if run[1] <= len(numbers)], bool(column.meanings.missing[place]))
            )
            continue
        first, last = np.searchsorted(numbers, [value - off - 1e-9, value + off + 1e-9])
        read.append(([(int(first), int(last))], False))
    return replace(column, meanings=meanings_of(len(numbers), read))


def _refuse_others(columns: Sequence[Column], matched: matching.Matched, case: Case) -> None:
    """A release whose rows fit nobody is one of other people."""
    if case.released.height < 5 or matched.share > _OTHERS:
        return
    known = [c for c in columns if not c.is_coded and c.attribute.role is not Role.IDENTIFIER]
    tables = Tables(known, case.person, matched.source, case.released.height)
    patterns, of_row = patterns_of(known, case.released.height)
    if not known:
        return
    fits = fitting_persons(tables, patterns, 1)[of_row] > 0
    if fits.mean() < _ENOUGH:
        raise InputError(
            f"of {case.released.height} released rows {int((~fits).sum())} fit nobody in the data, and none "
            "could be matched: this seems to be a release of other people, or with other columns"
        )


# --- levels -----------------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False, eq=False)
class Counted:
    """Crowds of released rows, by attacker."""

    columns: Ints
    items: Mapping[int, Ints]  # by m
    words: Mapping[int, Ints]


def count(opened: Opened, stands: Sequence[tuple[Mention, int, int, int]]) -> Counted:
    """How many persons could be behind each released row, for every attacker."""
    case, tables = opened.case, opened.tables
    plain = np.full(case.released.height, _NO_CROWD)
    if tables.columns:
        plain = _without_nobody(smallest_by_columns(tables, case.k), opened)
    names = column_names(case.released.columns, case.original.columns)
    book = PieceBook()
    has_items = False
    for name in roles_of(case.attributes, Role.ITEMS, Role.TERMS):
        if name in names:
            has_items = True
            book.add_items(
                name, case.attributes[name], case.released[names[name]], case.original[name],
                case.hierarchies.get(name),
            )  # fmt: skip
    items = _with_pieces(opened, book, plain) if has_items else {}
    words: Mapping[int, Ints] = {}
    if opened.texts.names:
        current().poll()
        beyond = [one for one in stands if not _repeats_label(opened, *one)]
        book.add_words(beyond, case.mentions, spotted(opened.texts, case.mentions))
        words = _with_pieces(opened, book, plain)
    return Counted(plain, items, words)


def _repeats_label(opened: Opened, mention: Mention, row: int, start: int, end: int) -> bool:
    """Whether a text only says what a label of its row says as well."""
    shown = (opened.texts.released[mention.column][row] or "")[start:end].casefold()
    labels = (column.labels[column.label_of_row[row]] for column in opened.columns)
    return any(label is not None and label.casefold() == shown for label in labels)


def _with_pieces(opened: Opened, book: PieceBook, plain: Ints) -> dict[int, Ints]:
    found, before, pieces = {}, plain, book.pieces()
    for m in (1, 2):
        crowd = smallest_with_pieces(opened.tables, pieces, opened.case.k, m, before == 1)
        found[m] = before = np.minimum(before, _without_nobody(crowd, opened))
    return found


def _without_nobody(crowd: Ints, opened: Opened) -> Ints:
    """Rows that fit nobody, or whose labels are not true, single nobody out."""
    return np.where((crowd > 0) & opened.is_true, crowd, _NO_CROWD)


def levels_of(opened: Opened, counted: Counted) -> list[Level]:
    """What each attacker gets, in figures."""
    case = opened.case
    person = opened.tables.shown_person
    given = [("columns", 0, counted.columns)]
    given += [("items", m, crowd) for m, crowd in counted.items.items()]
    given += [("words", m, crowd) for m, crowd in counted.words.items()]
    found = []
    for name, m, crowd in given:
        if name == "columns" and not opened.known:
            found.append(Level(name, m, None, 0, 0))
            continue
        told = crowd[crowd < _NO_CROWD]
        smallest = int(told.min(initial=_NO_CROWD))
        found.append(
            Level(
                name,
                m,
                None if smallest == _NO_CROWD else smallest,
                len(np.unique(person[crowd == 1])),
                len(np.unique(person[crowd < case.k])),
                is_judged=m <= case.m,
            )
        )
    return found


def conclude(
    opened: Opened, levels: Sequence[Level], findings: Sequence[Finding], not_looked_at: Sequence[str]
) -> Judgement:
    """Everything in one record, findings sorted by importance."""
    case, matched = opened.case, opened.matched
    needs_rows = bool(opened.texts.names) or bool(roles_of(case.attributes, Role.ITEMS, Role.TERMS))
    has_persons = case.plan.data.person is not None and len(np.unique(case.person)) < case.original.height
    cannot_tell = matched.share < _ENOUGH and (needs_rows or has_persons or not opened.known)
    told = {
        "rows": case.released.height,
        "sure": int(matched.sure.sum()),
        "share": round(matched.share, 4),
        "how": matched.how,
        "by": matched.by,
        "cannot_tell": cannot_tell,
    }
    source = matched.source
    who: dict[str, Sequence[int]] = {}
    for one in findings:
        rows = np.array(one.rows, np.int64) - 1
        known = source[rows] if len(rows) else rows
        key = " ".join((one.kind, *one.columns))
        who[key] = (known[known >= 0] + 1).tolist()
    return Judgement(
        case.k,
        case.m,
        case.released.height,
        len(np.unique(opened.tables.shown_person)),
        told,
        tuple(levels),
        tuple(sorted(findings, key=lambda one: one.rank)),
        tuple(not_looked_at),
        {column.name: _column_facts(column, opened) for column in opened.columns},
        roles={name: str(one.role.value) for name, one in case.attributes.items()},
        who=who,
    )


def _column_facts(column: Column, opened: Opened) -> dict[str, Any]:
    label = column.label_of_row
    read = column.meanings.is_read[label]
    return {
        "role": str(column.attribute.role.value),
        "released_as": column.released,
        "labels": len(column.labels),
        "read_share": round(float(read.mean()), 4) if len(read) else 1.0,
        "exact_share": round(float(column.exact[label].mean()), 4) if len(label) else 0.0,
        "coded": column.is_coded,
        "shifted": bool(column.shift),
        "noise": column.name in opened.widened,
    }


def judge(case: Case) -> Judgement:
    """The judgement on a case."""
    from heteronym.judging.leaks import leaks_of, not_looked_at

    run = current()
    run.tell(None, "match")
    opened = open_case(case)
    run.tell(None, "judge")
    stands = list(standing(opened.texts, case.mentions))
    counted = count(opened, stands)
    findings = leaks_of(opened, counted, stands)
    return conclude(opened, levels_of(opened, counted), findings, not_looked_at(opened))
