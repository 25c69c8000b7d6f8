"""Adds mentions that were found in one text and missed in another, where they would tell whose it is.

Where a group must treat a term alike for all its members, a mention of one person's text is searched in all
others: the same letters, as whole words. A value of a column is linked where it is the person's own; in
another's text it is a term that tells it. Letters alone say little where they are ordinary words or figures
("day", "10"): such a mention is searched only where a word has the marks of a name, a capital that no
sentence explains or a title before it. What measures something ("HR 78") is not searched.

A name that is a common word ("day") goes wherever it stands in small letters in its bearer's texts. Whoever
shows the word could not be the bearer, so it goes in all texts of the group; elsewhere it is a word. In
measurements ("twice a day") it goes in a part of the group only, of enough persons, the bearer among them.

Cost        O(words of the texts + words of the terms)
Randomness  none
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from heteronym.knowledge.wordlists import words
from heteronym.model.dataset import Dataset
from heteronym.model.mention import NUMBERS, Mentions
from heteronym.model.schema import Role
from heteronym.model.terms import normalize
from heteronym.reading.link import SOURCE
from heteronym.reading.ordinary_values import is_marked_as_a_name, is_ordinary
from heteronym.reading.scan import texts_of
from heteronym.run import current
from heteronym.text.entity_types import VALUE
from heteronym.text.forms import is_counted_time, is_telling, ordinary
from heteronym.text.measurements import measured_in
from heteronym.text.stretches import Covers

_WORD = re.compile(r"\w+")

_SEVERAL = 3  # persons: what fewer of a group write is masked, which costs little

_Known = tuple[int, dict[str, int]]  # a length, and the surfaces of it with the mention that stands for each
_Added = tuple[int, int, int, int, int]  # row, column, start, end, and the mention that stands for it
_Texts = Sequence[Sequence[str | None]]  # by column


def add_mentions_missed_in_other_texts(
    dataset: Dataset, mentions: Mentions, *, gone: Collection[str] = ()
) -> Mentions:
    """The mentions, and further ones where the letters of one stand elsewhere.

    `gone` are normalized words that are searched only where they are somebody's identifier.
    """
    cells = [texts_of(dataset.frame[name]) for name in mentions.columns]
    known = np.flatnonzero(
        ~_words_as_names(dataset, mentions, cells) & ~_words_as_values(dataset, mentions, cells)
    )
    if gone:
        surfaces = _surfaces(cells, mentions, known)
        names = _are_identifiers(dataset, mentions)[known].tolist()
        pairs = zip(surfaces, names, strict=True)
        known = known[[is_name or normalize(surface) not in gone for surface, is_name in pairs]]
    return with_added(mentions, _missed_in(cells, mentions, known, range(dataset.rows)))


def add_words_that_name_group_members(
    dataset: Dataset,
    mentions: Mentions,
    group_of_row: NDArray[np.int32],
    person_of_row: NDArray[np.int32],
    least: int,
) -> Mentions:
    """The mentions, and further ones where texts of a group hold a word that is the name of a member.

    `least`: at least so many persons of the group show the word nowhere.
    """
    cells = [texts_of(dataset.frame[name]) for name in mentions.columns]
    named = np.flatnonzero(_words_as_names(dataset, mentions, cells))
    # words of grammar are masked in nobody's texts without the marks of a name
    surfaces = _surfaces(cells, mentions, named)
    named = named[np.array([surface not in words("grammar_words") for surface in surfaces], np.bool_)]
    group = group_of_row[mentions.row[named]]
    added: list[_Added] = []
    for number in np.unique(group[group >= 0]).tolist():
        rows = np.flatnonzero(group_of_row == number).tolist()
        mine = named[group == number]
        found = _missed_in(cells, mentions, mine, rows, is_name=True)
        block = _blocks(person_of_row[rows], least)
        theirs: dict[str, set[int]] = {}
        for surface, row in zip(_surfaces(cells, mentions, mine), mentions.row[mine].tolist(), strict=True):
            theirs.setdefault(surface, set()).add(block[person_of_row[row]])
        added += _without_measures(found, cells, person_of_row, block, theirs)
    return with_added(mentions, added)


def _blocks(persons: NDArray[np.int32], least: int) -> dict[int, int]:
    """The part of its group for each person: `least` persons or more, whoever bears a name."""
    members = np.unique(persons).tolist()
    last = max(len(members) // least - 1, 0)
    return {person: min(place // least, last) for place, person in enumerate(members)}


def _without_measures(
    found: Sequence[_Added],
    cells: _Texts,
    person_of_row: NDArray[np.int32],
    block: Mapping[int, int],
    theirs: Mapping[str, set[int]],
) -> list[_Added]:
    """All but words in measurements that several persons show outside of the bearers' parts."""
    measures: dict[str, list[_Added]] = {}
    for one in found:
        row, column, start, end, _ = one
        text = cells[column][row] or ""
        surface = text[start:end]
        if block[person_of_row[row]] not in theirs[surface] and measured_in(text).touch((start, end)):
            measures.setdefault(surface, []).append(one)
    several = [
        places for places in measures.values() if len({person_of_row[row] for row, *_ in places}) >= _SEVERAL
    ]
    stay = {place for places in several for place in places}
    return [one for one in found if one not in stay]


