"""Understands numbers in phrases: "36 years old", "thirty-six", "1,200", "50k", "36th"."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from heteronym.text.number_words import SCALES, WORDS

SUFFIXES = {"k": 1_000, "m": 1_000_000, "thousand": 1_000, "million": 1_000_000}

_DIGITS = (
    r"(?<![\w.,])(?P<sign>(?<!\S)[-−])?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"(?:(?:st|nd|rd|th)\b|\s?(?P<scale>thousand|million|k|m)\b)?(?![\d])"
)
_WORD = "|".join(sorted([*WORDS, *SCALES], key=len, reverse=True))
_SPELLED = rf"\b(?P<spelled>(?:{_WORD})(?:(?:\s+and\s+|[\s-]+)(?:{_WORD}))*)\b"
_NUMBER = re.compile(rf"{_DIGITS}|{_SPELLED}", re.IGNORECASE)


class Number(NamedTuple):
    """A number and the place in the phrase that tells it."""

    value: float
    start: int
    end: int


@lru_cache(maxsize=65_536)
def read_numbers(phrase: str) -> tuple[Number, ...]:
    """All numbers of a phrase, from left to right."""
    return tuple(Number(_value(match), *match.span()) for match in _NUMBER.finditer(phrase))


def _value(match: re.Match[str]) -> float:
    if match["spelled"]:
        return _spelled(match["spelled"])
    value = float(match["digits"].replace(",", "")) * SUFFIXES.get((match["scale"] or "").lower(), 1)
    return -value if match["sign"] else value


def _spelled(words: str) -> float:
    # Plain formula: ((a hundred and b) thousand and c); a scale multiplies what stands before it.
    total, current = 0, 0
    for word in re.split(r"[\s-]+", words.lower()):
        if word == "and":
            continue
        if word in SCALES:
            scale = SCALES[word]
            current = max(current, 1) * scale
            if scale > 100:
                total, current = total + current, 0
        else:
            current += WORDS[word]
    return float(total + current)


def number_of(cell: object) -> float | None:
    """The number in a cell of a numeric column; None if it holds something else."""
    if isinstance(cell, bool) or cell is None:
        return None
    try:
        return float(str(cell).strip().replace(",", ""))
    except ValueError:
        return None
