"""The normal forms of a value: the words under which it may stand in its person's texts, and when they count.

A name is found whole, by its parts, initials and the login made of them, whether or not these are
ordinary words, too; a code whole and by its long parts; a number written out; a day in any order of its
digits. Only words of grammar ("do", "he") must be marked as names: by a capital, a title, the words
beside them. What is ordinary to other values is one list (`ordinary`).

Cost        a few forms per value, made once per person
Randomness  none
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Iterator, Sequence
from enum import IntEnum
from functools import cache, lru_cache
from typing import NamedTuple

from heteronym.knowledge.wordlists import words
from heteronym.model.function_words import FUNCTION_WORDS
from heteronym.text.atoms import Atoms, pieces_of, plain, words_of
from heteronym.text.lexicon import lexicon
from heteronym.text.number_words import spelled_out

_SHORTEST_JOINED = 5  # letters of "newyork": shorter runs of words are other words when glued
_SHORTEST_PART = 3  # letters of a word that tells a value
_SHORTEST_CODE = 3  # digits of an identifier that counts without a label ("no. 17")
_SHORTEST_NUMBER = 4  # digits of another value that is taken for itself wherever it stands
_MOST_NAMES = 8  # words: more are a sentence
_SHORTEST_MIXED = 5  # letters and digits of a part of an identifier
_NUMBERED_NAME = re.compile(r"([^\d(\[#]+?)[\s,;:(\[#/\-]+\d+[\])]?\Z")  # "Ann Lee 2", "Ann Lee (2)"
_CHUNK = re.compile(r"[^\s,;()\[\]]*\w[^\s,;()\[\]]*")  # what stands between blanks
_SHORT_FOR = frozenset("am pm eg ie ps".split())  # "a.m.": initials only in capitals
_SPACE = re.compile(r"[\s\-_]*")
_PARTICLES = lexicon("common").words("NAME_PARTICLES")
_SURNAME = re.compile(rf"(?:\b(?:{'|'.join(sorted(_PARTICLES))})\s+)*\S+", re.IGNORECASE)
_WRITTEN_OUT = str.maketrans(dict(zip("äöüåøÄÖÜÅØ", "ae oe ue aa oe Ae Oe Ue Aa Oe".split(), strict=True)))


class When(IntEnum):
    """What must hold where the words stand."""

    ALWAYS = 0
    MARKED = 1  # with a capital, behind a title, before "'s" or beside another part of the name
    EXACT = 2  # with the very capitals of the value
    UNIT = 3  # before "years old": "seven"
    LABELLED = 4  # behind "no.", "id", "#"


class Form(NamedTuple):
    words: tuple[str, ...]
    gaps: tuple[str, ...] = ()  # punctuation between the words; "": nothing, white space, a hyphen
    when: When = When.ALWAYS
    exact: str = ""


@cache
def ordinary() -> frozenset[str]:
    """Words that stand in anybody's text: the one list that decides."""
    return words("common_words") | FUNCTION_WORDS


@lru_cache(maxsize=65_536)
def is_telling(value: str) -> bool:
    """Whether a value may be taken for itself wherever it stands: it has a word that is not ordinary."""
    return any(
        word not in ordinary() and len(word) >= (_SHORTEST_NUMBER if word.isdigit() else _SHORTEST_PART)
        for word in words_of(plain(value).text).words
    )


@lru_cache(maxsize=65_536)  # many persons have the same values
def value_forms(value: str) -> tuple[Form, ...]:
    """A value of a column as it is written, with its plural; in its own capitals if it is a function word."""
    return tuple(form for spelling in _spellings(value) for form in _value_forms(spelling))


def _value_forms(value: str) -> Iterator[Form]:
    spelt = plain(value).text.strip()
    whole = words_of(spelt)
    if not whole.words:
        return
    gaps = gaps_of(spelt, whole)
    if all(is_function_word(word) for word in whole.words) and not any(gaps):
        written = squeezed(spelt[whole.spans[0][0] : whole.spans[-1][1]])
        yield Form(tuple(whole.words), gaps, When.EXACT, written)
        return
    yield from _whole(spelt, whole, plural=True)


@lru_cache(maxsize=65_536)
def number_forms(value: float) -> tuple[Form, ...]:
    """A whole number written out."""
    if value != int(value) or not 0 <= value < 10_000:
        return ()
    when = When.ALWAYS if value > 12 else When.UNIT
    return tuple(Form(spelt, ("",) * (len(spelt) - 1), when) for spelt in spelled_out(int(value)))


@lru_cache(maxsize=65_536)
def day_forms(day: dt.date) -> tuple[Form, ...]:
    """A day as eight digits or six, in every order."""
    orders = ("%Y%m%d", "%d%m%Y", "%m%d%Y", "%d%m%y", "%m%d%y", "%y%m%d")
    return tuple(Form((day.strftime(order),)) for order in orders)


