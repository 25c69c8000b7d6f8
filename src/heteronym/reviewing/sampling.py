"""Sentences without marks, drawn at random for somebody to read, and what that tells of the mentions missed.

A character of all texts is drawn, and its sentence taken with a chance of one in its length: every sentence
is as likely as any other, and no text has to be divided that is not drawn.

Reference   Wilson 1927 for the interval
Cost        O(characters of the texts drawn)
Randomness  by the seed
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from heteronym.io.decisions import CHECKED, Decisions, Place, digest_of
from heteronym.reading.sentences import sentence_ends
from heteronym.reviewing.terms import Spot, Terms

_TRIES = 200_000  # draws without a new sentence until there is none
_Z = 1.959964  # 95 %


class MissedShare(NamedTuple):
    """Of sentences without marks that were drawn at random: how many have a mention that was missed."""

    checked: int
    missed: int
    share: float | None
    low: float
    high: float

    def to_dict(self) -> dict[str, float | int | None]:
        return dict(self._asdict())


def missed_share(decisions: Decisions) -> MissedShare:
    """With the interval of 95 % by Wilson."""
    said = [one for one in decisions.of_place.values() if one.decision == CHECKED]
    return share_of(sum(bool(one.missed) for one in said), len(said))


def share_of(missed: int, checked: int) -> MissedShare:
    if not checked:
        return MissedShare(0, 0, None, 0.0, 1.0)
    share, z = missed / checked, _Z * _Z / checked
    middle = (share + z / 2) / (1 + z)
    half = _Z * sqrt(share * (1 - share) / checked + z / (4 * checked)) / (1 + z)
    low = 0.0 if missed == 0 else max(0.0, middle - half)
    high = 1.0 if missed == checked else min(1.0, middle + half)
    return MissedShare(checked, missed, share, low, high)


def described(decisions: Decisions) -> dict[str, Any]:
    """What facts and report tell of a review: counts, no words."""
    kinds = Counter(one.decision for one in decisions.all if one.decision != CHECKED)
    reviewers = len({one.who for one in decisions.all if one.who})
    told = {"decisions": dict(sorted(kinds.items())), "sentences": missed_share(decisions).to_dict()}
    return told | {"reviewers": max(reviewers, 1)}


def sentences(terms: Terms, decisions: Decisions, seed: int) -> Iterator[Spot]:
    """Sentences in the order in which they are drawn, without those that were checked or have marks."""
    rng = np.random.default_rng(seed)
    lengths = [np.array([len(text or "") for text in terms.texts[name]], np.int64) for name in terms.columns]
    ends = np.cumsum(np.concatenate(lengths)) if lengths else np.zeros(0, np.int64)
    if not len(ends) or not ends[-1]:
        return
    rows, seen, idle = terms.dataset.rows, set[Spot](), 0
    while idle < _TRIES:
        idle += 1
        at = int(rng.integers(ends[-1]))
        place = int(np.searchsorted(ends, at, side="right"))
        column, row = divmod(place, rows)
        text = terms.texts[terms.columns[column]][row] or ""
        offset = at - int(ends[place] - len(text))
        borders = [0, *sentence_ends(text)]
        number = int(np.searchsorted(borders, offset, side="right"))
        start, end = borders[number - 1], borders[min(number, len(borders) - 1)]
        if rng.random() * max(end - start, 1) > 1.0:
            continue
        spot = Spot(row, column, start, end)
        if spot in seen or not any(map(str.isalpha, text[start:end])):
            continue
        seen.add(spot)
        if terms.is_marked(row, column, start, end) or place_of(terms, spot) in decisions.of_place:
            continue
        idle = 0
        yield spot


def place_of(terms: Terms, spot: Spot) -> Place:
    """The same in any version of the data."""
    name = terms.columns[spot.column]
    return Place(name, digest_of(terms.texts[name][spot.row] or ""), spot.start, spot.end)
