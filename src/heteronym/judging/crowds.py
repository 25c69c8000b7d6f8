"""How many persons could be behind a row: by columns, by columns and items, and by words of its texts, too.

Two attackers are counted, and the smaller crowd is told. One has a released row and asks who of the data fits
it; the other has a person and asks which released rows fit. Both know the columns of everybody and up to m
items or terms of a person. A row whose labels are shared by k persons needs no look: they all fit each other.

Cost        O(rows) where crowds are large; for the rest, the rows behind the most telling label or piece
Randomness  none
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.judging.columns import Column
from heteronym.judging.meanings import Ints
from heteronym.judging.pairs import Index, patterns_of
from heteronym.run import current

_MOST_BEHIND = 20_000  # rows behind a label or a piece that are looked at for one question
_RAREST = 6  # pieces of a row that are combined, the rarest first
_PAIRS = 8  # pairs of these that are asked about
_LOOKS = (128, 4096)  # rows of a piece that are looked at, and again where these leave it open
_AT_ONCE = 2_000_000


@dataclass(frozen=True, repr=False, eq=False)
class Tables:
    """Both sides as a count needs them. Persons have the same numbers on both."""

    columns: Sequence[Column]  # that the attacker knows
    person: Ints  # of each row of the data
    source: Ints  # of each released row, -1 where nobody can tell
    released: int

    @property
    def shown_person(self) -> Ints:
        """Of each released row; a number of its own where nobody can tell."""
        unknown = int(self.person.max(initial=-1)) + 1 + np.arange(self.released)
        return np.where(self.source >= 0, self.person[np.maximum(self.source, 0)], unknown)

    def __repr__(self) -> str:
        return f"Tables({self.released} and {len(self.person)} rows)"


@dataclass(frozen=True, repr=False, eq=False)
class Pieces:
    """What a released row shows beside its columns, and what the rows of the data have: item by item.

    Numbers of pieces are the same on both sides: `of_row` and `held` are pairs (row, piece), sorted.
    """

    count: int
    shown_row: Ints
    shown: Ints
    held_row: Ints
    held: Ints

    def __repr__(self) -> str:
        return f"Pieces({self.count})"


def smallest_by_columns(tables: Tables, k: int) -> Ints:
    """Of each released row, how many persons could be behind it: exactly below k; k or more otherwise."""
    patterns, of_row = patterns_of(tables.columns, tables.released)
    if not tables.released:
        return np.zeros(0, np.int64)
    together = _distinct(of_row, tables.shown_person, len(patterns))
    crowd = together.copy()
    few = np.flatnonzero(together < k)
    if len(few):
        crowd[few] = np.maximum(fitting_persons(tables, patterns[few], k), 0)
        crowd = crowd[of_row]
        towards = _fitting_rows(tables, patterns, of_row, few, k)
        return np.minimum(crowd, towards)
    return crowd[of_row]


def fitting_persons(tables: Tables, patterns: NDArray[np.int64], k: int) -> Ints:
    """Persons of the data who fit each combination of labels."""
    index = Index.of(tables.columns, len(tables.person))
    found = np.zeros(len(patterns), np.int64)
    owners, persons = [], []
    for owner, row in index.fitting(patterns, _MOST_BEHIND):
        pair = np.unique(owner * (int(tables.person.max(initial=0)) + 1) + tables.person[row])
        width = int(tables.person.max(initial=0)) + 1
        owners.append(pair // width)
        persons.append(pair % width)
    if owners:
        found += np.bincount(np.concatenate(owners), minlength=len(patterns))
    return found


def _fitting_rows(tables: Tables, patterns: NDArray[np.int64], of_row: Ints, few: Ints, k: int) -> Ints:
    """Of each released row of which the original is known, persons whose rows fit that original."""
    enough = np.full(tables.released, np.iinfo(np.int64).max)
    doubtful = np.zeros(len(patterns), np.bool_)
    doubtful[few] = True
    rows = np.flatnonzero(doubtful[of_row] & (tables.source >= 0))
    if not len(rows) or not tables.columns:
        return enough
    values = np.stack([c.value_of_row[tables.source[rows]] for c in tables.columns], 1)
    different, which = np.unique(values, axis=0, return_inverse=True)
    which = which.reshape(-1)
    inverse = [_Covering.of(column, tables.released) for column in tables.columns]
    person = tables.shown_person
    counts = np.zeros(len(different), np.int64)
    for number, value in enumerate(different):
        if number % 512 == 0:
            current().poll()
        near = [one.rows(int(v)) for one, v in zip(inverse, value, strict=True)]
        best = min(range(len(near)), key=lambda c: near[c])
        chosen = inverse[best].rows_behind(int(value[best]), _MOST_BEHIND)
        for c, column in enumerate(tables.columns):
            if c != best and len(chosen):
                labels = column.label_of_row[chosen]
                chosen = chosen[column.meanings.fit(labels, np.full(len(labels), value[c]))]
        counts[number] = len(np.unique(person[chosen]))
    enough[rows] = counts[which]
    return enough


@dataclass(frozen=True, repr=False, eq=False)
class _Covering:
    """Which labels a value may stand behind, and the rows of these."""

    column: Column
    behind: Ints  # rows by value
    by_label: Ints
    begins: Ints

    @classmethod
    def of(cls, column: Column, released: int) -> _Covering:
        meanings = column.meanings
        rows = np.bincount(column.label_of_row, minlength=len(column.labels))
        steps = np.zeros(meanings.values + 2, np.int64)
        np.add.at(steps, meanings.low, rows)
        np.add.at(steps, np.maximum(meanings.high, meanings.low), -rows)
        for label, runs in meanings.more.items():
            for a, b in runs:
                steps[a] += rows[label]
                steps[b] -= rows[label]
        behind = np.cumsum(steps)[: meanings.values + 1]
        behind[meanings.values] = rows[meanings.missing].sum()
        order = np.argsort(column.label_of_row, kind="stable")
        return cls(column, behind, order, np.r_[0, np.cumsum(rows)])

    def rows(self, value: int) -> int:
        return int(self.behind[value])

    def rows_behind(self, value: int, most: int) -> Ints:
        labels = np.arange(len(self.column.labels))
        fit = np.flatnonzero(self.column.meanings.fit(labels, np.full(len(labels), value)))
        parts = [self.by_label[self.begins[label] : self.begins[label + 1]] for label in fit.tolist()]
        return np.concatenate(parts)[:most] if parts else np.zeros(0, np.int64)


def _distinct(group: Ints, member: Ints, groups: int) -> Ints:
    """How many different members each group has."""
    width = int(member.max(initial=0)) + 1
    pairs = np.unique(group * width + member)
    return np.bincount(pairs // width, minlength=groups)


# --- with pieces ------------------------------------------------------------------------------------


def smallest_with_pieces(
    tables: Tables, pieces: Pieces, k: int, m: int, known: NDArray[np.bool_] | None = None
) -> Ints:
    """Of each released row, how many persons could be behind it for who knows up to m shown pieces, too.

    Exactly below k for the combinations that were looked at: of each row its rarest pieces. Rows that show no
    piece have the largest number. Rows of which all is `known` are not asked about.
    """
    crowd = np.full(tables.released, np.iinfo(np.int64).max)
    if not len(pieces.shown):
        return crowd
    patterns, of_row = patterns_of(tables.columns, tables.released)
    sides = _Sides(tables, pieces, patterns, of_row)
    for row, chosen in sides.questions(m):
        few = sides.together(row, chosen) < k
        if known is not None:
            few &= ~known[row]
        row, chosen = row[few], chosen[few]
        if not len(row):
            continue
        found = np.minimum(sides.persons_who_fit(row, chosen, k), sides.rows_that_fit(row, chosen, k))
        np.minimum.at(crowd, row, found)
    return crowd


class _Sides:
    """Both tables, by piece."""

    def __init__(self, tables: Tables, pieces: Pieces, patterns: NDArray[np.int64], of_row: Ints) -> None:
        self.tables, self.pieces, self.patterns, self.of_row = tables, pieces, patterns, of_row
        self.person = tables.shown_person
        self._shown = _Postings.of(pieces.shown_row, pieces.shown, pieces.count)
        self._held = _Postings.of(pieces.held_row, pieces.held, pieces.count)
        # how many persons of the same labels show a piece: of most rows, that is answer enough
        pattern = self.of_row[pieces.shown_row]
        self._sharing = pl.DataFrame(
            {"pattern": pattern, "piece": pieces.shown, "person": self.person[pieces.shown_row]}
        ).unique()

    def questions(self, m: int) -> Iterator[tuple[Ints, NDArray[np.int64]]]:
        """Rows with one piece each, then with two: the rarest of each row among those of equal labels."""
        frame = pl.DataFrame({"row": self.pieces.shown_row, "piece": self.pieces.shown}).unique()
        frame = frame.with_columns(
            pl.Series("pattern", self.of_row[frame["row"].to_numpy()]),
        )
        counts = self._sharing.group_by("pattern", "piece").len("persons")
        frame = frame.join(counts, on=["pattern", "piece"]).sort("row", "persons", "piece")
        if m < 2:
            yield frame["row"].to_numpy(), frame["piece"].to_numpy()[:, None]
            return
        singles = frame.group_by("row", maintain_order=True).head(_RAREST)
        pairs = singles.join(singles, on="row", suffix="_2").filter(pl.col("piece") < pl.col("piece_2"))
        pairs = pairs.with_columns(sum=pl.min_horizontal("persons", "persons_2")).sort("row", "sum")
        pairs = pairs.group_by("row", maintain_order=True).head(_PAIRS)
        if pairs.height:
            yield pairs["row"].to_numpy(), pairs.select("piece", "piece_2").to_numpy()

    def together(self, row: Ints, chosen: NDArray[np.int64]) -> Ints:
        """Persons whose rows have equal labels and show the pieces."""
        asked = pl.DataFrame(
            {"pattern": self.of_row[row], **{f"p{n}": chosen[:, n] for n in range(chosen.shape[1])}}
        )
        shown = self._sharing
        found = asked.unique().join(shown.rename({"piece": "p0"}), on=["pattern", "p0"])
        for n in range(1, chosen.shape[1]):
            found = found.join(
                shown.rename({"piece": f"p{n}"}), on=["pattern", f"p{n}", "person"], how="semi"
            )
        keys = ["pattern", *(f"p{n}" for n in range(chosen.shape[1]))]
        counts = found.group_by(keys).agg(pl.col("person").n_unique().alias("persons"))
        joined = asked.with_row_index("n").join(counts, on=keys, how="left").sort("n")
        return joined["persons"].fill_null(0).cast(pl.Int64).to_numpy()

    def persons_who_fit(self, row: Ints, chosen: NDArray[np.int64], k: int) -> Ints:
        """Persons of the data who fit a row's labels and have the pieces: exactly below k."""
        tables = self.tables

        def fits(question: Ints, other: Ints) -> tuple[Ints, Ints]:
            for column in tables.columns:
                keep = column.meanings.fit(column.label_of_row[row[question]], column.value_of_row[other])
                question, other = question[keep], other[keep]
            return question, other

        return _counted(chosen, self._held, fits, tables.person, k)

    def rows_that_fit(self, row: Ints, chosen: NDArray[np.int64], k: int) -> Ints:
        """Persons whose rows fit the values of a row's person and show the pieces: exactly below k."""
        tables = self.tables
        known = np.flatnonzero(tables.source[row] >= 0)

        def fits(question: Ints, other: Ints) -> tuple[Ints, Ints]:
            for column in tables.columns:
                value = column.value_of_row[tables.source[row[known[question]]]]
                keep = column.meanings.fit(column.label_of_row[other], value)
                question, other = question[keep], other[keep]
            return question, other

        found = np.full(len(row), np.iinfo(np.int64).max)
        if len(known):
            found[known] = _counted(chosen[known], self._shown, fits, self.person, k)
        return found


