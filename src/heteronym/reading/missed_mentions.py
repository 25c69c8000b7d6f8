"""Adds mentions that were found in one text and missed in another, where they would tell whose it is.

Where a group must treat a term alike for all its members, a mention of one person's text is searched in all
others: the same letters, as whole words. A value of a column is linked where it is the person's own; in
another's text it is a term that tells it. Letters alone say little where they are ordinary words or figures
("day", "10"): such a mention is searched only where a word has the marks of a name, a capital that no
sentence explains or a title before it. A name that is a common word in small letters ("may") is searched in
texts of its bearer's group only. What measures something ("HR 78") is not searched.

Cost        O(words of the texts + words of the terms)
Randomness  none
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from heteronym.model.dataset import Dataset
from heteronym.model.mention import NUMBERS, Mentions
from heteronym.model.schema import Role
from heteronym.model.terms import normalize
from heteronym.reading.link import SOURCE
from heteronym.reading.ordinary_values import is_marked_as_a_name, is_ordinary
from heteronym.reading.scan import texts_of
from heteronym.run import current
from heteronym.text.entity_types import VALUE
from heteronym.text.forms import is_telling, ordinary
from heteronym.text.measurements import measured_in

_WORD = re.compile(r"\w+")

_Known = tuple[str, int]  # a surface, and the mention that stands for it
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
    return _with(mentions, _missed_in(cells, mentions, known, range(dataset.rows)))


def add_words_that_name_group_members(
    dataset: Dataset, mentions: Mentions, group_of_row: NDArray[np.int32]
) -> Mentions:
    """The mentions, and further ones where texts of a group hold a word that is the name of a member."""
    cells = [texts_of(dataset.frame[name]) for name in mentions.columns]
    named = np.flatnonzero(_words_as_names(dataset, mentions, cells))
    group = group_of_row[mentions.row[named]]
    added: list[_Added] = []
    for number in np.unique(group[group >= 0]).tolist():
        rows = np.flatnonzero(group_of_row == number).tolist()
        added += _missed_in(cells, mentions, named[group == number], rows)
    return _with(mentions, added)


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
    cells: _Texts, mentions: Mentions, known: NDArray[np.int64], rows: Sequence[int]
) -> list[_Added]:
    """Where in some rows the letters of known mentions stand outside of all mentions."""
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
                added += [(row, column, *found) for found in _missed(text, list(spans), by_word)]
    return added


def _by_first_word(cells: _Texts, mentions: Mentions, known: NDArray[np.int64]) -> Mapping[str, list[_Known]]:
    """The spellings of mentions by their first word, longest first; the most frequent term's."""
    spelt = list(zip(_surfaces(cells, mentions, known), mentions.term[known].tolist(), strict=True))
    often, first = Counter(spelt), dict(zip(reversed(spelt), reversed(known.tolist())))
    best: dict[str, int] = {}
    for pair in sorted(often, key=lambda pair: (-often[pair], first[pair])):
        best.setdefault(pair[0], first[pair])
    by_word: dict[str, list[_Known]] = {}
    for surface, which in best.items():
        word = _WORD.search(surface)
        if word is not None and word.start() == 0:
            by_word.setdefault(word.group(), []).append((surface, which))
    for same_start in by_word.values():
        same_start.sort(key=lambda known: -len(known[0]))
    return by_word


def _missed(
    text: str, spans: list[tuple[int, int]], by_word: Mapping[str, list[_Known]]
) -> list[tuple[int, int, int]]:
    """Start, end and known mention of what stands in a text outside of its mentions."""
    found: list[tuple[int, int, int]] = []
    reach = 0
    for word in _WORD.finditer(text):
        start = word.start()
        if start < reach:
            continue
        for surface, which in by_word.get(word.group(), ()):
            end = start + len(surface)
            whole = text.startswith(surface, start) and not (
                text[end : end + 1].isalnum() and surface[-1].isalnum()
            )
            if (
                whole
                and _is_more_than_a_word(text, start, end)
                and not any(a < end and start < b for a, b in spans)
            ):
                found.append((start, end, which))
                reach = end
                break
    return found


def _is_more_than_a_word(text: str, start: int, end: int) -> bool:
    if is_ordinary(text[start:end]) and not is_marked_as_a_name(text, start, end):
        return False
    return not measured_in(text).touch((start, end))


def _with(mentions: Mentions, added: list[_Added]) -> Mentions:
    if not added:
        return mentions
    row, column, start, end, known = np.array(added, np.int64).T
    own = {"row": row, "column": column, "start": start, "end": end, "link": -1}
    alike = {name: getattr(mentions, name)[known] for name in NUMBERS}
    return mentions.with_more(alike | own)[0]
