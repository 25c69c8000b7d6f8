"""What tells an identifier, in the auditor's own words: the whole, the parts of a name, what is made of them.

Whether a word is an ordinary word, too, does not matter: in the texts of somebody called May no "may" may
stand. Only words of pure grammar must be marked as a name where they stand, and initials be written as such.
Written from that sentence alone; shares nothing with what made the release.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from heteronym.verify.ordinary import small_words

_LETTERS = re.compile(r"[^\W\d_]+")
_LEAST_DIGITS = 3  # of a number that identifies without a label
_LEAST_LOGIN = 5  # letters
_MOST_NAMES = 8  # words of a name: more are a sentence
_PARTICLES = frozenset("al da de del den der di du el la le van von".split())
_TITLES = frozenset("dr herr frau miss mr mrs ms prof sir".split())
_ABBREVIATIONS = frozenset("am pm eg ie ps".split())  # "a.m." is nobody
_LABEL = re.compile(r"(?i)(?:#|\b(?:id|no|nr|number|mrn|record|patient)\b)[\s.:#=]{0,3}\Z")
_TITLE = re.compile(rf"(?i)(?<![^\W_])(?:{'|'.join(sorted(_TITLES))}|pt|patient)\.?\s\Z")
_POINTS = re.compile(r"[^\W\d_](?:\.\s?[^\W\d_])+")
_OWNS = re.compile(r"['’]s(?![^\W_])")
_IS = frozenset("he it she so that there this who".split())  # "he's" is "he is"


class Need(Enum):
    """What must hold where something stands."""

    NOTHING = 0
    LABEL = 1  # "no. 17"
    MARK = 2  # a capital, a title, a genitive
    INITIALS = 3  # points between the letters, or capitals
    POINTS = 4  # "a.s." is somebody, "AS" is nobody
    BOTH = 5  # "E.G." is somebody, "e.g." is nobody


class Telling(NamedTuple):
    written: str
    need: Need = Need.NOTHING


@cache
def grammar() -> frozenset[str]:
    text = files("heteronym.verify").joinpath("grammar_words.txt").read_text(encoding="utf-8")
    return frozenset(w for line in text.splitlines() if not line.startswith("#") for w in line.split())


@cache
def _times() -> tuple[frozenset[str], frozenset[str]]:
    """What counts times, and the words of time."""
    text = files("heteronym.verify").joinpath("times.txt").read_text(encoding="utf-8")
    counting, *times = [line.split() for line in text.splitlines() if not line.startswith("#")]
    return frozenset(counting), frozenset(word for line in times for word in line)


def says_little(surface: str) -> bool:
    """Figures of three digits at most, grammar and words of time, alone or together: "96", "2 weeks"."""
    words = re.findall(r"\w+", surface.lower())
    known = small_words() | _times()[1]
    return all(
        (word.isdigit() and len(word) <= _FEW_DIGITS) or word in known or word.removesuffix("s") in known
        for word in words
    )


_FEW_DIGITS = 3
_AGED = re.compile(r"(?i)\b(?:aged?|turned|alter|âge|edad|età|leeftijd)[\s:]{1,2}\Z")
_OLD = re.compile(
    r"(?i)[\s\-]{0,2}(?:years?|yrs?|y/?o|jahre|jährig|jaar|ans|años|anni)(?![^\W_])|\s?-?[mfwd](?![^\W_])"
)


def is_aged(text: str, start: int, end: int) -> bool:
    """Whether a figure has the marks of an age: "96F", "aged 96"."""
    return _OLD.match(text, end) is not None or _AGED.search(text, max(0, start - 12), start) is not None


def is_counted(text: str, start: int, end: int) -> bool:
    """Whether a word of time stands behind one that counts it, inside of a sentence: "10 mg twice a day"."""
    counting, times = _times()
    word = text[start:end]
    if word.lower() not in times:
        return False
    before = text[max(0, start - 24) : start]
    found = before.split()
    if len(found) < 2 or not before[-1:].isspace() or found[-1].lower() not in counting:
        return False
    if not (found[-2][-1].isalnum() or found[-2][-1] == ")"):
        return False
    same_case = found[-1].isupper() == word.isupper()
    return word.islower() or same_case or (len(found[-1]) > 1 and found[-1].islower())


def tellings_of(value: str) -> Iterator[Telling]:
    """All that tells an identifier."""
    short = value.isdigit() and len(value) < _LEAST_DIGITS
    yield Telling(value, Need.LABEL if short else _need(value))
    local, at, _ = value.partition("@")
    if at:
        yield Telling(local, _need(local))
        yield from _of_names(local)
    else:
        yield from _of_names(value)


def _of_names(value: str) -> Iterator[Telling]:
    """Parts of a name, its initials, the login made of it."""
    words = _LETTERS.findall(value)
    if not 1 < len(words) <= _MOST_NAMES or any(map(str.isdigit, value)):
        return
    names = [word for place, word in enumerate(words) if _is_name(words, place, value)]
    for name in {*names, *value.replace(",", " ").split()}:  # "O'Brien" is one word, too
        if len(name) > 1 and (name in names or len(_LETTERS.findall(name)) > 1):
            yield Telling(name, _need(name))
    if len(names) > 1:
        letters = "".join(name[0] for name in names)
        yield Telling(".".join(letters), _need_of_initials(letters.lower()))
        yield from made_of(names[0], names[-1])


def made_of(first: str, last: str) -> Iterator[Telling]:
    """What is made of two names, which may stand in two columns: logins and initials."""
    for login in (first[0] + last, first + last[0], last + first[0], last + first, first + last):
        if len(login) >= _LEAST_LOGIN:
            yield Telling(login.lower(), Need.NOTHING)
    for letters in (first[0] + last[0], last[0] + first[0]):
        yield Telling(".".join(letters), _need_of_initials(letters.lower()))


def _need_of_initials(letters: str) -> Need:
    if letters in _ABBREVIATIONS:
        return Need.BOTH
    return Need.POINTS if letters in grammar() else Need.INITIALS


def _is_name(words: list[str], place: int, value: str) -> bool:
    word = words[place].lower()
    if word in _TITLES:
        return False
    begins = place == 0 and words[0][0].isupper() and "," not in value
    return word not in _PARTICLES or begins or place == len(words) - 1


def _need(text: str) -> Need:
    words = {word.lower() for word in _LETTERS.findall(text)}
    plain = len(text) == 1 or (words and grammar() >= words)
    return Need.MARK if plain and text.isalpha() else Need.NOTHING


def is_met(need: Need, text: str, start: int, end: int) -> bool:
    """Whether what stands at a place of a text is the identifier."""
    shown = text[start:end]
    if need is Need.LABEL:
        return _LABEL.search(text, max(0, start - 16), start) is not None
    if need is Need.MARK:
        owns = _OWNS.match(text, end) is not None and shown.lower() not in _IS
        return shown[:1].isupper() or owns or _TITLE.search(text, max(0, start - 16), start) is not None
    points = _POINTS.fullmatch(shown) is not None
    if need is Need.INITIALS:
        return points or (shown.isupper() and shown.isalpha())
    if need is Need.NOTHING:
        return not is_counted(text, start, end)
    return points and (need is Need.POINTS or shown.isupper())
