"""Distinct terms of a table's texts with their places, in the order of what a decision about each is worth.

worth = uncertainty x effect, where uncertainty is 1.05 minus the mean score of the term's mentions, and
effect the binary logarithm of 1 + its mentions, doubled for types that are always removed, and doubled for
terms that fewer than k persons hold.

Cost        O(mentions) once; a term's places are a slice
Randomness  none
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import log2
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.io.persons import number_persons
from heteronym.model.dataset import Dataset
from heteronym.model.mention import Mentions
from heteronym.model.schema import Role
from heteronym.model.terms import normalize
from heteronym.reading.decided import Wanted, names_of, occurrences
from heteronym.reading.scan import texts_of

_AROUND = 90  # characters on each side of a mention


class Spot(NamedTuple):
    """A place of a term."""

    row: int
    column: int
    start: int
    end: int


class Piece(NamedTuple):
    """Part of a text: the term itself ("this"), another mention (its type), or neither ("")."""

    text: str
    mark: str


class Context(NamedTuple):
    """A term with the words around it."""

    spot: Spot
    column: str
    pieces: tuple[Piece, ...]


@dataclass(eq=False)
class ReviewTerm:
    """A distinct term. Holds personal data."""

    number: int
    term: str  # normalized
    spelling: str  # the most frequent one
    type: str  # the most frequent one
    types: tuple[str, ...]
    score: float
    persons: int
    worth: float
    spots: NDArray[np.int32] = field(repr=False)  # [places, 4]: row, column, start, end
    added: bool = False

    @property
    def places(self) -> int:
        return len(self.spots)

    def __repr__(self) -> str:
        return f"ReviewTerm({self.number}, {self.places} places)"


class Terms:
    """All distinct terms of a table's texts. Holds personal data."""

    def __init__(self, dataset: Dataset, mentions: Mentions, *, k: int, direct: frozenset[str]) -> None:
        self.dataset = dataset
        self.columns = tuple(dataset.schema.named(Role.TEXT))
        self.series = {name: dataset.frame[name].cast(pl.String) for name in self.columns}
        self.texts: Mapping[str, Sequence[str | None]] = {
            name: texts_of(dataset.frame[name]) for name in self.columns
        }
        self.person_of_row, self.persons = number_persons(dataset)
        self._k, self._direct = k, direct
        self.listed: list[ReviewTerm] = []
        self.by_name: dict[str, ReviewTerm] = {}
        self._of_text: dict[tuple[int, int], list[tuple[int, int, str]]] = {}
        self._take(mentions)
        self.listed.sort(key=lambda one: (-one.worth, one.term))
        for number, one in enumerate(self.listed):
            one.number = number

    def _take(self, mentions: Mentions) -> None:
        names = names_of(self.texts, mentions)
        column = np.array([self.columns.index(name) for name in mentions.columns], np.int32)[mentions.column]
        frame = pl.DataFrame(
            {
                "term": pl.Series(names, dtype=pl.String),
                "type": pl.Series(list(mentions.types), dtype=pl.String).gather(
                    mentions.type.astype(np.int64)
                ),
                "score": mentions.score,
                "row": mentions.row,
                "column": column,
                "start": mentions.start,
                "end": mentions.end,
                "person": self.person_of_row[mentions.row],
            }
        )
        types = frame["type"].to_list()
        for row, place, start, end, kind in zip(
            mentions.row.tolist(), column.tolist(), mentions.start.tolist(), mentions.end.tolist(), types,
            strict=True,
        ):  # fmt: skip
            self._of_text.setdefault((row, place), []).append((start, end, kind))
        often = frame.group_by("term", "type").len().sort("len", "type", descending=[True, False])
        kinds = often.group_by("term", maintain_order=True).agg(pl.col("type").alias("types"))
        grouped = (
            frame.group_by("term")
            .agg(
                pl.col("score").mean(),
                pl.col("person").n_unique().alias("persons"),
                *(pl.col(name) for name in Spot._fields),
            )
            .join(kinds, on="term")
        )
        for one in grouped.iter_rows(named=True):
            if one["term"]:
                spots = np.array([one[name] for name in Spot._fields], np.int32).T
                self._add(one["term"], one["types"], float(one["score"]), one["persons"], spots)

    def _add(
        self, term: str, types: Sequence[str], score: float, persons: int, spots: NDArray[np.int32]
    ) -> ReviewTerm:
        effect = log2(1 + len(spots))
        effect *= 2.0 if types[0] in self._direct else 1.0
        effect *= 2.0 if persons < self._k else 1.0
        made = ReviewTerm(
            number=len(self.listed),
            term=term,
            spelling=self._spelling(term, spots),
            type=types[0],
            types=tuple(types),
            score=score,
            persons=persons,
            worth=(1.05 - score) * effect,
            spots=spots,
        )
        self.listed.append(made)
        self.by_name[term] = made
        return made

    def _spelling(self, term: str, spots: NDArray[np.int32]) -> str:
        found: dict[str, int] = {}
        for row, column, start, end in spots[:32].tolist():
            surface = (self.texts[self.columns[column]][row] or "")[start:end]
            found[surface] = found.get(surface, 0) + 1
        return max(found, key=lambda one: (found[one], one)) if found else term

    def missed(self, words: str, type: str) -> ReviewTerm:
        """A term that nobody found, wherever it stands outside of mentions; it is reviewed as others are."""
        spelling = " ".join(words.split())
        term = normalize(spelling)
        found = [
            (row, number, start, end)
            for number, name in enumerate(self.columns)
            for row, start, end, _ in occurrences(self.series[name], [Wanted(spelling, type)])
            if not any(a <= start and end <= b for a, b, _ in self._of_text.get((row, number), ()))
        ]
        spots = np.array(found, np.int32).reshape(-1, 4)
        known = self.by_name.get(term)
        if known is not None:
            known.spots = np.unique(np.concatenate([known.spots, spots]), axis=0)
            known.persons = len(np.unique(self.person_of_row[known.spots[:, 0]]))
        else:
            persons = len(np.unique(self.person_of_row[spots[:, 0]]))
            known = self._add(term, (type,), 1.0, persons, spots)
            known.added = True
        for row, number, start, end in found:
            marks = self._of_text.setdefault((row, number), [])
            marks[:] = [one for one in marks if one[1] <= start or end <= one[0]]
            marks.append((start, end, type))
            marks.sort()
        return known

    def forget(self, one: ReviewTerm) -> None:
        """A term that was added is none after all."""
        for row, column, start, end in one.spots.tolist():
            marks = self._of_text.get((row, column), [])
            marks[:] = [mark for mark in marks if mark[:2] != (start, end)]
        one.spots, one.persons = one.spots[:0], 0

    def contexts(self, one: ReviewTerm, most: int = 3) -> list[Context]:
        """Where a term stands, of as many different persons as can be."""
        persons = self.person_of_row[one.spots[:, 0]]
        first = np.unique(persons, return_index=True)[1]
        order = np.r_[np.sort(first), np.setdiff1d(np.arange(len(persons)), first)][:most]
        return [self.context(Spot(*one.spots[at].tolist())) for at in order.tolist()]

    def context(self, spot: Spot, around: int = _AROUND) -> Context:
        name = self.columns[spot.column]
        text = self.texts[name][spot.row] or ""
        low, high = max(0, spot.start - around), min(len(text), spot.end + around)
        if around:
            low, high = _word_border(text, low, -1), _word_border(text, high, 1)
        return Context(spot, name, tuple(self._pieces(text, low, high, spot)))

    def whole(self, row: int, column: int) -> tuple[Piece, ...]:
        """A whole text with its mentions."""
        text = self.texts[self.columns[column]][row] or ""
        return tuple(self._pieces(text, 0, len(text), Spot(row, column, -1, -1)))

    def _pieces(self, text: str, low: int, high: int, spot: Spot) -> Iterator[Piece]:
        marks = [m for m in self._of_text.get(spot[:2], ()) if m[0] < high and low < m[1]]
        if spot.start >= 0:
            marks = [m for m in marks if m[1] <= spot.start or spot.end <= m[0]]
            marks.append((spot.start, spot.end, "this"))
        at = low
        for start, end, mark in sorted(marks):
            start, end = max(start, at), min(end, high)
            if start >= end:
                continue
            if at < start:
                yield Piece(text[at:start], "")
            yield Piece(text[start:end], mark)
            at = end
        if at < high:
            yield Piece(text[at:high], "")

    def is_marked(self, row: int, column: int, start: int, end: int) -> bool:
        return any(a < end and start < b for a, b, _ in self._of_text.get((row, column), ()))

    def __repr__(self) -> str:
        return f"Terms({len(self.listed)} terms in columns {list(self.columns)})"


def _word_border(text: str, at: int, step: int) -> int:
    """No word is cut off, unless it is very long."""
    for _ in range(15):
        if at <= 0 or at >= len(text) or text[at].isspace():
            break
        at += step
    return max(at, 0)
