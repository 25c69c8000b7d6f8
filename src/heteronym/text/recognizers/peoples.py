"""Nationalities, peoples, creeds' and parties' members (NORP), languages, and facts of origin.

A nation's adjective before its organs and laws ("the Turkish authorities", "Polish law") tells of a
state, not of a person, and is left alone. A word that is both a people and a language is a language
where it is spoken, written or translated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from heteronym.knowledge.wordlists import nationalities, peoples, words
from heteronym.model.mention import Span
from heteronym.text.lexicon import lexicon
from heteronym.text.recognizers.rows import reader
from heteronym.text.rule import UPPER

_LEXICON = lexicon("peoples")

_WORD = re.compile(rf"(?<![\w’'])[{UPPER}][\w'’]*[\w]")
_OF_A_STATE = _LEXICON.compiled("OF_A_STATE")
_LANGUAGE_BEFORE = _LEXICON.compiled("LANGUAGE_BEFORE")
_LANGUAGE_AFTER = _LEXICON.compiled("LANGUAGE_AFTER")


@reader("peoples")
def read(text: str, spans: list[Span]) -> Iterator[Span]:
    """Nationalities and other groups, languages, origin, by word list and neighbouring words."""
    yield from spans
    known, tongues, creeds = peoples(), words("languages"), words("creeds")
    adjectives, named = nationalities(), words("first_names")
    for match in _WORD.finditer(text):
        word = match.group().removesuffix("'s").removesuffix("’s")
        start, end = match.start(), match.start() + len(word)
        if word in tongues and (word not in known or _spoken(text, start, end)):
            yield Span(start, end, "LANGUAGE", 0.9, "peoples", "language spoken")
        elif word in known and not (word in adjectives and _OF_A_STATE.match(text, end)):
            kind, how = ("RELIGION", "list of creeds") if word in creeds else ("NORP", "list of peoples")
            # "Christian" and "Dane" are first names too; there the model knows better.
            yield Span(start, end, kind, 0.7 if word in named else 0.85, "peoples", how)


def _spoken(text: str, start: int, end: int) -> bool:
    before = _LANGUAGE_BEFORE.search(text, max(0, start - 40), start)
    return before is not None or _LANGUAGE_AFTER.match(text, end) is not None
