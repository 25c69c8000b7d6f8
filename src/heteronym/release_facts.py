"""What is told of a release beside its measures: what became of everything, and what its table shows.

`fates_of` counts, and its counts are part of facts.json. `shown_in` looks at the released table alone, so
that whatever it tells can be seen in the released file as well; the report draws it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym import registry
from heteronym.assertions.anonymity import anonymity_of
from heteronym.contracts import PromiseInWords
from heteronym.io.values import text_cells
from heteronym.model.plan import Plan
from heteronym.model.recoding import Fate
from heteronym.model.schema import Attribute, Role
from heteronym.model.sets import Sets, blocks
from heteronym.pipeline import Draft
from heteronym.text.language import not_english, tells
from heteronym.utility.read_cells import (
    Cells,
    bins_for,
    counted,
    is_drawable,
    labelled,
    read_entries,
    read_labels,
    read_values,
)

MOST_PLOTS, MOST_PLACES, MOST_NAMES = 12, 20, 12
EXAMPLES, LONGEST_CELL = 6, 240
FATES = ("kept", "generalized", "suppressed", "follows_column", "left_out")
_KEPT, _GENERALIZED, _SUPPRESSED, _FOLLOWS, _LEFT_OUT = range(5)
_BY_FATE = np.array([{Fate.KEPT: _KEPT, Fate.GENERALIZED: _GENERALIZED}.get(f, _SUPPRESSED) for f in Fate])
_REASONS = (  # by fate, and two more ways to be suppressed
    "kept",
    "generalized",
    "too_few_in_group",
    "follows_column",
    "person_left_out",
    "direct_identifier",
    "not_alike_in_group",
    "sentence_removed",
)


# --- how precisely figures are told -----------------------------------------------------------------

DIGITS, DIGITS_BESIDE_HIDDEN = 3, 2
_SEEN_IN_FILES = ("groups", "after")  # whoever has the released table counts these again, to the last digit


def rounded_measures(draft: Draft) -> dict[str, Any]:
    """The measures as a release tells them: with so few digits that no hidden value follows from them.

    Losses are shares of what the data spans, left-out persons and withheld cells included: with all digits,
    the extreme value that a release hides could be computed. The owner has all digits.
    """
    hides = bool(draft.partition.left_out or draft.partition.withheld)
    digits = DIGITS_BESIDE_HIDDEN if hides else DIGITS
    return {name: _rounded(figures, digits, name) for name, figures in draft.measures.items()}


def _rounded(figure: Any, digits: int, name: str) -> Any:
    if name in _SEEN_IN_FILES or isinstance(figure, (bool, int)):
        return figure
    if isinstance(figure, Mapping):
        return {key: _rounded(one, digits, str(key)) for key, one in figure.items()}
    return float(f"{figure:.{digits}g}") if isinstance(figure, float) else figure


# --- what became of everything --------------------------------------------------------------------


def fates_of(draft: Draft, least: int) -> dict[str, Any]:
    """Counts of what was kept, generalized, suppressed: cells by column, terms and mentions by type.

    What left-out persons held is counted apart if they are at least so many.
    """
    fates: dict[str, Any] = {"cells": _cells(draft)}
    elements = draft.view.elements
    kinds = (("items", elements.items()), ("events", elements.events()), ("terms", elements.terms()))
    for name, (owner, code) in kinds:
        counts = _by_domain(draft, owner, code)
        if counts:
            fates[name] = counts
    if draft.mentions is not None:
        fates["mentions"], fates["reasons"] = _mentions(draft)
        fates["sources"] = _counts(draft.mentions.sources, draft.mentions.source)
        fates["words"] = _words(draft)
    return fates if draft.partition.left_out >= least else _without_few_left_out(fates)


def _without_few_left_out(fates: dict[str, Any]) -> dict[str, Any]:
    """What fewer persons than a group has would have shown is not told apart: it counts as suppressed."""
    for kind in ("items", "events", "terms", "mentions"):
        for counts in fates.get(kind, {}).values():
            counts["suppressed"] += counts["left_out"]
            counts["left_out"] = 0
    reasons = fates.get("reasons", {})
    if "person_left_out" in reasons:
        reasons["too_few_in_group"] = reasons.get("too_few_in_group", 0) + reasons.pop("person_left_out")
    return fates


def _cells(draft: Draft) -> dict[str, dict[str, int]]:
    """Rows whose cell shows one value, a label for several, nothing, or was missing."""
    group = draft.partition.group[draft.view.person_of_row]
    rows = np.bincount(group[group >= 0], minlength=draft.partition.count)
    rows = rows if draft.rows_of_group is None else draft.rows_of_group
    cells = {}
    for column in draft.view.columns:
        labels = draft.recoding.columns[column.name]
        one = np.diff(draft.partition.covers(column).ptr) == 1
        missing = np.array([label is None for label in labels], np.bool_)
        suppressed = np.array([label == "*" for label in labels], np.bool_)
        starred = draft.partition.withheld_by_group(column.name) > 0
        exact = one & ~missing & ~suppressed & ~starred
        cells[column.name] = {
            "kept": int(rows[exact].sum()),
            "generalized": int(rows[~exact & ~missing & ~suppressed].sum()),
            "suppressed": int(rows[suppressed].sum()),
            "missing": int(rows[missing].sum()),
            "left_out": int((group < 0).sum()),
        }
        if draft.partition.withheld:
            away = draft.partition.withheld.get(column.name)
            gone = 0 if away is None else int(away[draft.view.person_of_row].sum())
            cells[column.name] |= {"withheld": gone, "generalized": cells[column.name]["generalized"] - gone}
    return cells


def _tables(names: tuple[str, ...], table: NDArray[np.int64]) -> dict[str, dict[str, int]]:
    rows = table.reshape(len(names), len(FATES))
    return {
        name: {"found": int(row.sum()), **dict(zip(FATES, row.tolist(), strict=True))}
        for name, row in zip(names, rows, strict=True)
        if row.any()
    }


def _by_domain(draft: Draft, owner: NDArray[Any], code: NDArray[Any]) -> dict[str, dict[str, int]]:
    """Pairs of a person and a term or item, each once."""
    elements, group, labels = draft.view.elements, draft.partition.group, draft.recoding.elements
    shown = (
        labels.fate_and_label(group[owner], code)[0] if len(labels.fate) else np.full(len(code), Fate.KEPT)
    )
    if labels.entries is not None and len(code) and elements.is_item[code[0]]:
        gone = labels.nowhere_shown(owner, code, elements, draft.view.person_of_row)
        shown = np.where(gone, Fate.DROPPED, shown)
    table = np.zeros(len(elements.domains) * len(FATES), np.int64)
    for some in blocks(len(code)):
        fate = np.where(group[owner[some]] < 0, _LEFT_OUT, _BY_FATE[shown[some]])
        table += np.bincount(elements.domain[code[some]] * len(FATES) + fate, minlength=len(table))
    return _tables(tuple(d.name for d in elements.domains), table)


def _mentions(draft: Draft) -> tuple[dict[str, dict[str, int]], dict[str, int]]:
    """Mentions by type and fate, and why they have it."""
    mentions = draft.mentions
    assert mentions is not None
    group = draft.partition.group[draft.view.person_of_row[mentions.row]]
    element = draft.view.elements.of_mention
    asked = element >= 0
    labels = draft.recoding.elements
    shown = labels.fate_and_label(group, element)[0] if len(labels.fate) else np.full(len(element), Fate.KEPT)
    fate = np.where(group < 0, _LEFT_OUT, np.where(asked, _BY_FATE[shown], _SUPPRESSED))
    by_edit, is_gone = _by_edits(draft)
    follows = np.array([name in draft.recoding.columns for name in mentions.links] + [False], np.bool_)
    linked = (mentions.link >= 0) & (group >= 0)
    fate = np.where(linked, np.where(follows[mentions.link], _FOLLOWS, by_edit), fate)
    fate[is_gone] = _SUPPRESSED
    lost = asked & (fate == _SUPPRESSED)
    by_all = np.zeros(len(fate), np.bool_)
    holders = draft.partition.holders(draft.view, group[lost], element[lost])
    by_all[lost] = holders == draft.partition.sizes()[group[lost]]
    number = np.select([is_gone, fate != _SUPPRESSED, ~asked, by_all], [7, fate, 5, 6], _SUPPRESSED)
    types = len(mentions.types) * len(FATES)
    table = np.bincount(mentions.type.astype(np.int64) * len(FATES) + fate, minlength=types)
    return _tables(mentions.types, table), _counts(_REASONS, number)


def _by_edits(draft: Draft) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """What the edits make of each mention, and whether one takes more than it away: its sentence."""
    mentions, edits = draft.mentions, draft.edits
    assert mentions is not None
    fate, is_gone = np.full(len(mentions), _KEPT, np.int64), np.zeros(len(mentions), np.bool_)
    if edits is None or not len(edits):
        return fate, is_gone
    last = edits.touching(mentions)
    hides = np.array([not text or (text[0] == "[" and text[-1] == "]") for text in edits.texts], np.bool_)
    empty = np.array([not text for text in edits.texts], np.bool_)
    fate = np.where(last < 0, _KEPT, np.where(hides[edits.text[last]], _SUPPRESSED, _GENERALIZED))
    wider = (edits.end[last] - edits.start[last]) > (mentions.end - mentions.start)
    return fate, (last >= 0) & empty[edits.text[last]] & wider


def _counts(names: tuple[str, ...], which: NDArray[Any]) -> dict[str, int]:
    counts = np.bincount(which, minlength=len(names)).tolist()
    return {name: count for name, count in zip(names, counts, strict=True) if count}


def _words(draft: Draft) -> dict[str, dict[str, Any]]:
    """Words of each text column, and the share of them that still stands in the release."""
    edits, counts = draft.edits, {}
    assert edits is not None
    in_text = np.array([len(text.split()) for text in edits.texts], np.int64)
    for number, name in enumerate(edits.columns):
        words = _count_words(draft.dataset.frame[name])
        put_in = int(in_text[edits.text[edits.column == number]].sum())
        left = max(_count_words(draft.frame[name]) - put_in, 0)
        share = min(left / words, 1.0) if words else 1.0
        counts[name] = {"words": words, "kept_share": _rounded(share, DIGITS, name)}
    return counts


def _count_words(texts: pl.Series) -> int:
    return int(text_cells(texts).str.count_matches(r"\S+").sum() or 0)


# --- what the released table shows ----------------------------------------------------------------


def least_reported(plan: Plan) -> int:
    """Of fewer persons than this nothing is counted apart: the largest k, at least 5."""
    return max([int(model.parameters.get("k", 0)) for model in plan.privacy] + [5])


class Table(NamedTuple):
    """A released table as far as a report draws it."""

    columns: Mapping[str, pl.Series]
    examples: pl.DataFrame  # rows from its whole length
    rows: int
    times: Mapping[str, NDArray[np.int64]] = {}  # of columns whose equal cells stand once: how often


def shown_in(frame: pl.DataFrame, plan: Plan, original: pl.DataFrame | None = None) -> dict[str, Any]:
    """Distributions and example rows of a released table; beside the originals for their owner alone."""
    frame = labelled(frame, plan)
    examples = frame[example_places(frame.height)]
    table = Table({name: frame[name] for name in frame.columns}, examples, frame.height)
    return shown_of(table, plan, original)


def shown_of(table: Table, plan: Plan, original: pl.DataFrame | None = None) -> dict[str, Any]:
    least = least_reported(plan)
    roles = (Role.QUASI, Role.EVENT, Role.ITEMS, Role.SENSITIVE, Role.PLAIN)
    cells = table.columns
    chosen = [
        (name, attribute)
        for role in roles
        for name, attribute in plan.attributes.items()
        if attribute.role is role and name in cells and (role is Role.ITEMS or is_drawable(cells[name].dtype))
    ]
    missing = frozenset(plan.data.missing)
    columns = [
        _entries(cells[name], attribute, least)
        if attribute.role is Role.ITEMS
        else _distribution(
            cells[name],
            attribute,
            least,
            None if original is None else original[name],
            missing,
            table.times.get(name),
        )
        for name, attribute in chosen[:MOST_PLOTS]
    ]
    return {
        "columns": columns,
        "not_drawn": [name for name, _ in chosen[MOST_PLOTS:]],
        "examples": _examples(table, plan),
    }


def _distribution(
    cells: pl.Series,
    attribute: Attribute,
    least: int,
    original: pl.Series | None,
    missing: frozenset[str],
    times: NDArray[np.int64] | None,
) -> dict[str, Any]:
    read = replace(read_labels(cells, attribute), times=times)
    distribution: dict[str, Any] = {
        "name": cells.name,
        "role": attribute.role.value,
        "kind": read.kind,
        "labels": len(read.texts) - 1,
        "missing": read.missing,
        "suppressed": read.suppressed,
        "names": (),
        "released": (),
    }
    if read.kind == "names" and attribute.role is Role.PLAIN and len(read.texts) > 8 * MOST_NAMES:
        return distribution  # as good as free text: there is nothing to draw
    before = None if original is None else read_values(original, attribute, missing)
    if before is not None and (before.kind != read.kind or attribute.hierarchy is not None):
        before = None  # it cannot be counted in the same places
    both: list[Cells] = [c for c in (before, read) if c is not None]
    # values that are released as they are: those of few rows are not singled out on a page that travels
    pool = least if attribute.role in (Role.SENSITIVE, Role.PLAIN) else 0
    most = MOST_NAMES if read.kind == "names" else MOST_PLACES
    bins = bins_for(both, most=most, pool_below=0 if original is not None else pool)
    distribution |= {"names": bins.names, "released": _tidy(counted(read, bins))}
    if before is not None:
        distribution["original"] = _tidy(counted(before, bins))
    return distribution


def _entries(cells: pl.Series, attribute: Attribute, least: int) -> dict[str, Any]:
    """Labels of an items column by the rows that show them; those of few rows are one bar."""
    read = read_entries(cells, attribute.separator or " ")
    shown = Sets.of_pairs(read.row, read.code, owners=len(cells), codes=max(len(read.texts), 1))
    often = np.bincount(shown.codes, minlength=len(read.texts)).tolist()
    rows = {entry: count for entry, count in zip(read.texts, often, strict=True) if count}
    ranked = sorted((n for n in rows if rows[n] >= least), key=lambda n: (-rows[n], n))
    names = ranked if len(ranked) == len(rows) <= MOST_NAMES else ranked[: MOST_NAMES - 1]
    drawn = np.array([entry in names for entry in read.texts], np.bool_)
    others = len(np.unique(shown.owners()[~drawn[shown.codes]]))
    return {
        "name": cells.name,
        "role": attribute.role.value,
        "kind": "names",
        "labels": len(rows),
        "missing": int((np.diff(shown.ptr) == 0).sum()),
        "suppressed": 0,
        "names": (*names, "others") if others else tuple(names),
        "released": [*(rows[n] for n in names), others] if others else [rows[n] for n in names],
    }


def _tidy(counts: NDArray[np.float64]) -> list[float]:
    """Whole where they are."""
    whole = np.abs(counts - counts.round()) < 1e-9
    return [round(c) if w else c for c, w in zip(counts.tolist(), whole.tolist(), strict=True)]


def example_places(rows: int) -> list[int]:
    """Rows from the whole length of a table."""
    return [int(place) for place in np.linspace(0, max(rows - 1, 0), min(EXAMPLES, rows))]


def _examples(table: Table, plan: Plan) -> dict[str, Any]:
    """Rows from the whole length of the released table, long cells cut."""
    rows, texts = table.examples, set(plan.named(Role.TEXT))
    return {
        "columns": rows.columns,
        "texts": [name for name in rows.columns if name in texts],
        "rows": [[_clipped(cell) for cell in row] for row in rows.rows()],
        "of": table.rows,
    }


def _clipped(cell: Any) -> str | None:
    if cell is None:
        return None
    text = str(cell)
    return text if len(text) <= LONGEST_CELL else text[: LONGEST_CELL - 1] + "…"


def counts_of(draft: Draft, plan: Plan) -> dict[str, int]:
    """How much there was of everything."""
    elements = draft.view.elements
    terms = int(elements.is_term.sum())
    counts = {
        "persons": draft.partition.persons,
        "persons_left_out": draft.partition.left_out,
        "rows": draft.view.rows if draft.rows_of_group is None else int(draft.rows_of_group.sum()),
        "terms": terms,
        "items": len(elements) - terms - int(elements.is_event.sum()),
        "mentions": 0 if draft.mentions is None else len(draft.mentions),
    }
    if draft.mended.rounds:
        counts |= {f"mended_{what}": many for what, many in draft.mended._asdict().items()}
    if tells(plan.text.language):
        texts = [draft.dataset.frame[name].cast(pl.String) for name in draft.dataset.schema.named(Role.TEXT)]
        counts["rows_not_english"] = sum(not_english(cells.to_list()) for cells in texts)
    return counts


def anonymity_in(plan: Plan) -> dict[str, Any]:
    """The type of what a release hides: its content and its owner are open, whom it is about is not."""
    kind = anonymity_of(content=True, proprietors=False, possessors=True)
    entry: dict[str, Any] = {"type": kind.letter, "meaning": kind.meaning}
    if plan.named(Role.TEXT):
        entry["warning"] = (
            "where persons wrote the texts about themselves, "
            "whoever recognizes the writer knows whom the row is about"
        )
    return entry


def describe_column(attribute: Attribute) -> dict[str, Any]:
    """What is said of a column."""
    description = {"role": attribute.role.value, "scale": attribute.scale.value, "weight": attribute.weight}
    if attribute.role is Role.QUASI:
        description |= {"recode": attribute.labelled_by, "hierarchy": attribute.hierarchy is not None}
    return description


def promises_in_words(facts: Mapping[str, Any]) -> dict[str, PromiseInWords]:
    """What the models of a release say of themselves, those that do, by their names."""
    names = [verdict["model"] for verdict in facts["verdict"]["models"]]
    known = [name for name in names if registry.privacy_models.knows(name)]
    said = {name: getattr(registry.privacy_models.get(name), "in_words", None) for name in known}
    return {name: words for name, words in said.items() if words is not None}


def meanings_in(draft: Draft, plan: Plan) -> dict[str, str]:
    """What the parts in use do, in a sentence of their own."""
    parts: list[tuple[registry.Registry[Any], str]] = [
        (registry.privacy_models, model.name) for model in plan.privacy
    ]
    parts += [(registry.partitioners, plan.partition.name)]
    parts += [(registry.measures, name) for name in draft.measures if name in registry.measures.names()]
    meanings = {name: (registry_of.get(name).__doc__ or "").split("\n")[0] for registry_of, name in parts}
    method = registry.parameters_of(registry.partitioners.get(plan.partition.name))
    return meanings | {f"{plan.partition.name}.{parameter.name}": parameter.help for parameter in method}
