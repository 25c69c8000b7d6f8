"""Whether what a release shows is true of the data: labels, items, terms, and columns that must not change.

Labels are read once each, and every different pair of a label and a value is looked at once, however many
rows have it. Rows are named by their number in the release.

Cost        O(rows) to pair up, then O(different pairs)
Randomness  none
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym import registry
from heteronym.errors import row_list
from heteronym.model.hierarchy import Hierarchy
from heteronym.model.plan import Plan
from heteronym.model.release import Check
from heteronym.model.schema import Attribute, Role, Scale
from heteronym.model.sets import Sets, distinct
from heteronym.verify.entries import cell_entries, read_entries
from heteronym.verify.forms import key_form, term_form
from heteronym.verify.label_forms import is_starred
from heteronym.verify.labels import interval, item_members, leaves_below, meaning
from heteronym.verify.originals import Originals
from heteronym.verify.values import Coded, cell_text, coded, values_of

_EXACT = 2.0**53  # up to here, floats hold whole numbers


def truth_checks(released: pl.DataFrame, plan: Plan, originals: Originals) -> list[Check]:
    """Whether labels cover the originals, and other columns are as they came."""
    changed, untrue, unseen = [], [], []
    frame, source_row = originals.frame, originals.source_row
    shown = set(released.columns)
    may_lack = settled(plan)  # such a model may leave items out
    for name, attribute in plan.attributes.items():
        if name not in shown or attribute.role in (Role.IDENTIFIER, Role.TEXT):
            continue
        tree = originals.hierarchies.get(name)
        if attribute.role in (Role.PLAIN, Role.SENSITIVE):
            if not _same_cells(released[name], frame[name], source_row):
                changed.append(name)
            continue
        if attribute.hierarchy is not None and tree is None:
            unseen.append(name)
            continue
        if attribute.role is Role.ITEMS:
            bad = untrue_items(released[name], frame[name], source_row, attribute, tree, settled=may_lack)
        elif attribute.role is Role.TERMS:
            if plan.recode.terms.name != "suppress":
                unseen.append(name)
                continue
            bad = _untrue_terms(released[name], frame[name], source_row, attribute)
        else:
            values = values_of(frame[name], attribute, originals.missing, as_text=tree is not None)
            labels = coded(released[name]).mapped(cell_text)
            if attribute.role is Role.QUASI:
                labels = labels.mapped(_judged_here)
            in_any_spelling = attribute.role is Role.EVENT and attribute.scale is Scale.NOMINAL
            bad = untrue_labels(
                labels, values.of(source_row), attribute, tree, in_any_spelling=in_any_spelling
            )
        if len(bad):
            untrue.append(f"'{name}' in released {row_list((bad + 1).tolist())}")
    detail = f"changed: {', '.join(changed)}" if changed else "all other columns are as they came"
    checks = [Check("unchanged", not changed, detail)]
    detail = (
        f"labels that do not cover the original: {'; '.join(untrue)}"
        if untrue
        else "every label covers the original value"
    )
    checks.append(Check("truth", not untrue, detail))
    if unseen:
        about = f"labels of {', '.join(unseen)} were not compared: what they are kinds of is not known here"
        checks.append(Check("kinds", None, about))
    return checks


def _judged_here(label: str | None) -> str | None:
    """Labels that some withhold their value beside are looked at by `verify.withheld`."""
    return "*" if is_starred(label) else label


def _without_spelling(text: Any) -> Any:
    return " ".join(text.split()).casefold() if isinstance(text, str) else text


def settled(plan: Plan) -> bool:
    """Whether a model decides on all labels of a group together."""
    return any(hasattr(registry.privacy_models.get(model.name), "settle") for model in plan.privacy)


def _rows_of_pairs(
    a: Coded, b: Coded, is_bad: Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.bool_]]
) -> NDArray[np.int64]:
    """Rows whose pair is bad; `is_bad` is asked once, about the different pairs."""
    width = len(b.values)
    key = a.code * width + b.code
    span = len(a.values) * width
    if span <= max(4 * len(key), 1 << 16):
        there = np.zeros(span, np.bool_)
        there[key] = True
        pairs = np.flatnonzero(there)
    else:
        pairs = pl.Series(key).unique().to_numpy()
    bad = is_bad(pairs // width, pairs % width)
    return np.flatnonzero(np.isin(key, pairs[bad])) if bad.any() else np.empty(0, np.int64)


def untrue_labels(
    labels: Coded,
    values: Coded,
    attribute: Attribute,
    tree: Hierarchy | None,
    *,
    in_any_spelling: bool = False,
) -> NDArray[np.int64]:
    """Rows whose label is not true of their value; `in_any_spelling` capitals and blanks do not count."""
    if in_any_spelling:
        labels, values = labels.mapped(_without_spelling), values.mapped(_without_spelling)
    read = [meaning(label, attribute, tree) for label in labels.values]
    surely = _interval_rule(labels, values) if attribute.scale is Scale.NUMERIC and tree is None else None

    def is_bad(label: NDArray[np.int64], value: NDArray[np.int64]) -> NDArray[np.bool_]:
        bad = np.ones(len(label), np.bool_) if surely is None else ~surely(label, value)
        for place in np.flatnonzero(bad).tolist():
            bad[place] = not read[label[place]](values.values[value[place]])
        return bad

    return _rows_of_pairs(labels, values, is_bad)


def _interval_rule(
    labels: Coded, values: Coded
) -> Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.bool_]]:
    """Which pairs of range and number agree without doubt; the others are looked at one by one."""
    ends = [None if label is None else interval(label) for label in labels.values]
    low, high = (np.array([np.nan if e is None else float(e[side]) for e in ends]) for side in (0, 1))
    number = np.array([np.nan if value is None else float(value) for value in values.values])
    number[np.abs(number) >= _EXACT] = np.nan

    def agrees(label: NDArray[np.int64], value: NDArray[np.int64]) -> NDArray[np.bool_]:
        return (low[label] <= number[value]) & (number[value] <= high[label])

    return agrees


# --- sets -----------------------------------------------------------------------------------------


def untrue_items(
    released: pl.Series,
    source: pl.Series,
    rows: NDArray[np.int64],
    attribute: Attribute,
    tree: Hierarchy | None,
    *,
    settled: bool = False,
) -> NDArray[np.int64]:
    """Rows that show a label none of whose items they have, or have an item no label stands for.

    Where labels are `settled` together, items may be left out, and capitals and blanks do not count.
    """
    shown = read_entries(released, attribute.separator)
    held = read_entries(source, attribute.separator, held=True)
    form_of = (lambda text: _without_spelling(key_form(text))) if settled else key_form
    forms = [form_of(text) for text in held.texts]
    items = {form: number for number, form in enumerate(dict.fromkeys(filter(None, forms)))}
    item = np.array([items.get(form, -1) for form in forms], np.int64)[held.code]
    count = max(len(items), 1)
    of_source = Sets.of_pairs(held.row[item >= 0], item[item >= 0], owners=len(source), codes=count)
    row, mine = of_source.expand(rows)
    stands_for = [_items_meant(label, items, tree, form_of) for label in shown.texts]

    # who shows its own items, each by itself, needs no closer look
    single = np.array([next(iter(meant)) if len(meant) == 1 else -1 for meant in stands_for], np.int64)
    alone = single[shown.code]
    pairs = distinct(shown.row[alone >= 0] * count + alone[alone >= 0])
    own = row * count + mine
    closer = np.zeros(len(released), np.bool_)
    closer[shown.row[alone < 0]] = True
    closer[pairs[~_are_in(own, pairs)] // count] = True
    closer[own[~_are_in(pairs, own)] // count] = True
    labels, has = _by_row(shown.row, shown.code, closer), _by_row(row, mine, closer)

    def is_true(labels: Sequence[int], items: set[int]) -> bool:
        left = items
        for label in labels:
            covered = items & stands_for[label]
            if not covered:
                return False
            left = left - covered
        return settled or not left

    untrue = [not is_true(a, set(b)) for a, b in zip(labels, has, strict=True)]
    return np.flatnonzero(closer)[np.array(untrue, np.bool_)]


def _items_meant(
    label: str, items: Mapping[str, int], tree: Hierarchy | None, form_of: Callable[[str], str]
) -> frozenset[int]:
    """The items of the data that a label stands for."""
    if label == "*":
        return frozenset(items.values())
    names = item_members(label) | (leaves_below(label, tree) if tree is not None else frozenset())
    return frozenset(items[form_of(name)] for name in names if form_of(name) in items)


def _are_in(ordered: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which numbers are among others; both ascend."""
    ends = np.append(ordered, -1)
    found: NDArray[np.bool_] = ends[np.searchsorted(ordered, wanted)] == wanted
    return found


