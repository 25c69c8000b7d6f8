"""How much of what stands behind a key, or in a cell, is the value that the key announces.

Cost        a look at the value
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial

from heteronym.knowledge.wordlists import first_names, words
from heteronym.text.grammar import grammar
from heteronym.text.lexicon import lexicon

_LEXICON = lexicon("forms")

Read = Callable[[str, int, int], tuple[int, int] | None]

_NAME = _LEXICON.compiled("NAME")
_CODE_GROUP = _LEXICON.compiled("CODE_GROUP")
_NUMBER = re.compile(r"\d{1,3}")
_INITIALS = re.compile(r"[A-Za-z]{2,4}(?:/[A-Za-z]{2,4})?(?=\s*$)|(?:[A-Z]\.){2,3}")
_SENTENCE_END = _LEXICON.compiled("SENTENCE_END")


def _name(text: str, start: int, end: int) -> tuple[int, int] | None:
    """A full value that can only be a name: whatever it is made of, if it is short."""
    surface = text[start:end]
    match = _NAME.match(text, start, end)
    if match is None or match.end() < end:
        bare = surface.rstrip(" .")
        if bare.replace(" ", "").replace(".", "").replace("-", "").isalpha() and len(bare.split()) < 5:
            return start, start + len(bare)
    return match.span() if match else None


def likely_name(text: str, start: int, end: int) -> tuple[int, int] | None:
    """A name where speech might follow as well."""
    match = _NAME.match(text, start, end)
    if match is None:
        return None
    parts = [part.strip(",.") for part in match.group().split()]
    if parts[0] in _NO_NAME:
        return None
    known, common = _names(), words("common_words")
    stop = match.start()
    telling = 0
    for number, part in enumerate(parts):
        if part == "I" and _SPEECH.match(text, match.end()):
            parts = parts[:number]  # "May I take ...": nobody's initial
            break
        bare = part.capitalize() if part.isupper() else part
        if bare in known or bare.lower() not in common or len(part) == 1 or part in _TITLES:
            telling += part not in _TITLES and (len(part) > 1 or len(parts) > 1)
            stop = text.index(part, stop) + len(part)
        elif telling and text[start:end].rstrip(". ") == match.group().rstrip(". "):
            stop = text.index(part, stop) + len(part)  # "Jo Bright": the line is all name
        else:
            break
    if text[stop : stop + 1] == "." and text[stop - 2 : stop - 1] in (" ", "."):
        stop += 1  # the point of an initial
    alone = len(parts) == 1 and parts[0].lower() in common
    return None if alone or not telling else (match.start(), stop)


_NO_NAME = _LEXICON.words("NO_NAME")
_SPEECH = re.compile(r"[ \t]+[a-z]")
_TITLES = frozenset("Mr Mrs Ms Miss Mx Dr Prof Sir Rev MR MRS MS MISS DR Ofc Det Sgt PC Cllr Fr Sr".split())


@cache
def _names() -> frozenset[str]:
    return first_names() | words("surnames")


def _by(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Who did something: a name, or the initials of a typist."""
    initials = _INITIALS.match(text[:end], start)
    return initials.span() if initials is not None else likely_name(text, start, end)


def _code(text: str, start: int, end: int) -> tuple[int, int] | None:
    stop, place, digits = start, start, False
    for _ in range(6):
        group = _CODE_GROUP.match(text, place, end)
        if group is None:
            break
        digits = digits or any(map(str.isdigit, group.group()))
        stop = group.end()
        if stop >= end or text[stop] != " ":
            break
        place = stop + 1
    return (start, stop) if digits else None


def _age(text: str, start: int, end: int) -> tuple[int, int] | None:
    number = _NUMBER.search(text, start, min(end, start + 12))
    return None if number is None else number.span()


def _handle(text: str, start: int, end: int) -> tuple[int, int] | None:
    word = text[start:end].split()
    if len(word) != 1 or len(word[0]) < 3:
        return None
    return (start, end) if not word[0].isalpha() or word[0].lower() not in words("common_words") else None


def _secret(text: str, start: int, end: int) -> tuple[int, int] | None:
    word = text[start:end].split()
    return (start, start + len(word[0])) if len(word) == 1 else None


def _matched(pattern: re.Pattern[str], text: str, start: int, end: int) -> tuple[int, int] | None:
    match = pattern.match(text, start, end)
    return None if match is None else match.span()


