"""Names of people by their titles, initials and first names.

A title or an initial marks whatever capitalized words follow; a known first name does together with
the words behind it. Honorifics are part of the mention ("Mr Smith"), words of office are not.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from heteronym.knowledge.wordlists import first_names, words
from heteronym.model.mention import Span
from heteronym.text.lexicon import lexicon
from heteronym.text.recognizers.rows import reader
from heteronym.text.spelling import proper_words

_LEXICON = lexicon("names")
_GENERIC = _LEXICON.words("GENERIC")
_CANDIDATE = _LEXICON.compiled("CANDIDATE")


@cache
def _sure() -> frozenset[str]:
    """First names that are no common words, peoples or places."""
    common, proper = words("common_words"), proper_words()
    return frozenset(
        name for name in first_names() if name.lower() not in common and name not in proper and len(name) > 2
    )


@reader("names")
def read(text: str, spans: list[Span]) -> Iterator[Span]:
    """People by title, initial and first name."""
    yield from spans
    first, sure, last, common = first_names(), _sure(), words("surnames"), words("common_words")
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
        elif len(parts) == 2 and parts[0] in first and parts[1] in last and parts[0].lower() not in common:
            score, how = 0.6, "doubtful first name and surname"
        if how:
            yield Span(*match.span(), "PERSON", score, "names", how)
