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

_WORD = re.compile(rf"(?<![\w’'])[{UPPER}][\w'’]*[\w](?:[-‑][{UPPER}a-z]\w+)*")
_OF_A_STATE = _LEXICON.compiled("OF_A_STATE")
_LANGUAGE_BEFORE = _LEXICON.compiled("LANGUAGE_BEFORE")
_LANGUAGE_AFTER = _LEXICON.compiled("LANGUAGE_AFTER")
_AFTER_IN = _LEXICON.compiled("AFTER_IN")
_SUFFIXES = _LEXICON.words("SUFFIXES")
_WEAK = _LEXICON.words("WEAK")


@reader("peoples")
def read(text: str, spans: list[Span]) -> Iterator[Span]:
    """Nationalities and other groups, languages, origin, by word list and neighbouring words."""
    yield from spans
    known, tongues, creeds = peoples(), words("languages"), words("creeds")
    adjectives, named = nationalities(), words("first_names")
    for match in _WORD.finditer(text):
        word = match.group().removesuffix("'s").removesuffix("’s")
        start, end = match.start(), match.start() + len(word)
        if word not in known and word not in tongues:
            # "Turkish-born", "Polish-speaking", "German-Austrian"
            head, dash, tail = word.replace("‑", "-").partition("-")
            if not dash or head not in known or not (tail in known or tail in _SUFFIXES):
                continue
            if tail == "speaking":
                yield Span(start, start + len(head), "LANGUAGE", 0.9, "peoples", "language spoken")
                continue
        if word in tongues and _spoken(text, start, end, only=word not in known):
            yield Span(start, end, "LANGUAGE", 0.9, "peoples", "language spoken")
        elif word in known and not (word in adjectives and _OF_A_STATE.match(text, end)):
            kind, how = ("RELIGION", "list of creeds") if word in creeds else ("NORP", "list of peoples")
            # "Christian" and "Dane" are first names too; there the model knows better.
            yield Span(start, end, kind, 0.7 if word in named else 0.85, "peoples", how)


def _spoken(text: str, start: int, end: int, *, only: bool) -> bool:
    if _LANGUAGE_AFTER.match(text, end):
        return True
    before = _LANGUAGE_BEFORE.search(text, max(0, start - 40), start)
    if before is None:
        return only and text[start:end] not in ("Latin", "Mandarin", "Basque")
    said = before.group().strip(" ,").lower()
    if said and said not in _WEAK:
        return True
    return before.group().strip().lower() in ("in", "from") and _AFTER_IN.match(text, end) is not None