def _by_row(row: NDArray[np.int64], code: NDArray[Any], chosen: NDArray[np.bool_]) -> list[list[int]]:
    """The codes of the chosen rows, one list for each."""
    there = np.flatnonzero(chosen[row])
    codes = code[there[np.argsort(row[there], kind="stable")]].tolist()
    ends = np.cumsum(np.bincount(row[there], minlength=len(chosen))[chosen]).tolist()
    return [codes[begin:end] for begin, end in pairwise([0, *ends])]


def _untrue_terms(
    released: pl.Series, source: pl.Series, rows: NDArray[np.int64], attribute: Attribute
) -> NDArray[np.int64]:
    """Rows that show a term which they do not have: whoever spells it how."""
    separator = attribute.separator
    shown, held = coded(released).mapped(lambda cell: cell_entries(cell, separator, held=True)), coded(source)

    def is_true(entries: Sequence[str], cell: Any) -> bool:
        if separator is not None and isinstance(cell, str):
            # most entries stand there as they stood; only the others are worth a closer look
            whole = f"{separator}{cell}{separator}"
            entries = [entry for entry in entries if f"{separator}{entry}{separator}" not in whole]
        if not entries:
            return True
        return {_term(entry) for entry in entries} <= {
            _term(entry) for entry in cell_entries(cell, separator, held=True)
        }

    def is_bad(a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.bool_]:
        pairs = zip(a.tolist(), b.tolist(), strict=True)
        return np.array([not is_true(shown.values[x], held.values[y]) for x, y in pairs], np.bool_)

    return _rows_of_pairs(shown, held.of(rows), is_bad)


