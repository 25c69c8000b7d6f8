"""How much a phrase tells, from how often its words are written.

    content words c of the phrase (of, the, a, ... left out unless nothing else is there)
    i(c) = -log2 f(c), a word that is not in the list has f = 5e-9
    bits = max i(c) + 1/2 (sum of the others)          a phrase tells at least what each of its words tells
    IC   = max(0, 0.56 (bits - 9.05))                  on the scale of the paper's web hit counts

An acronym tells at least what it stands for: "HIV" is written often, and says "human immunodeficiency virus";
in capitals, "AIDS" and "WHO" are not the words "aids" and "who".

Reference   Sanchez, Batet, Viejo 2013 (paper 001), eq. 2; the scale is a fit to its Table I
Guarantee   more words never tell less
Cost        O(words); the list is read once, 0.1 s
Randomness  none
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.resources import files

from heteronym.knowledge.taxonomy import unpacked
from heteronym.knowledge.wordlists import lines, words

ABSENT = 5e-9
SHARE_OF_OTHERS = 0.5
SLOPE, OFFSET = 0.56, 9.05
ABSENT_IC = SLOPE * (-math.log2(ABSENT) - OFFSET)  # 10.37: a word nobody has seen

_TOKEN = re.compile(r"[^\W_]+(?:['’.&-][^\W_]+)*")
_PART = re.compile(r"[^\W_]+")


@cache
def _list() -> tuple[list[str], list[int]]:
    """Words in order, and how many hundredths of a power of ten each lies below one."""
    data = files("heteronym.knowledge").joinpath("data", "frequencies.base").read_bytes()
    _, arrays, texts = unpacked(data)
    return texts["words"], arrays["centibels"]


def _level(word: str) -> int | None:
    listed, levels = _list()  # a search in the sorted list: a dictionary of it would cost half the load
    at = bisect_left(listed, word)
    return levels[at] if at < len(listed) and listed[at] == word else None


def word_frequency(word: str) -> float | None:
    """The share of a word in English text; None if it is not in the list."""
    low = word.lower().replace("’", "'")
    if any(map(str.isdigit, low)) and len(low) > 1:
        return _numeral_frequency(low)
    level = _level(low)
    if level is None and low.endswith("'s"):
        level = _level(low[:-2])
    if level is None:
        level = next((found for form in singulars(low) if (found := _level(form)) is not None), None)
    return None if level is None else 10.0 ** (-level / 100)


def _numeral_frequency(low: str) -> float | None:
    """The list has numbers of several digits by their shape: their frequency is spread over that shape."""
    level = _level(re.sub(r"\d", "0", low))
    if level is None:
        return None
    digits = sum(map(str.isdigit, low))
    spread = 9 * 10 ** (digits - 1)
    if re.fullmatch(r"(?:1[89]|20)\d\d", low):
        spread = 150  # most numbers of four digits are years of two centuries
    return float(10.0 ** (-level / 100) / spread)


def singulars(word: str) -> Iterable[str]:
    """What a plural may be the plural of, as WordNet's own rules of detachment have it."""
    if word == "men":
        yield "man"
    for ending, other in _DETACH:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            yield word[: -len(ending)] + other


_DETACH = (
    ("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"),
    ("ies", "y"),
)  # fmt: skip


@cache
def _acronyms() -> dict[str, tuple[str, bool]]:
    """Acronym -> what it stands for, and whether it counts in small letters, too."""
    rows = (line.split("\t") for line in lines("acronyms.tsv"))
    return {acronym: (long, where == "any") for acronym, long, where in rows}


def long_form(word: str) -> str | None:
    """What an acronym stands for: "multiple sclerosis" of "MS"."""
    return _acronyms().get(word.lower(), (None, False))[0] if word.isupper() else None


def is_acronym(word: str) -> bool:
    return word.lower() in _acronyms()


@lru_cache(1 << 16)
def bits_of_word(word: str) -> float:
    own = -math.log2(word_frequency(word) or ABSENT)
    bare = re.sub(r"['’]s$|(?<=[A-Z])s$|\.", "", word)
    long, anywhere = _acronyms().get(bare.lower(), ("", False))
    return max(own, plain_bits(long)) if long and (anywhere or bare.isupper()) else own


def tokens(phrase: str) -> list[str]:
    """The words that count; a compound that is not in the list counts by its parts."""
    found: list[str] = []
    for token in _TOKEN.findall(phrase):
        if word_frequency(token) is None and not token.isalnum():
            found += _PART.findall(token)
        else:
            found.append(token)
    content = [token for token in found if token.lower() not in words("phrase_stopwords")]
    return content or found


def phrase_bits(phrase: str) -> float:
    """Bits that the words of a phrase tell together; 0 for no word at all."""
    return _together([bits_of_word(token) for token in tokens(phrase)])


def plain_bits(phrase: str) -> float:
    """The same by how often words are written alone, whatever they stand for."""
    return _together([-math.log2(word_frequency(token) or ABSENT) for token in tokens(phrase)])


def _together(bits: list[float]) -> float:
    if not bits:
        return 0.0
    largest = max(bits)
    return largest + SHARE_OF_OTHERS * (sum(bits) - largest)


def on_scale(bits: float) -> float:
    return max(0.0, SLOPE * (bits - OFFSET))


@lru_cache(1 << 16)
def information(phrase: str) -> float:
    """IC of a phrase."""
    return on_scale(phrase_bits(phrase))


def information_of_any(phrases: Iterable[str]) -> float:
    """IC of a concept that has several names: their frequencies add up."""
    total = sum(2.0 ** -phrase_bits(phrase) for phrase in set(phrases))
    return on_scale(-math.log2(total)) if total else 0.0


def phrase_frequency(phrase: str) -> float:
    return float(2.0 ** -phrase_bits(phrase)) if tokens(phrase) else 0.0
