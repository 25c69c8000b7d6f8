"""Identifiers as surrogates: how each group is named, and what stands in cells and texts for them.

A surrogate counts as kept. It shows who shares a value, and tells something of it: gender and origin of a
name, the shape of a code. So a group shows surrogates only if they tell the same of all its members, else
numbers: one for each value of each person, whoever shares it, which tell nothing. Where some have a value and
others none, or several, all show placeholders.

Guarantee   within a group, what identifiers are shown as tells the same of every person
Cost        O(rows + mentions of identifiers), some hashes per distinct value
Randomness  none beside the key
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.io.values import comparable_cells, text_cells
from heteronym.knowledge.name_parts import name_parts
from heteronym.model.dataset import Dataset
from heteronym.model.mention import Mentions
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.plan import Plan
from heteronym.model.recoding import ElementLabels, Fate, Naming, Recoding, Renamed, placeholder
from heteronym.model.terms import normalize
from heteronym.surrogates import codes
from heteronym.surrogates.dates import day_comes_first
from heteronym.surrogates.renaming import STAND_IN, Renaming
from heteronym.surrogates.terms import CODES, bare_code
from heteronym.surrogates.vault import Vault, open_vault

_TAIL = re.compile(r"['’]s$")
Told = list[list[tuple[str, ...]]]  # of each person of a group, what the surrogates of its rows tell


class Names(NamedTuple):
    """The vault of a draft that shows surrogates, and what stands for what."""

    vault: Vault
    renamed: Renamed
    renaming: Renaming

    def without_numbers(self) -> Renamed:
        """What stands for what, with types alone where numbers will stand."""
        return _with_numbers(self.renamed, lambda found: placeholder(found[1]))

    def number_by_content(
        self, frame: pl.DataFrame, source_row: NDArray[np.int64], mentions: Mentions | None
    ) -> Names:
        """Numbers in the order in which a reader of the released table meets them.

        `frame` is the release with types in the place of numbers, its rows sorted; rows that are equal are
        one place, so that their order in the source tells nothing.
        """
        shown = [comparable_cells(cells) for cells in frame]
        new = np.zeros(frame.height, np.bool_)
        for cells in shown:
            new |= cells.ne_missing(cells.shift()).to_numpy()
        rank = dict(zip(source_row.tolist(), np.cumsum(new).tolist(), strict=True))
        places: dict[int, list[int]] = defaultdict(list)
        kinds = len(self.renamed.cells) + 1

        def stands(text: str | None, row: int, kind: int) -> None:
            found = STAND_IN.match(text or "")
            if found is not None and row in rank:
                places[int(found[2])].append(rank[row] * kinds + kind)

        for kind, texts in enumerate(self.renamed.cells.values()):
            for row, text in enumerate(texts):
                stands(text, row, kind)
        for i, text in self.renamed.mentions.items():
            assert mentions is not None
            stands(text, int(mentions.row[i]), kinds - 1)
        number_of = self.renaming.settle_numbers(places)
        numbered = _with_numbers(self.renamed, lambda found: number_of[int(found[2])])
        return self._replace(renamed=numbered)

    @property
    def lacks_numbers(self) -> bool:
        texts = [
            *self.renamed.mentions.values(),
            *(t for cells in self.renamed.cells.values() for t in cells),
        ]
        return any(text is not None and STAND_IN.match(text) for text in texts)


def _with_numbers(renamed: Renamed, say: Callable[[re.Match[str]], str]) -> Renamed:
    def said(text: str) -> str:
        return STAND_IN.sub(say, text) if "\x00" in text else text

    cells = {n: [None if t is None else said(t) for t in texts] for n, texts in renamed.cells.items()}
    return Renamed(cells, {i: said(text) for i, text in renamed.mentions.items()})


def named(
    dataset: Dataset,
    view: PersonView,
    partition: Partition,
    recoding: Recoding,
    mentions: Mentions | None,
    *,
    plan: Plan,
    vault: Vault | None,
) -> tuple[Recoding, Names]:
    """The recoding with how groups are named, and the surrogates; without a vault, by a new key."""
    vault = vault or open_vault({}, None)
    kinds = {name: plan.attributes[name].entities[0] for name in plan.surrogates}
    identifiers = Identifiers(dataset, kinds, mentions, vault, by_person=plan.release.shift == "person")
    told = identifiers.told(view, partition)
    names = {name: [_naming(one) for one in groups] for name, groups in told.items()}
    renamed = identifiers.renamed(view, partition, names, mentions)
    if mentions is not None:
        types = plan.recode.surrogates
        renamed.mentions.update(identifiers.terms(view, partition, recoding.elements, mentions, types))
    recoding = replace(recoding, names=names, told={n: [*map(_told, groups)] for n, groups in told.items()})
    return recoding, Names(vault, renamed, identifiers.renaming)


class Identifiers:
    """The identifier columns of a dataset that are released as surrogates."""

    def __init__(
        self,
        dataset: Dataset,
        kinds: Mapping[str, str],
        mentions: Mentions | None,
        vault: Vault,
        *,
        by_person: bool,
    ) -> None:
        """`kinds` are the types of the columns; with `by_person`, dates move by a distance of each person."""
        self.dataset, self.kinds, self.by_person = dataset, dict(kinds), by_person
        self.renaming = Renaming(vault, numbers_later=True)
        self.columns = {
            name: text_cells(dataset.frame[name], dataset.missing).str.strip_chars().to_list()
            for name in kinds
        }
        self.shared: dict[str, set[str]] = {}  # values that several persons hold
        self.checks: dict[str, frozenset[str]] = {}
        self.day_first: dict[str, bool | None] = {}
        for name, kind in kinds.items():
            values = {value for value in self.columns[name] if value is not None}
            for value in sorted(values):
                self.renaming.look_at(kind, _term(kind, value), value)
            # a check that all values pass is one of the column; any other was passed by chance
            passed = [set(codes.passed(bare_code(kind, value))) for value in values if kind in CODES]
            self.checks[name] = frozenset(set.intersection(*passed) if passed else ())
            self.day_first[name] = day_comes_first(sorted(values)) if kind == "DATE" else None
        if mentions is not None:
            self._look_at(mentions)

    def _look_at(self, mentions: Mentions) -> None:
        texts = [self.dataset.frame[name] for name in mentions.columns]
        seen: set[tuple[str, str]] = set()
        for i in range(len(mentions)):
            text = str(texts[mentions.column[i]][int(mentions.row[i])])
            surface = text[mentions.start[i] : mentions.end[i]]
            seen.add((mentions.types[mentions.type[i]], surface))
        for kind, surface in sorted(seen):
            self.renaming.look_at(kind, _term(kind, surface), surface)

    # --- how groups are named ---------------------------------------------------------------------

    def told(self, view: PersonView, partition: Partition) -> dict[str, list[Told]]:
        """What the surrogates of each person of each group would tell, for every column."""
        return {name: self._told(name, view, partition) for name in self.kinds}

    def _told(self, name: str, view: PersonView, partition: Partition) -> list[Told]:
        held: dict[int, set[str | None]] = defaultdict(set)
        for person, value in zip(view.person_of_row.tolist(), self.columns[name], strict=True):
            held[person].add(value)
        holders = Counter(
            key for values in held.values() for key in {normalize(v) for v in values if v is not None}
        )
        self.shared[name] = {key for key, persons in holders.items() if persons > 1}
        names: dict[str | None, tuple[str, ...]] = {None: ("missing",)}
        for value in {value for values in held.values() for value in values if value is not None}:
            kind = self.kinds[name]
            if normalize(value) in self.shared[name]:
                names[value] = ("shared", normalize(value))
            else:
                names[value] = ("own", self.renaming.revealed_by_surrogate(kind, value, _term(kind, value)))
        members = partition.members()
        return [
            [sorted(names[value] for value in held[person]) for person in members[group].tolist()]
            for group in range(partition.count)
        ]

    # --- what stands there ------------------------------------------------------------------------

    def renamed(
        self,
        view: PersonView,
        partition: Partition,
        names: Mapping[str, Sequence[Naming]],
        mentions: Mentions | None,
    ) -> Renamed:
        group_of_row = partition.group[view.person_of_row]
        for name in self.kinds:  # who is asked first takes what is free: by value, not by the source's order
            said = zip(group_of_row.tolist(), self.columns[name], range(view.rows), strict=True)
            first = {v: row for group, v, row in said if v is not None and group >= 0}
            for value, row in sorted(first.items()):
                naming = names[name][group_of_row[row]]
                if naming is Naming.RENAMED:
                    self._shown(name, row, value, value, naming)
        cells = {name: self._cells(name, names[name], group_of_row) for name in self.kinds}
        found = {} if mentions is None else dict(self._mentions(cells, names, group_of_row, mentions))
        return Renamed(cells, found)

    def _cells(
        self, name: str, naming: Sequence[Naming], group_of_row: NDArray[np.int32]
    ) -> list[str | None]:
        shown: list[str | None] = []
        for row, (group, value) in enumerate(zip(group_of_row.tolist(), self.columns[name], strict=True)):
            if group >= 0 and naming[group] is Naming.TYPED:
                shown.append(placeholder(self.kinds[name]))
            elif group < 0 or value is None:
                shown.append(None)
            else:
                shown.append(self._shown(name, row, value, value, naming[group]))
        return shown

    def _shown(self, name: str, row: int, value: str, surface: str, naming: Naming) -> str:
        """What stands for a value of a column where it is written as `surface`."""
        kind = self.kinds[name]
        term = _term(kind, value)
        if naming is Naming.NUMBERED:
            if normalize(value) in self.shared[name]:
                term = f"{term}\x00{self._person(row)}"
            return self.renaming.number(kind, value, term)
        new = self.renaming.surrogate(
            kind,
            surface,
            term,
            subject=self._person(row) if self.by_person else "",
            day_first=self.day_first[name],
            checks=self.checks[name],
        )
        # a cell that tells no date, or a word of a name that has no other, must not stand there all the same
        return self.renaming.number(kind, value, term) if normalize(new) == normalize(surface) else new

    def _person(self, row: int) -> str:
        key = self.dataset.schema.person
        return str(self.dataset.frame[key][row] if key else row)

    def _mentions(
        self,
        cells: Mapping[str, Sequence[str | None]],
        names: Mapping[str, Sequence[Naming]],
        group_of_row: NDArray[np.int32],
        mentions: Mentions,
    ) -> Sequence[tuple[int, str]]:
        """A mention of a person's identifier stands in its own words' surrogates, else in the cell's."""
        found: list[tuple[int, str]] = []
        for link, name in enumerate(mentions.links):
            if name not in self.kinds:
                continue
            texts = {column: self.dataset.frame[column] for column in mentions.columns}
            for i in np.flatnonzero(mentions.link == link).tolist():
                row = int(mentions.row[i])
                group, value = int(group_of_row[row]), self.columns[name][row]
                if group < 0 or names[name][group] is Naming.TYPED or value is None:
                    continue  # the placeholder of the type
                text = str(texts[mentions.columns[mentions.column[i]]][row])
                surface = text[mentions.start[i] : mentions.end[i]]
                if not _is_of(self.kinds[name], surface, value):
                    surface = value
                found.append((i, self._shown(name, row, value, surface, names[name][group])))
        return found

    def terms(
        self,
        view: PersonView,
        partition: Partition,
        labels: ElementLabels,
        mentions: Mentions,
        types: Collection[str],
    ) -> dict[int, str]:
        """What stands for mentions of these types where their terms may be shown."""
        numbers = [n for n, name in enumerate(mentions.types) if name in types]
        group = partition.group[view.person_of_row[mentions.row]]
        element = view.elements.of_mention
        asked = np.flatnonzero((element >= 0) & (group >= 0) & np.isin(mentions.type, numbers))
        kept = asked[labels.fate_and_label(group[asked], element[asked])[0] == Fate.KEPT]
        texts = {column: self.dataset.frame[column] for column in mentions.columns}
        found = {}
        for i in kept.tolist():
            row, kind = int(mentions.row[i]), mentions.types[mentions.type[i]]
            text = str(texts[mentions.columns[mentions.column[i]]][row])
            surface = text[mentions.start[i] : mentions.end[i]]
            new = self.renaming.surrogate(
                kind,
                surface,
                mentions.terms[mentions.term[i]].text,
                subject=self._person(row) if self.by_person else "",
                day_first=day_comes_first([text]) if kind == "DATE" else None,
            )
            if new != surface:  # "four days ago" is as true after a shift
                found[i] = new
        return found


def _told(names: Told) -> str:
    """What a group's names tell, as they are written."""
    naming = _naming(names)
    return repr(names[0]) if naming is Naming.RENAMED else naming.name


def _naming(names: Told) -> Naming:
    if all(one == names[0] for one in names):
        return Naming.RENAMED
    known = all(what[0] != "missing" for one in names for what in one)
    return Naming.NUMBERED if known and len({len(one) for one in names}) == 1 else Naming.TYPED


def _is_of(kind: str, surface: str, value: str) -> bool:
    """Whether a mention is the name or some of its words, in their order: it tells nothing else then."""
    if kind != "PERSON":
        return normalize(surface) == normalize(value)
    words = iter(name_parts(value.lower()))
    return all(word in words for word in _TAIL.sub("", surface).lower().split(" "))


def _term(kind: str, surface: str) -> str:
    """As mentions in documents have it."""
    return normalize(" ".join(name_parts(surface)) if kind == "PERSON" else surface)