def _date(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The date with which the value begins; without one, figures and signs."""
    found = grammar().find(text[start:end], "dates")
    stop = max((one.end for one in found if one.start == 0), default=0)
    if not stop and (figures := _FIGURES.match(text, start, end)) is not None:
        stop = figures.end() - start
    return (start, start + stop) if stop else None


_FIGURES = re.compile(r"\d[\d ./-]*\d(?![\w:])")
_SMALL_AFTER_COMMA = re.compile(r",\s(?=[a-z])(?!and\b|of\b)")
_SAID = _LEXICON.compiled("SAID")


def _condition(text: str, start: int, end: int) -> tuple[int, int] | None:
    """What is wrong, without the words that say who has it."""
    found = _phrase(text, start, end, longest=120)
    if found is None or (said := _SAID.match(text, *found)) is None:
        return found
    return said.end(), found[1]


def _phrase(
    text: str, start: int, end: int, *, longest: int = 60, at_comma: bool = False, capital: bool = False
) -> tuple[int, int] | None:
    """A value in words, up to the end of its sentence; a long one is a sentence of its own and none."""
    stop = _SENTENCE_END.search(text, start, end)
    end = stop.start() if stop else end
    if capital and (comma := _SMALL_AFTER_COMMA.search(text, start, end)) is not None:
        end = comma.start()
    if at_comma and (comma_at := text.find(",", start, end)) >= 0:
        end = comma_at
    surface = text[start:end].rstrip(" .,")
    if len(surface) < 2 or len(surface) > longest or (capital and not surface[0].isupper()):
        return None
    if surface[0] in "?_*" or not any(map(str.isalpha, surface)):
        return None
    return start, start + len(surface)


def _address(text: str, start: int, end: int) -> tuple[int, int] | None:
    said = _SENTENCE_AFTER.search(text, start, end)
    surface = text[start : said.start() if said else end].rstrip(" .,;")
    if len(surface) > 140 or (not any(map(str.isdigit, surface)) and "," not in surface):
        return None
    if surface.startswith(("a ", "an ", "the ", "one ", "some ")):
        return None  # "In property: a phone"
    stop = start + len(surface)
    # An address written over several lines goes on while each of them ends with a comma.
    while text[stop : stop + 1] == "," and (more := _CONTINUED.match(text, stop)) is not None:
        stop = more.end()
    return start, stop


_SENTENCE_AFTER = _LEXICON.compiled("SENTENCE_AFTER")


def _building(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The name or number of a ward or house; "OPD" and "ICU" are everybody's."""
    found = _phrase(text, start, end, longest=40, at_comma=True)
    if found is None or (found[1] - found[0] < 5 and text[found[0] : found[1]].isupper()):
        return None
    return found if text[start].isupper() or text[start].isdigit() else None


_CONTINUED = re.compile(r",[ ]?\n[ \t]*[^\n:]{2,50}(?<![\s.,;])")

_MATCHED = "PHONE MONEY SUM STATUS QUANTITY MAIL IP IBAN".split()  # values that one pattern tells
TYPES = {"NAME": "PERSON", "LIKELY": "PERSON", "BY": "PERSON", "SUM": "MONEY", "STATUS": "MARITAL"}
READERS: dict[str, Read] = {
    "NAME": _name,
    "LIKELY": likely_name,
    "BY": _by,
    "CODE": _code,
    "POSTCODE": _code,
    "SECRET": _secret,
    "USERNAME": _handle,
    "DATE": _date,
    "AGE": _age,
    "FAC": _building,
    "ADDRESS": _address,
    "HEALTH": _condition,
    "ORG": partial(_phrase, capital=True),
    "GPE": partial(_phrase, capital=True, longest=50),
    "PRODUCT": partial(_phrase, longest=50, at_comma=True),
    "JOB": partial(_phrase, at_comma=True),
    "MARITAL": partial(_phrase, at_comma=True, longest=30),
    "FAMILY": partial(_phrase, longest=30),
}
READERS |= dict.fromkeys(("NORP", "ORIGIN", "RELIGION", "LANGUAGE", "EDUCATION"), _phrase)
READERS |= {kind: partial(_matched, _LEXICON.compiled(kind)) for kind in _MATCHED}
