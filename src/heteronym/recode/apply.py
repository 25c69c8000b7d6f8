"""Labels into cells and texts: the only place where a released value arises.

What a group's recoding says of a column stands in its cells; what it says of an element stands in
set-valued cells and in the texts that mention it; a mention that repeats a column gets the
column's label; a direct type gets its placeholder. Everything else is released as it came.

Cost        O(rows + edits); equal cells of one group are put together once
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import UsageError
from heteronym.io.repeated import REPEATED
from heteronym.io.sets import join_cells
from heteronym.model.dataset import Dataset
from heteronym.model.edit import Edit, Edits, edited
from heteronym.model.mention import Mentions
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.recoding import ElementLabels, Fate, Recoding, Renamed, placeholder
from heteronym.model.schema import Role
from heteronym.model.sentences import Sentences
from heteronym.model.sets import Sets
from heteronym.recode._in_texts import short_label
from heteronym.recode._item_labels import plain_label
from heteronym.recode._settled_texts import gone_sentences, with_one_spelling, without_sentences
from heteronym.recode._wording import Wording, worded
from heteronym.recode.order import in_telling_nothing_order, numbered_by_content
from heteronym.run import current


class Applied(NamedTuple):
    """The released table, in an order that tells nothing, and how its texts came about."""

    frame: pl.DataFrame
    source_row: NDArray[np.int64]  # where each released row came from
    edits: Edits | None

    def __repr__(self) -> str:
        return f"Applied({self.frame.height} rows, columns {self.frame.columns})"


class InTexts(NamedTuple):
    """What was found in texts. With `sentences`, what is dropped goes with its whole sentence, and a term
    that is kept reads alike in all texts of a group. `wording` fits a label into its sentence."""

    mentions: Mentions
    sentences: Sentences | None = None
    wording: Wording | None = None


def apply(
    dataset: Dataset,
    view: PersonView,
    partition: Partition,
    recoding: Recoding,
    texts: InTexts | None = None,
    *,
    pseudonyms: bool = False,
    renamed: Renamed | None = None,
) -> Applied:
    """The table that the recoding of each group makes of the data; rows of left-out persons are gone.

    `renamed` is what stands for identifiers; with `pseudonyms`, persons are numbered, in their texts, too.
    """
    group_of_row = partition.group[view.person_of_row]
    rows = np.flatnonzero(group_of_row >= 0)
    columns = {
        name: _labels(name, labels, dataset).gather(group_of_row[rows])
        for name, labels in recoding.columns.items()
    }
    for name in view.elements.cells:
        columns[name] = _element_cells(name, dataset, view, group_of_row, rows, recoding.elements)
    renamed = renamed or Renamed()
    columns |= {name: pl.Series(name, new, pl.String).gather(rows) for name, new in renamed.cells.items()}
    edits = None
    if texts is not None:
        edit = partial(_text_edits, dataset, view, group_of_row, recoding, texts)
        edits = edit(renamed.mentions)
        for name in texts.mentions.columns:
            told = rewritten(dataset.frame[name], edits, column=name)
            if texts.sentences is not None:
                told = told.set(told == "", None)  # of what nothing is left, nobody sees that it was there
            columns[name] = told if len(rows) == dataset.rows else told.gather(rows)
    frame = _in_order_of_columns(dataset, columns, recoding, group_of_row[rows], rows)
    frame, order = in_telling_nothing_order(frame, group_of_row[rows])
    source_row = rows[order]
    key = dataset.schema.person
    if not pseudonyms or key is None:
        return Applied(frame, source_row, edits)
    number, order = numbered_by_content(frame, view.person_of_row[source_row])
    before = list(dataset.schema.attributes)[: list(dataset.schema.attributes).index(key)]
    names = pl.Series(key, [f"P{n}" for n in number[order]], pl.String)
    name_of = dict(zip(view.person_of_row[source_row[order]].tolist(), names.to_list(), strict=True))
    frame = frame[order].insert_column(sum(name in frame.columns for name in before), names)
    source_row = source_row[order]
    if texts is not None and texts.sentences is None and key in texts.mentions.links:
        mentions = texts.mentions
        # "patient 4711" is "patient P17" in the texts of the person who is P17
        own = np.flatnonzero(mentions.link == mentions.links.index(key))
        person = view.person_of_row[mentions.row[own]].tolist()
        called = {i: name_of[p] for i, p in zip(own.tolist(), person, strict=True) if p in name_of}
        edits = edit({**renamed.mentions, **called})
        for name in mentions.columns:
            told = rewritten(dataset.frame[name], edits, column=name)
            frame = frame.with_columns(told.gather(source_row).alias(name))
    return Applied(frame, source_row, edits)


def _labels(name: str, labels: Sequence[str | None], dataset: Dataset) -> pl.Series:
    """Labels by group, each held once where the data's texts are."""
    series = pl.Series(name, labels, pl.String)
    return series.cast(REPEATED) if dataset.frame[name].dtype == REPEATED else series


