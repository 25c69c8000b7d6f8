"""Which original row each released row is: by a key, a map, the order, or by what was left of it.

A row is matched only where nothing else could be it: exactly one row fits all labels, or one shares so many
rare words that no other comes near. Rows that are equal in the data may stand for each other. Whatever stays
open is said to be open (-1), and is never guessed.

Cost        O(rows) for keys and order; for content, pairs that share a rare word or the most telling label
Randomness  none
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.judging.columns import Column, flat_texts, numbered
from heteronym.judging.meanings import Ints
from heteronym.judging.pairs import Index, patterns_of
from heteronym.run import current

_SAMPLE = 2000  # rows by which the order is tried
_AGREE = 0.95  # share of its rows that must fit where the order was kept
_TELLS = 0.05  # by how much more rows fit in their order than out of it, where a column tells anything
_RARE, _PICKED = 24, 6  # rows a rare word stands in; rare words by which a row is looked up
_BEHIND = 400  # rows behind the most telling label that are compared
_AHEAD = 2.0  # how far the best must be ahead of the next: odds of seven to one
_SURE = 3.0  # what must speak for a pair beyond chance, as a logarithm: odds of twenty to one
_KEPT = 6  # candidates by words that are compared closely
_LEAST_SHARED = 0.2  # share of the words of a released text that its original must have
_PAIRS = 3_000_000  # that may share a rare word
_ROUNDS = 4
_LEAST = 0.5  # share of its rare words that a row must have in common with its original


@dataclass(frozen=True, repr=False, eq=False)
class Matched:
    """The original row of each released row, -1 where nobody can tell."""

    source: Ints
    how: str  # key | map | order | content | nothing
    by: str = ""  # the column
    doubtful: int = 0  # rows that a best assignment would have placed, without being sure

    @property
    def sure(self) -> NDArray[np.bool_]:
        return self.source >= 0

    @property
    def share(self) -> float:
        return float(self.sure.mean()) if len(self.source) else 0.0

    def __repr__(self) -> str:
        return f"Matched({int(self.sure.sum())} of {len(self.source)} rows by {self.how})"


@dataclass(frozen=True, repr=False, eq=False)
class Both:
    """The two tables as far as rows are compared by them."""

    columns: Sequence[Column]
    texts: Sequence[tuple[str, Sequence[str | None], Sequence[str | None]]]  # name, released, original
    released: int
    original: int

    def __repr__(self) -> str:
        return f"Both({self.released} and {self.original} rows)"


def match_rows(both: Both) -> Matched:
    """By the order where it was kept, else by the content."""
    found = by_order(both)
    if found is None:
        found = in_same_order(both)
    if found is None:
        found = by_content(both)
    return found


# --- keys -------------------------------------------------------------------------------------------


def by_key(released: pl.Series, original: pl.Series) -> Matched:
    """Rows with the same key, where no other row has it; the rest is left open."""
    ours, theirs = flat_texts(released), flat_texts(original)
    place: dict[str, int] = {}
    for row, key in enumerate(theirs):
        if key is not None and key.strip():
            place[key.strip()] = -1 if key.strip() in place else row
    times: dict[str, int] = {}
    for key in ours:
        if key is not None:
            times[key.strip()] = times.get(key.strip(), 0) + 1
    source = [-1 if key is None or times[key.strip()] > 1 else place.get(key.strip(), -1) for key in ours]
    return Matched(np.array(source, np.int64), "key", released.name)


def key_blocks(released: pl.Series, original: pl.Series) -> tuple[Ints, Ints] | None:
    """Numbers of the keys on both sides, where most released keys are keys of the data; None otherwise."""
    ours, theirs = flat_texts(released), flat_texts(original)
    _, code = numbered([None if key is None else key.strip() for key in [*theirs, *ours]])
    known = np.zeros(int(code.max(initial=0)) + 1, np.bool_)
    known[code[: len(theirs)]] = True
    if not len(ours) or known[code[len(theirs) :]].mean() < 0.5:
        return None
    return code[len(theirs) :], code[: len(theirs)]


# --- order ------------------------------------------------------------------------------------------


def by_order(both: Both) -> Matched | None:
    """Row by row, if rows fit in their order and do not out of it."""
    if both.released != both.original or not both.released:
        return None
    rows = np.unique(np.linspace(0, both.released - 1, min(_SAMPLE, both.released)).astype(np.int64))
    # rows beside each other may be alike: compare with rows from elsewhere
    others = np.roll(rows, max(len(rows) // 3, 1))
    telling = []
    for column in both.columns:
        here, elsewhere = column.fit(rows, rows).mean(), column.fit(rows, others).mean()
        if here - elsewhere > _TELLS:
            telling.append((column, here))
    texts = []
    for name, ours, theirs in both.texts:
        here, elsewhere = (float(np.median(_shared(ours, theirs, rows, at))) for at in (rows, others))
        if here - elsewhere > 2 * _TELLS:
            texts.append((name, ours, theirs, (here + elsewhere) / 2))
    kept = [column for column, here in telling if here >= _AGREE]
    if not kept and not texts:
        return None
    if telling and len(kept) * 2 < len(telling) and not texts:
        return None
    everybody = np.arange(both.released)
    agreeing = np.zeros(both.released)
    for column in kept:
        agreeing += column.fit(everybody, everybody)
    for _, ours, theirs, least in texts:
        agreeing += _shared(ours, theirs, everybody, everybody) >= least
    share = agreeing / (len(kept) + len(texts))
    if float((share >= 0.5).mean()) < _AGREE or not _is_no_chance(kept, texts, both, rows, others):
        return None
    return Matched(np.where(share >= 0.5, everybody, -1), "order")


def _is_no_chance(kept, texts, both: Both, rows: Ints, others: Ints) -> bool:  # type: ignore[no-untyped-def]
    """Whether shuffled rows would fit clearly less often, so that the order means something."""
    if texts:
        return True
    by_chance = np.ones(len(rows), np.bool_)
    here = np.ones(len(rows), np.bool_)
    for column in kept:
        by_chance &= column.fit(rows, others)
        here &= column.fit(rows, rows)
    # as many fits in a row as there are rows: even a small difference decides
    surplus = (here.mean() - by_chance.mean()) * len(rows)
    return bool(surplus >= max(3.0, 3.0 * np.sqrt(max(by_chance.sum(), 1.0)) / 2))


def _shared(
    ours: Sequence[str | None], theirs: Sequence[str | None], rows: Ints, at: Ints
) -> NDArray[np.float64]:
    """Which share of the words of a released text its original has, row by row."""
    found = np.zeros(len(rows))
    for number, (a, b) in enumerate(zip(rows.tolist(), at.tolist(), strict=True)):
        mine, other = ours[a], theirs[b]
        if not mine or not other:
            found[number] = float(bool(mine) == bool(other))
            continue
        words = set(mine.split())
        found[number] = len(words & set(other.split())) / len(words)
    return found


def in_same_order(both: Both) -> Matched | None:
    """Where rows are gone and the others stayed in order: first and last row that each could be.

    Every way to lay the release over the data in order lies between the earliest and the latest one; where
    these two agree there is only one.
    """
    if not 0 < both.released < both.original or both.released < 10:
        return None
    kept = [column for column in both.columns if column.meanings.is_read.any()]
    if not kept:
        return None
    first = _embedded(kept, both.released, both.original, backwards=False)
    if first is None or _shuffled_fits(kept, both):
        return None
    last = _embedded(kept, both.released, both.original, backwards=True)
    assert last is not None
    return Matched(np.where(first == last, first, -1), "order", doubtful=int((first != last).sum()))


def _shuffled_fits(kept: Sequence[Column], both: Both) -> bool:
    """Whether rows out of order could be laid over the data as well: then the order tells nothing."""
    turned = [replace(column, label_of_row=column.label_of_row[::-1]) for column in kept]
    return _embedded(turned, both.released, both.original, backwards=False) is not None


def _embedded(kept: Sequence[Column], released: int, original: int, *, backwards: bool) -> Ints | None:
    found = np.full(released, -1, np.int64)
    at = original - 1 if backwards else 0
    step = -1 if backwards else 1
    tests = [(c.meanings, c.label_of_row, c.value_of_row) for c in kept]
    window = 64
    for row in range(released - 1, -1, -1) if backwards else range(released):
        left = row + 1 if backwards else released - row
        while True:
            room = (at + 1) if backwards else (original - at)
            if room < left:
                return None
            span = min(window, room - left + 1)
            places = np.arange(at, at + step * span, step)
            fit = np.ones(span, np.bool_)
            for meanings, labels, values in tests:
                fit &= meanings.fit(np.full(span, labels[row]), values[places])
            hits = np.flatnonzero(fit)
            if len(hits):
                found[row] = places[hits[0]]
                at = int(places[hits[0]]) + step
                break
            at += step * span
    return found


# --- content ----------------------------------------------------------------------------------------


def by_content(
    both: Both, blocks: tuple[Ints, Ints] | None = None, how: str = "content", by: str = ""
) -> Matched:
    """The row that fits all labels and shares rare words, where there is one that no other comes near."""
    columns = [c for c in both.columns if c.meanings.is_read.any()]
    owner, row, score = _candidates(both, columns, blocks)
    content = _same_content(both)
    source = np.full(both.released, -1, np.int64)
    taken = np.zeros(both.original, np.bool_)
    for _ in range(_ROUNDS):
        current().poll()
        more = _settled(owner, row, score, content)
        if not len(more[0]):
            break
        source[more[0]] = more[1]
        taken[more[1]] = True
        keep = (source[owner] < 0) & ~taken[row]
        owner, row, score = owner[keep], row[keep], score[keep]
    left = len(np.unique(owner))
    return Matched(source, how if (source >= 0).any() else "nothing", by, doubtful=left)


def _candidates(
    both: Both, columns: Sequence[Column], blocks: tuple[Ints, Ints] | None
) -> tuple[Ints, Ints, NDArray[np.float64]]:
    """Pairs with the evidence that speaks for them; a row's pairs are complete."""
    owner, row, rare, score = _by_words(both)
    if blocks is not None:
        keep = blocks[0][owner] == blocks[1][row]
        owner, row, rare, score = owner[keep], row[keep], rare[keep], score[keep]
    if len(owner):
        fitting = _by_fitting(columns, owner, row)
        score = score + fitting
        keep = rare + fitting - math.log(max(both.original, 2)) >= _SURE
        owner, row, score = owner[keep], row[keep], score[keep]
    has = np.zeros(both.released, np.bool_)
    has[owner] = True
    # behind a row that words speak for, words decide; of the others, only one may fit all labels
    more = _by_labels(both, columns, np.flatnonzero(~has), blocks)
    return np.r_[owner, more[0]], np.r_[row, more[1]], np.r_[score, np.full(len(more[0]), _SURE)]


