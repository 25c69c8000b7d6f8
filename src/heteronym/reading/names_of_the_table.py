"""Names that a table knows of its persons, in texts of others: "ich heiße jetzt caruso", "peer tahirovic".

Recognizers judge a text by itself. A table says more: words of its identifier columns that hold names are
names, and so is a word that most of its texts have as one. Where names are removed in any case, such a word
is removed wherever it stands outside of all mentions, unless it is an ordinary word: by the list, or because
several persons write it and few of these places were taken for a name ("Sonntag").

Cost        O(words of the texts + distinct names)
Randomness  none
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from heteronym.io.persons import number_persons
from heteronym.io.values import text_cells
from heteronym.model.dataset import Dataset
from heteronym.model.mention import Mentions
from heteronym.reading.missed_mentions import with_added
from heteronym.reading.read_person import ReadingSettings
from heteronym.reading.scan import texts_of
from heteronym.run import current
from heteronym.text.forms import name_words, ordinary, titles
from heteronym.text.measurements import measured_in

_PERSON = "PERSON"
_NAME, _OTHER = "name", "other"  # what covers a word
_WORD = re.compile(r"[^\W\d_]+")
_SHORTEST = 3  # letters
_WRITERS = 3  # persons: a word that so many write is one, unless it is mostly a name
_Place = tuple[str, int, int, int, int, str | None]  # word, row, column, start, end, what covers it
_Texts = Sequence[Sequence[str | None]]  # by column
_MOSTLY = 0.5  # of a word's places are names
_SURE = 0.9  # a score from which a mention is no guess


def add_names_of_the_table(dataset: Dataset, mentions: Mentions, reading: ReadingSettings) -> Mentions:
    """The mentions, and further ones where a name of the table stands."""
    as_names = np.flatnonzero(np.array([kind == _PERSON for kind in mentions.types], np.bool_)[mentions.type])
    if not len(as_names) or not reading.is_direct(_PERSON):
        return mentions
    cells = [texts_of(dataset.frame[name]) for name in mentions.columns]
    held = _names_in_columns(dataset, reading)
    places = _places(mentions, cells, held | _words_taken_for_names(mentions, cells, as_names))
    all_, sure, writers = Counter[str](), Counter[str](), defaultdict[str, set[int]](set)
    person_of_row, _ = number_persons(dataset)
    for word, row, _, _, _, kind in places:
        sure[word] += kind == _NAME
        all_[word] += 1
        if kind is None:
            writers[word].add(int(person_of_row[row]))

    def is_name(word: str) -> bool:
        mostly = sure[word] >= _MOSTLY * all_[word]
        if word in held:
            return mostly or len(writers[word]) < _WRITERS
        return mostly and sure[word] > 1

    known = int(as_names[0])
    added = [
        (row, column, start, end, known)
        for word, row, column, start, end, kind in places
        if kind is None and is_name(word)
    ]
    return with_added(mentions, added)


def _names_in_columns(dataset: Dataset, reading: ReadingSettings) -> set[str]:
    """Words of the names that identifier columns hold."""
    found: set[str] = set()
    for target in reading.targets:
        cells = dataset.frame[target.name]
        if target.is_identifier and target.type == _PERSON and not cells.dtype.is_nested():
            for value in text_cells(cells, dataset.missing).drop_nulls().unique().to_list():
                found |= {word for word in name_words(value) if _may_be_a_name(word)}
    return found


def _may_be_a_name(word: str) -> bool:
    return len(word) >= _SHORTEST and word not in ordinary() and word not in titles()


def _words_taken_for_names(mentions: Mentions, cells: _Texts, which: NDArray[np.int64]) -> set[str]:
    parts = (mentions.column, mentions.row, mentions.start, mentions.end)
    found: set[str] = set()
    for column, row, start, end in zip(*(part[which].tolist() for part in parts), strict=True):
        found |= {word.casefold() for word in _WORD.findall(cells[column][row] or "", start, end)}
    return {word for word in found if _may_be_a_name(word)}


def _places(mentions: Mentions, cells: _Texts, asked: Collection[str]) -> list[_Place]:
    """Where some words stand, and what covers them; places in measurements are left out."""
    of_text = mentions.row.astype(np.int64) * len(cells) + mentions.column
    rows = len(cells[0]) if cells else 0
    found: list[_Place] = []
    for row in range(rows):
        if row % 1024 == 0:
            current().poll()
        for column, texts in enumerate(cells):
            text = texts[row] or ""
            words = [one for one in _WORD.finditer(text) if one.group().casefold() in asked]
            if words:
                first, last = np.searchsorted(of_text, row * len(cells) + column + np.arange(2)).tolist()
                found += _covered(text, words, mentions, range(first, last), (row, column))
    return found


def _kind(mentions: Mentions, which: int) -> str:
    """Whether a mention is certain to be a name, or something else."""
    is_name = mentions.types[mentions.type[which]] == _PERSON
    return _NAME if is_name and (mentions.link[which] >= 0 or mentions.score[which] >= _SURE) else _OTHER


def _covered(
    text: str, words: list[re.Match[str]], mentions: Mentions, here: range, cell: tuple[int, int]
) -> Iterator[_Place]:
    spans = [(int(mentions.start[n]), int(mentions.end[n]), _kind(mentions, n)) for n in here]
    for word in words:
        start, end = word.span()
        kind = next((kind for a, b, kind in spans if a < end and start < b), None)
        if kind is not None or not measured_in(text).touch((start, end)):
            yield word.group().casefold(), *cell, start, end, kind
