"""Organizations by their head noun, the named ones told from those that a common noun names.

"Kartal First Instance Court" singles out a place, "the Court of Cassation" does not: a run of
capitalized words around a head noun is ORG (or FAC) if one of its words is not of the general
vocabulary of institutions, and INSTITUTION, which is not sensitive, if all of them are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from heteronym.knowledge.places import countries
from heteronym.knowledge.wordlists import nationalities
from heteronym.knowledge.wordlists import words as common_words
from heteronym.model.mention import Span
from heteronym.text.lexicon import lexicon
from heteronym.text.recognizers.rows import reader

_LEXICON = lexicon("institutions")

_RUN = _LEXICON.compiled("RUN")
_GLOSS = _LEXICON.compiled("GLOSS")
_WORD = re.compile(r"[^\s,“”]+")

_PUBLIC = _LEXICON.words("PUBLIC")
_BUILDINGS = _LEXICON.words("BUILDINGS")
_PRIVATE = _LEXICON.words("PRIVATE")
_HEADS = _PUBLIC | _BUILDINGS | _PRIVATE
_GENERAL = _PUBLIC | _LEXICON.words("GENERAL")
_KNOWN = _HEADS | _GENERAL
_LEADING = _LEXICON.words("LEADING")
_LAW_WORDS = _LEXICON.words("LAW_WORDS")
_DAYS = lexicon("common").words("MONTHS") | lexicon("common").words("WEEKDAYS")
_HOLDERS = _LEXICON.words("HOLDERS")
_OFFICES = _LEXICON.words("OFFICES")
_TRAILING = _LEXICON.words("TRAILING")


def _is_general(word: str) -> bool:
    bare = word.strip(".,’'").removesuffix("'s").removesuffix("’s")
    known = bare in _GENERAL or word in _GENERAL or bare in nationalities() or bare in countries()
    return known or word[0].isdigit()


def names_nobody(surface: str) -> bool:
    """Whether an organization's name is made of general words alone: 'District Court'."""
    words = [word.strip("“”,") for word in surface.split()]
    return any(word in _PUBLIC for word in words) and all(
        word in _TRAILING or _is_general(word) for word in words if word
    )


@reader("institutions")
def read(text: str, spans: list[Span]) -> Iterator[Span]:
    """Named organizations and buildings (ORG, FAC), and institutions without a name (INSTITUTION)."""
    yield from spans
    for run in _RUN.finditer(text):
        if not _HEADS.isdisjoint(run.group().replace(",", " ").replace("”", " ").split()):
            yield from _read(text, run.start(), run.end())


def _read(text: str, start: int, end: int) -> list[Span]:
    """What a run of capitalized words with a head noun in it is."""
    tokens = [(m.start(), m.end(), m.group()) for m in _WORD.finditer(text, start, end)]
    while tokens and (tokens[0][2] in _LEADING or tokens[0][2] in _TRAILING):
        tokens.pop(0)
    while tokens and tokens[-1][2] in _TRAILING:
        tokens.pop()
    if not tokens:
        return []
    words = [word for _, _, word in tokens]
    # "the White House on Tuesday": a day or a month ends the run.
    for i, word in enumerate(words):
        if word in _DAYS:
            return _read(text, tokens[0][0], tokens[i - 1][1]) if i else _read(text, tokens[0][1], end)
    if len(words) > 1 and words[0] in _HOLDERS and words[1] not in _TRAILING and not _is_general(words[1]):
        return []  # "President Obama" is a person
    # "J. Smith of the Ministry of Justice": what stands before the "of" is no institution.
    for i in range(1, len(words)):
        if words[i] in _TRAILING:
            if _KNOWN.isdisjoint(words[:i]) and not _HEADS.isdisjoint(words[i:]):
                return _read(text, tokens[i][0], end)
            break
    # A list ("the Ministry of Justice and the Prosecutor", "Court, Government") is several runs.
    for i in range(1, len(tokens) - 1):
        comma = text[tokens[i - 1][1] : tokens[i][0]].startswith(",")
        joined = (
            words[i] in ("and", "in")
            and not _HEADS.isdisjoint(words[:i])
            and not _HEADS.isdisjoint(words[i + 1 :])
            and (words[i + 1] == "the" or words[i] == "in")
        )
        if comma or joined:
            return _read(text, tokens[0][0], tokens[i - 1][1]) + _read(text, tokens[i][0], end)
    if _HEADS.isdisjoint(words) or (not _LAW_WORDS.isdisjoint(words) and "Martial" not in words):
        return []
    first, last = tokens[0][0], tokens[-1][1]
    if words[-1] in _GENERAL and words[0] in _OFFICES and "of" not in words and len(words) < 3:
        return [Span(first, last, "INSTITUTION", 0.8, "institutions", "office without a name")]
    named = [word for word in words if word not in _TRAILING and not _is_general(word)]
    if _is_heading(text, first, last) and all(word.lower() in common_words("common_words") for word in named):
        return []  # "Section Review", "Work and Power" name a chapter
    only_heads = all(word in _HEADS for word in named)
    if not named or (only_heads and len(words) == 1):
        return [Span(first, last, "INSTITUTION", 0.9, "institutions", "institution of general words")]
    if only_heads and not any(word in _BUILDINGS or word in _PRIVATE for word in words):
        return [Span(first, last, "INSTITUTION", 0.8, "institutions", "institution of head nouns")]
    gloss = _GLOSS.match(text, last)
    if gloss is not None:
        last = gloss.end()
    heads = [word for word in words if word in _HEADS]
    kind = "FAC" if heads[-1] in _BUILDINGS else "ORG"
    return [Span(first, last, kind, 0.85, "institutions", "name and head noun")]


def _is_heading(text: str, start: int, end: int) -> bool:
    """Whether nothing else stands on the line."""
    before = text[text.rfind("\n", 0, start) + 1 : start]
    return not before.strip("# \t") and text[end : end + 1] in ("", "\n")
