"""Places by gazetteer, by head noun and by the words before them.

Names that are a place wherever they stand come from the gazetteer. Names that are also words or
surnames count after a word that places somebody ("lives in Reading", "born in Van"). Head nouns split
what most models call LOC: "county", "village" -> GPE, "river", "lake" -> LOC, "street", "bridge" -> FAC.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from heteronym.knowledge.places import plain_places, type_of
from heteronym.model.mention import Span
from heteronym.text.lexicon import lexicon
from heteronym.text.recognizers.rows import reader

_LEXICON = lexicon("places")

_WORD = re.compile(rf"(?<![\w’'‑.@#/-]){_LEXICON.pattern('CAP')}")
_BUILDING_WORDS = _LEXICON.words("FACILITY_WORDS")
_LAND_WORDS = _LEXICON.words("LAND_WORDS")


@cache
def _places() -> tuple[dict[str, str], dict[str, int]]:
    """Names -> type, and for every first word the largest number of words a name with it has."""
    types: dict[str, str] = dict(plain_places())
    lengths: dict[str, int] = {}
    for name in types:
        first = name.split(" ", 1)[0]
        lengths[first] = max(lengths.get(first, 1), name.count(" ") + 1)
    return types, lengths


_NEXT = re.compile(r"\s(?:(?:of|and|the|del|de|la|d['’]|du)\s){0,2}[\w.'’‑-]*\w")
_STATE = _LEXICON.compiled("STATE")
_TITLE_BEFORE = _LEXICON.compiled("TITLE_BEFORE")


@reader("places")
def read(text: str, spans: list[Span]) -> Iterator[Span]:
    """Places by gazetteer, head noun and cue, split into GPE, LOC and FAC."""
    yield from spans
    types, lengths = _places()
    done = 0
    for match in _WORD.finditer(text):
        start, end = match.span()
        word = match.group()
        if word.endswith(("'s", "’s")):
            word, end = word[:-2], end - 2
        if start < done or word not in lengths:
            continue
        best = end if word in types else 0
        stop = end
        for _ in range(lengths[word] - 1):
            more = _NEXT.match(text, stop)
            if more is None:
                break
            stop = more.end()
            if text[start:stop] in types:
                best = stop
        if not best or (best == end and _TITLE_BEFORE.search(text, max(0, start - 16), start)):
            continue
        kind, how = types[text[start:best]], "gazetteer"
        state = _STATE.match(text, best)
        if state is not None:
            best, how = state.end(), "gazetteer and state"
        yield Span(start, best, kind, 0.75, "places", how)
        done = best


def place_type(surface: str) -> str:
    """GPE, LOC or FAC for what a model calls a location."""
    known = type_of(surface.removeprefix("the ").removeprefix("The "))
    if known is not None:
        return known
    folded = surface.lower().replace(",", " ").split()
    if folded and folded[-1].strip(".") in _BUILDING_WORDS:
        return "FAC"
    return "GPE" if _LAND_WORDS.isdisjoint(folded) else "LOC"
