"""Where a number is written in figures, and all that it may mean: "1.234,50", "50k", "36F", "36½"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Set
from functools import lru_cache
from typing import NamedTuple

from heteronym.text.numbers import SUFFIXES

# A number as it is written: groups of digits, a decimal part, a fraction behind
_FIGURES = re.compile(r"\d+")
_WRITTEN = re.compile(r"\d+(?:[.,']\d+| \d{3}(?!\d))*")
_FRACTION = re.compile(r"\s?[½¼¾⅓⅔⅛⅜⅝⅞]|[ -](?:1/2|1/4|3/4|1/3|2/3)(?!\d)")
_BEHIND = re.compile(
    r"\s?(?:(k|m|thousand|million)\b|(?:years?old|years?|yrs?|yof|yom|yo|y|f|w|x|d|th|st|nd|rd)(?![^\W_]))",
    re.IGNORECASE,
)
_BEFORE_LETTERS = frozenset("f m w x d age aged".split())
_LETTERS_BEFORE = re.compile(r"[^\W\d_]+\Z")


class Written(NamedTuple):
    """A number in a text: where, and what it may mean; "1.234" has two readings."""

    start: int
    end: int
    values: frozenset[float]


def find_written(text: str, leading: Set[str]) -> Iterator[Written]:
    """Numbers that begin with one of these groups of digits and stand alone, or as in "36F" and "f38"."""
    if leading.isdisjoint(_FIGURES.findall(text)):
        return
    for match in _WRITTEN.finditer(text):
        run = match.group()
        parts = [(match.start(), run)]
        if " " in run:
            place = match.start()
            for part in run.split(" "):
                parts.append((place, part))
                place += len(part) + 1
        for start, part in parts:
            if part.split(".")[0].split(",")[0].split("'")[0].split(" ")[0] in leading:
                written = _written(text, start, part)
                if written is not None:
                    yield written


def _written(text: str, start: int, run: str) -> Written | None:
    end = start + len(run)
    if start > 1 and text[start - 1] in ".,:/" and text[start - 2].isdigit():
        return None
    if end + 1 < len(text) and text[end] in ":/" and text[end + 1].isdigit():
        return None
    before = _LETTERS_BEFORE.search(text, max(start - 8, 0), start)
    if before is not None and before.group().lower() not in _BEFORE_LETTERS:
        return None
    values = _readings(run)
    fraction = _FRACTION.match(text, end)
    if fraction is not None:  # "36½" tells 36 as well
        more = _part_of(fraction.group().strip(" -"))
        return Written(start, fraction.end(), values | {value + more for value in values})
    behind = _BEHIND.match(text, end)
    if behind is not None and behind[1]:
        scaled = {value * SUFFIXES[behind[1].lower()] for value in values}
        if behind[1].lower() == "m":  # a million, or a man
            return Written(start, end, values | scaled)
        return Written(start, behind.end(), frozenset(scaled))
    if behind is None and end < len(text) and text[end].isalpha():
        return None  # a code
    return Written(start, end, values)


def _part_of(fraction: str) -> float:
    above, _, below = fraction.partition("/")
    return float(above) / float(below) if below else unicodedata.numeric(above)


@lru_cache(maxsize=65_536)
def _readings(run: str) -> frozenset[float]:
    """What digits with separators may mean: thousands, decimals, or both."""
    groups = re.split(r"[.,' ]", run)
    signs = re.findall(r"[.,' ]", run)
    found = set()
    in_threes = len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:])
    if not signs or (in_threes and len(set(signs)) == 1):
        found.add(float("".join(groups)))
    before = signs[:-1]
    in_order = not before or (len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:-1]))
    if signs and signs[-1] in ".," and len(set(before)) <= 1 and signs[-1] not in before and in_order:
        found.add(float("".join(groups[:-1]) + "." + groups[-1]))
    return frozenset(found)


def leading_digits(value: float) -> set[str]:
    """With which groups of digits a number may begin where it is written."""
    found = set()
    for scale in (1, 1_000, 1_000_000):
        whole = str(int(abs(value) / scale))
        found |= {whole, whole[: len(whole) % 3 or 3]}
    return found