def identifier_forms(value: str) -> Iterator[Form]:
    """An identifier whole, and the parts that tell it: of names, mail addresses and codes."""
    for spelling in _spellings(value):
        for form in _identifier_forms(spelling):
            yield form
            last = form.words[-1]
            if len(last) > 1 and last.isalpha() and form.when in (When.ALWAYS, When.MARKED):
                for end in ("s", "es"):  # "the Gomezes"
                    yield form._replace(words=(*form.words[:-1], last + end))


def _spellings(value: str) -> list[str]:
    """A value as it is, and as it is written where there are no dots and rings: Müller and Mueller."""
    value = unicodedata.normalize("NFC", value)
    return list(dict.fromkeys([value, value.translate(_WRITTEN_OUT)]))


def _identifier_forms(value: str) -> Iterator[Form]:
    spelt = plain(value).text.strip()
    whole = words_of(spelt)
    if not whole.words:
        return
    if len(whole.words) == 1:
        yield from _single(spelt, whole)
    else:
        yield from _whole(spelt, whole, plural=False)
        yield from _long_parts(spelt, whole)
    local, at, _ = spelt.partition("@")
    if at and local not in words("grammar_words") and len(local) > 1:
        yield from _whole(local, words_of(local), plural=False)
        yield from _name_forms(name_words(local))
    names = name_words(value)
    if names:
        yield from _name_forms(names)
        for chunk in _SURNAME.findall(spelt):  # "O'Brien", "Smith-Jones", "van der Berg" are one word, too
            found = words_of(chunk)
            if len(found.words) > 1:
                yield from _whole(chunk, found, plural=False)


def part_forms(value: str, shared: frozenset[str]) -> Iterator[Form]:
    """Of an identifier of several words with digits, what tells it by itself: the words of a name before a
    number ("Ann Lee (12)"), and words of letters and digits ("anders12"). `shared`: words of many values.
    """
    spelt = plain(value).text.strip()
    if "@" in spelt or not any(map(str.isdigit, spelt)):
        return
    numbered = _NUMBERED_NAME.match(spelt)
    names = name_words(numbered[1]) if numbered else []
    if len(names) > 1 and shared.isdisjoint(names):
        for form in _name_forms(names):
            is_word = len(form.words) == 1 and form.words[0] in ordinary()
            yield form._replace(when=When.MARKED) if is_word else form
    chunks = _CHUNK.findall(spelt)
    for chunk in chunks if len(chunks) > 1 else ():
        found = words_of(chunk)
        glued = "".join(found.words)
        is_mixed = any(map(str.isdigit, glued)) and not glued.isdigit()
        if is_mixed and len(glued) >= _SHORTEST_MIXED and shared.isdisjoint((glued, chunk.lower())):
            yield from _whole(chunk, found, plural=False)


def name_words(value: str) -> list[str]:
    """The words of a value that can be somebody's name, without titles and particles; [] if it cannot.

    "Al" and "Van" are particles inside of a name, not at its end, nor with a capital at its beginning.
    """
    spelt = plain(value).text.strip()
    whole = words_of(spelt)
    found = whole.words
    if not found or "@" in spelt or len(found) > _MOST_NAMES or not all(word.isalpha() for word in found):
        return []
    first = 0 if spelt[whole.spans[0][0]].isupper() and "," not in spelt else -1
    return [
        word
        for place, word in enumerate(found)
        if word not in _only_titles() and (word not in _PARTICLES or place in (first, len(found) - 1))
    ]


@cache
def _only_titles() -> frozenset[str]:
    return words("person_titles") - {"don", "ing", "sig"}  # "Don Johnson"


def identifier_type(value: str) -> str:
    """As what an identifier is masked, if the plan does not say."""
    if "@" in value:
        return "MAIL"
    if name_words(value):
        return "PERSON"
    digits = sum(map(str.isdigit, value))
    if digits > 6 and not any(map(str.isalpha, value)) and not value.isdigit():
        return "PHONE"
    return "CODE" if digits else "USERNAME"


@cache
def _counted_time() -> re.Pattern[str]:
    before = "|".join(sorted(words("before_times")))
    return re.compile(rf"(?:[^\W_]|\))\s+({before})\s+\Z", re.IGNORECASE)


def is_counted_time(text: str, start: int, end: int) -> bool:
    """ "twice a day", "each winter": a word of time that is counted is nobody's name."""
    word = text[start:end]
    if word.lower() not in words("words_of_time"):
        return False
    before = _counted_time().search(text, max(start - 24, 0), start)
    if before is None:
        return False
    # "A Day" may be Ann Day; in German every noun has a capital
    same_case = before[1].isupper() == word.isupper()
    return word.islower() or same_case or (len(before[1]) > 1 and before[1].islower())


