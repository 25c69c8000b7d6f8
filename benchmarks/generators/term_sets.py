"""Terms that persons mention: a few by many, most by one, as many distinct ones as a corpus had."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

TYPES = tomllib.loads(Path(__file__).with_name("terms.toml").read_text("utf-8"))
SHIFT = 4.0  # of the rank in Zipf-Mandelbrot's law: flattens the head
FURTHER = 0.03  # share of a type that the corpus does not tell of
LIKE = "GPE"  # such a type has as many different terms per mention as this one
_WORDS = 5  # words that a type has for each that is met
MET = 0.7  # of the known terms, those that are met at most
CONSONANTS, VOWELS = "bdfgklmnprstvz", "aeiou"


def term_sets(
    corpus: str,
    persons: int,
    reference: int,
    mean: float,
    rng: np.random.Generator,
    *,
    named: Mapping[str, Sequence[str]] | None = None,
) -> list[list[str]]:
    """`TYPE:term` entries per person, about `mean` each.

    With `reference` persons there would be as many distinct terms of each type as the corpus had; with
    fewer or more, as many as the same law gives. Terms of the types in `named` are taken from there, the
    most popular first; such a type need not be one of the corpus.
    """
    named = named or {}
    distinct = round(TYPES[LIKE][corpus] * FURTHER / TYPES[LIKE]["share"])
    further = {name: {corpus: distinct, "share": FURTHER} for name in named}
    types: dict[str, dict[str, Any]] = TYPES | {n: row for n, row in further.items() if n not in TYPES}
    total = sum(row["share"] for row in types.values() if row[corpus])
    activity = rng.lognormal(-0.45, 0.95, persons)
    found: list[list[str]] = [[] for _ in range(persons)]
    for name, row in types.items():
        if not row[corpus]:
            continue
        per_person = mean * row["share"] / total
        known = min(len(named.get(name, ())) or _WORDS * row[corpus], _WORDS * row[corpus])
        met = min(row[corpus], int(MET * known))
        law = _law(met, max(reference * per_person, met * 1.02), max(known, 50))
        wanted = rng.poisson(activity * per_person)
        owner = np.repeat(np.arange(persons), wanted)
        rank = np.searchsorted(np.cumsum(law), rng.random(len(owner)) * law.sum(), side="right")
        pairs = np.unique(owner.astype(np.int64) * len(law) + rank.clip(0, len(law) - 1))
        for pair in pairs.tolist():
            rank_of = pair % len(law)
            word = named[name][rank_of] if name in named else _word(name, rank_of)
            found[pair // len(law)].append(f"{name}:{word}")
    return found


@cache
def _law(distinct: int, draws: float, words: int) -> np.ndarray:
    """Popularity by rank such that so many draws meet so many distinct terms."""
    rank = np.arange(1, words + 1) + SHIFT
    low, high = 0.0, 3.0
    for _ in range(14):
        exponent = (low + high) / 2
        law = rank**-exponent
        law /= law.sum()
        if -np.expm1(draws * np.log1p(-law)).sum() > distinct:
            low = exponent
        else:
            high = exponent
    return law


def _word(type_name: str, rank: int) -> str:
    """A pronounceable word per rank; the alphabet says nothing about popularity."""
    number = (rank * 2654435761 + 7919 * len(type_name)) % 2**32  # odd factor: no two ranks alike
    letters = []
    for _ in range(5):
        number, at = divmod(number, len(CONSONANTS))
        number, vowel = divmod(number, len(VOWELS))
        letters += [CONSONANTS[at], VOWELS[vowel]]
    word = "".join(letters) + (str(number) if number else "")
    return {"MAIL": f"{word}@example.org", "URL": f"http://{word}.example"}.get(type_name, word)
