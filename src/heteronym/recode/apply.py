"""Labels into cells and texts: the only place where a released value arises.

What a group's recoding says of a column stands in its cells; what it says of an element stands in
set-valued cells and in the texts that mention it; a mention that repeats a column gets the
column's label; a direct type gets its placeholder. Everything else is released as it came.

Cost        O(rows + edits); equal cells of one group are put together once
Randomness  none
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
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
from heteronym.model.recoding import Fate, Recoding, Renamed, placeholder
from heteronym.model.schema import Role
from heteronym.model.sentences import Sentences
from heteronym.model.sets import Sets
from heteronym.recode._in_texts import short_label
from heteronym.recode._item_labels import plain_label
from heteronym.recode._settled_texts import gone_sentences, with_one_spelling, without_sentences
from heteronym.recode._wording import with_articles, worded
from heteronym.recode.order import numbered_by_content, sort_by_released_content
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
    that is kept reads alike in all texts of a group."""

    mentions: Mentions
    sentences: Sentences | None = None


def apply(
    dataset: Dataset,
    view: PersonView,
    partition: Partition,
    recoding: Recoding,
    texts: InTexts | None,
    *,
    renamed: Renamed,
    in_one_spelling: bool = False,
) -> Applied:
    """The table that the recoding of each group makes of the data; rows of left-out persons are gone.

    `renamed` is what stands for identifiers; persons who are numbered are so in their texts, too.
    With `in_one_spelling`, labels of items and events that differ in capitals or blanks alone are one string.
    """
    made = _Made(dataset, view, recoding, partition.group[view.person_of_row], in_one_spelling)
    columns = {name: made.labels(name) for name in recoding.columns}
    columns |= {name: made.element_cells(name) for name in view.elements.cells}
    columns |= {name: made.released(pl.Series(name, new, pl.String)) for name, new in renamed.cells.items()}
    edits = None
    if texts is not None:
        edits, written = made.texts(texts, renamed.mentions)
        for name, cells in written.items():
            if texts.sentences is not None:
                cells = cells.set(cells == "", None)  # of what nothing is left, nobody sees that it was there
            columns[name] = made.released(cells)
    frame, order = sort_by_released_content(made.frame(columns), made.groups)
    source_row = made.rows[order]
    key = dataset.schema.person
    if not renamed.persons or key is None:
        return Applied(frame, source_row, edits)
    number, order = numbered_by_content(frame, view.person_of_row[source_row])
    source_row = source_row[order]
    before = list(dataset.schema.attributes)[: list(dataset.schema.attributes).index(key)]
    names = pl.Series(key, [f"P{n}" for n in number[order]], pl.String)
    frame = frame[order].insert_column(sum(name in frame.columns for name in before), names)
    if texts is not None and texts.sentences is None and key in texts.mentions.links:
        mentions = texts.mentions
        name_of = dict(zip(view.person_of_row[source_row].tolist(), names.to_list(), strict=True))
        # "patient 4711" is "patient P17" in the texts of the person who is P17
        own = np.flatnonzero(mentions.link == mentions.links.index(key))
        person = view.person_of_row[mentions.row[own]].tolist()
        called = {i: name_of[p] for i, p in zip(own.tolist(), person, strict=True) if p in name_of}
        edits, written = made.texts(texts, {**renamed.mentions, **called})
        frame = frame.with_columns(cells.gather(source_row) for cells in written.values())
    return Applied(frame, source_row, edits)


_SHOWN = (Fate.KEPT, Fate.GENERALIZED)


