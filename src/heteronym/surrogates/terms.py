"""The surrogate of a term, by its type.

`surrogate(type, term, key)` is a plain function: whoever has the key gets the same surrogate for the same
term, in a document as in a table. A maker may be asked again (`attempt`) where its first answer is taken.

Guarantee   a surrogate has the type's form: names by gender and origin, codes by shape and check digits
Cost        some hashes per term; codes with check digits up to some thousand
Randomness  none beside the key
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection
from functools import cache
from typing import Protocol

from heteronym.knowledge import places
from heteronym.knowledge.name_parts import name_parts
from heteronym.knowledge.wordlists import words
from heteronym.model.terms import normalize
from heteronym.surrogates import codes, names
from heteronym.surrogates.draws import Draws

CODES = frozenset({"PHONE", "IBAN", "CARD", "CODE", "POSTCODE", "IP", "USERNAME"})
WORDS = frozenset({"ORG", "FAC", "LOC", "ADDRESS"})
ADDRESSES = frozenset({"MAIL", "URL"})
_WORD = re.compile(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*|\d+[^\W_]*")
_LETTERED = re.compile(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*")
_POSSESSIVE = re.compile(r"['’]s$")
_ACRONYM = re.compile(r"[A-Z]{2,6}")
_COUNTRY_CODE = re.compile(r"\s*\(?\+\s*(1|7|\d\d)")
_HOST = re.compile(
    r"(?:.*@|[a-z]+://|(?!.*@))(?:www\.)?(?P<label>[\w-]+(?:\.[\w-]+)*)\.(?P<end>[A-Za-z]{2,})"
)


class Asked(Protocol):
    """Who gives a surrogate for a kind of word: the key alone, or a ledger that remembers."""

    def __call__(self, kind: str, term: str, make: Callable[[int], str | None]) -> str | None: ...


def surrogate(type: str, term: str, key: bytes) -> str | None:
    """What stands for a term of a type; None if the type has no surrogates."""
    return written(type, term, key, ask=lambda kind, word, make: make(0))


def written(
    type: str, surface: str, key: bytes, *, ask: Asked, checks: Collection[str] | None = None
) -> str | None:
    """The surrogate of a term in the writing of its surface; `checks` are those that a code must pass."""
    if type == "PERSON":
        parts = [match.group() for match in _WORD.finditer(surface)]
        return renamed(surface, Person(parts), key, ask=ask)
    if type in CODES:
        return _code(type, surface, key, ask, checks)
    if type in ADDRESSES:
        return _address(type, surface, key, ask)
    if type == "GPE" or (type == "LOC" and surface in places.regions()):
        return _place(type, surface, key, ask) or _worded(surface, key, ask)
    if type in WORDS:
        return _worded(surface, key, ask)
    return _age(surface, key) if type == "AGE" else None


class Person:
    """A person's name as its words."""

    def __init__(self, parts: list[str], *, family: str | None = None, gender: str | None = None) -> None:
        self.gender = gender  # where a title tells it
        self.parts = [_POSSESSIVE.sub("", part) for part in parts]
        self.origin = names.origin_of(self.parts)
        # The surname is the one that is told, else the last name; a single first name is none.
        alone = len(self.parts) == 1 and names.is_first_name(self.parts[0])
        last = "" if alone or not self.parts else self.parts[-1].lower()
        self.surname = last if family is None else family

    def word(self, part: str, key: bytes, *, ask: Asked) -> str | None:
        """What stands for one word of the name."""
        if part.lower() == self.surname:
            return ask(
                "NAME", normalize(part), lambda n: names.surname(part, key, origin=self.origin, attempt=n)
            )
        gender = names.gender_of(part) or self.gender
        return ask(
            "NAME",
            normalize(part),
            lambda n: names.first_name(part, key, gender=gender, origin=self.origin, attempt=n),
        )


