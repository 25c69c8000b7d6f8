"""Names of people by their titles, initials and first names.

A title or an initial marks whatever capitalized words follow; a known first name does together with
the words behind it. Honorifics are part of the mention ("Mr Smith"), words of office are not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from heteronym.knowledge.places import countries, great_cities, regions
from heteronym.knowledge.wordlists import first_names, peoples, words
from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.lexicon import lexicon
from heteronym.text.rule import find

_LEXICON = lexicon("names")


@cache
def _lists() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    common = words("common_words")
    elsewhere = (
        frozenset(countries())
        | frozenset(regions())
        | great_cities()
        | peoples()
        | lexicon("common").words("MONTHS")
    )
    first = first_names()
    sure = frozenset(
        name for name in first if name.lower() not in common and name not in elsewhere and len(name) > 2
    )
    return first, sure, words("surnames")


def _not_a_heading(match: re.Match[str]) -> bool:
    """'I. The facts' and 'A. Criminal proceedings' are numbered headings, not initials."""
    parts = match.group().replace(".", ". ").split()
    names = [part for part in parts if not part.endswith(".")]
    if "".join(part for part in parts if part.endswith(".")) in _ABBREVIATIONS:
        return False  # "P.S. Mabel wrote"
    common = words("common_words")
    if any(name.isupper() and name.lower() in common for name in names):
        return False
    line_start = match.start() == 0 or match.string[match.start() - 1] in "\n\r"
    return not (line_start and names and names[0].lower() in common)


def _not_an_abbreviation(match: re.Match[str]) -> bool:
    return re.sub(r"\s", "", match.group("m")) not in _ABBREVIATIONS


_AFTER_A_VERB = _LEXICON.compiled("AFTER_A_VERB")
_ABBREVIATIONS = _LEXICON.words("ABBREVIATIONS")

_GENERIC = _LEXICON.words("GENERIC")


def _is_first_name(match: re.Match[str]) -> bool:
    """A word that is known as a first name, whatever else it means."""
    return match.group("m").split()[0] in _lists()[0]


def _is_surely_a_name(match: re.Match[str]) -> bool:
    """A known first name, or a word that the dictionary does not have, and no people or place."""
    head = match.group("m").split()[0].rstrip(".")
    return head in _lists()[1] or not (head.lower() in words("common_words") or head in _elsewhere())


def _is_small_name(match: re.Match[str]) -> bool:
    return match.group("m").capitalize() in _lists()[1]


@cache
def _elsewhere() -> frozenset[str]:
    return (
        frozenset(countries())
        | frozenset(regions())
        | great_cities()
        | peoples()
        | lexicon("common").words("MONTHS")
    )


_RULES = _LEXICON.rules(
    checks={
        "nickname_between_names": lambda match: (
            "(" not in match.group() or match.group().split()[0] in _lists()[0]
        ),
        "is_first_name": _is_first_name,
        "name_of_who_speaks": lambda match: (
            _is_surely_a_name(match)
            if match.group()[0] in "Ii" and "t" not in match.group()[:2]
            else _is_first_name(match)
        ),
        "is_surely_a_name": _is_surely_a_name,
        "first_name_and_initial": lambda match: (
            match.group("m").split()[0] in _lists()[1]
            or (
                match.group("m").split()[0].lower() not in words("common_words")
                and match.group("m").split()[0] not in _elsewhere()
                and (match.group("m").split()[0] not in _GENERIC)
                and (
                    _AFTER_A_VERB.search(match.string, max(0, match.start() - 16), match.start()) is not None
                )
            )
        ),
        "is_small_name": _is_small_name,
        "not_a_heading": _not_a_heading,
        "not_an_abbreviation": _not_an_abbreviation,
    }
)

_CANDIDATE = _LEXICON.compiled("CANDIDATE")


@recognizers.register("names")
@dataclass(frozen=True)
class Names:
    """People by title, initial and first name."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        first, sure, last = _lists()
        result = find(texts, _RULES, source="names")
        for text, spans in zip(texts, result):
            for match in _CANDIDATE.finditer(text):
                parts = match.group().split()
                head = parts[0]
                if head in sure:
                    if len(parts) == 1:
                        spans.append(Span(*match.span(), "PERSON", 0.6, "names", "first name"))
                    elif len(parts) <= 4 and _GENERIC.isdisjoint(parts):
                        score, how = (
                            (0.75, "first name and surname")
                            if parts[-1] in last
                            else (0.65, "first name and other words")
                        )
                        spans.append(Span(*match.span(), "PERSON", score, "names", how))
                elif (
                    len(parts) == 2
                    and head in first
                    and parts[1] in last
                    and head.lower() not in words("common_words")
                ):
                    spans.append(
                        Span(*match.span(), "PERSON", 0.6, "names", "doubtful first name and surname")
                    )
        return result
