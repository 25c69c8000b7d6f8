"""What the released texts show, laid over the original ones.

Terms are searched wherever they stand, whatever was meant to happen to them; what stands in the place of a
mention is read off beside: something more general, a placeholder, a column's label.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from heteronym.errors import row_list
from heteronym.model.plan import Plan
from heteronym.model.release import Check
from heteronym.model.schema import Role
from heteronym.run import current
from heteronym.verify.entries import entries_of
from heteronym.verify.groups import Label
from heteronym.verify.label_forms import set_members, unstarred
from heteronym.verify.masking import Put, blanked
from heteronym.verify.originals import Originals
from heteronym.verify.reading import alike
from heteronym.verify.residue import Side, visible_terms
from heteronym.verify.stayed import count_own_labels, count_stayed, unchanged_mentions
from heteronym.verify.surrogates import names_in_texts
from heteronym.verify.texts import Reading, core, read, shown_as
from heteronym.verify.truth import settled

_LONGEST_SET = 40  # characters


def texts_of(frame: pl.DataFrame, names: Sequence[str]) -> dict[str, list[str | None]]:
    return {name: frame[name].cast(pl.String).to_list() for name in names}


def text_columns(released: pl.DataFrame, plan: Plan) -> list[str]:
    return [n for n, a in plan.attributes.items() if a.role is Role.TEXT and n in released.columns]


def labels_of(released: pl.DataFrame, plan: Plan) -> dict[str, list[str | None]]:
    """Labels that linking may have put into texts: those of quasi columns, which are a person's own."""
    quasi = [n for n, a in plan.attributes.items() if a.role is Role.QUASI and n in released.columns]
    return texts_of(released, quasi)


def labels_in_texts(released: pl.DataFrame, plan: Plan) -> dict[str, list[str | None]]:
    """The same labels as texts show them."""
    found = labels_of(released, plan)
    short = {name: {label: short_label(label, name) for label in set(mine)} for name, mine in found.items()}
    return {name: [short[name][label] for label in mine] for name, mine in found.items()}


def short_label(label: str | None, name: str) -> str | None:
    """A column's label as texts show it: a set of more than 40 characters by the number of its values."""
    told = unstarred(label)
    if label is None or told is None or len(label) <= _LONGEST_SET or set_members(told) == [told]:
        return label
    members = set_members(told)
    known = [member for member in members if member]
    many = name.replace("_", " ").replace("-", " ")
    if re.search(r"[^aeiou]y$", many):
        many = many[:-1] + "ie"
    elif re.search(r"(?:s|x|z|ch|sh)$", many):
        many += "e"
    none = " or none" if len(known) < len(members) else ""
    withheld = " or withheld" if told != label else ""
    return f"[one of {len(known)} {many}s{none}{withheld}]"


def _entries(released: pl.DataFrame, plan: Plan) -> dict[str, list[list[str]]]:
    return {
        n: entries_of(released[n], a.separator)
        for n, a in plan.attributes.items()
        if a.role is Role.ITEMS and n in released.columns
    }


@dataclass(frozen=True, repr=False, eq=False)
class Stands:
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


def read_texts(released: pl.DataFrame, plan: Plan, originals: Originals) -> Stands:
    assert originals.mentions is not None
    mentions = originals.mentions
    values = [*labels_of(released, plan).values()]
    cells = [*values, *labels_in_texts(released, plan).values()]
    sets = [*_entries(released, plan).values()]
    whose = originals.released_person.tolist()
    held: dict[int, set[str]] = {}  # by a person: what one row tells may be held in another
    for row, person in enumerate(whose):
        held.setdefault(person, set()).update(entry for column in sets for entry in column[row])
    own = [
        {cell for column in cells if (cell := column[row])} | held[person] for row, person in enumerate(whose)
    ]
    kept = [
        {alike(cell): (False, cell) for column in values if (cell := column[row])}
        | {alike(entry): (True, entry) for entry in held[person]}
        for row, person in enumerate(whose)
    ]
    texts = text_columns(released, plan)
    now, before = texts_of(released, texts), texts_of(originals.frame, texts)
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
    return Stands(spans, readings, own, kept, put)


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
    standing: Counter[tuple[str, str, str]]  # column, type and text of mentions that stand as they stood


def shown_in_texts(released: pl.DataFrame, plan: Plan, originals: Originals, stands: Stands) -> InTexts:
    """Unless the plan's recoder invents terms, a mention is left as it was, masked, or given a label."""
    assert originals.mentions is not None
    mentions, invents = originals.mentions, plan.recode.terms.name != "suppress"
    labels: dict[str, list[Any]] = {**labels_of(released, plan)}
    entries = _entries(released, plan)
    before = texts_of(originals.frame, text_columns(released, plan))
    labels |= {n: [[e for e in row if e[:1] == "("] for row in rows] for n, rows in entries.items()}
    bare = stands.without_labels(texts_of(released, text_columns(released, plan)))
    visible = visible_terms(
        Side(originals.released_person, bare, labels), Side(originals.person, before), mentions
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
    outside = Check("outside", not changed, detail)
    standing = unchanged_mentions(stands.spans, stands.readings, before, originals.source_row)
    return InTexts(shown, replacing, kept, replaced, gone, put, outside, standing)