def renamed(
    surface: str, person: Person, key: bytes, *, ask: Asked, kept: frozenset[str] = frozenset()
) -> str | None:
    """A mention of a person with every word of the name replaced, or None; words in `kept` (titles) stay."""

    complete = True

    def word(match: re.Match[str]) -> str:
        nonlocal complete
        text = match.group()
        tail = _POSSESSIVE.search(text)
        bare = text[: tail.start()] if tail else text
        if bare.lower() in kept or not bare[0].isalpha():
            return text
        part = _meant(bare, person.parts)
        new = person.word(part, key, ask=ask) if len(part) > 1 else names.initial(part, key)
        if new is None:
            complete = False
            return text
        return _cased(new[0] if len(bare) == 1 else new, bare) + (tail.group() if tail else "")

    result = _WORD.sub(word, surface)
    return result if complete else None


def _meant(word: str, parts: list[str]) -> str:
    """The word of the full name that a word of a mention stands for: itself, an initial, a misspelling."""
    from rapidfuzz.distance import DamerauLevenshtein

    lowered = word.lower()
    for part in parts:
        if part.lower() == lowered:
            return part
    if len(word) == 1:
        return next((part for part in parts if part.lower().startswith(lowered)), word)
    near = [part for part in parts if DamerauLevenshtein.distance(part.lower(), lowered, score_cutoff=2) <= 2]
    return near[0] if near and len(word) >= 5 else word


def _cased(new: str, old: str) -> str:
    if len(old) > 1 and old.isupper():
        return new.upper()
    return new.lower() if old.islower() else new


def _code(
    type: str, surface: str, key: bytes, ask: Asked, checks: Collection[str] | None = None
) -> str | None:
    where, bare = codes.places(surface, labelled=type == "CODE"), bare_code(type, surface)
    if len(bare) != len(where):  # a letter that has no single capital
        return None
    keep = _kept_digits(type, surface)
    new = ask(
        type,
        bare,
        lambda n: codes.code_surrogate(bare, key, keep=keep, kind=type, attempt=n, checks=checks),
    )
    return None if new is None or len(new) != len(where) else codes.poured(surface, where, new)


def bare_code(type: str, surface: str) -> str:
    """A code without blanks, marks and words beside it."""
    return "".join(surface[place] for place in codes.places(surface, labelled=type == "CODE")).upper()


def _kept_digits(type: str, surface: str) -> int:
    """How many characters in front tell a country or a network, and stay."""
    country_code = _COUNTRY_CODE.match(surface) if type == "PHONE" else None
    return len(country_code[1]) if country_code else {"IBAN": 2, "CARD": 1}.get(type, 0)


def revealed_by_surrogate(type: str, surface: str, *, family: str | None = None) -> str:
    """What a surrogate tells of its original: writing, genders and origin of a name, the shape of a code.

    Originals of which it tells the same cannot be told apart by it. Of other types it may tell everything.
    """
    if type == "PERSON":
        return _revealed_by_name(surface, family)
    if type not in CODES:
        return surface
    where, bare = codes.places(surface, labelled=type == "CODE"), bare_code(type, surface)
    if len(bare) != len(where):
        return surface
    return codes.poured(surface, where, codes.shape(bare, keep=_kept_digits(type, surface)))


def _revealed_by_name(surface: str, family: str | None) -> str:
    person = Person(name_parts(surface), family=family)
    kept = titles_and_particles(surface)

    def word(match: re.Match[str]) -> str:
        text = match.group()
        if text.lower() in kept or not text[0].isalpha():
            return text
        if len(text) == 1:
            return _cased("Initial", text)
        if text.lower() == person.surname:
            return _cased("Surname" if names.has_male_form(text) else "Surname-female", text)
        return _cased(f"Name-{names.gender_of(text)}", text)

    return f"{_WORD.sub(word, surface)} {person.origin}"


def titles_and_particles(surface: str) -> frozenset[str]:
    """Words of a mention that are no part of the name: "Mrs", "Dr", and the small ones of "van der Berg"."""
    named = [_POSSESSIVE.sub("", word) for word in _LETTERED.findall(surface)]
    small = {word for word in named if word.islower() and len(word) < 5} if not surface.islower() else set()
    return frozenset({word.lower() for word in named if not name_parts(word)} | small)


def _name_word(word: str, key: bytes, ask: Asked) -> str | None:
    """A proper word of a name of anything: what the person of that name is called, else a surname."""
    first = names.is_first_name(word) and not names.is_surname(word)
    make = names.first_name if first else names.surname
    return ask("NAME", normalize(word), lambda n: make(word, key, attempt=n))


