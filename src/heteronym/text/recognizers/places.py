"""Places by gazetteer, by head noun and by the words before them.

Names that are a place wherever they stand come from the gazetteer. Names that are also words or
surnames count after a word that places somebody ("lives in Reading", "born in Van"). Head nouns split
what most models call LOC: "county", "village" -> GPE, "river", "lake" -> LOC, "street", "bridge" -> FAC.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from heteronym.knowledge.places import plain_places, type_of
from heteronym.knowledge.wordlists import nationalities
from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.lexicon import lexicon
from heteronym.text.rule import find

_LEXICON = lexicon("places")

_CAP = _LEXICON.pattern("CAP")
_WORD = re.compile(rf"(?<![\w’'‑.@#/-]){_CAP}")

LOC_HEADS = (
    "River Lake Sea Ocean Bay Gulf Strait Channel Mountain Mountains Mount "
    "Hills Hill Valley Island Islands Peninsula Desert Forest Coast Beach Canyon "
    "Falls Glacier Plateau Delta Basin Archipelago Cape Reef"
)
FAC_HEADS = (
    "Street Road Avenue Boulevard Lane Drive Square Bridge Tunnel Highway Motorway "
    "Airport Station Stadium Arena Tower Building Palace Castle "
    "Cathedral Church Mosque Temple Museum Hospital Prison Hotel Park Mall "
    "Plaza Terminal Harbour Port Dam Pier Cemetery Zoo Monument Barracks"
)
FACILITY_WORDS = frozenset(FAC_HEADS.lower().split()) | _LEXICON.words("FACILITY_WORDS")
WATER_AND_LAND_WORDS = frozenset(LOC_HEADS.lower().split()) | frozenset(
    "north south east west northern southern eastern western".split()
)


_NO_HOUSE = (
    _LEXICON.words("NO_HOUSE")
    | lexicon("common").words("MONTHS")
    | frozenset("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split())
)


def _names_a_house(surface: str) -> bool:
    words = surface.split()
    head = words[0].removesuffix("'s").removesuffix("’s")
    return head not in _NO_HOUSE and head not in _ADJECTIVES and head not in nationalities()


_WAYS = ("Street", "Road", "Avenue", "Boulevard", "Lane", "Drive", "Square")
_ADJECTIVES = frozenset(
    (
        "Supreme High Regional District Federal National State Central General "
        "Public Civil Military Criminal Detention Remand Police Railway Train Bus "
        "Fire Power Main Old New"
    ).split()
) - {"Old", "New"}

_RULES = _LEXICON.rules(
    checks={
        "name_before_a_kind_of_building": lambda match: (
            match.group().split()[0] not in _ADJECTIVES or match.group().endswith(_WAYS)
        ),
        "name_before_a_house_in_small_letters": lambda match: _names_a_house(match.group("m")),
    }
)


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


@recognizers.register("places")
@dataclass(frozen=True)
class Places:
    """Places by gazetteer, head noun and cue, split into GPE, LOC and FAC."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        types, lengths = _places()
        result = find(texts, _RULES, source="places")
        for text, spans in zip(texts, result):
            done = 0
            for match in _WORD.finditer(text):
                start, end = match.span()
                if start < done:
                    continue
                word = match.group()
                if word.endswith(("'s", "’s")):
                    word, end = word[:-2], end - 2
                longest = lengths.get(word)
                if longest is None:
                    continue
                best = end if word in types else 0
                stop = end
                for _ in range(longest - 1):
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
                spans.append(Span(start, best, kind, 0.75, "places", how))
                done = best
        return result


def place_type(surface: str) -> str:
    """GPE, LOC or FAC for what a model calls a location."""
    known = type_of(surface.removeprefix("the ").removeprefix("The "))
    if known is not None:
        return known
    folded = surface.lower().replace(",", " ").split()
    if not folded:
        return "GPE"
    if folded[-1].strip(".") in FACILITY_WORDS:
        return "FAC"
    if not WATER_AND_LAND_WORDS.isdisjoint(folded):
        return "LOC"
    return "GPE"
