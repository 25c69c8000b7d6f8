"""Names of people by their titles, initials and first names.

A title or an initial marks whatever capitalized words follow; a known first name does together with
the words behind it. Honorifics are part of the mention ("Mr Smith"), words of office are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from heteronym.knowledge.wordlists import first_names, words
from heteronym.model.mention import Span
from heteronym.text.lexicon import lexicon
from heteronym.text.recognizers._checks import CHECKS
from heteronym.text.recognizers.rows import reader
from heteronym.text.spelling import proper_words

_LEXICON = lexicon("names")
_AFTER_A_VERB = _LEXICON.compiled("AFTER_A_VERB")
_ABBREVIATIONS = _LEXICON.words("ABBREVIATIONS")
_GENERIC = _LEXICON.words("GENERIC")
_CANDIDATE = _LEXICON.compiled("CANDIDATE")


@cache
def _sure() -> frozenset[str]:
    """First names that are no common words, peoples or places."""
    common, proper = words("common_words"), proper_words()
    return frozenset(
        name for name in first_names() if name.lower() not in common and name not in proper and len(name) > 2
    )


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


def _head(match: re.Match[str]) -> str:
    return str(match["m"].split()[0])


def _is_unknown(head: str) -> bool:
    """A word that the dictionary does not have, and no people or place."""
    return _is_rare(head) and head not in proper_words()


def _is_rare(name: str) -> bool:
    return name.lower() not in words("common_words")


def _is_surely_a_name(match: re.Match[str]) -> bool:
    head = _head(match).rstrip(".")
    return head in _sure() or _is_unknown(head)


def _is_name_with_initial(match: re.Match[str]) -> bool:
    head = _head(match)
    if head in _sure():
        return True
    said = _AFTER_A_VERB.search(match.string, max(0, match.start() - 16), match.start())
    return said is not None and _is_unknown(head) and head not in _GENERIC


CHECKS |= {
    "nickname_between_names": lambda match: "(" not in match[0] or match[0].split()[0] in first_names(),
    "is_a_first_name": lambda match: _head(match) in first_names(),
    "name_of_who_speaks": lambda match: (
        _is_surely_a_name(match)
        if match[0][0] in "Ii" and "t" not in match[0][:2]
        else _head(match) in first_names()
    ),
    "is_surely_a_name": _is_surely_a_name,
    "first_name_and_initial": _is_name_with_initial,
    "is_small_name": lambda match: match["m"].capitalize() in _sure(),
    "not_a_heading": _not_a_heading,
    "not_an_abbreviation": lambda match: re.sub(r"\s", "", match["m"]) not in _ABBREVIATIONS,
}


@reader("names")
def read(text: str, spans: list[Span]) -> Iterator[Span]:
    """People by title, initial and first name."""
    yield from spans
    first, sure, last = first_names(), _sure(), words("surnames")
    for match in _CANDIDATE.finditer(text):
        parts = match.group().split()
        how = ""
        if parts[0] in sure:
            if len(parts) == 1:
                score, how = 0.6, "first name"
            elif len(parts) <= 4 and _GENERIC.isdisjoint(parts):
                score, how = 0.65, "first name and other words"
                if parts[-1] in last:
                    score, how = 0.75, "first name and surname"
        elif len(parts) == 2 and parts[0] in first and parts[1] in last and _is_rare(parts[0]):
            score, how = 0.6, "doubtful first name and surname"
        if how:
            yield Span(*match.span(), "PERSON", score, "names", how)