def _worded(surface: str, key: bytes, ask: Asked) -> str | None:
    """A name of several words: those that say what the thing is stay, the others are replaced."""
    generic = words("generic_words")
    changed = False

    def word(match: re.Match[str]) -> str:
        nonlocal changed
        text = match.group()
        tail = _POSSESSIVE.search(text)
        bare = text[: tail.start()] if tail else text
        if bare.lower() in generic:
            return text
        if bare in places.countries() or bare in words("great_cities"):
            new = _place("GPE", bare, key, ask)
        elif bare[0].isdigit() or _is_acronym(bare, surface):
            new = _code("CODE", bare, key, ask)
        else:
            new = _name_word(bare, key, ask)
            new = None if new is None else _cased(new, bare)
        changed = changed or new is not None
        return (new or bare) + (tail.group() if tail else "")

    result = _WORD.sub(word, surface)
    return result if changed else None


def _is_acronym(word: str, surface: str) -> bool:
    """Capitals that stand alone, or among words that are not in capitals."""
    return _ACRONYM.fullmatch(word) is not None and (word == surface or not surface.isupper())


def _address(type: str, surface: str, key: bytes, ask: Asked) -> str | None:
    """A mail or web address under the reserved name `.example`, so that it is nobody's."""
    host = _HOST.match(surface)
    if host is None:
        return _code("CODE", surface, key, ask)
    label = host["label"].rsplit(".", 1)[-1]
    new_label = _name_word(label, key, ask) or "host"
    before, behind = surface[: host.start("label")], surface[host.end("end") :]
    if type == "MAIL":
        before = _WORD.sub(lambda match: _local_word(match.group(), key, ask), before)
    if len(behind) > 1:
        behind = _WORD.sub(lambda match: _local_word(match.group(), key, ask), behind)
    ascii_label = re.sub(r"[^a-z0-9-]", "x", new_label.lower())
    return f"{before}{ascii_label}.example{behind}"


def _local_word(word: str, key: bytes, ask: Asked) -> str:
    if word.isalpha() and len(word) > 2:
        new = _name_word(word, key, ask)
        return word if new is None else re.sub(r"[^\w-]|[^\x00-\x7f]", "x", _cased(new, word))
    return _code("CODE", word, key, ask) or word


@cache
def _cities_by_country() -> dict[str, tuple[str, ...]]:
    by_country: dict[str, list[str]] = defaultdict(list)
    for name, country in places.cities().items():
        if re.fullmatch(r"[A-Z][a-z]{3,}(?: [A-Z][a-z]{3,})?", name):
            by_country[country].append(name)
    return {country: tuple(sorted(cities)) for country, cities in by_country.items()}


def _place(type: str, surface: str, key: bytes, ask: Asked) -> str | None:
    """Another place of the same kind: a town of the same country, a country, a state, a region; else None."""
    tail = _POSSESSIVE.search(surface)
    bare = surface[: tail.start()] if tail else surface
    article = re.match(r"the\s+", bare, re.IGNORECASE)
    head = article.group() if article else ""
    name = bare[len(head) :]
    others = _others(name) or (_others(name.title()) if name.isupper() else None)
    if not others:
        return None
    new = ask(type, normalize(name), lambda n: Draws(key, "place", normalize(name), str(n)).choice(others))
    return None if new is None else head + _cased(new, name) + (tail.group() if tail else "")


def _others(name: str) -> tuple[str, ...] | None:
    if name in places.countries():
        return tuple(sorted(set(places.countries().values())))
    if name in places.regions():
        kind = places.regions()[name]
        return tuple(sorted(other for other, what in places.regions().items() if what == kind))
    country = places.cities().get(name)
    return None if country is None else _cities_by_country().get(country)


def _age(surface: str, key: bytes) -> str | None:
    """Every number of an age moved by one to three years; ages of 90 and more stay 90 and more."""

    def move(match: re.Match[str]) -> str:
        age = int(match.group())
        draws = Draws(key, "age", str(age))
        by = (1 + draws.below(3)) * draws.choice((-1, 1))
        return str(age + (by if age + by >= (90 if age >= 90 else 1) else -by))

    return re.sub(r"\d{1,3}", move, surface) if re.search(r"\d", surface) else None
