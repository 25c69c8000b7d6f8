"""Names of people: which gender and origin a name has, and another name of the same.

The lists tell (knowledge/data/name_origins.tsv); a name in no list counts as English, and its gender as open.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from typing import Literal

from heteronym.knowledge.wordlists import lines, words
from heteronym.surrogates.draws import Draws

Kind = Literal["female", "male", "surname"]
HOME = "english"
_SURNAME_SAYS_MORE = 2.0  # first names travel; surnames less
_SINGLE = 150  # from this attempt on, where a list is used up, names are double
_AT_HOME = 300  # and from this one on they are English
_HOME_BONUS = 0.05  # decides where a name is at home in several origins


@cache
def lists() -> dict[tuple[str, str], tuple[str, ...]]:
    """(origin, female | male | surname) -> names."""
    rows = (line.split("\t") for line in lines("name_origins.tsv"))
    return {(origin, kind): tuple(names.split()) for origin, kind, names in rows}


@cache
def _origins_by_name() -> dict[str, tuple[tuple[str, str], ...]]:
    """A name in lower case -> the lists that hold it."""
    origins: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for where, names in lists().items():
        for name in names:
            origins[name.lower()].append(where)
    return {name: tuple(places) for name, places in origins.items()}


def _places(word: str) -> tuple[tuple[str, str], ...]:
    """The lists that hold a name, or the male form of a Slavic surname."""
    lowered = word.lower()
    return _origins_by_name().get(lowered) or _origins_by_name().get(_male_form(lowered), ())


def _male_form(surname: str) -> str:
    if surname.endswith(("ova", "eva", "ina", "yna")):
        return surname[:-1]
    return surname[:-1] + "i" if surname.endswith(("ska", "cka", "dzka")) else surname


def has_male_form(surname: str) -> bool:
    """Whether a surname is not the female form of a Slavic one."""
    return _male_form(surname.lower()) == surname.lower() or surname.lower() in _origins_by_name()


def is_first_name(word: str) -> bool:
    return any(kind != "surname" for _, kind in _places(word))


def is_surname(word: str) -> bool:
    return any(kind == "surname" for _, kind in _places(word))


def gender_of(first: str) -> Kind | None:
    """What most lists with the name say; None if they are even, or there is none."""
    kinds = [kind for _, kind in _origins_by_name().get(first.lower(), ())]
    female, male = kinds.count("female"), kinds.count("male")
    if female == male:
        return None
    return "female" if female > male else "male"


def origin_of(words: Sequence[str]) -> str:
    """Where a name is most at home; the last of several words counts as the surname."""
    votes: dict[str, float] = defaultdict(float)
    for number, word in enumerate(words):
        last = len(words) > 1 and number == len(words) - 1
        places = _places(word)
        fitting = {origin for origin, kind in places if len(words) == 1 or (kind == "surname") == last}
        for origin in fitting:
            weight = _SURNAME_SAYS_MORE if last else 1.0
            votes[origin] += weight * (1.0 / len(fitting) + (_HOME_BONUS if origin == HOME else 0.0))
    return max(votes, key=lambda origin: (votes[origin], origin == HOME, origin), default=HOME)


def first_name(
    word: str, key: bytes, *, gender: str | None = None, origin: str | None = None, attempt: int = 0
) -> str:
    """Another first name of the same gender and origin; where they are not told, those of the word itself."""
    gender = gender or gender_of(word)
    origin = HOME if attempt >= _AT_HOME else origin or origin_of([word])
    draws = Draws(key, "first name", word.lower(), str(attempt))
    fitting = _clear(origin, gender or draws.choice(("female", "male")))
    return draws.choice(fitting) if attempt < _SINGLE else _double(fitting, draws)


@cache
def _clear(origin: str, gender: str) -> tuple[str, ...]:
    """The names of a list that no other list gives to the other gender."""
    return tuple(name for name in lists()[origin, gender] if gender_of(name) == gender)


@cache
def _surnames(origin: str) -> tuple[str, ...]:
    """The list of an origin; for English names all of the census that no other origin has."""
    listed = lists()[origin, "surname"]
    if origin != HOME:
        return listed
    elsewhere = {name for place in lists() if place[0] != HOME for name in lists()[place]}
    return tuple(sorted({*listed, *words("surnames")} - elsewhere))


def _double(names: Sequence[str], draws: Draws) -> str:
    return f"{draws.choice(names)}-{draws.choice(names)}"


def initial(letter: str, key: bytes) -> str:
    """Another letter for an initial whose name is not told."""
    others = [c for c in "ABCDEFGHJKLMNPRSTVW" if c != letter.upper()]
    return Draws(key, "initial", letter.lower()).choice(others)


def surname(word: str, key: bytes, *, origin: str | None = None, attempt: int = 0) -> str:
    """Another surname of the same origin; the female form of a Slavic name where the word has it."""
    origin = HOME if attempt >= _AT_HOME else origin or origin_of([word, word])
    draws = Draws(key, "surname", word.lower(), str(attempt))
    fitting = _surnames(origin)
    if attempt >= _SINGLE:
        return _double(fitting, draws)
    name = draws.choice(fitting)
    if has_male_form(word):
        return name
    if name.endswith(("ov", "ev", "in")):
        return name + "a"
    return name[:-1] + "a" if name.endswith(("ski", "cki", "dzki")) else name
