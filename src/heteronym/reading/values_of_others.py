"""Values of columns and sets in texts of persons who do not have them: they are mentions, too.

Where a group's map must treat an element alike whoever holds it, a code, a town or a ward that a text names
is an element of that text's person, whether or not anybody who has it writes of it. So every text is searched
for the values of all persons: items, words of quasi and event columns, and whole identifiers. What is found
is a term of the column's type; `reading.stated_values` says whether it names an item or lies inside a label.
Numbers and days that are not the person's own are left to the recognizers: alone they mean nothing.

Cost        O(distinct values) forms, O(words of the texts) look-ups
Randomness  none
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.io.sets import split_cells
from heteronym.io.values import text_cells
from heteronym.model import collect
from heteronym.model.dataset import Dataset
from heteronym.model.mention import Mentions, Read, Span, Status
from heteronym.model.schema import Scale
from heteronym.model.terms import Term, normalize
from heteronym.reading.link import SOURCE
from heteronym.reading.ordinary_values import has_own_type, of_values
from heteronym.reading.read_person import ReadingSettings
from heteronym.reading.scan import texts_of
from heteronym.reading.search_targets import Target
from heteronym.run import current
from heteronym.text.forms import is_telling, value_forms
from heteronym.text.measurements import measured_in
from heteronym.text.own_values import Hit, OwnValues

_Name = TypeVar("_Name", str, Term)
_LEAST_DIGITS = 6  # of an identifier that is a number: shorter ones are years and amounts


def add_mentions_of_others_values(
    dataset: Dataset, mentions: Mentions, reading: ReadingSettings, *, gone: Collection[str] = ()
) -> Mentions:
    """The mentions, and further ones where a text names a value that another person has.

    `gone` are normalized words that count only as somebody's identifier. A value that covers a mention which
    a reviewer masked is masked as a whole.
    """
    targets = reading.targets
    known = _known_values(dataset, targets)
    if known is None:
        return mentions
    cells = [texts_of(dataset.frame[name]) for name in mentions.columns]
    added = collect.Collection(mentions.columns, links=mentions.links)
    taken = np.zeros(len(mentions), np.bool_)
    place_of = mentions.row.astype(np.int64) * len(cells) + mentions.column
    movable = _may_give_way(mentions, reading)
    found_in: dict[str, list[Hit]] = {}  # equal texts are searched once
    run = current()
    for row in range(dataset.rows):
        if row % 1024 == 0:
            run.tell(row / dataset.rows)
        for column, texts in enumerate(cells):
            text = texts[row]
            if not text:
                continue
            hits = found_in.get(text)
            if hits is None:
                hits = found_in[text] = [
                    hit
                    for hit in known.find(text)
                    if targets[hit.target].is_identifier or normalize(text[hit.start : hit.end]) not in gone
                ]
            if not hits:
                continue
            first, last = np.searchsorted(place_of, row * len(cells) + column + np.arange(2)).tolist()
            here = list(zip(mentions.start[first:last].tolist(), mentions.end[first:last].tolist()))
            for hit, inside in _settled(text, hits, targets, here, movable[first:last].tolist()):
                covered = [first + n for n in inside]
                taken[covered] = True
                masked = bool((mentions.status[covered] == Status.MASKED).any())
                kind = targets[hit.target].type
                span = Span(hit.start, hit.end, kind, 1.0, SOURCE, targets[hit.target].name)
                spelling = normalize(text[hit.start : hit.end])
                term, status = Term(kind, normalize(hit.item)), Status.MASKED if masked else Status.FOUND
                added.add(row, column, Read(span, term, spelling, status=status))
    return _joined(mentions, taken, added.build(), cells)


def _known_values(dataset: Dataset, targets: Sequence[Target]) -> OwnValues | None:
    """The values of all persons that are looked for; None if there are none."""
    known, count = OwnValues(), 0
    for number, target in enumerate(targets):
        for value in _values(dataset, target):
            if _is_looked_for(value, target):
                known.add(value_forms(value), number, value)
                count += 1
    return known if count else None


def _values(dataset: Dataset, target: Target) -> list[str]:
    cells, attribute = dataset.frame[target.name], target.attribute
    measured = attribute.scale in (Scale.NUMERIC, Scale.DATE) and not target.is_identifier
    if target.is_items:
        entries = split_cells(cells, attribute.separator)[1]["entry"]
    elif measured or cells.dtype.is_nested() or isinstance(cells.dtype, (pl.Binary, pl.Object)):
        return []
    else:
        entries = text_cells(cells.cast(pl.String), dataset.missing).str.strip_chars()
    return sorted(entries.drop_nulls().unique().to_list())


def _is_looked_for(value: str, target: Target) -> bool:
    if target.is_identifier:
        digits = sum(map(str.isdigit, value))
        return is_telling(value) and (not value.isdigit() or digits >= _LEAST_DIGITS)
    return bool(target.attribute.entities) or is_telling(value)


def _may_give_way(mentions: Mentions, reading: ReadingSettings) -> NDArray[np.bool_]:
    """Mentions that a longer or equal occurrence of a value replaces: terms, neither linked nor direct."""
    direct = np.array([reading.is_direct(kind) for kind in mentions.types], np.bool_)
    free: NDArray[np.bool_] = mentions.link < 0
    free[free] = ~direct[mentions.type[free]]
    return free


def _settled(
    text: str,
    hits: Sequence[Hit],
    targets: Sequence[Target],
    here: Sequence[tuple[int, int]],
    free: Sequence[bool],
) -> list[tuple[Hit, list[int]]]:
    """Occurrences that count, none overlapping, each with the mentions that it replaces."""

    def weight(hit: Hit) -> tuple[bool, int, int, bool, int]:
        target = targets[hit.target]
        return not target.is_identifier, hit.start - hit.end, hit.start, not has_own_type(target), hit.target

    chosen: list[tuple[Hit, list[int]]] = []
    for hit in sorted(of_values(text, hits, targets, set(here)), key=weight):
        if any(other.start < hit.end and hit.start < other.end for other, _ in chosen):
            continue
        if targets[hit.target].is_identifier and (hit.start, hit.end) in here:
            continue  # a term that is an identifier of somebody is masked under its own type
        if measured_in(text).touch((hit.start, hit.end)):
            continue
        near = [n for n, (start, end) in enumerate(here) if start < hit.end and hit.start < end]
        if all(free[n] and hit.start <= here[n][0] and here[n][1] <= hit.end for n in near):
            chosen.append((hit, near))
    return chosen


def _joined(
    mentions: Mentions, taken: NDArray[np.bool_], added: Mentions, cells: Sequence[Sequence[str | None]]
) -> Mentions:
    """Both collections in one, without the mentions that gave way."""
    if not len(added):
        return mentions
    types, of_type = _numbered(mentions.types, added.types)
    sources, of_source = _numbered(mentions.sources, added.sources)
    rules, of_rule = _numbered(mentions.rules, added.rules)
    terms, of_term = _numbered(mentions.terms, added.terms)
    kept = np.flatnonzero(~taken)
    names = ("row", "column", "start", "end", "score", "status", "spelling", "link")
    rest = {name: getattr(mentions, name)[kept] for name in (*names, "type", "source", "rule", "term")}
    more = {name: getattr(added, name) for name in names}
    more |= {"type": of_type[added.type], "source": of_source[added.source]}
    more |= {"rule": of_rule[added.rule], "term": of_term[added.term]}
    more["spelling"] = _numbered(_spellings(cells, mentions), _spellings(cells, added))[1][added.spelling]
    whole = replace(mentions, types=types, sources=sources, rules=rules, terms=terms, **rest)
    return whole.with_more(more)[0]


def _spellings(cells: Sequence[Sequence[str | None]], mentions: Mentions) -> list[str]:
    """The spellings of mentions by their numbers; a number without a mention has a name of its own."""
    known = [f"\0{number}" for number in range(int(mentions.spelling.max(initial=-1)) + 1)]
    for number, which in zip(*np.unique(mentions.spelling, return_index=True), strict=True):
        text = cells[mentions.column[which]][mentions.row[which]] or ""
        known[number] = normalize(text[mentions.start[which] : mentions.end[which]])
    return known


def _numbered(known: Sequence[_Name], more: Sequence[_Name]) -> tuple[tuple[_Name, ...], NDArray[np.int64]]:
    """The names of both, and the number that each of the second ones has among them."""
    number_of = {name: number for number, name in enumerate(known)}
    for name in more:
        number_of.setdefault(name, len(number_of))
    return tuple(number_of), np.array([number_of[name] for name in more], np.int64)