@dataclass(frozen=True, repr=False, eq=False)
class _Made:
    """A table beside what its groups are released as: cells and texts are made of these alone."""

    dataset: Dataset
    view: PersonView
    recoding: Recoding
    group: NDArray[np.int32]  # of each row of the data; -1 of those of left-out persons
    in_one_spelling: bool = False

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """Those of the data that are released."""
        return np.flatnonzero(self.group >= 0)

    @cached_property
    def groups(self) -> NDArray[np.int64]:
        """Of the released rows."""
        return self.group[self.rows].astype(np.int64)

    def released(self, cells: pl.Series) -> pl.Series:
        return cells if len(self.rows) == self.dataset.rows else cells.gather(self.rows)

    def labels(self, name: str) -> pl.Series:
        """A column's labels, each held once where the data's texts are."""
        labels = pl.Series(name, self.recoding.columns[name], pl.String)
        once = self.dataset.frame[name].dtype == REPEATED
        return (labels.cast(REPEATED) if once else labels).gather(self.groups)

    def frame(self, columns: Mapping[str, pl.Series]) -> pl.DataFrame:
        """The released columns where the data had them; numbers instead of labels if the plan says so."""
        found: list[pl.Series] = []
        for name, attribute in self.dataset.schema:
            if name in self.recoding.numbers:
                written = self.recoding.numbers[name].items()
                found += [pl.Series(new, of_group).gather(self.groups) for new, of_group in written]
            elif name in columns:
                found.append(columns[name].alias(name))
            elif attribute.role is not Role.IDENTIFIER:
                found.append(self.released(self.dataset.written.get(name, self.dataset.frame[name])))
        return pl.DataFrame(found)

    # --- sets -------------------------------------------------------------------------------------

    def element_cells(self, name: str) -> pl.Series:
        cells, attribute = self.view.elements.cells[name], self.dataset.schema[name]
        if attribute.role is Role.EVENT:
            return self._event_cells(cells.of_cell, cells.of_row[self.rows])
        lists, list_of_row = self._sets(cells.of_cell, cells.of_row[self.rows])
        return join_cells(lists, self.dataset.frame[name], attribute.separator).gather(list_of_row)

    def _sets(self, of_cell: Sets, cell: NDArray[np.int32]) -> tuple[pl.Series, NDArray[np.int64]]:
        """Lists of the labels of a cell's elements, each once, sorted; and which of them each row has."""
        count = max(len(of_cell), 1)
        # Equal cells of a group are released alike: each is put together once. The last is the empty cell.
        held = np.flatnonzero(np.diff(of_cell.ptr)[cell] > 0)
        key = self.groups[held] * count + cell[held]
        lacking = self._lacks_entries(held)  # a row that lacks entries of its cell is put together alone
        key[lacking] = (int(self.groups.max(initial=0)) + 1) * count + held[lacking]
        pairs, first, number = np.unique(key, return_index=True, return_inverse=True)
        at = held[first]
        pair_of_row = np.full(len(cell), len(pairs))
        pair_of_row[held] = number
        pair, element = of_cell.expand(cell[at])
        fate, label = self.recoding.elements.fate_and_label(self.groups[at][pair], element)
        shown = np.isin(fate, _SHOWN)
        shown &= ~self.recoding.elements.entry_goes(self.rows[at][pair], element, self.view.elements)
        pair, element, label = pair[shown], element[shown], label[shown]
        elements = self.view.elements
        types = pl.Series([f"{d.name}:" if d.is_terms else "" for d in elements.domains], dtype=pl.String)

        def written(e: int) -> str:
            return elements.names[e] if elements.is_term[e] else plain_label(elements.names[e])

        entry = types.gather(elements.domain[element]) + self._labelled(element, label, written)
        # numbers in the order of texts: what is sorted and compared are numbers
        texts = entry.unique().sort()
        rank = entry.cast(pl.Enum(texts)).to_physical().to_numpy()
        ordered = Sets.of_pairs(pair, rank, owners=len(pairs), codes=max(len(texts), 1))
        entries = pl.DataFrame({"pair": ordered.owners(), "entry": texts.gather(ordered.codes)})
        lists = entries.group_by(pl.col("pair").set_sorted(), maintain_order=True).agg("entry")
        every = pl.DataFrame({"pair": np.arange(len(pairs) + 1)})
        return every.join(lists, on="pair", how="left", maintain_order="left")["entry"], pair_of_row

    def _lacks_entries(self, held: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of these released rows have sets of which entries are taken out."""
        entries = self.recoding.elements.entries
        lacks = (
            np.zeros(len(held), np.bool_) if entries is None else np.diff(entries.ptr)[self.rows[held]] > 0
        )
        return np.asarray(lacks, np.bool_)

    def _event_cells(self, of_cell: Sets, cell: NDArray[np.int32]) -> pl.Series:
        """The label of each row's own value; a missing one that is kept stays missing."""
        element = of_cell.codes[of_cell.ptr[cell]]
        fate, label = self.recoding.elements.fate_and_label(self.groups, element)
        shown = self._labelled(element, label, lambda e: self.view.elements.names[e] or None)
        return shown.set(pl.Series(~np.isin(fate, _SHOWN)), None)

    def _labelled(
        self, element: NDArray[np.int32], label: NDArray[np.int32], written: Callable[[int], str | None]
    ) -> pl.Series:
        """The label that stands for each element, or the element as it is written itself."""
        used, number = np.unique(element, return_inverse=True)
        texts = [*map(written, used.tolist()), *(each.text for each in self.recoding.elements.labels)]
        place = np.where(label < 0, number, label + len(used))
        if self.in_one_spelling:
            elements = self.view.elements
            stays = (elements.is_term | elements.sensitive)[element]
            place[~stays] = _commonest_spelling(texts, place[~stays])[place[~stays]]
        return pl.Series(texts, dtype=pl.String).gather(place)

    # --- texts ------------------------------------------------------------------------------------

    def texts(self, texts: InTexts, renamed: Mapping[int, str]) -> tuple[Edits, dict[str, pl.Series]]:
        """The edits of all texts, and every text column of the data after them."""
        mentions, sentences = texts
        edits, as_they_are = self._edits(mentions, renamed)
        edits = worded(edits, self.dataset, mentions, as_they_are)
        if sentences is not None:
            view, group, labels = self.view, self.group, self.recoding.elements
            gone = gone_sentences(view, group, labels, sentences)
            edits = with_one_spelling(edits, self.dataset, view, group, labels, mentions)
            edits = without_sentences(edits, gone, sentences)
        frame = self.dataset.frame
        edits = with_articles(edits, frame, mentions)
        return edits, {name: rewritten(frame[name], edits, column=name) for name in mentions.columns}

    def _edits(self, mentions: Mentions, renamed: Mapping[int, str]) -> tuple[Edits, range]:
        """One edit per mention that does not stay as it is, in released rows; which texts are names."""
        labels = self.recoding.elements
        group = self.group[mentions.row]
        element = self.view.elements.of_mention.copy()
        for link, name in enumerate(mentions.links):
            # where labels are settled together, the view says which mentions are an item's
            if self.dataset.schema[name].role is Role.ITEMS and not self.view.elements.markers:
                linked = np.flatnonzero(mentions.link == link)
                element[linked] = self._items_of_linked(name, linked, mentions)
        fate, label = labels.fate_and_label(group, element)
        stays = fate == Fate.KEPT
        texts = [placeholder(), *map(placeholder, mentions.types), *(each.text for each in labels.labels), ""]
        first = 1 + len(mentions.types)  # of the labels
        known = [fate == Fate.UNTYPED, fate == Fate.GENERALIZED, fate == Fate.DROPPED]
        shown_type = self._types_of_items(mentions, element)
        number = np.select(known, [0, first + label, len(texts) - 1], shown_type + 1).astype(np.int32)
        # an identifier is never released, an event has labels by row: the type stands in their place
        for link, name in enumerate(mentions.links):
            if name in self.recoding.columns:
                linked = np.flatnonzero((mentions.link == link) & (group >= 0))
                number[linked] = group[linked] + len(texts)
                texts += [short_label(shown, name) for shown in self.recoding.columns[name]]
        number[labels.hides_type(self.view.elements, group)] = 0
        called = {name: len(texts) + n for n, name in enumerate(dict.fromkeys(renamed.values()))}
        number[list(renamed)] = [called[name] for name in renamed.values()]
        stays[list(renamed)] = False
        names = range(len(texts), len(texts) + len(called))
        texts += called
        chosen = ~stays & (group >= 0)
        return Edits.at(mentions, chosen, texts, number[chosen]), names

    def _types_of_items(self, mentions: Mentions, element: NDArray[np.int32]) -> NDArray[np.int64]:
        """The type of each mention; what names an item has one type, however it was recognized."""
        elements, number_of = self.view.elements, {name: n for n, name in enumerate(mentions.types)}
        type_of = np.full(len(elements) + 1, -1, np.int64)
        for item, name in elements.type_of_item_in_texts.items():
            type_of[item] = number_of.get(name, -1)
        for term, item in elements.item_named_by.items():
            type_of[term] = type_of[item]
        own = type_of[element]
        return np.where(own >= 0, own, mentions.type)

    def _items_of_linked(self, name: str, linked: NDArray[np.int64], mentions: Mentions) -> list[int]:
        """The item of a column that each of the mentions repeats, or -1."""
        elements = self.view.elements
        domains = [number for number, d in enumerate(elements.domains) if d.name == name and not d.is_terms]
        mine = np.flatnonzero(np.isin(elements.domain, domains)).tolist()
        number_of = {elements.names[element]: element for element in mine}
        return [number_of.get(mentions.terms[term].text, -1) for term in mentions.term[linked].tolist()]


def _commonest_spelling(texts: Sequence[str | None], used: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each text the place of the one that stands for all that differ in capitals or blanks alone: whoever
    reads a rare spelling would tell its holder from those who have the same value."""
    often = np.bincount(used, minlength=len(texts)).tolist()
    order = sorted(np.unique(used).tolist(), key=lambda place: (-often[place], texts[place] or ""))
    first: dict[str, int] = {}
    chosen = np.arange(len(texts))
    for place in order:
        chosen[place] = first.setdefault(" ".join((texts[place] or "").split()).casefold(), place)
    return chosen


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
        cells[row] = edited(text, edits_of(edits, part))
    return pl.Series(texts.name, cells, pl.String)


def edits_of(edits: Edits, part: NDArray[np.int64]) -> list[Edit]:
    """The edits of one text."""
    places = zip(edits.start[part].tolist(), edits.end[part].tolist(), edits.text[part].tolist(), strict=True)
    return [Edit(start, end, edits.texts[number]) for start, end, number in places]