def _text_edits(
    dataset: Dataset,
    view: PersonView,
    group_of_row: NDArray[np.int32],
    recoding: Recoding,
    texts: InTexts,
    renamed: Mapping[int, str],
) -> Edits:
    mentions, sentences, wording = texts
    edits, as_they_are = _edits(dataset, view, group_of_row, recoding, mentions, renamed)
    if wording is not None:
        edits = worded(edits, dataset, wording, as_they_are)
    if sentences is not None:
        gone = gone_sentences(view, group_of_row, recoding.elements, sentences)
        edits = with_one_spelling(edits, dataset, view, group_of_row, recoding.elements, mentions)
        edits = without_sentences(edits, gone, sentences)
    return edits


def _in_order_of_columns(
    dataset: Dataset,
    columns: Mapping[str, pl.Series],
    recoding: Recoding,
    group_of_row: NDArray[np.int32],
    rows: NDArray[np.int64],
) -> pl.DataFrame:
    """The released columns where the data had them, numbers in the place of labels where the plan says so."""
    kept = dataset.frame if len(rows) == dataset.rows else dataset.frame[rows]
    numbers = {
        name: [pl.Series(new, of_group).gather(group_of_row) for new, of_group in written.items()]
        for name, written in recoding.numbers.items()
    }
    return pl.DataFrame(
        [
            series
            for name, attribute in dataset.schema
            if attribute.role is not Role.IDENTIFIER or name in columns
            for series in numbers.get(name) or [columns.get(name, kept[name]).alias(name)]
        ]
    )


_SHOWN = (Fate.KEPT, Fate.GENERALIZED)

# --- sets -----------------------------------------------------------------------------------------


def _element_cells(
    name: str,
    dataset: Dataset,
    view: PersonView,
    group_of_row: NDArray[np.int32],
    rows: NDArray[np.int64],
    labels: ElementLabels,
) -> pl.Series:
    cells, attribute = view.elements.cells[name], dataset.schema[name]
    of_row = group_of_row[rows].astype(np.int64), cells.of_row[rows]
    if attribute.role is Role.EVENT:
        return _event_cells(view, cells.of_cell, *of_row, labels)
    lists, list_of_row = _sets(view, cells.of_cell, *of_row, labels)
    return join_cells(lists, dataset.frame[name], attribute.separator).gather(list_of_row)


