"""Ages. The number alone where words around it say that it is one ("aged 36"), so that a replaced
age still reads; the whole phrase where the words belong to it ("36 years old", "36-year-old").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from heteronym.knowledge.wordlists import first_names, nationalities
from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.lexicon import lexicon
from heteronym.text.recognizers.health import is_clinical
from heteronym.text.rule import NAME_WORD, find

_LEXICON = lexicon("ages")


_RELATIVES = _LEXICON.pattern("RELATIVES")


def _of_a_patient(match: re.Match[str]) -> bool:
    """'78M' is an age in a note about a patient, and an amount elsewhere."""
    return is_clinical(match.string)


_NOT_NAMES = _LEXICON.words("NOT_NAMES")
_HYPHENS = re.compile("[-‑]")
_RELATIVE_BEFORE = re.compile(rf"(?<![\w-])(?i:{_RELATIVES})\s$")


_NEXT_NAME = re.compile(rf"\),?\s(?:and\s|&\s)?(?P<name>{NAME_WORD})\s\([1-9]\d?\)")


@cache
def _countries() -> frozenset[str]:
    return frozenset(nationalities().values())


def _is_first_name(name: str) -> bool:
    return (
        name not in _NOT_NAMES
        and name not in _countries()
        and any(part in first_names() for part in (name, *_HYPHENS.split(name)))
    )


def _given_name(match: re.Match[str]) -> bool:
    """A number in brackets is an age behind a first name, and behind what a relative is called."""
    if _is_first_name(match.group("name")):
        return True
    following = _NEXT_NAME.match(match.string, match.end())
    if following is not None and _is_first_name(following.group("name")):
        return True
    return _RELATIVE_BEFORE.search(match.string, max(0, match.start() - 24), match.start()) is not None


_MEASURED = _LEXICON.compiled("MEASURED")


def _no_measure(match: re.Match[str]) -> bool:
    """'a stroke at 52' tells an age, 'sats at 94' and 'sold at 52' do not."""
    return _MEASURED.search(match.string, max(0, match.start() - 40), match.start()) is None


_TITLE_BEFORE = _LEXICON.compiled("TITLE_BEFORE")
_NAME_BEFORE = re.compile(rf"(?<!\w)(?P<name>{NAME_WORD})\s(?:[A-Z]\.?\s)?$")


def _of_a_person(match: re.Match[str]) -> bool:
    """A number behind a comma is an age if a title, a relative or a first name comes before it."""
    text, start, name = match.string, match.start(), match.group("name")
    if name in _NOT_NAMES:
        return False
    if name == "Me" or _is_first_name(name) or _TITLE_BEFORE.search(text, max(0, start - 40), start):
        return True
    if _RELATIVE_BEFORE.search(text, max(0, start - 24), start):
        return True
    first = _NAME_BEFORE.search(text, max(0, start - 40), start)
    return first is not None and _is_first_name(first.group("name"))


_RULES = _LEXICON.rules(
    checks={
        "of_a_patient": _of_a_patient,
        "number_after_a_full_name": lambda match: match.group().split()[0] not in _NOT_NAMES,
        "number_said_of_a_first_name": lambda match: _is_first_name(match.group("name")),
        "no_measure": _no_measure,
        "of_a_person": _of_a_person,
        "number_said_of_a_name": lambda match: match.group().split()[0] not in _NOT_NAMES,
        "given_name": _given_name,
    }
)


@recognizers.register("ages")
@dataclass(frozen=True)
class Ages:
    """Ages by pattern."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return find(texts, _RULES, source="ages")
