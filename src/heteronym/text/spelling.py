"""Reads what is written in capitals, or without any, a second time in ordinary letters.

Forms and telegrams shout ("HUSBAND DIED OF TB IN JUNE 2021"), chats whisper ("my sister priya is in leeds").
Rules and models tell names from words by their capitals, so they find little in either. Such stretches are
spelt as they would stand in a letter, character for character, and what is found in them counts at the same
place. Stretches that no word list has anything to say about are not read again.

Cost        one pass over each text; stretches in capitals, or small ones with a known name, are read twice
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from heteronym.knowledge.places import cities, countries, regions
from heteronym.knowledge.wordlists import first_names, peoples, words
from heteronym.model.function_words import FUNCTION_WORDS
from heteronym.text.lexicon import lexicon
from heteronym.text.rule import UPPER

_LEXICON = lexicon("spelling")

_TOKEN = re.compile(r"[^\W_]+")
_CAPITALS = _LEXICON.compiled("CAPITALS")
_LEAST_LETTERS = 8
_LEAST_WORDS = 3  # two words in capitals are mostly abbreviations
_ABBREVIATION = 4  # an unknown word in capitals this short is left as it is
# Where a sentence begins with a small letter, and where it ends: not at a full stop inside of a number or
# an address, nor behind a title
_SMALL_START = re.compile(r"(?:\A|[.!?:\]]\s|\n)[ \t>]{0,8}(?=[a-z])")
_END = re.compile(r"\n|(?<!\b[md][rs])[.!?](?=\s)|\Z")
_CAPITAL = re.compile(f"[{UPPER}]")
_TITLES = frozenset("mr mrs ms miss dr prof mx sir rev st".split())
_KNOWN = 8192  # words whose spelling is kept in mind


class RespeltStretch(NamedTuple):
    """A stretch of a text from `start`, in ordinary letters."""

    start: int
    text: str


def in_ordinary_letters(text: str) -> list[RespeltStretch]:
    """The stretches of a text in capitals, or without any, as they would be written otherwise."""
    return [*_from_capitals(text, _lowered), *_from_small_letters(text), *_from_scans(text)]


def as_names(text: str) -> list[RespeltStretch]:
    """The stretches in capitals as if their common words were parts of names: "Pike and Daughters Ltd"."""
    return _from_capitals(text, _titled)


# --- capitals


def _from_capitals(text: str, spelt: Callable[[str], str]) -> list[RespeltStretch]:
    """Whole lines, because forms go on from one to the next; of long ones only what stands around."""
    readings: list[RespeltStretch] = []
    done = 0
    for found in _CAPITALS.finditer(text):
        if found.start() < done:
            continue
        start, done = _around(text, found)
        line = _without_capitals(text[start:done], spelt)
        if line is None:
            continue
        if readings and readings[-1].start + len(readings[-1].text) + 1 == start:
            readings[-1] = RespeltStretch(readings[-1].start, f"{readings[-1].text}{text[start - 1]}{line}")
        else:
            readings.append(RespeltStretch(start, line))
    return readings


def _around(text: str, found: re.Match[str]) -> tuple[int, int]:
    """The line of a match, or the whole words nearest to it if the line is a long one."""
    start = text.rfind("\n", 0, found.start()) + 1
    end = text.find("\n", found.end())
    end = len(text) if end < 0 else end
    if found.start() - start > _LONG:
        start = text.find(" ", found.start() - _NEAR, found.start()) + 1 or found.start()
    if end - found.end() > _LONG:
        run = _REST_OF_RUN.match(text, found.end(), end)
        behind = found.end() if run is None else run.end()
        end = text.rfind(" ", behind, behind + _NEAR)
        end = behind if end < 0 else end
    return start, end


_LONG, _NEAR = 160, 48  # characters
_REST_OF_RUN = re.compile(r"[^a-z\n]*(?<=\W)")


def _without_capitals(line: str, spelt: Callable[[str], str]) -> str | None:
    """A line with its runs of capitals in ordinary letters; None if it has none that are long enough."""
    pieces: list[str] = []
    last = 0
    for run in _runs(line):
        if len(run) >= _LEAST_WORDS and sum(len(token.group()) for token in run) >= _LEAST_LETTERS:
            for token in run:
                pieces += (line[last : token.start()], spelt(token.group()))
                last = token.end()
    return "".join([*pieces, line[last:]]) if pieces else None


def _runs(line: str) -> Iterator[list[re.Match[str]]]:
    """Words in capitals with no small letter between them."""
    run: list[re.Match[str]] = []
    for token in _TOKEN.finditer(line):
        word = token.group()
        if word.isupper() and word.isalpha():
            run.append(token)
        elif any(map(str.islower, word)):
            yield run
            run = []
    yield run


@lru_cache(_KNOWN)
def _lowered(word: str) -> str:
    capital, small = word[0] + word[1:].lower(), word.lower()
    if len(small) != len(word):
        return word
    if capital in proper_words() or (capital in first_names() and small not in words("common_words")):
        return capital
    if small in words("common_words") or small in words("occupations"):
        return small
    return word if len(word) <= _ABBREVIATION else capital


@lru_cache(_KNOWN)
def _titled(word: str) -> str:
    small = word.lower()
    if len(small) != len(word):
        return word
    return small if small in FUNCTION_WORDS else word[0] + small[1:]


# --- scans


def _from_scans(text: str) -> Iterator[RespeltStretch]:
    """Lines in which a machine took an O for a nought or a one for an l ("2OO6", "H0SPITAL"), mended."""
    done = 0
    for found in _MISREAD.finditer(text):
        if found.start() >= done:
            start, done = _around(text, found)
            yield RespeltStretch(start, _MISREAD.sub(_mended, text[start:done]))


_MISREAD = re.compile(
    r"(?<!\w)(?:[A-Z]{0,2}(?=[OIl]*\d)(?=\d*[OIl])[\dOIl]{2,}|[A-Z]+0[A-Z]{2,}|[A-Z]{2,}0[A-Z]+)(?!\w)"
)
_TO_DIGITS = str.maketrans("OIl", "011")


def _mended(found: re.Match[str]) -> str:
    word = found.group()
    return word.replace("0", "O") if word.isupper() and word[-2:].isalpha() else word.translate(_TO_DIGITS)


# --- small letters


def _from_small_letters(text: str) -> Iterator[RespeltStretch]:
    """Sentences without a capital, from the end of a label on ("Sam: its priya from leeds")."""
    done = 0
    for begin in _SMALL_START.finditer(text):
        start = begin.end()
        if start < done or (end := _END.search(text, start)) is None:
            continue
        done = end.start()
        if done - start >= _LEAST_LETTERS and _CAPITAL.search(text, start, done) is None:
            respelt = _with_capitals(text[start:done])
            if respelt is not None:
                yield RespeltStretch(start, respelt)


def _with_capitals(sentence: str) -> str | None:
    """A sentence with capitals for the names that lists know; None if it has none."""
    common = words("common_words")
    pieces: list[str] = []
    last = 0
    named = False  # whether the word before is a name or a title
    placing = False  # whether the word before says that a place follows
    changed = False
    for token in _TOKEN.finditer(sentence):
        word = token.group()
        if word == "i" or word in _TITLES:
            named = word != "i"
            capital = word.capitalize()
        else:
            near = sentence[last : token.start()] in (" ", ". ", "-")
            led = near and (named or (placing and word.capitalize() in cities()))
            named = _is_name(word) or (led and len(word) > 2 and word.isalpha() and word not in common)
            changed |= named
            capital = word[0].upper() + word[1:] if named else word
        pieces += (sentence[last : token.start()], capital if len(capital) == len(word) else word)
        last = token.end()
        placing = word in ("in", "from", "to", "near")
    return "".join([*pieces, sentence[last:]]) if changed else None


@lru_cache(_KNOWN)
def _is_name(word: str) -> bool:
    capital = word.capitalize()
    if word in words("common_words") or len(word) < 3:
        return False
    return capital in first_names() or capital in proper_words()


def is_name_in_small_letters(word: str) -> bool:
    """Whether a list knows a word as a name, and the common words do not have it."""
    return _is_name(word.strip(_AROUND_WORDS))


def is_plain_word(word: str) -> bool:
    """Whether a capitalized word is a common one and nobody's name."""
    return word.lower() in words("common_words") and word not in first_names() and word not in proper_words()


_AROUND_WORDS = ".,;:!?\"'“”‘’()[]"


@cache
def proper_words() -> frozenset[str]:
    """What is written with a capital whatever it means besides."""
    places = frozenset(countries()) | frozenset(regions()) | words("great_cities")
    common = lexicon("common")
    days = common.words("MONTHS") | common.words("WEEKDAYS")
    return places | peoples() | words("languages") | days