def _by_fitting(columns: Sequence[Column], owner: Ints, row: Ints) -> NDArray[np.float64]:
    """What it tells that labels fit: the rarer by chance, the more. One that does not speaks against it."""
    told = np.zeros(len(owner))
    for column in columns:
        counts = np.bincount(column.value_of_row, minlength=column.meanings.values + 1)
        behind = np.maximum(column.meanings.held_by(counts), 1) / max(len(column.value_of_row), 1)
        fits = column.fit(owner, row)
        told += np.where(fits, -np.log(behind[column.label_of_row[owner]]), -_SURE)
    return told


def _by_words(both: Both) -> tuple[Ints, Ints, NDArray[np.float64], NDArray[np.float64]]:
    """Pairs that share rare words, with how unlikely that is by chance, and what all shared words tell."""
    found: list[pl.DataFrame] = []
    for _, ours, theirs in both.texts:
        bare = [without_labels(text) for text in ours]
        mine, other = _words(bare), _words(theirs)
        in_texts = (
            other.group_by("word")
            .agg(pl.len().alias("texts"))
            .with_columns(told=(both.original / pl.col("texts").cast(pl.Float64)).log())
        )
        rare = in_texts.filter(pl.col("texts") <= max(_RARE, _PAIRS // (_PICKED * both.original)))
        by_rarity = mine.join(rare, on="word").sort("row", "texts", "word")
        picked = by_rarity.group_by("row", maintain_order=True).head(_PICKED)
        whole = picked.group_by("row").agg(pl.col("told").sum().alias("all"))
        pairs = picked.join(other, on="word", suffix="_original")
        summed = pairs.group_by("row", "row_original").agg(pl.col("told").sum())
        summed = summed.join(whole, on="row").filter(pl.col("told") >= _LEAST * pl.col("all"))
        summed = summed.sort(["row", "told", "row_original"], descending=[False, True, False])
        summed = summed.group_by("row", maintain_order=True).head(_KEPT)
        weights = dict(in_texts.select("word", "told").iter_rows())
        share, rest = _compared(bare, theirs, summed, weights)
        summed = summed.with_columns(pl.Series("share", share), pl.Series("rest", rest))
        summed = summed.filter(pl.col("share") >= _LEAST_SHARED)
        found.append(summed.select("row", "row_original", "told", "rest"))
    if not found:
        nothing = np.zeros(0, np.int64)
        return nothing, nothing, np.zeros(0), np.zeros(0)
    pairs = pl.concat(found).group_by("row", "row_original").agg(pl.col("told", "rest").sum())
    pairs = pairs.sort("row", "row_original")
    return (
        pairs["row"].cast(pl.Int64).to_numpy(),
        pairs["row_original"].cast(pl.Int64).to_numpy(),
        pairs["told"].to_numpy(),
        pairs["rest"].to_numpy(),
    )


_WORD = re.compile(r"[^\W_]{2,}")


def _compared(
    ours: Sequence[str | None],
    theirs: Sequence[str | None],
    pairs: pl.DataFrame,
    weights: Mapping[str, float],
) -> tuple[list[float], list[float]]:
    """Of each pair, the share of the released words that the original has, and what all of these tell."""
    shares, told = [], []
    last, mine = -1, frozenset[str]()
    for row, at in zip(pairs["row"].to_list(), pairs["row_original"].to_list(), strict=True):
        if row != last:
            last, mine = row, frozenset(_WORD.findall((ours[row] or "").lower()))
        both = mine.intersection(_WORD.findall((theirs[at] or "").lower()))
        shares.append(len(both) / max(len(mine), 1))
        told.append(sum(weights.get(word, 0.0) for word in both))
    return shares, told


_LABELS = re.compile(r"[\[<{(][^\[\]<>{}()]{0,80}[\])>}]")


def without_labels(text: str | None) -> str | None:
    """A released text without what stands in brackets: that was put there, and is no word of the original."""
    return None if text is None else _LABELS.sub(" ", text)


def _words(texts: Sequence[str | None]) -> pl.DataFrame:
    frame = pl.DataFrame({"text": pl.Series(texts, dtype=pl.String)}).with_row_index("row")
    return (
        frame.with_columns(pl.col("text").str.to_lowercase().str.extract_all(r"[\pL\pN]{2,}").alias("word"))
        .select("row", "word")
        .explode("word")
        .drop_nulls()
        .unique()
    )


def _by_labels(
    both: Both, columns: Sequence[Column], rows: Ints, blocks: tuple[Ints, Ints] | None
) -> tuple[Ints, Ints]:
    """All rows that fit the labels, of those released rows behind whose labels there are few enough."""
    if not len(rows):
        return rows, rows
    if blocks is not None:
        return _in_blocks(columns, rows, blocks)
    if not columns:
        return rows[:0], rows[:0]
    patterns, of_row = patterns_of(columns, both.released)
    index = Index.of(columns, both.original)
    asked = np.unique(of_row[rows])
    _, left = index.telling(patterns[asked])
    asked = asked[left <= _BEHIND]
    if not len(asked):
        return rows[:0], rows[:0]
    number = np.full(len(patterns), -1, np.int64)
    number[asked] = np.arange(len(asked))
    rows = rows[number[of_row[rows]] >= 0]
    owners, originals = [], []
    for owner, original in index.fitting(patterns[asked], _BEHIND + 1):
        owners.append(owner)
        originals.append(original)
    pattern, original = np.concatenate(owners), np.concatenate(originals)
    return _joined(number[of_row[rows]], rows, pattern, original)


def _in_blocks(columns: Sequence[Column], rows: Ints, blocks: tuple[Ints, Ints]) -> tuple[Ints, Ints]:
    owner, row = _joined(blocks[0][rows], rows, blocks[1], np.arange(len(blocks[1])))
    for column in columns:
        keep = column.fit(owner, row)
        owner, row = owner[keep], row[keep]
    return owner, row


def _joined(left: Ints, mine: Ints, right: Ints, theirs: Ints) -> tuple[Ints, Ints]:
    """Pairs with equal numbers."""
    a = pl.DataFrame({"number": left, "mine": mine})
    b = pl.DataFrame({"number": right, "theirs": theirs})
    both = a.join(b, on="number").sort("mine", "theirs")
    return both["mine"].to_numpy(), both["theirs"].to_numpy()


def _same_content(both: Both) -> Ints:
    """Rows of the data with equal numbers are equal in everything that is compared."""
    code = np.zeros(both.original, np.int64)
    for column in both.columns:
        _, code = np.unique(code * (column.meanings.values + 1) + column.value_of_row, return_inverse=True)
    for _, _, theirs in both.texts:
        distinct, of_row = numbered(theirs)
        _, code = np.unique(code * len(distinct) + of_row, return_inverse=True)
    return np.asarray(code, np.int64)


def _settled(owner: Ints, row: Ints, score: NDArray[np.float64], content: Ints) -> tuple[Ints, Ints]:
    """Pairs of which neither side has another that comes near; equal rows are dealt out in turn."""
    if not len(owner):
        return owner, row
    pairs = pl.DataFrame({"owner": owner, "row": row, "content": content[row], "score": score})
    best = (
        pairs.sort("score", descending=True)
        .group_by("owner")
        .agg(
            pl.col("score").first().alias("best"),
            pl.col("content").first().alias("same"),
        )
    )
    pairs = pairs.join(best, on="owner")
    rival = pairs.filter((pl.col("content") != pl.col("same")) & (pl.col("score") + _AHEAD > pl.col("best")))
    clear = pairs.filter((pl.col("content") == pl.col("same")) & (pl.col("score") == pl.col("best"))).join(
        rival.select("owner").unique(), on="owner", how="anti"
    )
    # no more rows may claim equal originals than there are of these
    room = clear.group_by("content").agg(
        pl.col("owner").n_unique().alias("owners"), pl.col("row").n_unique().alias("rows")
    )
    fine = room.filter(pl.col("owners") <= pl.col("rows"))
    clear = clear.join(fine.select("content"), on="content").sort("content", "owner", "row")
    if not clear.height:
        return owner[:0], row[:0]
    return _dealt(clear)


def _dealt(clear: pl.DataFrame) -> tuple[Ints, Ints]:
    owners: list[int] = []
    rows: list[int] = []
    taken: set[int] = set()
    last = -1
    for owner, row in clear.select("owner", "row").iter_rows():
        if owner != last and row not in taken:
            owners.append(owner)
            rows.append(row)
            taken.add(row)
            last = owner
    return np.array(owners, np.int64), np.array(rows, np.int64)