def _words_as_names(dataset: Dataset, mentions: Mentions, cells: _Texts) -> NDArray[np.bool_]:
    """Mentions of identifiers that are common words in small letters."""
    found = _are_identifiers(dataset, mentions)
    which = np.flatnonzero(found)
    found[which] = [surface in ordinary() for surface in _surfaces(cells, mentions, which)]
    return found


def _are_identifiers(dataset: Dataset, mentions: Mentions) -> NDArray[np.bool_]:
    """Mentions that repeat an identifier of their person."""
    names = [dataset.schema[name].role is Role.IDENTIFIER for name in mentions.links]
    return np.array([*names, False], np.bool_)[mentions.link]


def _words_as_values(dataset: Dataset, mentions: Mentions, cells: _Texts) -> NDArray[np.bool_]:
    """Mentions that are a value by what stands around them, not by their letters (`ordinary_values`), and
    single characters: the same letters elsewhere are a word."""
    rules = [
        name in dataset.schema.attributes
        and dataset.schema[name].role is not Role.IDENTIFIER
        and set(dataset.schema[name].entities) <= {VALUE}
        for name in mentions.rules
    ]
    by_value = np.array([source == SOURCE for source in mentions.sources], np.bool_)[mentions.source]
    by_value &= np.array(rules, np.bool_)[mentions.rule]
    found: NDArray[np.bool_] = (mentions.end - mentions.start == 1) | by_value
    which = np.flatnonzero(found)
    found[which] = [len(word) == 1 or not is_telling(word) for word in _surfaces(cells, mentions, which)]
    return found


def _surfaces(cells: _Texts, mentions: Mentions, which: NDArray[np.int64]) -> list[str]:
    parts = (mentions.column, mentions.row, mentions.start, mentions.end)
    places = zip(*(part[which].tolist() for part in parts), strict=True)
    return [(cells[column][row] or "")[start:end] for column, row, start, end in places]


def _missed_in(
    cells: _Texts, mentions: Mentions, known: NDArray[np.int64], rows: Sequence[int], *, is_name: bool = False
) -> list[_Added]:
    """Where in some rows the letters of known mentions stand outside of all mentions.

    `is_name`: as the name of somebody of the same group, which counts without the marks of a name.
    """
    by_word = _by_first_word(cells, mentions, known)
    place = mentions.row.astype(np.int64) * len(cells) + mentions.column
    added: list[_Added] = []
    run = current()
    for number, row in enumerate(rows if by_word else ()):
        if number % 1024 == 0:
            run.tell(number / len(rows))
        for column, texts in enumerate(cells):
            text = texts[row]
            if text and not by_word.keys().isdisjoint(_WORD.findall(text)):
                first, last = np.searchsorted(place, (row * len(cells) + column + np.arange(2)))
                spans = zip(
                    mentions.start[first:last].tolist(), mentions.end[first:last].tolist(), strict=True
                )
                added += [(row, column, *found) for found in _missed(text, list(spans), by_word, is_name)]
    return added


def _by_first_word(cells: _Texts, mentions: Mentions, known: NDArray[np.int64]) -> Mapping[str, list[_Known]]:
    """The spellings of mentions by their first word, longest first; the most frequent term's."""
    spelt = list(zip(_surfaces(cells, mentions, known), mentions.term[known].tolist(), strict=True))
    often, first = Counter(spelt), dict(zip(reversed(spelt), reversed(known.tolist())))
    best: dict[str, int] = {}
    for pair in sorted(often, key=lambda pair: (-often[pair], first[pair])):
        best.setdefault(pair[0], first[pair])
    by_word: dict[str, dict[int, dict[str, int]]] = {}
    for surface, which in best.items():
        word = _WORD.search(surface)
        if word is not None and word.start() == 0:
            by_length = by_word.setdefault(word.group(), {})
            by_length.setdefault(len(surface), {})[surface] = which
    return {word: sorted(by_length.items(), reverse=True) for word, by_length in by_word.items()}


def _missed(
    text: str, spans: list[tuple[int, int]], by_word: Mapping[str, list[_Known]], is_name: bool
) -> list[tuple[int, int, int]]:
    """Start, end and known mention of what stands in a text outside of its mentions."""
    found: list[tuple[int, int, int]] = []
    taken, reach = Covers(spans), 0
    for word in _WORD.finditer(text):
        start = word.start()
        if start < reach:
            continue
        for length, surfaces in by_word.get(word.group(), ()):
            end = start + length
            which = surfaces.get(text[start:end])
            if which is None or (text[end : end + 1].isalnum() and text[end - 1].isalnum()):
                continue
            if is_name and is_counted_time(text, start, end):
                continue
            if not taken.touch((start, end)) and (is_name or _is_more_than_a_word(text, start, end)):
                found.append((start, end, which))
                reach = end
                break
    return found


def _is_more_than_a_word(text: str, start: int, end: int) -> bool:
    if is_ordinary(text[start:end]) and not is_marked_as_a_name(text, start, end):
        return False
    return not measured_in(text).touch((start, end))


def with_added(mentions: Mentions, added: list[_Added]) -> Mentions:
    """The mentions, and further ones at these places, each like the one that stands for it, not linked."""
    if not added:
        return mentions
    row, column, start, end, known = np.array(added, np.int64).T
    own = {"row": row, "column": column, "start": start, "end": end, "link": -1}
    alike = {name: getattr(mentions, name)[known] for name in NUMBERS}
    return mentions.with_more(alike | own)[0]
