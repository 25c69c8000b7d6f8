"""The words of numbers, and the ways to write a number in them: "thirty-six", "thirtysix", "thirty-sixth"."""

from __future__ import annotations

from collections.abc import Sequence

from heteronym.text.lexicon import lexicon

_UNITS = lexicon("common").listed("UNITS")
_TENS = lexicon("common").listed("TENS")
WORDS: dict[str, int] = {word: number for number, word in enumerate(_UNITS)}
WORDS |= {word: 10 * number for number, word in enumerate(_TENS, start=2)}
WORDS |= {word: number for number, word in enumerate(lexicon("common").listed("ORDINALS"), start=1)}
WORDS |= {word[:-1] + "ieth": 10 * number for number, word in enumerate(_TENS, start=2)}
SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "hundredth": 100}
_ORDINALS = [word for word in WORDS if word not in _UNITS and word not in _TENS]


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
        if WORDS[ordinal] == WORDS.get(word) and not word.endswith("th"):
            return ordinal
    return word + "th" if word in SCALES else ""