@dataclass(frozen=True, repr=False, eq=False)
class _Postings:
    """The rows of each piece, and all pairs of a row and a piece as sorted numbers."""

    rows: Ints
    begins: Ints
    keys: Ints
    count: int

    @classmethod
    def of(cls, row: Ints, piece: Ints, count: int) -> _Postings:
        order = np.argsort(piece, kind="stable")
        begins = np.r_[0, np.cumsum(np.bincount(piece, minlength=count))]
        return cls(row[order], begins, np.sort(row * count + piece), count)

    def have(self, row: Ints, piece: Ints) -> NDArray[np.bool_]:
        """Which rows have which piece."""
        wanted = row * self.count + piece
        at = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        found: NDArray[np.bool_] = self.keys[at] == wanted
        return found


Fits = Callable[[Ints, Ints], tuple[Ints, Ints]]


def _counted(chosen: NDArray[np.int64], postings: _Postings, fits: Fits, person: Ints, k: int) -> Ints:
    """Different persons among the rows that have the pieces and fit, question by question.

    A few rows of the rarest piece are enough where k persons are among them; only the others are looked at
    further, and where so many have the piece that the last look ends early, k are taken to be there.
    """
    sizes = np.diff(postings.begins)
    rarest = chosen[np.arange(len(chosen)), sizes[chosen].argmin(1)]
    found = np.zeros(len(chosen), np.int64)
    open_ones = np.arange(len(chosen))
    for most in _LOOKS:
        counts = _looked_at(open_ones, chosen, rarest, postings, (fits, person, most))
        found[open_ones] = counts
        open_ones = open_ones[(counts < k) & (sizes[rarest[open_ones]] > most)]
        if not len(open_ones):
            break
    found[open_ones] = k
    return found


