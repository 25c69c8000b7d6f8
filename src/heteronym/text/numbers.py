"""Understands numbers in phrases: "36 years old", "thirty-six", "1.234,50", "50k", "36th", "36F", "36½"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

from heteronym.text.lexicon import lexicon

_UNITS = lexicon("common").listed("UNITS")
_TENS = lexicon("common").listed("TENS")
_WORDS: dict[str, int] = {word: number for number, word in enumerate(_UNITS)}
_WORDS |= {word: 10 * number for number, word in enumerate(_TENS, start=2)}
_WORDS |= {word: number for number, word in enumerate(lexicon("common").listed("ORDINALS"), start=1)}
_WORDS |= {word[:-1] + "ieth": 10 * number for number, word in enumerate(_TENS, start=2)}
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "hundredth": 100}
_SUFFIXES = {"k": 1_000, "m": 1_000_000, "thousand": 1_000, "million": 1_000_000}

_DIGITS = (
    r"(?<![\w.,])(?P<sign>(?<!\S)[-−])?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"(?:(?:st|nd|rd|th)\b|\s?(?P<scale>thousand|million|k|m)\b)?(?![\d])"
)
_WORD = "|".join(sorted([*_WORDS, *_SCALES], key=len, reverse=True))
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
    return tuple(_numbers(phrase))


def _numbers(phrase: str) -> Iterator[Number]:
    for match in _NUMBER.finditer(phrase):
        if match["spelled"]:
            yield Number(_spelled(match["spelled"]), match.start(), match.end())
        else:
            value = float(match["digits"].replace(",", ""))
            if match["scale"]:
                value *= _SUFFIXES[match["scale"].lower()]
            yield Number(-value if match["sign"] else value, match.start(), match.end())


def _spelled(words: str) -> float:
    # Plain formula: ((a hundred and b) thousand and c); a scale multiplies what stands before it.
    total, current = 0, 0
    for word in re.split(r"[\s-]+", words.lower()):
        if word == "and":
            continue
        if word in _SCALES:
            scale = _SCALES[word]
            current = max(current, 1) * scale
            if scale > 100:
                total, current = total + current, 0
        else:
            current += _WORDS[word]
    return float(total + current)


def spelled_out(number: int) -> list[tuple[str, ...]]:
    """The ways to write a number below 10,000 in words, its ordinal among them; tens and units also glued."""
    ways = [_in_words(number, joiner) for joiner in ((), ("and",))]
    if 1100 <= number < 2100 and number % 100 > 9:
        ways.append([*_below_hundred(number // 100), *_below_hundred(number % 100)])  # "nineteen sixty-eight"
    if number % 100 > 20 and number % 10:
        ways += [[*way[:-2], way[-2] + way[-1]] for way in ways[:1]]
    found = dict.fromkeys(tuple(way) for way in ways)
    found |= {(*way[:-1], _ordinal(way[-1])): None for way in list(found)}
    return [way for way in found if way[-1]]


def _in_words(number: int, joiner: Sequence[str]) -> list[str]:
    if number < 100:
        return _below_hundred(number)
    scale, word = (1_000, "thousand") if number >= 1_000 else (100, "hundred")
    rest = number % scale
    between = joiner if rest < 100 else ()
    return [*_in_words(number // scale, ()), word, *between, *(_in_words(rest, joiner) if rest else ())]


def _below_hundred(number: int) -> list[str]:
    if number < 20:
        return [_UNITS[number]]
    return [_TENS[number // 10 - 2], *([_UNITS[number % 10]] if number % 10 else [])]


def _ordinal(word: str) -> str:
    for ordinal in _ORDINALS:
        if _WORDS[ordinal] == _WORDS.get(word) and not word.endswith("th"):
            return ordinal
    return word + "th" if word in _SCALES else ""


_ORDINALS = [word for word in _WORDS if word not in _UNITS and word not in _TENS]

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
        scaled = {value * _SUFFIXES[behind[1].lower()] for value in values}
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


def number_of(cell: object) -> float | None:
    """The number in a cell of a numeric column; None if it holds something else."""
    if isinstance(cell, bool) or cell is None:
        return None
    try:
        return float(str(cell).strip().replace(",", ""))
    except ValueError:
        return None