@cache
def titles() -> frozenset[str]:
    """What stands before a name and tells that one follows."""
    return frozenset(word.lower().rstrip(".") for word in words("person_titles")) | words("before_names")


def _name_forms(names: Sequence[str]) -> Iterator[Form]:
    for name in names:
        if len(name) > 1:
            yield Form((name,), (), When.MARKED if name in words("grammar_words") else When.ALWAYS)
    if len(names) > 1:
        yield from together(names[0], names[-1], names)


def together(first: str, last: str, names: Sequence[str] = ()) -> Iterator[Form]:
    """What is made of two names: initials, and logins such as "pgomez"."""
    runs = {tuple(name[0] for name in names)} if names else set()
    runs |= {(first[0], last[0]), (last[0], first[0])}
    for run in sorted(runs):
        if len(run) > 1:
            when = When.MARKED if "".join(run) in _SHORT_FOR else When.ALWAYS
            yield Form(run, (".",) * (len(run) - 1), when)
            if "".join(run) not in FUNCTION_WORDS:
                yield Form(("".join(run),), (), When.EXACT, "".join(run).upper())
    for login in (first[0] + last, last + first[0], first + last[0], last + first, first + last):
        if len(login) >= _SHORTEST_JOINED:
            yield Form((login,))


def _single(spelt: str, whole: Atoms) -> Iterator[Form]:
    """One word: a login, a code, a short number."""
    word = whole.words[0]
    if word.isdigit() and len(word) < _SHORTEST_CODE:
        yield Form((word,), (), When.LABELLED)
        return
    if word in words("grammar_words") or len(word) == 1:
        yield Form((word,), (), When.MARKED if word.isalpha() else When.EXACT, squeezed(spelt))
        return
    yield from _whole(spelt, whole, plural=False)
    digits = word.lstrip("0")
    if word.isdigit() and _SHORTEST_CODE <= len(digits) < len(word):
        yield Form((digits,))


def _whole(spelt: str, whole: Atoms, *, plural: bool) -> Iterator[Form]:
    """All words of a value, as they are, divided into pieces, and glued together."""
    gaps = gaps_of(spelt, whole)
    yield Form(tuple(whole.words), gaps)
    pieces = pieces_of(spelt)
    if list(pieces.words) != list(whole.words) and len(pieces.words) > 1:
        yield Form(tuple(pieces.words), gaps_of(spelt, pieces))
    joined = "".join(whole.words)
    if len(whole.words) > 1 and len(joined) >= _SHORTEST_JOINED and joined not in ordinary():
        yield Form((joined,))
    if plural:
        last = whole.words[-1]
        for form in (*plural_forms(last), *singular_forms(last)):
            yield Form((*whole.words[:-1], form), gaps)


def _long_parts(spelt: str, whole: Atoms) -> Iterator[Form]:
    """Parts of codes that tell the whole: their long numbers; of addresses the name of the street."""
    for word in whole.words:
        digits = word.lstrip("0")
        if word.isdigit() and len(digits) > _SHORTEST_NUMBER:
            yield Form((word,))
            if digits != word:
                yield Form((digits,))
    letters = [word for word in whole.words if word.isalpha() and len(word) > 1]
    if "@" not in spelt and 1 < len(letters) < len(whole.words):
        runs = re.findall(r"[^\W\d_]{2,}(?:[ \-'][^\W\d_]{2,})+", spelt)
        for run in runs:
            found = words_of(run)
            yield Form(tuple(found.words), gaps_of(run, found))


def gaps_of(spelt: str, atoms: Atoms) -> tuple[str, ...]:
    borders = zip(atoms.spans, atoms.spans[1:])
    return tuple(_SPACE.sub("", spelt[before[1] : behind[0]]) for before, behind in borders)


def squeezed(text: str) -> str:
    return " ".join(text.split())


def is_function_word(word: str) -> bool:
    return word in FUNCTION_WORDS or (len(word) == 1 and word.isascii() and word.isalpha())


def plural_forms(token: str) -> Iterator[str]:
    """Plurals of a folded word; several where English is undecided."""
    if len(token) < 3 or not token.isalpha():
        return
    yield token + "s"
    if token.endswith(("s", "x", "z", "ch", "sh", "o")):
        yield token + "es"
    if token.endswith("y"):
        yield token[:-1] + "ies"


def singular_forms(token: str) -> Iterator[str]:
    """Singulars of a folded word that looks like a plural."""
    if len(token) < 5 or not token.isalpha() or token.endswith(("ss", "us", "is")):
        return
    if token.endswith("ies"):
        yield token[:-3] + "y"
    if token.endswith(("ses", "xes", "zes", "ches", "shes", "oes")):
        yield token[:-2]
    if token.endswith("s"):
        yield token[:-1]