def _looked_at(
    asked: Ints,
    chosen: NDArray[np.int64],
    rarest: Ints,
    postings: _Postings,
    how: tuple[Fits, Ints, int],
) -> Ints:
    """Persons among the first rows of the rarest piece."""
    fits, person, most = how
    width = int(person.max(initial=0)) + 1
    size = np.minimum(np.diff(postings.begins)[rarest[asked]], most)
    parts = np.split(np.arange(len(asked)), np.flatnonzero(np.diff(np.cumsum(size) // _AT_ONCE)) + 1)
    found = np.zeros(len(asked), np.int64)
    for part in parts:
        current().poll()
        place = np.repeat(part, size[part])
        offset = np.arange(len(place)) - np.repeat(np.cumsum(size[part]) - size[part], size[part])
        other = postings.rows[postings.begins[rarest[asked[place]]] + offset]
        place_of = np.full(len(chosen), -1, np.int64)
        place_of[asked[part]] = part
        question, other = fits(asked[place], other)
        for n in range(chosen.shape[1]):
            piece = chosen[question, n]
            keep = piece == rarest[question]
            check = np.flatnonzero(~keep)
            keep[check] = postings.have(other[check], piece[check])
            question, other = question[keep], other[keep]
        pairs = np.unique(place_of[question] * width + person[other])
        found += np.bincount(pairs // width, minlength=len(asked))
    return found