def _term(entry: str) -> tuple[str, str]:
    kind, _, text = entry.partition(":")
    return key_form(kind), term_form(key_form(text))


# --- columns that must not change -----------------------------------------------------------------


def _same_cells(released: pl.Series, source: pl.Series, rows: NDArray[np.int64]) -> bool:
    """Whether a column holds the cells that it held, row by row."""
    if released.dtype == source.dtype == pl.String and released.eq_missing(source.gather(rows)).all():
        return True
    a, b = coded(released), coded(source).of(rows)

    def is_bad(x: NDArray[np.int64], y: NDArray[np.int64]) -> NDArray[np.bool_]:
        pairs = zip(x.tolist(), y.tolist(), strict=True)
        return np.array([not same_cell(a.values[m], b.values[n]) for m, n in pairs], np.bool_)

    return not len(_rows_of_pairs(a, b, is_bad))


def same_cell(a: Any, b: Any) -> bool:
    """Whether two cells say the same, if one of them came as text and the other as a number or a day."""
    left, right = cell_text(a), cell_text(b)
    left, right = (None if text is None or not key_form(text) else text for text in (left, right))
    if left == right:
        return True
    if left is None or right is None:
        return False
    kinds = {type(value) for value in (a, b)}
    if kinds & {int, float}:
        return _number(left) is not None and _number(left) == _number(right)
    if bool in kinds:
        return left.lower() == right.lower()
    if kinds & {date, datetime}:
        return _moment(left) is not None and _moment(left) == _moment(right)
    return False


def _number(text: str) -> int | float | None:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return None


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None