def _sets(
    view: PersonView, of_cell: Sets, group: NDArray[np.int64], cell: NDArray[np.int32], labels: ElementLabels
) -> tuple[pl.Series, NDArray[np.int64]]:
    """Lists of the labels of a cell's elements, each once, sorted; and which of them each row has."""
    count = max(len(of_cell), 1)
    # Equal cells in one group are released alike: each is put together once. The last stands for empty ones.
    held = np.flatnonzero(np.diff(of_cell.ptr)[cell] > 0)
    pairs, number = np.unique(group[held] * count + cell[held], return_inverse=True)
    pair_of_row = np.full(len(cell), len(pairs))
    pair_of_row[held] = number
    pair, element = of_cell.expand(pairs % count)
    fate, label = labels.told((pairs // count)[pair], element)
    shown = np.isin(fate, _SHOWN)
    pair, element, label = pair[shown], element[shown], label[shown]
    elements = view.elements
    types = pl.Series([f"{d.name}:" if d.is_terms else "" for d in elements.domains], dtype=pl.String)

    def written(e: int) -> str:
        return elements.names[e] if elements.is_term[e] else plain_label(elements.names[e])

    entry = types.gather(elements.domain[element]) + _labelled(element, label, labels, written)
    # numbers in the order of texts: what is sorted and compared are numbers
    texts = entry.unique().sort()
    rank = entry.cast(pl.Enum(texts)).to_physical().to_numpy()
    ordered = Sets.of_pairs(pair, rank, owners=len(pairs), codes=max(len(texts), 1))
    entries = pl.DataFrame({"pair": ordered.owners(), "entry": texts.gather(ordered.codes)})
    lists = entries.group_by(pl.col("pair").set_sorted(), maintain_order=True).agg("entry")
    every = pl.DataFrame({"pair": np.arange(len(pairs) + 1)})
    return every.join(lists, on="pair", how="left", maintain_order="left")["entry"], pair_of_row


def _event_cells(
    view: PersonView, of_cell: Sets, group: NDArray[np.int64], cell: NDArray[np.int32], labels: ElementLabels
) -> pl.Series:
    """The label of each row's own value; a missing one that is kept stays missing."""
    element = of_cell.codes[of_cell.ptr[cell]]
    fate, label = labels.told(group, element)
    shown = _labelled(element, label, labels, lambda e: view.elements.names[e] or None)
    return shown.set(pl.Series(~np.isin(fate, _SHOWN)), None)


def _labelled(
    element: NDArray[np.int32],
    label: NDArray[np.int32],
    labels: ElementLabels,
    written: Callable[[int], str | None],
) -> pl.Series:
    """The label that stands for each element, or the element as it is written itself."""
    used, number = np.unique(element, return_inverse=True)
    texts = [*map(written, used.tolist()), *(each.text for each in labels.labels)]
    return pl.Series(texts, dtype=pl.String).gather(np.where(label < 0, number, label + len(used)))


# --- texts ----------------------------------------------------------------------------------------


def _edits(
    dataset: Dataset,
    view: PersonView,
    group_of_row: NDArray[np.int32],
    recoding: Recoding,
    mentions: Mentions,
    renamed: Mapping[int, str],
) -> tuple[Edits, range]:
    """One edit per mention that does not stay as it is, in released rows; which texts are names."""
    labels = recoding.elements
    group = group_of_row[mentions.row]
    element = view.elements.of_mention.copy()
    for link, name in enumerate(mentions.links):
        if dataset.schema[name].role is Role.ITEMS:
            linked = np.flatnonzero(mentions.link == link)
            element[linked] = _items_told(name, linked, view, mentions)
    fate, label = labels.told(group, element)
    stays = fate == Fate.KEPT
    texts = [placeholder(), *map(placeholder, mentions.types), *(each.text for each in labels.labels), ""]
    first = 1 + len(mentions.types)  # of the labels
    known = [fate == Fate.UNTYPED, fate == Fate.GENERALIZED, fate == Fate.DROPPED]
    number = np.select(known, [0, first + label, len(texts) - 1], mentions.type + 1).astype(np.int32)
    # an identifier is never released, an event has labels by row: the type stands in their place
    for link, name in enumerate(mentions.links):
        if name in recoding.columns:
            linked = np.flatnonzero((mentions.link == link) & (group >= 0))
            number[linked] = group[linked] + len(texts)
            texts += [short_label(shown, name) for shown in recoding.columns[name]]
    called = {name: len(texts) + n for n, name in enumerate(dict.fromkeys(renamed.values()))}
    number[list(renamed)] = [called[name] for name in renamed.values()]
    stays[list(renamed)] = False
    names = range(len(texts), len(texts) + len(called))
    texts += called
    chosen = ~stays & (group >= 0)
    return Edits.at(mentions, chosen, texts, number[chosen]), names


def _items_told(name: str, linked: NDArray[np.int64], view: PersonView, mentions: Mentions) -> list[int]:
    """The item of a column that each of the mentions repeats, or -1."""
    elements = view.elements
    domains = [number for number, d in enumerate(elements.domains) if d.name == name and not d.is_terms]
    mine = np.flatnonzero(np.isin(elements.domain, domains)).tolist()
    number_of = {elements.names[element]: element for element in mine}
    return [number_of.get(mentions.terms[term].text, -1) for term in mentions.term[linked].tolist()]


def rewritten(texts: pl.Series, edits: Edits, *, column: str) -> pl.Series:
    """The texts of one column after their edits; what no edit touches stays as it was."""
    cells: list[str | None] = (texts if texts.dtype == pl.String else texts.cast(pl.String)).to_list()
    mine = np.flatnonzero(edits.column == edits.columns.index(column))
    if not len(mine):
        return pl.Series(texts.name, cells, pl.String)
    rows = edits.row[mine]
    begins = np.flatnonzero(np.r_[True, rows[1:] != rows[:-1]])
    run = current()
    for number, part in enumerate(np.split(mine, begins[1:])):
        if number % 4096 == 0:
            run.poll()
        row = int(edits.row[part[0]])
        text = cells[row]
        if text is None or int(edits.end[part[-1]]) > len(text):
            raise UsageError(f"column '{column}': an edit lies outside the text of row {row + 1}")
        cells[row] = edited(text, edits_of(edits, part, text))
    return pl.Series(texts.name, cells, pl.String)


def edits_of(edits: Edits, part: NDArray[np.int64], text: str) -> list[Edit]:
    """The edits of one text; "an" before one becomes "a", because it tells how the word began."""
    made: list[Edit] = []
    for start, end, number in zip(
        edits.start[part].tolist(), edits.end[part].tolist(), edits.text[part].tolist(), strict=True
    ):
        article = _AN.search(text, max(start - 8, made[-1].end if made else 0), start)  # nobody called An
        if article is not None and edits.texts[number] != text[start:end]:
            made.append(Edit(*article.span(1), ""))
        made.append(Edit(start, end, edits.texts[number]))
    return made


_AN = re.compile(r"(?<![^\W_])a(n)\s+\Z", re.IGNORECASE)
